//! A table: players, board, status, buttons, and the explanation panel.

use std::time::Duration;

use super::board::{board, catch_focus, focus_board, key_help};
use super::explanation_panel;
use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;

use super::followed::{Derived, Followed, effect, keep};
use super::reactive::{button, button_link, dynamic, rule_sentence, single_click_button, text};
use super::session_handle::{SessionHandle, StatusNote};
use super::takebacks;
use super::view::{Element, View, html};
use crate::browser::{BrowserTimer, document, element, next_frame};
use crate::language::{RuleSentence, say, say_count, say_with};
use crate::route::{ReplayAddress, Route};
use crate::rules_link;
use crate::screen::{
    ActionButton, PlayerCard, PlayerPresence, ROUNDS_TO_WIN, RoundPhase, RulesSource, TableScreen,
};
use crate::session::Intent;
use crate::texts;

/// The whole table. The banner stands above the board, and what concerns the whole table below it.
pub(crate) fn table(handle: SessionHandle, heading: String, banner: View, below: View) -> View {
    let is_open = Followed::new(false);
    let has_board = Derived::new(move || handle.screen(|screen| !screen.board.squares.is_empty()));
    finish_loading();
    call_in_title(handle);
    let close_on_escape = move |event: web_sys::Event| {
        let key = event.unchecked_ref::<KeyboardEvent>().key();
        if key == "Escape" && is_open.get_untracked() {
            explanation_panel::close(handle, is_open);
        }
    };
    let play = html("div")
        .class("play")
        .child(html("h1").class("visually-hidden").child(heading))
        .child(players(handle))
        .child(banner)
        .child(dynamic(move || has_board.get().then(|| board(handle))))
        .child(choices(handle))
        .child(status(handle))
        .child(actions(handle, is_open))
        .child(emotes(handle))
        .child(below)
        .child(dynamic(move || has_board.get().then(|| key_help(handle))))
        .child(dynamic(move || open_rules(handle)));
    let panel = dynamic(move || is_open.get().then(|| explanation_panel::panel(handle, is_open)));
    let class = move || if is_open.get() { "table with-why" } else { "table" }.to_owned();
    html("div").live("class", class).on("keydown", close_on_escape).child(play).child(panel).into()
}

/// The way to the rules in the lab, where they are written as text. The table stays open.
fn open_rules(handle: SessionHandle) -> Option<Element> {
    let link = handle.screen(|screen| rules_link::to_game(&screen.game_name))?;
    let open = html("a").attribute("id", "open-rules").attribute("href", &link);
    let open = open.attribute("target", "_blank").child(say("Open these rules in the lab"));
    Some(html("p").class("hint").child(open))
}

/// Moves the focus to the board, or to the name of a person who can join, and marks the document as
/// ready for whoever measures it.
fn finish_loading() {
    next_frame(|| {
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

fn players(handle: SessionHandle) -> Element {
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
    let round = move || match round.get() {
        (0, _) => String::new(),
        (round, 0) => numbered_round(round),
        (round, ties) => {
            let ties = say_count("{count} tie|{count} ties", ties);
            format!("{} · {ties}", numbered_round(round))
        }
    };
    // A new element for a new score, so that it is tied up again.
    let wins = dynamic(move || {
        let (score, wins) = (score.get(), html("span").class("wins"));
        wins.keyed(&score).attribute("aria-hidden", "true").child(score)
    });
    let goal = say_with("first to {rounds}", &[("rounds", &ROUNDS_TO_WIN.to_string())]);
    let score = html("div")
        .class("score")
        .child(html("span").class("visually-hidden").child(text(spoken_score)))
        .child(wins)
        .child(html("span").class("round").child(text(round)))
        .child(html("span").class("goal").child(goal));
    let seat = move |index: usize, side: &'static str| {
        dynamic(move || players.get().get(index).map(|player| card(handle, player, side)))
    };
    html("div").class("players").child(seat(0, "left")).child(score).child(seat(1, "right"))
}

fn numbered_round(round: u32) -> String {
    say_with("Round {round}", &[("round", &round.to_string())])
}

fn card(handle: SessionHandle, player: &PlayerCard, side: &str) -> Element {
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
    let who = html("div")
        .class("who")
        .child(html("div").class("name").child(player.name.as_str()))
        .child(html("div").class("sub").child(about))
        .child(clock(handle, seat));
    let bubble = dynamic(move || {
        let bubble = html("div").class("bubble").attribute("role", "status");
        self::bubble(handle, number).map(|words| bubble.child(words))
    });
    let card = html("div").class(&format!("player {side} {colour}{turn}"));
    let dot_class = format!("dot {dot}");
    card.attribute("data-presence", dot)
        .child(html("i").class(&dot_class).attribute("aria-hidden", "true"))
        .child(who)
        .child(bubble)
}

/// The latest short message of a seat.
fn bubble(handle: SessionHandle, seat: u8) -> Option<String> {
    handle.bubbles.with(|all| {
        let bubble = all.iter().find(|bubble| bubble.seat == seat)?;
        Some(texts::emote(bubble.emote))
    })
}

/// The time that a player has left, or the limit while this player's clock stands still.
fn clock(handle: SessionHandle, seat: game::Seat) -> View {
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
        let clock = html("div").live("class", move || class().to_owned());
        Some(clock.attribute("role", "timer").child(text(words)))
    })
}

