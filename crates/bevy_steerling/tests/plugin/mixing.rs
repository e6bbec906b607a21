//! Any mix of the behaviors, at any parameters, keeps to the limits of the body.

use bevy::math::ops;
use bevy_steerling::behaviors::arrive::SlowingRadius;
use bevy_steerling::behaviors::avoid_with_feelers::FeelerPush;
use bevy_steerling::behaviors::wander::WanderDrive;
use bevy_steerling::constraints::avoid_neighbors::Detour;
use bevy_steerling::constraints::queue::QueuePlace;
use bevy_steerling::math::space::Edge;
use proptest::prelude::*;

use super::*;

/// Anything from nothing to a billion, of either sign, and now and then zero.
fn any_number() -> impl Strategy<Value = f32> {
    prop_oneof![
        8 => (-3.0_f32..3.0, any::<bool>()).prop_map(|(size, negative)| signed(size, negative)),
        1 => (-9.0_f32..9.0, any::<bool>()).prop_map(|(size, negative)| signed(size, negative)),
        1 => Just(0.0),
    ]
}

fn signed(size: f32, negative: bool) -> f32 {
    ops::powf(10.0, size) * if negative { -1.0 } else { 1.0 }
}

fn amount() -> impl Strategy<Value = f32> {
    any_number().prop_map(f32::abs)
}

fn vector() -> impl Strategy<Value = Vec2> {
    (any_number(), any_number()).prop_map(Vec2::from)
}

fn groups() -> impl Strategy<Value = GroupMask> {
    (0..4_u32).prop_map(GroupMask::from_bits)
}

fn prediction() -> impl Strategy<Value = Prediction> {
    prop_oneof![Just(Prediction::Proportional), Just(Prediction::Intercept), amount().prop_map(Prediction::Fixed)]
}

fn body() -> impl Strategy<Value = SteeringAgent> {
    (amount(), amount(), amount(), amount(), amount()).prop_map(
        |(mass, max_speed, max_force, radius, response_time)| SteeringAgent {
            mass,
            max_speed,
            max_force,
            radius,
            response_time,
        },
    )
}

/// A behavior; its target, if it has one, is set when the others are there.
#[derive(Clone, Debug)]
enum Behavior {
    Seek(Seek),
    Flee(Flee),
    Arrive(Arrive),
    Pursue(Pursue),
    Evade(Evade),
    MatchVelocity(MatchVelocity),
    Wander(Wander),
    Separation(Separation),
    Alignment(Alignment),
    Cohesion(Cohesion),
    Flock(Flock),
    Contain(Contain),
    AvoidObstacles(AvoidObstacles),
    AvoidWithFeelers(AvoidWithFeelers),
    AvoidNeighbors(AvoidNeighbors, Detour),
    Queue(Queue, QueuePlace),
    ClassicQueue(ClassicQueue),
}

impl Behavior {
    fn insert(self, agent: &mut EntityWorldMut, target: Target) {
        match self {
            Self::Seek(seek) => agent.insert(Seek { target, ..seek }),
            Self::Flee(flee) => agent.insert(Flee { target, ..flee }),
            Self::Arrive(arrive) => agent.insert(Arrive { target, ..arrive }),
            Self::Pursue(pursue) => agent.insert(Pursue { target, ..pursue }),
            Self::Evade(evade) => agent.insert(Evade { target, ..evade }),
            Self::MatchVelocity(matching) => agent.insert(MatchVelocity { target, ..matching }),
            Self::Wander(wander) => agent.insert(wander),
            Self::Separation(separation) => agent.insert(separation),
            Self::Alignment(alignment) => agent.insert(alignment),
            Self::Cohesion(cohesion) => agent.insert(cohesion),
            Self::Flock(flock) => agent.insert(flock),
            Self::Contain(contain) => agent.insert(contain),
            Self::AvoidObstacles(avoid) => agent.insert(avoid),
            Self::AvoidWithFeelers(avoid) => agent.insert(avoid),
            Self::AvoidNeighbors(avoid, detour) => agent.insert((avoid, detour)),
            Self::Queue(queue, place) => agent.insert((queue, place)),
            Self::ClassicQueue(queue) => agent.insert(queue),
        };
    }
}

