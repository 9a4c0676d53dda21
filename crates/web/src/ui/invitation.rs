//! How to invite a friend: a link, its QR code, and a code word.

use std::time::Duration;

use qrcodegen::{QrCode, QrCodeEcc};
use table::wire::TableCode;
use wasm_bindgen_futures::{JsFuture, spawn_local};

use super::followed::{Derived, Followed, keep};
use super::reactive::{button, dynamic, text};
use super::view::{Element, View, html, input_of, svg};
use crate::browser::{BrowserTimer, now, origin, post_as, window};
use crate::language::say;
use crate::route::Route;
use crate::storage;

/// The invitation to a table. A quick match has no code: the server finds the opponent, and the person can
/// play the computer `meanwhile`.
pub(crate) fn invitation(
    id: &str,
    code: &str,
    meanwhile: Option<Followed<bool>>,
    cancel: impl Fn() + 'static,
) -> View {
    let sentence = if code.is_empty() {
        say("Waiting for an opponent. You can also send this link to a friend.")
    } else {
        say("Send this link to a friend. The first to join plays with you.")
    };
    let link = format!("{}{}", origin(), Route::Table(id.to_owned()));
    let answer = Followed::new(String::new());
    let copied = link.clone();
    let copy = button("main", say("Copy link"), move || {
        let link = copied.clone();
        spawn_local(async move {
            let is_copied = copy_to_clipboard(&link).await;
            answer.set(if is_copied { say("Copied.") } else { say("Please copy it by hand.") });
        });
    });
    let meanwhile = meanwhile.map(|meanwhile| {
        button("", say("Play the computer meanwhile"), move || meanwhile.set(true))
    });
    let field = link_field(&link, &say("Link to this table")).attribute("dir", "ltr");
    let card = html("section").class("card invitation");
    let card = card.attribute("aria-label", &say("Invite a friend")).child(qr_code(&link));
    let actions = html("p")
        .class("actions")
        .child(copy)
        .child(share_button(link))
        .child(button("", say("Cancel"), cancel))
        .child(meanwhile)
        .child(html("span").attribute("role", "status").child(text(move || answer.get())));
    let words = html("div")
        .child(html("p").child(sentence))
        .child(html("p").class("link").child(field))
        .child(actions)
        .child((!code.is_empty()).then(|| code_line(id, code)));
    card.child(words).into()
}

/// A field with a link, which is selected when it gets the focus.
pub(crate) fn link_field(link: &str, label: &str) -> Element {
    let field = html("input").flag("readonly", true).attribute("aria-label", label);
    field.attribute("value", link).on("focus", |event| {
        if let Some(field) = input_of(&event) {
            field.select();
        }
    })
}

/// Opens the share sheet of the system, where the browser has one.
fn share_button(link: String) -> Option<Element> {
    let has_sheet = js_sys::Reflect::has(&window().navigator(), &"share".into()).unwrap_or(false);
    has_sheet.then(|| {
        button("", say("Share"), move || {
            let data = web_sys::ShareData::new();
            data.set_title(&say("Play a game with me"));
            data.set_url(&link);
            // The person may close the sheet, which the browser reports as a failure.
            let shared = JsFuture::from(window().navigator().share_with_data(&data));
            spawn_local(async move { drop(shared.await) });
        })
    })
}

/// The code, which is renewed as long as it is shown.
fn code_line(id: &str, code: &str) -> View {
    // How old the stored code is, only the server knows.
    let shown = Followed::new(ShownCode { code: code.to_owned(), until: 0 });
    let id = id.to_owned();
    let renew = move || spawn_local(renew(id.clone(), shown));
    renew();
    keep(BrowserTimer::every(RENEWAL_INTERVAL, renew));
    let is_expired = Derived::new(move || shown.with(|shown| shown.code.is_empty()));
    dynamic(move || {
        if is_expired.get() {
            return html("p").child(say("The code has expired. The link still works."));
        }
        let code = text(move || shown.with(|shown| shown.code.clone()));
        let code = html("b").class("code").attribute("dir", "ltr").child(code);
        html("p").child(say("Or tell them the code:")).child(" ").child(code)
    })
}

/// A code on the screen. It is empty when it has expired.
#[derive(Clone, Debug)]
struct ShownCode {
    code: String,
    /// In milliseconds since 1970.
    until: u64,
}

/// How often a code is renewed. The server writes nothing as long as the code is new.
const RENEWAL_INTERVAL: Duration = Duration::from_mins(1);

/// Renews a code, and notices when it has expired because the server does not answer.
async fn renew(id: String, shown: Followed<ShownCode>) {
    let Some(seat) = storage::seat(&id) else { return };
    let renewed = post_as::<TableCode>(&seat.token, &format!("/api/tables/{id}/code")).await;
    let now = now().since_1970;
    // The invitation may have gone in the meantime.
    shown.update(|shown| match renewed {
        Ok(TableCode { code, valid_for }) => {
            *shown = ShownCode { code, until: now.saturating_add(valid_for) };
        }
        Err(_) if now >= shown.until => shown.code.clear(),
        Err(_) => {}
    });
}

/// Whether the text was copied. Browsers have no clipboard for pages without TLS, and may ask first.
pub(crate) async fn copy_to_clipboard(text: &str) -> bool {
    let clipboard = window().navigator().clipboard();
    !clipboard.is_undefined() && JsFuture::from(clipboard.write_text(text)).await.is_ok()
}

pub(crate) fn qr_code(link: &str) -> Option<Element> {
    let code = QrCode::encode_text(link, QrCodeEcc::Medium).ok()?;
    let size = code.size();
    let dark_modules = |y: i32| {
        let code = &code;
        (0..size).filter(move |x| code.get_module(*x, y)).map(move |x| format!("M{x} {y}h1v1h-1z"))
    };
    let path: String = (0..size).flat_map(dark_modules).collect();
    let frame = format!("-3 -3 {} {}", size + 6, size + 6);
    let paper = format!("M-3 -3h{0}v{0}h-{0}z", size + 6);
    let drawing = svg("svg").class("qr").attribute("viewBox", &frame).attribute("role", "img");
    let drawing = drawing.attribute("aria-label", &say("QR code of the link"));
    let paper = svg("path").class("paper").attribute("d", &paper);
    Some(drawing.child(paper).child(svg("path").attribute("d", &path)))
}
