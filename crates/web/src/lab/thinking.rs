//! Moves that the worker chooses for a seat.

use super::html::filled;
use super::search::{ChosenMove, MoveRequest};
use super::spoken::spoken;
use super::state::{Lab, LabEffect};

/// The most events of the games in the worker's head, for one move: half a second on a usual machine.
const WORK: u64 = 6_000;

impl Lab {
    /// Asks the worker for a move if it plays the seat in turn.
    pub(super) fn think(&mut self) -> Vec<LabEffect> {
        let wanted = self.wanted_move();
        if wanted == self.thinking {
            return Vec::new();
        }
        self.thinking.clone_from(&wanted);
        wanted.map(LabEffect::Choose).into_iter().collect()
    }

    fn wanted_move(&self) -> Option<MoveRequest> {
        let (game, built) = (self.game()?, self.text().built()?);
        let seat = game.searching_seat()?;
        let place = u64::try_from(game.place()).unwrap_or(0);
        Some(MoveRequest {
            text: self.text().source().to_owned(),
            without: game.left_out(built),
            events: game.steps().iter().map(|step| step.event.to_string()).collect(),
            seat,
            seed: self.seed().wrapping_mul(1_000).wrapping_add(place),
            work: WORK,
        })
    }

    /// The seat for which a move is being chosen.
    pub(super) fn thinking_seat(&self) -> Option<&str> {
        let seats = self.text().built()?.seats();
        seats.get(self.thinking.as_ref()?.seat).copied()
    }

    /// The worker's move for a request. One for another position is forgotten.
    pub fn hear_move(
        &mut self,
        request: &MoveRequest,
        answer: Result<ChosenMove, String>,
    ) -> Vec<LabEffect> {
        if self.thinking.as_ref() != Some(request) {
            return Vec::new();
        }
        self.thinking = None;
        let told = match answer {
            Err(sentence) => Some(spoken(&sentence)),
            Ok(ChosenMove { event, games }) => {
                let seats = self.text().built().map(notation::BuiltText::seats).unwrap_or_default();
                let seat = seats.get(request.seat).copied().unwrap_or_default();
                let told = filled(
                    self.words().tried_out,
                    &[("seat", &seat), ("games", &games), ("event", &event)],
                );
                Some(self.play_event(&event).unwrap_or(told))
            }
        };
        self.set_notice(told);
        self.think()
    }
}
