//! Templates of behaviors with a target, for scenes written with Bevy's `bsn!`.

use core::ops::{Deref, DerefMut};

use bevy::ecs::error::Result;
use bevy::ecs::template::{EntityTemplate, FromTemplate, Template, TemplateContext};
use bevy::prelude::*;

use crate::agent::GroupMask;
use crate::behaviors::arrive::Arrive;
use crate::behaviors::evade::Evade;
use crate::behaviors::face::Face;
use crate::behaviors::flee::Flee;
#[cfg(not(dim3))]
use crate::behaviors::follow_field::FollowField;
use crate::behaviors::follow_leader::FollowLeader;
use crate::behaviors::hide::Hide;
use crate::behaviors::interpose::Interpose;
use crate::behaviors::match_velocity::MatchVelocity;
use crate::behaviors::offset_pursuit::OffsetPursuit;
use crate::behaviors::orbit::Orbit;
use crate::behaviors::pursue::Pursue;
use crate::behaviors::seek::Seek;
use crate::math::Vector;
use crate::perception::target::Target;

/// A [`Target`] in a scene: a point, an `Entity`, or an entity of the same scene by its `#Name`.
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

/// One target of a behavior in a scene, or several.
pub(crate) trait TargetTemplates: Sized {
    /// The targets of the behavior.
    type Built;

    /// Builds the targets.
    fn build(&self, context: &mut TemplateContext) -> Result<Self::Built>;

    /// The same targets.
    fn copied(&self) -> Self;
}

impl TargetTemplates for TargetTemplate {
    type Built = Target;

    fn build(&self, context: &mut TemplateContext) -> Result<Target> {
        self.build_template(context)
    }

    fn copied(&self) -> Self {
        self.clone_template()
    }
}

impl TargetTemplates for [TargetTemplate; 2] {
    type Built = [Target; 2];

    fn build(&self, context: &mut TemplateContext) -> Result<[Target; 2]> {
        let [one, other] = self;
        Ok([one.build_template(context)?, other.build_template(context)?])
    }

    fn copied(&self) -> Self {
        self.each_ref().map(TargetTemplate::clone_template)
    }
}

/// Defines the templates of components with targets. The arguments are the name of the template, its component, the field with the targets,
/// and the parameters of `new`, the targets first.
macro_rules! targeted {
    ($($Template:ident: $Behavior:ident { $field:ident: $Targets:ty = $value:expr }
        new($($target:ident),+ $(; $setting:ident: $Type:ty)?),)+) => {$(
        #[doc = concat!("[`", stringify!($Behavior), "`] in a scene: its settings, and a target that may be an entity of the same scene.")]
        ///
        #[doc = concat!("`bsn! { ", stringify!($Behavior), "::new(…) }` makes one, and fields in braces change it.")]
        #[derive(Debug)]
        pub struct $Template {
            /// The target. Default: the origin.
            pub $field: $Targets,
            /// The other settings. The target in this value is ignored.
            behavior: $Behavior,
        }

        impl $Template {
            /// The default settings, with a target.
            pub fn new($($target: impl Into<TargetTemplate>),+ $(, $setting: $Type)?) -> Self {
                $(let $target: TargetTemplate = $target.into();)+
                let behavior = {
                    $(let $target = Vector::ZERO;)+
                    $Behavior::new($($target),+ $(, $setting)?)
                };
                Self { $field: $value, behavior }
            }
        }

        impl Default for $Template {
            fn default() -> Self {
                $(let $target = Vector::ZERO;)+
                Self::new($($target),+ $(, <$Type>::default())?)
            }
        }

        impl Deref for $Template {
            type Target = $Behavior;

            fn deref(&self) -> &$Behavior {
                &self.behavior
            }
        }

        impl DerefMut for $Template {
            fn deref_mut(&mut self) -> &mut $Behavior {
                &mut self.behavior
            }
        }

        impl Template for $Template {
            type Output = $Behavior;

            fn build_template(&self, context: &mut TemplateContext) -> Result<$Behavior> {
                Ok($Behavior { $field: self.$field.build(context)?, ..self.behavior.clone() })
            }

            fn clone_template(&self) -> Self {
                Self { $field: self.$field.copied(), behavior: self.behavior.clone() }
            }
        }

        impl FromTemplate for $Behavior {
            type Template = $Template;
        }
    )+};
}

targeted! {
    SeekTemplate: Seek { target: TargetTemplate = target } new(target),
    FleeTemplate: Flee { target: TargetTemplate = target } new(target),
    ArriveTemplate: Arrive { target: TargetTemplate = target } new(target),
    PursueTemplate: Pursue { target: TargetTemplate = target } new(target),
    EvadeTemplate: Evade { target: TargetTemplate = target } new(target),
    MatchVelocityTemplate: MatchVelocity { target: TargetTemplate = target } new(target),
    InterposeTemplate: Interpose { between: [TargetTemplate; 2] = [one, other] } new(one, other),
    OffsetPursuitTemplate: OffsetPursuit { leader: TargetTemplate = leader } new(leader; offset: Vector),
    FollowLeaderTemplate: FollowLeader { leader: TargetTemplate = leader } new(leader),
    FaceTemplate: Face { target: TargetTemplate = target } new(target),
    HideTemplate: Hide { from: TargetTemplate = from } new(from),
    OrbitTemplate: Orbit { around: TargetTemplate = around } new(around; radius: f32),
}

/// [`FollowField`] in a scene: its settings, and a field that may be an entity of the same scene.
///
/// Created by `bsn! { FollowField::new(#Field) }`.
#[cfg(not(dim3))]
#[derive(Debug)]
pub struct FollowFieldTemplate {
    /// The entity with the field.
    pub field: EntityTemplate,
    /// The other settings. The field in this value is ignored.
    behavior: FollowField,
}

#[cfg(not(dim3))]
impl FollowFieldTemplate {
    /// The default settings, with the field of an entity.
    pub fn new(field: impl Into<EntityTemplate>) -> Self {
        Self { field: field.into(), behavior: FollowField::new(Entity::PLACEHOLDER) }
    }
}

#[cfg(not(dim3))]
impl Default for FollowFieldTemplate {
    fn default() -> Self {
        Self::new(EntityTemplate::default())
    }
}

#[cfg(not(dim3))]
impl Deref for FollowFieldTemplate {
    type Target = FollowField;

    fn deref(&self) -> &FollowField {
        &self.behavior
    }
}

#[cfg(not(dim3))]
impl DerefMut for FollowFieldTemplate {
    fn deref_mut(&mut self) -> &mut FollowField {
        &mut self.behavior
    }
}

#[cfg(not(dim3))]
impl Template for FollowFieldTemplate {
    type Output = FollowField;

    fn build_template(&self, context: &mut TemplateContext) -> Result<FollowField> {
        Ok(FollowField { field: self.field.build_template(context)?, ..self.behavior.clone() })
    }

    fn clone_template(&self) -> Self {
        Self { field: self.field, behavior: self.behavior.clone() }
    }
}

#[cfg(not(dim3))]
impl FromTemplate for FollowField {
    type Template = FollowFieldTemplate;
}
