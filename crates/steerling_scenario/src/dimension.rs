//! The dimension, which is decided here: `steerling_scenario_3d` compiles the same source with `cfg(dim3)`. `file::planar` and
//! `behaviors` list what is only in files in two dimensions.

#[cfg(not(dim3))]
pub(crate) use plane::{
    AXES, DVector, direction, is_usual, plane_of, point, position, precise, rotated, set_position, single,
};
#[cfg(dim3)]
pub(crate) use space::{
    AXES, DVector, Plane, direction, is_usual, plane_of, point, position, precise, rotated, set_position, single,
};

/// The number of dimensions of the scenes that this crate reads.
pub const DIMENSIONS: usize = AXES.len();

#[cfg(not(dim3))]
mod plane {
    use std::f32::consts::TAU;

    use bevy::math::{DVec2, Quat, Vec2, Vec3, ops};
    use bevy::prelude::{Transform, World};
    use bevy_steerling::behavior_prelude::SteeringRng;
    use bevy_steerling::prelude::SteeringPlane;

    /// The names of the axes.
    pub(crate) const AXES: [&str; 2] = ["x", "y"];

    /// A vector in double precision.
    pub(crate) type DVector = DVec2;

    /// The vector in double precision.
    pub(crate) fn precise(vector: Vec2) -> DVec2 {
        vector.as_dvec2()
    }

    /// The vector in single precision.
    pub(crate) fn single(vector: DVec2) -> Vec2 {
        vector.as_vec2()
    }

    pub(crate) fn position(transform: &Transform) -> Vec2 {
        transform.translation.truncate()
    }

    pub(crate) fn set_position(transform: &mut Transform, position: Vec2) {
        transform.translation = position.extend(transform.translation.z);
    }

    /// The plane of the scene.
    pub(crate) type Plane = SteeringPlane;

    /// The plane of the scene in a world.
    pub(crate) fn plane_of(world: &World) -> Plane {
        world.get_resource().copied().unwrap_or_default()
    }

    /// Whether the coordinates in the plane are those of the world.
    pub(crate) fn is_usual(plane: Plane) -> bool {
        plane == Plane::XY
    }

    /// A place in the world, as a point of the scene.
    pub(crate) fn point(place: Vec3, plane: Plane) -> Vec2 {
        plane.to_plane(place)
    }

    /// A displacement after a rotation.
    pub(crate) fn rotated(displacement: Vec2, rotation: Quat) -> Vec2 {
        (rotation * displacement.extend(0.0)).truncate()
    }

    /// A random unit vector.
    pub(crate) fn direction(random: &mut SteeringRng) -> Vec2 {
        let (sin, cos) = ops::sin_cos(random.uniform() * TAU);
        Vec2::new(cos, sin)
    }
}

#[cfg(dim3)]
mod space {
    use std::f32::consts::TAU;

    use bevy::math::{DVec3, Quat, Vec3, ops};
    use bevy::prelude::{Transform, World};
    use bevy_steerling::behavior_prelude::SteeringRng;

    pub(crate) const AXES: [&str; 3] = ["x", "y", "z"];

    pub(crate) type DVector = DVec3;

    pub(crate) fn precise(vector: Vec3) -> DVec3 {
        vector.as_dvec3()
    }

    pub(crate) fn single(vector: DVec3) -> Vec3 {
        vector.as_vec3()
    }

    pub(crate) fn position(transform: &Transform) -> Vec3 {
        transform.translation
    }

    pub(crate) fn set_position(transform: &mut Transform, position: Vec3) {
        transform.translation = position;
    }

    /// The whole space: there is only one.
    #[derive(Clone, Copy)]
    pub(crate) struct Plane;

    pub(crate) fn plane_of(_: &World) -> Plane {
        Plane
    }

    pub(crate) fn is_usual(_: Plane) -> bool {
        true
    }

    pub(crate) fn point(place: Vec3, _: Plane) -> Vec3 {
        place
    }

    pub(crate) fn rotated(displacement: Vec3, rotation: Quat) -> Vec3 {
        rotation * displacement
    }

    /// Uniform on the sphere: Archimedes' hat-box theorem.
    pub(crate) fn direction(random: &mut SteeringRng) -> Vec3 {
        let (sin, cos) = ops::sin_cos(random.uniform() * TAU);
        let height = 2.0 * random.uniform() - 1.0;
        let width = ops::sqrt(1.0 - height * height);
        Vec3::new(width * cos, width * sin, height)
    }
}

/// All combinations of one choice on each axis.
pub(crate) fn combinations<T: Copy, L: AsRef<[T]>>(choices: [L; DIMENSIONS]) -> impl Iterator<Item = [T; DIMENSIONS]> {
    let count = choices.iter().map(|choices| choices.as_ref().len()).product();
    (0..count).map(move |number: usize| {
        let mut rest = number;
        choices.each_ref().map(|choices| {
            let choices = choices.as_ref();
            let choice = choices[rest % choices.len()];
            rest /= choices.len();
            choice
        })
    })
}