fn region() -> impl Strategy<Value = Region> {
    let triangle = |corners: [Vec2; 3]| Region::from(ConvexPolygon::new_unchecked(corners.to_vec()));
    prop_oneof![
        amount().prop_map(|radius| Circle::new(radius).into()),
        (amount(), amount()).prop_map(|(width, height)| Rectangle::new(width, height).into()),
        [vector(), vector(), vector()].prop_map(triangle),
    ]
}

fn flock_part() -> impl Strategy<Value = FlockPart> {
    let number = proptest::option::of(any_number());
    (proptest::option::of(amount()), any_number(), number).prop_map(|(radius, field_of_view, strength)| FlockPart {
        radius,
        field_of_view,
        strength,
    })
}

fn behavior() -> impl Strategy<Value = Behavior> {
    let (weight, limit) = (any_number, || proptest::option::of(amount()));
    let target = Target::Point(Vec2::ZERO);
    prop_oneof![
        weight().prop_map(move |weight| Behavior::Seek(Seek { target, weight })),
        weight().prop_map(move |weight| Behavior::MatchVelocity(MatchVelocity { target, weight })),
        (weight(), limit())
            .prop_map(move |(weight, panic_distance)| { Behavior::Flee(Flee { target, panic_distance, weight }) }),
        (weight(), limit(), amount()).prop_map(move |(weight, radius, arrival_tolerance)| {
            let slowing_radius = radius.map_or(SlowingRadius::Auto, SlowingRadius::Linear);
            Behavior::Arrive(Arrive { target, slowing_radius, arrival_tolerance, weight })
        }),
        (weight(), prediction(), limit()).prop_map(move |(weight, prediction, max_prediction)| {
            Behavior::Pursue(Pursue { target, prediction, max_prediction, weight })
        }),
        (weight(), prediction(), limit(), limit()).prop_map(
            move |(weight, prediction, max_prediction, panic_distance)| {
                Behavior::Evade(Evade { target, prediction, max_prediction, panic_distance, weight })
            }
        ),
        (weight(), limit(), limit(), amount(), proptest::option::of(any_number()), any::<bool>()).prop_map(
            |(weight, distance, radius, angle_change, initial_angle, seek)| {
                let drive = if seek { WanderDrive::Seek } else { WanderDrive::Displacement };
                Behavior::Wander(Wander { distance, radius, angle_change, initial_angle, drive, weight })
            }
        ),
        (weight(), limit(), limit(), any_number(), groups(), 0..4_u32).prop_map(
            |(weight, radius, max_separation, field_of_view, groups, max_neighbors)| {
                let separation = Separation { radius, max_separation, field_of_view, groups, max_neighbors, weight };
                Behavior::Separation(separation)
            }
        ),
        (weight(), limit(), any_number(), groups(), 0..4_u32, any::<bool>()).prop_map(
            |(weight, radius, field_of_view, groups, max_neighbors, align)| {
                if align {
                    Behavior::Alignment(Alignment { radius, field_of_view, groups, max_neighbors, weight })
                } else {
                    Behavior::Cohesion(Cohesion { radius, field_of_view, groups, max_neighbors, weight })
                }
            }
        ),
        (flock_part(), flock_part(), flock_part(), groups(), 0..4_u32, weight()).prop_map(
            |(separation, alignment, cohesion, groups, max_neighbors, weight)| {
                Behavior::Flock(Flock { separation, alignment, cohesion, groups, max_neighbors, weight })
            }
        ),
        (weight(), region(), vector(), any_number(), limit()).prop_map(
            |(weight, region, center, rotation, look_ahead)| {
                let contain = Contain::new(region).with_center(center).with_rotation(rotation).with_weight(weight);
                Behavior::Contain(Contain { look_ahead, ..contain })
            }
        ),
        (weight(), limit(), limit(), any::<bool>(), any::<bool>(), groups()).prop_map(
            |(weight, look_ahead, max_avoid_force, points, radial, layers)| {
                if points {
                    let push = if radial { FeelerPush::Radial } else { FeelerPush::Lateral };
                    let avoid = AvoidWithFeelers { look_ahead, max_avoid_force, push, layers, weight };
                    Behavior::AvoidWithFeelers(avoid)
                } else {
                    let limits = AvoidObstacles { look_ahead, max_avoid_force, ..default() };
                    Behavior::AvoidObstacles(AvoidObstacles { layers, leave_dead_ends: radial, weight, ..limits })
                }
            }
        ),
        (weight(), limit(), groups(), any_number()).prop_map(|(weight, time_horizon, groups, detour)| {
            Behavior::AvoidNeighbors(AvoidNeighbors { time_horizon, groups, weight }, state_with(".0", detour))
        }),
        (weight(), limit(), limit(), 0..5_usize, amount(), 0.0_f32..=1.0, limit(), (amount(), groups()), any_number())
            .prop_map(
                |(weight, look_ahead, radius, style, brake, hard_stop, separation, (time_gap, groups), place)| {
                    let classic = [
                        ClassicQueueStyle::HardStop,
                        ClassicQueueStyle::Brake,
                        ClassicQueueStyle::BrakeAndHardStop,
                        ClassicQueueStyle::BrakeAndSeparate,
                    ];
                    let Some(style) = style.checked_sub(1).map(|style| classic[style]) else {
                        return Behavior::Queue(
                            Queue { time_gap, headway: brake, groups, weight },
                            state_with("place", place),
                        );
                    };
                    let separation = Separation { radius: separation, ..default() };
                    Behavior::ClassicQueue(ClassicQueue {
                        style,
                        look_ahead,
                        radius,
                        brake,
                        kept_velocity: hard_stop,
                        separation,
                        weight,
                    })
                }
            ),
    ]
}

