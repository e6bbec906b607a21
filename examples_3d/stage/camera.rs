//! A camera that circles the scene.

use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::input::mouse::{AccumulatedMouseMotion, AccumulatedMouseScroll};
use bevy::math::ops;
use bevy::prelude::*;

/// The camera, which circles around a point. It turns by itself; the left mouse button turns it too, and the wheel moves it nearer.
#[derive(Component, Clone, Copy)]
pub struct Orbit {
    /// The point that it looks at.
    pub center: Vec3,
    /// Its distance from the point, units.
    pub distance: f32,
    /// Its direction from the point, radians from the z axis toward the x axis.
    pub angle: f32,
    /// Its height above the horizon as seen from the point, radians.
    pub elevation: f32,
    /// The speed at which it turns by itself, radians/s.
    pub speed: f32,
}

impl Orbit {
    /// The components of the camera.
    pub fn camera(self) -> impl Bundle {
        // The default one needs textures of its own.
        (self, Camera3d::default(), Tonemapping::Reinhard, self.transform())
    }

    fn transform(self) -> Transform {
        let direction = Quat::from_euler(EulerRot::YXZ, self.angle, -self.elevation, 0.0) * Vec3::Z;
        Transform::from_translation(self.center + direction * self.distance).looking_at(self.center, Vec3::Y)
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, turn);
}

fn turn(
    camera: Single<(&mut Orbit, &mut Transform)>,
    time: Res<Time>,
    buttons: Res<ButtonInput<MouseButton>>,
    motion: Res<AccumulatedMouseMotion>,
    scroll: Res<AccumulatedMouseScroll>,
) {
    let (mut orbit, mut transform) = camera.into_inner();
    if buttons.pressed(MouseButton::Left) {
        orbit.angle -= 0.005 * motion.delta.x;
        orbit.elevation = (orbit.elevation + 0.005 * motion.delta.y).clamp(0.05, 1.5);
    } else {
        orbit.angle += orbit.speed * time.delta_secs();
    }
    orbit.distance *= ops::exp(-0.1 * scroll.delta.y);
    *transform = orbit.transform();
}
