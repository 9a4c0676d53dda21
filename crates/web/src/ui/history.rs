//! The games that the person has played in this browser.

use leptos::prelude::*;

use super::followed::{Derived, Followed};
use super::reactive::{button, dynamic, text};
use crate::language::{say, say_with};
use crate::route::{ReplayAddress, Route};
use crate::storage::{self, PlayedGame};
use crate::texts;

/// All games, with a search and a running record.
pub(crate) fn history() -> AnyView {
    let (games, search) = (Followed::new(storage::played_games()), Followed::new(String::new()));
    let found = Derived::new(move || {
        let search = search.get().to_lowercase();
        let games = games.get().into_iter();
        games.filter(|game| words(game).to_lowercase().contains(&search)).collect::<Vec<_>>()
    });
    let record = move || {
        let count = |result: &str| {
            found.with(|all| all.iter().filter(|game| game.result == result).count())
        };
        let [won, drawn, lost] = ["Won", "Drawn", "Lost"].map(|result| count(result).to_string());
        let gaps = [("won", won.as_str()), ("drawn", &drawn), ("lost", &lost)];
        say_with("Won {won} · drawn {drawn} · lost {lost}", &gaps)
    };
    let list = move || found.get().into_iter().map(item).collect_view();
    view! {
        <section class="table-list history">
            <h1>{say("Your games")}</h1>
            <p id="record" role="status">{text(record)}</p>
            <label for="search">{say("Search by game, opponent or result")}</label>
            <span class="field"><input id="search" type="search" autocomplete="off"
                on:input:target=move |event| search.set(event.target().value()) /></span>
            <ul>{dynamic(list)}</ul>
            {button("small", say("Forget all games"), move || {
                storage::forget_games();
                games.set(Vec::new());
            })}
            <p class="hint">{say("They are kept in this browser alone.")}</p>
        </section>
    }
    .into_any()
}

/// One line about a game.
fn words(game: &PlayedGame) -> String {
    let PlayedGame { game, against, result, .. } = game;
    let (title, result) = (texts::game_title(game), texts::stored_result(result));
    let against = if against.is_empty() { say("on one screen") } else { against.clone() };
    format!("{title} · {against} · {result}")
}

fn item(game: PlayedGame) -> AnyView {
    let line = words(&game);
    let again = Route::Game(game.game.clone()).to_string();
    let replay = ReplayAddress { game: game.game, plies: game.plies, ply: None };
    view! {
        <li>
            <span>{line}</span>
            <span class="links">
                <a class="button" href=Route::Replay(replay).to_string()>{say("Look again")}</a>
                <a class="button" href=again>{texts::rematch()}</a>
            </span>
        </li>
    }
    .into_any()
}
