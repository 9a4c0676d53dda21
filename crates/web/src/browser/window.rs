//! The window and what belongs to it.

use wasm_bindgen::JsCast;
use web_sys::{Document, HtmlElement, Window};

use crate::session::Now;

pub(crate) fn window() -> Window {
    web_sys::window().expect("a page has a window")
}

pub(crate) fn document() -> Document {
    window().document().expect("a window has a document")
}

/// The element with an id.
pub(crate) fn element(id: &str) -> Option<HtmlElement> {
    document().get_element_by_id(id)?.dyn_into().ok()
}

/// Reads both clocks.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "both are positive, and whole milliseconds are enough"
)]
pub(crate) fn now() -> Now {
    Now {
        since_1970: js_sys::Date::now() as u64,
        monotonic: window().performance().map_or(0.0, |clock| clock.now()) as u64,
    }
}

/// Bytes that nobody can guess.
pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("a browser with WebAssembly has randomness");
    bytes
}

/// The address of this page without its path: `https://play.example`.
pub(crate) fn origin() -> String {
    window().location().origin().unwrap_or_default()
}
