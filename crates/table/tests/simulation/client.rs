//! A player or a spectator.

use std::collections::BTreeMap;

use game::{Generator, Seat};
use table::{Action, ActionId, Actor, Doing, Entry, Replica, State, Update, Verdict};

use crate::world::Sabotage;

/// A client: its replica, and what it was told of its actions.
pub(crate) struct Client {
    pub(crate) replica: Replica,
    pub(crate) seat: Option<Seat>,
    name: String,
    counter: u64,
    pub(crate) verdicts: BTreeMap<ActionId, Verdict>,
    pub(crate) rolled_back: u64,
    sabotage: Sabotage,
}

impl Client {
    pub(crate) fn new(state: State, seat: Option<Seat>, name: &str, sabotage: Sabotage) -> Self {
        let (replica, verdicts) = (Replica::new(state, seat), BTreeMap::new());
        let name = name.to_owned();
        Self { replica, seat, name, counter: 0, verdicts, rolled_back: 0, sabotage }
    }

    pub(crate) fn actor(&self) -> Actor {
        self.seat.map_or(Actor::Stranger, Actor::Seat)
    }

    /// Tries something; what is refused here is not sent.
    pub(crate) fn act(&mut self, generator: &mut Generator) {
        self.counter += 1;
        let id = ActionId::new(&self.name, self.counter).expect("it is an id");
        let state = self.replica.provisional();
        let (round, ply, version) = (state.round(), state.ply(), state.version());
        let chosen = generator.below(9).to_string().parse().expect("it is a text");
        let doing = match generator.below(12) {
            0 => Doing::NextRound { round, ply },
            1 => Doing::Forfeit { round, ply },
            2 => Doing::Tie { round, ply },
            3 => Doing::Leave { version },
            _ => Doing::Play { round, ply, chosen },
        };
        drop(self.replica.submit(Action { id, doing }));
    }

    /// Takes entries in; gives the version after which some are missing.
    pub(crate) fn receive(&mut self, entries: &[Entry]) -> Result<Option<u64>, String> {
        match self.replica.receive(entries) {
            Ok(Update::Gap { from }) => Ok(Some(from)),
            Ok(Update::Folded { rolled_back, .. }) => {
                self.rolled_back += rolled_back.len() as u64;
                Ok(None)
            }
            Err(error) => Err(format!("a client cannot follow: {error}")),
        }
    }

    /// Hears what came of an action; gives the last version it knows if there is more to hear.
    pub(crate) fn hear(&mut self, id: ActionId, verdict: Verdict) -> Result<Option<u64>, String> {
        // Nothing is decided: it is sent again.
        if verdict == Verdict::Busy {
            return Ok(None);
        }
        if let Some(known) = self.verdicts.get(&id) {
            let is_same = match (known, &verdict) {
                (Verdict::Committed(known), Verdict::Committed(version)) => known == version,
                (Verdict::Refused(_), Verdict::Refused(_)) => true,
                _ => false,
            };
            return if is_same {
                Ok(None)
            } else {
                Err(format!("{id} got two verdicts: {known:?} and {verdict:?}"))
            };
        }
        let known = self.replica.confirmed().version();
        let is_behind = matches!(verdict, Verdict::Committed(version) if version > known);
        if let Verdict::Refused(refusal) = &verdict
            && self.sabotage != Sabotage::KeepRefused
        {
            self.rolled_back += self.replica.refused(&id, refusal).len() as u64;
        }
        self.verdicts.insert(id, verdict);
        Ok(is_behind.then_some(known))
    }
}
