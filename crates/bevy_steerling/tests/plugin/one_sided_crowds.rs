//! Large crowds that come from one side, and move as a whole at their destination.

use super::closing_up::{overlap, places_apart, width};
use super::*;

const RADIUS: f32 = 8.0;

/// A crowd that starts on the left of the origin.
struct Crowd {
    app: App,
    agents: Vec<Entity>,
    max_speed: f32,
}

impl Crowd {
    /// So many agents, which arrive at a target, avoid each other and stay clear of obstacles.
    fn new(count: usize, number: &mut impl FnMut() -> f32, target: impl Into<Target>, mut app: App) -> Self {
        let max_speed = 40.0 + 40.0 * number();
        let body =
            SteeringAgent { max_speed, max_force: max_speed * (1.5 + 6.0 * number()), radius: RADIUS, ..default() };
        let depth = RADIUS * (count as f32).sqrt() * 2.0 * (1.0 + 2.0 * number());
        let size = Vec2::new(depth, 8.0 * RADIUS * RADIUS * count as f32 / depth);
        let behaviors = (Arrive::new(target), AvoidNeighbors::default(), AvoidObstacles::default());
        let start = || Vec2::new(-300.0, 0.0) - size * Vec2::new(number(), number());
        let places = places_apart(count, 2.1 * RADIUS, start);
        let spawn = |place: Vec2| app.world_mut().spawn((behaviors.clone(), body, at(place.x, place.y))).id();
        let agents = places.into_iter().map(spawn).collect();
        Self { app, agents, max_speed }
    }

    /// The mean speed, as a share of the max speed.
    fn speed(&self) -> f32 {
        let speeds = self.agents.iter().map(|agent| velocity(&self.app, *agent).length());
        speeds.sum::<f32>() / (self.agents.len() as f32 * self.max_speed)
    }

    fn center(&self) -> Vec2 {
        self.agents.iter().map(|agent| position(&self.app, *agent)).sum::<Vec2>() / self.agents.len() as f32
    }

    /// The radius of a disc of which the bodies cover 85 %.
    fn needed(&self) -> f32 {
        RADIUS * (self.agents.len() as f32 / 0.85).sqrt()
    }

    /// Runs until the crowd rests. No two agents touch, and no agent gets into one of the walls, with these middles and sizes.
    fn come_to_rest(&mut self, walls: &[(Vec2, Vec2)], case: &str) {
        let in_wall = |place: Vec2| {
            walls.iter().any(|(middle, size)| {
                let apart = (place - middle).abs();
                apart.distance(apart.min(0.5 * size)) < RADIUS - 1e-3
            })
        };
        run(&mut self.app, 64);
        let most = 60.0 * (1_500.0 / self.max_speed + 30.0);
        let mut ticks = 64.0;
        while self.speed() > 0.01 {
            run(&mut self.app, 4);
            ticks += 4.0;
            assert!(overlap(&self.app, &self.agents) <= 1e-3 * RADIUS, "{case}");
            assert!(!self.agents.iter().any(|agent| in_wall(position(&self.app, *agent))), "{case}");
            assert!(ticks < most, "{case}: {} of the max speed", self.speed());
        }
        // One of a hundred agents may still be on its way at max speed.
        run(&mut self.app, 64 * 10);
    }

    /// Asserts that it is in a disc around its target. A single agent may rest farther out. How many times as wide as needed the crowd is.
    fn is_in_a_disc(&self, case: &str) -> f32 {
        let wide = width(&self.app, &self.agents) / self.needed();
        assert!(wide <= 1.5, "{case}: {wide} times as wide as needed");
        let off = self.center().length() / self.needed();
        assert!(off <= 0.25, "{case}: the center is {off} of the needed radius away");
        wide
    }
}

#[test]
fn a_crowd_comes_to_rest_in_a_disc_around_its_target() {
    let mut widths = Vec::new();
    for (seed, count) in (0..).zip([30, 30, 60, 100, 100, 250]) {
        let mut number = numbers(seed);
        let mut app = app();
        // A target that is an entity and stands counts like a point.
        let target = app.world_mut().spawn(at(0.0, 0.0)).id();
        let target = if seed % 2 == 0 { Target::Point(Vec2::ZERO) } else { Target::Entity(target) };
        let mut crowd = Crowd::new(count, &mut number, target, app);
        let case = format!("{count} agents, seed {seed}");
        crowd.come_to_rest(&[], &case);
        widths.push(crowd.is_in_a_disc(&case));
    }
    let mean = widths.iter().sum::<f32>() / widths.len() as f32;
    assert!(mean <= 1.25, "{widths:?}");
}

#[test]
fn a_crowd_whose_agents_seldom_think_comes_to_rest_in_a_disc() {
    for seed in 10..12 {
        let mut number = numbers(seed);
        let mut crowd = Crowd::new(120, &mut number, Vec2::ZERO, app());
        for agent in &crowd.agents {
            let every = 1 + (4.0 * number()) as u32;
            crowd.app.world_mut().entity_mut(*agent).insert(SteeringRate::every(every));
        }
        let case = format!("at different rates, seed {seed}");
        crowd.come_to_rest(&[], &case);
        crowd.is_in_a_disc(&case);
    }
}

