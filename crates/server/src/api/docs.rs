//! The description of the API, for programs and for people.

use std::fmt::Write as _;

use axum::Json;
use axum::response::Html;
use serde_json::Value;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

use crate::page::built_in::{escaped, framed};

/// The API.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Cat's Cradle",
        description = "Play at tables over HTTP and JSON. A player who takes a seat gets a token that \
        holds the seat, and sends it with every request for that seat: `Authorization: Bearer TOKEN`. A \
        move is acknowledged only once it is durable, and the same action can be sent again safely. \
        Errors are problem documents: `detail` is a sentence for people, `code` is for programs."
    ),
    modifiers(&TokenScheme),
    paths(
        super::games::list,
        super::tables::create,
        super::tables::list,
        super::tables::view,
        super::seats::join,
        super::actions::act,
        super::log::read,
        super::stream::stream,
        super::analysis::analyze,
        super::pair::pair,
        super::codes::find,
        super::codes::renew,
        super::operations::health,
        super::operations::ready,
        super::operations::public_metrics,
    )
)]
struct Api;

/// Describes how tokens are sent, under the name that operations refer to.
struct TokenScheme;

impl Modify for TokenScheme {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        let what = "The token of a seat: 32 hexadecimal digits. A request without a token is that of a spectator.";
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(what));
        let components = api.components.get_or_insert_default();
        components.add_security_scheme("token", SecurityScheme::Http(bearer.build()));
    }
}

/// The API as an `OpenAPI` document.
pub(crate) async fn openapi() -> Json<utoipa::openapi::OpenApi> {
    Json(Api::openapi())
}

/// The API as a page.
pub(crate) async fn page() -> Html<String> {
    let document = serde_json::to_value(Api::openapi()).expect("the value serializes");
    Html(framed("API", &body(&document)))
}

fn body(document: &Value) -> String {
    let mut html = format!("<h1>{}</h1>", text(document, "/info/title"));
    append(&mut html, "p", &text(document, "/info/description"));
    html += "<p>For programs: <a href=\"/api/openapi.json\">openapi.json</a>. \
             For players: <a href=\"/\">the game</a>.</p>";
    for (path, methods) in members(document, "/paths") {
        for (method, operation) in methods.as_object().into_iter().flatten() {
            append(&mut html, "h2", &format!("{} {}", method.to_uppercase(), escaped(path)));
            section(&mut html, document, operation);
        }
    }
    html
}

fn section(html: &mut String, document: &Value, operation: &Value) {
    append(html, "p", &text(operation, "/summary"));
    append(html, "p", &text(operation, "/description"));
    if operation.get("security").is_some() {
        append(html, "p", "Takes the token of a seat: <code>Authorization: Bearer TOKEN</code>");
    }
    for parameter in operation.get("parameters").and_then(Value::as_array).into_iter().flatten() {
        let (name, place) = (text(parameter, "/name"), text(parameter, "/in"));
        let meaning = text(parameter, "/description");
        append(html, "p", &format!("<code>{name}</code> ({place}): {meaning}"));
    }
    for (kind, media) in members(operation, "/requestBody/content") {
        append(html, "p", &format!("Request body ({}):", escaped(kind)));
        fields(html, document, media);
    }
    for (status, response) in members(operation, "/responses") {
        let meaning = text(response, "/description");
        append(html, "p", &format!("Response {}: {meaning}", escaped(status)));
        for (_, media) in members(response, "/content") {
            fields(html, document, media);
        }
    }
}

/// The fields and the example of a body, or of each of its kinds.
fn fields(html: &mut String, document: &Value, media: &Value) {
    let named = media.pointer("/schema/$ref").and_then(Value::as_str);
    let schema = named.and_then(|name| document.pointer(name.trim_start_matches('#')));
    if let Some(schema) = schema {
        rows(html, schema);
        for kind in schema.get("oneOf").and_then(Value::as_array).into_iter().flatten() {
            append(html, "p", &text(kind, "/description"));
            rows(html, kind);
            example(html, kind);
        }
    }
    example(html, if media.get("example").is_some() { media } else { schema.unwrap_or(media) });
}

/// A table of the fields of an object. A field that has only one value shows it.
fn rows(html: &mut String, schema: &Value) {
    let mut rows = String::new();
    for (name, field) in members(schema, "/properties") {
        let name = format!("<code>{}</code>", escaped(name));
        let word = text(field, "/enum/0");
        let meaning = if word.is_empty() {
            text(field, "/description")
        } else {
            format!("<code>{word}</code>")
        };
        let cells = [name, meaning].map(|cell| format!("<td>{cell}</td>"));
        append(&mut rows, "tr", &cells.concat());
    }
    append(html, "table", &rows);
}

fn example(html: &mut String, described: &Value) {
    if let Some(example) = described.get("example") {
        append(html, "pre", &escaped(&example.to_string()));
    }
}

fn members<'a>(
    document: &'a Value,
    pointer: &str,
) -> impl Iterator<Item = (&'a String, &'a Value)> + use<'a> {
    document.pointer(pointer).and_then(Value::as_object).into_iter().flatten()
}

/// Appends an element, unless it is empty. Its content is already HTML.
fn append(html: &mut String, tag: &str, inner: &str) {
    if !inner.is_empty() {
        write!(html, "<{tag}>{inner}</{tag}>").expect("writing to a string cannot fail");
    }
}

/// The text at a pointer of the document as HTML; backticks mark code.
fn text(document: &Value, pointer: &str) -> String {
    let text = escaped(document.pointer(pointer).and_then(Value::as_str).unwrap_or_default());
    let parts = text.split('`').enumerate().map(|(place, part)| {
        if place % 2 == 0 { part.to_owned() } else { format!("<code>{part}</code>") }
    });
    parts.collect()
}
