//! Sentences about takebacks, claims, other devices, and the end of a table.

use game::Seat;
use table::{EntryBody, TableState, UnfairDraws};

use super::{has_left, name};
use crate::language::{say, say_count, say_with};

/// What a player asks of the other one.
#[must_use]
pub fn takeback_question(who: &str, has_clock: bool) -> String {
    let question = say_with("{name} asks to take the last move back.", &[("name", who)]);
    if has_clock { format!("{question} {}", say("The clock is not refunded.")) } else { question }
}

/// A player who has left, or has been away for a while.
#[must_use]
pub fn absent(who: &str, is_gone: bool) -> String {
    if is_gone {
        return has_left(who);
    }
    say_with("{name} lost the connection a while ago, and may come back.", &[("name", who)])
}

/// What the check of the draws says.
#[must_use]
pub fn draws(checked: &Result<u32, UnfairDraws>) -> String {
    match checked {
        Ok(0) => say("This table has ended. Chance drew nothing."),
        Ok(draws) => say_count(
            "This table has ended, and its seed is public: the only draw follows from it.|This table \
             has ended, and its seed is public: all {count} draws follow from it.",
            *draws as usize,
        ),
        Err(why) => say_with(
            "The draws of this table cannot be trusted: {why}.",
            &[("why", &unfair_draws(why))],
        ),
    }
}

/// What stands in place of a check where the log hides draws from the person.
#[must_use]
pub fn hidden_draws() -> String {
    say("This table has ended. Its game hides something, so that its draws cannot be checked here.")
}

/// Why the draws cannot be trusted.
fn unfair_draws(why: &UnfairDraws) -> String {
    match why {
        UnfairDraws::NotRevealed => {
            say("the seed of this table is not revealed yet: a player must end the table")
        }
        UnfairDraws::AnotherSeed => {
            say("the revealed seed is not the one to which the table was committed")
        }
        UnfairDraws::AnotherDraw { version, drawn, expected } => say_with(
            "entry {version} says that chance drew {drawn}, but the seed gives {expected}",
            &[("version", &version.to_string()), ("drawn", drawn), ("expected", expected)],
        ),
        other => other.to_string(),
    }
}

/// A sentence about an entry that is no move; `None` if the screen says it already.
pub(super) fn news(before: &TableState, body: &EntryBody, own_seats: &[Seat]) -> Option<String> {
    let is_own = |seat: &Seat| own_seats == [*seat];
    let is_shared = own_seats.len() > 1;
    let about =
        |sentence: &str, seat: Seat| Some(say_with(sentence, &[("name", &name(before, seat))]));
    match body {
        EntryBody::Claimed { seat, .. } => {
            let away = if is_own(seat) {
                say("You were away.")
            } else {
                about("{name} was away.", *seat)?
            };
            let round = (before.round() + 1).to_string();
            let next = say_with("Round {round} begins.", &[("round", &round)]);
            Some(format!("{away} {next}"))
        }
        EntryBody::TakebackGranted { .. } if is_shared => Some(say("The last move is taken back.")),
        EntryBody::TakebackGranted { seat, .. } if is_own(seat) => {
            about("{name} takes the last move back.", before.takeback()?)
        }
        EntryBody::TakebackGranted { seat, .. } => {
            about("{name} agreed: your move is taken back.", *seat)
        }
        EntryBody::TakebackDeclined { seat, .. } if !is_own(seat) => {
            about("{name} did not agree: your move stays.", *seat)
        }
        EntryBody::SeatMoved { seat, .. } if !is_own(seat) => {
            about("{name} plays on another device now.", *seat)
        }
        EntryBody::Ended { seat } if !is_own(seat) => about("{name} has ended the table.", *seat),
        _ => None,
    }
}
