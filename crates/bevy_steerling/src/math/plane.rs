//! The plane in which agents move.

use bevy::math::{Dir3, Mat3, Quat, Vec3, ops};
use bevy::prelude::*;

use crate::math::vector::{Vector, normalize};

/// The plane of the world in which agents move. Default: [`XY`](Self::XY), as in a 2D game.
///
/// Steering is two-dimensional: velocities, forces, targets, paths and bounds are `Vec2`s in the plane. Positions are read from and written
/// to the `Transform` of each agent. The height above the plane belongs to the game, for terrain, stairs or jumps. Steering reads it only
/// to distinguish [floors](#floors), and does not change it, except for rounding errors in tilted planes. All agents have the same plane.
/// If the plane changes, entities keep their positions in the world. Velocities, headings, targets and paths keep their coordinates in the
/// plane.
///
/// # Floors
///
/// By default, height does not matter: an agent on a bridge avoids agents that walk below it. With a
/// [floor height](Self::with_floor_height), agents, obstacles and targets on other floors are out of sight.
///
/// # Obstacles
///
/// The shapes of obstacles lie in the plane too. The x axis of a shape is the local x axis of its entity, projected onto the plane. Its y
/// axis is perpendicular to that, counterclockwise.
///
/// # Example
///
/// A guard on the ground of a 3D world walks to a place:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, SteeringPlugin::default()));
/// app.insert_resource(SteeringPlane::XZ);
/// # fn setup(mut commands: Commands, plane: Res<SteeringPlane>) {
/// let place = Vec3::new(4.0, 0.0, -10.0);
/// commands.spawn((Arrive::new(plane.to_plane(place)), FaceVelocity::default(), Transform::from_xyz(0.0, 0.9, 0.0)));
/// # }
/// # app.add_systems(Startup, setup).update();
/// ```
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Resource, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct SteeringPlane {
    axes: Axes,
    front: Front,
    floor_height: Option<f32>,
}

/// The axes of the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
enum Axes {
    #[default]
    XY,
    XZ,
    /// The axes of the world, rotated.
    Rotated(Quat),
}

/// The local axis of an agent that points ahead: [`FaceVelocity`](crate::motion::facing::FaceVelocity) and
/// [`Face`](crate::behaviors::face::Face) turn it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub enum Front {
    /// The local x axis, as of a sprite. The local z axis points up from the plane.
    #[default]
    X,
    /// The local -z axis, as of a 3D model: Bevy's `forward`. The local y axis points up from the plane.
    NegZ,
}

/// Axes whose angle has a smaller sine count as parallel.
const PARALLEL: f32 = 1e-5;

impl SteeringPlane {
    /// The x and y axes of the world. Its [`Front`] is [`X`](Front::X).
    pub const XY: Self = Self { axes: Axes::XY, front: Front::X, floor_height: None };

    /// The ground of a 3D world, as seen on a map: the x axis of the world, and its -z axis as y. The height is the y of the world. Its
    /// [`Front`] is [`NegZ`](Front::NegZ).
    pub const XZ: Self = Self { axes: Axes::XZ, front: Front::NegZ, floor_height: None };

    /// The plane through the origin with these axes. Its [`Front`] is [`NegZ`](Front::NegZ).
    ///
    /// The plane contains both axes. If they are not perpendicular, the y axis is rotated within the plane until they are. If they are
    /// parallel, the y axis is any perpendicular direction.
    pub fn new(x_axis: Dir3, y_axis: Dir3) -> Self {
        let (x, y) = (Vec3::from(x_axis), Vec3::from(y_axis));
        let across = y.reject_from_normalized(x);
        let y = if across.length_squared() > PARALLEL * PARALLEL {
            // Applied twice, because rounding leaves a component along x.
            across.normalize().reject_from_normalized(x).normalize()
        } else {
            x.any_orthonormal_vector()
        };
        Self {
            axes: Axes::Rotated(Quat::from_mat3(&Mat3::from_cols(x, y, x.cross(y))).normalize()),
            front: Front::NegZ,
            floor_height: None,
        }
    }

    /// The plane for which loops over agents are compiled separately.
    pub(crate) const USUAL: Self = Self::XY;

