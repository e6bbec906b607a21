//! Agents that touch their target are not stuck, and agents that avoid others still touch their target.

use proptest::prelude::*;

use super::*;

/// Who was told that it is stuck, or no longer.
#[derive(Resource, Default)]
struct Held(Vec<(Entity, bool)>);

fn listening_at(rate: f64) -> App {
    let mut app = app_at(rate);
    app.init_resource::<Held>()
        .add_observer(|on: On<Stuck>, mut held: ResMut<Held>| held.0.push((on.entity, true)))
        .add_observer(|on: On<Unstuck>, mut held: ResMut<Held>| held.0.push((on.entity, false)));
    app
}

fn told(app: &mut App) -> Vec<(Entity, bool)> {
    std::mem::take(&mut app.world_mut().resource_mut::<Held>().0)
}

/// A behavior that brings an agent to its target.
#[derive(Clone, Copy, Debug)]
enum Way {
    Pursue,
    Seek,
    Arrive,
}

impl Way {
    fn insert(self, app: &mut App, agent: Entity, target: Target) {
        let mut agent = app.world_mut().entity_mut(agent);
        match self {
            Self::Pursue => agent.insert(Pursue::new(target)),
            Self::Seek => agent.insert(Seek::new(target)),
            Self::Arrive => agent.insert(Arrive::new(target)),
        };
    }
}

fn way() -> impl Strategy<Value = Way> {
    prop_oneof![Just(Way::Pursue), Just(Way::Seek), Just(Way::Arrive)]
}

fn body() -> impl Strategy<Value = SteeringAgent> {
    (2.0..12.0_f32, 0.2..8.0_f32, 40.0..200.0_f32, 2.0..6.0_f32).prop_map(|(radius, mass, max_speed, agility)| {
        SteeringAgent { radius, mass, max_speed, max_force: mass * max_speed * agility, ..default() }
    })
}

fn rate() -> impl Strategy<Value = f64> {
    prop_oneof![Just(20.0), Just(60.0), Just(144.0)]
}

const PREY: GroupMask = GroupMask::bit(3);

