//! The browser: clocks, randomness, storage, requests, sockets.

mod http;
mod socket;
mod storage;
mod window;

pub(crate) use http::{RequestError, get, post, post_as};
pub(crate) use socket::BrowserSocket;
pub(crate) use storage::StorageArea;
pub(crate) use window::{document, element, now, origin, random, window};
