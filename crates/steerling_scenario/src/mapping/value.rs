//! Fields of a file that stand for fields of components. Each is translated in both directions, so that a file that was read can be written
//! again.

use crate::mapping::entities::Entities;
use crate::mapping::place::Place;

/// A value in a file that stands for a value `V` of a component.
pub(crate) trait Value<V>: Sized {
    /// The value of the component.
    fn value(&self, entities: &Entities) -> V;

    /// Returns the value in a file. If a file cannot express it, notes that and returns `None`.
    fn of(value: &V, place: &Place) -> Option<Self>;
}

/// A field that may be missing in a file, where it stands for a field `V` of a component.
pub(crate) trait Field<V>: Sized {
    /// Sets the component's field, if the file gives a value for it.
    fn set(&self, field: &mut V, entities: &Entities);

    /// Returns the field in a file for a component that has `default` if the field is missing. If a file cannot express it, notes that and
    /// returns `None`.
    fn of(value: &V, default: &V, place: &Place) -> Option<Self>;
}

impl<T: Value<V>, V: PartialEq> Field<V> for Option<T> {
    fn set(&self, field: &mut V, entities: &Entities) {
        if let Some(value) = self {
            *field = value.value(entities);
        }
    }

    fn of(value: &V, default: &V, place: &Place) -> Option<Self> {
        if value == default { Some(None) } else { T::of(value, place).map(Some) }
    }
}

impl Field<Self> for bool {
    fn set(&self, field: &mut Self, _: &Entities) {
        *field = *self;
    }

    fn of(value: &Self, _: &Self, _: &Place) -> Option<Self> {
        Some(*value)
    }
}

impl Value<Self> for bool {
    fn value(&self, _: &Entities) -> Self {
        *self
    }

    fn of(value: &Self, _: &Place) -> Option<Self> {
        Some(*value)
    }
}

/// Whether a field has its default, so that a file can omit it.
pub(crate) fn is_default<T: Default + PartialEq>(field: &T) -> bool {
    *field == T::default()
}

/// Defines how the fields of a file stand for those of a component, in both directions: `File => plugin::Component { fields }, new`.
///
/// Before the semicolon are the fields that must be present, which are the arguments of `new`, and their types in the component; after it
/// are those that may be missing.
/// `field = name` is a field with another name in the component. The compiler rejects a list that misses a field of the file or of the
/// component. `..fields` gives those that do not stand for a field of this component.
macro_rules! fields {
    (
        $File:ident => $plugin:ident::$Component:ident {
            $($required:ident: $Required:ty),*; $($(#[$attribute:meta])* $field:ident $(= $name:ident)?),* $(,)?
        },
        $new:expr $(, ..$others:expr)?
    ) => {
        impl $crate::mapping::value::Value<$plugin::$Component> for $File {
            fn value(&self, entities: &$crate::mapping::entities::Entities) -> $plugin::$Component {
                let mut component: $plugin::$Component = ($new)($($crate::mapping::value::Value::<$Required>::value(&self.$required, entities)),*);
                $(
                    $(#[$attribute])*
                    $crate::mapping::value::Field::set(
                        &self.$field,
                        &mut $crate::mapping::value::field_of!(component, $field $(= $name)?),
                        entities,
                    );
                )*
                component
            }

            fn of(component: &$plugin::$Component, place: &$crate::mapping::place::Place) -> Option<Self> {
                let default: $plugin::$Component = ($new)($(component.$required.clone()),*);
                let $plugin::$Component { $($required,)* $($(#[$attribute])* $($name:)? $field,)* } = component;
                Some(Self {
                    $($required: $crate::mapping::value::Value::of($required, &place.field(stringify!($required)))?,)*
                    $(
                        $(#[$attribute])*
                        $field: $crate::mapping::value::Field::of(
                            $field,
                            &$crate::mapping::value::field_of!(default, $field $(= $name)?),
                            &place.field(stringify!($field)),
                        )?,
                    )*
                    $(..$others)?
                })
            }
        }
    };
}

/// The field of a component, which may have another name than that of the file.
macro_rules! field_of {
    ($component:ident, $field:ident) => {
        $component.$field
    };
    ($component:ident, $field:ident = $name:ident) => {
        $component.$name
    };
}

pub(crate) use {field_of, fields};
