//! The memory of a large flock.

use bevy::prelude::*;
use bevy::time::TimePlugin;
use bevy_steerling::prelude::*;

use crate::machine;

/// The peak memory of this process after a few ticks of an app with this number of flocking agents, MB.
pub fn of_a_flock(agents: usize) -> Option<f64> {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, SteeringPlugin::new(Update)));
    let mut random = SteeringRng::new(SteeringSeed(1), SteeringId::new(0), 1);
    let radius = 9.0;
    let side = (agents as f32 * std::f32::consts::PI / 16.0).sqrt() * radius;
    app.insert_resource(SteeringBounds::wrap(Vec2::ZERO, Vec2::splat(side)));
    app.world_mut().spawn_batch((0..agents).map(|_| {
        let [x, y] = [(); 2].map(|()| random.uniform() * side);
        (Flock::default().with_radius(radius), Transform::from_xyz(x, y, 0.0))
    }));
    app.finish();
    (0..3).for_each(|_| app.update());
    machine::peak_memory()
}
