//! Checks whether an entry can follow.

use game::{Game, MoveText, Seat};

use super::TableState;
use crate::digest::Digest;
use crate::entry_body::{EntryBody, Forfeit};

impl TableState {
    /// Checks that an entry is of this round and, where it names one, of this ply.
    pub(super) fn is_now(&self, body: &EntryBody) -> Result<(), String> {
        let (round, ply) = match body {
            EntryBody::Played { round, ply, .. }
            | EntryBody::Sealed { round, ply, .. }
            | EntryBody::Revealed { round, ply, .. }
            | EntryBody::Chance { round, ply, .. }
            | EntryBody::TakebackAsked { round, ply, .. }
            | EntryBody::TakebackGranted { round, ply, .. }
            | EntryBody::TakebackDeclined { round, ply, .. } => (*round, *ply),
            EntryBody::Forfeited { round, .. }
            | EntryBody::Claimed { round, .. }
            | EntryBody::Tied { round }
            | EntryBody::NextRound { round } => (*round, self.ply),
            EntryBody::Created { .. }
            | EntryBody::Joined { .. }
            | EntryBody::Left { .. }
            | EntryBody::SeatOffered { .. }
            | EntryBody::SeatMoved { .. }
            | EntryBody::Ended { .. }
            | EntryBody::SeedRevealed { .. } => return Ok(()),
        };
        if self.has_ended() {
            return Err("the table has ended".to_owned());
        }
        if !self.is_full() {
            return Err("somebody is missing".to_owned());
        }
        let (now, then) = ((self.round(), self.ply), (round, ply));
        if now == then {
            return Ok(());
        }
        Err(format!("it is round {} and ply {}, and not {} and {}", now.0, now.1, then.0, then.1))
    }

    /// Checks that a player with this token can take the seat, if tokens are known.
    pub(super) fn may_sit(&self, seat: Seat, token: Option<Digest>) -> Result<(), &'static str> {
        if self.level(seat).is_some() {
            return Err("a computer player sits there");
        }
        match token.and_then(|token| self.holder(token)) {
            Some(other) if other != seat => Err("the player with this token sits elsewhere"),
            _ => Ok(()),
        }
    }

    /// Checks that a seat can lose the round for this reason. Every seat can resign as long as the round is
    /// open.
    pub(super) fn may_forfeit(&self, seat: Seat, why: Forfeit) -> Result<(), &'static str> {
        if seat.index() >= self.occupants.len() {
            return Err("there is no such seat");
        }
        let resigns = why == Forfeit::Resigned && self.outcome().is_none();
        if resigns || self.turn().contains(seat) {
            return Ok(());
        }
        Err("it is not the turn of the seat")
    }

    /// Checks that another player can claim the round because this seat, which must move, is absent.
    pub(crate) fn may_be_claimed(&self, seat: Seat) -> Result<(), &'static str> {
        if self.outcome().is_some() {
            return Err("The round is over");
        }
        if self.level(seat).is_some() {
            return Err("A computer player is never absent");
        }
        if !self.turn().contains(seat) || self.has_sealed(seat) {
            return Err("Only the round of a player who has to move can be claimed");
        }
        Ok(())
    }

    /// Checks that a player can end the table: no round is under way.
    pub(crate) fn may_end(&self) -> Result<(), &'static str> {
        if self.has_ended() {
            return Err("The table has ended already");
        }
        let is_between = self.ply == 0 && self.sealed.is_empty() || self.outcome().is_some();
        if is_between {
            Ok(())
        } else {
            Err("A table ends between two rounds: finish this one first")
        }
    }

    /// Checks that the moves of a seat carry explanations: those of computers do, unless the game
    /// has hidden information.
    pub(super) fn may_explain(&self, seat: Seat) -> Result<(), &'static str> {
        if self.level(seat).is_some() && !self.game.hides() {
            return Ok(());
        }
        Err("only a computer explains its move, and only where nothing is hidden")
    }

    /// Checks that the revealed moves are the sealed ones, if those are known.
    pub(super) fn is_what_was_sealed(
        &self,
        moves: &[(Seat, MoveText)],
    ) -> Result<(), &'static str> {
        let fits = |(seat, chosen): &(Seat, MoveText)| {
            let sealed = self.sealed.iter().find(|(other, _)| other == seat);
            sealed.is_some_and(|(_, sealed)| sealed.as_ref().is_none_or(|sealed| sealed == chosen))
        };
        if moves.iter().all(fits) { Ok(()) } else { Err("something else was sealed") }
    }

    /// Checks that a seat may choose this; a client may not know the move.
    pub(super) fn may_seal(&self, seat: Seat, chosen: Option<&MoveText>) -> Result<(), String> {
        if self.has_sealed(seat) {
            return Err("the seat has chosen already".to_owned());
        }
        match chosen {
            Some(chosen) => {
                let allowed = self.game.check(&self.position, self.in_game(seat), chosen);
                allowed.map_err(|refusal| refusal.to_string())
            }
            None if self.turn().contains(seat) => Ok(()),
            None => Err("it is not the turn of the seat".to_owned()),
        }
    }
}
