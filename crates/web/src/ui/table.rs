//! A table: players, board, status, buttons, and the explanation panel.

use std::time::Duration;

use leptos::prelude::*;

use super::board::{board, catch_focus, focus_board, key_help};
use super::explanation_panel;
use super::followed::{Derived, Followed, effect};
use super::reactive::{
    button, dynamic, flag, pressed, rule_sentence, single_click_button, text, typed,
};
use super::session_handle::{SessionHandle, StatusNote};
use super::takebacks;
use crate::browser::{document, element};
use crate::language::{RuleSentence, say, say_count, say_with};
use crate::route::{ReplayAddress, Route};
use crate::rules_link;
use crate::screen::{
    ActionButton, PlayerCard, PlayerPresence, ROUNDS_TO_WIN, RoundPhase, RulesSource, TableScreen,
};
use crate::session::Intent;
use crate::texts;

/// The whole table. The banner stands above the board, and what concerns the whole table below it.
pub(crate) fn table(
    handle: SessionHandle,
    heading: String,
    banner: AnyView,
    below: AnyView,
) -> AnyView {
    let is_open = Followed::new(false);
    let has_board = Derived::new(move || handle.screen(|screen| !screen.board.squares.is_empty()));
    finish_loading();
    call_in_title(handle);
    let close_on_escape = move |event: leptos::ev::KeyboardEvent| {
        if event.key() == "Escape" && is_open.get_untracked() {
            explanation_panel::close(handle, is_open);
        }
    };
    view! {
        <div class="table" class:with-why=flag(move || is_open.get()) on:keydown=typed(close_on_escape)>
            <div class="play">
                <h1 class="visually-hidden">{heading}</h1>
                {players(handle)}
                {banner}
                {dynamic(move || has_board.get().then(|| board(handle)))}
                {choices(handle)}
                {status(handle)}
                {actions(handle, is_open)}
                {emotes(handle)}
                {below}
                {dynamic(move || has_board.get().then(|| key_help(handle)))}
                {dynamic(move || open_rules(handle))}
            </div>

            {dynamic(move || is_open.get().then(|| explanation_panel::panel(handle, is_open)))}
        </div>
    }
    .into_any()
}

