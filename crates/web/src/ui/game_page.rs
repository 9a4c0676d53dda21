//! The list of all games, and the page of each: what it is, how it is played, and how to start.

use game::{Game as _, Seat};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::drawing::{self, BoardGeometry};
use super::followed::Followed;
use super::navigator::Navigator;
use super::reactive::dynamic;
use crate::browser::get;
use crate::games_menu::{self, GameSource, OfferedGame};
use crate::language::{say, say_rule};
use crate::route::Route;
use crate::screen::BoardScreen;
use crate::small_board::SmallBoard;
use crate::storage::Preferences;
use crate::texts;

/// All games, each with a small picture of its board.
pub(crate) fn all_games(navigator: Navigator) -> AnyView {
    let view = dynamic(move || {
        (navigator.route() == Route::Home).then(|| {
            let games = games_menu::offered_games().into_iter();
            games.map(game_link).collect_view()
        })
    });
    view! { {view}{server_games(navigator)} }.into_any()
}

/// The games that the server has beside those of the catalog, as texts.
fn server_games(navigator: Navigator) -> AnyView {
    let names = Followed::new(Vec::<String>::new());
    spawn_local(async move {
        // Without a server there are none.
        let Ok(ServerGames { games }) = get::<ServerGames>("/api/games").await else { return };
        let names_of_texts = games.into_iter().map(|game| game.name);
        let is_text = |name: &String| OfferedGame::listed(name).is_none();
        names.set(names_of_texts.filter(is_text).collect());
    });
    let view = dynamic(move || {
        (navigator.route() == Route::Home).then(|| {
            let link = |name: String| {
                let address = Route::Game(name.clone()).to_string();
                let title = name.split('@').next().unwrap_or(&name).to_owned();
                view! {
                    <li><a class="game-link" href=address>
                        <span class="small-board" aria-hidden="true">{drawing::cards()}</span>
                        <span>{title}</span>
                    </a></li>
                }
            };
            names.get().into_iter().map(link).collect_view()
        })
    });
    view.into_any()
}

/// The answer of the server about its games.
#[derive(Debug, serde::Deserialize)]
struct ServerGames {
    games: Vec<ServerGame>,
}

/// A game of the server.
#[derive(Debug, serde::Deserialize)]
struct ServerGame {
    name: String,
}

fn game_link(game: OfferedGame) -> AnyView {
    let OfferedGame { name, title, .. } = game;
    let address = Route::Game(name.clone()).to_string();
    view! {
        <li><a class="game-link" href=address>
            <span class="small-board" aria-hidden="true">{small_picture(&name)}</span>
            <span>{title}</span>
        </a></li>
    }
    .into_any()
}

/// The page of a game.
pub(crate) fn game_page(name: &str) -> AnyView {
    let Some(game) = OfferedGame::find(name) else { return server_game_page(name) };
    let hides = games::catalog::game_without_searches(name).is_ok_and(|game| game.hides());
    let to = |route: fn(String) -> Route| route(name.to_owned()).to_string();
    // Two people at one screen would see what the game hides.
    let one_screen = (!hides)
        .then(|| tile(to(Route::OneScreen), say("One screen"), say("Pass it back and forth")));
    view! {
        <section class="game-page">
            <div class="game-picture" aria-hidden="true">{small_picture(name)}</div>
            <div>
                <h1 tabindex="-1">{game.title}</h1>
                <p class="lead">{say_rule(game.how_to_play)}</p>
                <div class="tiles">
                    <div class="tile first">
                        <a href=to(Route::Computer)><b>{say("Play the computer")}</b><span>{say("Starts at once")}</span></a>
                        {choosers(name)}
                    </div>
                    {tile(to(Route::Friend), say("Play a friend"), say("Send a link, a QR code or a code word"))}
                    {tile(to(Route::QuickMatch), say("Quick match"), say("Meet whoever comes next"))}
                    {one_screen}
                    {tile(Route::Watch.to_string(), say("Watch"), say("Tables in play"))}
                </div>
            </div>
        </section>
    }
    .into_any()
}

/// The page of a game that only the server has.
fn server_game_page(name: &str) -> AnyView {
    let to = |route: fn(String) -> Route| route(name.to_owned()).to_string();
    let title = name.split('@').next().unwrap_or(name).to_owned();
    view! {
        <section class="game-page">
            <div class="game-picture" aria-hidden="true">{drawing::cards()}</div>
            <div>
                <h1 tabindex="-1">{title}</h1>
                <p class="lead">{say("The rules of this game are a text on this server, and the server plays by it.")}</p>
                <div class="tiles">
                    {tile(to(Route::Friend), say("Play a friend"), say("Send a link, a QR code or a code word"))}
                    {tile(to(Route::QuickMatch), say("Quick match"), say("Meet whoever comes next"))}
                </div>
            </div>
        </section>
    }
    .into_any()
}

fn tile(address: String, title: String, sentence: String) -> AnyView {
    view! { <a class="tile" href=address><b>{title}</b><span>{sentence}</span></a> }.into_any()
}

/// The choice of a level and a side.
fn choosers(name: &str) -> AnyView {
    let Preferences { level, is_second, .. } = Preferences::load();
    let computer = if is_second { Seat::FIRST } else { Seat::SECOND };
    let games = GameSource::CATALOG;
    let chosen = games_menu::level(games, name, computer, &level);
    let levels = games_menu::levels(games, name, computer).into_iter().map(|kind| {
        let (label, is_chosen, level) = (texts::level(&kind), kind == chosen, kind.to_string());
        let choose = move || Preferences { level: level.clone(), ..Preferences::load() }.save();
        option("level", label, is_chosen, Box::new(choose))
    });
    let declared = games::catalog::declared_without_searches(name);
    let sides = declared.map(|game| game.seat_names().to_vec()).unwrap_or_default();
    let sides = sides.into_iter().enumerate().map(|(number, label)| {
        let choose = move || Preferences { is_second: number == 1, ..Preferences::load() }.save();
        option("side", say_rule(&label), is_second == (number == 1), Box::new(choose))
    });
    view! {
        <div class="chooser">
            <fieldset><legend>{say("Level")}</legend>{levels.collect_view()}</fieldset>
            <fieldset><legend>{say("You play")}</legend>{sides.collect_view()}</fieldset>
        </div>
    }
    .into_any()
}

fn option(name: &'static str, label: String, is_chosen: bool, choose: Box<dyn Fn()>) -> AnyView {
    view! {
        <label>
            <input type="radio" name=format!("game-{name}") checked=is_chosen on:change=move |_| choose() />
            <span>{label}</span>
        </label>
    }
    .into_any()
}

/// A small picture of the board, some random moves into the game.
fn small_picture(name: &str) -> AnyView {
    let Some(board) = SmallBoard::of(name) else { return drawing::cards() };
    let board = BoardScreen::small(board);
    let geometry = BoardGeometry::new(&board);
    let frame = format!("-8 -8 {} {}", geometry.width() + 16, geometry.height() + 16);
    view! {
        <svg viewBox=frame>
            <path class="line" d=drawing::lines(geometry) />
            {drawing::small_marks(geometry, &board)}
        </svg>
    }
    .into_any()
}
