//! Moving a seat to another device.

use ::table::Token;
use ::table::wire::Accepted;
use leptos::prelude::*;
use serde_json::json;
use wasm_bindgen::JsValue;

use super::invitation::qr_code;
use super::reactive::{button, dynamic, single_click_button};
use super::session_handle::SessionHandle;
use crate::browser::{RequestError, origin, post, random, window};
use crate::language::say;
use crate::route::Route;
use crate::session::Intent;
use crate::storage;

/// What stands before the secret in the fragment of a link. Browsers do not send fragments to servers.
const FRAGMENT: &str = "#seat=";

/// The button that shows a code for another device, and the code.
pub(crate) fn another_device(handle: SessionHandle, id: String) -> AnyView {
    let link = RwSignal::new(None::<String>);
    let is_player =
        Memo::new(move |_| handle.screen(|screen| screen.is_player && !screen.has_ended));
    // A code is of no use after the move that ends it.
    let ply = Memo::new(move |_| handle.screen(|screen| (screen.round, screen.ply)));
    Effect::new(move |_| {
        ply.track();
        link.set(None);
    });
    let open = move || {
        let secret = Token::new(random());
        handle.act(Intent::OfferSeat(secret.digest()));
        let path = Route::Table(id.clone());
        link.set(Some(format!("{}{path}{FRAGMENT}{}", origin(), secret.reveal())));
    };
    let view = dynamic(move || {
        if !is_player.get() {
            return None;
        }
        let Some(shown) = link.get() else {
            let open = open.clone();
            let button =
                single_click_button("another-device", "small", say("Another device"), open);
            return Some(view! { <p class="device">{button}</p> }.into_any());
        };
        let help = say(
            "Scan this with your other device. It takes over your seat, and this one only watches \
                        then. The code works once, until your next move.",
        );
        let card = view! {
            <section class="card invitation" aria-label=say("Another device")>
                {qr_code(&shown)}
                <div>
                    <p>{help}</p>
                    <p class="link"><input readonly id="device-link" aria-label=say("Link that moves your seat") value=shown
                        on:focus:target=move |event| event.target().select() /></p>
                    <p class="actions">{button("", say("Close"), move || link.set(None))}</p>
                </div>
            </section>
        };
        Some(card.into_any())
    });
    view.into_any()
}

/// The secret in the address, if it has one. It leaves the address bar and the history at once.
pub(crate) fn take_secret() -> Option<Token> {
    let hash = window().location().hash().ok()?;
    let secret = hash.strip_prefix(FRAGMENT)?.parse().ok();
    let path = window().location().pathname().ok()?;
    if let Ok(history) = window().history() {
        drop(history.replace_state_with_url(&JsValue::NULL, "", Some(&path)));
    }
    secret
}

/// Takes the offered seat over with a new token, which is stored before the server hears of it.
pub(crate) async fn take_over(id: &str, secret: &Token) -> Result<(), RequestError> {
    // A device that holds the seat already needs no other token.
    if storage::seat(id).is_some() {
        return Ok(());
    }
    let token = storage::seat_token(id, "").digest();
    let client = u64::from_be_bytes(random());
    let action = json!({
        "id": format!("d{client:016x}:1"), "action": "take_over", "secret": secret, "token": token });
    let path = format!("/api/tables/{id}/actions");
    let answer = match post::<Accepted>(&path, &action).await {
        Err(RequestError::Unreachable) => post::<Accepted>(&path, &action).await,
        answer => answer,
    };
    if matches!(answer, Err(RequestError::Refused(_))) {
        storage::forget_seat(id);
    }
    answer.map(drop)
}
