//! Folding entries into a state.

use game::{AnyPosition, Game, MoveText, Ply, Seat, Seats};

use super::{
    FoldError, MAX_RECENT_ACTIONS, Occupant, RecentAction, TableEnding, TableState, Takebacks,
    in_order_of_seats,
};
use crate::digest::Digest;
use crate::entry::Entry;
use crate::entry_body::EntryBody;

/// The effect of an entry on the state for which it was prepared.
#[derive(Clone, Debug)]
pub(crate) struct PreparedEntry {
    /// The seats that used the time of the turn.
    thinking: Seats,
    change: Change,
}

#[derive(Clone, Debug)]
enum Change {
    /// A player joins or leaves.
    Sits(Seat, Occupant),
    /// A seat has chosen.
    Seals(Seat, Option<MoveText>),
    /// The round advances, by the move of one seat or otherwise.
    GoesOn { next: AnyPosition, happening: Ply<MoveText, MoveText>, by: Option<Seat> },
    /// A seat asks to take its last move back.
    AsksTakeback(Seat),
    /// The seat that asked is not allowed to.
    DeclinesTakeback,
    /// The round continues from an earlier position.
    GoesBack { to: AnyPosition, moves: usize },
    /// A seat waits for another device that shows a secret.
    Offers(Seat, Option<Digest>),
    /// Another device has a seat.
    Moves(Seat, Occupant),
    /// The table ends, or has ended.
    Ends(TableEnding),
    /// A round begins.
    Begins { start: AnyPosition, loser: Option<Seat> },
}

impl TableState {
    /// Folds the next entry.
    ///
    /// # Errors
    /// If it does not follow from those before it; the state did not change.
    pub fn fold(&mut self, entry: &Entry) -> Result<(), FoldError> {
        let prepared = self.prepare(entry)?;
        self.apply(entry, prepared);
        Ok(())
    }

    /// Computes the effect of the next entry. Everything that can fail fails here.
    ///
    /// # Errors
    /// If it does not follow from those before it.
    pub(crate) fn prepare(&self, entry: &Entry) -> Result<PreparedEntry, FoldError> {
        let expected = self.version + 1;
        let version = entry.version;
        if version != expected {
            return Err(FoldError::Version { expected, found: version });
        }
        if entry.at < self.at {
            return Err(FoldError::Time { version });
        }
        if !entry.is_by_its_own_seat() {
            let why = "a seat acts only for itself".to_owned();
            return Err(FoldError::Impossible { version, why });
        }
        let thinking = self.turn().iter().filter(|seat| !self.has_sealed(*seat)).collect();
        Ok(PreparedEntry { thinking, change: self.change(&entry.body, version)? })
    }

    /// Applies an entry that was prepared in this state.
    pub(crate) fn apply(&mut self, entry: &Entry, prepared: PreparedEntry) {
        let PreparedEntry { thinking, change } = prepared;
        let before = (self.round, self.ply, self.clocks_run());
        self.happen(change);
        if before != (self.round, self.ply, self.clocks_run()) {
            self.count_time(thinking, before.2, entry.at);
        } else if let EntryBody::Sealed { seat, .. } = &entry.body {
            // A seat that has chosen does not pay for the time of the others.
            self.think(*seat, entry.at);
        }
        (self.version, self.at) = (entry.version, entry.at);
        self.remember(entry);
    }