/// The way to the rules in the lab, where they are written as text. The table stays open.
fn open_rules(handle: SessionHandle) -> Option<AnyView> {
    let link = handle.screen(|screen| rules_link::to_game(&screen.game_name))?;
    Some(view! {
        <p class="hint"><a id="open-rules" href=link target="_blank">{say("Open these rules in the lab")}</a></p>
    }.into_any())
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

/// Says in the title that it is the person's turn, if another person waits for it.
fn call_in_title(handle: SessionHandle) {
    let is_called = Derived::new(move || {
        handle.screen(|screen| {
            let is_in_turn = |player: &PlayerCard| player.is_own && player.is_in_turn;
            screen.players.iter().any(is_in_turn) && screen.players.iter().any(is_other_person)
        })
    });
    effect(move || {
        let title = document().title();
        let call = format!("{} · ", say("Your turn"));
        let plain = title.strip_prefix(&call).unwrap_or(&title);
        let call = if is_called.get() { call.as_str() } else { "" };
        document().set_title(&format!("{call}{plain}"));
    });
}

/// Whether a player is another person who has not left.
fn is_other_person(player: &PlayerCard) -> bool {
    !player.is_own && matches!(player.presence, PlayerPresence::Here | PlayerPresence::Away)
}

fn players(handle: SessionHandle) -> AnyView {
    let players = Derived::new(move || handle.screen(|screen| screen.players.clone()));
    let round = Derived::new(move || handle.screen(|screen| (screen.round, screen.ties)));
    let score = Derived::new(move || {
        players.get().iter().map(|player| player.wins.to_string()).collect::<Vec<_>>().join(" : ")
    });
    let spoken_score = move || {
        let wins =
            players.get().into_iter().map(|player| format!("{} {}", player.name, player.wins));
        say_with("Score: {wins}.", &[("wins", &wins.collect::<Vec<_>>().join(", "))])
    };
    view! {
        <div class="players">
            {dynamic(move || players.get().first().map(|player| card(handle, player, "left")))}
            <div class="score">
                <span class="visually-hidden">{text(spoken_score)}</span>
                // A new element for a new score, so that it is tied up again.
                {dynamic(move || view! { <span class="wins" aria-hidden="true">{score.get()}</span> })}
                <span class="round">{text(move || match round.get() {
                    (0, _) => String::new(),
                    (round, 0) => numbered_round(round),
                    (round, ties) => {
                        format!("{} · {}", numbered_round(round), say_count("{count} tie|{count} ties", ties))
                    }
                })}</span>
                <span class="goal">{say_with("first to {rounds}", &[("rounds", &ROUNDS_TO_WIN.to_string())])}</span>
            </div>
            {dynamic(move || players.get().get(1).map(|player| card(handle, player, "right")))}
        </div>
    }
    .into_any()
}

fn numbered_round(round: u32) -> String {
    say_with("Round {round}", &[("round", &round.to_string())])
}

fn card(handle: SessionHandle, player: &PlayerCard, side: &'static str) -> AnyView {
    let (seat, number) = (player.seat, player.seat.number());
    let colour = if player.in_game.number() == 0 { "first" } else { "second" };
    let turn = if player.is_in_turn { " turn" } else { "" };
    let (dot, presence) = match player.presence {
        PlayerPresence::Here => ("here", say("here")),
        PlayerPresence::Away => ("away", say("away")),
        PlayerPresence::Offline => ("away", say("no connection")),
        PlayerPresence::Left => ("left-table", say("has left")),
        PlayerPresence::Free => ("free", say("free seat")),
        PlayerPresence::Computer => ("here", say("ready")),
    };
    let presence = player.level.clone().unwrap_or(presence);
    let gaps = [("symbol", player.symbol.as_str()), ("presence", &presence)];
    let about = match player.symbol.as_str() {
        "" => presence.clone(),
        _ if player.is_own && player.name == say("You") => {
            say_with("play {symbol} · {presence}", &gaps)
        }
        _ => say_with("plays {symbol} · {presence}", &gaps),
    };
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
    let limit = Derived::new(move || handle.screen(|screen| screen.clock.clone()));
    let deadline = Derived::new(move || {
        let deadline = handle.screen(|screen| screen.deadline);
        deadline.filter(|(whose, _)| *whose == seat).map(|(_, end)| end)
    });
    dynamic(move || {
        let limit = limit.get()?;
        let left = deadline.get().map(|end| countdown(handle, end));
        let words = move || match left.map(Followed::get) {
            Some(seconds) => format!("{}:{:02}", seconds / 60, seconds % 60),
            None => limit.clone(),
        };
        let class = move || match left.map(Followed::get) {
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
fn countdown(handle: SessionHandle, end: u64) -> Followed<u64> {
    let seconds = move || end.saturating_sub(handle.table_time()).div_ceil(1_000);
    let left = Followed::new(seconds());
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
        if is_connected { String::new() } else { say("No connection. Retrying …") }
    };
    view! {
        <div class="said">
            <p class="status" role="status" id="status">
                <span class="visually-hidden">{text(move || handle.screen(|screen| screen.last_move.clone()))}</span>
                <span class=text(colour)>{text(move || handle.screen(|screen| screen.status.subject.clone()))}</span>
                {text(move || handle.screen(|screen| screen.status.rest.clone()))}
            </p>
            <p class="because" role="status" id="because">{dynamic(move || rule_sentence(handle.screen(|screen| screen.because.clone())))}</p>
            <p class="offline" role="status">{text(offline)}</p>
            <div class="hint" role="status" id="hint">{dynamic(move || note(handle.note.get()))}</div>
        </div>
    }
    .into_any()
}

fn note(note: StatusNote) -> AnyView {
    let StatusNote { news, reasons } = note;
    let (sentences, threads): (Vec<RuleSentence>, Vec<Vec<String>>) = reasons.into_iter().unzip();
    let sentences = sentences.into_iter().map(|RuleSentence { text, lang }| {
        let text = say_with("{reason}.", &[("reason", &text)]) + " ";
        rule_sentence(RuleSentence { text, lang })
    });
    let threads = threads.concat();
    let rules = (!threads.is_empty()).then(|| {
        let label = if threads.len() == 1 { say("Which rule?") } else { say("Which rules?") };
        let threads = threads.into_iter().map(|thread| view! { " " <code>{thread}</code> });
        view! { <details><summary>{label}</summary>{threads.collect_view()}</details> }
    });
    view! { {news}" "{sentences.collect_view()}{rules} }.into_any()
}

/// The notes of the game, the moves that a click could mean, and the moves that belong to no square.
fn choices(handle: SessionHandle) -> AnyView {
    let moves = move || {
        let (others, labels) =
            handle.screen(|screen| (screen.other_moves.clone(), screen.move_labels.clone()));
        let moves = [handle.choices.get(), others].concat().into_iter();
        let label = move |chosen: &String| {
            let label = labels.iter().find(|(other, _)| other == chosen);
            label.map_or_else(|| chosen.clone(), |(_, label)| label.clone())
        };
        moves.map(|chosen| button("", label(&chosen), move || handle.play(&chosen))).collect_view()
    };
    let has_board = Derived::new(move || handle.screen(|screen| !screen.board.squares.is_empty()));
    let class = move || if has_board.get() { "note" } else { "note alone" }.to_owned();
    let notes = move || {
        let notes = handle.screen(|screen| screen.notes.clone());
        notes.into_iter().map(|note| view! { <span>{rule_sentence(note)}</span> }).collect_view()
    };
    view! {
        <p class=text(class) role="status">{dynamic(notes)}</p>
        <div class="actions">{dynamic(moves)}</div>
    }
    .into_any()
}

fn actions(handle: SessionHandle, is_open: Followed<bool>) -> AnyView {
    let buttons =
        Derived::new(move || handle.screen(|screen| (screen.round, screen.buttons.clone())));
    let question = Followed::new(None::<Intent>);
    // The page cannot explain rules that are a text: the note above the board leads to the lab, which can.
    let has_panel =
        Derived::new(move || handle.screen(|screen| screen.rules_source == RulesSource::BuiltIn));
    // New buttons end the question about the old ones.
    effect(move || {
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
            {takebacks::ask_button(handle)}
            {dynamic(move || {
                let can_hint = handle.screen(|screen| screen.can_hint);
                can_hint.then(|| button("", say("Hint"), move || handle.show_hint()))
            })}
            {dynamic(move || {
                let can_ask = handle.screen(|screen| screen.can_hint);
                can_ask.then(|| button("", say("What if?"), move || handle.show_what_if()))
            })}
            {dynamic(move || look_again(handle))}
            {dynamic(move || {
                let has_lost = handle.screen(TableScreen::can_ask_why_lost);
                has_lost.then(|| single_click_button("lost", "", say("Where did I lose it?"), move || handle.show_losing_move()))
            })}
            {dynamic(move || has_panel.get().then(|| why_button(handle, is_open)))}
        </div>
    }
    .into_any()
}

fn why_button(handle: SessionHandle, is_open: Followed<bool>) -> AnyView {
    view! {
        <button
            type="button"
            id="why"
            aria-expanded=text(move || is_open.get().to_string())
            on:click=pressed(move |_| {
                if is_open.get_untracked() {
                    explanation_panel::close(handle, is_open);
                } else {
                    is_open.set(true);
                }
            })
        >
            {say("Why?")}
        </button>
    }
    .into_any()
}

/// The link to the replay of a round that is over.
fn look_again(handle: SessionHandle) -> Option<AnyView> {
    let (game, plies) = handle.screen(|screen| (screen.game_name.clone(), screen.replay.clone()));
    let address = Route::Replay(ReplayAddress { game, plies: plies?, ply: Some(0) }).to_string();
    Some(
        view! { <a class="button" id="look-again" href=address>{say("Look again")}</a> }.into_any(),
    )
}

fn action(
    handle: SessionHandle,
    action: ActionButton,
    question: Followed<Option<Intent>>,
) -> AnyView {
    let ActionButton { intent, label, is_primary } = action;
    // The pressed button disappears, and the focus must not disappear with it.
    if is_primary {
        let act = move || {
            handle.act(intent.clone());
            focus_board();
        };
        return single_click_button("next", "main", label, act);
    }
    single_click_button("resign", "", label, move || {
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
    question: Followed<Option<Intent>>,
) -> Vec<AnyView> {
    let intent = intent.clone();
    let yes = view! {
        <button type="button" id="confirm" class="main" on:click=pressed(move |event| {
            // The second half of a double click is no answer.
            if event.detail() > 1 {
                return;
            }
            question.set(None);
            handle.act(intent.clone());
            focus_board();
        })>{say("Yes, resign")}</button>
    };
    let no = button("", say("No"), move || {
        question.set(None);
        focus_next_frame("resign");
    });
    let sentence = view! { <span class="question">{say("Resign this round?")}</span> };
    vec![sentence.into_any(), yes.into_any(), no]
}

/// The short messages, where there is another person.
fn emotes(handle: SessionHandle) -> impl IntoView {
    let can_talk = Derived::new(move || {
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
                <div class="emotes" role="group" aria-label=say("Send a message")>
                    {texts::EMOTES.map(emote).collect_view()}
                </div>
            }
        })
    })
}
