//! Tables on the server.

use ::table::Token;
use ::table::wire::{CreatedTable, TakenSeat, codes};
use reactive_graph::owner::StoredValue;
use reactive_graph::traits::{GetValue as _, SetValue as _};
use serde_json::json;
use wasm_bindgen_futures::spawn_local;

use super::absent_player::absent_player;
use super::board::catch_focus;
use super::devices::{another_device, take_over, take_secret};
use super::fairness::fairness;
use super::followed::{Derived, Followed, effect, keep};
use super::invitation::invitation;
use super::local_table;
use super::navigator::Navigator;
use super::problem::{
    WAYS_OUT, no_table, outdated, problem, unreachable, unreadable, unsupported_game,
};
use super::reactive::{button, dynamic, text};
use super::rules_note::rules_note;
use super::session_handle::SessionHandle;
use super::view::{View, html, input_of};
use super::{table, takebacks};
use crate::browser::{RequestError, WindowListener, later, post};
use crate::games_menu::{GameSource, OfferedGame};
use crate::language::{say, say_rule, say_with};
use crate::route::{Route, USUAL_GAME};
use crate::screen::{RoundPhase, TableScreen};
use crate::session::{Intent, SessionError};
use crate::storage::{self, Preferences};
use crate::texts;

/// Opens a table for a friend, takes a seat and goes there.
pub(crate) fn new_table(game: String, navigator: Navigator) -> View {
    let error = Followed::new(None::<RequestError>);
    spawn_local(async move {
        match create_table(&game).await {
            // The person may have gone elsewhere in the meantime.
            Ok(id) if navigator.is_at(&Route::Friend(game)) => navigator.replace(Route::Table(id)),
            Ok(_) => {}
            Err(failure) => error.set(Some(failure)),
        }
    });
    waiting(error, say("Opening a table …"))
}

async fn create_table(game: &str) -> Result<String, RequestError> {
    let seconds = Preferences::load().seconds;
    let clock = (seconds > 0).then(|| json!({ "per_move": seconds * 1_000 }));
    let request = json!({ "game": game, "alternate": true, "clock": clock });
    let table: CreatedTable = post("/api/tables", &request).await?;
    take_seat(&table.id, &table.code).await?;
    Ok(table.id)
}

/// Takes a free seat. The token is made and stored here before the server hears of it.
async fn take_seat(id: &str, code: &str) -> Result<(), RequestError> {
    let name = Preferences::load().public_name();
    let request = json!({ "name": name, "token": storage::seat_token(id, code) });
    let path = format!("/api/tables/{id}/seats");
    let seat = match post::<TakenSeat>(&path, &request).await {
        Err(RequestError::Unreachable) => post::<TakenSeat>(&path, &request).await,
        answer => answer,
    };
    if seat.as_ref().is_err_and(|error| !may_have_worked(error)) {
        storage::forget_seat(id);
    }
    seat.map(drop)
}

/// Whether the server may have done what was asked: only its answer is missing.
fn may_have_worked(error: &RequestError) -> bool {
    match error {
        RequestError::Unreachable => true,
        RequestError::Refused(refusal) => *refusal.code() == codes::UNAVAILABLE,
        RequestError::Unreadable => false,
    }
}

/// Takes a seat with somebody who waits, or waits for somebody.
pub(crate) fn quick_match(game: String, navigator: Navigator) -> View {
    let error = Followed::new(None::<RequestError>);
    spawn_local(async move {
        let (name, token) = (Preferences::load().public_name(), storage::pairing_token());
        let request = json!({ "game": game, "name": name, "token": token });
        match post::<TakenSeat>("/api/pair", &request).await {
            Ok(TakenSeat { id, token, .. }) => {
                storage::save_seat(&id, token, "", "");
                if navigator.is_at(&Route::QuickMatch(game)) {
                    navigator.replace(Route::Table(id));
                }
            }
            Err(failure) => error.set(Some(failure)),
        }
    });
    waiting(error, say("Looking for an opponent …"))
}

/// Waits for an answer of the server, and shows why there is none.
fn waiting(error: Followed<Option<RequestError>>, sentence: String) -> View {
    dynamic(move || match error.get() {
        None => progress(sentence.clone()),
        Some(RequestError::Unreachable) => unreachable(),
        Some(RequestError::Refused(refusal)) => {
            problem(say("That did not work."), texts::refused(&refusal), WAYS_OUT)
        }
        Some(RequestError::Unreadable) => outdated(),
    })
}

fn progress(sentence: String) -> View {
    html("p").class("status").attribute("role", "status").child(sentence).into()
}

/// A table on the server. A link from another device of the person brings the seat along, also one that
/// is opened in a tab that shows the table already.
pub(crate) fn table(id: String, navigator: Navigator) -> View {
    let secret = Followed::new(take_secret());
    keep(WindowListener::new("hashchange", move |_| {
        if let Some(taken) = take_secret() {
            secret.set(Some(taken));
        }
    }));
    dynamic(move || match secret.get() {
        None => table_here(id.clone(), navigator),
        Some(secret) => take_over_table(id.clone(), secret, navigator),
    })
}

