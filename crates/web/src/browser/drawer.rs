//! Where the browser keeps things.

use serde::Serialize;
use serde::de::DeserializeOwned;
use web_sys::Storage;

use super::window;

/// Where the browser keeps things. A browser that keeps nothing forgets: that is no failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drawer {
    /// For all pages of this site, until the person clears it.
    Always,
    /// For this tab, until it is closed.
    ThisTab,
}

impl Drawer {
    fn storage(self) -> Option<Storage> {
        match self {
            Self::Always => window().local_storage().ok().flatten(),
            Self::ThisTab => window().session_storage().ok().flatten(),
        }
    }

    /// What is kept under a name, if it can be read.
    pub(crate) fn take_out<T: DeserializeOwned>(self, name: &str) -> Option<T> {
        let text = self.storage()?.get_item(&key(name)).ok()??;
        serde_json::from_str(&text).ok()
    }

    /// Keeps something under a name.
    pub(crate) fn put<T: Serialize>(self, name: &str, value: &T) {
        let Ok(text) = serde_json::to_string(value) else { return };
        if let Some(storage) = self.storage() {
            drop(storage.set_item(&key(name), &text));
        }
    }

    /// Keeps nothing under a name any more.
    pub(crate) fn empty(self, name: &str) {
        if let Some(storage) = self.storage() {
            drop(storage.remove_item(&key(name)));
        }
    }
}

fn key(name: &str) -> String {
    format!("cradle:{name}")
}
