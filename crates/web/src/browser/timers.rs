//! Timers, frames, and what the window reports.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::Event;

use super::window;

/// Something that happens later. Dropping it cancels it.
pub(crate) struct BrowserTimer {
    kind: TimerKind,
    id: i32,
    /// Whether it still happens. A clock that stands in for the browser's may have numbers that do not fit
    /// into `id`, so that nothing is cancelled there.
    is_due: Rc<Cell<bool>>,
}

#[derive(Clone, Copy)]
enum TimerKind {
    Timeout,
    Interval,
    Frame,
}

impl BrowserTimer {
    /// Does something once, after a while.
    pub(crate) fn after(delay: Duration, act: impl FnMut() + 'static) -> Self {
        Self::start(TimerKind::Timeout, delay, Box::new(act))
    }

    /// Does something again and again.
    pub(crate) fn every(interval: Duration, act: impl FnMut() + 'static) -> Self {
        Self::start(TimerKind::Interval, interval, Box::new(act))
    }

    /// Does something before the next frame is drawn.
    pub(crate) fn next_frame(act: impl FnMut() + 'static) -> Self {
        Self::start(TimerKind::Frame, Duration::ZERO, Box::new(act))
    }

    fn start(kind: TimerKind, delay: Duration, mut act: Box<dyn FnMut()>) -> Self {
        let is_due = Rc::new(Cell::new(true));
        let is_still_due = Rc::clone(&is_due);
        let call: Box<dyn FnMut()> = Box::new(move || {
            if is_still_due.get() {
                act();
            }
        });
        // The browser drops it when it will not call it any more.
        let called = Closure::wrap(call).into_js_value();
        let called: &js_sys::Function = called.unchecked_ref();
        let delay = milliseconds(delay);
        let id = match kind {
            TimerKind::Timeout => {
                window().set_timeout_with_callback_and_timeout_and_arguments_0(called, delay)
            }
            TimerKind::Interval => {
                window().set_interval_with_callback_and_timeout_and_arguments_0(called, delay)
            }
            TimerKind::Frame => window().request_animation_frame(called),
        };
        Self { kind, id: id.unwrap_or_default(), is_due }
    }
}

impl Drop for BrowserTimer {
    fn drop(&mut self) {
        self.is_due.set(false);
        match self.kind {
            TimerKind::Timeout => window().clear_timeout_with_handle(self.id),
            TimerKind::Interval => window().clear_interval_with_handle(self.id),
            TimerKind::Frame => drop(window().cancel_animation_frame(self.id)),
        }
    }
}

fn milliseconds(delay: Duration) -> i32 {
    i32::try_from(delay.as_millis()).unwrap_or(i32::MAX)
}

/// Does something once, after a while. Nothing can cancel it.
pub(crate) fn later(delay: Duration, act: impl FnOnce() + 'static) {
    let act: Box<dyn FnOnce()> = Box::new(act);
    let called = Closure::once_into_js(act);
    let delay = milliseconds(delay);
    drop(
        window()
            .set_timeout_with_callback_and_timeout_and_arguments_0(called.unchecked_ref(), delay),
    );
}

/// Does something before the next frame is drawn. Nothing can cancel it.
pub(crate) fn next_frame(act: impl FnOnce() + 'static) {
    let act: Box<dyn FnOnce()> = Box::new(act);
    let called = Closure::once_into_js(act);
    drop(window().request_animation_frame(called.unchecked_ref()));
}

/// A listener to what the window reports. Dropping it ends it.
pub(crate) struct WindowListener {
    event: &'static str,
    callback: Closure<dyn FnMut(Event)>,
}

impl WindowListener {
    /// Listens to an event of the window.
    pub(crate) fn new(event: &'static str, handle: impl Fn(Event) + 'static) -> Self {
        let handle: Box<dyn FnMut(Event)> = Box::new(handle);
        let callback = Closure::wrap(handle);
        let called = callback.as_ref().unchecked_ref();
        drop(window().add_event_listener_with_callback(event, called));
        Self { event, callback }
    }
}

impl Drop for WindowListener {
    fn drop(&mut self) {
        let called = self.callback.as_ref().unchecked_ref();
        drop(window().remove_event_listener_with_callback(self.event, called));
    }
}
