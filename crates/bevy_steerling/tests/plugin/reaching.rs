//! Whom `AvoidNeighbors` and `Queue` consider: not whom an agent wants to get to, and only members of their groups.

use core::f32::consts::TAU;

use proptest::prelude::*;

use super::*;

fn body() -> impl Strategy<Value = SteeringAgent> {
    (3.0..12.0_f32, 0.3..5.0_f32, 50.0..150.0_f32, 2.0..5.0_f32).prop_map(|(radius, mass, max_speed, agility)| {
        SteeringAgent { radius, mass, max_speed, max_force: mass * max_speed * agility, ..default() }
    })
}

fn rate() -> impl Strategy<Value = f64> {
    prop_oneof![Just(30.0), Just(60.0), Just(120.0)]
}

const PREY: GroupMask = GroupMask::bit(4);

/// The distance between the centers of two agents as a share of the sum of their radii.
fn nearness(app: &App, [one, other]: [Entity; 2]) -> f32 {
    let radius = |agent| app.world().get::<SteeringAgent>(agent).unwrap().radius;
    position(app, one).distance(position(app, other)) / (radius(one) + radius(other))
}

/// What a hunt was like.
#[derive(Clone, Debug)]
struct Hunt {
    hunter: SteeringAgent,
    /// The size and the speed of the quarry, compared with the hunter's.
    quarry: (f32, f32),
    of_group: bool,
    avoiding: bool,
    distance: f32,
    seed: u64,
    rate: f64,
}

fn hunt() -> impl Strategy<Value = Hunt> {
    let quarry = (0.4..1.6_f32, 0.2..0.8_f32);
    (body(), quarry, any::<bool>(), any::<bool>(), 6.0..40.0_f32, any::<u64>(), rate()).prop_map(
        |(hunter, quarry, of_group, avoiding, distance, seed, rate)| {
            let distance = distance * hunter.radius;
            Hunt { hunter, quarry, of_group, avoiding, distance, seed, rate }
        },
    )
}

impl Hunt {
    /// Hunts among so many bystanders. Returns how near the hunter came to its quarry, and to a bystander.
    fn run(&self, bystanders: usize) -> [f32; 2] {
        let mut app = app_at(self.rate);
        let mut number = numbers(self.seed);
        let &Hunt { hunter: body, quarry: (size, speed), distance, .. } = self;
        let hunter = app.world_mut().spawn((body, AvoidNeighbors::default(), at(0.0, 0.0))).id();
        let its_body = SteeringAgent { radius: size * body.radius, max_speed: speed * body.max_speed, ..body };
        let quarry = (Flee::new(hunter), its_body, SteeringGroups(PREY), at(distance, 0.0));
        let quarry = app.world_mut().spawn(quarry).id();
        if self.avoiding {
            app.world_mut().entity_mut(quarry).insert(AvoidNeighbors::default());
        }
        let target = if self.of_group { Target::Group(PREY) } else { quarry.into() };
        app.world_mut().entity_mut(hunter).insert(Pursue::new(target));
        // They stand on the way, in a row, with room between them and on one side or the other.
        let bystanders: Vec<Entity> = (0..bystanders)
            .map(|k| {
                let ahead = distance + body.radius * (8.0 + 10.0 * k as f32);
                let aside = body.radius * 4.0 * (number() - 0.5);
                let standing = SteeringAgent { max_speed: 0.0, ..body };
                app.world_mut().spawn((standing, at(ahead, aside))).id()
            })
            .collect();
        let closing = body.max_speed * (1.0 - speed);
        let seconds = 5.0 + 3.0 * distance / closing;
        let mut nearest = [f32::INFINITY; 2];
        for _ in 0..(f64::from(seconds) * self.rate) as usize {
            run(&mut app, 1);
            nearest[0] = nearest[0].min(nearness(&app, [hunter, quarry]));
            for bystander in &bystanders {
                nearest[1] = nearest[1].min(nearness(&app, [hunter, *bystander]));
            }
            if nearest[0] <= 1.05 {
                break;
            }
        }
        nearest
    }
}

