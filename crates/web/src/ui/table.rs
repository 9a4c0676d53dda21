//! A table: players, board, status, buttons, and the explanation panel.

use std::time::Duration;

use leptos::prelude::*;

use super::board::{board, catch_focus, focus_board, key_help};
use super::explanation_panel;
use super::reactive::{button, button_with_id, dynamic, flag, text};
use super::session_handle::{SessionHandle, StatusNote};
use crate::browser::{document, element};
use crate::screen::{ActionButton, PlayerCard, PlayerPresence, RoundPhase};
use crate::session::Intent;
use crate::texts;

/// The whole table. The banner stands above the board.
pub(crate) fn table(handle: SessionHandle, banner: AnyView) -> AnyView {
    let is_open = RwSignal::new(false);
    finish_loading();
    call_in_title(handle);
    view! {
        <div class="table" class:with-why=flag(move || is_open.get())>
            <div class="play">
                {players(handle)}
                {banner}
                {board(handle)}
                {status(handle)}
                {choices(handle)}
                {actions(handle, is_open)}
                {emotes(handle)}
                {key_help(handle)}
            </div>
            {dynamic(move || is_open.get().then(|| explanation_panel::panel(handle, is_open)))}
        </div>
    }
    .into_any()
}

/// Moves the focus to the board, or to the name of a person who can join, and marks the document as
/// ready for whoever measures it.
fn finish_loading() {
    request_animation_frame(|| {
        match element("join-name") {
            Some(name) => drop(name.focus()),
            None => focus_board(),
        }
        if let Some(root) = document().document_element() {
            drop(root.set_attribute("data-ready", "yes"));
        }
    });
}

const CALL: &str = "Your turn · ";

/// Says in the title that it is the person's turn, if another person waits for it.
fn call_in_title(handle: SessionHandle) {
    let is_called = Memo::new(move |_| {
        handle.screen(|screen| {
            let is_in_turn = |player: &PlayerCard| player.is_own && player.is_in_turn;
            screen.players.iter().any(is_in_turn) && screen.players.iter().any(is_other_person)
        })
    });
    Effect::new(move |_| {
        let title = document().title();
        let plain = title.strip_prefix(CALL).unwrap_or(&title);
        let call = if is_called.get() { CALL } else { "" };
        document().set_title(&format!("{call}{plain}"));
    });
}

/// Whether a player is another person who has not left.
fn is_other_person(player: &PlayerCard) -> bool {
    !player.is_own && matches!(player.presence, PlayerPresence::Here | PlayerPresence::Away)
}

fn players(handle: SessionHandle) -> AnyView {
    let players = Memo::new(move |_| handle.screen(|screen| screen.players.clone()));
    let round = Memo::new(move |_| handle.screen(|screen| (screen.round, screen.ties)));
    let score = move || {
        players.get().iter().map(|player| player.wins.to_string()).collect::<Vec<_>>().join(" : ")
    };
    let spoken_score = move || {
        let wins =
            players.get().into_iter().map(|player| format!("{} {}", player.name, player.wins));
        format!("Score: {}", wins.collect::<Vec<_>>().join(", "))
    };
    view! {
        <div class="players">
            {dynamic(move || players.get().first().map(|player| card(handle, player, "left")))}
            <div class="score">
                <span class="visually-hidden">{text(spoken_score)}</span>
                <span class="wins" aria-hidden="true">{text(score)}</span>
                <span class="round">{text(move || match round.get() {
                    (0, _) => String::new(),
                    (round, 0) => format!("Round {round}"),
                    (round, 1) => format!("Round {round} · 1 tie"),
                    (round, ties) => format!("Round {round} · {ties} ties"),
                })}</span>
            </div>
            {dynamic(move || players.get().get(1).map(|player| card(handle, player, "right")))}
        </div>
    }
    .into_any()
}

