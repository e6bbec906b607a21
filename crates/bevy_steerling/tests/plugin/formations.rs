//! Formations gather, turn, pass gates, and outlive their leaders.

use std::f32::consts::{FRAC_PI_2, PI};

use super::*;

const BODY: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 100.0, max_force: 300.0, radius: 8.0, response_time: 0.0 };

fn pick<T: Clone>(number: &mut impl FnMut() -> f32, from: &[T]) -> T {
    from[(number() * from.len() as f32) as usize % from.len()].clone()
}

fn patterns() -> [Pattern; 6] {
    let own = (0..40_u8).map(|k| Vec2::new(f32::from(k % 3) - 3.0, f32::from(k / 3) - 4.0) * 40.0);
    [Pattern::Line, Pattern::Column, Pattern::Wedge, Pattern::Box, Pattern::Circle, Pattern::Places(own.collect())]
}

/// A formation that heads along +x.
struct Troop {
    app: App,
    leader: Entity,
    members: Vec<Entity>,
}

impl Troop {
    /// Where the slot of a member is.
    fn slot(&self, member: Entity) -> Vec2 {
        let world = self.app.world();
        let anchor = world.get::<InFormation>(member).expect("it is a member").0;
        let state = world.get::<FormationState>(anchor).expect("it is an anchor");
        let offset = world.get::<FormationSlot>(member).expect("it has a slot").offset();
        position(&self.app, anchor) + state.heading().expect("it is somewhere").rotate(offset)
    }

    fn farthest(&self) -> f32 {
        self.members.iter().map(|&member| self.slot(member).distance(position(&self.app, member))).fold(0.0, f32::max)
    }

    /// The smallest gap between two bodies.
    fn gap(&self) -> f32 {
        let all: Vec<Entity> = self.members.iter().copied().chain([self.leader]).collect();
        let body = |agent: &Entity| {
            (position(&self.app, *agent), self.app.world().get::<SteeringAgent>(*agent).expect("it has a body").radius)
        };
        let bodies: Vec<(Vec2, f32)> = all.iter().map(body).collect();
        let gaps =
            bodies.iter().enumerate().flat_map(|(i, a)| bodies[..i].iter().map(move |b| a.0.distance(b.0) - a.1 - b.1));
        gaps.fold(f32::INFINITY, f32::min)
    }
}

fn random_troop(number: &mut impl FnMut() -> f32, avoids: bool) -> Troop {
    let rate = pick(number, &[20.0, 60.0, 120.0]);
    let mut app = app_at(rate);
    let pattern = pick(number, &patterns());
    let count = 1 + (number() * 20.0) as usize;
    let (mass, radius) = (0.3 + 3.0 * number(), 8.0);
    let body = SteeringAgent { mass, max_force: 300.0 * mass, radius, ..BODY };
    let spacing = 20.0 + 30.0 * number();
    let leading = SteeringAgent { max_speed: 80.0, ..body };
    let formation = Formation::new(pattern).with_spacing(spacing);
    let leader = app.world_mut().spawn((formation, leading, Velocity(Vec2::new(80.0, 0.0)))).id();
    let mut members: Vec<Entity> = Vec::new();
    while members.len() < count {
        let place = Vec2::new(-160.0 * number(), 200.0 * (number() - 0.5));
        let taken = members.iter().chain([&leader]).any(|other| position(&app, *other).distance(place) < 2.5 * radius);
        if !taken || number() < 0.001 {
            let member = (InFormation(leader), body, Transform::from_translation(place.extend(0.0)));
            members.push(app.world_mut().spawn(member).id());
        }
    }
    if avoids {
        for &agent in members.iter().chain([&leader]) {
            app.world_mut().entity_mut(agent).insert(AvoidNeighbors::default());
        }
    }
    Troop { app, leader, members }
}

/// How many ticks so many seconds are.
fn ticks(app: &App, seconds: f32) -> usize {
    (seconds / app.world().resource::<Time<Fixed>>().timestep().as_secs_f32()).round() as usize
}

