//! The WebSocket to the server.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Event, MessageEvent, WebSocket};

use super::origin;
use crate::session::{HEARTBEAT, SocketEvent};

/// A connection to the server. Dropping it ends it.
pub(crate) trait TableConnection {
    /// Sends a text. If that fails, the connection is lost, which it reports.
    fn send(&self, text: &str);
}

/// How to connect; `None` if the browser refuses to try. A program without tables on the server has no such
/// function, and not the code behind it.
pub(crate) type Connect = fn(Rc<dyn Fn(SocketEvent)>) -> Option<Box<dyn TableConnection>>;

/// The WebSocket to the server. Dropping it closes the socket and ends its events.
pub(crate) struct BrowserSocket {
    socket: WebSocket,
    // The browser calls these until they are dropped.
    _listeners: (EventListener<Event>, EventListener<MessageEvent>, EventListener<Event>),
}

type EventListener<E> = Closure<dyn FnMut(E)>;

impl BrowserSocket {
    /// Opens a socket, as a [`Connect`].
    pub(crate) fn connect(handle: Rc<dyn Fn(SocketEvent)>) -> Option<Box<dyn TableConnection>> {
        // http becomes ws, and https becomes wss.
        let server = origin().replacen("http", "ws", 1);
        let address = format!("{server}/socket/websocket?vsn=2.0.0&heartbeat={HEARTBEAT}");
        let socket = WebSocket::new(&address).ok()?;
        let (opened, received) = (Rc::clone(&handle), Rc::clone(&handle));
        let on_open = Closure::new(move |_: Event| opened(SocketEvent::Opened));
        let on_message = Closure::new(move |event: MessageEvent| {
            received(SocketEvent::Received(event.data().as_string().unwrap_or_default()));
        });
        let on_close = Closure::new(move |_: Event| handle(SocketEvent::Closed));
        socket.set_onopen(Some(on_open.as_ref().unchecked_ref()));
        socket.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        socket.set_onclose(Some(on_close.as_ref().unchecked_ref()));
        Some(Box::new(Self { socket, _listeners: (on_open, on_message, on_close) }))
    }
}

impl TableConnection for BrowserSocket {
    fn send(&self, text: &str) {
        drop(self.socket.send_with_str(text));
    }
}

impl Drop for BrowserSocket {
    fn drop(&mut self) {
        self.socket.set_onopen(None);
        self.socket.set_onmessage(None);
        self.socket.set_onclose(None);
        drop(self.socket.close());
    }
}

impl std::fmt::Debug for BrowserSocket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = self.socket.ready_state();
        f.debug_struct("BrowserSocket").field("state", &state).finish_non_exhaustive()
    }
}
