//! Formations: agents keep slots around an anchor, which waits for them.

mod arrange;
mod assignment;
mod behavior;
mod keep;
mod layout;
mod member;
mod settings;
#[cfg(dim3)]
mod spatial;
mod state;

pub(crate) use arrange::{arrange, gather_paces};
pub use layout::Pattern;
pub use member::{FormationMembers, InFormation};
pub use settings::{Formation, Succession};
pub use state::{FormationSlot, FormationState};
