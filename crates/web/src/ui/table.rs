//! A table: players, board, what is said, what can be done, and why.

use leptos::prelude::*;

use super::board::{board, catch_focus, focus_board};
use super::seated::{Hint, Seated};
use super::why;
use crate::browser::{by_id, document, now};
use crate::scene::{Offer, Player, Presence, Stage};
use crate::sitting::Deed;
use crate::words;

/// The whole table. `beside` is what stands above the board while players are missing.
pub(crate) fn table(seated: Seated, beside: impl IntoView + 'static) -> impl IntoView {
    let is_open = RwSignal::new(false);
    ready();
    view! {
        <div class="table" class:with-why=is_open>
            <div class="play">
                {players(seated)}
                {beside}
                {board(seated)}
                {status(seated)}
                {choices(seated)}
                {actions(seated, is_open)}
                {emotes(seated)}
            </div>
            {move || is_open.get().then(|| why::panel(seated, is_open))}
        </div>
    }
}

/// Says to whoever measures that the board can be played, and takes the focus there.
fn ready() {
    request_animation_frame(|| {
        focus_board();
        if let Some(root) = document().document_element() {
            drop(root.set_attribute("data-ready", "yes"));
        }
    });
}

fn players(seated: Seated) -> impl IntoView {
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
            {move || players.get().first().map(|player| card(seated, player, "left"))}
            <div class="score">
                <span class="visually-hidden">{spoken}</span>
                <span class="wins" aria-hidden="true">{score}</span>
                <span class="round">{move || match round.get() {
                    (0, _) => String::new(),
                    (round, 0) => format!("Round {round}"),
                    (round, 1) => format!("Round {round} · 1 tie"),
                    (round, ties) => format!("Round {round} · {ties} ties"),
                }}</span>
            </div>
            {move || players.get().get(1).map(|player| card(seated, player, "right"))}
        </div>
    }
}

fn card(seated: Seated, player: &Player, side: &'static str) -> impl IntoView + use<> {
    let (seat, number) = (player.seat, player.seat.number());
    let colour = if player.in_game.number() == 0 { "first" } else { "second" };
    let turn = if player.is_awaited { " turn" } else { "" };
    let (dot, presence) = match player.presence {
        Presence::Here => ("here", "here"),
        Presence::Away => ("away", "away"),
        Presence::Gone => ("gone", "has left"),
        Presence::Free => ("free", "free seat"),
        Presence::Computer => ("here", "ready"),
    };
    let verb = if player.name == "You" { "play" } else { "plays" };
    let about = format!("{verb} {} · {presence}", player.symbol);
    let bubble =
        move || seated.bubbles.with(|all| all.get(&number).map(|(_, emote)| words::emote(*emote)));
    view! {
        <div class=format!("player {side} {colour}{turn}") data-presence=dot>
            <i class=format!("dot {dot}") aria-hidden="true"></i>
            <div class="who">
                <div class="name">{player.name.clone()}</div>
                <div class="sub">{about}{clock(seated, seat)}</div>
            </div>
            {move || bubble().map(|words| view! { <div class="bubble" role="status">{words}</div> })}
        </div>
    }
}

/// How much time a player has left, where a clock runs for that player.
fn clock(seated: Seated, seat: game::Seat) -> impl IntoView {
    let deadline = Memo::new(move |_| seated.scene(|scene| scene.deadline));
    move || {
        let (_, end) = deadline.get().filter(|(whose, _)| *whose == seat)?;
        let left = RwSignal::new(end.saturating_sub(now()));
        let tick = set_interval_with_handle(
            move || left.set(end.saturating_sub(now())),
            std::time::Duration::from_millis(250),
        );
        on_cleanup(move || {
            if let Ok(tick) = tick {
                tick.clear();
            }
        });
        Some(view! { <span class="clock" role="timer">{move || {
            let seconds = left.get().div_ceil(1_000);
            format!(" · {}:{:02}", seconds / 60, seconds % 60)
        }}</span> })
    }
}

fn status(seated: Seated) -> impl IntoView {
    let status = Memo::new(move |_| seated.scene(|scene| scene.status.clone()));
    let last = Memo::new(move |_| seated.scene(|scene| scene.last_move.clone()));
    let is_connected = Memo::new(move |_| seated.scene(|scene| scene.is_connected));
    let colour = move || match status.get().seat.map(game::Seat::number) {
        Some(0) => "who first",
        Some(_) => "who second",
        None => "who",
    };
    view! {
        <div class="said">
            <p class="status" role="status" id="status">
                <span class="visually-hidden">{last}</span>
                <span class=colour>{move || status.get().who}</span>
                {move || status.get().rest}
            </p>
            <p class="offline" role="status">
                {move || (!is_connected.get()).then_some("No connection. Trying again …")}
            </p>
            <p class="hint" role="status" id="hint">{move || hint(seated.hint.get())}</p>
        </div>
    }
}

