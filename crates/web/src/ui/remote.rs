//! Tables on the server.

use ::table::Token;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Deserialize;
use serde_json::json;

use super::Way;
use super::board::catch_focus;
use super::invitation::invitation;
use super::live::{button, part, text};
use super::local::GAME;
use super::seated::Seated;
use super::table;
use super::trouble::{WAYS_OUT, away, no_table, nonsense, old_page, trouble, unknown_game};
use crate::browser::{Failed, now, post};
use crate::kept::{self, Person};
use crate::place::Place;
use crate::scene::Stage;
use crate::sitting::Trouble;

#[derive(Debug, Deserialize)]
struct Created {
    id: String,
    code: String,
}

#[derive(Debug, Deserialize)]
struct Taken {
    id: String,
    token: Token,
}

/// Makes a table for a friend, takes a seat and goes there.
pub(crate) fn new_table(way: Way) -> AnyView {
    let failed = RwSignal::new(None::<Failed>);
    spawn_local(async move {
        match create().await {
            // Who has gone elsewhere meanwhile is not pulled back.
            Ok(id) if way.is_at(&Place::Friend) => way.go_instead(Place::Table(id)),
            Ok(_) => {}
            Err(failure) => drop(failed.try_set(Some(failure))),
        }
    });
    waiting(failed, "Making a table …")
}

async fn create() -> Result<String, Failed> {
    let person = Person::kept();
    let clock = (person.seconds > 0).then(|| json!({ "per_move": person.seconds * 1_000 }));
    let wanted = json!({ "game": GAME, "alternate": true, "clock": clock });
    let created: Created = post("/api/tables", &wanted).await?;
    take_seat(&created.id, &created.code).await?;
    Ok(created.id)
}

/// Takes a free seat. The token is made here, and kept before anybody is asked.
async fn take_seat(id: &str, code: &str) -> Result<(), Failed> {
    let wanted = json!({ "name": Person::kept().public_name(), "token": kept::token(id, code) });
    let path = format!("/api/tables/{id}/seats");
    let taken = match post::<Taken>(&path, &wanted).await {
        Err(Failed::Away) => post::<Taken>(&path, &wanted).await,
        answer => answer,
    };
    if taken.as_ref().is_err_and(|failure| !is_open(failure)) {
        kept::forget_seat(id);
    }
    taken.map(drop)
}

/// Whether it is open what came of a wish: it may have been written down.
fn is_open(failure: &Failed) -> bool {
    match failure {
        Failed::Away => true,
        Failed::Refused(refusal) => refusal.code().as_str() == "unavailable",
        Failed::Nonsense => false,
    }
}

/// Takes a seat where somebody waits, or waits for somebody.
pub(crate) fn quick_pairing(way: Way) -> AnyView {
    let failed = RwSignal::new(None::<Failed>);
    spawn_local(async move {
        let (name, token) = (Person::kept().public_name(), kept::pairing_token());
        let wanted = json!({ "game": GAME, "name": name, "token": token });
        match post::<Taken>("/api/pair", &wanted).await {
            Ok(Taken { id, token }) => {
                let (code, summary) = (String::new(), String::new());
                kept::keep_seat(kept::Seat { id: id.clone(), token, code, summary, at: now() });
                if way.is_at(&Place::Anybody) {
                    way.go_instead(Place::Table(id));
                }
            }
            Err(failure) => drop(failed.try_set(Some(failure))),
        }
    });
    waiting(failed, "Looking for somebody …")
}

/// Waits for the server, and says so if it does not come.
fn waiting(failed: RwSignal<Option<Failed>>, sentence: &'static str) -> AnyView {
    let follow = part(move || match failed.get() {
        None => patience(sentence),
        Some(failure) => could_not(&failure),
    });
    follow.into_any()
}

fn patience(sentence: &'static str) -> AnyView {
    view! { <p class="status" role="status">{sentence}</p> }.into_any()
}

fn could_not(failure: &Failed) -> AnyView {
    match failure {
        Failed::Away => away(),
        Failed::Refused(refusal) => {
            trouble("The server says no.", &format!("{}.", refusal.message()), WAYS_OUT)
        }
        Failed::Nonsense => old_page(),
    }
}

