//! Pages that say what is wrong and what to do next.

use leptos::prelude::*;

use super::reactive::button;
use crate::browser::window;

/// A way out of a problem.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NextStep {
    /// Reload the page.
    Reload(&'static str),
    /// Follow a link: its address and its label.
    Link(&'static str, &'static str),
}

const COMPUTER: NextStep = NextStep::Link("/play/computer", "Play the computer");
const HOME: NextStep = NextStep::Link("/", "Home");
const RELOAD: NextStep = NextStep::Reload("Reload");

/// The ways out that always work.
pub(crate) const WAYS_OUT: [NextStep; 2] = [COMPUTER, HOME];

/// A page that says what is wrong and what to do next. The first step is what most people want.
pub(crate) fn problem(title: &'static str, sentence: &str, steps: [NextStep; 2]) -> AnyView {
    let classes = [("main", "button main"), ("", "button")];
    let steps =
        classes.into_iter().zip(steps).map(|((button_class, link_class), step)| match step {
            NextStep::Reload(label) => {
                button(button_class, label, || drop(window().location().reload()))
            }
            NextStep::Link(to, label) => {
                view! { <a class=link_class href=to>{label}</a> }.into_any()
            }
        });
    view! {
        <section class="problem" role="alert">
            <svg class="knot" viewBox="0 0 120 60" aria-hidden="true"><use href="#knot" /></svg>
            <h1>{title}</h1>
            <p>{sentence.to_owned()}</p>
            <p class="actions">{steps.collect_view()}</p>
        </section>
    }
    .into_any()
}

pub(crate) fn not_found() -> AnyView {
    let sentence = "There is nothing at this address. It may be incomplete or misspelt.";
    problem("Page not found.", sentence, WAYS_OUT)
}

pub(crate) fn no_table() -> AnyView {
    let sentence = "The link may be incomplete, or the table was on another server. Ask for the \
                    link again, or open a new table.";
    problem(
        "This table does not exist.",
        sentence,
        [NextStep::Link("/play/friend", "New table"), HOME],
    )
}

pub(crate) fn outdated() -> AnyView {
    let sentence =
        "The server has been updated. Reload the page: your seat and your moves are safe.";
    problem("This page is out of date.", sentence, [RELOAD, HOME])
}

pub(crate) fn unsupported_game(game: &str) -> AnyView {
    let sentence = format!("You can play {game} in a terminal: cradle play {game}");
    problem("This game is not on the page yet.", &sentence, WAYS_OUT)
}

pub(crate) fn unreadable() -> AnyView {
    let sentence = "The server sent something that this page does not understand. Nothing that you \
                    did is lost. Reload the page.";
    problem("Something went wrong.", sentence, [RELOAD, HOME])
}

pub(crate) fn unreachable() -> AnyView {
    let sentence = "Your connection or the server is down. You can still play the computer.";
    problem("The server does not answer.", sentence, [NextStep::Reload("Try again"), COMPUTER])
}

pub(crate) fn nothing_to_watch() -> AnyView {
    let sentence = "Nobody is playing in public right now. Tables for friends are private.";
    let quick_match = NextStep::Link("/play/anybody", "Quick match");
    problem("Nothing to watch yet.", sentence, [quick_match, HOME])
}