/// Takes a seat over and shows the table after that.
fn take_over_table(id: String, secret: Token, navigator: Navigator) -> View {
    let (error, is_done) = (Followed::new(None::<RequestError>), Followed::new(false));
    let table_id = id.clone();
    spawn_local(async move {
        match take_over(&table_id, &secret).await {
            Err(failure) => error.set(Some(failure)),
            Ok(()) => is_done.set(true),
        }
    });
    dynamic(move || {
        if is_done.get() {
            table_here(id.clone(), navigator)
        } else {
            waiting(error, say("Taking over your seat …"))
        }
    })
}

/// A table on the server, for a player or a spectator.
fn table_here(id: String, navigator: Navigator) -> View {
    // A new session starts when the person takes a seat, here or in another tab.
    let visit = Followed::new(0_u32);
    let (table_id, current) = (id.clone(), StoredValue::new_local(None::<SessionHandle>));
    keep(WindowListener::new("storage", move |_| {
        let handle = current.get_value();
        let is_player = handle.and_then(|handle| handle.screen_now(|screen| screen.is_player));
        if is_player != Some(true) && storage::seat(&table_id).is_some() {
            visit.update(|visit| *visit += 1);
        }
    }));
    dynamic(move || {
        visit.track();
        let seat = storage::seat(&id);
        let handle = SessionHandle::remote(&id, seat.as_ref());
        current.set_value(Some(handle));
        let (table_id, code) = (id.clone(), seat.map(|seat| seat.code).unwrap_or_default());
        let is_known = Derived::new(move || handle.is_known());
        // A table that is shown stays while the session keeps retrying.
        let error = Derived::new(move || match handle.error.try_get().flatten() {
            Some(SessionError::Unavailable(_)) if handle.is_known() => None,
            other => other,
        });
        let meanwhile = Followed::new(false);
        let is_waiting = Derived::new(move || meanwhile.get() && handle.screen(is_waiting));
        dynamic(move || match error.get() {
            Some(error) => session_problem(&error, &table_id),
            None if !is_known.get() => joining(),
            None if is_waiting.get() => computer_meanwhile(handle, meanwhile),
            None => {
                let seat = OwnSeat { id: table_id.clone(), code: code.clone(), meanwhile };
                let banner = banner(handle, seat, visit, navigator);
                let heading = heading(handle);
                let rules = rules_note(handle, table_id.clone());
                let below = View::list([
                    fairness(handle, table_id.clone()),
                    another_device(handle, table_id.clone()),
                ]);
                let above = View::list([rules, banner, takebacks::question(handle)]);
                table::table(handle, heading, above, below)
            }
        })
    })
}

/// The heading of a table that is known.
fn heading(handle: SessionHandle) -> String {
    let heading = |screen: &TableScreen| say_with("Table of {game}", &[("game", &screen.game)]);
    handle.screen_now(heading).unwrap_or_default()
}

/// A table in a frame of another site. Nobody plays there: another page could lie over the frame and make
/// people click.
pub(crate) fn embedded(id: &str) -> View {
    let handle = SessionHandle::watching(id);
    let (is_known, link) = (Derived::new(move || handle.is_known()), format!("/t/{id}"));
    dynamic(move || match handle.error.try_get().flatten() {
        Some(SessionError::NoTable) => no_table(),
        _ if !is_known.get() => joining(),
        _ => {
            let heading = heading(handle);
            let open = html("a").attribute("href", &link).attribute("target", "_blank");
            let open = open.attribute("rel", "noopener").child(say("Open this table"));
            let open = html("p").class("watching").child(open);
            table::table(handle, heading, open.into(), View::nothing())
        }
    })
}

/// What the page knows about its own seat at a table.
struct OwnSeat {
    id: String,
    code: String,
    /// Whether the person plays the computer until somebody comes.
    meanwhile: Followed<bool>,
}

/// Whether the person has a seat and waits for others.
fn is_waiting(screen: &TableScreen) -> bool {
    screen.is_player && screen.phase == RoundPhase::WaitingForPlayers
}

/// A game against the computer for a person who waits. The table takes its place as soon as somebody
/// comes.
fn computer_meanwhile(handle: SessionHandle, meanwhile: Followed<bool>) -> View {
    let game = handle.screen_now(|screen| screen.game_name.clone()).unwrap_or_default();
    let sentence =
        say("Still waiting for an opponent. Your game begins here as soon as somebody comes.");
    let stop = button("", say("Stop playing the computer"), move || meanwhile.set(false));
    let card = html("section").class("card absent").attribute("aria-label", &say("Waiting"));
    let card = card.child(html("p").child(sentence));
    let card = card.child(html("p").class("actions").child(stop));
    View::List(vec![card.into(), local_table::against_computer(GameSource::CATALOG, &game)])
}

