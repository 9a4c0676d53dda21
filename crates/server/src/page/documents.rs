//! The page for players, which is built elsewhere.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::{Html, IntoResponse as _, Response};
use axum::routing::get;

use super::built_in;
use super::content::{CachePolicy, Content};
use super::preview::{LinkPreview, is_for_program};
use super::preview_picture;
use crate::app::App;
use crate::client_address::ClientAddress;
use crate::middleware::EMBEDDED_POLICY;
use crate::work_pool::Payer;

/// The page for players: its documents and the assets that they load.
#[derive(Clone, Debug)]
pub struct Page {
    /// The document at `/`.
    pub home: Content,
    /// The document of tic-tac-toe in the browser, which loads less than the one of all other paths.
    pub local: Content,
    /// The document at all other paths of the page.
    pub table: Content,
    /// The document of the lab, in which rules are written and tried.
    pub lab: Content,
    /// The script at `/service-worker.js`, which keeps a copy of the page in the browser.
    pub service_worker: Content,
    /// The assets, by path: `/assets/style-0123.css`. The content of a path never changes; new content
    /// has a new path.
    pub assets: BTreeMap<&'static str, Content>,
}

/// The paths at which the page shows games and tables.
const TABLE_PATHS: [&str; 3] = ["/play", "/play/", "/play/{*rest}"];

/// The paths of single tables.
const ONE_TABLE_PATHS: [&str; 2] = ["/t/{id}", "/t/{id}/"];

/// The paths that pages of other sites may show in a frame.
const EMBEDDED_PATH: &str = "/embed/{*rest}";

/// The paths at which it shows tic-tac-toe in the browser.
const LOCAL_PATHS: [&str; 4] =
    ["/play/computer", "/play/computer/", "/play/one-screen", "/play/one-screen/"];

/// The path of the lab.
const LAB_PATHS: [&str; 2] = ["/lab", "/lab/"];

/// The home page.
pub(crate) async fn home(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    document(app.page.as_ref().map(|page| &page.home), &headers)
}

/// The page at the paths of tic-tac-toe in the browser.
async fn local(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    document(app.page.as_ref().map(|page| &page.local), &headers)
}

/// The page at the paths of games.
async fn table(
    State(app): State<Arc<App>>,
    place: Option<Path<String>>,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
) -> Response {
    let Some(page) = &app.page else { return built_in::home().into_response() };
    let preview = async || {
        let Path(place) = place?;
        LinkPreview::of_place(&app, Payer::at(address), &place).await
    };
    with_preview(&app, &page.table, &headers, preview).await
}

/// The page of one table. A program that reads it, such as a messenger, learns whose table it is.
async fn one_table(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
) -> Response {
    let Some(page) = &app.page else { return built_in::home().into_response() };
    let preview = async || LinkPreview::of_table(&app, Payer::at(address), &id).await;
    with_preview(&app, &page.table, &headers, preview).await
}

/// A document, for a program that reads it with what is shown there.
async fn with_preview(
    app: &App,
    document: &Content,
    headers: &HeaderMap,
    preview: impl AsyncFnOnce() -> Option<LinkPreview>,
) -> Response {
    if is_for_program(headers)
        && let Some(preview) = preview().await
        && let Some(text) = document.text()
    {
        let scheme = if app.has_tls || app.is_behind_proxy { "https" } else { "http" };
        let revalidate = [(header::CACHE_CONTROL, CachePolicy::Revalidate.header())];
        return (revalidate, Html(preview.put_into(text, headers, scheme))).into_response();
    }
    document.respond(headers, CachePolicy::Revalidate)
}

/// The page inside a page of another site. It only shows: nobody plays there.
async fn embedded(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    let mut response = document(app.page.as_ref().map(|page| &page.table), &headers);
    let policy = HeaderValue::from_static(EMBEDDED_POLICY);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    response
}

/// The lab.
async fn lab(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    document(app.page.as_ref().map(|page| &page.lab), &headers)
}

/// The script that keeps a copy of the page. Its address never changes, so that browsers find new
/// versions there.
async fn service_worker(State(app): State<Arc<App>>, uri: Uri, headers: HeaderMap) -> Response {
    match &app.page {
        Some(page) => page.service_worker.respond(&headers, CachePolicy::Revalidate),
        None => built_in::not_found(&uri),
    }
}

/// The routes of all documents and of the service worker.
pub(crate) fn document_routes() -> Router<Arc<App>> {
    let mut routes = Router::new();
    for path in TABLE_PATHS {
        routes = routes.route(path, get(table));
    }
    for path in LOCAL_PATHS {
        routes = routes.route(path, get(local));
    }
    for path in ONE_TABLE_PATHS {
        routes = routes.route(path, get(one_table));
    }
    for path in LAB_PATHS {
        routes = routes.route(path, get(lab));
    }
    let routes = routes
        .route("/preview/table/{id}", get(preview_picture::table))
        .route("/preview/game/{name}", get(preview_picture::game))
        .route("/preview/replay/{game}/{plies}", get(preview_picture::replay))
        .route("/preview/replay/{game}/{plies}/{ply}", get(preview_picture::replay_at));
    let routes = routes.route(EMBEDDED_PATH, get(embedded));
    routes.route("/service-worker.js", get(service_worker))
}

fn document(document: Option<&Content>, headers: &HeaderMap) -> Response {
    match document {
        Some(document) => document.respond(headers, CachePolicy::Revalidate),
        None => built_in::home().into_response(),
    }
}

/// The response where there is no such page or resource: the page for players, if it is part of this
/// build, says so in its own look.
pub(crate) async fn not_found(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    match app.page.as_ref().filter(|_| !built_in::is_api(&uri)) {
        Some(page) => page.table.respond_not_found(&headers),
        None => built_in::not_found(&uri),
    }
}

/// An asset of the page.
pub(crate) async fn asset(State(app): State<Arc<App>>, uri: Uri, headers: HeaderMap) -> Response {
    // Paths are only looked up, never opened as files, so `..` leads nowhere.
    match app.page.as_ref().and_then(|page| page.assets.get(uri.path())) {
        Some(asset) => asset.respond(&headers, CachePolicy::Immutable),
        None => built_in::not_found(&uri),
    }
}
