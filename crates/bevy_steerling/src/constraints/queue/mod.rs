//! Wait in line instead of pushing in.

mod component;
mod constrain;
mod keep_place;
mod one_by_one;
mod side_by_side;
mod wishes;

use bevy::ecs::schedule::IntoScheduleConfigs;
use bevy::prelude::App;

use crate::engine::registry::Registration;
use crate::tick::schedule::is_in_use;
use side_by_side::Outcomes;
use wishes::Wishes;

pub use component::{Queue, QueuePlace};

/// The systems that compute the queue for the whole crowd.
pub(crate) fn registration(app: &mut App) -> Registration {
    app.init_resource::<Wishes>().init_resource::<Outcomes>();
    Registration::preparing((wishes::note_wishes, side_by_side::find_places).chain().run_if(is_in_use::<Queue>))
}
