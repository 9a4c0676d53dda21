//! A table as one person sees it.

use game::{Code, MoveExplanation, Ply, Reason, Refusal, Seat};
use table::{Action, ActionBody, ActionId, Actor, TableState, decide};

use super::{FinishedRound, Intent, RoundEnding};

/// A table as one person sees it.
#[derive(Clone, Copy, Debug)]
pub struct SessionView<'a> {
    /// The table as it is shown, with the person's own unconfirmed actions.
    pub shown: &'a TableState,
    /// The table as far as it is confirmed.
    pub confirmed: &'a TableState,
    /// The seats that this person plays: none for a spectator, all on a shared screen.
    pub own_seats: &'a [Seat],
    /// The first of the person's own actions that waits for an answer.
    pub pending: Option<&'a ActionBody>,
    /// Whether that action waits for longer than usual.
    pub is_delayed: bool,
    /// The explanations of computer moves in this round, by the number of moves before each.
    pub explanations: &'a [(u32, MoveExplanation)],
    /// The seats whose players are connected; `None` for a table in this browser.
    pub connected: Option<&'a [Seat]>,
    /// Whether the server can be reached.
    pub is_connected: bool,
    /// How long a player must be without a connection before the round can be claimed, in milliseconds.
    pub claim_after: Option<u64>,
    /// How the shown round ended, if the next one has begun already.
    pub ending: Option<RoundEnding>,
}

impl<'a> SessionView<'a> {
    /// The same view of a round that is over, if there is one.
    #[must_use]
    pub(super) fn held_at(self, finished: Option<&'a FinishedRound>) -> Self {
        let Some(FinishedRound { state, ending, explanations, .. }) = finished else { return self };
        Self { shown: state, confirmed: state, explanations, ending: Some(*ending), ..self }
    }

    /// Whether the shown round is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.ending.is_some() || self.shown.outcome().is_some()
    }

    /// The own seat that is in turn, or else any own seat.
    #[must_use]
    pub fn acting_seat(&self) -> Option<Seat> {
        let turn = self.shown.turn();
        let in_turn = self.own_seats.iter().copied().find(|seat| turn.contains(*seat));
        in_turn.or_else(|| self.own_seats.first().copied())
    }

    /// The own seat that acts for an intent. On a shared screen, the last move is taken back by whoever made
    /// it.
    #[must_use]
    pub fn seat_for(&self, intent: &Intent) -> Option<Seat> {
        let last = match self.shown.history().last() {
            Some(Ply::Moves(moves)) => moves.first().map(|(seat, _)| self.shown.at_table(*seat)),
            _ => None,
        };
        let is_own = |seat: &Seat| self.own_seats.len() > 1 && self.own_seats.contains(seat);
        match intent {
            Intent::AskTakeback => last.filter(is_own).or_else(|| self.acting_seat()),
            _ => self.acting_seat(),
        }
    }

    /// The action for an intent, for the round and ply that are shown.
    #[must_use]
    pub fn action(&self, intent: Intent) -> ActionBody {
        intent.action((self.shown.round(), self.shown.ply()), self.confirmed.version())
    }

    /// Why the table as it is shown would refuse an intent; `None` if it would accept it.
    ///
    /// # Panics
    /// Never: the id of the trial action is valid.
    #[must_use]
    pub fn refusal(&self, intent: Intent) -> Option<Refusal> {
        let Some(seat) = self.seat_for(&intent) else {
            return Some(Reason::new(Code::new("watching"), "You are watching").into());
        };
        let id = ActionId::new("trial", 0).expect("the id is valid");
        let action = Action { id, body: self.action(intent) };
        decide(self.shown, &action, Actor::Seat(seat)).err()
    }
}
