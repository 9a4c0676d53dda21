//! The worker in the browser: the page's end, and its own.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent, Worker, WorkerOptions, WorkerType};

use super::document;
use crate::worker::{WorkerMessage, WorkerReply, answer};

/// What a worker says when it can hear.
const READY: &str = "ready";

/// The page's end of a worker. Dropping it ends the worker, whatever it does.
pub(crate) struct BrowserWorker {
    worker: Worker,
    /// The messages for a worker that does not hear yet; `None` once it does.
    early: Rc<RefCell<Option<Vec<String>>>>,
    // The browser calls it until it is dropped.
    _listener: Closure<dyn FnMut(MessageEvent)>,
}

impl BrowserWorker {
    /// Starts a worker; `None` if the browser has none for this page.
    pub(crate) fn start(handle: impl Fn(WorkerReply) + 'static) -> Option<Self> {
        let address = document().document_element()?.get_attribute("data-worker")?;
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(&address, &options).ok()?;
        let early = Rc::new(RefCell::new(Some(Vec::<String>::new())));
        let (waiting, started) = (Rc::clone(&early), worker.clone());
        let listener = Closure::new(move |event: MessageEvent| {
            let text = event.data().as_string().unwrap_or_default();
            if text == READY {
                for message in waiting.take().unwrap_or_default() {
                    post(&started, &message);
                }
            } else if let Ok(reply) = serde_json::from_str(&text) {
                handle(reply);
            }
        });
        worker.set_onmessage(Some(listener.as_ref().unchecked_ref()));
        Some(Self { worker, early, _listener: listener })
    }

    /// Sends a message, as soon as the worker hears.
    pub(crate) fn send(&self, message: &WorkerMessage) {
        let Ok(text) = serde_json::to_string(message) else { return };
        match &mut *self.early.borrow_mut() {
            Some(early) => early.push(text),
            None => post(&self.worker, &text),
        }
    }
}

/// Posts a text. Posting fails only for values that cannot be copied, and texts can.
fn post(worker: &Worker, text: &str) {
    drop(worker.post_message(&JsValue::from_str(text)));
}

impl Drop for BrowserWorker {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.terminate();
    }
}

impl std::fmt::Debug for BrowserWorker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let early = self.early.borrow().as_ref().map_or(0, Vec::len);
        f.debug_struct("BrowserWorker").field("early", &early).finish_non_exhaustive()
    }
}

/// Whether this program runs as a worker, without a document.
pub fn is_worker() -> bool {
    web_sys::window().is_none()
}

/// Starts the worker itself: it answers messages until the page ends it.
pub fn start_worker() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let say = {
        let scope = scope.clone();
        move |text: &str| drop(scope.post_message(&JsValue::from_str(text)))
    };
    let reply = say.clone();
    let listener = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let message = event.data().as_string().unwrap_or_default();
        answer(&message, &mut |told| {
            if let Ok(text) = serde_json::to_string(told) {
                reply(&text);
            }
        });
    });
    scope.set_onmessage(Some(listener.as_ref().unchecked_ref()));
    // It lives as long as the worker.
    listener.forget();
    say(READY);
}