/// Shown until the server has described the table.
fn joining() -> View {
    let is_slow = Followed::new(false);
    let wait = std::time::Duration::from_secs(3);
    later(wait, move || is_slow.set(true));
    dynamic(
        move || {
            if is_slow.get() { unreachable() } else { progress(say("Joining the table …")) }
        },
    )
}

fn session_problem(error: &SessionError, id: &str) -> View {
    match error {
        SessionError::NoTable => {
            // The seat stays stored: this may just be the wrong server.
            storage::save_summary(id, "", false);
            no_table()
        }
        SessionError::Unavailable(refusal) => {
            let title = say("The table is not available right now.");
            problem(title, texts::retrying(refusal), WAYS_OUT)
        }
        SessionError::OtherProtocol => outdated(),
        SessionError::UnsupportedGame(game) => unsupported_game(game),
        SessionError::Unreadable => unreadable(),
    }
}

/// What stands above the board: an invitation, a free seat, or a note for spectators.
fn banner(
    handle: SessionHandle,
    OwnSeat { id, code, meanwhile }: OwnSeat,
    visit: Followed<u32>,
    navigator: Navigator,
) -> View {
    let is_player = Derived::new(move || handle.screen(|screen| screen.is_player));
    let is_full =
        Derived::new(move || handle.screen(|screen| screen.phase != RoundPhase::WaitingForPlayers));
    let error = Followed::new(None::<RequestError>);
    effect(move || {
        is_full.track();
        catch_focus();
    });
    dynamic(move || match (is_player.get(), is_full.get()) {
        (true, true) => absent_player(handle, navigator),
        (true, false) => {
            let id = id.clone();
            let game = handle.screen_now(|screen| screen.game_name.clone()).unwrap_or_default();
            let can_play = code.is_empty() && OfferedGame::find(&game).is_some();
            let meanwhile = can_play.then_some(meanwhile);
            invitation(&id.clone(), &code, meanwhile, move || {
                handle.act(Intent::Leave);
                storage::forget_seat(&id);
                storage::cancel_pairing();
                navigator.go(Route::Home);
            })
        }
        (false, false) => free_seat(handle, id.clone(), visit, error),
        (false, true) => spectator_note(error, navigator),
    })
}

/// The form that takes a free seat.
fn free_seat(
    handle: SessionHandle,
    id: String,
    visit: Followed<u32>,
    error: Followed<Option<RequestError>>,
) -> View {
    let clock = handle.screen_now(|screen| screen.clock.clone()).flatten();
    let clock = clock.map(|limit| say_with("There is a clock: {limit}.", &[("limit", &limit)]));
    let name = Followed::new(Preferences::load().name);
    let join = move |event: web_sys::Event| {
        event.prevent_default();
        Preferences { name: name.get_untracked(), ..Preferences::load() }.save();
        let id = id.clone();
        spawn_local(async move {
            match take_seat(&id, "").await {
                Err(failure) if !may_have_worked(&failure) => error.set(Some(failure)),
                // The new session finds out whether the seat is ours.
                _ => visit.update(|visit| *visit += 1),
            }
        });
    };
    let sentence = html("p").child(say("A seat is free. Join the game, or just watch."));
    let field = html("input")
        .attribute("id", "join-name")
        .attribute("maxlength", "24")
        .attribute("autocomplete", "nickname")
        .property("value", move || name.get())
        .on("input", move |event| {
            name.set(input_of(&event).map(|input| input.value()).unwrap_or_default());
        });
    let hint = html("p").class("hint").attribute("role", "status");
    html("form")
        .class("card join")
        .on("submit", join)
        .child(sentence.child(" ").child(clock))
        .child(html("label").attribute("for", "join-name").child(say("Your name")))
        .child(field)
        .child(html("button").class("main").child(say("Join the game")))
        .child(hint.child(text(move || seat_error(error.get()))))
        .into()
}

fn seat_error(error: Option<RequestError>) -> String {
    match error {
        None => String::new(),
        Some(RequestError::Refused(refusal)) => {
            say_with("{reason}. You can watch.", &[("reason", &say_rule(refusal.message()))])
        }
        Some(RequestError::Unreachable | RequestError::Unreadable) => {
            say("Something went wrong. Reload the page.")
        }
    }
}

fn spectator_note(error: Followed<Option<RequestError>>, navigator: Navigator) -> View {
    let sentence = if error.get().is_some() {
        say("Somebody was faster, and both seats are taken. You are watching.")
    } else {
        say("You are watching.")
    };
    let new_table = button("small", say("New table"), move || {
        navigator.go(Route::Friend(USUAL_GAME.to_owned()));
    });
    html("p").class("watching").child(sentence).child(" ").child(new_table).into()
}
