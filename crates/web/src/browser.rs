//! What the browser has: addresses, clocks, storage, requests, sockets.

mod drawer;
mod http;
mod socket;

use wasm_bindgen::JsCast;
use web_sys::{Document, HtmlElement, Window};

pub(crate) use drawer::Drawer;
pub(crate) use http::{Failed, get, post};
pub(crate) use socket::{Heard, Socket};

pub(crate) fn window() -> Window {
    web_sys::window().expect("a page has a window")
}

pub(crate) fn document() -> Document {
    window().document().expect("a window has a document")
}

pub(crate) fn by_id(id: &str) -> Option<HtmlElement> {
    document().get_element_by_id(id)?.dyn_into().ok()
}

/// Milliseconds since 1970.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is after 1970, and whole"
)]
pub(crate) fn now() -> u64 {
    js_sys::Date::now() as u64
}

/// Milliseconds on a clock that does not go back.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it begins at 0")]
pub(crate) fn ticks() -> u64 {
    window().performance().map_or(0.0, |clock| clock.now()) as u64
}

/// Bytes that nobody can guess.
pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("a browser that has WebAssembly has randomness");
    bytes
}

/// The address of this page without its path: `https://play.example`.
pub(crate) fn origin() -> String {
    window().location().origin().unwrap_or_default()
}
