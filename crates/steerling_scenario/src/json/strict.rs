//! Readers for objects, words and maps. Unlike serde's derived readers, they accept only one notation for each, and
//! they reject nulls and repeated names.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::mapping::entities::Entities;
use crate::mapping::place::Place;
use crate::mapping::value::Value;

/// Defines a newtype that is read from one of several words, each of which stands for a value of the inner type.
macro_rules! words {
    ($(#[$attribute:meta])* $name:ident($inner:ty): $first:literal => $first_value:expr $(, $word:literal => $value:expr)+) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name(pub $inner);

        impl From<$name> for $inner {
            fn from(word: $name) -> Self {
                word.0
            }
        }

        impl crate::mapping::value::Value<$inner> for $name {
            fn value(&self, _: &crate::mapping::entities::Entities) -> $inner {
                self.0
            }

            fn of(value: &$inner, _: &crate::mapping::place::Place) -> Option<Self> {
                Some(Self(*value))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let words = [($first, $first_value) $(, ($word, $value))+];
                let word = words.iter().find(|(_, value)| *value == self.0).map_or($first, |(word, _)| *word);
                serializer.serialize_str(word)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct WordVisitor;

                impl serde::de::Visitor<'_> for WordVisitor {
                    type Value = $name;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
                        formatter.write_str(concat!("one of \"", $first, "\"" $(, ", \"", $word, "\"")+))
                    }

                    fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<$name, E> {
                        match word {
                            $first => Ok($name($first_value)),
                            $($word => Ok($name($value)),)+
                            _ => Err(E::invalid_value(serde::de::Unexpected::Str(word), &self)),
                        }
                    }
                }

                deserializer.deserialize_str(WordVisitor)
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({"enum": [$first $(, $word)+]})
            }
        }
    };
}

pub(crate) use words;

/// Reads a field that is optional but must not be null.
pub(crate) fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// A value written as `{…}`. Serde's derived readers would also accept a list of the field values.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub(crate) struct Object<T>(pub T);

impl<T> Deref for Object<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
            type Value = Object<T>;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<Self::Value, A::Error> {
                T::deserialize(de::value::MapAccessDeserializer::new(access)).map(Object)
            }
        }

        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

impl<T: JsonSchema> JsonSchema for Object<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

impl<T: Value<V>, V> Value<V> for Object<T> {
    fn value(&self, entities: &Entities) -> V {
        self.0.value(entities)
    }

    fn of(value: &V, place: &Place) -> Option<Self> {
        T::of(value, place).map(Self)
    }
}

/// An enum written as `{"key": …}`, where the key names the variant.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct OneKey<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneKey<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneKeyVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for OneKeyVisitor<T> {
            type Value = OneKey<T>;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("an object with exactly one key")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
                let value = T::deserialize(KeyDeserializer(&mut access))?;
                match access.next_key::<String>()? {
                    None => Ok(OneKey(value)),
                    Some(key) => Err(de::Error::custom(format_args!(
                        "unexpected second key `{key}`, expected an object with exactly one key"
                    ))),
                }
            }
        }

        deserializer.deserialize_map(OneKeyVisitor(PhantomData))
    }
}

impl<T: Value<V>, V> Value<V> for OneKey<T> {
    fn value(&self, entities: &Entities) -> V {
        self.0.value(entities)
    }

    fn of(value: &V, place: &Place) -> Option<Self> {
        T::of(value, place).map(Self)
    }
}

/// Reads an enum from an object. Unlike serde's own reader, it says which keys were expected if there is none.
struct KeyDeserializer<'a, A>(&'a mut A);

impl<'de, A: MapAccess<'de>> Deserializer<'de> for KeyDeserializer<'_, A> {
    type Error = A::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        de::value::MapAccessDeserializer::new(self.0).deserialize_any(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        keys: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        de::value::MapAccessDeserializer::new(SomeKey { access: self.0, keys }).deserialize_enum(name, keys, visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

/// An object that must have a key, one of these.
struct SomeKey<'a, A> {
    access: &'a mut A,
    keys: &'static [&'static str],
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for SomeKey<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let key = self.access.next_key_seed(seed)?;
        if key.is_none() {
            let keys = self.keys.join("`, `");
            return Err(de::Error::custom(format_args!("no key, expected an object with exactly one of `{keys}`")));
        }
        Ok(key)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.access.next_value_seed(seed)
    }
}

impl<T: JsonSchema> JsonSchema for OneKey<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// A map that rejects repeated names. Serde's maps keep the last value instead.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct UniqueMap<T>(pub BTreeMap<String, T>);

impl<T> UniqueMap<T> {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T> Default for UniqueMap<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for UniqueMap<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct UniqueMapVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for UniqueMapVisitor<T> {
            type Value = UniqueMap<T>;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("an object, each name in it once")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
                let mut map = BTreeMap::new();
                while let Some(name) = access.next_key::<String>()? {
                    if map.contains_key(&name) {
                        return Err(de::Error::custom(format_args!("duplicate name `{name}`")));
                    }
                    let value = access.next_value()?;
                    map.insert(name, value);
                }
                Ok(UniqueMap(map))
            }
        }

        deserializer.deserialize_map(UniqueMapVisitor(PhantomData))
    }
}

impl<T: JsonSchema> JsonSchema for UniqueMap<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("MapOf{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object", "additionalProperties": generator.subschema_for::<T>()})
    }
}