/// The seconds from which a clock warns.
const LOW: u64 = 5;

/// The seconds until a time.
fn countdown(handle: SessionHandle, end: u64) -> Followed<u64> {
    let seconds = move || end.saturating_sub(handle.table_time()).div_ceil(1_000);
    let left = Followed::new(seconds());
    let tick = move || {
        if left.get_untracked() != seconds() {
            left.set(seconds());
        }
    };
    keep(BrowserTimer::every(Duration::from_millis(100), tick));
    left
}

fn status(handle: SessionHandle) -> Element {
    let colour = move || match handle.screen(|screen| screen.status.seat.map(game::Seat::number)) {
        Some(0) => "who first".to_owned(),
        Some(_) => "who second".to_owned(),
        None => "who".to_owned(),
    };
    let offline = move || {
        let is_connected = handle.screen(|screen| screen.is_connected);
        if is_connected { String::new() } else { say("No connection. Retrying …") }
    };
    let said = |tag: &'static str, class: &str| html(tag).class(class).attribute("role", "status");
    let last_move = text(move || handle.screen(|screen| screen.last_move.clone()));
    let subject = text(move || handle.screen(|screen| screen.status.subject.clone()));
    let rest = text(move || handle.screen(|screen| screen.status.rest.clone()));
    let because = dynamic(move || rule_sentence(handle.screen(|screen| screen.because.clone())));
    let line = said("p", "status")
        .attribute("id", "status")
        .child(html("span").class("visually-hidden").child(last_move))
        .child(html("span").live("class", colour).child(subject))
        .child(rest);
    let hint = dynamic(move || note(handle.note.get()));
    html("div")
        .class("said")
        .child(line)
        .child(said("p", "because").attribute("id", "because").child(because))
        .child(said("p", "offline").child(text(offline)))
        .child(said("div", "hint").attribute("id", "hint").child(hint))
}

fn note(note: StatusNote) -> View {
    let StatusNote { news, reasons } = note;
    let (sentences, threads): (Vec<RuleSentence>, Vec<Vec<String>>) = reasons.into_iter().unzip();
    let sentences = sentences.into_iter().map(|RuleSentence { text, lang }| {
        let text = say_with("{reason}.", &[("reason", &text)]) + " ";
        rule_sentence(RuleSentence { text, lang })
    });
    let threads = threads.concat();
    let rules = (!threads.is_empty()).then(|| {
        let label = if threads.len() == 1 { say("Which rule?") } else { say("Which rules?") };
        let named =
            |thread: String| View::List(vec![" ".into(), html("code").child(thread).into()]);
        let threads = View::list(threads.into_iter().map(named));
        html("details").child(html("summary").child(label)).child(threads)
    });
    View::List(vec![news.into(), " ".into(), View::list(sentences), rules.into()])
}

