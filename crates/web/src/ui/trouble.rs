//! When something cannot be shown: what it is, and what to do next.

use leptos::prelude::*;

use super::live::button;
use crate::browser::window;

/// What can be done next. The first is what most people want.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Next {
    /// Loads the page again.
    Reload(&'static str),
    /// Goes elsewhere in the page.
    Go(&'static str, &'static str),
}

const COMPUTER: Next = Next::Go("/play/computer", "Play the computer");
const HOME: Next = Next::Go("/", "To the beginning");

/// Where to go from anywhere.
pub(crate) const WAYS_OUT: [Next; 2] = [COMPUTER, HOME];

/// A page that says what is wrong and what to do next.
pub(crate) fn trouble(title: &'static str, sentence: &str, next: [Next; 2]) -> AnyView {
    let classes = [("main", "button main"), ("", "button")];
    let next = classes.into_iter().zip(next).map(|((pressed, linked), next)| match next {
        Next::Reload(label) => button(pressed, label, || drop(window().location().reload())),
        Next::Go(to, label) => view! { <a class=linked href=to>{label}</a> }.into_any(),
    });
    view! {
        <section class="trouble" role="alert">
            <svg class="knot" viewBox="0 0 120 60" aria-hidden="true"><use href="#knot" /></svg>
            <h1>{title}</h1>
            <p>{sentence.to_owned()}</p>
            <p class="actions">{next.collect_view()}</p>
        </section>
    }
    .into_any()
}

pub(crate) fn nothing_here() -> AnyView {
    trouble("There is nothing here.", "The address may be cut off or misspelt.", WAYS_OUT)
}

pub(crate) fn no_table() -> AnyView {
    let sentence = "The link may be cut off, or the table was on another server. Ask for the link \
                    again, or make a table of your own.";
    trouble("There is no such table.", sentence, [Next::Go("/play/friend", "New table"), HOME])
}

pub(crate) fn old_page() -> AnyView {
    let sentence = "The server has learnt something new. Load the page again: your seat and your \
                    moves are kept.";
    trouble("This page is older than the server.", sentence, [Next::Reload("Load it again"), HOME])
}

pub(crate) fn unknown_game(game: &str) -> AnyView {
    let sentence = format!(
        "This page cannot show {game} yet. It can be played in a terminal, with cradle play {game}."
    );
    trouble("This game is not on the page yet.", &sentence, WAYS_OUT)
}

pub(crate) fn nonsense() -> AnyView {
    let sentence = "It cannot be shown. Nothing that you did is lost: load the page again.";
    trouble("The server said something odd.", sentence, [Next::Reload("Load it again"), HOME])
}

pub(crate) fn away() -> AnyView {
    let sentence = "Your connection or the server is away. You can play the computer meanwhile: \
                    that works without it.";
    trouble("The server does not answer.", sentence, [Next::Reload("Try again"), COMPUTER])
}

pub(crate) fn nobody_to_watch() -> AnyView {
    let sentence = "Nobody plays in public right now. Tables for friends are not shown here.";
    trouble("Nothing to watch yet.", sentence, [Next::Go("/play/anybody", "Quick match"), HOME])
}
