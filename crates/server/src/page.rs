//! The page for players, and what is shown where there is none.

pub(crate) mod built_in;
mod coding;
mod content;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::{IntoResponse as _, Response};

use crate::app::App;
pub use content::Content;
use content::Keeping;

/// The page for players, made elsewhere: two documents and what they load.
#[derive(Clone, Debug)]
pub struct Page {
    /// Shown at `/`.
    pub home: Content,
    /// Shown wherever else the page has something to show.
    pub table: Content,
    /// What the documents load, by path: `/assets/style-0123.css`. What is at a path never changes;
    /// something else has another path.
    pub assets: BTreeMap<&'static str, Content>,
}

/// Where the page has something to show, with everything below.
pub(crate) const ROOMS: [&str; 2] = ["/play", "/t"];

/// The home page.
pub(crate) async fn home(State(app): State<Arc<App>>, asked: HeaderMap) -> Response {
    document(app.page.as_ref().map(|page| &page.home), &asked)
}

/// Everything below the rooms.
pub(crate) async fn room(State(app): State<Arc<App>>, asked: HeaderMap) -> Response {
    document(app.page.as_ref().map(|page| &page.table), &asked)
}

fn document(document: Option<&Content>, asked: &HeaderMap) -> Response {
    match document {
        Some(document) => document.answer(asked, Keeping::AskEachTime),
        None => built_in::home().into_response(),
    }
}

/// What the documents load.
pub(crate) async fn asset(State(app): State<Arc<App>>, uri: Uri, asked: HeaderMap) -> Response {
    // Paths are compared, never opened: there is no way up from here.
    match app.page.as_ref().and_then(|page| page.assets.get(uri.path())) {
        Some(asset) => asset.answer(&asked, Keeping::ForGood),
        None => built_in::nowhere(uri).await,
    }
}
