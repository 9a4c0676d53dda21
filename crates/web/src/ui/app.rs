//! The start of the page, and the view for each route.

use std::cell::Cell;

use any_spawner::Executor;
use wasm_bindgen::JsValue;

use super::drawn::mount;
use super::followed::effect;
use super::navigator::Navigator;
use super::reactive::dynamic;
use super::session_handle::SharedSearches;
use super::view::View;
use super::{
    analysis, game_page, history, home, local_table, problem, puzzle, remote_table, replay, watch,
};
use crate::browser::{document, element, speak_as_document, window};
use crate::games_menu::{GameSource, TIC_TAC_TOE};
use crate::route::Route;

/// Starts the whole page in the document.
pub fn start() {
    start_with(|_| true, view_of);
}

/// Starts the part of the page that most visitors see first: the home page, and tic-tac-toe in this
/// browser. Its program is a third smaller than the whole one.
pub fn start_first() {
    start_with(is_first, first_view_of);
}

fn start_with(shows: fn(&Route) -> bool, view_of: fn(Navigator) -> View) {
    std::panic::set_hook(Box::new(|panic| report_crash(&panic.to_string())));
    speak_as_document();
    // It fails only if it was called before.
    drop(Executor::init_wasm_bindgen());
    let Some(container) = element("view") else { return };
    // The placeholder was visible while the page was loading.
    container.set_inner_html("");
    mount(&container, move || {
        SharedSearches::provide();
        let navigator = Navigator::new(shows);
        let has_shown = Cell::new(false);
        effect(move || show(navigator, has_shown.replace(true)));
        home::start(navigator);
        if let Some(place) = element("recent-tables") {
            mount(&place, move || home::recent_tables(navigator));
        }
        if let Some(place) = element("continue") {
            mount(&place, move || home::next_turn(navigator));
        }
        if let Some(place) = element("games") {
            place.set_inner_html("");
            mount(&place, move || game_page::all_games(navigator));
        }
        dynamic(move || view_of(navigator))
    });
}

/// Tells the person that the page has crashed, instead of leaving a dead board behind.
fn report_crash(message: &str) {
    web_sys::console::error_1(&JsValue::from_str(message));
    if let (Some(body), Some(notice)) = (document().body(), element("crashed")) {
        drop(body.set_attribute("data-page", "problem"));
        drop(notice.remove_attribute("hidden"));
    }
}

/// Shows the part of the document that belongs to the route.
fn show(navigator: Navigator, has_moved: bool) {
    let route = navigator.route();
    let is_home = route == Route::Home;
    if let Some(body) = document().body() {
        drop(body.set_attribute("data-page", if is_home { "home" } else { "table" }));
        if navigator.is_framed() {
            drop(body.set_attribute("data-embedded", "yes"));
        }
    }
    document().set_title(&route.title());
    if has_moved {
        window().scroll_to_with_x_and_y(0.0, 0.0);
        if is_home && let Some(heading) = element("home-heading") {
            drop(heading.focus());
        }
    }
}

/// Whether the first program shows a route. The server sends its document at the same addresses.
fn is_first(route: &Route) -> bool {
    match route {
        Route::Home => true,
        Route::Computer(name) | Route::OneScreen(name) => name == TIC_TAC_TOE,
        _ => false,
    }
}

fn first_view_of(navigator: Navigator) -> View {
    match navigator.route() {
        Route::Computer(name) => local_table::against_computer(GameSource::TIC_TAC_TOE, &name),
        Route::OneScreen(name) => local_table::on_one_screen(GameSource::TIC_TAC_TOE, &name),
        _ => View::nothing(),
    }
}

fn view_of(navigator: Navigator) -> View {
    match navigator.route() {
        Route::Home => View::nothing(),
        Route::Game(name) => game_page::game_page(&name),
        Route::Computer(name) => local_table::against_computer(GameSource::CATALOG, &name),
        Route::OneScreen(name) => local_table::on_one_screen(GameSource::CATALOG, &name),
        Route::Analysis(name) => analysis::analysis(&name),
        Route::Friend(name) => remote_table::new_table(name, navigator),
        Route::QuickMatch(name) => remote_table::quick_match(name, navigator),
        Route::Replay(address) | Route::EmbeddedReplay(address) => replay::replay(&address),
        Route::History => history::history(),
        Route::Watch => watch::tables(),
        Route::Table(id) => remote_table::table(id, navigator),
        Route::Puzzle => puzzle::puzzle(),
        Route::EmbeddedTable(id) => remote_table::embedded(&id),
        Route::NotFound => problem::not_found(),
    }
}
