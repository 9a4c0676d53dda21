//! The keys of the lab.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

use super::{LabPage, screen, target};
use crate::browser::document;

/// Acts on a key: in the text it indents, on squares and knots it works as on buttons.
pub(super) fn press(page: &Rc<LabPage>, event: &KeyboardEvent) {
    let Some(target) = target(event) else { return };
    let is_in_weave = target.closest("#weave-picture").ok().flatten().is_some();
    let has_command = event.ctrl_key() || event.meta_key() || event.alt_key();
    let is_handled = if target.id() == screen::TEXT_AREA {
        press_in_text(page, event)
    } else if is_in_weave && !has_command && page.zoom.press_key(&event.key()) {
        true
    } else {
        press_on_drawing(page, event, &target)
    };
    if is_handled {
        event.prevent_default();
    }
}

fn press_in_text(page: &Rc<LabPage>, event: &KeyboardEvent) -> bool {
    let has_command = event.ctrl_key() || event.meta_key();
    match event.key().as_str() {
        // Escape gives the next Tab its usual meaning, so that nobody is caught in the text.
        "Escape" => {
            set_leaving(true);
            false
        }
        "Tab" if !is_leaving() && !event.shift_key() && !has_command => screen::type_text("  "),
        "Tab" => {
            set_leaving(false);
            false
        }
        "Enter" if !has_command => screen::type_text(&new_line()),
        "Enter" => {
            page.change(|lab| lab.act("go-on", ""));
            true
        }
        " " if has_command => {
            let before = screen::selection().map(|(before, _)| before).unwrap_or_default();
            let byte = u32::try_from(before.len()).unwrap_or(u32::MAX);
            page.change(|lab| lab.complete(byte));
            true
        }
        "f" | "F" if has_command && event.shift_key() => {
            page.change(|lab| lab.act("format", ""));
            true
        }
        _ => false,
    }
}

fn is_leaving() -> bool {
    document().document_element().is_some_and(|root| root.has_attribute("data-leaving"))
}

fn set_leaving(is_leaving: bool) {
    let Some(root) = document().document_element() else { return };
    let done = if is_leaving {
        root.set_attribute("data-leaving", "")
    } else {
        root.remove_attribute("data-leaving")
    };
    drop(done);
}

/// A new line with the indentation of the line before it.
fn new_line() -> String {
    let before = screen::selection().map(|(before, _)| before).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let indent = line.len() - line.trim_start_matches(' ').len();
    format!("\n{}", " ".repeat(indent))
}

/// Squares and knots are drawings: Enter and Space press them, arrows lead from square to square.
fn press_on_drawing(page: &Rc<LabPage>, event: &KeyboardEvent, target: &Element) -> bool {
    if target.tag_name() != "g" {
        return false;
    }
    let columns = target.get_attribute("data-columns").and_then(|columns| columns.parse().ok());
    let columns: i32 = columns.unwrap_or(1);
    let by = match event.key().as_str() {
        "Enter" | " " => {
            page.act(target);
            return true;
        }
        "ArrowRight" => 1,
        "ArrowLeft" => -1,
        "ArrowDown" => columns,
        "ArrowUp" => -columns,
        _ => return false,
    };
    step(target, by);
    true
}

/// Moves the focus by this number of squares.
fn step(square: &Element, by: i32) {
    let Some(parent) = square.parent_element() else { return };
    let Ok(squares) = parent.query_selector_all("g[tabindex]") else { return };
    let all: Vec<Element> = (0..squares.length())
        .filter_map(|number| squares.get(number))
        .map(JsCast::unchecked_into)
        .collect();
    let place = all.iter().position(|other| other.id() == square.id());
    let place = place.and_then(|place| i32::try_from(place).ok()).unwrap_or(0);
    let next = usize::try_from(place + by).ok().and_then(|next| all.get(next));
    if let Some(next) = next {
        let next: &HtmlElement = next.unchecked_ref();
        drop(next.focus());
    }
}