    /// Sets the local axis of agents that points ahead.
    #[must_use]
    pub const fn with_front(self, front: Front) -> Self {
        Self { front, ..self }
    }

    /// Separates the floors of the world, such as a bridge and the ground below it. Agents, obstacles and target entities whose heights
    /// differ by more than `floor_height`, units, do not perceive or touch each other. A negative floor height counts as 0.
    ///
    /// Choose a value between the largest height difference on one floor, such as between the ends of a ramp, and the distance between two
    /// floors. The height of an obstacle is that of its `Transform`. If an obstacle spans several floors, spawn one per floor.
    ///
    /// Points, paths, flow fields, formations and the bounds of the world belong to all floors. For a flow field of one floor, put the
    /// obstacles of that floor in a separate layer.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_steerling::prelude::*;
    /// # let mut app = App::new();
    /// // Bridges are 5 m above the ground.
    /// app.insert_resource(SteeringPlane::XZ.with_floor_height(2.5));
    /// ```
    #[must_use]
    pub const fn with_floor_height(self, floor_height: f32) -> Self {
        Self { floor_height: Some(floor_height), ..self }
    }

    /// Whether the world has floors.
    #[inline(always)]
    pub(crate) fn has_floors(&self) -> bool {
        self.floor_height.is_some()
    }

    /// Whether two heights belong to one floor. A height of NaN belongs to all floors.
    #[inline(always)]
    pub(crate) fn on_one_floor(&self, height: f32, other: f32) -> bool {
        let difference = (height - other).abs();
        difference <= self.floor_height() || difference.is_nan()
    }

    /// The largest difference of heights on one floor, units.
    #[inline(always)]
    pub(crate) fn floor_height(&self) -> f32 {
        self.floor_height.map_or(f32::INFINITY, |floor_height| floor_height.max(0.0))
    }

    /// The point of the plane below or above a point of the world.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_steerling::prelude::*;
    /// assert_eq!(SteeringPlane::XZ.to_plane(Vec3::new(3.0, 7.0, -5.0)), Vec2::new(3.0, 5.0));
    /// ```
    #[inline(always)]
    pub fn to_plane(&self, point: Vec3) -> Vec2 {
        match self.axes {
            Axes::XY => point.truncate(),
            // This is not `-z`, which would turn zero into negative zero.
            Axes::XZ => Vec2::new(point.x, 0.0 - point.z),
            Axes::Rotated(rotation) => (rotation.inverse() * point).truncate(),
        }
    }

    /// The height of a point of the world above the plane, units.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_steerling::prelude::*;
    /// assert_eq!(SteeringPlane::XZ.height(Vec3::new(3.0, 7.0, -5.0)), 7.0);
    /// ```
    #[inline(always)]
    pub fn height(&self, point: Vec3) -> f32 {
        match self.axes {
            Axes::XY => point.z,
            Axes::XZ => point.y,
            Axes::Rotated(rotation) => (rotation.inverse() * point).z,
        }
    }

    /// The point of the world at this height above a point of the plane.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_steerling::prelude::*;
    /// assert_eq!(SteeringPlane::XZ.to_world(Vec2::new(3.0, 5.0), 7.0), Vec3::new(3.0, 7.0, -5.0));
    /// ```
    #[inline(always)]
    pub fn to_world(&self, point: Vec2, height: f32) -> Vec3 {
        match self.axes {
            Axes::XY => point.extend(height),
            Axes::XZ => Vec3::new(point.x, height, 0.0 - point.y),
            Axes::Rotated(rotation) => rotation * point.extend(height),
        }
    }

    /// The rotation of an agent whose [`Front`] points in a direction of the plane, a unit vector.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_steerling::prelude::*;
    /// let east = Transform::from_rotation(SteeringPlane::XZ.rotation_to(Vec2::X));
    /// assert!(east.forward().distance(Vec3::X) < 1e-6);
    /// ```
    #[inline]
    pub fn rotation_to(&self, direction: Vec2) -> Quat {
        match (self.axes, self.front) {
            (Axes::XY, Front::X) => {
                let (sin, cos) = half_angle(direction);
                Quat::from_xyzw(0.0, 0.0, sin, cos)
            }
            (Axes::XZ, Front::NegZ) => {
                // In an unrotated entity, the front points along the y axis of the plane.
                let (sin, cos) = half_angle(Vec2::new(direction.y, 0.0 - direction.x));
                Quat::from_xyzw(0.0, sin, 0.0, cos)
            }
            _ => {
                let (sin, cos) = half_angle(direction);
                self.rotation() * Quat::from_xyzw(0.0, 0.0, sin, cos) * self.front.rotation()
            }
        }
    }