/// An agent with its behaviors, each with a target to use instead of another agent.
#[derive(Clone, Debug)]
struct Spec {
    body: SteeringAgent,
    position: Vec2,
    velocity: Vec2,
    turn_rate: Option<f32>,
    groups: GroupMask,
    /// The layers that are solid to it.
    solid: Option<GroupMask>,
    group_weights: Option<GroupWeights>,
    /// Whether something else moves it, and nobody does.
    moved_elsewhere: bool,
    limits: Option<BodyLimits>,
    impulse: Option<Knockback>,
    behaviors: Vec<(Behavior, Option<Target>)>,
}

fn limits() -> impl Strategy<Value = BodyLimits> {
    let limit = || proptest::option::of(any_number());
    (limit(), limit(), limit(), limit(), any_number(), vector()).prop_map(
        |(turn_rate, radius, acceleration, braking, reverse_speed, heading)| {
            let mut limits = BodyLimits::default().with_reverse_speed(reverse_speed).with_heading(heading);
            limits.max_turn_rate = turn_rate;
            limits.min_turning_radius = radius;
            limits.max_acceleration = acceleration;
            limits.max_braking = braking;
            limits
        },
    )
}

fn impulse() -> impl Strategy<Value = Knockback> {
    (vector(), any_number()).prop_map(|(velocity, seconds)| Knockback::new(velocity).with_time_constant(seconds))
}

fn spec() -> impl Strategy<Value = Spec> {
    let target = prop_oneof![vector().prop_map(Target::Point), groups().prop_map(Target::Group)];
    let behaviors = proptest::collection::vec((behavior(), proptest::option::of(target)), 0..6);
    let group_weights = proptest::collection::vec((groups(), any_number()), 0..3).prop_map(GroupWeights::new);
    let kind = (groups(), proptest::option::of(groups()), proptest::option::of(group_weights), 0..8);
    let more = (kind, proptest::option::of(limits()), proptest::option::of(impulse()));
    (body(), vector(), vector(), proptest::option::of(any_number()), more, behaviors).prop_map(
        |(body, position, velocity, turn_rate, ((groups, solid, group_weights, mover), limits, impulse), behaviors)| {
            Spec {
                body,
                position,
                velocity,
                turn_rate,
                groups,
                solid,
                limits,
                impulse,
                group_weights,
                moved_elsewhere: mover == 0,
                behaviors,
            }
        },
    )
}

