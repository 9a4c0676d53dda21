//! Setting up a search, and its verdicts.

use std::fmt;

use crate::cycles::Cycles;
use crate::finding::finding;
use crate::graph::Graph;
use crate::inspect::{AfterViolation, Cases, Inspector, SymmetryUse};
use crate::model::Model;
use crate::property::Property;
use crate::report::{Coverage, Identity, Report};
use crate::search::{Bounds, Order, SearchEnd, SearchProgress, StateSearch, WORTHWHILE};
use crate::store::Retention;

/// Searches a model for examples and counterexamples of properties.
///
/// The report depends neither on the number of threads nor on the machine.
pub struct Checker<'m, M: Model> {
    model: &'m M,
    properties: Vec<Property<M>>,
    bounds: Bounds,
    symmetry: SymmetryUse,
    violated: AfterViolation,
    stop: Stop,
    drawn: Option<usize>,
    listener: Option<Box<dyn FnMut(SearchProgress) + 'm>>,
}

/// Whether a search stops before it has visited every state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    AtFirstViolation,
    Never,
}

impl<'m, M: Model> Checker<'m, M> {
    /// A search that visits every state of the model, the nearest first, on one thread,
    /// until a property is violated.
    pub fn new(model: &'m M) -> Self {
        let bounds = Bounds {
            states: u64::MAX,
            depth: u64::MAX,
            threads: 1,
            least_shared_batch: WORTHWHILE,
            order: Order::BreadthFirst,
            retention: Retention::States,
        };
        Self {
            model,
            properties: Vec::new(),
            bounds,
            symmetry: SymmetryUse::Ignored,
            violated: AfterViolation::GoesOn,
            stop: Stop::AtFirstViolation,
            drawn: None,
            listener: None,
        }
    }

    /// Also checks this property.
    #[must_use]
    pub fn property(mut self, property: Property<M>) -> Self {
        self.properties.push(property);
        self
    }

    /// Also checks these properties.
    #[must_use]
    pub fn properties(mut self, properties: impl IntoIterator<Item = Property<M>>) -> Self {
        self.properties.extend(properties);
        self
    }

    /// Continues after a violation until every state is visited.
    #[must_use]
    pub fn collect_all(mut self) -> Self {
        self.stop = Stop::Never;
        self
    }

