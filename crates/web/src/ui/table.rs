//! A table: players, board, what is said, what can be done, and why.

use leptos::prelude::*;

use super::board::{board, catch_focus, focus_board};
use super::live::{button, button_called, part, text, whether};
use super::seated::{Hint, Seated};
use super::why;
use crate::browser::{by_id, document};
use crate::scene::{Offer, Player, Presence, Stage};
use crate::sitting::Deed;
use crate::words;

/// The whole table. `beside` is what stands above the board while players are missing.
pub(crate) fn table(seated: Seated, beside: AnyView) -> AnyView {
    let is_open = RwSignal::new(false);
    ready();
    call_in_title(seated);
    view! {
        <div class="table" class:with-why=whether(move || is_open.get())>
            <div class="play">
                {players(seated)}
                {beside}
                {board(seated)}
                {status(seated)}
                {choices(seated)}
                {actions(seated, is_open)}
                {emotes(seated)}
            </div>
            {part(move || is_open.get().then(|| why::panel(seated, is_open)))}
        </div>
    }
    .into_any()
}

/// Says to whoever measures that the board can be played, and takes the focus there, or to the name
/// of who may sit down.
fn ready() {
    request_animation_frame(|| {
        match by_id("join-name") {
            Some(name) => drop(name.focus()),
            None => focus_board(),
        }
        if let Some(root) = document().document_element() {
            drop(root.set_attribute("data-ready", "yes"));
        }
    });
}

/// Who looks at another page sees in the title that it is their turn, where somebody waits for them.
fn call_in_title(seated: Seated) {
    let is_awaited = Memo::new(move |_| {
        seated.scene(|scene| {
            let is_awaited = |player: &Player| player.is_own && player.is_in_turn;
            scene.players.iter().any(is_awaited) && scene.players.iter().any(is_company)
        })
    });
    Effect::new(move |_| {
        let title = document().title();
        let plain = title.strip_prefix(CALL).unwrap_or(&title);
        let call = if is_awaited.get() { CALL } else { "" };
        document().set_title(&format!("{call}{plain}"));
    });
}

const CALL: &str = "Your turn · ";

/// Whether a player is another person, who has not left.
fn is_company(player: &Player) -> bool {
    !player.is_own && matches!(player.presence, Presence::Here | Presence::Away)
}

fn players(seated: Seated) -> AnyView {
    let players = Memo::new(move |_| seated.scene(|scene| scene.players.clone()));
    let round = Memo::new(move |_| seated.scene(|scene| (scene.round, scene.ties)));
    let score = move || {
        players.get().iter().map(|player| player.wins.to_string()).collect::<Vec<_>>().join(" : ")
    };
    let spoken = move || {
        let wins =
            players.get().into_iter().map(|player| format!("{} {}", player.name, player.wins));
        format!("Score: {}", wins.collect::<Vec<_>>().join(", "))
    };
    view! {
        <div class="players">
            {part(move || players.get().first().map(|player| card(seated, player, "left")))}
            <div class="score">
                <span class="visually-hidden">{text(spoken)}</span>
                <span class="wins" aria-hidden="true">{text(score)}</span>
                <span class="round">{text(move || match round.get() {
                    (0, _) => String::new(),
                    (round, 0) => format!("Round {round}"),
                    (round, 1) => format!("Round {round} · 1 tie"),
                    (round, ties) => format!("Round {round} · {ties} ties"),
                })}</span>
            </div>
            {part(move || players.get().get(1).map(|player| card(seated, player, "right")))}
        </div>
    }
    .into_any()
}

fn card(seated: Seated, player: &Player, side: &'static str) -> AnyView {
    let (seat, number) = (player.seat, player.seat.number());
    let colour = if player.in_game.number() == 0 { "first" } else { "second" };
    let turn = if player.is_in_turn { " turn" } else { "" };
    let (dot, presence) = match player.presence {
        Presence::Here => ("here", "here"),
        Presence::Away => ("away", "away"),
        Presence::Gone => ("gone", "has left"),
        Presence::Free => ("free", "free seat"),
        Presence::Computer => ("here", "ready"),
    };
    let verb = if player.is_own && player.name == "You" { "play" } else { "plays" };
    let about = format!("{verb} {} · {presence}", player.symbol);
    let bubble =
        move || seated.bubbles.with(|all| all.get(&number).map(|(_, emote)| words::emote(*emote)));
    view! {
        <div class=format!("player {side} {colour}{turn}") data-presence=dot>
            <i class=format!("dot {dot}") aria-hidden="true"></i>
            <div class="who">
                <div class="name">{player.name.clone()}</div>
                <div class="sub">{about}</div>
                {clock(seated, seat)}
            </div>
            {part(move || bubble().map(|words| view! { <div class="bubble" role="status">{words}</div> }))}
        </div>
    }
    .into_any()
}

/// How much time a player has left, where players have a clock; while it does not run for this one, how
/// much there is.
fn clock(seated: Seated, seat: game::Seat) -> impl IntoView {
    let clock = Memo::new(move |_| seated.scene(|scene| scene.clock.clone()));
    let deadline = Memo::new(move |_| {
        let deadline = seated.scene(|scene| scene.deadline);
        deadline.filter(|(whose, _)| *whose == seat).map(|(_, end)| end)
    });
    part(move || {
        let limit = clock.get()?;
        let left = deadline.get().map(|end| countdown(seated, end));
        let words = move || match left.map(|left| left.get()) {
            Some(seconds) => format!("{}:{:02}", seconds / 60, seconds % 60),
            None => limit.clone(),
        };
        let class = move || match left.map(|left| left.get()) {
            Some(0..=FEW) => "clock low",
            Some(_) => "clock runs",
            None => "clock",
        };
        Some(view! { <div class=text(move || class().to_owned()) role="timer">{text(words)}</div> })
    })
}

