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
            transform.translation += crowd::dimension::in_world(velocity.0) * 0.02;
        }
        crowd::tick(world);
    };
    // Lists grow while the crowd gets into situations that are new to it.
    let mut quiet_ticks = 0;
    for _ in 0..20_000 {
        let allocations = measure(|| tick(world)).count_total;
        quiet_ticks = if allocations == 0 { quiet_ticks + 1 } else { 0 };
        if quiet_ticks == 2000 {
            return;
        }
    }
    panic!("there were no 2000 ticks in a row without an allocation");
}
