//! Sentences about takebacks, claims, other devices, and the end of a table.

use game::Seat;
use table::{EntryBody, TableState, UnfairDraws};

use super::name;

/// Asks to take the last move back.
pub const TAKE_BACK: &str = "Take back";
/// What the player who asked reads.
pub const TAKEBACK_ASKED: &str = "You asked to take your move back. Waiting for an answer …";
/// Lets the other player take the move back.
pub const ALLOW_TAKEBACK: &str = "Allow it";
/// Does not let them.
pub const DECLINE_TAKEBACK: &str = "No, play on";
/// Claims the round of an absent player.
pub const CLAIM: &str = "Claim the round";
/// Leaves the table.
pub const LEAVE: &str = "Leave";
/// Leaves the table for a quick match.
pub const FIND_ANOTHER: &str = "Find another";
/// Shows the code that moves the seat to another device.
pub const ANOTHER_DEVICE: &str = "Another device";
/// Closes a card.
pub const CLOSE: &str = "Close";
/// What the code for another device does.
pub const DEVICE_HELP: &str = "Scan this with your other device. It takes over your seat, and this one \
    only watches then. The code works once, until your next move.";
/// The name of the link that the code holds.
pub const DEVICE_LINK: &str = "Link that moves your seat";
/// Shown while a device takes a seat over.
pub const TAKING_OVER: &str = "Taking over your seat …";
/// What somebody reads whose token holds no seat.
pub const NO_SEAT: &str = "You have no seat here.";
/// What the old device reads.
pub const SEAT_IS_ELSEWHERE: &str = "Your seat is on another device now. Here you watch.";
/// Ends a table where chance drew.
pub const END_TABLE: &str = "End the table and check the draws";
/// Shown while the draws are checked.
pub const CHECKING: &str = "Checking the draws …";
/// Shown if they cannot be checked.
pub const CANNOT_CHECK: &str =
    "The log of this table cannot be read. Reload the page to check again.";

/// What a player asks of the other one.
#[must_use]
pub fn takeback_question(who: &str, has_clock: bool) -> String {
    let clock = if has_clock { " The clock is not refunded." } else { "" };
    format!("{who} asks to take the last move back.{clock}")
}

/// A player who has left, or has been away for a while.
#[must_use]
pub fn absent(who: &str, has_left: bool) -> String {
    if has_left {
        format!("{who} has left the table.")
    } else {
        format!("{who} lost the connection a while ago, and may come back.")
    }
}

/// What the check of the draws says.
#[must_use]
pub fn draws(checked: &Result<u32, UnfairDraws>) -> String {
    match checked {
        Ok(0) => "This table has ended. Chance drew nothing.".to_owned(),
        Ok(1) => "This table has ended, and its seed is public: the only draw follows from it."
            .to_owned(),
        Ok(draws) => {
            format!(
                "This table has ended, and its seed is public: all {draws} draws follow from it."
            )
        }
        Err(why) => format!("The draws of this table cannot be trusted: {why}."),
    }
}

/// A sentence about an entry that is no move; `None` if the screen says it already.
pub(super) fn news(before: &TableState, body: &EntryBody, own_seats: &[Seat]) -> Option<String> {
    let is_own = |seat: &Seat| own_seats == [*seat];
    let is_shared = own_seats.len() > 1;
    match body {
        EntryBody::Claimed { seat, .. } => {
            let who = if is_own(seat) {
                "You were".to_owned()
            } else {
                format!("{} was", name(before, *seat))
            };
            Some(format!("{who} away. Round {} begins.", before.round() + 1))
        }
        EntryBody::TakebackGranted { .. } if is_shared => {
            Some("The last move is taken back.".to_owned())
        }
        EntryBody::TakebackGranted { seat, .. } if is_own(seat) => {
            let asker = before.takeback().map(|asker| name(before, asker)).unwrap_or_default();
            Some(format!("{asker} takes the last move back."))
        }
        EntryBody::TakebackGranted { seat, .. } => {
            Some(format!("{} agreed: your move is taken back.", name(before, *seat)))
        }
        EntryBody::TakebackDeclined { seat, .. } if !is_own(seat) => {
            Some(format!("{} did not agree: your move stays.", name(before, *seat)))
        }
        EntryBody::SeatMoved { seat, .. } if !is_own(seat) => {
            Some(format!("{} plays on another device now.", name(before, *seat)))
        }
        EntryBody::Ended { seat } if !is_own(seat) => {
            Some(format!("{} has ended the table.", name(before, *seat)))
        }
        _ => None,
    }
}
