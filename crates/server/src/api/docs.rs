//! What the API is, for programs and for people.

use std::fmt::Write as _;

use axum::Json;
use axum::response::Html;
use serde_json::Value;
use utoipa::OpenApi;

use crate::page::{escaped, framed};

/// The API.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Cat's Cradle",
        description = "Tables over HTTP and JSON. A move is acknowledged \
        only once it is durable; the same action may be sent again as often as one likes. What \
        entries, actions, refusals and messages look like is in docs/protocol.md."
    ),
    paths(
        super::games::list,
        super::tables::create,
        super::tables::list,
        super::tables::look,
        super::seats::join,
        super::actions::act,
        super::log::read,
        super::stream::watch,
        super::pair::pair,
        super::codes::find,
        super::operations::health,
        super::operations::ready,
        super::operations::metrics,
    )
)]
struct Api;

/// The API as an `OpenAPI` document.
pub(crate) async fn openapi() -> Json<utoipa::openapi::OpenApi> {
    Json(Api::openapi())
}

/// The API as a page.
pub(crate) async fn page() -> Html<String> {
    let document = serde_json::to_value(Api::openapi()).expect("it can be written");
    Html(framed("API", &body(&document)))
}

fn body(document: &Value) -> String {
    let mut html = format!("<h1>{}</h1>", text(document, "/info/title"));
    put(&mut html, "p", &text(document, "/info/description"));
    html += "<p>For programs: <a href=\"/api/openapi.json\">openapi.json</a></p>";
    let paths = document.get("paths").and_then(Value::as_object);
    for (path, methods) in paths.into_iter().flatten() {
        for (method, operation) in methods.as_object().into_iter().flatten() {
            section(&mut html, method, path, operation);
        }
    }
    html
}

fn section(html: &mut String, method: &str, path: &str, operation: &Value) {
    put_raw(html, "h2", &format!("<code>{} {}</code>", method.to_uppercase(), escaped(path)));
    put(html, "p", &text(operation, "/summary"));
    put(html, "p", &text(operation, "/description"));
    for parameter in operation.get("parameters").and_then(Value::as_array).into_iter().flatten() {
        let (name, place) = (text(parameter, "/name"), text(parameter, "/in"));
        let line = format!("<code>{name}</code> ({place}): {}", text(parameter, "/description"));
        put_raw(html, "p", &line);
    }
    let content = operation.pointer("/requestBody/content").and_then(Value::as_object);
    for (kind, media) in content.into_iter().flatten() {
        put(html, "p", &format!("Body: {}", escaped(kind)));
        if let Some(example) = media.get("example") {
            put_raw(html, "pre", &escaped(&example.to_string()));
        }
        if let Some(name) = media.pointer("/schema/$ref").and_then(Value::as_str) {
            let name = name.rsplit('/').next().unwrap_or(name);
            put_raw(html, "p", &format!("Fields: <code>{}</code> in openapi.json", escaped(name)));
        }
    }
    let responses = operation.get("responses").and_then(Value::as_object);
    for (status, response) in responses.into_iter().flatten() {
        let line = format!("<code>{}</code> {}", escaped(status), text(response, "/description"));
        put_raw(html, "p", &line);
    }
}

fn put(html: &mut String, tag: &str, escaped: &str) {
    if !escaped.is_empty() {
        put_raw(html, tag, escaped);
    }
}

fn put_raw(html: &mut String, tag: &str, inner: &str) {
    write!(html, "<{tag}>{inner}</{tag}>").expect("a string takes everything");
}

/// The text at a place of the document, fit for a page.
fn text(document: &Value, pointer: &str) -> String {
    escaped(document.pointer(pointer).and_then(Value::as_str).unwrap_or_default())
}