/// The notes of the game, the moves that a click could mean, and the moves that belong to no square.
fn choices(handle: SessionHandle) -> View {
    let moves = move || {
        let (others, labels) =
            handle.screen(|screen| (screen.other_moves.clone(), screen.move_labels.clone()));
        let moves = [handle.choices.get(), others].concat().into_iter();
        let label = move |chosen: &String| {
            let label = labels.iter().find(|(other, _)| other == chosen);
            label.map_or_else(|| chosen.clone(), |(_, label)| label.clone())
        };
        View::list(moves.map(|chosen| button("", label(&chosen), move || handle.play(&chosen))))
    };
    let has_board = Derived::new(move || handle.screen(|screen| !screen.board.squares.is_empty()));
    let class = move || if has_board.get() { "note" } else { "note alone" }.to_owned();
    let notes = move || {
        let notes = handle.screen(|screen| screen.notes.clone());
        View::list(notes.into_iter().map(|note| html("span").child(rule_sentence(note))))
    };
    let notes = html("p").live("class", class).attribute("role", "status").child(dynamic(notes));
    View::list([notes, html("div").class("actions").child(dynamic(moves))])
}

fn actions(handle: SessionHandle, is_open: Followed<bool>) -> Element {
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
    let main = dynamic(move || {
        if let Some(intent) = question.get() {
            return confirmation(handle, &intent, question);
        }
        let buttons = buttons.get().1.into_iter();
        View::list(buttons.map(|button| action(handle, button, question)))
    });
    let helps = dynamic(move || {
        handle.screen(|screen| screen.can_hint).then(|| {
            let hint = button("", say("Hint"), move || handle.show_hint());
            View::list([hint, button("", say("What if?"), move || handle.show_what_if())])
        })
    });
    let lost = dynamic(move || {
        let has_lost = handle.screen(TableScreen::can_ask_why_lost);
        let show = move || handle.show_losing_move();
        has_lost.then(|| single_click_button("lost", "", say("Where did I lose it?"), show))
    });
    html("div")
        .class("actions")
        .child(main)
        .child(takebacks::ask_button(handle))
        .child(helps)
        .child(dynamic(move || look_again(handle)))
        .child(lost)
        .child(dynamic(move || has_panel.get().then(|| why_button(handle, is_open))))
}

fn why_button(handle: SessionHandle, is_open: Followed<bool>) -> Element {
    let open_or_close = move || {
        if is_open.get_untracked() {
            explanation_panel::close(handle, is_open);
        } else {
            is_open.set(true);
        }
    };
    html("button")
        .attribute("type", "button")
        .attribute("id", "why")
        .live("aria-expanded", move || is_open.get().to_string())
        .on_click(open_or_close)
        .child(say("Why?"))
}

/// The link to the replay of a round that is over.
fn look_again(handle: SessionHandle) -> Option<Element> {
    let (game, plies) = handle.screen(|screen| (screen.game_name.clone(), screen.replay.clone()));
    let address = Route::Replay(ReplayAddress { game, plies: plies?, ply: Some(0) }).to_string();
    Some(button_link(&address, say("Look again")).attribute("id", "look-again"))
}

fn action(
    handle: SessionHandle,
    action: ActionButton,
    question: Followed<Option<Intent>>,
) -> Element {
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
    next_frame(move || {
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
) -> View {
    let intent = intent.clone();
    // The second half of a double click is no answer.
    let yes = single_click_button("confirm", "main", say("Yes, resign"), move || {
        question.set(None);
        handle.act(intent.clone());
        focus_board();
    });
    let no = button("", say("No"), move || {
        question.set(None);
        focus_next_frame("resign");
    });
    let sentence = html("span").class("question").child(say("Resign this round?"));
    View::list([sentence, yes, no])
}

/// The short messages, where there is another person.
fn emotes(handle: SessionHandle) -> View {
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
            let group = html("div").class("emotes").attribute("role", "group");
            let group = group.attribute("aria-label", &say("Send a message"));
            group.child(View::list(texts::EMOTES.map(emote)))
        })
    })
}
