//! What the page says.

use game::{Code, Outcome, Refusal, Seat};
use table::wire::Emote;
use table::{ActionBody, Clock, Entry, EntryBody, Forfeit, State};

use crate::sitting::Seen;

/// What somebody is called, in the middle of a sentence or at its beginning.
#[must_use]
pub fn name(state: &State, seat: Seat) -> String {
    let occupant = state.occupant(seat).map(|occupant| occupant.name.to_string());
    let computer = state.level(seat).map(|_| "The computer".to_owned());
    occupant.or(computer).unwrap_or_else(|| "Somebody".to_owned())
}

/// A sentence about the table, and who it is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Its first words, in the colour of a player.
    pub who: String,
    /// Which seat of the game has that colour.
    pub seat: Option<Seat>,
    /// The other words.
    pub rest: String,
}

impl Status {
    fn plain(rest: impl Into<String>) -> Self {
        Self { who: String::new(), seat: None, rest: rest.into() }
    }

    fn about(seat: Seat, who: impl Into<String>, rest: impl Into<String>) -> Self {
        Self { who: who.into(), seat: Some(seat), rest: rest.into() }
    }
}

/// How the table stands, in one sentence that says what to do next.
#[must_use]
pub fn status(seen: &Seen<'_>) -> Status {
    let state = seen.shown;
    if !state.is_full() {
        return Status::plain(if seen.own.is_empty() {
            "A seat is free."
        } else {
            "Waiting for the other player."
        });
    }
    if let Some(underway) = seen.underway {
        let seat = seen.acting().map_or(Seat::FIRST, |seat| state.in_game(seat));
        return Status::about(seat, underway, " is on its way …");
    }
    if let Some(outcome) = state.outcome() {
        return over(seen, &outcome);
    }
    let Some(seat) = state.turn().iter().find(|seat| !state.has_sealed(*seat)) else {
        return Status::plain("");
    };
    let in_game = state.in_game(seat);
    let who = name(state, seat);
    match seen.own {
        own if own.contains(&seat) && own.len() == 1 => Status::about(in_game, "Your turn", "."),
        own if own.contains(&seat) => Status::about(in_game, format!("{who}’s turn"), "."),
        _ if state.level(seat).is_some() => Status::about(in_game, who, " is thinking …"),
        _ if state.occupant(seat).is_some_and(|occupant| !occupant.is_here) => {
            Status::about(in_game, who, " has left the table.")
        }
        _ if seen.connected.is_some_and(|connected| !connected.contains(&seat)) => {
            let waits = if state.clock().is_some() { "." } else { "; the game waits." };
            Status::about(in_game, who, format!(" lost the connection{waits}"))
        }
        _ => Status::about(in_game, format!("{who}’s turn"), "."),
    }
}

/// What somebody has done that nobody has confirmed yet.
#[must_use]
pub fn underway(doing: &ActionBody) -> String {
    match doing {
        ActionBody::Play { chosen, .. } => format!("Your move to {chosen}"),
        ActionBody::Forfeit { .. } => "Giving up".to_owned(),
        ActionBody::Tie { .. } => "The tie".to_owned(),
        ActionBody::NextRound { .. } => "The next round".to_owned(),
        _ => "Your wish".to_owned(),
    }
}

fn over(seen: &Seen<'_>, outcome: &Outcome) -> Status {
    let state = seen.shown;
    let Some(winner) = outcome.winner() else {
        return Status::plain("A cat’s game: nobody wins.");
    };
    let seat = state.at_table(winner);
    if seen.own == [seat] {
        return Status::about(winner, "You won", " this round.");
    }
    Status::about(winner, format!("{} won", name(state, seat)), " this round.")
}

/// What happened that the position does not show; nothing if it does.
#[must_use]
pub fn happened(before: &State, after: &State, entry: &Entry, own: &[Seat]) -> Option<String> {
    let is_own = |seat: &Seat| own == [*seat];
    let who = |seat: Seat| if is_own(&seat) { "You".to_owned() } else { name(after, seat) };
    let next = format!("Round {} begins.", after.round());
    match &entry.body {
        EntryBody::Joined { seat, .. } if is_own(seat) => None,
        EntryBody::Joined { seat, .. } if before.occupant(*seat).is_some() => {
            Some(format!("{} is back.", who(*seat)))
        }
        EntryBody::Joined { seat, .. } => Some(format!("{} has joined.", who(*seat))),
        EntryBody::Left { seat } if !is_own(seat) => {
            Some(format!("{} has left the table.", who(*seat)))
        }
        EntryBody::Forfeited { seat, why: Forfeit::Resigned, .. } => {
            Some(format!("{} resigned. {next}", who(*seat)))
        }
        EntryBody::Forfeited { seat, why: Forfeit::Acknowledged, .. } => {
            Some(format!("{} conceded. {next}", who(*seat)))
        }
        EntryBody::Forfeited { seat, why: Forfeit::OutOfTime, .. } => {
            Some(format!("{} ran out of time. {next}", who(*seat)))
        }
        EntryBody::Tied { .. } => Some(format!("A tie. {next}")),
        EntryBody::NextRound { .. } => Some(next),
        _ => None,
    }
}

/// The last move of the round, for who does not see it; nothing at its beginning.
#[must_use]
pub fn last_move(seen: &Seen<'_>) -> Option<String> {
    let game::Ply::Moves(moves) = seen.shown.history().last()? else { return None };
    let [(seat, chosen)] = moves.as_slice() else { return None };
    let seat = seen.shown.at_table(*seat);
    if seen.own == [seat] {
        return None;
    }
    Some(format!("{} played {chosen}. ", name(seen.shown, seat)))
}

/// A refusal as a person is told: every reason, with the b-threads behind it apart from the words.
#[must_use]
pub fn refusal(refusal: &Refusal) -> Vec<(String, Vec<String>)> {
    let reasons = refusal.reasons().map(|reason| {
        let threads = reason.because.iter().map(|because| because.thread.clone());
        // The words of the table are for who has lost; a page says this to everybody.
        let is_over = reason.code == Code::GAME_OVER;
        let message = if is_over { "This round is over" } else { reason.message.as_str() };
        (message.to_owned(), threads.collect())
    });
    reasons.collect()
}

/// How long players may think.
#[must_use]
pub fn clock(clock: Clock) -> String {
    let (limit, what) = match clock {
        Clock::PerMove(limit) => (limit, "a move"),
        Clock::PerSide(limit) => (limit, "a round"),
    };
    let seconds = limit.div_ceil(1_000);
    match (seconds / 60, seconds % 60) {
        (0, _) => format!("{seconds} s {what}"),
        (minutes, 0) => format!("{minutes} min {what}"),
        (minutes, rest) => format!("{minutes}:{rest:02} {what}"),
    }
}

/// Everything that players can say to each other.
pub const EMOTES: [Emote; 6] =
    [Emote::Hello, Emote::GoodLuck, Emote::WellPlayed, Emote::Thinking, Emote::Oops, Emote::Thanks];

/// What somebody says.
#[must_use]
pub const fn emote(emote: Emote) -> &'static str {
    match emote {
        Emote::Hello => "Hello!",
        Emote::GoodLuck => "Good luck!",
        Emote::WellPlayed => "Well played!",
        Emote::Thinking => "Hmm …",
        Emote::Oops => "Oops!",
        Emote::Thanks => "Thanks!",
    }
}
