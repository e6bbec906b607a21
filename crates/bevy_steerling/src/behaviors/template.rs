//! Behaviors with a target, written as scenes with Bevy's `bsn!`.

use core::ops::{Deref, DerefMut};

use bevy::ecs::error::Result;
use bevy::ecs::template::{EntityTemplate, FromTemplate, Template, TemplateContext};
use bevy::prelude::*;

use crate::agent::GroupMask;
use crate::behaviors::arrive::Arrive;
use crate::behaviors::evade::Evade;
use crate::behaviors::flee::Flee;
use crate::behaviors::follow_field::FollowField;
use crate::behaviors::interpose::Interpose;
use crate::behaviors::match_velocity::MatchVelocity;
use crate::behaviors::pursue::Pursue;
use crate::behaviors::seek::Seek;
use crate::math::Vector;
use crate::perception::target::Target;

/// A [`Target`] in a scene: a `Vec2`, an `Entity`, or an entity of the same scene by its `#Name`.
#[derive(Debug)]
pub enum TargetTemplate {
    /// A place in the world.
    Point(Vector),
    /// An agent, or anything else with a `Transform`.
    Entity(EntityTemplate),
    /// The other agents that belong to any of these groups.
    Group(GroupMask),
}

impl Default for TargetTemplate {
    fn default() -> Self {
        Self::Point(Vector::ZERO)
    }
}

impl From<Vector> for TargetTemplate {
    fn from(point: Vector) -> Self {
        Self::Point(point)
    }
}

impl From<Entity> for TargetTemplate {
    fn from(entity: Entity) -> Self {
        Self::Entity(entity.into())
    }
}

impl From<Target> for TargetTemplate {
    fn from(target: Target) -> Self {
        match target {
            Target::Point(point) => point.into(),
            Target::Entity(entity) => entity.into(),
            Target::Group(groups) => Self::Group(groups),
        }
    }
}

impl From<EntityTemplate> for TargetTemplate {
    fn from(entity: EntityTemplate) -> Self {
        Self::Entity(entity)
    }
}

impl Template for TargetTemplate {
    type Output = Target;

    fn build_template(&self, context: &mut TemplateContext) -> Result<Target> {
        Ok(match self {
            Self::Point(point) => Target::Point(*point),
            Self::Entity(entity) => Target::Entity(entity.build_template(context)?),
            Self::Group(groups) => Target::Group(*groups),
        })
    }

    fn clone_template(&self) -> Self {
        match self {
            Self::Point(point) => Self::Point(*point),
            Self::Entity(entity) => Self::Entity(*entity),
            Self::Group(groups) => Self::Group(*groups),
        }
    }
}

impl FromTemplate for Target {
    type Template = TargetTemplate;
}

/// A behavior with a [`Target`] in a scene: its settings, and a target that may be an entity of the same scene.
///
/// `bsn! { Pursue::new(#Prey) }` makes one, and `bsn! { Pursue { weight: 2.0 } }` changes a field of it.
#[derive(Debug)]
pub struct TargetedTemplate<B> {
    /// The target. Default: the origin.
    pub target: TargetTemplate,
    /// The other settings; the target of this one does not count.
    behavior: B,
}

/// A behavior that a [`TargetedTemplate`] can build.
pub trait Targeted: Clone {
    /// The behavior as it is by default, with a target.
    fn aimed_at(target: Target) -> Self;

    /// Its target.
    fn target_mut(&mut self) -> &mut Target;
}

impl<B: Targeted> TargetedTemplate<B> {
    /// The behavior as it is by default, with a target.
    pub fn new(target: impl Into<TargetTemplate>) -> Self {
        Self { target: target.into(), behavior: B::aimed_at(Target::Point(Vector::ZERO)) }
    }
}

impl<B: Targeted> Default for TargetedTemplate<B> {
    fn default() -> Self {
        Self::new(TargetTemplate::default())
    }
}

impl<B> Deref for TargetedTemplate<B> {
    type Target = B;

    fn deref(&self) -> &B {
        &self.behavior
    }
}

impl<B> DerefMut for TargetedTemplate<B> {
    fn deref_mut(&mut self) -> &mut B {
        &mut self.behavior
    }
}