fn card(handle: SessionHandle, player: &PlayerCard, side: &'static str) -> AnyView {
    let (seat, number) = (player.seat, player.seat.number());
    let colour = if player.in_game.number() == 0 { "first" } else { "second" };
    let turn = if player.is_in_turn { " turn" } else { "" };
    let (dot, presence) = match player.presence {
        PlayerPresence::Here => ("here", "here"),
        PlayerPresence::Away => ("away", "away"),
        PlayerPresence::Left => ("left-table", "has left"),
        PlayerPresence::Free => ("free", "free seat"),
        PlayerPresence::Computer => ("here", "ready"),
    };
    let verb = if player.is_own && player.name == "You" { "play" } else { "plays" };
    let about = format!("{verb} {} · {presence}", player.symbol);
    let bubble =
        move || handle.bubbles.with(|all| all.get(&number).map(|(_, emote)| texts::emote(*emote)));
    view! {
        <div class=format!("player {side} {colour}{turn}") data-presence=dot>
            <i class=format!("dot {dot}") aria-hidden="true"></i>
            <div class="who">
                <div class="name">{player.name.clone()}</div>
                <div class="sub">{about}</div>
                {clock(handle, seat)}
            </div>
            {dynamic(move || bubble().map(|words| view! { <div class="bubble" role="status">{words}</div> }))}
        </div>
    }
    .into_any()
}

/// The time that a player has left, or the limit while this player's clock stands still.
fn clock(handle: SessionHandle, seat: game::Seat) -> impl IntoView {
    let limit = Memo::new(move |_| handle.screen(|screen| screen.clock.clone()));
    let deadline = Memo::new(move |_| {
        let deadline = handle.screen(|screen| screen.deadline);
        deadline.filter(|(whose, _)| *whose == seat).map(|(_, end)| end)
    });
    dynamic(move || {
        let limit = limit.get()?;
        let left = deadline.get().map(|end| countdown(handle, end));
        let words = move || match left.map(|left| left.get()) {
            Some(seconds) => format!("{}:{:02}", seconds / 60, seconds % 60),
            None => limit.clone(),
        };
        let class = move || match left.map(|left| left.get()) {
            Some(0..=LOW) => "clock low",
            Some(_) => "clock runs",
            None => "clock",
        };
        Some(view! { <div class=text(move || class().to_owned()) role="timer">{text(words)}</div> })
    })
}

/// The seconds from which a clock warns.
const LOW: u64 = 5;

/// The seconds until a time.
fn countdown(handle: SessionHandle, end: u64) -> RwSignal<u64> {
    let seconds = move || end.saturating_sub(handle.table_time()).div_ceil(1_000);
    let left = RwSignal::new(seconds());
    let tick = set_interval_with_handle(
        move || {
            if left.get_untracked() != seconds() {
                left.set(seconds());
            }
        },
        Duration::from_millis(100),
    );
    on_cleanup(move || {
        if let Ok(tick) = tick {
            tick.clear();
        }
    });
    left
}

fn status(handle: SessionHandle) -> AnyView {
    let colour = move || match handle.screen(|screen| screen.status.seat.map(game::Seat::number)) {
        Some(0) => "who first".to_owned(),
        Some(_) => "who second".to_owned(),
        None => "who".to_owned(),
    };
    let offline = move || {
        let is_connected = handle.screen(|screen| screen.is_connected);
        if is_connected { String::new() } else { "No connection. Retrying …".to_owned() }
    };
    view! {
        <div class="said">
            <p class="status" role="status" id="status">
                <span class="visually-hidden">{text(move || handle.screen(|screen| screen.last_move.clone()))}</span>
                <span class=text(colour)>{text(move || handle.screen(|screen| screen.status.subject.clone()))}</span>
                {text(move || handle.screen(|screen| screen.status.rest.clone()))}
            </p>
            <p class="offline" role="status">{text(offline)}</p>
            <p class="hint" role="status" id="hint">{dynamic(move || note(handle.note.get()))}</p>
        </div>
    }
    .into_any()
}

