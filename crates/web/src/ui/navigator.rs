//! The route of the page, and how to change it.

use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, MouseEvent};

use super::followed::{Followed, keep};
use crate::browser::{WindowListener, window};
use crate::route::{Route, is_framed_path};

/// The current route, and how to change it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Navigator {
    route: Followed<Route>,
    /// Whether this program shows a route. For others the browser loads another document.
    shows: fn(&Route) -> bool,
    /// Whether pages of other sites may show this document in a frame.
    is_framed: bool,
}

impl Navigator {
    /// Follows the address of the page and the links in it.
    pub(crate) fn new(shows: fn(&Route) -> bool) -> Self {
        let is_framed = is_framed_path(&address_path());
        let navigator = Self { route: Followed::new(address_route()), shows, is_framed };
        // A link within the page changes the address too, but not the route.
        keep(WindowListener::new("popstate", move |_| {
            let route = address_route();
            if !navigator.shows_here(&route) {
                drop(window().location().reload());
            } else if !navigator.is_at(&route) {
                navigator.route.set(route);
            }
        }));
        let follow = move |event: Event| navigator.follow_link(event.unchecked_ref());
        keep(WindowListener::new("click", follow));
        navigator
    }

    /// The current route; views that read it follow it.
    pub(crate) fn route(self) -> Route {
        self.route.get()
    }

    /// Whether this is still the route.
    pub(crate) fn is_at(self, route: &Route) -> bool {
        self.route.with_untracked(|current| current == route)
    }

    /// Whether pages of other sites may show this document in a frame.
    pub(crate) const fn is_framed(self) -> bool {
        self.is_framed
    }

    /// Whether this document shows a route. One that another site may show in a frame shows nothing that
    /// people play with: that site could lay its own page over it and make people click. Browsers do
    /// not load other documents in the frame.
    fn shows_here(self, route: &Route) -> bool {
        (self.shows)(route) && (!self.is_framed || route.is_embedded())
    }

    /// Goes to a route.
    pub(crate) fn go(self, route: Route) {
        if !self.shows_here(&route) {
            drop(window().location().assign(&route.to_string()));
            return;
        }
        drop(history().push_state_with_url(&JsValue::NULL, "", Some(&route.to_string())));
        self.route.set(route);
    }

    /// Goes to a route from a view that has no navigator. Back leads here again.
    pub(crate) fn visit(route: &Route) {
        drop(history().push_state_with_url(&JsValue::NULL, "", Some(&route.to_string())));
        if let Ok(event) = web_sys::PopStateEvent::new("popstate") {
            drop(window().dispatch_event(&event));
        }
    }

    /// Goes to a route in place of the current one, which Back then skips.
    pub(crate) fn replace(self, route: Route) {
        if !self.shows_here(&route) {
            drop(window().location().replace(&route.to_string()));
            return;
        }
        drop(history().replace_state_with_url(&JsValue::NULL, "", Some(&route.to_string())));
        self.route.set(route);
    }

    /// Lets a link to a route of the page change the route instead of loading a document.
    fn follow_link(self, event: &MouseEvent) {
        let is_plain = event.button() == 0
            && !(event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key());
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let link = target.and_then(|target| target.closest("a[href]").ok().flatten());
        let Some(link) = link.filter(|_| is_plain && !event.default_prevented()) else { return };
        let address = link.get_attribute("href").unwrap_or_default();
        let is_other = link.has_attribute("download") || link.has_attribute("target");
        if is_other || !address.starts_with('/') {
            return;
        }
        let route = Route::parse(&address);
        if self.is_framed && !route.is_embedded() {
            // The browser follows it after this, in a tab of its own.
            drop(link.set_attribute("target", "_blank"));
            drop(link.set_attribute("rel", "noopener"));
        } else if route != Route::NotFound {
            event.prevent_default();
            self.go(route);
        }
    }
}

fn history() -> web_sys::History {
    window().history().expect("a window has a history")
}

fn address_route() -> Route {
    Route::parse(&address_path())
}

fn address_path() -> String {
    window().location().pathname().unwrap_or_default()
}
