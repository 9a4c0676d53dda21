//! When something cannot be shown: what it is, and what to do next.

use leptos::prelude::*;

/// A page that says what is wrong and what to do next.
pub(crate) fn trouble(
    title: impl IntoView,
    sentence: impl IntoView,
    next: impl IntoView,
) -> impl IntoView {
    view! {
        <section class="trouble" role="alert">
            <svg class="knot" viewBox="0 0 120 60" aria-hidden="true"><use href="#knot" /></svg>
            <h1>{title}</h1>
            <p>{sentence}</p>
            <p class="actions">{next}</p>
        </section>
    }
}

/// Where to go from anywhere.
pub(crate) fn ways_out() -> impl IntoView {
    view! {
        <a class="button main" href="/play/computer">"Play the computer"</a>
        <a class="button" href="/">"To the beginning"</a>
    }
}

pub(crate) fn nothing_here() -> impl IntoView {
    trouble("There is nothing here.", "The address may be cut off or misspelt.", ways_out())
}

pub(crate) fn no_table() -> impl IntoView {
    let sentence = "The link may be cut off, or the table was on another server. Ask for the link \
                    again, or make a table of your own.";
    let next = view! {
        <a class="button main" href="/play/friend">"New table"</a>
        <a class="button" href="/">"To the beginning"</a>
    };
    trouble("There is no such table.", sentence, next)
}

pub(crate) fn old_page() -> impl IntoView {
    let next = view! {
        <button class="main" on:click=move |_| drop(crate::browser::window().location().reload())>
            "Load it again"
        </button>
        <a class="button" href="/">"To the beginning"</a>
    };
    trouble(
        "This page is older than the server.",
        "The server has learnt something new. Load the page again: your seat and your moves are kept.",
        next,
    )
}

pub(crate) fn unknown_game(game: &str) -> impl IntoView {
    let sentence = format!(
        "This page cannot show {game} yet. It can be played from the command line, with `cradle play {game}`."
    );
    trouble("This game is not on the page yet.", sentence, ways_out())
}

pub(crate) fn nonsense() -> impl IntoView {
    let next = view! {
        <button class="main" on:click=move |_| drop(crate::browser::window().location().reload())>
            "Load it again"
        </button>
        <a class="button" href="/">"To the beginning"</a>
    };
    trouble(
        "The server said something odd.",
        "It cannot be shown. Nothing that you did is lost: load the page again.",
        next,
    )
}
