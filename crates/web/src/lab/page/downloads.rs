//! Files that the lab offers for download.

use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CanvasRenderingContext2d, HtmlAnchorElement, HtmlCanvasElement, HtmlImageElement};

use crate::browser::document;

/// Offers a text as a file.
pub(super) fn offer(name: &str, kind: &str, contents: &str) {
    save(name, &data_address(kind, contents));
}

fn data_address(kind: &str, contents: &str) -> String {
    let contents = String::from(js_sys::encode_uri_component(contents));
    format!("data:{kind};charset=utf-8,{contents}")
}

fn save(name: &str, address: &str) {
    let Ok(link) = document().create_element("a") else { return };
    let link: HtmlAnchorElement = link.unchecked_into();
    link.set_href(address);
    link.set_download(name);
    link.click();
}

/// Offers an SVG picture as PNG, twice as large so that it is sharp.
pub(super) fn offer_png(name: &str, picture: &str) {
    let Ok(image) = HtmlImageElement::new() else { return };
    let (name, drawn) = (name.to_owned(), image.clone());
    let loaded = Closure::once_into_js(move || {
        if let Some(address) = painted(&drawn) {
            save(&name, &address);
        }
    });
    image.set_onload(Some(loaded.unchecked_ref()));
    image.set_src(&data_address("image/svg+xml", picture));
}

/// The image as the address of a PNG.
fn painted(image: &HtmlImageElement) -> Option<String> {
    let canvas = document().create_element("canvas").ok()?;
    let canvas: HtmlCanvasElement = canvas.unchecked_into();
    canvas.set_width(image.natural_width() * 2);
    canvas.set_height(image.natural_height() * 2);
    let context: JsValue = canvas.get_context("2d").ok()??.into();
    let context: CanvasRenderingContext2d = context.unchecked_into();
    context.scale(2.0, 2.0).ok()?;
    context.draw_image_with_html_image_element(image, 0.0, 0.0).ok()?;
    canvas.to_data_url().ok()
}
