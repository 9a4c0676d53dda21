//! What the API is, for programs and for people.

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
        description = "Tables over HTTP and JSON. Who takes a seat gets a token that holds it, and \
        sends it with what it does there: `Authorization: Bearer TOKEN`. A move is acknowledged only \
        once it is durable; the same action may be sent again as often as one likes. What is refused \
        is answered with a problem document: its `detail` is a sentence, its `code` is for programs."
    ),
    modifiers(&Tokens),
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

/// Describes how tokens are sent: routes say by this name that they take one.
struct Tokens;

impl Modify for Tokens {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        let what = "The token that holds a seat: 32 hexadecimal digits. Who sends none looks on.";
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
    let document = serde_json::to_value(Api::openapi()).expect("it can be written");
    Html(framed("API", &body(&document)))
}

fn body(document: &Value) -> String {
    let mut html = format!("<h1>{}</h1>", text(document, "/info/title"));
    put(&mut html, "p", &text(document, "/info/description"));
    html += "<p>For programs: <a href=\"/api/openapi.json\">openapi.json</a>. \
             For players: <a href=\"/\">the game</a>.</p>";
    for (path, methods) in members(document, "/paths") {
        for (method, operation) in methods.as_object().into_iter().flatten() {
            put(&mut html, "h2", &format!("{} {}", method.to_uppercase(), escaped(path)));
            section(&mut html, document, operation);
        }
    }
    html
}

fn section(html: &mut String, document: &Value, operation: &Value) {
    put(html, "p", &text(operation, "/summary"));
    put(html, "p", &text(operation, "/description"));
    if operation.get("security").is_some() {
        put(html, "p", "With the token of a seat: <code>Authorization: Bearer TOKEN</code>");
    }
    for parameter in operation.get("parameters").and_then(Value::as_array).into_iter().flatten() {
        let (name, place) = (text(parameter, "/name"), text(parameter, "/in"));
        let meaning = text(parameter, "/description");
        put(html, "p", &format!("<code>{name}</code> ({place}): {meaning}"));
    }
    for (kind, media) in members(operation, "/requestBody/content") {
        put(html, "p", &format!("Send {}:", escaped(kind)));
        fields(html, document, media);
    }
    for (status, response) in members(operation, "/responses") {
        let meaning = text(response, "/description");
        put(html, "p", &format!("Answer {}: {meaning}", escaped(status)));
        for (_, media) in members(response, "/content") {
            fields(html, document, media);
        }
    }
}

/// The fields of a body, or of each of its kinds, and an example of it.
fn fields(html: &mut String, document: &Value, media: &Value) {
    let named = media.pointer("/schema/$ref").and_then(Value::as_str);
    let schema = named.and_then(|name| document.pointer(name.trim_start_matches('#')));
    if let Some(schema) = schema {
        rows(html, schema);
        for kind in schema.get("oneOf").and_then(Value::as_array).into_iter().flatten() {
            put(html, "p", &text(kind, "/description"));
            rows(html, kind);
            example(html, kind);
        }
    }
    example(html, if media.get("example").is_some() { media } else { schema.unwrap_or(media) });
}

/// The fields of an object; where one can only be one word, that is the word.
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
        put(&mut rows, "tr", &cells.concat());
    }
    put(html, "table", &rows);
}

fn example(html: &mut String, described: &Value) {
    if let Some(example) = described.get("example") {
        put(html, "pre", &escaped(&example.to_string()));
    }
}

fn members<'a>(
    document: &'a Value,
    pointer: &str,
) -> impl Iterator<Item = (&'a String, &'a Value)> + use<'a> {
    document.pointer(pointer).and_then(Value::as_object).into_iter().flatten()
}

/// Puts an element there, unless it is empty; what is in it is fit for a page.
fn put(html: &mut String, tag: &str, inner: &str) {
    if !inner.is_empty() {
        write!(html, "<{tag}>{inner}</{tag}>").expect("a string takes everything");
    }
}

/// The text at a place of the document, fit for a page: what stands between backticks is code.
fn text(document: &Value, pointer: &str) -> String {
    let text = escaped(document.pointer(pointer).and_then(Value::as_str).unwrap_or_default());
    let parts = text.split('`').enumerate().map(|(place, part)| {
        if place % 2 == 0 { part.to_owned() } else { format!("<code>{part}</code>") }
    });
    parts.collect()
}
