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
    let style = ":root{color-scheme:light dark;--paper:#faf6ef;--card:#fffdf8;--ink:#2a2622;--soft:#675f56;\
        --line:#ded3c1;--accent:#a8321e}\
        @media (prefers-color-scheme:dark){:root{--paper:#171513;--card:#211e1b;--ink:#f1ebe2;--soft:#b0a79b;\
        --line:#3d3731;--accent:#ff8264}}\
        body{font:17px/1.55 Georgia,\"Times New Roman\",serif;max-width:46rem;margin:0 auto;padding:1.5rem 1rem 4rem;\
        background:var(--paper);color:var(--ink)}\
        header{border-bottom:1px solid var(--line);margin-bottom:1.5rem;padding-bottom:.75rem}\
        header a{margin-right:1rem;color:var(--soft)}header a.brand{font-weight:700;color:var(--ink);text-decoration:none}\
        a{color:var(--accent)}h1{font-size:2rem;line-height:1.2}\
        h2{font:600 1rem/1.4 ui-monospace,monospace;margin:2.5rem 0 .5rem;padding-top:1rem;border-top:1px solid var(--line);\
        overflow-wrap:anywhere}\
        code,pre{font:14px/1.5 ui-monospace,monospace}code{overflow-wrap:anywhere}\
        pre{overflow:auto;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.75rem}\
        table{display:block;overflow:auto}td{vertical-align:top;padding:.1rem 1rem .1rem 0}\
        a:focus-visible{outline:3px solid var(--accent);outline-offset:2px}";
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
         <body><header><a class=\"brand\" href=\"/\">Cat’s Cradle</a><a href=\"/play/watch\">Watch</a>\
         <a href=\"/api/docs\">API</a><a href=\"/privacy\">Privacy</a></header>\
         <main>{body}</main></body></html>",
        escaped(title)
    )
}

/// A text with the special characters of HTML escaped.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
