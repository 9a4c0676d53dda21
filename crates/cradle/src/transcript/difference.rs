//! The first difference between two JSON values.

use serde_json::Value;

/// Says where the written value first differs from the expected one; `None` if they are equal. The
/// order of keys does not matter.
pub(super) fn difference(name: &str, expected: &Value, written: &Value) -> Option<String> {
    match (expected, written) {
        (Value::Object(expected), Value::Object(written)) => {
            let known = expected.keys();
            let added = written.keys().filter(|key| !expected.contains_key(*key));
            known.chain(added).find_map(|key| {
                let name = format!("{name}.{key}");
                either(&name, expected.get(key), written.get(key))
            })
        }
        (Value::Array(expected), Value::Array(written)) => (0..expected.len().max(written.len()))
            .find_map(|place| {
                let name = format!("{name}[{place}]");
                either(&name, expected.get(place), written.get(place))
            }),
        (expected, written) if expected == written => None,
        (expected, Value::Null) => Some(format!("{name} is missing: it is {expected}")),
        (expected, written) => Some(format!("{name} is {expected} there, not {written}")),
    }
}

fn either(name: &str, expected: Option<&Value>, written: Option<&Value>) -> Option<String> {
    match (expected, written) {
        (Some(expected), Some(written)) => difference(name, expected, written),
        (Some(expected), None) => Some(format!("{name} is missing: it is {expected}")),
        (None, Some(written)) => Some(format!("there is no {name}, but {written} is written")),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(written: &Value, expected: Option<&str>) {
        let known = json!({ "a": [1, { "b": "x" }] });
        assert_eq!(difference("why", &known, written).as_deref(), expected);
    }

    #[test]
    fn equal_values_have_no_difference() {
        check(&json!({ "a": [1, { "b": "x" }] }), None);
    }

    #[test]
    fn the_first_difference_is_told_with_its_place() {
        check(&json!({}), Some(r#"why.a is missing: it is [1,{"b":"x"}]"#));
        check(&Value::Null, Some(r#"why is missing: it is {"a":[1,{"b":"x"}]}"#));
        check(&json!({ "a": [1] }), Some(r#"why.a[1] is missing: it is {"b":"x"}"#));
        check(&json!({ "a": [2, {}] }), Some("why.a[0] is 1 there, not 2"));
        check(&json!({ "a": [1, { "b": "y" }] }), Some(r#"why.a[1].b is "x" there, not "y""#));
        let added = json!({ "a": [1, { "b": "x" }], "c": 0 });
        check(&added, Some("there is no why.c, but 0 is written"));
    }
}
