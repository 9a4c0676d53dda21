//! Texts, views and buttons that follow what they show.

use super::view::{Element, View, html};
use crate::language::RuleSentence;

/// A text that follows its sources.
pub(crate) fn text(read: impl Fn() -> String + 'static) -> View {
    View::Live(Box::new(move || View::Text(read())))
}

/// A view that is drawn again when its sources change.
pub(crate) fn dynamic<V: Into<View>>(view: impl Fn() -> V + 'static) -> View {
    View::Live(Box::new(move || view().into()))
}

/// What rules say, marked with its language if that is not the one of the page.
pub(crate) fn rule_sentence(sentence: RuleSentence) -> View {
    let RuleSentence { text, lang } = sentence;
    match lang {
        None => text.into(),
        Some(lang) => {
            html("span").attribute("lang", lang).attribute("dir", "ltr").child(text).into()
        }
    }
}

/// A button.
pub(crate) fn button(class: &str, label: impl Into<View>, press: impl Fn() + 'static) -> Element {
    plain_button(class).on_click(press).child(label)
}

/// A button with an id that ignores the second half of a double click: it may have taken the place of
/// the button that the first half has pressed.
pub(crate) fn single_click_button(
    id: &str,
    class: &str,
    label: impl Into<View>,
    press: impl Fn() + 'static,
) -> Element {
    plain_button(class).attribute("id", id).on_single_click(press).child(label)
}

/// A button that does nothing yet.
pub(crate) fn plain_button(class: &str) -> Element {
    html("button").attribute("type", "button").class(class)
}

/// A link with the look of a button.
pub(crate) fn button_link(address: &str, label: impl Into<View>) -> Element {
    html("a").class("button").attribute("href", address).child(label)
}
