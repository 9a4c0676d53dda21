//! The start of the page, and the view for each route.

use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::JsValue;

use super::navigator::Navigator;
use super::reactive::dynamic;
use super::{game_page, history, home, local_table, problem, puzzle, remote_table, replay, watch};
use crate::browser::{document, element, window};
use crate::route::Route;

/// Starts the page in the document.
pub fn start() {
    std::panic::set_hook(Box::new(|panic| report_crash(&panic.to_string())));
    let Some(container) = element("view") else { return };
    // The placeholder was visible while the page was loading.
    container.set_inner_html("");
    mount_to(container, || {
        let navigator = Navigator::new();
        Effect::new(move |before: Option<()>| show(&navigator.route(), before.is_some()));
        home::start(navigator);
        if let Some(place) = element("recent-tables") {
            mount_to(place, move || home::recent_tables(navigator)).forget();
        }
        if let Some(place) = element("continue") {
            mount_to(place, move || home::next_turn(navigator)).forget();
        }
        if let Some(place) = element("games") {
            place.set_inner_html("");
            mount_to(place, move || game_page::all_games(navigator)).forget();
        }
        dynamic(move || view_of(navigator))
    })
    .forget();
}

/// Tells the person that the page has crashed, instead of leaving a dead board behind.
fn report_crash(message: &str) {
    web_sys::console::error_1(&JsValue::from_str(message));
    if let (Some(body), Some(notice)) = (document().body(), element("crashed")) {
        drop(body.set_attribute("data-page", "problem"));
        drop(notice.remove_attribute("hidden"));
    }
}

/// Shows the part of the document that belongs to a route.
fn show(route: &Route, has_moved: bool) {
    let is_home = *route == Route::Home;
    if let Some(body) = document().body() {
        drop(body.set_attribute("data-page", if is_home { "home" } else { "table" }));
        if route.is_embedded() {
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

fn view_of(navigator: Navigator) -> AnyView {
    match navigator.route() {
        Route::Home => ().into_any(),
        Route::Game(name) => game_page::game_page(&name),
        Route::Computer(name) => local_table::against_computer(&name),
        Route::OneScreen(name) => local_table::on_one_screen(&name),
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
