//! Moving a seat to another device.

use ::table::Token;
use ::table::wire::{Accepted, codes};
use game::Seat;
use serde::Deserialize;
use serde_json::json;
use wasm_bindgen::JsValue;

use super::followed::{Derived, Followed};
use super::invitation::{link_field, qr_code};
use super::reactive::{button, dynamic, single_click_button};
use super::session_handle::SessionHandle;
use super::view::{View, html};
use crate::browser::{RequestError, get_as, origin, persist, post, random, window};
use crate::language::say;
use crate::route::Route;
use crate::session::Intent;
use crate::storage;

/// What stands before the secret in the fragment of a link. Browsers do not send fragments to servers.
const FRAGMENT: &str = "#seat=";

/// The button that shows a code for another device, and the code.
pub(crate) fn another_device(handle: SessionHandle, id: String) -> View {
    let link = Followed::new(None::<((u32, u32), String)>);
    let is_player =
        Derived::new(move || handle.screen(|screen| screen.is_player && !screen.has_ended));
    // A code is of no use after the move that ends it.
    let ply = Derived::new(move || handle.screen(|screen| (screen.round, screen.ply)));
    let open = move || {
        let secret = Token::new(random());
        handle.act_now(Intent::OfferSeat(secret.digest()));
        let path = Route::Table(id.clone());
        let address = format!("{}{path}{FRAGMENT}{}", origin(), secret.reveal());
        link.set(Some((ply.get_untracked(), address)));
    };
    dynamic(move || {
        if !is_player.get() {
            return None;
        }
        let present = ply.get();
        let Some((_, shown)) = link.get().filter(|(at, _)| *at == present) else {
            let open = open.clone();
            let button =
                single_click_button("another-device", "small", say("Another device"), open);
            return Some(html("p").class("device").child(button));
        };
        let help = say(
            "Scan this with your other device. It takes over your seat, and this one only watches \
                        then. The code works once, until your next move.",
        );
        let field = link_field(&shown, &say("Link that moves your seat"));
        let close = button("", say("Close"), move || link.set(None));
        let words = html("div")
            .child(html("p").child(help))
            .child(html("p").class("link").child(field.attribute("id", "device-link")))
            .child(html("p").class("actions").child(close));
        let card = html("section").class("card invitation");
        let card = card.attribute("aria-label", &say("Another device"));
        Some(card.child(qr_code(&shown)).child(words))
    })
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

/// Takes the offered seat over with a new token, which is stored before the server hears of it. The token
/// stays where only the answer is missing: the session finds out whether the seat is ours.
pub(crate) async fn take_over(id: &str, secret: &Token) -> Result<(), RequestError> {
    let before = storage::seat(id);
    if let Some(seat) = &before
        && persist(async || holds_seat(id, &seat.token).await).await?
    {
        // A device that holds a seat needs no other token.
        return Ok(());
    }
    let token = Token::new(random());
    let (code, summary) =
        before.as_ref().map_or(("", ""), |seat| (seat.code.as_str(), seat.summary.as_str()));
    storage::save_seat(id, token.clone(), code, summary);
    let client = u64::from_be_bytes(random());
    // A repeated request has the same id, so that the seat moves once.
    let action = json!({ "id": format!("d{client:016x}:1"), "action": "take_over", "secret": secret,
        "token": token.digest() });
    let path = format!("/api/tables/{id}/actions");
    let Err(error) = persist(async || post::<Accepted>(&path, &action).await).await else {
        return Ok(());
    };
    match &error {
        undecided if undecided.is_undecided() => return Ok(()),
        // Another request of this device came first.
        RequestError::Refused(refusal) if *refusal.code() == codes::HERE => return Ok(()),
        RequestError::Refused(_) => match before {
            Some(seat) => storage::save_seat(id, seat.token, &seat.code, &seat.summary),
            None => storage::forget_seat(id),
        },
        _ => {}
    }
    Err(error)
}

/// Whether a token holds a seat at a table. It does not after the seat has moved elsewhere.
async fn holds_seat(id: &str, token: &Token) -> Result<bool, RequestError> {
    match get_as::<HeldSeat>(token, &format!("/api/tables/{id}")).await {
        Ok(held) => Ok(held.seat.is_some()),
        Err(RequestError::Refused(refusal)) if *refusal.code() == codes::BAD_TOKEN => Ok(false),
        Err(error) => Err(error),
    }
}

/// The part of a table's state that says whose it is.
#[derive(Deserialize)]
struct HeldSeat {
    #[serde(default)]
    seat: Option<Seat>,
}
