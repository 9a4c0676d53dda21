//! The browser's storage.

use std::cell::RefCell;

use web_sys::Storage;

use super::window;
use crate::json::{AsJson, JsonValue};

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
    static UNSTORED: RefCell<Vec<(String, String)>> = const { RefCell::new(Vec::new()) };
}

impl StorageArea {
    fn storage(self) -> Option<Storage> {
        match self {
            Self::Site => window().local_storage().ok().flatten(),
            Self::Tab => window().session_storage().ok().flatten(),
        }
    }

    /// Reads the value of a name, if there is a readable one.
    pub(crate) fn read<T: AsJson>(self, name: &str) -> Option<T> {
        T::of_json(&JsonValue::read(&self.read_text(name)?)?)
    }

    /// Reads the value of a name as it is stored.
    pub(crate) fn read_text(self, name: &str) -> Option<String> {
        let key = key(name);
        let unstored = UNSTORED.with_borrow(|values| {
            let (_, text) = values.iter().find(|(own, _)| *own == key)?;
            Some(text.clone())
        });
        unstored.or_else(|| self.storage()?.get_item(&key).ok()?)
    }

    /// Writes the value of a name.
    pub(crate) fn write<T: AsJson>(self, name: &str, value: &T) {
        self.write_text(name, value.to_json().write());
    }

    /// Writes a value as it is stored.
    pub(crate) fn write_text(self, name: &str, text: String) {
        let key = key(name);
        let is_stored = self.storage().is_some_and(|storage| storage.set_item(&key, &text).is_ok());
        forget_unstored(&key);
        if !is_stored {
            UNSTORED.with_borrow_mut(|values| values.push((key, text)));
        }
    }

    /// Removes the value of a name.
    pub(crate) fn remove(self, name: &str) {
        let key = key(name);
        if let Some(storage) = self.storage() {
            drop(storage.remove_item(&key));
        }
        forget_unstored(&key);
    }
}

fn forget_unstored(key: &str) {
    UNSTORED.with_borrow_mut(|values| values.retain(|(own, _)| own != key));
}

fn key(name: &str) -> String {
    format!("cradle:{name}")
}
