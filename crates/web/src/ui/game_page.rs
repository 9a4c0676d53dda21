//! The list of all games, and the page of each: what it is, how it is played, and how to start.

use game::{Game as _, Seat};
use wasm_bindgen_futures::spawn_local;

use super::analysis;
use super::drawing::{self, BoardGeometry};
use super::followed::Followed;
use super::navigator::Navigator;
use super::reactive::dynamic;
use super::view::{Element, View, html, svg};
use crate::browser::exchange;
use crate::games_menu::{self, GameSource, OfferedGame};
use crate::json::JsonValue;
use crate::language::{say, say_rule};
use crate::route::Route;
use crate::screen::BoardScreen;
use crate::small_board::SmallBoard;
use crate::storage::Preferences;
use crate::texts;

/// All games, each with a small picture of its board.
pub(crate) fn all_games(navigator: Navigator) -> View {
    let view = dynamic(move || {
        (navigator.route() == Route::Home)
            .then(|| View::list(games_menu::offered_games().into_iter().map(game_link)))
    });
    View::List(vec![view, server_games(navigator)])
}

/// The games that the server has beside those of the catalog, as texts.
fn server_games(navigator: Navigator) -> View {
    let names = Followed::new(Vec::<String>::new());
    spawn_local(async move {
        // Without a server there are none.
        let answer = exchange("/api/games", None).await;
        let Some(answer) = answer.and_then(|(_, text)| JsonValue::read(&text)) else { return };
        let all = answer.get("games").items().iter().filter_map(|game| game.text_of("name"));
        let is_text = |name: &String| OfferedGame::listed(name).is_none();
        names.set(all.filter(is_text).collect());
    });
    dynamic(move || {
        (navigator.route() == Route::Home).then(|| {
            let link = |name: String| {
                let address = Route::Game(name.clone()).to_string();
                let title = name.split('@').next().unwrap_or(&name).to_owned();
                picture_link(&address, drawing::cards(), title)
            };
            View::list(names.get().into_iter().map(link))
        })
    })
}

fn game_link(game: OfferedGame) -> Element {
    let OfferedGame { name, title, .. } = game;
    let address = Route::Game(name.clone()).to_string();
    picture_link(&address, small_picture(&name), title)
}

fn picture_link(address: &str, picture: Element, title: String) -> Element {
    let board = html("span").class("small-board").attribute("aria-hidden", "true").child(picture);
    let link = html("a").class("game-link").attribute("href", address);
    html("li").child(link.child(board).child(html("span").child(title)))
}

/// The page of a game.
pub(crate) fn game_page(name: &str) -> View {
    let Some(game) = OfferedGame::find(name) else { return server_game_page(name) };
    let hides = games::catalog::game_without_searches(name).is_ok_and(|game| game.hides());
    let to = |route: fn(String) -> Route| route(name.to_owned()).to_string();
    // Two people at one screen would see what the game hides.
    let one_screen = (!hides)
        .then(|| tile(&to(Route::OneScreen), say("One screen"), say("Pass it back and forth")));
    let analyse = analysis::is_possible(name)
        .then(|| tile(&to(Route::Analysis), say("Analyse"), say("See what every move is worth")));
    let computer = html("a").attribute("href", &to(Route::Computer));
    let computer = computer.child(html("b").child(say("Play the computer")));
    let computer = computer.child(html("span").child(say("Starts at once")));
    let tiles = html("div")
        .class("tiles")
        .child(html("div").class("tile first").child(computer).child(choosers(name)))
        .child(friend_tile(&to(Route::Friend)))
        .child(match_tile(&to(Route::QuickMatch)))
        .child(one_screen)
        .child(analyse)
        .child(tile(&Route::Watch.to_string(), say("Watch"), say("Tables in play")));
    page_of(small_picture(name), game.title, say_rule(game.how_to_play), tiles)
}

fn page_of(picture: Element, title: String, lead: String, tiles: Element) -> View {
    let picture = html("div").class("game-picture").attribute("aria-hidden", "true").child(picture);
    let words = html("div")
        .child(html("h1").attribute("tabindex", "-1").child(title))
        .child(html("p").class("lead").child(lead))
        .child(tiles);
    html("section").class("game-page").child(picture).child(words).into()
}

/// The page of a game that only the server has.
fn server_game_page(name: &str) -> View {
    let to = |route: fn(String) -> Route| route(name.to_owned()).to_string();
    let title = name.split('@').next().unwrap_or(name).to_owned();
    let lead = say("The rules of this game are a text on this server, and the server plays by it.");
    let tiles = html("div").class("tiles").child(friend_tile(&to(Route::Friend)));
    page_of(drawing::cards(), title, lead, tiles.child(match_tile(&to(Route::QuickMatch))))
}

fn friend_tile(address: &str) -> Element {
    tile(address, say("Play a friend"), say("Send a link, a QR code or a code word"))
}

fn match_tile(address: &str) -> Element {
    tile(address, say("Quick match"), say("Meet whoever comes next"))
}

fn tile(address: &str, title: String, sentence: String) -> Element {
    let tile = html("a").class("tile").attribute("href", address);
    tile.child(html("b").child(title)).child(html("span").child(sentence))
}

/// The choice of a level and a side.
fn choosers(name: &str) -> Element {
    let Preferences { level, is_second, .. } = Preferences::load();
    let computer = if is_second { Seat::FIRST } else { Seat::SECOND };
    let games = GameSource::CATALOG;
    let chosen = games_menu::level(games, name, computer, &level);
    let levels = games_menu::levels(games, name, computer).into_iter().map(|kind| {
        let (label, is_chosen, level) = (texts::level(&kind), kind == chosen, kind.to_string());
        let choose = move || Preferences { level: level.clone(), ..Preferences::load() }.save();
        option("game-level", label, is_chosen, choose)
    });
    let declared = games::catalog::declared_without_searches(name);
    let sides = declared.map(|game| game.seat_names().to_vec()).unwrap_or_default();
    let sides = sides.into_iter().enumerate().map(|(number, label)| {
        let choose = move || Preferences { is_second: number == 1, ..Preferences::load() }.save();
        option("game-side", say_rule(&label), is_second == (number == 1), choose)
    });
    let group = |legend: String, options: View| {
        html("fieldset").child(html("legend").child(legend)).child(options)
    };
    html("div")
        .class("chooser")
        .child(group(say("Level"), View::list(levels)))
        .child(group(say("You play"), View::list(sides)))
}

fn option(name: &str, label: String, is_chosen: bool, choose: impl Fn() + 'static) -> Element {
    let radio = html("input").attribute("type", "radio").attribute("name", name);
    let radio = radio.flag("checked", is_chosen).on("change", move |_event| choose());
    html("label").child(radio).child(html("span").child(label))
}

/// A small picture of the board, some random moves into the game.
fn small_picture(name: &str) -> Element {
    let Some(board) = SmallBoard::of(name) else { return drawing::cards() };
    let board = BoardScreen::small(board);
    let geometry = BoardGeometry::new(&board);
    let frame = format!("-8 -8 {} {}", geometry.width() + 16, geometry.height() + 16);
    let lines = svg("path").class("line").attribute("d", &drawing::lines(geometry));
    let picture = svg("svg").attribute("viewBox", &frame).child(lines);
    picture.child(drawing::small_marks(geometry, &board))
}
