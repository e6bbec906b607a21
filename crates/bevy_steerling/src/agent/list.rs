//! Lists in the state of agents.

use alloc::vec::Vec;

use bevy::ecs::entity::MapEntities;
use bevy::prelude::*;

use crate::math::Vector;

/// A list that reflection replaces as a whole.
///
/// When reflection applies a shorter list to a `Vec`, the excess elements stay. A game that is rolled back would keep later state.
#[derive(Clone, Debug, PartialEq, Deref, DerefMut, Reflect)]
#[reflect(opaque, where T: Element)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub(crate) struct List<T>(Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl MapEntities for List<Entity> {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        self.0.map_entities(mapper);
    }
}

/// The traits that reflection and serde require of the elements.
#[cfg(not(feature = "serialize"))]
pub(crate) trait Element: Clone + core::fmt::Debug + PartialEq + TypePath + Send + Sync {}
#[cfg(feature = "serialize")]
pub(crate) trait Element:
    Clone + core::fmt::Debug + PartialEq + TypePath + Send + Sync + serde::Serialize + serde::de::DeserializeOwned
{
}

impl Element for Entity {}
impl Element for u32 {}
impl Element for Vector {}
