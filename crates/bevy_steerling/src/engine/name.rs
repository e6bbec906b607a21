//! The names of behaviors in traces, rules and events.

use alloc::borrow::Cow;
use core::any::type_name;
use core::fmt::{self, Display, Formatter};

use bevy::prelude::*;

/// The name of a behavior or constraint: its type path.
///
/// Types with the same name in different modules have different paths, so a game's own `Seek` is not confused with the plugin's.
///
/// # Example
///
/// ```
/// # use bevy_steerling::prelude::*;
/// let name = BehaviorName::of::<Seek>();
/// assert!(name.is::<Seek>());
/// assert_eq!(name.short(), "Seek");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Reflect)]
#[reflect(Clone, Debug, PartialEq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub struct BehaviorName(Cow<'static, str>);

impl BehaviorName {
    /// The name of the type `B`.
    pub fn of<B: 'static>() -> Self {
        Self(Cow::Borrowed(type_name::<B>()))
    }

    /// A name that does not belong to a type.
    pub(crate) const fn special(name: &'static str) -> Self {
        Self(Cow::Borrowed(name))
    }

    /// Whether this is the name of the type `B`.
    pub fn is<B: 'static>(&self) -> bool {
        self.0 == type_name::<B>()
    }

    /// The path of the type.
    pub fn path(&self) -> &str {
        &self.0
    }

    /// The name without its path and type parameters: `"Seek"`.
    pub fn short(&self) -> &str {
        short(&self.0)
    }
}

impl Display for BehaviorName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.short())
    }
}

fn short(path: &str) -> &str {
    let path = path.split('<').next().unwrap_or(path);
    &path[path.rfind("::").map_or(0, |colons| colons + 2)..]
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Generic<T>(T);

    mod other {
        pub struct Generic<T>(T);
    }

    #[test]
    fn short_names_have_neither_path_nor_parameters() {
        assert_eq!(BehaviorName::of::<Generic<BehaviorName>>().short(), "Generic");
        assert_eq!(BehaviorName::of::<u8>().short(), "u8");
    }

    #[test]
    fn types_of_the_same_name_differ_by_their_paths() {
        let (this, that) = (BehaviorName::of::<Generic<u8>>(), BehaviorName::of::<other::Generic<u8>>());
        assert_eq!(this.short(), that.short());
        assert_ne!(this, that);
        assert!(this.is::<Generic<u8>>() && !this.is::<other::Generic<u8>>());
    }
}
