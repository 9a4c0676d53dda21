//! The page: Cat's Cradle in the browser.

use leptos::prelude::*;

/// Puts the page where the document has a place for it.
pub fn start() {
    mount_to_body(|| view! { <p>"Cat's Cradle"</p> });
}
