//! A game that is over: every position, what each move was worth, and the first mistake.

use std::time::Duration;

use game::Game as _;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::traits::WithValue as _;
use wasm_bindgen_futures::spawn_local;

use super::board::board;
use super::explanation_panel;
use super::followed::{Derived, Followed, effect};
use super::invitation::copy_to_clipboard;
use super::problem::{WAYS_OUT, problem, unsupported_game};
use super::reactive::{button, button_link, dynamic, text};
use super::session_handle::{MoveValue, SessionHandle, searched};
use super::view::{View, html};
use crate::browser::{later, origin};
use crate::language::{say, say_with};
use crate::replay::{GameReplay, PlyAnalysis, ReplayError};
use crate::route::{ReplayAddress, Route};
use crate::rules_link;
use crate::searching::{SearchAnswer, SearchRequest, SearchedGame};
use crate::session::LocalSession;

/// A game that is over.
pub(crate) fn replay(address: &ReplayAddress) -> View {
    let replay = match GameReplay::read(&address.game, &address.plies) {
        Ok(replay) => replay,
        Err(ReplayError::UnknownGame) => return unsupported_game(&address.game),
        Err(ReplayError::Illegal(ply)) => {
            let sentence = say_with(
                "The rules do not allow ply {ply}. The link may be incomplete.",
                &[("ply", &ply.to_string())],
            );
            return problem(say("This is no game."), sentence, WAYS_OUT);
        }
    };
    let Ok(session) = LocalSession::replay(&replay) else {
        let sentence = say("The table does not accept its moves.");
        return problem(say("This is no game."), sentence, WAYS_OUT);
    };
    let handle = SessionHandle::replay(session);
    if let Some(ply) = address.ply {
        handle.go_to(ply);
    }
    let heading = Route::Replay(address.clone()).heading();
    let (is_open, replay) = (Followed::new(false), StoredValue::new_local(replay));
    let analysis = analysis_of(handle, replay);
    let has_board = Derived::new(move || handle.screen(|screen| !screen.board.squares.is_empty()));
    let status = html("p").class("status").attribute("role", "status");
    let status = status.attribute("id", "replay-status");
    let status = status.child(text(move || told(handle, replay, analysis.get().as_ref())));
    let found = html("p").class("because").attribute("id", "replay-method");
    let play = html("div")
        .class("play")
        .child(html("h1").child(heading))
        .child(dynamic(move || has_board.get().then(|| board(handle))))
        .child(explanation_panel::slider(handle))
        .child(status)
        .child(found.child(text(move || method(analysis.get().as_ref()))))
        .child(actions(handle, replay, address.clone(), is_open));
    let panel = dynamic(move || is_open.get().then(|| explanation_panel::panel(handle, is_open)));
    let class =
        move || if is_open.get() { "table replay with-why" } else { "table replay" }.to_owned();
    html("div").live("class", class).child(play).child(panel).into()
}

/// The analysis of the shown position, a moment after it is shown. The values go to the board.
fn analysis_of(
    handle: SessionHandle,
    replay: StoredValue<GameReplay, LocalStorage>,
) -> Followed<Option<PlyAnalysis>> {
    let analysis = Followed::new(None::<PlyAnalysis>);
    let step = Derived::new(move || handle.step());
    effect(move || {
        let Some(step) = step.try_get() else { return };
        handle.values.set(Vec::new());
        analysis.set(None);
        let analyze = move || {
            if step_is_gone(handle, step) {
                return;
            }
            let Some(game) = replay.try_with_value(searched_replay) else { return };
            let ply = u32::try_from(step).unwrap_or(u32::MAX);
            handle.search(SearchRequest::Analysis { game, ply }, move |answer| {
                let SearchAnswer::Analysis(found) = answer else { return };
                if step_is_gone(handle, step) {
                    return;
                }
                let values = found.as_ref().map(MoveValue::all).unwrap_or_default();
                handle.values.set(values);
                analysis.set(found);
            });
        };
        // A person who moves the slider does not wait for every position on its way.
        later(Duration::from_millis(30), analyze);
    });
    analysis
}

/// Whether the person has gone on to another position, or to another view.
fn step_is_gone(handle: SessionHandle, step: usize) -> bool {
    handle.try_step() != Some(step)
}

