//! The check of what chance drew, once a table has ended.

use ::table::{Entry, check_draws};
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Deserialize;

use super::reactive::{dynamic, single_click_button, text};
use super::session_handle::SessionHandle;
use crate::browser::{RequestError, get};
use crate::language::say;
use crate::screen::RoundPhase;
use crate::session::Intent;
use crate::texts::agreements;

/// The button that ends a table where chance has drawn, and the result of the check after that.
pub(crate) fn fairness(handle: SessionHandle, id: String) -> AnyView {
    let has_ended = Memo::new(move |_| handle.screen(|screen| screen.has_ended));
    let can_end = Memo::new(move |_| {
        handle.screen(|screen| {
            let is_over = matches!(screen.phase, RoundPhase::Won | RoundPhase::Drawn);
            screen.is_player && screen.has_drawn && is_over && !screen.has_ended
        })
    });
    let view = dynamic(move || {
        if has_ended.get() {
            return Some(result(handle, id.clone()));
        }
        let end = move || handle.act_now(Intent::End);
        let label = || say("End the table and check the draws");
        let button = can_end.get().then(|| single_click_button("end-table", "small", label(), end));
        button.map(|button| view! { <p class="device">{button}</p> }.into_any())
    });
    view.into_any()
}

fn result(handle: SessionHandle, id: String) -> AnyView {
    let sentence = RwSignal::new(say("Checking the draws …"));
    spawn_local(async move {
        let game = handle.screen_now(|screen| screen.game_name.clone()).unwrap_or_default();
        let game = games::catalog::game_without_searches(&game);
        let told = match (game, log(&id).await) {
            (Ok(game), Ok(log)) => agreements::draws(&check_draws(game, &log)),
            _ => say("The log of this table cannot be read. Reload the page to check again."),
        };
        drop(sentence.try_set(told));
    });
    view! { <p class="watching" role="status" id="draws">{text(move || sentence.get())}</p> }
        .into_any()
}

/// A page of a log.
#[derive(Deserialize)]
struct LogPart {
    version: u64,
    entries: Vec<Entry>,
}

/// The pages that are read before the check gives up: as many as a long table has.
const MOST_PAGES: u32 = 200;

/// The whole log. The seed may follow the end by a moment.
async fn log(id: &str) -> Result<Vec<Entry>, RequestError> {
    let mut log: Vec<Entry> = Vec::new();
    for _ in 0..MOST_PAGES {
        let path = format!("/api/tables/{id}/log?from={}", log.len());
        let LogPart { version, entries } = get(&path).await?;
        log.extend(entries);
        let is_revealed = log.last().is_some_and(|entry| entry.body.kind() == "seed_revealed");
        if is_revealed || log.len() as u64 > version {
            break;
        }
    }
    Ok(log)
}