    /// The change that an entry makes, if the rules allow it.
    fn change(&self, body: &EntryBody, version: u64) -> Result<Change, FoldError> {
        let impossible =
            |why: &dyn std::fmt::Display| FoldError::Impossible { version, why: why.to_string() };
        self.is_now(body).map_err(|why| impossible(&why))?;
        Ok(match body {
            EntryBody::Created { .. } => return Err(FoldError::Beginning { version }),
            EntryBody::Joined { seat, name, token } => {
                self.may_sit(*seat, *token).map_err(|why| impossible(&why))?;
                let occupant = self.occupants.get(seat.index());
                let occupant = occupant.ok_or_else(|| impossible(&"there is no such seat"))?;
                // A client knows no tokens and trusts the server.
                let another = |old: &Occupant| old.token.zip(*token).is_some_and(|(a, b)| a != b);
                if occupant.as_ref().is_some_and(another) {
                    return Err(impossible(&"somebody else holds the seat"));
                }
                let (name, since) = (name.clone(), version);
                Change::Sits(*seat, Occupant { name, token: *token, is_here: true, since })
            }
            EntryBody::Left { seat } => {
                let occupant =
                    self.occupant(*seat).ok_or_else(|| impossible(&"nobody sits there"))?;
                Change::Sits(*seat, Occupant { is_here: false, since: version, ..occupant.clone() })
            }
            EntryBody::Played { seat, chosen, explanation, .. } => {
                let allowed = explanation.as_ref().map_or(Ok(()), |_| self.may_explain(*seat));
                allowed.map_err(|why| impossible(&why))?;
                let moves = vec![(self.in_game(*seat), chosen.clone())];
                let next = self.game.play_all(&self.position, &moves);
                let next = next.map_err(|refusal| impossible(&refusal))?;
                Change::GoesOn { next, happening: Ply::Moves(moves), by: Some(*seat) }
            }
            EntryBody::Sealed { seat, chosen, .. } => {
                let allowed = self.may_seal(*seat, chosen.as_ref());
                allowed.map_err(|why| impossible(&why))?;
                Change::Seals(*seat, chosen.clone())
            }
            EntryBody::Revealed { moves, .. } => {
                self.is_what_was_sealed(moves).map_err(|why| impossible(&why))?;
                let all = moves.iter().map(|(seat, text)| (self.in_game(*seat), text.clone()));
                let ordered = in_order_of_seats(all);
                let next = self.game.play_all(&self.position, &ordered);
                let next = next.map_err(|refusal| impossible(&refusal))?;
                Change::GoesOn { next, happening: Ply::Moves(ordered), by: None }
            }
            EntryBody::Chance { drawn, .. } => {
                let mut next = self.position.clone();
                let advanced = self.game.advance_chance(&mut next, drawn);
                advanced.map_err(|refusal| impossible(&refusal))?;
                Change::GoesOn { next, happening: Ply::Chance(drawn.clone()), by: None }
            }
            EntryBody::Forfeited { seat, why, .. } => {
                self.may_forfeit(*seat, *why).map_err(|why| impossible(&why))?;
                self.next_round(Some(*seat))
            }
            EntryBody::Tied { .. } => {
                if !self.outcome().is_some_and(|outcome| outcome.is_draw()) {
                    return Err(impossible(&"the round is not a draw"));
                }
                self.next_round(None)
            }
            EntryBody::NextRound { .. } => {
                let outcome = self.outcome().ok_or_else(|| impossible(&"the round is not over"))?;
                self.next_round(self.loser(&outcome))
            }
            later => self.later_change(later, version).map_err(|why| impossible(&why))?,
        })
    }

