//! The fields of a formation.

use std::borrow::Cow;
use std::fmt;

use bevy_steerling::prelude as plugin;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use crate::json::number::{NonNegative, Point, exact_point, vector};
use crate::json::strict::{present, words};
use crate::mapping::place::Place;
use crate::mapping::value::{Field, Value};

/// Agents that keep slots around an anchor, which waits for them.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Formation {
    /// The id of the agent that the formation goes with.
    pub anchor: String,
    /// The arrangement of the slots around the anchor: `"line"`, `"column"`, `"wedge"`, `"box"`, `"circle"`, in three dimensions also
    /// `"sphere"` and `"cube"`, or a list of places, each as far ahead of the anchor, to its left and above it, units.
    pub pattern: Pattern,
    /// The distance between the centers of neighbors, units. Default: three times the largest radius.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub spacing: Option<NonNegative>,
    /// Whether the formation outlives its anchor. Default: `"hand_over"`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub succession: Option<Succession>,
    /// The ids of agents, and the prefixes of crowds.
    #[schemars(length(min = 1))]
    pub members: Vec<String>,
}

words!(Succession(plugin::Succession): "hand_over" => plugin::Succession::HandOver, "dissolve" => plugin::Succession::Dissolve);

impl Formation {
    /// The plugin's component.
    pub fn component(&self) -> plugin::Formation {
        let formation = plugin::Formation::new(self.pattern.0.clone());
        let succession = self.succession.map_or(formation.succession, plugin::Succession::from);
        plugin::Formation { spacing: self.spacing.map(f32::from), succession, ..formation }
    }

    /// Returns the formation of an anchor. If a file cannot express it, notes that and returns `None`.
    pub fn of(component: &plugin::Formation, anchor: String, members: Vec<String>, place: &Place) -> Option<Self> {
        let default = plugin::Formation::default();
        let plugin::Formation { pattern, spacing, succession, layers } = component;
        if *layers != default.layers {
            place.note("`Formation::layers`");
        }
        Some(Self {
            anchor,
            pattern: Pattern::of(pattern, &place.field("pattern"))?,
            spacing: Field::of(spacing, &default.spacing, &place.field("spacing"))?,
            succession: Field::of(succession, &default.succession, &place.field("succession"))?,
            members,
        })
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Pattern(plugin::Pattern);

/// The patterns that have a name.
const NAMED: &[(&str, plugin::Pattern)] = &[
    ("line", plugin::Pattern::Line),
    ("column", plugin::Pattern::Column),
    ("wedge", plugin::Pattern::Wedge),
    ("box", plugin::Pattern::Box),
    ("circle", plugin::Pattern::Circle),
    #[cfg(dim3)]
    ("sphere", plugin::Pattern::Sphere),
    #[cfg(dim3)]
    ("cube", plugin::Pattern::Cube),
];

impl Pattern {
    fn of(pattern: &plugin::Pattern, place: &Place) -> Option<Self> {
        if let plugin::Pattern::Places(places) = pattern {
            if places.is_empty() {
                place.note("no places");
                return None;
            }
            for point in places {
                Point::of(point, place)?;
            }
        }
        Some(Self(pattern.clone()))
    }
}

impl Serialize for Pattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let plugin::Pattern::Places(places) = &self.0 {
            return serializer.collect_seq(places.iter().copied().map(exact_point));
        }
        let named = NAMED.iter().find(|(_, pattern)| *pattern == self.0);
        serializer.serialize_str(named.map_or("line", |(name, _)| name))
    }
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PatternVisitor;

        impl<'de> Visitor<'de> for PatternVisitor {
            type Value = Pattern;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                NAMED.iter().try_for_each(|(name, _)| write!(formatter, "\"{name}\", "))?;
                formatter.write_str("or a list of at least one place")
            }

            fn visit_str<E: de::Error>(self, word: &str) -> Result<Pattern, E> {
                let named = NAMED.iter().find(|(name, _)| *name == word);
                named
                    .map(|(_, pattern)| Pattern(pattern.clone()))
                    .ok_or_else(|| E::invalid_value(de::Unexpected::Str(word), &self))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<Pattern, A::Error> {
                let places = Vec::<Point>::deserialize(de::value::SeqAccessDeserializer::new(access))?;
                if places.is_empty() {
                    return Err(de::Error::invalid_length(0, &self));
                }
                Ok(Pattern(plugin::Pattern::Places(places.into_iter().map(vector).collect())))
            }
        }

        deserializer.deserialize_any(PatternVisitor)
    }
}

impl JsonSchema for Pattern {
    fn schema_name() -> Cow<'static, str> {
        "Pattern".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = NAMED.iter().map(|(name, _)| *name).collect();
        json_schema!({"oneOf": [
            {"enum": names},
            {"type": "array", "items": generator.subschema_for::<Point>(), "minItems": 1},
        ]})
    }
}