impl<B: Targeted> Template for TargetedTemplate<B> {
    type Output = B;

    fn build_template(&self, context: &mut TemplateContext) -> Result<B> {
        let mut behavior = self.behavior.clone();
        *behavior.target_mut() = self.target.build_template(context)?;
        Ok(behavior)
    }

    fn clone_template(&self) -> Self {
        Self { target: self.target.clone_template(), behavior: self.behavior.clone() }
    }
}

macro_rules! targeted {
    ($($behavior:ty),+) => {$(
        impl Targeted for $behavior {
            fn aimed_at(target: Target) -> Self {
                Self::new(target)
            }

            fn target_mut(&mut self) -> &mut Target {
                &mut self.target
            }
        }

        impl FromTemplate for $behavior {
            type Template = TargetedTemplate<Self>;
        }
    )+};
}

targeted!(Seek, Flee, Arrive, Pursue, Evade, MatchVelocity);

/// [`Interpose`] in a scene: its settings, and targets that may be entities of the same scene.
///
/// `bsn! { Interpose::new(#One, #Other) }` makes one.
#[derive(Debug)]
pub struct InterposeTemplate {
    /// The two targets. Default: the origin, twice.
    pub between: [TargetTemplate; 2],
    /// The other settings. Its own targets are ignored.
    behavior: Interpose,
}

impl InterposeTemplate {
    /// The default settings, between two targets.
    pub fn new(one: impl Into<TargetTemplate>, other: impl Into<TargetTemplate>) -> Self {
        Self { between: [one.into(), other.into()], behavior: Interpose::new(Vector::ZERO, Vector::ZERO) }
    }
}

impl Default for InterposeTemplate {
    fn default() -> Self {
        Self::new(Vector::ZERO, Vector::ZERO)
    }
}

impl Deref for InterposeTemplate {
    type Target = Interpose;

    fn deref(&self) -> &Interpose {
        &self.behavior
    }
}

impl DerefMut for InterposeTemplate {
    fn deref_mut(&mut self) -> &mut Interpose {
        &mut self.behavior
    }
}

impl Template for InterposeTemplate {
    type Output = Interpose;

    fn build_template(&self, context: &mut TemplateContext) -> Result<Interpose> {
        let [one, other] = &self.between;
        let between = [one.build_template(context)?, other.build_template(context)?];
        Ok(Interpose { between, ..self.behavior.clone() })
    }

    fn clone_template(&self) -> Self {
        let between = self.between.each_ref().map(TargetTemplate::clone_template);
        Self { between, behavior: self.behavior.clone() }
    }
}

impl FromTemplate for Interpose {
    type Template = InterposeTemplate;
}

/// [`FollowField`] in a scene: its settings, and a field that may be an entity of the same scene.
///
/// `bsn! { FollowField::new(#Field) }` makes one.
#[derive(Debug)]
pub struct FollowFieldTemplate {
    /// The entity with the field.
    pub field: EntityTemplate,
    /// The other settings. Its own field is ignored.
    behavior: FollowField,
}

impl FollowFieldTemplate {
    /// The default settings, with the field of an entity.
    pub fn new(field: impl Into<EntityTemplate>) -> Self {
        Self { field: field.into(), behavior: FollowField::new(Entity::PLACEHOLDER) }
    }
}

impl Default for FollowFieldTemplate {
    fn default() -> Self {
        Self::new(EntityTemplate::default())
    }
}

impl Deref for FollowFieldTemplate {
    type Target = FollowField;

    fn deref(&self) -> &FollowField {
        &self.behavior
    }
}

impl DerefMut for FollowFieldTemplate {
    fn deref_mut(&mut self) -> &mut FollowField {
        &mut self.behavior
    }
}

impl Template for FollowFieldTemplate {
    type Output = FollowField;

    fn build_template(&self, context: &mut TemplateContext) -> Result<FollowField> {
        Ok(FollowField { field: self.field.build_template(context)?, ..self.behavior.clone() })
    }

    fn clone_template(&self) -> Self {
        Self { field: self.field, behavior: self.behavior.clone() }
    }
}

impl FromTemplate for FollowField {
    type Template = FollowFieldTemplate;
}