    /// Visits states in this order.
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        self.bounds.order = order;
        self
    }

    /// Does not visit the successors of a state in which a requirement is violated.
    ///
    /// If there is such a state, the search is incomplete, so no other property holds.
    #[must_use]
    pub fn halt_at_violations(mut self) -> Self {
        self.violated = AfterViolation::Halts;
        self
    }

    /// Uses this number of threads, at most 256. The report does not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.bounds.threads = threads.clamp(1, 256);
        self
    }

    /// Several threads visit at least this number of states at once. Tests set it, because small
    /// models would use one thread.
    #[doc(hidden)]
    #[must_use]
    pub fn least_shared_batch(mut self, states: usize) -> Self {
        self.bounds.least_shared_batch = states;
        self
    }

    /// Finds at most this number of states, and stops when there are more.
    #[must_use]
    pub fn max_states(mut self, states: u64) -> Self {
        self.bounds.states = states;
        self
    }

    /// Visits only states that are fewer than `depth` actions away from the start.
    #[must_use]
    pub fn max_depth(mut self, depth: u64) -> Self {
        self.bounds.depth = depth;
        self
    }

    /// Stores a hash of 64 bits instead of each state. The report bounds the probability
    /// that a state was missed.
    #[must_use]
    pub fn compact(mut self) -> Self {
        self.bounds.retention = Retention::Fingerprints;
        self
    }

    /// Visits only one of several symmetric states.
    ///
    /// Properties that may distinguish symmetric states or actions are then unknown; see
    /// [`Property::symmetric`].
    #[must_use]
    pub fn symmetry(mut self) -> Self {
        self.symmetry = SymmetryUse::Used;
        self
    }

    /// Also draws a graph of the first `states` states and of all traces. A compact
    /// search stores no states, so it draws none.
    #[must_use]
    pub fn draw(mut self, states: usize) -> Self {
        self.drawn = Some(states);
        self
    }

    /// Calls the listener from time to time with the progress of the search.
    #[must_use]
    pub fn on_progress(mut self, listener: impl FnMut(SearchProgress) + 'm) -> Self {
        self.listener = Some(Box::new(listener));
        self
    }

    /// Runs the search.
    ///
    /// # Errors
    /// If the successors of a state are unknown.
    pub fn run(mut self) -> Result<Report<M::Action>, M::Error> {
        let properties = std::mem::take(&mut self.properties);
        let Self { model, symmetry, violated, .. } = self;
        let inspector = Inspector::new(model, &properties, symmetry, violated);
        let mut search = StateSearch::new(&inspector, self.bounds);
        let mut listener = self.listener.take();
        let stop = self.stop;
        let end = search.run(|search| {
            if let Some(listener) = &mut listener {
                listener(search.progress());
            }
            stop == Stop::Never || !is_settled(&inspector, search)
        })?;
        self.conclude(&inspector, &search, end)
    }

    fn conclude(
        &self,
        inspector: &Inspector<'_, M>,
        search: &StateSearch<'_, M>,
        end: SearchEnd,
    ) -> Result<Report<M::Action>, M::Error> {
        let coverage = match end {
            SearchEnd::Stopped if !search.is_through() => Coverage::StoppedAtFinding,
            SearchEnd::NothingLeft | SearchEnd::Stopped if search.tally.halted > 0 => {
                Coverage::HaltedAtViolations
            }
            SearchEnd::NothingLeft | SearchEnd::Stopped => Coverage::Complete,
            SearchEnd::States => Coverage::CutShortByStates(self.bounds.states),
            SearchEnd::Depth => Coverage::CutShortByDepth(self.bounds.depth),
        };
        let cycles = self.cycles(inspector, search)?;
        let findings = (0..inspector.properties.len())
            .map(|number| finding(inspector, search, cycles.as_ref(), coverage, number));
        let findings = findings.collect::<Result<Vec<_>, _>>()?;
        let graph = match self.drawn {
            Some(limit) if self.bounds.retention == Retention::States => {
                Some(Graph::draw(inspector, &search.store, limit, &findings)?)
            }
            Some(_) | None => None,
        };
        Ok(Report {
            findings,
            states: search.store.len() as u64,
            edges: search.tally.edges,
            depth: search.depth,
            terminal: search.tally.terminal,
            stuck: search.tally.stuck,
            coverage,
            identity: self.identity(search.store.len()),
            graph,
        })
    }

    /// The graph in which to look for cycles, if a property needs it and whole states were
    /// stored.
    fn cycles(
        &self,
        inspector: &Inspector<'_, M>,
        search: &StateSearch<'_, M>,
    ) -> Result<Option<Cycles>, M::Error> {
        let is_asked = inspector.properties.iter().any(|property| property.claim.is_about_cycles());
        // Without hot b-threads there are no such cycles.
        let can_be_found = !self.model.may_be_hot()
            || (self.bounds.retention == Retention::States
                && self.symmetry == SymmetryUse::Ignored);
        if is_asked && can_be_found {
            Cycles::find(inspector, &search.store).map(Some)
        } else {
            Ok(None)
        }
    }

    fn identity(&self, states: usize) -> Identity {
        match self.bounds.retention {
            Retention::States => Identity::Exact,
            Retention::Fingerprints => {
                // The birthday bound: two states have the same hash with probability 2^-64.
                let states = f64::from(u32::try_from(states).unwrap_or(u32::MAX));
                Identity::Probabilistic { risk: states * states * 2.0_f64.powi(-65) }
            }
        }
    }
}

