//! The window and what belongs to it.

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Document, HtmlElement, Window};

use crate::language::{Language, speak};
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

/// Speaks the language of the document. `boot.js` has loaded its sentences.
pub(crate) fn speak_as_document() {
    let root = document().document_element();
    let code = root.and_then(|root| root.get_attribute("lang")).unwrap_or_default();
    let texts = js_sys::Reflect::get(&js_sys::global(), &"cradleTexts".into());
    let texts = texts.unwrap_or(JsValue::UNDEFINED);
    let find = move |english: &str| js_sys::Reflect::get(&texts, &english.into()).ok()?.as_string();
    speak(Language::of(&code), Box::new(find));
}

/// The English sentences whose translations the document has.
pub(crate) fn catalogue_keys() -> Vec<String> {
    let texts = js_sys::Reflect::get(&js_sys::global(), &"cradleTexts".into());
    let texts = texts.ok().and_then(|texts| texts.dyn_into::<js_sys::Object>().ok());
    let keys = texts.map(|texts| js_sys::Object::keys(&texts)).unwrap_or_default();
    keys.iter().filter_map(|key| key.as_string()).collect()
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

/// Waits.
pub(crate) async fn pause(milliseconds: i32) {
    let promise = js_sys::Promise::new(&mut |resolve, _reject| {
        drop(
            window().set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, milliseconds),
        );
    });
    drop(JsFuture::from(promise).await);
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
