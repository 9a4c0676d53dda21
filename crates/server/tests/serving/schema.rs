//! Checks JSON against the schemas of the `OpenAPI` document.
//!
//! It knows exactly the keywords that the document uses, and refuses others. A field that is not described
//! is an error, although JSON Schema would allow it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use regex::Regex;
use serde_json::{Map, Value};

/// Keywords that do not restrict values.
const NOTES: [&str; 7] =
    ["description", "example", "examples", "format", "title", "default", "discriminator"];

/// The schemas of a document.
pub(crate) struct Schemas {
    pub(crate) document: Value,
    /// Compiled patterns, by their text.
    patterns: Mutex<BTreeMap<String, Regex>>,
}

/// The described fields that were found in values, as `Schema.field`.
pub(crate) type FoundFields = BTreeSet<String>;

impl Schemas {
    pub(crate) fn new(document: Value) -> Self {
        Self { document, patterns: Mutex::default() }
    }

    /// The part of the document that a value describes, or refers to.
    pub(crate) fn resolved<'a>(&'a self, part: &'a Value) -> &'a Value {
        let Some(name) = part.get("$ref").and_then(Value::as_str) else { return part };
        self.document.pointer(name.trim_start_matches('#')).expect("the reference resolves")
    }

    /// Checks a value against a schema.
    pub(crate) fn check(
        &self,
        schema: &Value,
        value: &Value,
        found: &mut FoundFields,
    ) -> Result<(), String> {
        let name = schema.get("$ref").and_then(Value::as_str).unwrap_or("inline");
        let name = name.rsplit('/').next().unwrap_or(name);
        let schema = self.resolved(schema).as_object().ok_or("a schema is an object")?;
        for (keyword, wanted) in schema {
            let wrong = || format!("{name}: {keyword} is {wanted}, but here is {value}");
            let is_valid = match keyword.as_str() {
                "type" => has_type(wanted, value),
                "enum" => list(wanted).contains(value),
                "minimum" => value.as_u64() >= wanted.as_u64() || !value.is_number(),
                "maximum" => value.as_u64() <= wanted.as_u64(),
                "pattern" => self.matches(wanted, value),
                // It is checked with the properties.
                "additionalProperties" => *wanted == Value::Bool(false),
                "oneOf" => return self.check_choice(name, list(wanted), value, found),
                "maxLength" => value
                    .as_str()
                    .is_none_or(|text| Some(text.chars().count() as u64) <= wanted.as_u64()),
                "minItems" => length(value) >= wanted.as_u64(),
                "maxItems" => length(value) <= wanted.as_u64(),
                "items" | "prefixItems" => {
                    self.check_items(schema, value, found)?;
                    true
                }
                "properties" => {
                    self.check_fields(name, wanted, value, found)?;
                    true
                }
                "required" => list(wanted)
                    .iter()
                    .all(|field| value.get(field.as_str().expect("a field has a name")).is_some()),
                note if NOTES.contains(&note) => true,
                _ => return Err(format!("{name}: the keyword {keyword} is not known here")),
            };
            if !is_valid {
                return Err(wrong());
            }
        }
        Ok(())
    }

    /// Checks that exactly one of several schemas fits.
    fn check_choice(
        &self,
        name: &str,
        choices: &[Value],
        value: &Value,
        found: &mut FoundFields,
    ) -> Result<(), String> {
        let mut fitting = Vec::new();
        let mut errors = Vec::new();
        for choice in choices {
            let mut fields = FoundFields::new();
            match self.check(choice, value, &mut fields) {
                Ok(()) => fitting.push(fields),
                Err(error) => errors.push(error),
            }
        }
        if fitting.len() != 1 {
            let (count, errors) = (fitting.len(), errors.join("; "));
            return Err(format!("{name}: {count} choices fit {value}: {errors}"));
        }
        found.extend(fitting.into_iter().flatten());
        Ok(())
    }

    fn check_fields(
        &self,
        name: &str,
        fields: &Value,
        value: &Value,
        found: &mut FoundFields,
    ) -> Result<(), String> {
        for (field, inner) in value.as_object().into_iter().flatten() {
            let Some(schema) = fields.get(field) else {
                return Err(format!("{name}: the field {field} is not described: {value}"));
            };
            self.check(schema, inner, found)?;
            found.insert(format!("{name}.{field}"));
        }
        Ok(())
    }

    fn matches(&self, pattern: &Value, value: &Value) -> bool {
        let text = pattern.as_str().expect("a pattern is a text");
        let mut patterns = self.patterns.lock().expect("no check panics here");
        let pattern = patterns
            .entry(text.to_owned())
            .or_insert_with(|| Regex::new(text).expect("the pattern is valid"));
        value.as_str().is_some_and(|text| pattern.is_match(text))
    }

    fn check_items(
        &self,
        schema: &Map<String, Value>,
        value: &Value,
        found: &mut FoundFields,
    ) -> Result<(), String> {
        let first = schema.get("prefixItems").map_or(&[][..], list);
        for (place, item) in value.as_array().into_iter().flatten().enumerate() {
            match first.get(place).or_else(|| schema.get("items")) {
                None => return Err(format!("{value} has too many items")),
                Some(schema) => self.check(schema, item, found)?,
            }
        }
        Ok(())
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn length(value: &Value) -> Option<u64> {
    value.as_array().and_then(|items| u64::try_from(items.len()).ok())
}

fn has_type(wanted: &Value, value: &Value) -> bool {
    let is = |name: &Value| match name.as_str().expect("the name of a type is a text") {
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    };
    wanted.as_array().map_or_else(|| is(wanted), |names| names.iter().any(is))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(schema: &Value, value: &Value) -> Result<(), String> {
        let schemas = Schemas::new(json!({"named": {"type": "integer", "maximum": 7}}));
        schemas.check(schema, value, &mut FoundFields::new())
    }

    #[test]
    fn what_a_schema_describes_is_accepted_and_everything_else_is_refused() {
        let object = json!({"type": "object", "required": ["a"], "properties": {
            "a": {"$ref": "#/named"}, "b": {"type": ["string", "null"], "pattern": "^x+$"}}});
        let pair = json!({"type": "array", "prefixItems": [{"type": "integer"}],
            "minItems": 1, "maxItems": 1});
        let choice = json!({"oneOf": [{"type": "integer"}, {"enum": ["x"]}, {"enum": [3]}]});
        for (schema, good, bad) in [
            (&object, json!({"a": 7}), json!({"a": 8})),
            (&object, json!({"a": 0, "b": "xx"}), json!({"a": 0, "b": "xy"})),
            (&object, json!({"a": 0}), json!({"b": "x"})),
            (&object, json!({"a": 0}), json!({"a": 0, "c": 1})),
            (&object, json!({"a": 0}), json!([])),
            (&pair, json!([1]), json!([1, 2])),
            (&pair, json!([1]), json!([])),
            (&pair, json!([1]), json!(["1"])),
            (&choice, json!("x"), json!("y")),
            (&choice, json!(4), json!(3)),
        ] {
            assert_eq!(check(schema, &good), Ok(()), "{good}");
            assert!(check(schema, &bad).is_err(), "{bad}");
        }
        assert!(check(&json!({"multipleOf": 2}), &json!(2)).unwrap_err().contains("not known"));
    }
}