proptest! {
    #![proptest_config(config(quarter_of(200)))]

    #[test]
    fn a_hunter_touches_its_quarry_in_the_open(hunt in hunt()) {
        let [nearest, _] = hunt.run(0);
        prop_assert!(nearest <= 1.1, "{nearest}");
    }

    #[test]
    fn a_hunter_touches_its_quarry_past_bystanders_and_none_of_them(hunt in hunt(), bystanders in 1..6_usize) {
        let [nearest, bystander] = hunt.run(bystanders);
        prop_assert!(nearest <= 1.1, "{nearest}");
        prop_assert!(bystander >= 1.0, "{bystander}");
    }

    /// Guards come from all sides up to a player that stands, without touching each other.
    #[test]
    fn guards_come_up_to_the_player(
        body in body(),
        size in 1.0..2.5_f32,
        count in 1..5_u8,
        seek in any::<bool>(),
        rate in rate(),
        seed in any::<u64>(),
    ) {
        let mut app = app_at(rate);
        let mut number = numbers(seed);
        let standing = SteeringAgent { radius: size * body.radius, mass: 1e6, ..body };
        let player = app.world_mut().spawn((standing, ExternalMovement, Solid::default(), at(0.0, 0.0))).id();
        let guards: Vec<Entity> = (0..count)
            .map(|k| {
                let angle = f32::from(k) / f32::from(count) * TAU + 0.3 * (number() - 0.5);
                let place = Vec2::from_angle(angle) * body.radius * (10.0 + 30.0 * number());
                let guard = (AvoidNeighbors::default(), Solid::default(), body, at(place.x, place.y));
                let mut guard = app.world_mut().spawn(guard);
                if seek {
                    guard.insert(Seek::new(player));
                } else {
                    guard.insert(Arrive::new(player));
                }
                guard.id()
            })
            .collect();
        let mut nearest = vec![f32::INFINITY; guards.len()];
        for _ in 0..(10.0 * rate) as usize {
            run(&mut app, 1);
            for (k, guard) in guards.iter().enumerate() {
                nearest[k] = nearest[k].min(nearness(&app, [*guard, player]));
                for other in &guards[..k] {
                    let gap = nearness(&app, [*guard, *other]);
                    prop_assert!(gap >= 0.99, "{gap}");
                }
            }
        }
        prop_assert!(nearest.iter().all(|nearest| *nearest <= 1.1), "{nearest:?}");
        // They stay there, and do not run around the player.
        run(&mut app, (5.0 * rate) as usize);
        let places: Vec<Vec2> = guards.iter().map(|guard| position(&app, *guard)).collect();
        run(&mut app, rate as usize);
        for (guard, place) in guards.iter().zip(places) {
            let moved = position(&app, *guard).distance(place);
            prop_assert!(moved < 0.1 * body.max_speed && nearness(&app, [*guard, player]) <= 1.1, "{moved}");
        }
    }

    /// An agent that seeks a point avoids everybody, and so does one that does not want to get to its target.
    #[test]
    fn who_does_not_want_to_get_to_somebody_avoids_it(body in body(), rate in rate(), kind in 0..4_u8, aside in -1.0..1.0_f32) {
        let mut app = app_at(rate);
        let ahead = 20.0 * body.radius;
        let standing = SteeringAgent { max_speed: 0.0, ..body };
        let other = app.world_mut().spawn((standing, at(ahead, aside * body.radius))).id();
        let agent = (Arrive::new(Vec2::new(2.0 * ahead, 0.0)), AvoidNeighbors::default(), body, at(0.0, 0.0));
        let mut agent = app.world_mut().spawn(agent);
        match kind {
            0 => agent.insert(Pursue::new(other).with_weight(0.0)),
            1 => agent.insert(MatchVelocity::new(other).with_weight(0.1)),
            2 => agent.insert(Seek::new(Target::Group(PREY))),
            _ => agent.insert(Evade::new(other).with_weight(0.1)),
        };
        let agent = agent.id();
        for _ in 0..(6.0 * rate) as usize {
            run(&mut app, 1);
            prop_assert!(nearness(&app, [agent, other]) >= 1.0);
        }
    }

    /// Of two agents on one way, those in `groups` are avoided, and the others are walked through as if they were not there. If only one
    /// of two avoids the other, it makes the whole detour.
    #[test]
    fn only_members_of_the_groups_are_avoided(
        bodies in [body(), body()],
        rate in rate(),
        aside in -1.0..1.0_f32,
        groups in prop_oneof![Just(GroupMask::ALL), (0..8_u32).prop_map(GroupMask::from_bits)],
        its_groups in (0..8_u32).prop_map(GroupMask::from_bits),
        meets in any::<bool>(),
    ) {
        let [body, its_body] = bodies;
        let way = 30.0 * body.radius.max(its_body.radius);
        let travel = |other: bool| {
            let mut app = app_at(rate);
            let avoid = AvoidNeighbors::default().with_groups(groups);
            let agent = app.world_mut().spawn((Arrive::new(Vec2::X * way), avoid, body, at(-way, 0.0))).id();
            let other = other.then(|| {
                let y = aside * body.radius;
                let mut other = app.world_mut().spawn((SteeringGroups(its_groups), its_body, at(0.0, y)));
                if meets {
                    let blind = AvoidNeighbors::default().with_groups(GroupMask::NONE);
                    other.insert((Arrive::new(Vec2::new(-2.0 * way, y)), blind));
                }
                other.id()
            });
            let mut nearest = f32::INFINITY;
            let mut places = vec![];
            for _ in 0..(3.0 * rate) as usize {
                run(&mut app, 1);
                places.push(position(&app, agent));
                nearest = other.map_or(nearest, |other| nearest.min(nearness(&app, [agent, other])));
            }
            (places, nearest)
        };
        let (alone, _) = travel(false);
        let (places, nearest) = travel(true);
        if groups == GroupMask::ALL || groups.intersects(its_groups) {
            prop_assert!(nearest >= 1.0, "{nearest}");
        } else {
            prop_assert_eq!(places, alone);
        }
    }

    /// An agent in a queue waits behind members of its groups, and passes others as if they were not there.
    #[test]
    fn a_queue_lets_only_members_of_its_groups_go_first(
        body in body(),
        rate in rate(),
        aside in -0.8..0.8_f32,
        groups in prop_oneof![Just(GroupMask::ALL), (0..8_u32).prop_map(GroupMask::from_bits)],
        its_groups in (0..8_u32).prop_map(GroupMask::from_bits),
    ) {
        let way = 12.0 * body.radius;
        let travel = |other: bool| {
            let mut app = app_at(rate);
            let queue = Queue::default().with_groups(groups);
            let agent = app.world_mut().spawn((Seek::new(Vec2::X * 1e4), queue, body, at(-way, 0.0))).id();
            if other {
                let standing = SteeringAgent { max_speed: 0.0, ..body };
                app.world_mut().spawn((standing, SteeringGroups(its_groups), at(0.0, aside * body.radius)));
            }
            run(&mut app, (4.0 * rate) as usize);
            position(&app, agent)
        };
        let (alone, place) = (travel(false), travel(true));
        if groups == GroupMask::ALL || groups.intersects(its_groups) {
            prop_assert!(place.x < 0.0, "{place}");
        } else {
            prop_assert_eq!(place, alone);
        }
    }

    /// A queue that considers every group there is moves as one that considers all.
    #[test]
    fn a_queue_of_all_groups_there_are_is_the_same(
        places in proptest::collection::vec((0.0..300.0_f32, 0.0..300.0_f32), 2..40),
        rate in rate(),
    ) {
        let queue = |groups| {
            let mut app = app_at(rate);
            let queue = Queue::default().with_groups(groups);
            let agents: Vec<Entity> = (0..)
                .zip(&places)
                .map(|(id, (x, y))| {
                    let agent = (Seek::new(Vec2::new(150.0, 900.0)), queue.clone(), SteeringId::new(id), at(*x, *y));
                    app.world_mut().spawn(agent).id()
                })
                .collect();
            run(&mut app, 20);
            agents.into_iter().map(|agent| position(&app, agent)).collect::<Vec<_>>()
        };
        for (place, same) in queue(GroupMask::ALL).into_iter().zip(queue(GroupMask::from_bits(1))) {
            prop_assert!(place.distance(same) < 1e-2, "{place} {same}");
        }
    }
}
