//! How to bring a friend: a link, a picture of it, and a word to say aloud.

use leptos::prelude::*;
use qrcodegen::{QrCode, QrCodeEcc};
use wasm_bindgen_futures::JsFuture;

use super::live::{button, text};
use crate::browser::{origin, window};
use crate::place::Place;

/// How to bring a friend to a table. Tables of quick matches have no code: there somebody comes by
/// themselves.
pub(crate) fn invitation(id: &str, code: &str) -> AnyView {
    let sentence = if code.is_empty() {
        "Waiting for whoever comes next. You can also send this link to a friend."
    } else {
        "Send this link to a friend: whoever sits down first plays with you."
    };
    let link = format!("{}{}", origin(), Place::Table(id.to_owned()));
    let copied = RwSignal::new("");
    let (shown, copy) = (link.clone(), link.clone());
    let copy = button("main", "Copy the link", move || {
        let link = copy.clone();
        leptos::task::spawn_local(async move {
            let is_done = put_on_clipboard(&link).await;
            copied.set(if is_done { "Copied." } else { "Copy it by hand, please." });
        });
    });
    view! {
        <section class="card invitation" aria-label="Invite a friend">
            {picture(&link)}
            <div>
                <p>{sentence}</p>
                <p class="link"><input readonly aria-label="Link to this table" value=shown
                    on:focus:target=move |event| event.target().select() /></p>
                <p class="actions">
                    {copy}
                    <span role="status">{text(move || copied.get().to_owned())}</span>
                </p>
                {(!code.is_empty()).then(|| view! {
                    <p>"Or say this word: " <b class="code">{code.to_owned()}</b></p>
                })}
            </div>
        </section>
    }
    .into_any()
}

/// Whether the browser could do so: it has no clipboard for pages that come without TLS, and may ask.
async fn put_on_clipboard(text: &str) -> bool {
    let clipboard = window().navigator().clipboard();
    !clipboard.is_undefined() && JsFuture::from(clipboard.write_text(text)).await.is_ok()
}

/// A link as a QR code.
fn picture(link: &str) -> Option<AnyView> {
    let code = QrCode::encode_text(link, QrCodeEcc::Medium).ok()?;
    let size = code.size();
    let dark = |y: i32| {
        let code = &code;
        (0..size).filter(move |x| code.get_module(*x, y)).map(move |x| format!("M{x} {y}h1v1h-1z"))
    };
    let path: String = (0..size).flat_map(dark).collect();
    let frame = format!("-3 -3 {} {}", size + 6, size + 6);
    Some(
        view! {
            <svg class="qr" viewBox=frame role="img" aria-label="QR code of the link">
                <path class="paper" d=format!("M-3 -3h{0}v{0}h-{0}z", size + 6) />
                <path d=path />
            </svg>
        }
        .into_any(),
    )
}
