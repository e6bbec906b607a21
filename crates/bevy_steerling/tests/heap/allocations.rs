//! A world in which nobody comes or goes takes no memory from tick to tick.

use allocation_counter::measure;
use bevy::prelude::*;
use bevy_steerling::prelude::*;

use crate::crowd;

#[test]
fn a_tick_with_every_behavior_allocates_nothing() {
    let mut app = crowd::app();
    let world = app.world_mut();
    crowd::spawn_crowd(world, 3 * crowd::KINDS);
    let mut moving = world.query_filtered::<(&mut Transform, &Velocity), With<Obstacle>>();
    let mut tick = |world: &mut World| {
        for (mut transform, velocity) in moving.iter_mut(world) {
            transform.translation += velocity.extend(0.0) * 0.02;
        }
        crowd::tick(world);
    };
    // Lists grow until they are as long as they ever need to be.
    for _ in 0..4000 {
        tick(world);
    }
    let counts: Vec<u64> = (0..500).map(|_| measure(|| tick(world)).count_total).collect();
    assert_eq!(counts, [0; 500]);
}
