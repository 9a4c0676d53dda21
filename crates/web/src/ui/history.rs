//! The games that the person has played in this browser.

use games::catalog;
use leptos::prelude::*;

use super::reactive::{button, dynamic, text};
use crate::route::{ReplayAddress, Route};
use crate::storage::{self, PlayedGame};

/// All games, with a search and a running record.
pub(crate) fn history() -> AnyView {
    let (games, search) = (RwSignal::new(storage::played_games()), RwSignal::new(String::new()));
    let found = Memo::new(move |_| {
        let search = search.get().to_lowercase();
        let games = games.get().into_iter();
        games.filter(|game| words(game).to_lowercase().contains(&search)).collect::<Vec<_>>()
    });
    let record = move || {
        let count = |result: &str| {
            found.with(|all| all.iter().filter(|game| game.result == result).count())
        };
        format!("Won {} · drawn {} · lost {}", count("Won"), count("Drawn"), count("Lost"))
    };
    let list = move || found.get().into_iter().map(item).collect_view();
    view! {
        <section class="table-list history">
            <h1>"Your games"</h1>
            <p id="record" role="status">{text(record)}</p>
            <label for="search">"Search by game, opponent or result"</label>
            <span class="field"><input id="search" type="search" autocomplete="off"
                on:input:target=move |event| search.set(event.target().value()) /></span>
            <ul>{dynamic(list)}</ul>
            {button("small", "Forget all games", move || {
                storage::forget_games();
                games.set(Vec::new());
            })}
            <p class="hint">"They are kept in this browser alone."</p>
        </section>
    }
    .into_any()
}

/// One line about a game.
fn words(game: &PlayedGame) -> String {
    let PlayedGame { game, against, result, .. } = game;
    let title = catalog::title(game);
    if against.is_empty() {
        format!("{title} · on one screen · {result}")
    } else {
        format!("{title} · {against} · {result}")
    }
}

fn item(game: PlayedGame) -> AnyView {
    let line = words(&game);
    let again = Route::Game(game.game.clone()).to_string();
    let replay = ReplayAddress { game: game.game, plies: game.plies, ply: None };
    view! {
        <li>
            <span>{line}</span>
            <span class="links">
                <a class="button" href=Route::Replay(replay).to_string()>"Look again"</a>
                <a class="button" href=again>"Rematch"</a>
            </span>
        </li>
    }
    .into_any()
}
