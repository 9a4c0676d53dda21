//! Texts, views and buttons that follow what they show.
//!
//! Each kind has one type, whatever it shows: the page then holds the code for it once, not once
//! for every use.

use leptos::prelude::*;

use crate::language::RuleSentence;

type Reactive<T> = Box<dyn Fn() -> T + Send + Sync>;

/// A text that follows its sources.
pub(crate) fn text(read: impl Fn() -> String + Send + Sync + 'static) -> Reactive<String> {
    Box::new(read)
}

/// A condition that follows its sources.
pub(crate) fn flag(read: impl Fn() -> bool + Send + Sync + 'static) -> Reactive<bool> {
    Box::new(read)
}

/// A view that is drawn again when its sources change.
pub(crate) fn dynamic<V: IntoAny>(
    view: impl Fn() -> V + Send + Sync + 'static,
) -> Reactive<AnyView> {
    Box::new(move || view().into_any())
}

/// What happens on a click.
pub(crate) fn pressed(
    press: impl FnMut(leptos::ev::MouseEvent) + 'static,
) -> Box<dyn FnMut(leptos::ev::MouseEvent)> {
    Box::new(press)
}

/// What happens on a key.
pub(crate) fn typed(
    press: impl FnMut(leptos::ev::KeyboardEvent) + 'static,
) -> Box<dyn FnMut(leptos::ev::KeyboardEvent)> {
    Box::new(press)
}

/// What rules say, marked with its language if that is not the one of the page.
pub(crate) fn rule_sentence(sentence: RuleSentence) -> AnyView {
    let RuleSentence { text, lang } = sentence;
    match lang {
        None => text.into_any(),
        Some(lang) => view! { <span lang=lang dir="ltr">{text}</span> }.into_any(),
    }
}

/// A button.
pub(crate) fn button(
    class: &'static str,
    label: impl Into<String>,
    press: impl Fn() + 'static,
) -> AnyView {
    any_button(class, label.into(), Box::new(press))
}

/// A button with an id that ignores the second half of a double click: it may have taken the place of
/// the button that the first half has pressed.
pub(crate) fn single_click_button(
    id: &'static str,
    class: &'static str,
    label: impl Into<String>,
    press: impl Fn() + 'static,
) -> AnyView {
    let press: Box<dyn Fn()> = Box::new(press);
    let label: String = label.into();
    let click = pressed(move |event| {
        if event.detail() < 2 {
            press();
        }
    });
    view! { <button type="button" id=id class=class on:click=click>{label}</button> }.into_any()
}

fn any_button(class: &'static str, label: String, press: Box<dyn Fn()>) -> AnyView {
    view! { <button type="button" class=class on:click=pressed(move |_| press())>{label}</button> }
        .into_any()
}
