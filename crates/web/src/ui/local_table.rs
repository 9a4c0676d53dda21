//! Tables in this browser.

use leptos::prelude::*;
use table::Options;

use super::problem::{WAYS_OUT, problem, unsupported_game};
use super::session_handle::SessionHandle;
use super::table::table;
use crate::browser::{now, random};
use crate::session::LocalSession;
use crate::storage::{self, Preferences};

/// The game of new tables.
pub(crate) const GAME: &str = "tic-tac-toe";

/// A game against the computer.
pub(crate) fn against_computer() -> AnyView {
    let Preferences { level, is_second, .. } = Preferences::load();
    let computers = if is_second { vec![Some(level), None] } else { vec![None, Some(level)] };
    play(Options { computers, ..Options::default() })
}

/// A game of two people on this screen.
pub(crate) fn on_one_screen() -> AnyView {
    play(Options::default())
}

/// Continues the stored game with these options, or starts a new one.
fn play(options: Options) -> AnyView {
    let Ok(game) = games::catalog::game(GAME) else {
        return unsupported_game(GAME);
    };
    let saved = storage::saved_table(&options);
    let restored = saved.and_then(|saved| LocalSession::restore(game.clone(), saved));
    match restored.map_or_else(|| LocalSession::new(game, options, random(), now()), Ok) {
        Ok(session) => table(SessionHandle::local(session), ().into_any()),
        Err(error) => {
            let sentence = format!("{error}. Choose another level.");
            problem("The computer cannot play at this level.", &sentence, WAYS_OUT)
        }
    }
}
