//! Secrets that no message may contain: the cards of other seats, and tokens.

use game::{Game, Seat};
use serde::Serialize;
use table::TableState;

/// Checks that a message to the holder of a seat contains no secrets of this state.
pub(crate) fn check<T: Serialize>(
    message: &T,
    state: Option<&TableState>,
    seat: Option<Seat>,
) -> Result<(), String> {
    let text = serde_json::to_string(message).expect("a message serializes");
    let seen = state.map(|state| cards(state, seat)).unwrap_or_default();
    let is_hidden = |each: &char| "JQK".contains(*each) && !seen.contains(*each);
    match text.chars().find(is_hidden) {
        Some(card) => Err(format!("{seat:?} sees {card} too early: {text}")),
        None if text.contains("\"token\"") => Err(format!("{seat:?} sees a token: {text}")),
        None => Ok(()),
    }
}

/// The cards of Kuhn poker that a seat may see: its own and, at a showdown, all.
fn cards(state: &TableState, seat: Option<Seat>) -> String {
    let text = state.game().text(state.position());
    let (cards, betting) = text.split_once(' ').unwrap_or((&text, ""));
    let is_showdown = ["pass pass", "bet bet", "pass bet bet"].contains(&betting);
    let own = seat.map(|seat| state.in_game(seat).index());
    let cards = cards.chars().enumerate();
    cards.filter(|(place, _)| is_showdown || own == Some(*place)).map(|(_, card)| card).collect()
}
