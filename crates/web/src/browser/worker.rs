//! The worker in the browser: the page's end, and its own.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent, Worker, WorkerOptions, WorkerType};

use super::document;

/// What a worker says when it can hear.
const READY: &str = "ready";

/// The page's end of a worker. Dropping it ends the worker, whatever it does.
pub(crate) struct BrowserWorker {
    worker: Worker,
    /// The messages for a worker that does not hear yet; `None` once it does.
    early: Rc<RefCell<Option<Vec<String>>>>,
    // The browser calls them until they are dropped.
    _listener: Closure<dyn FnMut(MessageEvent)>,
    _failed: Closure<dyn FnMut()>,
}

impl BrowserWorker {
    /// Starts the worker of this page; `None` if it has none. `handle` gets each of its messages, and
    /// `failed` is called if its program cannot be loaded.
    pub(crate) fn start(
        handle: impl Fn(&str) + 'static,
        failed: impl Fn() + 'static,
    ) -> Option<Self> {
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
            } else {
                handle(&text);
            }
        });
        worker.set_onmessage(Some(listener.as_ref().unchecked_ref()));
        let failed = Closure::<dyn FnMut()>::new(failed);
        worker.set_onerror(Some(failed.as_ref().unchecked_ref()));
        Some(Self { worker, early, _listener: listener, _failed: failed })
    }

    /// Sends a message, as soon as the worker hears.
    pub(crate) fn send(&self, text: String) {
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
        self.worker.set_onerror(None);
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

/// Starts the worker itself: it answers messages until the page ends it. `answer` gets each message and
/// a function that sends texts to the page.
pub(crate) fn listen(mut answer: impl FnMut(&str, &dyn Fn(&str)) + 'static) {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let say = {
        let scope = scope.clone();
        move |text: &str| drop(scope.post_message(&JsValue::from_str(text)))
    };
    let reply = say.clone();
    let listener = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let message = event.data().as_string().unwrap_or_default();
        answer(&message, &reply);
    });
    scope.set_onmessage(Some(listener.as_ref().unchecked_ref()));
    // It lives as long as the worker.
    listener.forget();
    say(READY);
}
