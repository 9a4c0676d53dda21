//! Objects whose kind decides on their fields, as schemas of their own.

use serde_json::{Map, Value, json};

/// Gives each kind of an entry or an action a schema with all its fields.
///
/// They are derived as `allOf`: the fields of all kinds, and one of several objects. Most generators of
/// clients cannot read that, but all of them read a choice between named objects.
pub(super) fn flatten(document: &mut Value) {
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    let names: Vec<String> = schemas.keys().cloned().collect();
    for name in names {
        if let Some((head, body)) = parts(schemas, &name) {
            let kinds = schemas.remove(&body).expect("the schema is there");
            replace(schemas, &name, &head, &kinds["oneOf"]);
        }
    }
}

/// The fields of all kinds, and the name of the schema with the kinds.
fn parts(schemas: &Map<String, Value>, name: &str) -> Option<(Value, String)> {
    let parts = schemas.get(name)?.get("allOf")?.as_array()?;
    let body = parts.iter().find_map(|part| part.get("$ref")?.as_str()?.rsplit('/').next())?;
    let head = parts.iter().find(|part| part.get("properties").is_some())?;
    schemas.get(body)?.get("oneOf")?;
    Some((head.clone(), body.to_owned()))
}

/// Replaces a schema with a choice between its kinds.
fn replace(schemas: &mut Map<String, Value>, name: &str, head: &Value, kinds: &Value) {
    let mut mapping = Map::new();
    let mut property = String::new();
    for kind in kinds.as_array().into_iter().flatten() {
        let Some((tag, value)) = tag(kind) else { continue };
        let kind_name = format!("{name}{}", capitalized(&value));
        mapping.insert(value, json!(format!("#/components/schemas/{kind_name}")));
        schemas.insert(kind_name, merged(head, kind));
        property = tag;
    }
    let choice: Vec<Value> = mapping.values().map(|place| json!({"$ref": place})).collect();
    let schema = &mut schemas[name];
    *schema = json!({
        "description": schema["description"],
        "oneOf": choice,
        "discriminator": {"propertyName": property, "mapping": mapping},
    });
}

/// The field that names the kind, and its value.
fn tag(kind: &Value) -> Option<(String, String)> {
    let fields = kind["properties"].as_object()?.iter();
    let mut tags = fields.filter_map(|(name, field)| match field["enum"].as_array()?.as_slice() {
        [value] => Some((name.clone(), value.as_str()?.to_owned())),
        _ => None,
    });
    tags.next()
}

/// An object with the fields of both.
fn merged(head: &Value, kind: &Value) -> Value {
    let mut object = kind.clone();
    let fields = [head, kind].map(|part| part["properties"].as_object().cloned());
    object["properties"] = fields.into_iter().flatten().flatten().collect::<Map<_, _>>().into();
    let required = [head, kind].map(|part| part["required"].as_array().cloned());
    object["required"] = required.into_iter().flatten().flatten().collect::<Vec<_>>().into();
    object
}

/// `next_round` as `NextRound`.
fn capitalized(words: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    words.split('_').map(word).collect()
}
