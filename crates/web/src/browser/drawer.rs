//! Where the browser keeps things.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use web_sys::Storage;

use super::window;

/// Where the browser keeps things. What it does not keep, the page does as long as it is there.
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
        let key = key(name);
        let own = NOT_KEPT.with_borrow(|texts| texts.get(&key).cloned());
        let text = own.or_else(|| self.storage()?.get_item(&key).ok()?)?;
        serde_json::from_str(&text).ok()
    }

    /// Keeps something under a name.
    pub(crate) fn put<T: Serialize>(self, name: &str, value: &T) {
        let Ok(text) = serde_json::to_string(value) else { return };
        let key = key(name);
        let is_kept = self.storage().is_some_and(|storage| storage.set_item(&key, &text).is_ok());
        NOT_KEPT.with_borrow_mut(|texts| {
            if is_kept {
                texts.remove(&key);
            } else {
                texts.insert(key, text);
            }
        });
    }

    /// Keeps nothing under a name any more.
    pub(crate) fn empty(self, name: &str) {
        let key = key(name);
        if let Some(storage) = self.storage() {
            drop(storage.remove_item(&key));
        }
        NOT_KEPT.with_borrow_mut(|texts| texts.remove(&key));
    }
}

thread_local! {
    /// What the browser would not keep: it has no storage for this page, or no room.
    static NOT_KEPT: RefCell<BTreeMap<String, String>> = const { RefCell::new(BTreeMap::new()) };
}

fn key(name: &str) -> String {
    format!("cradle:{name}")
}
