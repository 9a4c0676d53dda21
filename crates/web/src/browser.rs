//! The browser: clocks, randomness, storage, requests, sockets, workers.

mod http;
mod socket;
mod storage;
mod timers;
mod window;
mod worker;

pub(crate) use http::{RequestError, exchange, get, get_as, persist, post, post_as};
pub(crate) use socket::{BrowserSocket, Connect, TableConnection};
pub(crate) use storage::StorageArea;
pub(crate) use timers::{BrowserTimer, WindowListener, later, next_frame};
pub(crate) use window::{
    catalogue_keys, document, element, now, origin, pause, random, speak_as_document, window,
};
pub use worker::is_worker;
pub(crate) use worker::{BrowserWorker, listen};