#[test]
fn a_second_crowd_moves_the_first() {
    let mut number = numbers(15);
    let mut crowd = Crowd::new(40, &mut number, Vec2::ZERO, app());
    crowd.come_to_rest(&[], "the first");
    let mut second = Crowd::new(60, &mut number, Vec2::ZERO, crowd.app);
    second.agents.extend(crowd.agents);
    second.come_to_rest(&[], "the second");
    second.is_in_a_disc("both");
}

#[test]
fn a_crowd_stays_on_its_side_of_a_wall() {
    for seed in 0..4 {
        let mut number = numbers(30 + seed);
        let mut app = app();
        // There is a way around it, and room on both sides.
        let wall = (Vec2::new(30.0, 0.0), Vec2::new(8.0, 300.0));
        app.world_mut().spawn((Obstacle::new(Rectangle::from_size(wall.1)), at(wall.0.x, wall.0.y)));
        let mut crowd = Crowd::new(60, &mut number, Vec2::ZERO, app);
        crowd.come_to_rest(&[wall], &format!("seed {seed}"));
        for agent in &crowd.agents {
            let place = position(&crowd.app, *agent);
            assert!(place.x < wall.0.x, "seed {seed}: {place}");
        }
    }
}

#[test]
fn a_crowd_comes_to_rest_beside_walls() {
    let cases = quarter_of(16);
    let mut total = 0.0;
    for seed in 0..cases {
        let mut number = numbers(20 + u64::from(seed));
        let count = 40 + (80.0 * number()) as usize;
        // A wall behind the target, or beside it, or a corner.
        let gap = RADIUS * (1.0 + 6.0 * number());
        let behind = (Vec2::new(gap + 10.0, 0.0), Vec2::new(20.0, 600.0));
        let beside = (Vec2::new(0.0, gap + 10.0), Vec2::new(600.0, 20.0));
        let walls = match seed % 3 {
            0 => vec![behind],
            1 => vec![beside],
            _ => vec![behind, beside],
        };
        let mut app = app();
        for (middle, size) in &walls {
            app.world_mut().spawn((Obstacle::new(Rectangle::from_size(*size)), at(middle.x, middle.y)));
        }
        let mut crowd = Crowd::new(count, &mut number, Vec2::ZERO, app);
        let case = format!("{count} agents, {gap} units from walls, seed {seed}");
        crowd.come_to_rest(&walls, &case);
        let farthest = crowd.agents.iter().map(|agent| position(&crowd.app, *agent).length()).fold(0.0, f32::max);
        // The radius of half a disc, or of a quarter.
        let far = farthest / (crowd.needed() * if walls.len() == 2 { 2.0 } else { 1.41 });
        assert!(far < 1.5, "{case}: {far} times as far as needed");
        total += far;
    }
    let mean = total / cases as f32;
    assert!(mean < 1.2, "{mean} times as far as needed in the mean");
}

#[test]
fn a_crowd_follows_a_leader_that_walks() {
    for seed in 0..quarter_of(8) {
        let mut number = numbers(40 + u64::from(seed));
        let mut app = app();
        let speed = [2.0, 10.0, 20.0, 35.0][seed as usize % 4];
        let body = SteeringAgent { max_speed: speed, radius: RADIUS, ..default() };
        let leader = app.world_mut().spawn((Seek::new(Vec2::new(1e5, 0.0)), body, at(-200.0, 0.0))).id();
        let mut crowd = Crowd::new(50, &mut number, leader, app);
        run(&mut crowd.app, 60 * 40);
        let behind = (position(&crowd.app, leader) - crowd.center()).x / crowd.needed();
        assert!((0.25..4.0).contains(&behind), "at {speed}: {behind} of the needed radius");
    }
}

#[test]
fn a_crowd_that_a_blast_throws_apart_comes_together_again() {
    for (seed, count) in (40..).zip([30, 60, 160]) {
        let mut number = numbers(seed);
        let mut crowd = Crowd::new(count, &mut number, Vec2::ZERO, app());
        let case = format!("{count} agents, seed {seed}");
        crowd.come_to_rest(&[], &case);
        let reach = 1.5 * crowd.needed();
        for agent in &crowd.agents {
            let away = position(&crowd.app, *agent);
            let impulse = away.normalize_or(Vec2::X) * 4.0 * crowd.max_speed * (1.0 - away.length() / reach).max(0.0);
            crowd.app.world_mut().entity_mut(*agent).insert(Knockback::new(impulse).with_time_constant(0.3));
        }
        run(&mut crowd.app, 64);
        assert!(crowd.speed() > 0.1, "{case}: nobody is thrown away");
        run(&mut crowd.app, 64 * 20);
        assert!(crowd.speed() < 0.01, "{case}: {} of the max speed", crowd.speed());
        crowd.is_in_a_disc(&case);
    }
}
