//! The two transports of channels.

pub(crate) mod auth_token;
pub(crate) mod longpoll;
pub(crate) mod origin;
mod traffic;
pub(crate) mod websocket;
