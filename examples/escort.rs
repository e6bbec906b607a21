//! An escort: wingmen beside a very important person, staff behind it, and guards between it and those who attack.

use bevy::prelude::*;
use bevy::sprite::Anchor;
use bevy_steerling::prelude::*;
use stage::{Body, CROWD, FORCE, OBSTACLE, PURSUER, QUARRY, Scene, SceneApp, TEXT, Trail, VELOCITY};

/// The way of the VIP, a loop.
const WAY: [Vec2; 8] = [
    Vec2::new(-330.0, 150.0),
    Vec2::new(0.0, 190.0),
    Vec2::new(330.0, 130.0),
    Vec2::new(400.0, -60.0),
    Vec2::new(230.0, -200.0),
    Vec2::new(0.0, -60.0),
    Vec2::new(-230.0, -210.0),
    Vec2::new(-420.0, -40.0),
];
const VIP: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 65.0, max_force: 120.0, radius: 11.0, response_time: 0.0 };
const ESCORT: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 130.0, max_force: 400.0, radius: 8.0, response_time: 0.0 };
const GUARD: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 200.0, max_force: 700.0, radius: 9.0, response_time: 0.0 };
const ATTACKER: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 120.0, max_force: 350.0, radius: 9.0, response_time: 0.0 };
/// The places of the wingmen: how far ahead of the VIP, and how far to its left.
const WINGS: [Vec2; 2] = [Vec2::new(12.0, 42.0), Vec2::new(12.0, -42.0)];
const STAFF: usize = 5;
/// The places where attackers start.
const BASES: [Vec2; 3] = [Vec2::new(-560.0, -290.0), Vec2::new(560.0, -270.0), Vec2::new(540.0, 230.0)];
/// The distance within which a guard stops an attacker, and an attacker reaches the VIP, units.
const REACH: f32 = 26.0;
/// The speed at which a guard knocks attackers back, units/s.
const BLOW: f32 = 500.0;
/// The group of the VIP and its escort.
const COMPANY: GroupMask = GroupMask::bit(1);

pub(crate) const SCENE: Scene = Scene {
    name: "escort",
    about: "Wingmen beside a VIP, staff behind it, and guards between it and its attackers.",
    help: "The VIP (orange) follows its path. Wingmen (blue): OffsetPursuit. Staff (violet): FollowLeader.\n\
        Each guard (green) interposes itself between the VIP and an attacker (red), which pursues the VIP.",
    keys: &[],
    build,
};

fn main() -> AppExit {
    SCENE.run()
}

fn build(scene: &mut SceneApp) {
    scene
        .start_with(Score::default())
        .on_start(setup)
        .add_systems(FixedUpdate, (come_back.before(RunSteeringSystems), fight.after(RunSteeringSystems)))
        .add_systems(Update, (draw_threats, show_score));
}

/// The number of attacks that were stopped, and of those that reached the VIP.
#[derive(Resource, Clone, Default)]
struct Score {
    stopped: usize,
    reached: usize,
}

#[derive(Component)]
struct Vip;

/// An attacker, and the base to which it retreats.
#[derive(Component)]
struct Attacker(Vec2);

#[derive(Component)]
struct Scoreboard;

fn setup(mut commands: Commands) {
    let path = SteeringPath::new(WAY);
    let company = SteeringGroups(COMPANY);
    let apart = Separation::default().with_groups(COMPANY);
    let vip = commands
        .spawn((
            Vip,
            FollowPath::new(&path).with_end(PathEnd::Loop).with_radius(50.0),
            VIP,
            company,
            Body(FORCE),
            at(WAY[0]),
            children![(stage::ring(18.0, FORCE), Transform::default())],
        ))
        .id();
    for (first, second) in WAY.iter().zip(WAY.iter().cycle().skip(1)) {
        let way = second - first;
        let line = Sprite::from_color(OBSTACLE.with_alpha(0.4), Vec2::new(way.length(), 2.0));
        let place = at(first.midpoint(*second)).with_rotation(Quat::from_rotation_z(way.to_angle()));
        commands.spawn((line, place.with_translation(first.midpoint(*second).extend(-3.0))));
    }
    for wing in WINGS {
        let place = at(WAY[0] + wing);
        commands.spawn((OffsetPursuit::new(vip, wing), ESCORT, company, Body(QUARRY), place));
    }
    for k in 0..STAFF {
        let place = at(WAY[0] - Vec2::new(50.0 + 25.0 * k as f32, 15.0));
        commands.spawn((FollowLeader::new(vip), ESCORT, company, Body(CROWD), place));
    }
    for base in BASES {
        let attacker =
            commands.spawn((Attacker(base), Pursue::new(vip), ATTACKER, Body(PURSUER), Trail, at(base))).id();
        let place = at(WAY[0].lerp(base, 0.2));
        commands.spawn((Interpose::new(vip, attacker), apart.clone(), GUARD, company, Body(VELOCITY), place));
        commands.spawn((stage::ring(16.0, OBSTACLE), at(base)));
    }
    let place = Transform::from_xyz(-624.0, -334.0, 0.0);
    commands.spawn((Scoreboard, stage::label("", TEXT), Anchor::CENTER_LEFT, place));
}

fn at(place: Vec2) -> Transform {
    Transform::from_translation(place.extend(0.0))
}

/// Guards knock attackers back, and these retreat to their bases. So do those that reach the VIP.
fn fight(
    mut commands: Commands,
    attackers: Query<(Entity, &Attacker, &Transform), With<Pursue>>,
    guards: Query<&Transform, With<Interpose>>,
    vip: Single<&Transform, With<Vip>>,
    mut score: ResMut<Score>,
) {
    for (entity, attacker, transform) in &attackers {
        let from = |other: &Transform| (transform.translation - other.translation).truncate();
        if let Some(away) = guards.iter().map(from).find(|away| away.length() < REACH) {
            commands.entity(entity).insert(Knockback::new(away.normalize_or_zero() * BLOW));
            score.stopped += 1;
        } else if from(&vip).length() < REACH {
            score.reached += 1;
        } else {
            continue;
        }
        commands.entity(entity).remove::<Pursue>().insert(Arrive::new(attacker.0));
    }
}

/// Attackers that are back at their bases attack again.
fn come_back(
    mut commands: Commands,
    attackers: Query<(Entity, &Attacker, &Transform), Without<Pursue>>,
    vip: Single<Entity, With<Vip>>,
) {
    for (entity, attacker, transform) in &attackers {
        if transform.translation.truncate().distance(attacker.0) < REACH {
            commands.entity(entity).remove::<Arrive>().insert(Pursue::new(*vip));
        }
    }
}

/// Draws a line from the VIP to each attacker.
fn draw_threats(attackers: Query<&Transform, With<Pursue>>, vip: Single<&Transform, With<Vip>>, mut gizmos: Gizmos) {
    for attacker in &attackers {
        gizmos.line_2d(vip.translation.truncate(), attacker.translation.truncate(), PURSUER.with_alpha(0.2));
    }
}

fn show_score(score: Res<Score>, mut board: Single<&mut Text2d, With<Scoreboard>>) {
    board.0 = format!("{} attacks stopped, {} reached the VIP", score.stopped, score.reached);
}