/// A table on the server, as a player or as somebody who looks on.
pub(crate) fn table(id: String, way: Way) -> AnyView {
    // Taking a seat comes back to the same table with another token, also if another tab has taken it.
    let visit = RwSignal::new(0_u32);
    let (here, current) = (id.clone(), StoredValue::new_local(None::<Seated>));
    let elsewhere = window_event_listener(leptos::ev::storage, move |_| {
        let seated = current.get_value();
        let plays = seated.and_then(|seated| seated.scene_now(|scene| scene.is_player));
        if plays != Some(true) && kept::seat(&here).is_some() {
            visit.update(|visit| *visit += 1);
        }
    });
    on_cleanup(move || elsewhere.remove());
    let visits = part(move || {
        visit.track();
        let kept = kept::seat(&id);
        let seated = Seated::there(&id, kept.as_ref());
        current.set_value(Some(seated));
        let (here, code) = (id.clone(), kept.map(|seat| seat.code).unwrap_or_default());
        let has_begun = Memo::new(move |_| seated.is_known());
        let is_stuck = Memo::new(move |_| match seated.trouble.get() {
            Some(Trouble::Closed(_)) if seated.is_known() => None,
            other => other,
        });
        part(move || match is_stuck.get() {
            Some(found) => explain(&found, &here),
            None if !has_begun.get() => arriving(),
            None => {
                let beside = beside(seated, here.clone(), code.clone(), visit, way);
                table::table(seated, beside)
            }
        })
    });
    visits.into_any()
}

/// Shown until the server has said how the table stands.
fn arriving() -> AnyView {
    let is_slow = RwSignal::new(false);
    set_timeout(
        move || {
            is_slow.try_set(true);
        },
        std::time::Duration::from_secs(3),
    );
    part(move || if is_slow.get() { away() } else { patience("Going to the table …") }).into_any()
}

fn explain(found: &Trouble, id: &str) -> AnyView {
    match found {
        Trouble::NoTable => {
            // The seat is kept: it may be the server that is not the right one today.
            kept::note_seat(id, "");
            no_table()
        }
        Trouble::Closed(refusal) => {
            let sentence = format!("{}. It is tried again by itself.", refusal.message());
            trouble("The table cannot be reached now.", &sentence, WAYS_OUT)
        }
        Trouble::OtherProtocol => old_page(),
        Trouble::UnknownGame(game) => unknown_game(game),
        Trouble::Nonsense => nonsense(),
    }
}

/// What stands above the board: an invitation, or how to join.
fn beside(seated: Seated, id: String, code: String, visit: RwSignal<u32>, way: Way) -> AnyView {
    let is_player = Memo::new(move |_| seated.scene(|scene| scene.is_player));
    let is_full = Memo::new(move |_| seated.scene(|scene| scene.stage != Stage::Gathering));
    let failed = RwSignal::new(None::<Failed>);
    Effect::new(move |_| {
        is_full.track();
        catch_focus();
    });
    let follow = part(move || match (is_player.get(), is_full.get()) {
        (true, true) => ().into_any(),
        (true, false) => invitation(&id, &code),
        (false, false) => join(seated, id.clone(), visit, failed),
        (false, true) => watching(failed, way),
    });
    follow.into_any()
}

/// A seat is free: take it, or just look on.
fn join(
    seated: Seated,
    id: String,
    visit: RwSignal<u32>,
    failed: RwSignal<Option<Failed>>,
) -> AnyView {
    let clock = seated.scene_now(|scene| scene.clock.clone()).flatten();
    let clock = clock.map(|limit| format!(" There is a clock: {limit}.")).unwrap_or_default();
    let name = RwSignal::new(Person::kept().name);
    let sit_down = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        Person { name: name.get_untracked(), ..Person::kept() }.keep();
        let id = id.clone();
        spawn_local(async move {
            match take_seat(&id, "").await {
                Err(failure) if !is_open(&failure) => drop(failed.try_set(Some(failure))),
                // Who does not know finds out there.
                _ => drop(visit.try_update(|visit| *visit += 1)),
            }
        });
    };
    view! {
        <form class="card join" on:submit=sit_down>
            <p>"A seat is free. Sit down, or just watch."{clock}</p>
            <label for="join-name">"Your name"</label>
            <input id="join-name" maxlength="24" autocomplete="nickname" prop:value=name
                on:input:target=move |event| name.set(event.target().value()) />
            <button class="main">"Sit down and play"</button>
            <p class="hint" role="status">{text(move || not_seated(failed.get()))}</p>
        </form>
    }
    .into_any()
}

fn not_seated(failure: Option<Failed>) -> String {
    let Some(failure) = failure else { return String::new() };
    match failure {
        Failed::Refused(refusal) => format!("{}. You can watch.", refusal.message()),
        Failed::Away | Failed::Nonsense => {
            "The server said something odd: load the page again.".to_owned()
        }
    }
}

/// Both seats are taken.
fn watching(failed: RwSignal<Option<Failed>>, way: Way) -> AnyView {
    let sentence = if failed.get().is_some() {
        "Somebody was faster: both seats are taken. You are watching. "
    } else {
        "You are watching. "
    };
    let new = button("small", "New table", move || way.go(Place::Friend));
    view! { <p class="watching">{sentence}{new}</p> }.into_any()
}
