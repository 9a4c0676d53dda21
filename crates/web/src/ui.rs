//! The page as it is drawn.
//!
//! The document brings the frame and the menu with it; what depends on a game is put into the places
//! that it leaves for that.

mod board;
mod home;
mod invitation;
mod live;
mod local;
mod marks;
mod remote;
mod seated;
mod table;
mod trouble;
mod why;

use leptos::ev;
use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement, MouseEvent};

use crate::browser::{by_id, document, window};
use crate::place::Place;

/// Puts the page where the document has a place for it.
pub fn start() {
    std::panic::set_hook(Box::new(|panic| broken(&panic.to_string())));
    let Some(view) = by_id("view") else { return };
    // What stood there until now was to be seen while this was loaded.
    view.set_inner_html("");
    mount_to(view, || {
        let place = RwSignal::new(here());
        let way = Way(place);
        // A link within the page changes the address as well, and not the place.
        window_event_listener(ev::popstate, move |_| {
            if place.get_untracked() != here() {
                place.set(here());
            }
        });
        Effect::new(move |before: Option<()>| turn_to(&place.get(), before.is_some()));
        follow_links(way);
        home::wire_up(way);
        if let Some(more) = by_id("home-more") {
            mount_to(more, move || home::more(way)).forget();
        }
        view_of(way)
    })
    .forget();
}

/// The page itself has gone wrong: that is said instead of leaving a dead board behind.
fn broken(why: &str) {
    web_sys::console::error_1(&JsValue::from_str(why));
    if let (Some(body), Some(notice)) = (document().body(), by_id("broken")) {
        drop(body.set_attribute("data-page", "trouble"));
        drop(notice.remove_attribute("hidden"));
    }
}

/// Where the person is, and how to go elsewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way(RwSignal<Place>);

impl Way {
    /// Goes to another place of the page.
    pub(crate) fn go(self, place: Place) {
        drop(history().push_state_with_url(&JsValue::NULL, "", Some(&place.to_string())));
        self.0.set(place);
    }

    /// The same, as if the person had never been here.
    pub(crate) fn go_instead(self, place: Place) {
        drop(history().replace_state_with_url(&JsValue::NULL, "", Some(&place.to_string())));
        self.0.set(place);
    }

    /// Whether the person is still there.
    pub(crate) fn is_at(self, place: &Place) -> bool {
        self.0.with_untracked(|current| current == place)
    }

    pub(crate) fn place(self) -> Place {
        self.0.get()
    }
}

fn history() -> web_sys::History {
    window().history().expect("a window has a history")
}

fn here() -> Place {
    Place::at(&window().location().pathname().unwrap_or_default())
}

/// Shows the part of the document that belongs to a place.
fn turn_to(place: &Place, was_elsewhere: bool) {
    let is_home = *place == Place::Home;
    let page = if is_home { "home" } else { "table" };
    if let Some(body) = document().body() {
        drop(body.set_attribute("data-page", page));
    }
    let title = match place {
        Place::Home => "Cat’s Cradle",
        Place::Computer => "Against the computer · Cat’s Cradle",
        Place::OneScreen => "Two on one screen · Cat’s Cradle",
        Place::Friend | Place::Anybody | Place::Table(_) => "Table · Cat’s Cradle",
        Place::Watch => "Watch · Cat’s Cradle",
        Place::Unknown => "Nothing here · Cat’s Cradle",
    };
    document().set_title(title);
    if was_elsewhere {
        window().scroll_to_with_x_and_y(0.0, 0.0);
        if is_home && let Some(heading) = by_id("home-heading") {
            drop(heading.focus());
        }
    }
}

/// Links of the page change the place and load nothing.
fn follow_links(way: Way) {
    window_event_listener(ev::click, move |event: MouseEvent| {
        let is_plain = event.button() == 0
            && !(event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key());
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let link = target.and_then(|target| target.closest("a[href]").ok().flatten());
        let Some(link) = link.filter(|_| is_plain && !event.default_prevented()) else { return };
        let address = link.get_attribute("href").unwrap_or_default();
        let place = Place::at(&address);
        if address.starts_with('/') && place != Place::Unknown && !link.has_attribute("download") {
            event.prevent_default();
            way.go(place);
        }
    });
}

/// What is to be seen at a place that is not the menu.
fn view_of(way: Way) -> impl IntoView {
    live::part(move || match way.place() {
        Place::Home => ().into_any(),
        Place::Computer => local::against_the_computer(),
        Place::OneScreen => local::on_one_screen(),
        Place::Friend => remote::new_table(way),
        Place::Anybody => remote::quick_pairing(way),
        Place::Watch => home::watch(),
        Place::Table(id) => remote::table(id, way),
        Place::Unknown => trouble::nothing_here(),
    })
}

/// The element that an event happened to.
fn target(event: &impl AsRef<web_sys::Event>) -> Option<HtmlElement> {
    event.as_ref().target()?.dyn_into().ok()
}
