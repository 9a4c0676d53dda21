//! What the screen shows about taking a move back.

use game::Seat;
use table::TableView;

use crate::session::{Intent, SessionView};

/// What a person can do about a takeback.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TakebackScreen {
    /// Nothing.
    #[default]
    None,
    /// Ask.
    CanAsk,
    /// Wait for the answer.
    Waits,
    /// Answer this seat.
    Answers(Seat),
}

impl TakebackScreen {
    pub(super) fn of(view: &SessionView<'_>) -> Self {
        if view.is_over() {
            return Self::None;
        }
        match view.shown.takeback() {
            Some(asker) if view.own_seats.contains(&asker) => Self::Waits,
            Some(asker) if !view.own_seats.is_empty() => Self::Answers(asker),
            None if view.refusal(Intent::AskTakeback).is_none() => Self::CanAsk,
            _ => Self::None,
        }
    }

    /// At a table whose rules only the server knows: whether it allows takebacks shows when it is asked.
    pub(super) fn of_viewed(view: &TableView, own: Option<Seat>) -> Self {
        let is_open = view.scores.is_none() && view.ply > 0 && !view.has_ended;
        match (view.takeback, own) {
            (Some(asker), Some(own)) if asker == own => Self::Waits,
            (Some(asker), Some(_)) => Self::Answers(asker),
            // Games that hide something have no text here, and no takebacks.
            (None, Some(_)) if is_open && view.game.contains('@') => Self::CanAsk,
            _ => Self::None,
        }
    }
}
