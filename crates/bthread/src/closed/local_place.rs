//! Where a run stands outside of the table of its automaton.

use super::automaton::Automaton;
use super::local_reader::LocalReader;
use super::local_state::LocalState;
use crate::engine::{Handled, LiveThreads, Pick};
use crate::error::{OutsideAlphabet, SuperstepError};
use crate::event::Event;
use crate::name::Name;
use crate::observer::{Observer, Origin, Step};
use crate::run::{Limits, SuperstepSummary};
use crate::strategy::Scope;
use crate::sync_point::SyncPoint;

/// The states of the b-threads of a run, and their automaton.
#[derive(Clone)]
pub(super) struct LocalPlace<E: Event> {
    pub(super) automaton: Automaton<E>,
    pub(super) state: LocalState<E>,
}

impl<E: Event> LocalPlace<E> {
    /// Performs the superstep of an event by priority. This is what a run without a queue does, and
    /// takes half of the time, because most supersteps are one event.
    pub(super) fn superstep(
        &mut self,
        first: u32,
        limits: Limits,
        observer: &mut impl Observer<E>,
    ) -> Result<SuperstepSummary, SuperstepError<E>> {
        let mut attempt = LocalAttempt { place: self, phase: AttemptPhase::Steps };
        let result = attempt.steps(first, limits, observer);
        if result.is_ok() {
            attempt.phase = AttemptPhase::Over;
            attempt.place.state.commit(attempt.place.automaton.blueprint());
        } else {
            drop(attempt);
            observer.undone();
        }
        result
    }

    /// The first request that can happen. Strategies that look at priorities get the requests ranked.
    pub(super) fn first(&mut self, scope: Scope) -> Option<Pick> {
        let blueprint = self.automaton.blueprint();
        if scope == Scope::HighestPriority {
            self.state.rank_requests(blueprint);
            if self.state.standing.ranking.is_some() {
                return LocalReader::new(blueprint, &self.state).first_ranked();
            }
        }
        self.state.first(blueprint)
    }

    #[inline]
    pub(super) fn advance(&mut self, event: u32) -> Result<Handled, OutsideAlphabet<E>> {
        self.state.advance(self.automaton.blueprint(), event)
    }
}

/// A superstep outside of the table, which is undone unless it succeeds, also if an observer panics.
struct LocalAttempt<'a, E: Event> {
    place: &'a mut LocalPlace<E>,
    phase: AttemptPhase,
}

#[derive(PartialEq, Eq)]
enum AttemptPhase {
    Steps,
    /// B-threads move. If one of them panics, nothing can be undone.
    Moves,
    Over,
}

impl<E: Event> LocalAttempt<'_, E> {
    fn steps(
        &mut self,
        first: u32,
        limits: Limits,
        observer: &mut impl Observer<E>,
    ) -> Result<SuperstepSummary, SuperstepError<E>> {
        let mut happened = SuperstepSummary { steps: 0, handled: Handled::No };
        let mut next = Some((first, Origin::Triggered));
        while let Some((number, origin)) = next {
            let event = self.place.automaton.event(number);
            happened.check(limits, event)?;
            observer.step(&Step::new(event, origin, &*self.place));
            self.phase = AttemptPhase::Moves;
            let handled = self.place.advance(number);
            self.phase = AttemptPhase::Steps;
            happened.count(handled?);
            let first = self.place.state.first(self.place.automaton.blueprint());
            next = first.map(|pick| (pick.request, Origin::Requested(pick)));
        }
        Ok(happened)
    }
}

impl<E: Event> Drop for LocalAttempt<'_, E> {
    fn drop(&mut self) {
        if self.phase == AttemptPhase::Steps {
            self.place.state.undo(self.place.automaton.blueprint());
        }
    }
}

impl<E: Event> LiveThreads<E> for LocalPlace<E> {
    fn visit(&self, show: &mut dyn FnMut(&Name, &SyncPoint<E>)) {
        self.state.visit(self.automaton.blueprint(), show);
    }

    fn picks(&self) -> Vec<Pick> {
        self.state.picks(self.automaton.blueprint())
    }

    fn ranks(&self, picks: &[Pick]) -> Vec<Option<i32>> {
        self.state.ranks(self.automaton.blueprint(), picks)
    }

    fn count_highest(&self) -> Option<u64> {
        self.state.standing.ranking.as_ref()?.requests.count_highest()
    }

    fn highest(&self, rank: u64) -> Option<Pick> {
        LocalReader::new(self.automaton.blueprint(), &self.state).highest(rank)
    }

    fn requested(&self, pick: Pick) -> &E {
        self.automaton.event(pick.request)
    }

    fn name(&self, thread: u32) -> &Name {
        self.state.name(self.automaton.blueprint(), thread)
    }
}
