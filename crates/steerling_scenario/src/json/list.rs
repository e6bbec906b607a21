//! Lists of a fixed length: places, vectors and sizes. Serde's derived readers leave surplus values to the JSON parser, which calls them
//! trailing characters.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::dimension::{AXES, DIMENSIONS};

/// Reads a list with a value for each of these names. If there are fewer or more, the error gives the names.
pub(crate) fn read_list<'de, D: Deserializer<'de>, T: Deserialize<'de>, const N: usize>(
    deserializer: D,
    names: [&'static str; N],
) -> Result<[T; N], D::Error> {
    deserializer.deserialize_seq(ListVisitor { names, item: PhantomData })
}

struct ListVisitor<T, const N: usize> {
    names: [&'static str; N],
    item: PhantomData<T>,
}

impl<T, const N: usize> ListVisitor<T, N> {
    /// What was expected instead of a list of `length` values.
    fn expected(&self, length: usize) -> String {
        let names = self.names.join(", ");
        // This is what the places of a scene in three dimensions look like.
        if DIMENSIONS == 2 && length == N + 1 && self.names.ends_with(&AXES) {
            format!("[{names}] (a scene in three dimensions needs `\"dimensions\": 3`)")
        } else {
            format!("[{names}]")
        }
    }
}

impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for ListVisitor<T, N> {
    type Value = [T; N];

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.expected(N))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<[T; N], A::Error> {
        let mut items = Vec::with_capacity(N);
        while items.len() < N
            && let Some(item) = access.next_element()?
        {
            items.push(item);
        }
        let mut length = items.len();
        while access.next_element::<IgnoredAny>()?.is_some() {
            length += 1;
        }
        let items = <[T; N]>::try_from(items).ok().filter(|_| length == N);
        items.ok_or_else(|| A::Error::invalid_length(length, &self.expected(length).as_str()))
    }
}

/// A value for each axis, `[x, y]` or `[x, y, z]`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PerAxis<T>(pub [T; DIMENSIONS]);

impl<T> Deref for PerAxis<T> {
    type Target = [T; DIMENSIONS];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for PerAxis<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_list(deserializer, AXES).map(Self)
    }
}

impl<T: Serialize> Serialize for PerAxis<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.0)
    }
}

impl<T: JsonSchema> JsonSchema for PerAxis<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("PerAxisOf{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let item = generator.subschema_for::<T>();
        json_schema!({"type": "array", "items": item, "minItems": DIMENSIONS, "maxItems": DIMENSIONS})
    }
}