    /// As [`Self::change`], for the kinds that the first version did not have.
    fn later_change(&self, body: &EntryBody, version: u64) -> Result<Change, String> {
        let text = |refusal: game::Refusal| refusal.to_string();
        Ok(match body {
            EntryBody::Claimed { seat, .. } => {
                self.may_be_claimed(*seat)?;
                self.next_round(Some(*seat))
            }
            EntryBody::TakebackAsked { seat, .. } => {
                self.may_ask_takeback(*seat).map_err(text)?;
                Change::AsksTakeback(*seat)
            }
            EntryBody::TakebackGranted { seat, back_to, .. } => {
                let asker = self.may_answer_takeback(*seat).map_err(text)?;
                if self.moves_before_last_of(asker) != Some(*back_to) {
                    return Err("another number of moves stays".to_owned());
                }
                let to = self.position_after(*back_to).map_err(text)?;
                Change::GoesBack { to, moves: usize::try_from(*back_to).unwrap_or(usize::MAX) }
            }
            EntryBody::TakebackDeclined { seat, .. } => {
                self.may_answer_takeback(*seat).map_err(text)?;
                Change::DeclinesTakeback
            }
            EntryBody::SeatOffered { seat, secret } => {
                self.occupant(*seat).ok_or("nobody sits there")?;
                Change::Offers(*seat, *secret)
            }
            EntryBody::SeatMoved { seat, token } => {
                let is_offered = self.offers.iter().any(|(offered, _)| offered == seat);
                let occupant = self.occupant(*seat).filter(|_| is_offered);
                let occupant = occupant.ok_or("the seat is not offered")?.clone();
                self.may_sit(*seat, *token)?;
                let (token, since) = (*token, version);
                Change::Moves(*seat, Occupant { token, is_here: true, since, ..occupant })
            }
            EntryBody::Ended { .. } => {
                self.may_end()?;
                Change::Ends(TableEnding::Ended)
            }
            EntryBody::SeedRevealed { .. } if self.ending == TableEnding::Ended => {
                Change::Ends(TableEnding::Revealed)
            }
            EntryBody::SeedRevealed { .. } => return Err("the table has not ended".to_owned()),
            _ => unreachable!("the kind is an earlier one"),
        })
    }

    fn next_round(&self, loser: Option<Seat>) -> Change {
        Change::Begins { start: self.game.start(), loser }
    }

    fn happen(&mut self, change: Change) {
        match change {
            Change::Sits(seat, occupant) => self.occupants[seat.index()] = Some(occupant),
            Change::Seals(seat, chosen) => {
                self.withdraw_offer(seat);
                self.has_begun |= self.level(seat).is_none();
                self.sealed.push((seat, chosen));
            }
            Change::AsksTakeback(seat) => self.ask_takeback(seat),
            Change::DeclinesTakeback => self.decline_takeback(),
            Change::GoesBack { to, moves } => {
                self.history.truncate(moves);
                self.position = to;
                self.ply += 1;
                self.takebacks = Takebacks::default();
            }
            Change::Offers(seat, secret) => {
                self.withdraw_offer(seat);
                self.offers.push((seat, secret));
            }
            Change::Moves(seat, occupant) => {
                self.withdraw_offer(seat);
                self.occupants[seat.index()] = Some(occupant);
            }
            Change::Ends(ending) => self.ending = ending,
            Change::GoesOn { next, happening, by } => {
                // A player who moves has not gone to another device.
                if let Some(seat) = by {
                    self.withdraw_offer(seat);
                }
                self.takebacks = Takebacks::default();
                self.has_begun |= by.is_some_and(|seat| self.level(seat).is_none());
                self.history.push(happening);
                self.position = next;
                self.ply += 1;
                self.sealed.clear();
            }
            Change::Begins { start, loser } => self.begin_round(start, loser),
        }
    }

    fn withdraw_offer(&mut self, seat: Seat) {
        self.offers.retain(|(offered, _)| *offered != seat);
    }

    fn begin_round(&mut self, start: AnyPosition, loser: Option<Seat>) {
        self.losers.push(loser);
        self.round += 1;
        self.ply = 0;
        self.position = start;
        self.has_begun = false;
        self.sealed.clear();
        self.history.clear();
        self.takebacks = Takebacks::default();
        self.offers.clear();
    }

    pub(super) fn remember(&mut self, entry: &Entry) {
        if let Some(id) = &entry.action {
            if self.recent.len() == MAX_RECENT_ACTIONS {
                self.recent.pop_front();
            }
            let (id, version, seat) = (id.clone(), entry.version, entry.seat());
            self.recent.push_back(RecentAction { id, version, seat });
        }
    }
}
