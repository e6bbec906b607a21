//! The settings of a formation, and what happens when its anchor is despawned.

use alloc::vec::Vec;

use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;

use crate::agent::{GroupMask, SteeringId};
use crate::behaviors::formation::layout::Pattern;
use crate::behaviors::formation::member::{FormationMembers, InFormation};
use crate::behaviors::formation::state::FormationState;
use crate::math::space::SteeringBounds;
use crate::math::{Placement, Vector};

/// Makes an entity the anchor of a formation: agents with [`InFormation`] keep slots around it.
///
#[cfg_attr(doc, doc = figure!("formation"))]
///
#[cfg_attr(not(dim3), doc = "*A wedge gathers behind its leader, and wheels with it.*")]
///
/// The anchor is a leader, or any other entity with a `Transform`, such as an invisible agent that follows a path. An anchor without
/// [`Velocity`](crate::agent::Velocity) counts as standing still.
///
/// # Formula
///
/// The slots turn with the heading of the anchor and, in three dimensions, stay upright. Let `φ` be the remaining angle and `s` the max
/// speed of the slowest member. The farthest slot moves around the anchor at the speed `2φ · s`, but at most `s/2`. A [`Pattern::Line`]
/// faces about instead of turning by more than a right angle.
///
/// Slots are assigned to members so that the sum of squared distances is as small as possible. Up to 64 members the assignment is optimal,
/// above that nearly so. Four times per second, the slots are reassigned if a member is away from its slot by more than an eighth of the
/// spacing. Members then trade slots only if that reduces their sum of squared distances by more than a tenth. A slot that becomes free is
/// filled at once.
///
/// An anchor that is an agent waits for its members. For each member, its speed is at most `(s · (1 − d/4·spacing) − ω · r) · (1 − t/5)`,
/// where
///
/// - `s` is the max speed of the member,
/// - `d` is the distance by which the member is behind its slot,
/// - `ω` is the turn rate of the formation,
/// - `r` is the distance of the slot from the anchor, and
/// - `t` is the time in seconds for which the member has been away from its slot by more than a quarter of the spacing.
///
/// The anchor speeds up with a quarter of its acceleration. Its speed limit is never below a quarter of its own max speed or of the slowest
/// member's, whichever is less. So a member that is stuck does not stop all the others.
///
/// # When to use it
///
/// For troops, squadrons, convoys and teams. For a crowd without slots, use
/// [`FollowLeader`](crate::behaviors::follow_leader::FollowLeader); for one or two companions,
/// [`OffsetPursuit`](crate::behaviors::offset_pursuit::OffsetPursuit).
///
/// # Combines with
///
/// Any behavior of the anchor, such as [`FollowPath`](crate::behaviors::follow_path::FollowPath). If the anchor and the members must not
/// touch, give them [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors).
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// let path = SteeringPath::new([Vec2::ZERO, Vec2::new(400.0, 0.0), Vec2::new(400.0, 300.0)]);
/// let leader = commands.spawn((Formation::new(Pattern::Wedge).with_spacing(30.0), FollowPath::new(&path))).id();
/// for i in 0..10 {
///     commands.spawn((InFormation(leader), AvoidNeighbors::default(), Transform::from_xyz(-20.0 * i as f32, -60.0, 0.0)));
/// }
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(Transform, FormationState)]
#[component(on_remove = pass_on)]
pub struct Formation {
    /// The arrangement of the slots. Default: [`Pattern::Line`].
    pub pattern: Pattern,
    /// The distance between the centers of neighbors, units, ≥ 0. It is at least 2.2 times the radius of the largest member or the anchor.
    /// Default: three times that radius. Negative values count as 0.
    pub spacing: Option<f32>,
    /// The fate of the formation when its anchor is despawned. Default: [`Succession::HandOver`].
    pub succession: Succession,
    /// The layers of the obstacles that members go around on the anchor's trail. Default: all.
    pub layers: GroupMask,
}

