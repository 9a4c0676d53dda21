//! A game whose moves are tried out: one person plays all seats, and every free square says what it is worth.

use game::{Game as _, Turn};

use super::board::{board, key_help};
use super::followed::{Followed, effect};
use super::problem::unsupported_game;
use super::reactive::{button_link, dynamic, single_click_button, text};
use super::replay::method;
use super::session_handle::SessionHandle;
use super::takebacks;
use super::view::{View, html};
use crate::browser::{now, random, window};
use crate::games_menu::GameSource;
use crate::language::say;
use crate::route::{ReplayAddress, Route};
use crate::session::LocalSession;

/// Whether moves of a game have values: one seat moves after the other, and all see the same.
pub(crate) fn is_possible(name: &str) -> bool {
    let game = GameSource::CATALOG.game(name);
    game.is_some_and(|game| !game.hides() && !matches!(game.turn(&game.start()), Turn::Several(_)))
}

/// The analysis of a game, from its start.
pub(crate) fn analysis(name: &str) -> View {
    let game = GameSource::CATALOG.game(name).filter(|_| is_possible(name));
    let Some(game) = game else { return unsupported_game(name) };
    let handle = SessionHandle::replay(LocalSession::analysis(game, random(), now()));
    let found = Followed::new(None);
    effect(move || {
        drop(handle.plies());
        found.set(None);
        handle.show_values(move |analysis| found.set(analysis));
    });
    let status = move || {
        let line = |whole: &crate::screen::TableScreen| {
            format!("{}{}", whole.status.subject, whole.status.rest)
        };
        handle.screen(line)
    };
    let is_over = move || handle.screen(|screen| screen.replay.is_some());
    let look_again = move || {
        let plies = handle.plies();
        let game = handle.screen(|screen| screen.game_name.clone());
        let address = (!plies.is_empty()).then_some(ReplayAddress { game, plies, ply: None })?;
        Some(button_link(&Route::Replay(address).to_string(), say("Look again")))
    };
    let again = || drop(window().location().reload());
    let actions = html("div")
        .class("actions")
        .child(takebacks::ask_button(handle))
        .child(dynamic(look_again))
        .child(dynamic(move || {
            is_over().then(|| single_click_button("again", "main", say("Play again"), again))
        }));
    let moves = move || {
        let moves = handle.screen(|screen| screen.other_moves.clone());
        View::list(moves.into_iter().map(|chosen| other_move(handle, chosen)))
    };
    let said = html("p").class("status").attribute("role", "status").attribute("id", "status");
    let play = html("div")
        .class("play")
        .child(html("h1").child(Route::Analysis(name.to_owned()).heading()))
        .child(board(handle))
        .child(html("div").class("actions").child(dynamic(moves)))
        .child(said.child(text(status)))
        .child(html("p").class("because").child(text(move || method(found.get().as_ref()))))
        .child(actions)
        .child(key_help(handle));
    html("div").class("table replay").child(play).into()
}

/// A move that belongs to no square, with its value.
fn other_move(handle: SessionHandle, chosen: String) -> View {
    let worth = handle.values.with(|values| {
        let value = values.iter().find(|value| value.chosen == chosen);
        value.map(|value| format!(": {}", value.words)).unwrap_or_default()
    });
    let label = format!("{chosen}{worth}");
    super::reactive::button("", label, move || handle.play(&chosen)).into()
}
