//! The pages that the server has itself.

use axum::http::{StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};

use table::wire::codes;

use crate::problem::Problem;
use crate::refusals::refusal;

/// The home page of a server without the page for players.
pub(crate) fn home() -> Html<String> {
    let body = "<h1>Cat's Cradle</h1>\
        <p>The server is running. The page for players is not part of this build.</p>\
        <p>Play with curl or with any Phoenix client: <a href=\"/api/docs\">the API</a>.</p>\
        <p><a href=\"/privacy\">What is stored about players</a></p>";
    Html(framed("Cat's Cradle", body))
}

/// The style sheet of these pages.
pub(crate) async fn style() -> impl IntoResponse {
    let style = "body{font:1rem/1.5 system-ui,sans-serif;max-width:45rem;margin:2rem auto;\
        padding:0 1rem;color-scheme:light dark}pre{overflow:auto}h2{margin-top:2rem;font-family:monospace}\
        td{vertical-align:top;padding:0 1rem 0 0}";
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], style)
}

/// Whether a path is for programs, which expect problem documents.
pub(crate) fn is_api(uri: &Uri) -> bool {
    let path = uri.path();
    path == "/api" || path.starts_with("/api/")
}

/// The response where there is no such page or resource.
pub(crate) fn not_found(uri: &Uri) -> Response {
    if is_api(uri) {
        let why = "There is no such resource: see /api/docs for the list";
        return Problem::from(refusal(codes::NOT_FOUND, why)).into_response();
    }
    let body = "<h1>This page does not exist</h1><p><a href=\"/\">Go to the home page</a></p>";
    (StatusCode::NOT_FOUND, Html(framed("Not found", body))).into_response()
}

/// A whole page with this body.
pub(crate) fn framed(title: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <title>{}</title><link rel=\"icon\" href=\"data:,\">\
         <link rel=\"stylesheet\" href=\"/style.css\"></head>\
         <body><main>{body}</main></body></html>",
        escaped(title)
    )
}

/// A text with the special characters of HTML escaped.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