/// The fate of a formation whose anchor is despawned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub enum Succession {
    /// The member nearest to the anchor becomes the new anchor: it gets the [`Formation`], and the others keep slots around it. Ties are
    /// broken by the lowest [`SteeringId`]. Its other behaviors stay as they are. To give the new anchor its orders, use an observer of
    /// `On<Insert, Formation>`.
    #[default]
    HandOver,
    /// The members lose [`InFormation`].
    Dissolve,
}

impl Default for Formation {
    fn default() -> Self {
        Self { pattern: Pattern::Line, spacing: None, succession: Succession::HandOver, layers: GroupMask::ALL }
    }
}

/// The minimum distance between neighbors and the default one, in radii of the largest body.
const LEAST_SPACING: f32 = 2.2;
const DEFAULT_SPACING: f32 = 3.0;

/// The largest distance between neighbors, units.
const WIDEST: f32 = 1e9;

impl Formation {
    /// Creates a formation with this pattern.
    pub fn new(pattern: Pattern) -> Self {
        Self { pattern, ..Self::default() }
    }

    /// Sets the [`spacing`](Self::spacing), units.
    #[must_use]
    pub fn with_spacing(self, spacing: f32) -> Self {
        Self { spacing: Some(spacing), ..self }
    }

    /// Sets the [`succession`](Self::succession).
    #[must_use]
    pub fn with_succession(self, succession: Succession) -> Self {
        Self { succession, ..self }
    }

    /// Sets the [`layers`](Self::layers).
    #[must_use]
    pub fn with_layers(self, layers: GroupMask) -> Self {
        Self { layers, ..self }
    }

    /// The distance between neighbors, given the radius of the largest body.
    pub(super) fn pitch(&self, largest_radius: f32) -> f32 {
        let spacing = self.spacing.unwrap_or(DEFAULT_SPACING * largest_radius);
        let spacing = if spacing.is_finite() { spacing } else { 0.0 };
        spacing.max(LEAST_SPACING * largest_radius).min(WIDEST)
    }
}

/// Hands the formation over if its anchor is about to be despawned; otherwise dissolves it.
fn pass_on(mut world: DeferredWorld, context: HookContext) {
    let anchor = context.entity;
    let (Some(formation), Some(state), Some(members)) =
        (world.get::<Formation>(anchor), world.get::<FormationState>(anchor), world.get::<FormationMembers>(anchor))
    else {
        return;
    };
    if formation.succession == Succession::Dissolve {
        return;
    }
    let plane = world.get_resource::<Placement>().copied().unwrap_or_default();
    let position = |transform: &Transform| plane.position(transform);
    let place = world.get::<Transform>(anchor).filter(|_| world.get::<ChildOf>(anchor).is_none()).map(position);
    let place = place.or(state.frame.map(|frame| frame.position)).unwrap_or(Vector::ZERO);
    let space = world.get_resource::<SteeringBounds>().copied().unwrap_or_default().space();
    let mut heirs: Vec<(f32, SteeringId, Entity)> = members
        .iter()
        .filter_map(|member| {
            let transform = world.get::<Transform>(member)?;
            let distance = space.displacement(place, position(transform)).length();
            Some((distance, *world.get::<SteeringId>(member)?, member))
        })
        .collect();
    heirs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (formation, state) = (formation.clone(), state.handed_over());
    // Runs after Bevy has removed the members from the list.
    world.commands().queue(move |world: &mut World| {
        if world.get_entity(anchor).is_err() {
            hand_over(world, formation, state, &heirs);
        }
    });
}

/// Makes the first member that still exists and has not joined another formation the anchor of the others.
fn hand_over(world: &mut World, formation: Formation, state: FormationState, heirs: &[(f32, SteeringId, Entity)]) {
    let is_free =
        |world: &World, member: Entity| world.get_entity(member).is_ok_and(|member| !member.contains::<InFormation>());
    let mut heirs = heirs.iter().map(|(.., member)| *member);
    let Some(heir) = heirs.find(|member| is_free(world, *member)) else { return };
    world.entity_mut(heir).insert((formation, state));
    for member in heirs {
        if is_free(world, member) {
            world.entity_mut(member).insert(InFormation(heir));
        }
    }
}
