//! The games that the person has played in this browser.

use super::followed::{Derived, Followed};
use super::reactive::{button, button_link, dynamic, text};
use super::view::{Element, View, html, input_of};
use crate::language::{say, say_with};
use crate::route::{ReplayAddress, Route};
use crate::storage::{self, PlayedGame};
use crate::texts;

/// All games, with a search and a running record.
pub(crate) fn history() -> View {
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
    let list = move || View::list(found.get().into_iter().map(item));
    let forget = button("small", say("Forget all games"), move || {
        storage::forget_games();
        games.set(Vec::new());
    });
    let field = html("input").attribute("id", "search").attribute("type", "search");
    let field = field.attribute("autocomplete", "off").on("input", move |event| {
        search.set(input_of(&event).map(|input| input.value()).unwrap_or_default());
    });
    let label = html("label").attribute("for", "search");
    html("section")
        .class("table-list history")
        .child(html("h1").child(say("Your games")))
        .child(html("p").attribute("id", "record").attribute("role", "status").child(text(record)))
        .child(label.child(say("Search by game, opponent or result")))
        .child(html("span").class("field").child(field))
        .child(html("ul").child(dynamic(list)))
        .child(forget)
        .child(html("p").class("hint").child(say("They are kept in this browser alone.")))
        .into()
}

/// One line about a game.
fn words(game: &PlayedGame) -> String {
    let PlayedGame { game, against, result, .. } = game;
    let (title, result) = (texts::game_title(game), texts::stored_result(result));
    let against = if against.is_empty() { say("on one screen") } else { against.clone() };
    format!("{title} · {against} · {result}")
}

fn item(game: PlayedGame) -> Element {
    let line = words(&game);
    let again = Route::Game(game.game.clone()).to_string();
    let replay = ReplayAddress { game: game.game, plies: game.plies, ply: None };
    let links = html("span")
        .class("links")
        .child(button_link(&Route::Replay(replay).to_string(), say("Look again")))
        .child(button_link(&again, texts::rematch()));
    html("li").child(html("span").child(line)).child(links)
}