fn note(note: StatusNote) -> AnyView {
    let StatusNote { news, reasons } = note;
    let last = reasons.len().saturating_sub(1);
    let reason = |(number, (sentence, threads)): (usize, (String, Vec<String>))| {
        let threads = threads.into_iter().map(|thread| view! { " " <code>{thread}</code> });
        let threads: Vec<_> = threads.collect();
        let colon = if threads.is_empty() { "" } else { ":" };
        // No full stop after the name of a b-thread at the end.
        let stop = if number == last && !threads.is_empty() { "" } else { ". " };
        view! { <span class="reason">{sentence}{colon}{threads}{stop}</span> }
    };
    let reasons = reasons.into_iter().enumerate().map(reason).collect_view();
    view! { {news}" "{reasons} }.into_any()
}

/// The notes of the game, the moves that a click could mean, and the moves that belong to no square.
fn choices(handle: SessionHandle) -> AnyView {
    let moves = move || {
        let others = handle.screen(|screen| screen.other_moves.clone());
        let moves = [handle.choices.get(), others].concat().into_iter();
        moves.map(|chosen| button("", chosen.clone(), move || handle.play(&chosen))).collect_view()
    };
    view! {
        <p class="note" role="status">{text(move || handle.screen(|screen| screen.notes.join(". ")))}</p>
        <div class="actions">{dynamic(moves)}</div>
    }
    .into_any()
}

fn actions(handle: SessionHandle, is_open: RwSignal<bool>) -> AnyView {
    let buttons =
        Memo::new(move |_| handle.screen(|screen| (screen.round, screen.buttons.clone())));
    let question = RwSignal::new(None::<Intent>);
    // New buttons end the question about the old ones.
    Effect::new(move |_| {
        buttons.track();
        question.set(None);
        catch_focus();
    });
    view! {
        <div class="actions">
            {dynamic(move || match question.get() {
                Some(intent) => confirmation(handle, &intent, question),
                None => buttons.get().1.into_iter().map(|button| action(handle, button, question)).collect_view(),
            })}
            <button
                type="button"
                id="why"
                aria-expanded=text(move || is_open.get().to_string())
                on:click=move |_| is_open.update(|open| *open = !*open)
            >
                "Why?"
            </button>
        </div>
    }
    .into_any()
}

fn action(
    handle: SessionHandle,
    action: ActionButton,
    question: RwSignal<Option<Intent>>,
) -> AnyView {
    let ActionButton { intent, label, is_primary } = action;
    // The pressed button disappears, and the focus must not disappear with it.
    if is_primary {
        let act = move || {
            handle.act(intent.clone());
            focus_board();
        };
        return button("main", label, act);
    }
    button_with_id("resign", "", label, move || {
        question.set(Some(intent.clone()));
        focus_next_frame("confirm");
    })
}

/// Moves the focus to an element that is about to appear.
fn focus_next_frame(id: &'static str) {
    request_animation_frame(move || {
        if let Some(element) = element(id) {
            drop(element.focus());
        }
    });
}

/// Asks once more before resigning.
fn confirmation(
    handle: SessionHandle,
    intent: &Intent,
    question: RwSignal<Option<Intent>>,
) -> Vec<AnyView> {
    let intent = intent.clone();
    let yes = view! {
        <button type="button" id="confirm" class="main" on:click=move |event| {
            // The second half of a double click is no answer.
            if event.detail() > 1 {
                return;
            }
            question.set(None);
            handle.act(intent.clone());
            focus_board();
        }>"Yes, resign"</button>
    };
    let no = button("", "No", move || {
        question.set(None);
        focus_next_frame("resign");
    });
    let sentence = view! { <span class="question">"Resign this round?"</span> };
    vec![sentence.into_any(), yes.into_any(), no]
}

/// The short messages, where there is another person.
fn emotes(handle: SessionHandle) -> impl IntoView {
    let can_talk = Memo::new(move |_| {
        handle.screen(|screen| {
            screen.is_player
                && screen.phase != RoundPhase::WaitingForPlayers
                && screen.players.iter().any(is_other_person)
        })
    });
    let emote = move |emote| button("small", texts::emote(emote), move || handle.emote(emote));
    dynamic(move || {
        can_talk.get().then(|| {
            view! {
                <div class="emotes" role="group" aria-label="Send a message">
                    {texts::EMOTES.map(emote).collect_view()}
                </div>
            }
        })
    })
}