#[test]
fn after_five_seconds_straight_on_all_are_in_their_slots() {
    let mut number = numbers(1);
    for case in 0..60 {
        let mut troop = random_troop(&mut number, case % 2 == 0);
        troop.app.world_mut().entity_mut(troop.leader).insert(Seek::new(Vec2::new(1e6, 0.0)));
        let span = ticks(&troop.app, 5.0);
        run(&mut troop.app, span);
        let pattern = &troop.app.world().get::<Formation>(troop.leader).unwrap();
        let farthest = troop.farthest();
        if farthest > 4.0 {
            println!(
                "{case}: {farthest} {} members {pattern:?} {:?} v {}",
                troop.members.len(),
                troop.app.world().get::<FormationState>(troop.leader).unwrap().pace(),
                velocity(&troop.app, troop.leader)
            );
        }
    }
}

#[test]
fn a_formation_turns_without_a_touch() {
    let mut number = numbers(2);
    for case in 0..40 {
        let mut troop = random_troop(&mut number, true);
        troop.app.world_mut().entity_mut(troop.leader).insert(Seek::new(Vec2::new(1e6, 0.0)));
        let span = ticks(&troop.app, 6.0);
        run(&mut troop.app, span);
        let turn = if case % 2 == 0 { FRAC_PI_2 } else { PI } * if number() < 0.5 { -1.0 } else { 1.0 };
        let there = Vec2::from_angle(turn) * 1e6;
        troop.app.world_mut().entity_mut(troop.leader).insert(Seek::new(there));
        let mut gap = f32::INFINITY;
        let mut done = None;
        let span = ticks(&troop.app, 20.0);
        let before = troop.gap();
        for tick in 0..span {
            run(&mut troop.app, 1);
            gap = gap.min(troop.gap());
            let along = velocity(&troop.app, troop.leader).normalize_or_zero().dot(there.normalize());
            if troop.farthest() < 4.0 && along > 0.99 { done = done.or(Some(tick)) } else { done = None }
        }
        let pattern = &troop.app.world().get::<Formation>(troop.leader).unwrap();
        println!(
            "{case}: turn {turn:.1} before {before:.2} gap {gap:.3} done {:?} n {} {}",
            done.map(|t| t as f32 / span as f32 * 20.0),
            troop.members.len(),
            format!("{pattern:?}").chars().take(60).collect::<String>()
        );
    }
}

#[test]
fn a_hundred_pass_a_gate_half_as_wide_as_they_are() {
    for (k, spacing) in [18.0, 24.0, 40.0].into_iter().enumerate() {
        let mut app = app_at(60.0);
        let leading = SteeringAgent { max_speed: 80.0, ..BODY };
        let width = 9.0 * spacing + 16.0;
        let wall = |y: f32| (Obstacle::new(Rectangle::new(20.0, 2000.0)), at(300.0, y));
        app.world_mut().spawn(wall(1000.0 + 0.25 * width));
        app.world_mut().spawn(wall(-1000.0 - 0.25 * width));
        let formation = Formation::new(Pattern::Box).with_spacing(spacing);
        let path = FollowPath::new([Vec2::ZERO, Vec2::new(1e4, 0.0)]);
        let leader = app
            .world_mut()
            .spawn((formation, leading, path, AvoidObstacles::default(), AvoidNeighbors::default(), at(0.0, 0.0)))
            .id();
        let members: Vec<Entity> = (0..100)
            .map(|n| {
                let place = Vec2::new(-((n / 10 + 1) as f32), (n % 10) as f32 - 4.5) * spacing;
                app.world_mut()
                    .spawn((
                        InFormation(leader),
                        BODY,
                        AvoidObstacles::default(),
                        AvoidNeighbors::default(),
                        Transform::from_translation(place.extend(0.0)),
                    ))
                    .id()
            })
            .collect();
        let mut troop = Troop { app, leader, members };
        let (mut gap, mut last, mut formed) = (f32::INFINITY, None, None);
        for tick in 0..60 * 90 {
            run(&mut troop.app, 1);
            if tick % 10 == 0 {
                gap = gap.min(troop.gap());
            }
            let beyond = troop.members.iter().filter(|m| position(&troop.app, **m).x > 310.0).count();
            if tick % 600 == 0 {
                println!(
                    "  {}s leader {} beyond {beyond} farthest {}",
                    tick / 60,
                    position(&troop.app, troop.leader).x,
                    troop.farthest()
                );
            }
            if beyond == 100 {
                last = last.or(Some(tick));
                if troop.farthest() < 4.0 {
                    formed = Some(tick);
                    break;
                }
            }
        }
        println!(
            "{k}: spacing {spacing} gap {gap} all through {:?} formed {:?}",
            last.map(|t| t / 60),
            formed.map(|t| t / 60)
        );
    }
}