proptest! {
    #![proptest_config(config(quarter_of(120)))]

    /// A crowd presses on a quarry that stands. Nobody is told that it is stuck before it has been away from the quarry for its patience.
    #[test]
    fn in_a_melee_nobody_who_touches_the_quarry_is_stuck(
        way in way(),
        body in body(),
        quarry_radius in 2.0..20.0_f32,
        count in 5..40_usize,
        patience in 0.3..1.5_f32,
        rate in rate(),
        of_group in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let mut app = listening_at(rate);
        let standing = SteeringAgent { radius: quarry_radius, max_speed: 0.0, mass: 1e6, ..default() };
        let quarry = app.world_mut().spawn((standing, SteeringGroups(PREY), Solid::default(), at(0.0, 0.0))).id();
        let target = if of_group { Target::Group(PREY) } else { quarry.into() };
        let mut number = numbers(seed);
        let crowd: Vec<Entity> = (0..count)
            .map(|_| {
                let place = Vec2::from_angle(number() * 6.3) * (quarry_radius + body.radius * (2.0 + 12.0 * number()));
                let watched = SteeringEvents::default().with_patience(patience).with_warning_time(0.0);
                let agent = app.world_mut().spawn((body, Solid::default(), watched, at(place.x, place.y))).id();
                way.insert(&mut app, agent, target);
                agent
            })
            .collect();
        let touches = |app: &App, agent| {
            position(app, agent).distance(position(app, quarry)) <= 1.1 * body.radius + quarry_radius
        };
        // The times since they touched the quarry, and who is stuck.
        let (mut away, mut stuck, mut most) = (vec![0.0_f32; count], vec![false; count], 0);
        for _ in 0..(6.0 * rate) as usize {
            run(&mut app, 1);
            let news = told(&mut app);
            for (k, agent) in crowd.iter().enumerate() {
                away[k] = if touches(&app, *agent) { 0.0 } else { away[k] + (1.0 / rate) as f32 };
                if let Some((_, is_stuck)) = news.iter().find(|(entity, _)| entity == agent) {
                    prop_assert!(!is_stuck || away[k] >= 0.99 * patience, "{}", away[k]);
                    stuck[k] = *is_stuck;
                }
                prop_assert!(!(stuck[k] && away[k] == 0.0));
            }
            most = most.max(away.iter().filter(|away| **away == 0.0).count());
        }
        prop_assert!(most >= 2, "{most}");
    }

    /// Somebody who is held stands by its quarry. Once the quarry is away for its patience, it is stuck, until the quarry is back.
    #[test]
    fn who_is_held_is_stuck_once_its_quarry_has_left_for_its_patience(
        way in way(),
        body in body(),
        patience in 0.3..3.0_f32,
        rate in rate(),
        (angle, near, far) in (0.0..6.3_f32, 0.0..1.0_f32, 1.3..40.0_f32),
        visits in proptest::collection::vec((0.1..2.0_f32, any::<bool>()), 1..5),
    ) {
        let mut app = listening_at(rate);
        let quarry = app.world_mut().spawn(at(0.0, 0.0)).id();
        let watched = SteeringEvents::default().with_patience(patience).with_warning_time(0.0);
        let agent = app.world_mut().spawn((body, ExternalMovement, watched, at(0.0, 0.0))).id();
        way.insert(&mut app, agent, quarry.into());
        let put = |app: &mut App, distance: f32| {
            let place = Vec2::from_angle(angle) * distance * body.radius;
            app.world_mut().get_mut::<Transform>(quarry).unwrap().translation = place.extend(0.0);
        };
        let ticks = |seconds: f32| (f64::from(seconds) * rate) as usize;
        for (stay, long) in visits {
            put(&mut app, near);
            run(&mut app, ticks(stay) + 1);
            prop_assert_eq!(told(&mut app), []);
            put(&mut app, far);
            run(&mut app, ticks(0.97 * patience).saturating_sub(1));
            prop_assert_eq!(told(&mut app), []);
            if long {
                run(&mut app, ticks(0.03 * patience) + 3);
                prop_assert_eq!(told(&mut app), [(agent, true)]);
                put(&mut app, near);
                run(&mut app, 1);
                prop_assert_eq!(told(&mut app), [(agent, false)]);
            }
        }
    }

    /// Agents that avoid others do not avoid their target, whether it stands or flees: at least one of them touches it.
    #[test]
    fn agents_that_avoid_others_still_touch_their_target(
        way in way(),
        body in body(),
        quarry_radius in 2.0..20.0_f32,
        (angle, distance, share) in (0.0..6.3_f32, 60.0..300.0_f32, 0.0..0.6_f32),
        count in 1..5_usize,
        rate in rate(),
        of_group in any::<bool>(),
    ) {
        let mut app = app_at(rate);
        // `Arrive` brakes for where its target is, so it stays behind one that moves.
        let max_speed = if matches!(way, Way::Arrive) { 0.0 } else { share * body.max_speed };
        let away = Vec2::from_angle(angle);
        let fleeing = SteeringAgent { radius: quarry_radius, max_speed, ..default() };
        let quarry = (fleeing, Velocity(away * max_speed), SteeringGroups(PREY), at(0.0, 0.0));
        let quarry = app.world_mut().spawn(quarry).id();
        let target = if of_group { Target::Group(PREY) } else { quarry.into() };
        let hunters: Vec<Entity> = (0..count)
            .map(|number| {
                let aside = away.perp() * 2.5 * body.radius * number as f32;
                let place = aside - away * (distance + quarry_radius + body.radius);
                let hunter = app.world_mut().spawn((body, AvoidNeighbors::default(), at(place.x, place.y))).id();
                way.insert(&mut app, hunter, target);
                hunter
            })
            .collect();
        let seconds = 10.0 + 2.0 * distance / (body.max_speed - max_speed);
        let mut nearest = f32::INFINITY;
        for _ in 0..(f64::from(seconds) * rate) as usize {
            run(&mut app, 1);
            let distances = hunters.iter().map(|hunter| position(&app, *hunter).distance(position(&app, quarry)));
            nearest = distances.fold(nearest, f32::min);
        }
        prop_assert!(nearest < body.radius + quarry_radius, "{nearest} at the nearest");
    }
}