/// One sentence about the move that was made in the shown position.
fn told(
    handle: SessionHandle,
    replay: StoredValue<GameReplay, LocalStorage>,
    analysis: Option<&PlyAnalysis>,
) -> String {
    let step = handle.step();
    let next = replay.try_with_value(|replay| replay.plies().get(step).map(ToString::to_string));
    let Some(Some(next)) = next else {
        let (subject, rest) =
            handle.screen(|screen| (screen.status.subject.clone(), screen.status.rest.clone()));
        return format!("{subject}{rest}");
    };
    let verdict = match analysis.and_then(|analysis| analysis.is_mistake) {
        Some(true) => say("A mistake."),
        Some(false) => say("No move was better."),
        None => String::new(),
    };
    let next = say_with("Then: {move}.", &[("move", &next)]);
    format!("{next} {verdict}").trim_end().to_owned()
}

/// How the values were found.
pub(crate) fn method(analysis: Option<&PlyAnalysis>) -> String {
    match analysis {
        None => String::new(),
        Some(found) if found.position.value.exact => say("The values are exact."),
        Some(_) => say("The values are estimates."),
    }
}

fn actions(
    handle: SessionHandle,
    replay: StoredValue<GameReplay, LocalStorage>,
    address: ReplayAddress,
    is_open: Followed<bool>,
) -> View {
    let answer = Followed::new(String::new());
    let copied = address.clone();
    let copy = button("", say("Copy link"), move || {
        let here = ReplayAddress { ply: Some(handle.step()), ..copied.clone() };
        let link = format!("{}{}", origin(), Route::Replay(here));
        spawn_local(async move {
            let is_copied = copy_to_clipboard(&link).await;
            let shown = if is_copied { say("Copied.") } else { link };
            answer.set(shown);
        });
    });
    let mistake = button("main", say("First mistake"), move || {
        answer.set(say("Looking …"));
        find_mistake(handle, replay, answer);
    });
    let download = replay.with_value(|replay| {
        replay.is_over().then(|| {
            let text = String::from(js_sys::encode_uri_component(&replay.transcript()));
            format!("data:text/plain;charset=utf-8,{text}")
        })
    });
    let file = format!("{}.txt", address.game.replace([':', ','], "-"));
    let rules = rules_link::to_game(&address.game);
    let in_lab = move || {
        let link = rules_link::to_plies(rules.as_ref()?, &address.plies, handle.step());
        Some(button_link(&link, say("In the lab")).attribute("id", "in-lab"))
    };
    let again = Route::Game(address.game).to_string();
    let download = download.map(|link| {
        let link = button_link(&link, say("Download")).attribute("id", "download");
        link.attribute("download", &file)
    });
    let named = |id: &str| html("button").attribute("type", "button").attribute("id", id);
    let why = named("why")
        .live("aria-expanded", move || is_open.get().to_string())
        .on_click(move || is_open.update(|open| *open = !*open))
        .child(say("Why?"));
    let actions = html("div")
        .class("actions")
        .child(mistake)
        .child(copy)
        .child(named("share-card").child(say("Share a picture")))
        .child(download)
        .child(why)
        .child(dynamic(in_lab))
        .child(button_link(&again, say("Play again")));
    let hint = html("p").class("hint").attribute("role", "status").attribute("id", "hint");
    View::list([actions, hint.child(text(move || answer.get()))])
}

/// The game as a worker reads it.
fn searched_replay(replay: &GameReplay) -> SearchedGame {
    searched(&replay.game().name(), GameReplay::write(replay.plies()))
}

/// Goes to the first mistake.
fn find_mistake(
    handle: SessionHandle,
    replay: StoredValue<GameReplay, LocalStorage>,
    answer: Followed<String>,
) {
    let Some(game) = replay.try_with_value(searched_replay) else { return };
    handle.search(SearchRequest::FirstMistake(game), move |found| match found {
        SearchAnswer::Mistake(Some(ply)) => {
            handle.go_to(ply as usize);
            answer.set(String::new());
        }
        SearchAnswer::Mistake(None) => {
            answer.set(say("Nobody made a mistake."));
        }
        _ => {}
    });
}
