//! The weave, larger and smaller: by buttons, keys, wheel and two fingers.
//!
//! The drawing keeps its place while its size changes, so this is no part of what the lab knows.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{AddEventListenerOptions, Element, Event, TouchEvent, WheelEvent};

use crate::browser::{document, element};

/// The id of the frame around the weave.
const FRAME: &str = "weave-picture";

/// The size of the weave in percent, its bounds, and one step.
const USUAL: f64 = 100.0;
const SMALLEST: f64 = 20.0;
const LARGEST: f64 = 400.0;
const STEP: f64 = 1.25;

/// The turn of a wheel that doubles the size.
const MOST_TURN: f64 = 300.0;

/// The size of the weave.
#[derive(Debug)]
pub(super) struct Zoom {
    percent: Cell<f64>,
    /// The distance of two fingers, and the size when they touched the weave.
    pinch: Cell<Option<(f64, f64)>>,
}

impl Zoom {
    pub(super) fn new() -> Rc<Self> {
        Rc::new(Self { percent: Cell::new(USUAL), pinch: Cell::new(None) })
    }

    /// Listens to wheels and fingers on the weave.
    pub(super) fn listen(self: &Rc<Self>) {
        let Some(panel) = element("weave") else { return };
        let zoom = Rc::clone(self);
        on(&panel, "wheel", move |event| {
            let wheel: &WheelEvent = event.unchecked_ref();
            // Pinching on a touchpad is a wheel with Ctrl; a wheel alone scrolls.
            if wheel.ctrl_key() || wheel.meta_key() {
                event.prevent_default();
                let factor = 1.0 + wheel.delta_y().abs().min(MOST_TURN) / MOST_TURN;
                let is_larger = wheel.delta_y() < 0.0;
                zoom.set(zoom.percent.get() * if is_larger { factor } else { 1.0 / factor });
            }
        });
        for name in ["touchstart", "touchmove", "touchend"] {
            let zoom = Rc::clone(self);
            on(&panel, name, move |event| zoom.touch(event));
        }
    }

    fn touch(&self, event: &Event) {
        let touch: &TouchEvent = event.unchecked_ref();
        let fingers = touch.touches();
        let (Some(one), Some(other)) = (fingers.get(0), fingers.get(1)) else {
            self.pinch.set(None);
            return;
        };
        let across = f64::from(one.client_x() - other.client_x());
        let down = f64::from(one.client_y() - other.client_y());
        let distance = across.hypot(down).max(1.0);
        match self.pinch.get() {
            None => self.pinch.set(Some((distance, self.percent.get()))),
            Some((before, percent)) => {
                event.prevent_default();
                self.set(percent * distance / before);
            }
        }
    }

    /// Acts on a button.
    pub(super) fn press(&self, way: &str) {
        let percent = self.percent.get();
        match way {
            "in" => self.set(percent * STEP),
            "out" => self.set(percent / STEP),
            _ => self.show_whole(),
        }
    }

    /// Acts on a key in the weave; returns whether it meant something.
    pub(super) fn press_key(&self, key: &str) -> bool {
        let way = match key {
            "+" | "=" => "in",
            "-" | "_" => "out",
            "0" => "whole",
            _ => return false,
        };
        self.press(way);
        true
    }

    /// As large as it can be so that nothing is hidden.
    fn show_whole(&self) {
        let Some((frame, picture)) = parts() else { return };
        let Some((width, _)) = size(&picture) else { return };
        self.set(f64::from(frame.client_width()) / width * USUAL);
    }

    fn set(&self, percent: f64) {
        self.percent.set(percent.clamp(SMALLEST, LARGEST));
        self.apply();
    }

    /// Draws the weave in its size, in which the middle stays in the middle.
    pub(super) fn apply(&self) {
        let Some((frame, picture)) = parts() else { return };
        let Some((width, height)) = size(&picture) else { return };
        let factor = self.percent.get() / USUAL;
        let half = f64::from(frame.client_width()) / 2.0;
        let before = f64::from(picture.client_width().max(1));
        let middle = (f64::from(frame.scroll_left()) + half) / before;
        drop(picture.set_attribute("width", &whole(width * factor).to_string()));
        drop(picture.set_attribute("height", &whole(height * factor).to_string()));
        frame.set_scroll_left(whole((middle * width * factor - half).max(0.0)));
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a place on a screen is small")]
fn whole(pixels: f64) -> i32 {
    pixels as i32
}

/// The frame, and the weave in it.
fn parts() -> Option<(Element, Element)> {
    let frame: Element = document().get_element_by_id(FRAME)?;
    let picture = frame.query_selector("svg").ok()??;
    Some((frame, picture))
}

/// The size that the weave was drawn in.
fn size(picture: &Element) -> Option<(f64, f64)> {
    let view = picture.get_attribute("viewBox")?;
    // They are whole, and reading other numbers takes a large program.
    let mut numbers = view.split(' ').skip(2).map(str::parse::<u32>);
    Some((numbers.next()?.ok()?.into(), numbers.next()?.ok()?.into()))
}

/// Listens in a way that can keep the browser from zooming the whole page.
fn on(panel: &Element, name: &str, act: impl Fn(&Event) + 'static) {
    let listener = Closure::<dyn FnMut(Event)>::new(move |event: Event| act(&event));
    let options = AddEventListenerOptions::new();
    options.set_passive(false);
    let callback = listener.as_ref().unchecked_ref();
    let done = panel
        .add_event_listener_with_callback_and_add_event_listener_options(name, callback, &options);
    drop(done);
    listener.forget();
}
