//! The two transports of channels.

pub(crate) mod auth_token;
pub(crate) mod longpoll;
pub(crate) mod origin;
pub(crate) mod websocket;