/// So few seconds are worth a warning.
const FEW: u64 = 5;

/// How many seconds there are until a time.
fn countdown(seated: Seated, end: u64) -> RwSignal<u64> {
    let now = move || end.saturating_sub(seated.time()).div_ceil(1_000);
    let left = RwSignal::new(now());
    let tick = set_interval_with_handle(
        move || {
            if left.get_untracked() != now() {
                left.set(now());
            }
        },
        std::time::Duration::from_millis(100),
    );
    on_cleanup(move || {
        if let Ok(tick) = tick {
            tick.clear();
        }
    });
    left
}

fn status(seated: Seated) -> AnyView {
    let colour = move || match seated.scene(|scene| scene.status.seat.map(game::Seat::number)) {
        Some(0) => "who first".to_owned(),
        Some(_) => "who second".to_owned(),
        None => "who".to_owned(),
    };
    let offline = move || {
        let is_connected = seated.scene(|scene| scene.is_connected);
        if is_connected { String::new() } else { "No connection. Trying again …".to_owned() }
    };
    view! {
        <div class="said">
            <p class="status" role="status" id="status">
                <span class="visually-hidden">{text(move || seated.scene(|scene| scene.last_move.clone()))}</span>
                <span class=text(colour)>{text(move || seated.scene(|scene| scene.status.who.clone()))}</span>
                {text(move || seated.scene(|scene| scene.status.rest.clone()))}
            </p>
            <p class="offline" role="status">{text(offline)}</p>
            <p class="hint" role="status" id="hint">{part(move || hint(seated.hint.get()))}</p>
        </div>
    }
    .into_any()
}

fn hint(hint: Hint) -> AnyView {
    let Hint { news, refused } = hint;
    let last = refused.len().saturating_sub(1);
    let reason = |(number, (sentence, threads)): (usize, (String, Vec<String>))| {
        let threads = threads.into_iter().map(|thread| view! { " " <code>{thread}</code> });
        let threads: Vec<_> = threads.collect();
        let colon = if threads.is_empty() { "" } else { ":" };
        // A name that ends what is said stands alone.
        let stop = if number == last && !threads.is_empty() { "" } else { ". " };
        view! { <span class="reason">{sentence}{colon}{threads}{stop}</span> }
    };
    let reasons = refused.into_iter().enumerate().map(reason).collect_view();
    view! { {news}" "{reasons} }.into_any()
}

/// Which of several moves is meant, and moves that no square stands for.
fn choices(seated: Seated) -> AnyView {
    let moves = move || {
        let others = seated.scene(|scene| scene.other_moves.clone());
        let moves = [seated.choices.get(), others].concat().into_iter();
        moves.map(|chosen| button("", chosen.clone(), move || seated.play(&chosen))).collect_view()
    };
    view! {
        <p class="note">{text(move || seated.scene(|scene| scene.notes.join(" ")))}</p>
        <div class="actions">{part(moves)}</div>
    }
    .into_any()
}

fn actions(seated: Seated, is_open: RwSignal<bool>) -> AnyView {
    let offers = Memo::new(move |_| seated.scene(|scene| (scene.round, scene.deeds.clone())));
    let asked = RwSignal::new(None::<Deed>);
    // A question about a round that is over has no answer.
    Effect::new(move |_| {
        offers.track();
        asked.set(None);
        catch_focus();
    });
    view! {
        <div class="actions">
            {part(move || match asked.get() {
                Some(deed) => sure(seated, &deed, asked),
                None => offers.get().1.into_iter().map(|offer| offered(seated, offer, asked)).collect_view(),
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

fn offered(seated: Seated, offer: Offer, asked: RwSignal<Option<Deed>>) -> AnyView {
    let Offer { deed, label, is_main } = offer;
    // The button that was pressed goes away, and would take the focus with it.
    if is_main {
        let act = move || {
            seated.act(deed.clone());
            focus_board();
        };
        return button("main", label, act);
    }
    button_called("resign", "", label, move || {
        asked.set(Some(deed.clone()));
        focus_soon("sure");
    })
}

/// Moves the focus to what is about to be shown.
fn focus_soon(id: &'static str) {
    request_animation_frame(move || {
        if let Some(element) = by_id(id) {
            drop(element.focus());
        }
    });
}

/// Giving up is asked about once more.
fn sure(seated: Seated, deed: &Deed, asked: RwSignal<Option<Deed>>) -> Vec<AnyView> {
    let deed = deed.clone();
    let yes = view! {
        <button type="button" id="sure" class="main" on:click=move |event| {
            // Who clicks several times in one place has not read the question.
            if event.detail() > 1 {
                return;
            }
            asked.set(None);
            seated.act(deed.clone());
            focus_board();
        }>"Yes, resign"</button>
    };
    let no = button("", "No", move || {
        asked.set(None);
        focus_soon("resign");
    });
    let question = view! { <span class="question">"Give this round up?"</span> };
    vec![question.into_any(), yes.into_any(), no]
}

/// What players can say to each other, where there is another player.
fn emotes(seated: Seated) -> impl IntoView {
    let can_talk = Memo::new(move |_| {
        seated.scene(|scene| {
            scene.is_player
                && scene.stage != Stage::Gathering
                && scene.players.iter().any(is_company)
        })
    });
    let say = move |emote| button("small", words::emote(emote), move || seated.emote(emote));
    part(move || {
        can_talk.get().then(|| {
            view! {
                <div class="emotes" role="group" aria-label="Say something">
                    {words::EMOTES.map(say).collect_view()}
                </div>
            }
        })
    })
}