    /// The direction in which the front of an agent points, a unit vector of the plane; zero if it points straight up or down.
    #[inline]
    pub(crate) fn heading(&self, transform: &Transform) -> Vector {
        normalize(self.to_plane(transform.rotation * self.front.axis()))
    }

    /// The direction of the x axis of a shape, a unit vector of the plane.
    #[inline]
    pub(crate) fn x_axis(&self, transform: &Transform) -> Vector {
        let axis = normalize(self.to_plane(transform.rotation * Vec3::X));
        if axis == Vector::ZERO { Vector::X } else { axis }
    }

    /// Whether both have the same axes, regardless of the front.
    pub(crate) fn has_axes_of(&self, other: &Self) -> bool {
        self.axes == other.axes
    }

    /// The position at an offset from something that faces along `heading`, a unit vector: ahead and to the left, units.
    #[inline]
    pub(crate) fn beside(&self, heading: Vector, offset: Vector) -> Vector {
        heading.rotate(offset)
    }

    /// See [`to_plane`](Self::to_plane).
    #[inline(always)]
    pub(crate) fn point(&self, point: Vec3) -> Vector {
        self.to_plane(point)
    }

    #[inline(always)]
    pub(crate) fn position(&self, transform: &Transform) -> Vector {
        self.to_plane(transform.translation)
    }

    /// Moves `transform` to `position` at the same height.
    #[inline(always)]
    pub(crate) fn set_position(&self, transform: &mut Transform, position: Vector) {
        match self.axes {
            Axes::XY | Axes::XZ => {
                transform.translation = self.to_world(position, self.height(transform.translation));
            }
            // Moved by the displacement, so that rounding errors do not accumulate.
            Axes::Rotated(rotation) => {
                transform.translation += rotation * (position - self.position(transform)).extend(0.0);
            }
        }
    }

    /// The isometry that maps the x and y axes of the world to the plane, at this height.
    #[cfg(feature = "debug")]
    pub(crate) fn isometry(&self, height: f32) -> Isometry3d {
        let height = if height.is_finite() { height } else { 0.0 };
        Isometry3d::new(self.to_world(Vec2::ZERO, height), self.rotation())
    }

    /// The rotation that maps the x and y axes of the world to those of the plane.
    fn rotation(&self) -> Quat {
        match self.axes {
            Axes::XY => Quat::IDENTITY,
            Axes::XZ => Quat::from_xyzw(-core::f32::consts::FRAC_1_SQRT_2, 0.0, 0.0, core::f32::consts::FRAC_1_SQRT_2),
            Axes::Rotated(rotation) => rotation,
        }
    }
}

impl Front {
    fn axis(self) -> Vec3 {
        match self {
            Self::X => Vec3::X,
            Self::NegZ => Vec3::NEG_Z,
        }
    }

    /// The rotation that maps the front to x and the upper side to z.
    fn rotation(self) -> Quat {
        match self {
            Self::X => Quat::IDENTITY,
            Self::NegZ => Quat::from_xyzw(0.5, -0.5, -0.5, 0.5),
        }
    }
}

/// The sine and cosine of half the angle of a unit vector.
#[inline]
fn half_angle(heading: Vector) -> (f32, f32) {
    // Uses square roots and a division instead of trigonometric functions. The root gives the larger of the two, which avoids cancellation.
    let larger = ops::sqrt((1.0 + heading.x.abs()) * 0.5);
    let smaller = heading.y.abs() * 0.5 / larger;
    let (sin, cos) = if heading.x < 0.0 { (larger, smaller) } else { (smaller, larger) };
    (sin.copysign(heading.y), cos)
}