/// An obstacle of any shape: its place, and how it moves.
fn obstacle() -> impl Strategy<Value = (Obstacle, Transform, Velocity)> {
    let polygon = |corners: [Vec2; 3]| ObstacleShape::from(ConvexPolygon::new_unchecked(corners.to_vec()));
    let shape = prop_oneof![
        amount().prop_map(|radius| Circle::new(radius).into()),
        (amount(), amount()).prop_map(|(width, height)| Rectangle::new(width, height).into()),
        (amount(), amount()).prop_map(|(radius, length)| Capsule2d::new(radius, length).into()),
        (vector(), vector()).prop_map(|(start, end)| Segment2d::new(start, end).into()),
        [vector(), vector(), vector()].prop_map(polygon),
        [vector(), vector(), vector()].prop_map(|points| Polyline2d::new(points).into()),
    ];
    (shape, groups(), vector(), -4.0_f32..4.0, vector()).prop_map(|(shape, layers, place, angle, velocity)| {
        let transform = Transform::from_translation(place.extend(0.0)).with_rotation(Quat::from_rotation_z(angle));
        (Obstacle { layers, ..Obstacle::new(shape) }, transform, Velocity(velocity))
    })
}

fn bounds() -> impl Strategy<Value = SteeringBounds> {
    (vector(), amount(), amount(), 0..3).prop_map(|(min, width, height, edge)| SteeringBounds {
        min,
        max: min + Vec2::new(width, height),
        edge: [Edge::None, Edge::Wrap, Edge::Bounce][edge as usize],
    })
}

/// What else there is in a world.
#[derive(Clone, Debug)]
struct World {
    obstacles: Vec<(Obstacle, Transform, Velocity)>,
    bounds: SteeringBounds,
    rate: f64,
    many_threads: bool,
}

fn world() -> impl Strategy<Value = World> {
    let obstacles = proptest::collection::vec(obstacle(), 0..6);
    (obstacles, bounds(), 1.0_f64..500.0, any::<bool>()).prop_map(|(obstacles, bounds, rate, many_threads)| World {
        obstacles,
        bounds,
        rate,
        many_threads,
    })
}

impl World {
    fn app(&self, specs: &[Spec]) -> (App, Vec<Entity>) {
        let mut app = app_at(self.rate);
        app.insert_resource(self.bounds);
        app.insert_resource(if self.many_threads { SteeringThreads::Many } else { SteeringThreads::Single });
        let spawn = |spec: &Spec| {
            let facing = FaceVelocity { turn_rate: spec.turn_rate };
            let transform = Transform::from_translation(spec.position.extend(0.0));
            let rest = (SteeringGroups(spec.groups), SteeringEvents::default());
            app.world_mut().spawn((spec.body, Velocity(spec.velocity), facing, transform, rest)).id()
        };
        let agents: Vec<Entity> = specs.iter().map(spawn).collect();
        for (index, spec) in specs.iter().enumerate() {
            let mut agent = app.world_mut().entity_mut(agents[index]);
            if let Some(layers) = spec.solid {
                agent.insert(Solid { layers });
            }
            if let Some(weights) = &spec.group_weights {
                agent.insert(weights.clone());
            }
            if spec.moved_elsewhere {
                agent.insert(ExternalMovement);
            }
            if let Some(limits) = &spec.limits {
                agent.insert(limits.clone());
            }
            if let Some(impulse) = spec.impulse {
                agent.insert(impulse);
            }
            for (k, (behavior, target)) in spec.behaviors.iter().enumerate() {
                let other = agents[(index + k) % agents.len()];
                behavior.clone().insert(&mut app.world_mut().entity_mut(agents[index]), target.unwrap_or(other.into()));
            }
        }
        for obstacle in &self.obstacles {
            app.world_mut().spawn(obstacle.clone());
        }
        (app, agents)
    }
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn any_mix_of_behaviors_stays_finite_and_within_max_speed_and_max_force(
        specs in proptest::collection::vec(spec(), 1..8),
        world in world(),
    ) {
        let (mut app, agents) = world.app(&specs);
        for _ in 0..20 {
            app.update();
            for (spec, &agent) in specs.iter().zip(&agents) {
                let (position, velocity, force) = (position(&app, agent), velocity(&app, agent), force(&app, agent));
                let rotation = app.world().get::<Transform>(agent).expect("it has a place").rotation;
                prop_assert!(position.is_finite() && rotation.is_finite(), "{position} {rotation}");
                if spec.moved_elsewhere {
                    prop_assert_eq!((position, velocity), (spec.position, spec.velocity));
                } else {
                    prop_assert!(within(velocity, spec.body.max_speed), "{velocity} of {:?}", spec.body);
                }
                prop_assert!(within(force, spec.body.max_force), "{force} of {:?}", spec.body);
            }
        }
    }
}

