//! What follows the table, and what is pressed.
//!
//! Each kind has one type, whatever it shows or does: so the page holds the code around it once, and
//! not once for every place where it is used.

use leptos::prelude::*;

type Live<T> = Box<dyn Fn() -> T + Send + Sync>;

/// A text that follows what it is made of.
pub(crate) fn text(follow: impl Fn() -> String + Send + Sync + 'static) -> Live<String> {
    Box::new(follow)
}

/// Something that is so or not.
pub(crate) fn whether(follow: impl Fn() -> bool + Send + Sync + 'static) -> Live<bool> {
    Box::new(follow)
}

/// A part of the page that is drawn again when something changes that it is made of.
pub(crate) fn part<V: IntoAny>(follow: impl Fn() -> V + Send + Sync + 'static) -> Live<AnyView> {
    Box::new(move || follow().into_any())
}

/// A button.
pub(crate) fn button(
    class: &'static str,
    label: impl Into<String>,
    press: impl Fn() + 'static,
) -> AnyView {
    pressed(class, None, label.into(), Box::new(press))
}

/// A button that can be found by its name.
pub(crate) fn button_called(
    id: &'static str,
    class: &'static str,
    label: impl Into<String>,
    press: impl Fn() + 'static,
) -> AnyView {
    pressed(class, Some(id), label.into(), Box::new(press))
}

fn pressed(
    class: &'static str,
    id: Option<&'static str>,
    label: String,
    press: Box<dyn Fn()>,
) -> AnyView {
    view! { <button type="button" id=id class=class on:click=move |_| press()>{label}</button> }
        .into_any()
}