fn hint(hint: Hint) -> impl IntoView {
    match hint {
        Hint::None => ().into_any(),
        Hint::News(news) => news.into_any(),
        Hint::Refused(reasons) => reasons
            .into_iter()
            .map(|(sentence, threads)| {
                let threads = threads.into_iter().map(|thread| view! { " " <code>{thread}</code> });
                let threads: Vec<_> = threads.collect();
                let colon = if threads.is_empty() { ". " } else { ":" };
                view! { <span class="reason">{sentence}{colon}{threads}" "</span> }
            })
            .collect_view()
            .into_any(),
    }
}

/// Which of several moves is meant, and moves that no square stands for.
fn choices(seated: Seated) -> impl IntoView {
    let others = Memo::new(move |_| seated.scene(|scene| scene.other_moves.clone()));
    let notes = Memo::new(move |_| seated.scene(|scene| scene.notes.clone()));
    let button = move |chosen: String| {
        let label = chosen.clone();
        view! { <button type="button" on:click=move |_| seated.play(&chosen)>{label}</button> }
    };
    view! {
        {move || notes.get().into_iter().map(|note| view! { <p class="note">{note}</p> }).collect_view()}
        <div class="actions">
            {move || seated.choices.get().into_iter().map(button).collect_view()}
            {move || others.get().into_iter().map(button).collect_view()}
        </div>
    }
}

fn actions(seated: Seated, is_open: RwSignal<bool>) -> impl IntoView {
    let deeds = Memo::new(move |_| seated.scene(|scene| scene.deeds.clone()));
    let asked = RwSignal::new(None::<Deed>);
    // A question about a round that is over has no answer.
    Effect::new(move |_| {
        deeds.track();
        asked.set(None);
        catch_focus();
    });
    view! {
        <div class="actions">
            {move || match asked.get() {
                Some(deed) => sure(seated, deed, asked).into_any(),
                None => deeds.get().into_iter().map(|offer| offered(seated, offer, asked)).collect_view().into_any(),
            }}
            <button
                type="button"
                id="why"
                aria-expanded=move || is_open.get().to_string()
                on:click=move |_| is_open.update(|open| *open = !*open)
            >
                "Why?"
            </button>
        </div>
    }
}

fn offered(seated: Seated, offer: Offer, asked: RwSignal<Option<Deed>>) -> impl IntoView {
    let Offer { deed, label, is_main } = offer;
    // The button that was pressed goes away, and would take the focus with it.
    let act = move |_| {
        if is_main {
            seated.act(deed.clone());
            focus_board();
        } else {
            asked.set(Some(deed.clone()));
            focus_soon("sure");
        }
    };
    let id = (!is_main).then_some("resign");
    view! { <button type="button" id=id class:main=is_main on:click=act>{label}</button> }
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
fn sure(seated: Seated, deed: Deed, asked: RwSignal<Option<Deed>>) -> impl IntoView {
    view! {
        <span class="question">"Give this round up?"</span>
        <button type="button" id="sure" class="main" on:click=move |_| {
            asked.set(None);
            seated.act(deed.clone());
            focus_board();
        }>"Yes, resign"</button>
        <button type="button" on:click=move |_| {
            asked.set(None);
            focus_soon("resign");
        }>"No"</button>
    }
}

/// What players can say to each other, where there is another player.
fn emotes(seated: Seated) -> impl IntoView {
    let can_talk = Memo::new(move |_| {
        seated.scene(|scene| {
            let others = |player: &&Player| {
                !player.is_own && matches!(player.presence, Presence::Here | Presence::Away)
            };
            scene.is_player
                && scene.stage != Stage::Gathering
                && scene.players.iter().any(|player| others(&player))
        })
    });
    move || {
        can_talk.get().then(|| {
            view! {
                <div class="emotes" role="group" aria-label="Say something">
                    {words::EMOTES.map(|emote| view! {
                        <button type="button" class="small" on:click=move |_| seated.emote(emote)>
                            {words::emote(emote)}
                        </button>
                    }).collect_view()}
                </div>
            }
        })
    }
}