/// Whether a search may stop: a property is violated, or all properties have examples.
fn is_settled<M: Model>(inspector: &Inspector<'_, M>, search: &StateSearch<'_, M>) -> bool {
    let mut each = inspector.properties.iter().zip(&search.tally.cases);
    let has_case =
        |property: &Property<M>, cases: &Cases| cases.count > 0 && inspector.can_tell(property);
    let is_violated = each
        .clone()
        .any(|(property, cases)| has_case(property, cases) && !property.asks_for_an_example());
    let all_are_found = !inspector.properties.is_empty()
        && each
            .all(|(property, cases)| has_case(property, cases) && property.asks_for_an_example());
    is_violated || all_are_found
}

impl<M: Model> fmt::Debug for Checker<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checker")
            .field("properties", &self.properties)
            .field("bounds", &self.bounds)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    /// Numbers below a bound with up to four successors each. The even and the odd number
    /// of a pair are symmetric.
    struct Maze {
        bound: u64,
    }

    impl Model for Maze {
        type State = u64;
        type Action = u64;
        type Error = Infallible;

        fn start(&self) -> u64 {
            0
        }

        fn successors(
            &self,
            state: &u64,
            show: &mut dyn FnMut(&u64, u64),
        ) -> Result<(), Infallible> {
            let pair = state / 2;
            let ways = if pair % 10 == 9 { 0 } else { 1 + pair % 4 };
            for action in 0..ways {
                let next = (pair * 7 + action * 13 + 1) * 2 % self.bound;
                show(&action, next + state % 2);
            }
            Ok(())
        }

        fn representative(&self, state: u64) -> u64 {
            state / 2 * 2
        }

        fn hot(&self, state: &u64, show: &mut dyn FnMut(&str)) {
            if state.is_multiple_of(3) {
                show("three");
            }
        }
    }

    fn report(bound: u64, set: impl Fn(Checker<'_, Maze>) -> Checker<'_, Maze>) -> Report<u64> {
        let maze = Maze { bound };
        let checker = Checker::new(&maze)
            .property(Property::always("few", move |_, state| *state < bound - bound / 8))
            .property(Property::never("no third way", |action| *action == 3))
            .property(Property::reachable("far", move |_, state| state / 2 == bound / 4))
            .property(Property::no_hot_end())
            .property(Property::no_hot_thread_cycle());
        set(checker.least_shared_batch(2)).run().unwrap_or_else(|never| match never {})
    }

    #[test]
    fn the_report_does_not_depend_on_the_number_of_threads() {
        for bound in [2, 10, 1_000, 50_000] {
            let settings: [fn(Checker<'_, Maze>) -> Checker<'_, Maze>; 6] = [
                |checker| checker.collect_all(),
                |checker| checker,
                |checker| checker.collect_all().compact(),
                |checker| checker.collect_all().symmetry(),
                |checker| checker.collect_all().max_states(300),
                |checker| checker.collect_all().compact().max_states(5_000),
            ];
            for set in settings {
                let alone = report(bound, set);
                for threads in [2, 3, 8] {
                    assert_eq!(report(bound, |checker| set(checker).threads(threads)), alone);
                }
            }
        }
    }

    #[test]
    fn a_maximum_of_states_is_exact() {
        #[expect(
            clippy::redundant_closure_for_method_calls,
            reason = "the method is not general enough"
        )]
        let whole = report(50_000, |checker| checker.collect_all());
        assert!(whole.states > 8_000, "{} states", whole.states);
        for most in [1, 2, 3, 100, 4_097, whole.states - 1, whole.states, whole.states + 1] {
            for order in [Order::BreadthFirst, Order::DepthFirst] {
                for is_compact in [false, true] {
                    let bounded = |threads| {
                        report(50_000, |checker| {
                            let checker = checker.collect_all().order(order).max_states(most);
                            let checker = checker.threads(threads);
                            if is_compact { checker.compact() } else { checker }
                        })
                    };
                    let alone = bounded(1);
                    assert_eq!(alone.states, most.min(whole.states));
                    let is_complete = alone.coverage == Coverage::Complete;
                    assert_eq!(is_complete, most >= whole.states, "{most}");
                    assert_eq!(bounded(3), alone, "{most} {order:?}");
                }
            }
        }
    }

    #[test]
    fn progress_is_reported_until_every_state_is_visited() {
        let mut reported = Vec::new();
        let maze = Maze { bound: 50_000 };
        let report = Checker::new(&maze).on_progress(|progress| reported.push(progress)).run();
        let report = report.unwrap_or_else(|never| match never {});
        assert!(reported.is_sorted_by_key(|progress| progress.visited));
        let last = reported.last().expect("something was reported");
        assert_eq!((last.states, last.visited), (report.states, report.states));
        assert!(report.states > 8_000, "{} states", report.states);
    }

    /// A tree of numbers. The successors of some numbers are unknown, and at one the model panics.
    struct FlawedTree {
        panics_at: Option<u64>,
    }

    #[derive(Debug, PartialEq, Eq, thiserror::Error)]
    #[error("the successors of {0} are unknown")]
    struct UnknownNumber(u64);

    impl Model for FlawedTree {
        type State = u64;
        type Action = u64;
        type Error = UnknownNumber;

        fn start(&self) -> u64 {
            0
        }

        fn successors(
            &self,
            state: &u64,
            show: &mut dyn FnMut(&u64, u64),
        ) -> Result<(), UnknownNumber> {
            assert_ne!(Some(*state), self.panics_at, "the model panics");
            if *state > 5_000 && self.panics_at.is_none() {
                return Err(UnknownNumber(*state));
            }
            [1, 2].iter().filter(|_| *state < 20_000).for_each(|way| show(way, 2 * state + way));
            Ok(())
        }
    }

    #[test]
    fn the_first_unknown_state_is_told_on_any_number_of_threads() {
        let tree = FlawedTree { panics_at: None };
        for threads in [1, 2, 3, 8] {
            let unknown =
                Checker::new(&tree).least_shared_batch(2).threads(threads).run().unwrap_err();
            assert_eq!(unknown, UnknownNumber(5_001), "{threads} threads");
        }
    }

    #[test]
    fn an_error_and_a_maximum_of_states_end_a_search_in_the_same_order_on_any_number_of_threads() {
        let tree = FlawedTree { panics_at: None };
        // State 5,001 is visited when twice as many were found.
        for (most, expected) in [(9_000, Ok(9_000)), (12_000, Err(UnknownNumber(5_001)))] {
            for threads in [1, 2, 3, 8] {
                let search = Checker::new(&tree)
                    .least_shared_batch(2)
                    .max_states(most)
                    .threads(threads)
                    .run();
                let found = search.map(|report| report.states);
                assert_eq!(found, expected, "{threads} threads, {most} states");
            }
        }
        let first_unknown = |most, threads| {
            let search =
                Checker::new(&tree).least_shared_batch(2).max_states(most).threads(threads).run();
            search.map(|report| report.states)
        };
        for most in 9_990..10_010 {
            for threads in [2, 3] {
                assert_eq!(first_unknown(most, threads), first_unknown(most, 1), "{most} states");
            }
        }
    }

    #[test]
    fn a_panic_of_the_model_ends_the_search_on_any_number_of_threads() {
        let tree = FlawedTree { panics_at: Some(3_000) };
        for threads in [1, 2, 3] {
            let search = || {
                Checker::new(&tree)
                    .least_shared_batch(2)
                    .threads(threads)
                    .run()
                    .map(|report| report.states)
            };
            let searched = std::panic::catch_unwind(std::panic::AssertUnwindSafe(search));
            assert!(searched.is_err(), "{threads} threads");
        }
        let sound = FlawedTree { panics_at: Some(u64::MAX) };
        assert_eq!(
            Checker::new(&sound).least_shared_batch(2).threads(2).run().map(|report| report.states),
            Ok(40_001)
        );
    }
}
