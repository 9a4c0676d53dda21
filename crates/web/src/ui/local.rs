//! Tables in this browser.

use leptos::prelude::*;
use table::Options;

use super::seated::{Keep, Seated};
use super::table::table;
use super::trouble::{WAYS_OUT, trouble, unknown_game};
use crate::browser::{now, random};
use crate::kept::{self, OwnGame, Person};
use crate::sitting::Local;

/// What is played.
pub(crate) const GAME: &str = "tic-tac-toe";

/// Against a computer player.
pub(crate) fn against_the_computer() -> AnyView {
    let Person { level, is_second, .. } = Person::kept();
    let is_same = |own: &OwnGame| own.level == level && own.is_second == is_second;
    let own = kept::own_game("computer").filter(is_same);
    let computer = Some(level.clone());
    let computers = if is_second { vec![computer, None] } else { vec![None, computer] };
    begin("computer", own, Options { computers, ..Options::default() }, (level, is_second))
}

/// Two people on this screen.
pub(crate) fn on_one_screen() -> AnyView {
    begin("one-screen", kept::own_game("one-screen"), Options::default(), (String::new(), false))
}

/// Goes on with a game that was kept, or begins a new one.
fn begin(
    key: &'static str,
    own: Option<OwnGame>,
    options: Options,
    (level, is_second): (String, bool),
) -> AnyView {
    let Ok(game) = games::catalog::game(GAME) else {
        return unknown_game(GAME);
    };
    let kept = own.and_then(|own| {
        let secret = own.saved.secret();
        Local::restored(game.clone(), own.saved).map(|local| (local, secret))
    });
    let secret = random();
    let found = kept
        .map_or_else(|| Local::new(game, options, secret, now()).map(|local| (local, secret)), Ok);
    match found {
        Ok((local, secret)) => {
            let keep = Keep::Here { key, level, is_second, secret };
            table(Seated::here(local, keep), ().into_any())
        }
        Err(error) => {
            let sentence = format!("{error}. Choose another level.");
            trouble("The computer cannot play like that.", &sentence, WAYS_OUT)
        }
    }
}
