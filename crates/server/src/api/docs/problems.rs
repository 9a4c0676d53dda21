//! The errors that every route can answer with.

use serde_json::{Value, json};

/// Describes errors as problem documents, and adds those that every route of the API has.
pub(super) fn describe(document: &mut Value) {
    for (path, methods) in document["paths"].as_object_mut().into_iter().flatten() {
        for (_, operation) in methods.as_object_mut().into_iter().flatten() {
            complete(&mut operation["responses"]);
            if path.starts_with("/api/") {
                add_shared(&mut operation["responses"]);
            }
        }
    }
    document["components"]["responses"] = json!({
        "Refused": problem("The request is refused, and nothing has changed: `detail` says why, and `code` is for programs"),
        "TooMany": retried("The client exceeds a limit, and nothing has changed: send the request again later"),
        "Unavailable": retried("The server cannot answer now, or does not know yet what came of this: send the same request again later"),
    });
}

/// Describes the errors of one operation.
fn complete(responses: &mut Value) {
    for (status, response) in responses.as_object_mut().into_iter().flatten() {
        if status.starts_with('4') {
            response["content"] = content();
        }
    }
}

/// Adds the errors that every operation has.
fn add_shared(responses: &mut Value) {
    for (status, name) in [("4XX", "Refused"), ("429", "TooMany"), ("5XX", "Unavailable")] {
        responses[status] = json!({"$ref": format!("#/components/responses/{name}")});
    }
}

fn problem(description: &str) -> Value {
    json!({"description": description, "content": content()})
}

fn retried(description: &str) -> Value {
    let mut response = problem(description);
    response["headers"] = json!({"Retry-After": {
        "description": "After how many seconds to retry",
        "required": true,
        "schema": {"type": "integer", "minimum": 1},
    }});
    response
}

fn content() -> Value {
    json!({"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}})
}
