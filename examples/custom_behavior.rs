//! A custom behavior: `Orbit` circles around a target. The plugin runs, arbitrates, traces and draws it like the built-in ones, and
//! triggers its events.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_steerling::behavior_prelude::*;
use bevy_steerling::prelude::*;
use stage::{Body, Cursor, DESIRED_VELOCITY, FORCE, OBSTACLE, PURSUER, QUARRY, Scene, SceneApp, TEXT, Trail};

const DRONES: usize = 36;
const PANIC_DISTANCE: f32 = 90.0;
/// How far ahead on its orbit an agent aims, as a share of the radius.
const LEAD: f32 = 0.5;
/// The places of the beacon, in turn, and how long it shines, seconds.
const BEACONS: [Vec2; 2] = [Vec2::new(-290.0, -20.0), Vec2::new(290.0, -60.0)];
const SHINE: f32 = 6.0;

/// Circles counterclockwise around a target.
#[derive(Component)]
#[require(SteeringAgent)]
struct Orbit {
    target: Target,
    radius: f32,
}

impl Orbit {
    /// The displacements from an agent to its target, and to a point ahead of it on the orbit.
    fn way(&self, agent: &Agent, targets: &Targets) -> Option<(Vec2, Vec2)> {
        let to_target = agent.to(targets.find_for(agent, self.target)?.position);
        let outward = -to_target.normalize_or(Vec2::X);
        Some((to_target, to_target + (outward + outward.perp() * LEAD) * self.radius))
    }
}

impl SteeringBehavior for Orbit {
    /// It remembers nothing from tick to tick.
    type State = Stateless;
    /// It reads where targets are.
    type Param = Targets<'static, 'static>;

    /// It wishes for a place, not for a velocity, so that bodies with limits get onto the orbit as well.
    fn wish(&self, _: &mut Stateless, agent: &Agent, targets: &SystemParamItem<Self::Param>) -> Wish {
        self.way(agent, targets).map(|(_, ahead)| Wish::seek(ahead)).into()
    }

    /// Triggers `TargetLost`, and `Arrived` when the agent passes within its arrival distance.
    fn aims(&self) -> [Option<Aim>; 2] {
        [Some(Aim::at(self.target).with_arrival(Arrival::Passing)), None]
    }

    /// Draws the orbit, and the point ahead.
    fn draw(&self, _: &Stateless, agent: &Agent, targets: &SystemParamItem<Self::Param>, figure: &mut Figure) {
        if let Some((to_target, ahead)) = self.way(agent, targets) {
            figure.circle(agent.position + to_target, self.radius);
            figure.line(agent.position, agent.position + ahead);
            figure.point(agent.position + ahead);
        }
    }
}

pub(crate) const SCENE: Scene = Scene {
    name: "custom_behavior",
    about: "A custom behavior, Orbit, with events, priorities and a trace.",
    help: "Drones and a truck orbit a beacon until it goes out. They turn gray on TargetLost and blue on Arrived.\n\
        All flee from the mouse. Only for the truck is Orbit more urgent than Flee: its trace shows the outcome of both.",
    keys: &[],
    build,
};

fn main() -> AppExit {
    SCENE.run()
}

fn build(scene: &mut SceneApp) {
    scene.app().add_steering_behavior::<Orbit>();
    scene.on_start(setup).add_systems(FixedUpdate, burn_out.before(RunSteeringSystems)).add_systems(Update, show_trace);
}

/// A beacon: which of the [`BEACONS`] it is, and how long it still shines, seconds.
#[derive(Component)]
struct Beacon(usize, f32);

fn spawn_beacon(commands: &mut Commands, number: usize) -> Entity {
    let place = Transform::from_translation(BEACONS[number % BEACONS.len()].extend(-1.0));
    commands.spawn((Beacon(number, SHINE), stage::dot(16.0, FORCE), place)).id()
}

fn setup(mut commands: Commands) {
    let mouse = (Cursor, stage::dot(7.0, PURSUER), Transform::from_xyz(-60.0, -70.0, 1.0));
    let mouse = commands.spawn((mouse, children![stage::ring(PANIC_DISTANCE, OBSTACLE)])).id();
    let beacon = spawn_beacon(&mut commands, 0);
    let orbiter = |radius: f32, angle: f32| {
        let place = BEACONS[0] + Vec2::from_angle(angle) * 1.5 * radius;
        (
            Orbit { target: beacon.into(), radius },
            Flee::new(mouse).with_panic_distance(PANIC_DISTANCE),
            SteeringEvents::default().with_arrival_distance(1.1 * radius),
            Body(DESIRED_VELOCITY),
            Transform::from_translation(place.extend(0.0)),
        )
    };
    let arbitration = Arbitration::new(ArbitrationMode::PrioritizedSum);

    for k in 0..DRONES {
        let orbiter = orbiter([90.0, 130.0, 210.0][k % 3], k as f32 * TAU / DRONES as f32);
        let body = SteeringAgent { max_speed: 170.0, max_force: 500.0, radius: 7.0, ..default() };
        let drone = (orbiter, body, arbitration.clone(), Separation::default());
        commands.spawn(drone).observe(look_for_another).observe(take_up_orbit);
    }
    let truck = (
        orbiter(170.0, 0.0),
        SteeringAgent { max_speed: 140.0, max_force: 300.0, radius: 14.0, ..default() },
        BodyLimits::default().with_min_turning_radius(60.0),
        arbitration.with_priority::<Orbit>(40),
        SteeringTrace::default(),
        Trail,
    );
    commands.spawn(truck).observe(look_for_another).observe(take_up_orbit);
    commands.spawn((TraceLabel, stage::label("", TEXT), Transform::default()));
}

/// Replaces a beacon that goes out.
fn burn_out(mut commands: Commands, beacon: Single<(Entity, &mut Beacon)>, time: Res<Time>) {
    let (entity, mut beacon) = beacon.into_inner();
    beacon.1 -= time.delta_secs();
    if beacon.1 < 0.0 {
        commands.entity(entity).despawn();
        spawn_beacon(&mut commands, beacon.0 + 1);
    }
}

fn look_for_another(
    lost: On<TargetLost>,
    mut agents: Query<(&mut Orbit, &mut Body)>,
    beacon: Single<Entity, With<Beacon>>,
) {
    if let Ok((mut orbit, mut body)) = agents.get_mut(lost.entity) {
        orbit.target = (*beacon).into();
        body.0 = DESIRED_VELOCITY;
    }
}

fn take_up_orbit(arrived: On<Arrived>, mut bodies: Query<&mut Body>) {
    if let Ok(mut body) = bodies.get_mut(arrived.entity) {
        body.0 = QUARRY;
    }
}

/// The label of the truck.
#[derive(Component)]
struct TraceLabel;

fn show_trace(
    truck: Single<(&SteeringTrace, &Transform), (With<BodyLimits>, Without<TraceLabel>)>,
    label: Single<(&mut Text2d, &mut Transform), With<TraceLabel>>,
) {
    let ((trace, truck), (mut text, mut place)) = (*truck, label.into_inner());
    let outcomes = [trace.of::<Orbit>(), trace.of::<Flee>()].into_iter().flatten();
    text.0 = outcomes.map(|part| format!("{}: {:?}\n", part.behavior, part.outcome)).collect();
    place.translation = truck.translation + Vec3::new(0.0, 48.0, 2.0);
}
