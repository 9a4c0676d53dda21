//! Pages that say what is wrong and what to do next.

use super::reactive::button;
use super::view::{View, html, svg};
use crate::browser::window;
use crate::language::{say, say_with};

/// A way out of a problem.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NextStep {
    /// Reload the page.
    Reload,
    /// The same, when nothing may have changed.
    TryAgain,
    /// Play the computer.
    Computer,
    /// Go to the home page.
    Home,
    /// Open a new table for a friend.
    NewTable,
    /// Meet whoever comes next.
    QuickMatch,
}

/// The ways out that always work.
pub(crate) const WAYS_OUT: [NextStep; 2] = [NextStep::Computer, NextStep::Home];

/// A page that says what is wrong and what to do next. The first step is what most people want.
pub(crate) fn problem(title: String, sentence: String, steps: [NextStep; 2]) -> View {
    let classes = [("main", "button main"), ("", "button")];
    let steps = classes.into_iter().zip(steps).map(|((button_class, link_class), step)| {
        let (to, label) = match step {
            NextStep::Reload => (None, say("Reload")),
            NextStep::TryAgain => (None, say("Try again")),
            NextStep::Computer => (Some("/play/computer"), say("Play the computer")),
            NextStep::Home => (Some("/"), say("Home")),
            NextStep::NewTable => (Some("/play/friend"), say("New table")),
            NextStep::QuickMatch => (Some("/play/anybody"), say("Quick match")),
        };
        match to {
            None => button(button_class, label, || drop(window().location().reload())),
            Some(to) => html("a").class(link_class).attribute("href", to).child(label),
        }
    });
    let knot = svg("svg").class("knot").attribute("viewBox", "0 0 120 60");
    let knot = knot.attribute("aria-hidden", "true");
    let section = html("section").class("problem").attribute("role", "alert");
    section
        .child(knot.child(svg("use").attribute("href", "#knot")))
        .child(html("h1").child(title))
        .child(html("p").child(sentence))
        .child(html("p").class("actions").child(View::list(steps)))
        .into()
}

pub(crate) fn not_found() -> View {
    let sentence = say("There is nothing at this address. It may be incomplete or misspelt.");
    problem(say("Page not found."), sentence, WAYS_OUT)
}

pub(crate) fn no_table() -> View {
    let sentence =
        say("The link may be incomplete, or the table was on another server. Ask for the \
                        link again, or open a new table.");
    problem(say("This table does not exist."), sentence, [NextStep::NewTable, NextStep::Home])
}

pub(crate) fn outdated() -> View {
    let sentence =
        say("The server has been updated. Reload the page: your seat and your moves are safe.");
    problem(say("This page is out of date."), sentence, [NextStep::Reload, NextStep::Home])
}

pub(crate) fn unsupported_game(game: &str) -> View {
    let sentence =
        say_with("You can play {game} in a terminal: cradle play {game}", &[("game", game)]);
    problem(say("This game is not on the page yet."), sentence, WAYS_OUT)
}

pub(crate) fn unreadable() -> View {
    let sentence =
        say("The server sent something that this page does not understand. Nothing that \
                        you did is lost. Reload the page.");
    problem(say("Something went wrong."), sentence, [NextStep::Reload, NextStep::Home])
}

pub(crate) fn unreachable() -> View {
    let sentence = say("Your connection or the server is down. You can still play the computer.");
    problem(say("The server does not answer."), sentence, [NextStep::TryAgain, NextStep::Computer])
}

pub(crate) fn nothing_to_watch() -> View {
    let sentence = say("Nobody is playing in public right now. Tables for friends are private.");
    problem(say("Nothing to watch yet."), sentence, [NextStep::QuickMatch, NextStep::Home])
}
