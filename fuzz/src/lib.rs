//! Scenarios made of bytes: whatever the JSON Schema of scenario files allows, so that new fields take part by themselves.

use std::sync::LazyLock;

use arbitrary::{Result, Unstructured};
use serde_json::{Map, Value, json};

static SCHEMA: LazyLock<Value> = LazyLock::new(steerling_scenario::schema);

/// How many elements a list has at most, and how deep values may be in each other.
const MOST: usize = 8;
const DEPTH: usize = 12;

/// Numbers at which things change, and those of ordinary scenes.
const NUMBERS: [f64; 16] = [0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 8.0, 30.0, -30.0, 100.0, 300.0, 1e-9, 1e-6, 1e5, 1e9, -1e9];

/// A scenario file that the schema allows. Names are made to fit, and it is kept small enough to be quick.
pub fn any_scenario(bytes: &mut Unstructured) -> Result<Value> {
    let mut file = any_value(&SCHEMA, bytes, 0)?;
    let Some(fields) = file.as_object_mut() else { return Ok(file) };
    let agents = fields.get("agents").and_then(Value::as_array).map_or(0, Vec::len);
    for (name, list) in &mut *fields {
        for (index, element) in list.as_array_mut().into_iter().flatten().enumerate() {
            rename(element, &format!("{}{index}", &name[..1]));
        }
    }
    fields.insert("markers".to_owned(), json!({"m": [[0, 50, 60], [0.3, -40, 10]]}));
    fields.insert("ticks".to_owned(), json!(bytes.arbitrary::<u8>()? % 40));
    aim(&mut file, agents.max(1));
    Ok(file)
}

/// Gives an agent, a crowd or a gate a name of its own.
fn rename(element: &mut Value, name: &str) {
    for key in ["id", "prefix"] {
        if let Some(value) = element.get_mut(key) {
            *value = json!(name);
        }
    }
    if let Some(count) = element.get_mut("count") {
        *count = json!(count.as_f64().map_or(1, |count| count as u64 % 16));
    }
}

/// Makes targets name somebody who is there.
fn aim(value: &mut Value, agents: usize) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                match (key.as_str(), value.as_str().map(str::len)) {
                    ("agent", Some(number)) => *value = json!(format!("a{}", number % agents)),
                    ("marker", Some(_)) => *value = json!("m"),
                    _ => aim(value, agents),
                }
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(|element| aim(element, agents)),
        _ => {}
    }
}

/// A value that `schema` allows.
fn any_value(schema: &Value, bytes: &mut Unstructured, depth: usize) -> Result<Value> {
    if let Some(name) = schema["$ref"].as_str() {
        let schema = SCHEMA.pointer(&name[1..]).expect("the schema refers to its own parts");
        return any_value(schema, bytes, depth);
    }
    if let Some(one) = schema.get("const") {
        return Ok(one.clone());
    }
    for choices in ["enum", "oneOf", "anyOf"] {
        if let Some(choices_there) = schema[choices].as_array() {
            let choice = bytes.choose(choices_there)?;
            return if choices == "enum" { Ok(choice.clone()) } else { any_value(choice, bytes, depth + 1) };
        }
    }
    match schema["type"].as_str() {
        Some("object") => any_object(schema, bytes, depth),
        Some("array") => any_array(schema, bytes, depth),
        Some("boolean") => Ok(json!(bytes.arbitrary::<bool>()?)),
        Some("string") => Ok(json!("x".repeat(bytes.int_in_range(0..=MOST)?))),
        Some("integer") => Ok(json!(any_number(schema, bytes)?.trunc() as i64)),
        Some("number") => Ok(json!(any_number(schema, bytes)?)),
        _ => Ok(Value::Null),
    }
}

fn any_object(schema: &Value, bytes: &mut Unstructured, depth: usize) -> Result<Value> {
    let mut object = Map::new();
    let required = |key: &String| schema["required"].as_array().is_some_and(|keys| keys.contains(&json!(key)));
    for (key, property) in schema["properties"].as_object().into_iter().flatten() {
        if required(key) || depth < DEPTH && bytes.ratio(1_u8, 3_u8)? {
            object.insert(key.clone(), any_value(property, bytes, depth + 1)?);
        }
    }
    Ok(object.into())
}

fn any_array(schema: &Value, bytes: &mut Unstructured, depth: usize) -> Result<Value> {
    if let Some(items) = schema["prefixItems"].as_array() {
        return items.iter().map(|item| any_value(item, bytes, depth + 1)).collect();
    }
    let bound = |key: &str| schema[key].as_u64().map(|bound| bound as usize);
    let least = bound("minItems").unwrap_or(0);
    let most = bound("maxItems").unwrap_or(least.max(MOST)).max(least);
    (0..bytes.int_in_range(least..=most)?).map(|_| any_value(&schema["items"], bytes, depth + 1)).collect()
}

/// Ordinary numbers, numbers at which things change, and any others.
fn any_number(schema: &Value, bytes: &mut Unstructured) -> Result<f64> {
    let number = match bytes.arbitrary::<u8>()? % 8 {
        0..5 => f64::from(bytes.arbitrary::<i16>()?) / 64.0,
        5 | 6 => *bytes.choose(&NUMBERS)?,
        _ => f64::from(f32::from_bits(bytes.arbitrary()?)),
    };
    let bound = |key: &str, otherwise: f64| schema[key].as_f64().unwrap_or(otherwise);
    let number = if number.is_nan() { 0.0 } else { number };
    Ok(number.clamp(bound("minimum", -1e9), bound("maximum", 1e9)))
}
