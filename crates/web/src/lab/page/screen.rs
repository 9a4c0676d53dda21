//! The elements of the lab.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, HtmlElement, HtmlTextAreaElement};

use super::super::state::Lab;
use crate::browser::{document, element, window};

/// The id of the text area.
pub(super) const TEXT_AREA: &str = "text";

/// What the panels show now, so that only what changes is drawn again.
#[derive(Debug, Default)]
pub(super) struct LabScreen {
    shown: Vec<(&'static str, String)>,
}

impl LabScreen {
    /// Draws what has changed. The focus stays on the element of the same id.
    pub(super) fn show(&mut self, lab: &Lab) {
        let focused = document().active_element().map(|element| element.id());
        for (id, html) in lab.panels() {
            let known = self.shown.iter_mut().find(|(known, _)| *known == id);
            if known.as_ref().is_some_and(|(_, shown)| *shown == html) {
                continue;
            }
            if let Some(panel) = element(id) {
                replace(&panel, &html);
            }
            match known {
                Some((_, shown)) => *shown = html,
                None => self.shown.push((id, html)),
            }
        }
        let is_lost = document().active_element().is_none_or(|now| now.tag_name() == "BODY");
        if let Some(element) = focused.filter(|_| is_lost).and_then(|id| by_id(&id)) {
            drop(element.focus());
        }
    }
}

fn by_id(id: &str) -> Option<HtmlElement> {
    // Squares and knots are SVG, which has a focus as well.
    document().get_element_by_id(id).map(JsCast::unchecked_into)
}

/// Replaces the contents of a panel; lists that were open stay open.
fn replace(panel: &Element, html: &str) {
    let mut open = Vec::new();
    if let Ok(lists) = panel.query_selector_all("details") {
        for list in (0..lists.length()).filter_map(|number| lists.get(number)) {
            let list: Element = list.unchecked_into();
            open.push((list.id(), list.has_attribute("open")));
        }
    }
    let places = scroll_places(panel);
    panel.set_inner_html(html);
    for (id, left, top) in places {
        if let Some(part) = document().get_element_by_id(&id) {
            part.set_scroll_left(left);
            part.set_scroll_top(top);
        }
    }
    for (id, is_open) in open {
        let Some(list) = document().get_element_by_id(&id) else { continue };
        drop(if is_open { list.set_attribute("open", "") } else { list.remove_attribute("open") });
    }
}

/// How far the parts of a panel are scrolled that have an id.
fn scroll_places(panel: &Element) -> Vec<(String, i32, i32)> {
    let Ok(parts) = panel.query_selector_all("[tabindex='0'][id]") else { return Vec::new() };
    let parts = (0..parts.length()).filter_map(|number| parts.get(number));
    let place = |part: web_sys::Node| {
        let part: Element = part.unchecked_into();
        (part.id(), part.scroll_left(), part.scroll_top())
    };
    parts.map(place).filter(|(_, left, top)| *left != 0 || *top != 0).collect()
}

fn text_area() -> Option<HtmlTextAreaElement> {
    element(TEXT_AREA)?.dyn_into().ok()
}

/// The text in the text area.
pub(super) fn text() -> String {
    text_area().map(|area| area.value()).unwrap_or_default()
}

pub(super) fn replace_text(text: &str) {
    if let Some(area) = text_area().filter(|area| area.value() != text) {
        area.set_value(text);
    }
}

/// Selects a part of the text, in bytes, and moves the focus there.
pub(super) fn select(start: u32, end: u32) {
    let Some(area) = text_area() else { return };
    let text = area.value();
    // The browser counts UTF-16 units.
    let units = |byte: u32| {
        let before = text.get(..byte as usize).unwrap_or(&text);
        u32::try_from(before.encode_utf16().count()).unwrap_or(0)
    };
    drop(area.focus());
    drop(area.set_selection_range(units(start), units(end)));
    let lines = text.get(..start as usize).map_or(0, |before| before.matches('\n').count());
    if let Some(editor) = element("editor") {
        let top = i32::try_from(lines * LINE_HEIGHT).unwrap_or(0);
        editor.set_scroll_top(top.saturating_sub(80));
    }
}

/// The height of a line, as in the style sheet.
const LINE_HEIGHT: usize = 24;

/// Types at the selection, as a person would, so that undo knows of it. Returns whether it did.
pub(super) fn type_text(typed: &str) -> bool {
    let Ok(document) = document().dyn_into::<web_sys::HtmlDocument>() else { return false };
    document.exec_command_with_show_ui_and_value("insertText", false, typed).unwrap_or(false)
}

/// Types at the caret of the text.
pub(super) fn type_in_text(typed: &str) {
    focus(TEXT_AREA);
    type_text(typed);
}

/// Moves the focus to an element.
pub(super) fn focus(id: &str) {
    if let Some(element) = by_id(id) {
        drop(element.focus());
    }
}

/// The text before the selection, and the text in it.
pub(super) fn selection() -> Option<(String, String)> {
    let area = text_area()?;
    let text: Vec<u16> = area.value().encode_utf16().collect();
    let start = area.selection_start().ok()?? as usize;
    let end = area.selection_end().ok()?? as usize;
    let part = |range: std::ops::Range<usize>| {
        String::from_utf16_lossy(text.get(range).unwrap_or_default())
    };
    Some((part(0..start), part(start..end)))
}

/// Says a sentence at the bottom of the page, for a while.
pub(super) fn announce(sentence: &str) {
    let Some(place) = element("announcement") else { return };
    place.set_text_content(Some(sentence));
    let said = sentence.to_owned();
    let forget = Closure::once_into_js(move || {
        if place.text_content().as_ref() == Some(&said) {
            place.set_text_content(None);
        }
    });
    let callback = forget.unchecked_ref();
    drop(window().set_timeout_with_callback_and_timeout_and_arguments_0(callback, READING_TIME));
}

/// The milliseconds that a sentence stays.
const READING_TIME: i32 = 9_000;
