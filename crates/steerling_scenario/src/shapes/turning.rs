//! Obstacles that turn at a constant rate.

#[cfg(not(dim3))]
pub(crate) use planar::{FileTurnRate, after, speed, turn_rate, turning};
#[cfg(dim3)]
pub(crate) use spatial::{FileTurnRate, after, speed, turn_rate, turning};

#[cfg(not(dim3))]
mod planar {
    use std::f64::consts::TAU;

    use bevy::math::{Quat, Vec2, ops};

    use crate::json::number::Finite;

    /// A turn rate as it is written in files, rad/s counterclockwise.
    pub(crate) type FileTurnRate = Finite;

    /// The turn rate in the plugin's precision.
    pub(crate) fn turn_rate(rate: FileTurnRate) -> f32 {
        rate.into()
    }

    /// The angle by which it turns in a second, rad.
    pub(crate) fn speed(rate: FileTurnRate) -> f64 {
        rate.0.abs()
    }

    /// The velocity of the end of an arm that turns.
    pub(crate) fn turning(rate: FileTurnRate, arm: Vec2) -> Vec2 {
        arm.perp() * turn_rate(rate)
    }

    /// The rotation after a time, and where an arm is then.
    pub(crate) fn after(rate: FileTurnRate, seconds: f64, arm: Vec2) -> (Quat, Vec2) {
        let (sin, cos) = ops::sin_cos((0.5 * rate.0 * seconds % TAU) as f32);
        let turned = Vec2::new(cos * cos - sin * sin, 2.0 * sin * cos);
        (Quat::from_xyzw(0.0, 0.0, sin, cos), turned.rotate(arm))
    }
}

#[cfg(dim3)]
mod spatial {
    use std::f64::consts::TAU;

    use bevy::math::{DVec3, Mat3, Quat, Vec3, ops};

    use crate::json::number::{Point, double, vector};

    /// A turn rate as it is written in files: the axis times rad/s.
    pub(crate) type FileTurnRate = Point;

    pub(crate) fn turn_rate(rate: FileTurnRate) -> Vec3 {
        vector(rate)
    }

    pub(crate) fn speed(rate: FileTurnRate) -> f64 {
        double(rate).length()
    }

    pub(crate) fn turning(rate: FileTurnRate, arm: Vec3) -> Vec3 {
        turn_rate(rate).cross(arm)
    }

    pub(crate) fn after(rate: FileTurnRate, seconds: f64, arm: Vec3) -> (Quat, Vec3) {
        let rate = double(rate);
        let (sin, cos) = ops::sin_cos((0.5 * rate.length() * seconds % TAU) as f32);
        let [x, y, z] = (rate.normalize_or(DVec3::Z).as_vec3() * sin).to_array();
        let rotation = Quat::from_xyzw(x, y, z, cos);
        (rotation, Mat3::from_quat(rotation) * arm)
    }
}
