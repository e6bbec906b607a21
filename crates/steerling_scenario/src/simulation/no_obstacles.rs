//! Obstacles, of which there are none in three dimensions yet.

use bevy::prelude::*;

use crate::scenario::scene::Scenario;
use crate::shapes::PlacedShape;

pub(crate) struct ObstacleShapes;

impl ObstacleShapes {
    pub fn new(_: Vec<Entity>, _: &World) -> Self {
        Self
    }

    pub fn update(&mut self, _: &World) {}

    pub fn shapes(&self) -> &[PlacedShape] {
        &[]
    }
}

pub(crate) fn spawn(_: &mut World, _: &Scenario) -> Vec<Entity> {
    Vec::new()
}
