//! A socket to the server.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Event, MessageEvent, WebSocket};

use super::origin;
use crate::sitting::HEARTBEAT;

/// A socket to the server, closed when it is dropped; then nothing is heard of it any more.
pub(crate) struct Socket {
    socket: WebSocket,
    // The browser calls these for as long as they are here.
    _listeners: (Listener<Event>, Listener<MessageEvent>, Listener<Event>),
}

type Listener<E> = Closure<dyn FnMut(E)>;

/// What is heard of a socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    Open,
    Text(String),
    Gone,
}

impl Socket {
    /// Opens a socket; nothing if the browser does not even try.
    pub(crate) fn open(hear: impl Fn(Heard) + Clone + 'static) -> Option<Self> {
        // http becomes ws, and https becomes wss.
        let server = origin().replacen("http", "ws", 1);
        let address = format!("{server}/socket/websocket?vsn=2.0.0&heartbeat={HEARTBEAT}");
        let socket = WebSocket::new(&address).ok()?;
        let (opened, told, gone) = (hear.clone(), hear.clone(), hear);
        let on_open: Listener<Event> = Closure::new(move |_: Event| opened(Heard::Open));
        let on_message: Listener<MessageEvent> = Closure::new(move |event: MessageEvent| {
            told(Heard::Text(event.data().as_string().unwrap_or_default()));
        });
        let on_close: Listener<Event> = Closure::new(move |_: Event| gone(Heard::Gone));
        socket.set_onopen(Some(on_open.as_ref().unchecked_ref()));
        socket.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        socket.set_onclose(Some(on_close.as_ref().unchecked_ref()));
        Some(Self { socket, _listeners: (on_open, on_message, on_close) })
    }

    /// Sends a text; what cannot be sent is lost with the connection, which is heard of.
    pub(crate) fn send(&self, text: &str) {
        drop(self.socket.send_with_str(text));
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.socket.set_onopen(None);
        self.socket.set_onmessage(None);
        self.socket.set_onclose(None);
        drop(self.socket.close());
    }
}

impl std::fmt::Debug for Socket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Socket").field("state", &self.socket.ready_state()).finish_non_exhaustive()
    }
}
