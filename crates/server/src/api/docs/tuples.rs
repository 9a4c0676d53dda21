//! Lists of a fixed length.

use serde_json::Value;

/// Says the length of lists of a fixed length in numbers.
///
/// They are derived with `"items": false`, which not all generators of clients read, and which allows
/// shorter lists.
pub(super) fn bound(part: &mut Value) {
    if let Some(object) = part.as_object_mut() {
        let length = object.get("prefixItems").and_then(Value::as_array).map(Vec::len);
        if let Some(length) = length {
            object.remove("items");
            for limit in ["minItems", "maxItems"] {
                object.insert(limit.to_owned(), length.into());
            }
        }
        object.values_mut().for_each(bound);
    }
    part.as_array_mut().into_iter().flatten().for_each(bound);
}
