//! The description of the API, for programs and for people.

mod kinds;
mod problems;
mod tuples;

use std::fmt::Write as _;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::{Html, IntoResponse};
use serde_json::Value;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

use crate::app::App;
use crate::page::built_in::{escaped, framed};

/// The API.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Cat's Cradle",
        description = "Play at tables over HTTP and JSON. A player who takes a seat gets a token that \
        holds the seat, and sends it with every request for that seat: `Authorization: Bearer TOKEN`. A \
        move is acknowledged only once it is durable, and the same action can be sent again safely. \
        Errors are problem documents: `detail` is a sentence for people, `code` is for programs. With \
        429 and 503, `Retry-After` says after how many seconds to retry."
    ),
    modifiers(&TokenScheme),
    tags(
        (name = "tables", description = "Tables, their players and their logs."),
        (name = "operations", description = "The server itself, for operators.")
    ),
    components(schemas(crate::problem::ProblemBody, table::TableView)),
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
        super::b_threads::read,
        super::rules::read,
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

/// The HTTP API as an `OpenAPI` document.
///
/// # Panics
/// Never: the description serializes.
#[must_use]
pub fn openapi_document() -> Value {
    let mut document = serde_json::to_value(Api::openapi()).expect("the value serializes");
    kinds::flatten(&mut document);
    problems::describe(&mut document);
    tuples::bound(&mut document);
    document
}

/// The API for programs.
pub(crate) async fn openapi(State(app): State<Arc<App>>) -> impl IntoResponse {
    let text = app.openapi.get_or_init(|| openapi_document().to_string().into());
    ([(header::CONTENT_TYPE, "application/json")], Bytes::clone(text))
}

/// The API for people.
pub(crate) async fn page(State(app): State<Arc<App>>) -> Html<Bytes> {
    let page = app.api_page.get_or_init(|| framed("API", &body(&openapi_document())).into());
    Html(Bytes::clone(page))
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
    // Every operation has the responses that it refers to; the first paragraph is about them.
    let own = |(_, response): &(&String, &Value)| response.get("$ref").is_none();
    for (status, response) in members(operation, "/responses").filter(own) {
        let meaning = text(response, "/description");
        append(html, "p", &format!("Response {}: {meaning}", escaped(status)));
        for (_, media) in members(response, "/content") {
            fields(html, document, media);
        }
    }
}

/// The fields and the examples of a body, or of each of its kinds.
fn fields(html: &mut String, document: &Value, media: &Value) {
    if let Some(schema) = media.get("schema") {
        let schema = resolved(document, schema);
        rows(html, schema);
        for kind in schema.get("oneOf").and_then(Value::as_array).into_iter().flatten() {
            let kind = resolved(document, kind);
            append(html, "p", &text(kind, "/description"));
            rows(html, kind);
        }
        example(html, if media.get("example").is_some() { media } else { schema });
    }
    for (_, named) in members(media, "/examples") {
        append(html, "pre", &escaped(&named["value"].to_string()));
    }
}

/// The schema itself, or the one that it refers to.
fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let name = schema.get("$ref").and_then(Value::as_str);
    name.and_then(|name| document.pointer(name.trim_start_matches('#'))).unwrap_or(schema)
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
