//! A custom behavior: `Orbit` circles around a target. The plugin runs it like the built-in ones, and combines it with them.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_steerling::behavior_prelude::*;
use bevy_steerling::prelude::*;
use stage::{Body, CROWD, Cursor, OBSTACLE, Scene, SceneApp};

const CROWD_SIZE: usize = 60;

/// Circles counterclockwise around a target.
#[derive(Component)]
#[require(SteeringAgent)]
struct Orbit {
    target: Target,
    radius: f32,
}

impl SteeringBehavior for Orbit {
    /// What the behavior reads from the world: the position of its target.
    type Param = Targets<'static, 'static>;

    fn steer(&mut self, agent: &Agent, targets: &SystemParamItem<Self::Param>) -> Vec2 {
        let Some(target) = targets.find(self.target) else { return Vec2::ZERO };
        let to_target = agent.to(target.position);
        let inward = to_target.normalize_or_zero();
        // Around the target, and inward or outward depending on the distance.
        let correction = (to_target.length() / self.radius - 1.0).clamp(-1.0, 1.0);
        let desired_velocity = (-inward.perp() + inward * 2.0 * correction).normalize_or_zero() * agent.max_speed;
        agent.force_toward(desired_velocity)
    }
}

pub(crate) const SCENE: Scene = Scene {
    name: "custom_behavior",
    about: "A custom behavior: an orbit.",
    help: "Orbit, a custom behavior, together with Separation: all agents circle around the mouse.",
    keys: &[],
    build,
};

fn main() -> AppExit {
    SCENE.run()
}

fn build(scene: &mut SceneApp) {
    scene.app().add_steering_behavior::<Orbit>();
    scene.on_start(setup);
}

fn setup(mut commands: Commands) {
    let sun = commands.spawn((Cursor, stage::dot(14.0, OBSTACLE), Transform::default())).id();

    for k in 0..CROWD_SIZE {
        let ring = (k % 3) as f32;
        let place = Vec2::from_angle(k as f32 * TAU / CROWD_SIZE as f32) * 300.0;
        commands.spawn((
            Orbit { target: sun.into(), radius: 110.0 + 80.0 * ring },
            Separation::default().with_radius(26.0),
            SteeringAgent { max_speed: 170.0, max_force: 500.0, radius: 7.0, ..default() },
            Body(CROWD),
            Transform::from_translation(place.extend(0.0)),
        ));
    }
}