/// How contributions combine, if an agent says so.
fn arbitration() -> impl Strategy<Value = Option<Arbitration>> {
    let mode = prop_oneof![
        Just(ArbitrationMode::WeightedSum),
        Just(ArbitrationMode::PrioritizedSum),
        any_number().prop_map(|threshold| ArbitrationMode::PriorityGroups { threshold }),
        Just(ArbitrationMode::Dithering),
    ];
    let rules = (any::<i32>(), -20..60_i32, -0.5..1.5_f32, -0.5..1.5_f32);
    proptest::option::weighted(
        0.8,
        (mode, rules).prop_map(|(mode, (separation, seek, wander, flee))| {
            Arbitration::new(mode)
                .with_priority::<Separation>(separation)
                .with_priority::<Seek>(seek)
                .with_probability::<Wander>(wander)
                .with_probability::<Flee>(flee)
        }),
    )
}

/// Adds to the forces of all agents, in the middle of a tick.
fn push(mut forces: Query<(&mut SteeringForce, &SteeringAgent)>, bounds: Res<SteeringBounds>) {
    for (mut force, agent) in &mut forces {
        force.0 += bounds.min * (agent.max_force * 1e-3);
    }
}

proptest! {
    #![proptest_config(config(250))]

    #[test]
    fn a_trace_sums_up_to_the_force_in_every_mode_and_changes_nothing(
        specs in proptest::collection::vec((spec(), arbitration()), 1..8),
        world in world(),
        pushed in any::<bool>(),
    ) {
        let (specs, arbitrations): (Vec<Spec>, Vec<_>) = specs.into_iter().unzip();
        let app_with = |traced: bool| {
            let (mut app, agents) = world.app(&specs);
            if pushed {
                app.add_systems(SteeringSchedule, push.after(SteeringSystems::Sense).before(SteeringSystems::Steer));
            }
            for (&agent, arbitration) in agents.iter().zip(&arbitrations) {
                let mut agent = app.world_mut().entity_mut(agent);
                // As without: only traced agents are steered one by one for it.
                let arbitration = arbitration.as_ref().filter(|a| traced || a.mode != ArbitrationMode::WeightedSum);
                if let Some(arbitration) = arbitration {
                    agent.insert(arbitration.clone());
                }
                if traced {
                    agent.insert(SteeringTrace::default());
                }
            }
            (app, agents)
        };
        let ((mut app, agents), (mut untraced, others)) = (app_with(true), app_with(false));
        for _ in 0..20 {
            app.update();
            untraced.update();
            for ((spec, &agent), &other) in specs.iter().zip(&agents).zip(&others) {
                let bits = |app: &App, agent| {
                    [position(app, agent), velocity(app, agent), force(app, agent)].map(|v| v.to_array().map(f32::to_bits))
                };
                prop_assert_eq!(bits(&app, agent), bits(&untraced, other));
                let trace = app.world().get::<SteeringTrace>(agent).expect("it is traced");
                // But for the sign of a zero.
                prop_assert_eq!(trace.force(), force(&app, agent), "{:?}", trace);
                prop_assert!(within(trace.force(), spec.body.max_force));
                for contribution in &trace.contributions {
                    let Contribution { raw, weighted, applied, .. } = contribution;
                    prop_assert!(raw.is_finite() && weighted.is_finite() && applied.is_finite(), "{contribution:?}");
                }
            }
        }
    }
}

/// Whether a vector is no longer than a limit, but for the last digit. Without squares, which may overflow.
fn within(vector: Vec2, limit: f32) -> bool {
    let (x, y) = (f64::from(vector.x), f64::from(vector.y));
    x.hypot(y) <= f64::from(limit) * 1.000_001
}
