//! Texts, views and buttons that follow what they show.
//!
//! Each kind has one type, whatever it shows: the page then holds the code for it once, not once
//! for every use.

use leptos::prelude::*;

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

/// A button.
pub(crate) fn button(
    class: &'static str,
    label: impl Into<String>,
    press: impl Fn() + 'static,
) -> AnyView {
    any_button(class, None, label.into(), Box::new(press))
}

/// A button with an id.
pub(crate) fn button_with_id(
    id: &'static str,
    class: &'static str,
    label: impl Into<String>,
    press: impl Fn() + 'static,
) -> AnyView {
    any_button(class, Some(id), label.into(), Box::new(press))
}

fn any_button(
    class: &'static str,
    id: Option<&'static str>,
    label: String,
    press: Box<dyn Fn()>,
) -> AnyView {
    view! { <button type="button" id=id class=class on:click=move |_| press()>{label}</button> }
        .into_any()
}
