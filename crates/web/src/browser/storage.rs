//! The browser's storage.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use web_sys::Storage;

use super::window;

/// A storage area of the browser. Values that the browser does not store last as long as the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StorageArea {
    /// Shared by all tabs of this site, until the person clears it.
    Site,
    /// For this tab, until it is closed.
    Tab,
}

thread_local! {
    /// The values that the browser would not store: it has no storage for this page, or no room.
    static UNSTORED: RefCell<BTreeMap<String, String>> = const { RefCell::new(BTreeMap::new()) };
}

impl StorageArea {
    fn storage(self) -> Option<Storage> {
        match self {
            Self::Site => window().local_storage().ok().flatten(),
            Self::Tab => window().session_storage().ok().flatten(),
        }
    }

    /// Reads the value of a name, if there is a readable one.
    pub(crate) fn read<T: DeserializeOwned>(self, name: &str) -> Option<T> {
        serde_json::from_str(&self.read_text(name)?).ok()
    }

    /// Reads the value of a name as it is stored.
    pub(crate) fn read_text(self, name: &str) -> Option<String> {
        let key = key(name);
        let unstored = UNSTORED.with_borrow(|values| values.get(&key).cloned());
        unstored.or_else(|| self.storage()?.get_item(&key).ok()?)
    }

    /// Writes the value of a name.
    pub(crate) fn write<T: Serialize>(self, name: &str, value: &T) {
        if let Ok(text) = serde_json::to_string(value) {
            self.write_text(name, text);
        }
    }

    /// Writes a value as it is stored.
    pub(crate) fn write_text(self, name: &str, text: String) {
        let key = key(name);
        let is_stored = self.storage().is_some_and(|storage| storage.set_item(&key, &text).is_ok());
        UNSTORED.with_borrow_mut(|values| {
            if is_stored {
                values.remove(&key);
            } else {
                values.insert(key, text);
            }
        });
    }

    /// Removes the value of a name.
    pub(crate) fn remove(self, name: &str) {
        let key = key(name);
        if let Some(storage) = self.storage() {
            drop(storage.remove_item(&key));
        }
        UNSTORED.with_borrow_mut(|values| values.remove(&key));
    }
}

fn key(name: &str) -> String {
    format!("cradle:{name}")
}
