//! The check of what chance drew, once a table has ended.

use ::table::{Entry, check_draws};
use game::Game as _;
use serde::Deserialize;
use wasm_bindgen_futures::spawn_local;

use super::followed::{Derived, Followed};
use super::reactive::{dynamic, single_click_button, text};
use super::session_handle::SessionHandle;
use super::view::{View, html};
use crate::browser::{RequestError, get, pause};
use crate::language::say;
use crate::screen::RoundPhase;
use crate::session::Intent;
use crate::texts::agreements;

/// The button that ends a table where chance has drawn, and the result of the check after that.
pub(crate) fn fairness(handle: SessionHandle, id: String) -> View {
    let has_ended = Derived::new(move || handle.screen(|screen| screen.has_ended));
    let can_end = Derived::new(move || {
        handle.screen(|screen| {
            let is_over = matches!(screen.phase, RoundPhase::Won | RoundPhase::Drawn);
            screen.is_player && screen.has_drawn && is_over && !screen.has_ended
        })
    });
    dynamic(move || {
        if has_ended.get() {
            return Some(result(handle, id.clone()));
        }
        let end = move || handle.act_now(Intent::End);
        let label = || say("End the table and check the draws");
        let button = can_end.get().then(|| single_click_button("end-table", "small", label(), end));
        button.map(|button| html("p").class("device").child(button).into())
    })
}

fn result(handle: SessionHandle, id: String) -> View {
    let sentence = Followed::new(say("Checking the draws …"));
    spawn_local(async move {
        let game = handle.screen_now(|screen| screen.game_name.clone()).unwrap_or_default();
        let game = games::catalog::game_without_searches(&game);
        let told = match game {
            Ok(game) if game.hides() => agreements::hidden_draws(),
            Ok(game) => match log(&id).await {
                Ok(log) => agreements::draws(&check_draws(game, &log)),
                Err(_) => unreadable_log(),
            },
            Err(_) => unreadable_log(),
        };
        sentence.set(told);
    });
    let told = html("p").class("watching").attribute("role", "status").attribute("id", "draws");
    told.child(text(move || sentence.get())).into()
}

fn unreadable_log() -> String {
    say("The log of this table cannot be read. Reload the page to check again.")
}

/// A page of a log.
#[derive(Deserialize)]
struct LogPart {
    entries: Vec<Entry>,
}

/// How often the check waits for the seed, and for how many milliseconds.
const MOST_PAUSES: u32 = 20;
const PAUSE: i32 = 250;

/// The whole log. The seed may follow the end by a moment.
async fn log(id: &str) -> Result<Vec<Entry>, RequestError> {
    let mut log: Vec<Entry> = Vec::new();
    let mut pauses = 0;
    loop {
        let path = format!("/api/tables/{id}/log?from={}", log.len());
        let LogPart { entries } = get(&path).await?;
        let is_revealed = entries.iter().any(|entry| entry.body.kind() == "seed_revealed");
        let is_end = entries.is_empty();
        log.extend(entries);
        if is_revealed || pauses == MOST_PAUSES {
            return Ok(log);
        }
        if is_end {
            pauses += 1;
            pause(PAUSE).await;
        }
    }
}
