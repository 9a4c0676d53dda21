//! How to invite a friend: a link, its QR code, and a code word.

use std::time::Duration;

use leptos::prelude::*;
use qrcodegen::{QrCode, QrCodeEcc};
use table::wire::TableCode;
use wasm_bindgen_futures::JsFuture;

use super::followed::{Derived, Followed};
use super::reactive::{button, dynamic, text};
use crate::browser::{now, origin, post_as, window};
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
) -> AnyView {
    let sentence = if code.is_empty() {
        say("Waiting for an opponent. You can also send this link to a friend.")
    } else {
        say("Send this link to a friend. The first to join plays with you.")
    };
    let link = format!("{}{}", origin(), Route::Table(id.to_owned()));
    let answer = Followed::new(String::new());
    let (shown, copied) = (link.clone(), link.clone());
    let copy = button("main", say("Copy link"), move || {
        let link = copied.clone();
        leptos::task::spawn_local(async move {
            let is_copied = copy_to_clipboard(&link).await;
            answer.set(if is_copied { say("Copied.") } else { say("Please copy it by hand.") });
        });
    });
    view! {
        <section class="card invitation" aria-label=say("Invite a friend")>
            {qr_code(&link)}
            <div>
                <p>{sentence}</p>
                <p class="link"><input readonly dir="ltr" aria-label=say("Link to this table") value=shown
                    on:focus:target=move |event| event.target().select() /></p>
                <p class="actions">
                    {copy}
                    {share_button(link)}
                    {button("", say("Cancel"), cancel)}
                    {meanwhile.map(|meanwhile| button("", say("Play the computer meanwhile"), move || meanwhile.set(true)))}
                    <span role="status">{text(move || answer.get())}</span>
                </p>
                {(!code.is_empty()).then(|| code_line(id, code))}
            </div>
        </section>
    }
    .into_any()
}

/// Opens the share sheet of the system, where the browser has one.
fn share_button(link: String) -> Option<AnyView> {
    let has_sheet = js_sys::Reflect::has(&window().navigator(), &"share".into()).unwrap_or(false);
    has_sheet.then(|| {
        button("", say("Share"), move || {
            let data = web_sys::ShareData::new();
            data.set_title(&say("Play a game with me"));
            data.set_url(&link);
            // The person may close the sheet, which the browser reports as a failure.
            let shared = JsFuture::from(window().navigator().share_with_data(&data));
            leptos::task::spawn_local(async move { drop(shared.await) });
        })
    })
}

/// The code, which is renewed as long as it is shown.
fn code_line(id: &str, code: &str) -> AnyView {
    // How old the stored code is, only the server knows.
    let shown = Followed::new(ShownCode { code: code.to_owned(), until: 0 });
    let id = id.to_owned();
    let renew = move || leptos::task::spawn_local(renew(id.clone(), shown));
    renew();
    if let Ok(interval) = set_interval_with_handle(renew, RENEWAL_INTERVAL) {
        on_cleanup(move || interval.clear());
    }
    let is_expired = Derived::new(move || shown.with(|shown| shown.code.is_empty()));
    dynamic(move || {
        if is_expired.get() {
            return view! { <p>{say("The code has expired. The link still works.")}</p> }
                .into_any();
        }
        let code = text(move || shown.with(|shown| shown.code.clone()));
        view! { <p>{say("Or tell them the code:")}" "<b class="code" dir="ltr">{code}</b></p> }
            .into_any()
    })
    .into_any()
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

pub(crate) fn qr_code(link: &str) -> Option<AnyView> {
    let code = QrCode::encode_text(link, QrCodeEcc::Medium).ok()?;
    let size = code.size();
    let dark_modules = |y: i32| {
        let code = &code;
        (0..size).filter(move |x| code.get_module(*x, y)).map(move |x| format!("M{x} {y}h1v1h-1z"))
    };
    let path: String = (0..size).flat_map(dark_modules).collect();
    let frame = format!("-3 -3 {} {}", size + 6, size + 6);
    Some(
        view! {
            <svg class="qr" viewBox=frame role="img" aria-label=say("QR code of the link")>
                <path class="paper" d=format!("M-3 -3h{0}v{0}h-{0}z", size + 6) />
                <path d=path />
            </svg>
        }
        .into_any(),
    )
}
