//! The sentences of the page.

use game::{Code, Game, Outcome, Refusal, Seat};
use table::wire::Emote;
use table::{ActionBody, Clock, Entry, EntryBody, Forfeit, TableState};

use crate::session::SessionView;

/// The name of a player.
#[must_use]
pub fn name(state: &TableState, seat: Seat) -> String {
    let occupant = state.occupant(seat).map(|occupant| occupant.name.to_string());
    let computer = state.level(seat).map(|_| "The computer".to_owned());
    occupant.or(computer).unwrap_or_else(|| "Somebody".to_owned())
}

/// The symbol that a seat of the table plays in this round.
#[must_use]
pub fn symbol(state: &TableState, seat: Seat) -> &str {
    let symbols = state.game().seats();
    symbols.get(state.in_game(seat).index()).copied().unwrap_or_default()
}

/// A sentence about the table whose first words have a player's colour.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatusLine {
    /// The coloured words.
    pub subject: String,
    /// The seat of the game that gives them its colour.
    pub seat: Option<Seat>,
    /// The rest of the sentence.
    pub rest: String,
}

impl StatusLine {
    fn plain(rest: impl Into<String>) -> Self {
        Self { subject: String::new(), seat: None, rest: rest.into() }
    }

    fn about(seat: Seat, subject: impl Into<String>, rest: impl Into<String>) -> Self {
        Self { subject: subject.into(), seat: Some(seat), rest: rest.into() }
    }
}

/// One sentence that says what happens next.
#[must_use]
pub fn status(view: &SessionView<'_>) -> StatusLine {
    let state = view.shown;
    if !state.is_full() {
        return StatusLine::plain(if view.own_seats.is_empty() {
            "A seat is free."
        } else {
            "Waiting for the other player."
        });
    }
    if let Some(pending) = view.pending {
        let seat = view.acting_seat().map_or(Seat::FIRST, |seat| state.in_game(seat));
        let rest = if view.is_delayed && view.is_connected {
            " is not recorded yet. We keep trying …"
        } else {
            " is on its way …"
        };
        return StatusLine::about(seat, action(pending), rest);
    }
    if let Some(outcome) = state.outcome() {
        return result(view, &outcome);
    }
    match state.turn().iter().find(|seat| !state.has_sealed(*seat)) {
        Some(seat) => turn(view, seat),
        None => StatusLine::plain(""),
    }
}

fn turn(view: &SessionView<'_>, seat: Seat) -> StatusLine {
    let state = view.shown;
    let (in_game, name) = (state.in_game(seat), name(state, seat));
    let is_own = view.own_seats.contains(&seat);
    let has_left = state.occupant(seat).is_some_and(|occupant| !occupant.is_here);
    let is_away = view.connected.is_some_and(|connected| !connected.contains(&seat));
    if is_own && view.own_seats.len() == 1 {
        StatusLine::about(in_game, "Your turn", ".")
    } else if is_own {
        StatusLine::about(in_game, format!("{name}’s turn"), ".")
    } else if state.level(seat).is_some() {
        StatusLine::about(in_game, name, " is thinking …")
    } else if has_left {
        StatusLine::about(in_game, name, " has left the table.")
    } else if is_away {
        let waits = if state.clock().is_some() { "." } else { "; the game waits." };
        StatusLine::about(in_game, name, format!(" lost the connection{waits}"))
    } else {
        StatusLine::about(in_game, format!("{name}’s turn"), ".")
    }
}

fn result(view: &SessionView<'_>, outcome: &Outcome) -> StatusLine {
    let state = view.shown;
    let Some(winner) = outcome.winner() else {
        return StatusLine::plain("A cat’s game: nobody wins.");
    };
    let seat = state.at_table(winner);
    if view.own_seats == [seat] {
        return StatusLine::about(winner, "You won", " this round.");
    }
    StatusLine::about(winner, format!("{} won", name(state, seat)), " this round.")
}

/// An action that waits for an answer, as the subject of a sentence.
#[must_use]
pub fn action(action: &ActionBody) -> String {
    match action {
        ActionBody::Play { chosen, .. } => format!("Your move to {chosen}"),
        ActionBody::Forfeit { .. } => "Your resignation".to_owned(),
        ActionBody::Tie { .. } => "The tie".to_owned(),
        ActionBody::NextRound { .. } => "The next round".to_owned(),
        _ => "Your request".to_owned(),
    }
}

/// A sentence about an entry that the board does not show; `None` if it does. `before` is the
/// state before the entry.
#[must_use]
pub fn news(before: &TableState, entry: &Entry, own_seats: &[Seat]) -> Option<String> {
    let is_own = |seat: &Seat| own_seats == [*seat];
    let who = |seat: Seat| if is_own(&seat) { "You".to_owned() } else { name(before, seat) };
    let next = format!("Round {} begins.", before.round() + 1);
    match &entry.body {
        EntryBody::Joined { seat, .. } if is_own(seat) => None,
        EntryBody::Joined { seat, name, .. } if before.occupant(*seat).is_some() => {
            Some(format!("{name} is back."))
        }
        EntryBody::Joined { name, .. } => Some(format!("{name} has joined.")),
        EntryBody::Left { seat } if !is_own(seat) => {
            Some(format!("{} has left the table.", who(*seat)))
        }
        EntryBody::Forfeited { seat, why, .. } => {
            let verb = match why {
                Forfeit::Resigned => "resigned",
                Forfeit::Acknowledged => "conceded",
                Forfeit::OutOfTime => "ran out of time",
            };
            Some(format!("{} {verb}. {next}", who(*seat)))
        }
        EntryBody::Tied { .. } => Some(format!("A tie. {next}")),
        EntryBody::NextRound { .. } => Some(next),
        _ => None,
    }
}

/// The last move of the round for screen readers; `None` if there is none or it was the person's
/// own.
#[must_use]
pub fn last_move(view: &SessionView<'_>) -> Option<String> {
    let game::Ply::Moves(moves) = view.shown.history().last()? else { return None };
    let [(seat, chosen)] = moves.as_slice() else { return None };
    let seat = view.shown.at_table(*seat);
    if view.own_seats == [seat] {
        return None;
    }
    Some(format!("{} played {chosen}. ", name(view.shown, seat)))
}

/// The reasons of a refusal, each with the b-threads behind it.
#[must_use]
pub fn refusal(refusal: &Refusal) -> Vec<(String, Vec<String>)> {
    let reasons = refusal.reasons().map(|reason| {
        let threads = reason.because.iter().map(|because| because.thread.clone());
        // The table's own sentence addresses the loser; the page says this to everybody.
        let is_over = reason.code == Code::GAME_OVER;
        let message = if is_over { "This round is over" } else { reason.message.as_str() };
        (message.to_owned(), threads.collect())
    });
    reasons.collect()
}

/// The time limit: `15 s a move`.
#[must_use]
pub fn clock(clock: Clock) -> String {
    let (limit, unit) = match clock {
        Clock::PerMove(limit) => (limit, "a move"),
        Clock::PerSide(limit) => (limit, "a round"),
    };
    let seconds = limit.div_ceil(1_000);
    match (seconds / 60, seconds % 60) {
        (0, _) => format!("{seconds} s {unit}"),
        (minutes, 0) => format!("{minutes} min {unit}"),
        (minutes, rest) => format!("{minutes}:{rest:02} {unit}"),
    }
}

/// All short messages that players can send each other.
pub const EMOTES: [Emote; 6] =
    [Emote::Hello, Emote::GoodLuck, Emote::WellPlayed, Emote::Thinking, Emote::Oops, Emote::Thanks];

/// A short message in words.
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
