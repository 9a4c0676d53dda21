//! Tables in this browser.

use game::{AnyGame, Seat};
use table::Options;

use super::problem::{WAYS_OUT, problem, unsupported_game};
use super::session_handle::SessionHandle;
use super::table::table;
use super::view::View;
use crate::browser::{now, random};
use crate::games_menu::{self, GameSource};
use crate::language::{say, say_rule, say_with};
use crate::route::Route;
use crate::session::LocalSession;
use crate::storage::{self, Preferences};

/// A game against the computer.
pub(crate) fn against_computer(games: GameSource, name: &str) -> View {
    let Preferences { level, is_second, .. } = Preferences::load();
    let seat = if is_second { Seat::FIRST } else { Seat::SECOND };
    let computer = Some(games_menu::level(games, name, seat, &level).to_string());
    let computers = if is_second { vec![computer, None] } else { vec![None, computer] };
    let heading = Route::Computer(name.to_owned()).heading();
    play(games, name, Options { computers, ..Options::default() }, heading)
}

/// A game of two people on this screen.
pub(crate) fn on_one_screen(games: GameSource, name: &str) -> View {
    play(games, name, Options::default(), Route::OneScreen(name.to_owned()).heading())
}

/// Continues the stored game with these options, or starts a new one.
fn play(games: GameSource, name: &str, options: Options, heading: String) -> View {
    let is_shared = options.computers.is_empty();
    let game = games.game(name);
    // People who share a screen would see what the game hides.
    let Some(game) = game.filter(|game| !(is_shared && game::Game::hides(game))) else {
        return unsupported_game(name);
    };
    match session(&game, options) {
        Ok(session) => {
            let handle = SessionHandle::local(session);
            handle.follow_other_tabs(game);
            table(handle, heading, View::nothing(), View::nothing())
        }
        Err(error) => {
            let reason = say_rule(&error.to_string());
            let sentence = say_with("{reason}. Choose another level.", &[("reason", &reason)]);
            problem(say("The computer cannot play at this level."), sentence, WAYS_OUT)
        }
    }
}

fn session(game: &AnyGame, options: Options) -> Result<LocalSession, table::AutomaticError> {
    let saved = storage::saved_table(&game::Game::name(game), &options);
    let restored = saved.and_then(|saved| LocalSession::restore(game.clone(), saved));
    restored.map_or_else(|| LocalSession::new(game.clone(), options, random(), now()), Ok)
}
