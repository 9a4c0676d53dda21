//! Which events may happen in a state of a game, for a checker.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use bthread::{Candidate, Choices, Event, Name, Strategy};
use rustc_hash::FxHashMap;

use crate::seat::{Seat, Seats};

/// The actor behind a b-thread in a model of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ModelActor {
    /// The rules, which act before everybody else.
    Rule,
    /// Chance, which draws.
    Chance,
    /// A strategy of a seat.
    Strategy(Seat),
    /// A seat that may make any move.
    FreeSeat,
    /// It acts where nobody else can.
    Otherwise,
    /// Chance, which draws where nobody else can act.
    ChanceOtherwise,
    /// It never acts.
    Watcher,
}

/// Chooses as a game is played: rules first, by priority; where they want nothing, the first wish of
/// each seat that follows strategies, every move of every free seat, and all that chance may draw;
/// where there is none of that, the first last resort of a rule, or all that the first chance draws then.
///
/// It does not know whether the game is over: whatever the rules do not block may happen.
#[derive(Clone)]
pub struct ActorChoice(Arc<FxHashMap<Name, ModelActor>>);

impl ActorChoice {
    /// The choice among these b-threads. Any other is a rule.
    pub fn new(actors: impl IntoIterator<Item = (Name, ModelActor)>) -> Self {
        Self(Arc::new(actors.into_iter().collect()))
    }

    /// The actor behind a b-thread.
    #[must_use]
    pub fn actor(&self, thread: &Name) -> ModelActor {
        self.0.get(thread).copied().unwrap_or(ModelActor::Rule)
    }
}

impl<E: Event> Strategy<E> for ActorChoice {
    fn choose<'a>(&mut self, choices: &Choices<'a, E>) -> Candidate<'a, E> {
        self.possible(choices).into_iter().next().unwrap_or_else(|| choices.first())
    }

    fn possible<'a>(&self, choices: &Choices<'a, E>) -> Vec<Candidate<'a, E>> {
        let first = choices.first();
        // B-threads that act otherwise come last, so nobody else can act.
        if matches!(self.actor(first.thread()), ModelActor::Rule | ModelActor::Otherwise) {
            return vec![first];
        }
        if self.actor(first.thread()) == ModelActor::ChanceOtherwise {
            let mut drawn = choices.all();
            drawn.retain(|each| each.thread() == first.thread());
            return drawn;
        }
        let mut players = Seats::NONE;
        let mut all = choices.all();
        all.retain(|each| match self.actor(each.thread()) {
            ModelActor::Chance | ModelActor::FreeSeat => true,
            ModelActor::Strategy(seat) => {
                let is_first = !players.contains(seat);
                players = players.with(seat);
                is_first
            }
            ModelActor::Rule
            | ModelActor::Otherwise
            | ModelActor::ChanceOtherwise
            | ModelActor::Watcher => false,
        });
        all
    }
}

/// The rules of choice of one model are compared by identity.
impl PartialEq for ActorChoice {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for ActorChoice {}

impl Hash for ActorChoice {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.0.len());
    }
}

impl fmt::Debug for ActorChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ActorChoice")
    }
}
