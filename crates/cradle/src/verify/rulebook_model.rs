//! A rulebook as a model for the checker.

use anyhow::Result;
use bthread::{
    AnyBThread, BThread, ClosedStateSpace, Name, OutsideAlphabet, PackedState, Program, StateSpace,
    Status, StepExplanation, SyncPoint, request_any, wait_for,
};
use checker::{BProgram, Model, ModelExplorer, ThreadFinder, Trace, ViolationFinder};
use game::{ActorChoice, ModelActor, Rulebook, RulesClaim, Seat, Seats};

use super::explanation::ExplainedModel;

/// All states of a game of b-threads.
///
/// Rules come first, by priority. Where they want nothing, seats move: the first wish of those that
/// follow strategies, and any move of all others, also after a result. Only the rules can forbid it.
pub(super) struct RulebookModel<R: Rulebook> {
    rulebook: R,
    inner: BProgram<ClosedStateSpace<R::Event>, ActorChoice>,
    choice: ActorChoice,
    alphabet: Vec<R::Event>,
}

/// The name of the b-thread that keeps the result. No b-thread of a game has spaces in its name.
const RESULT: &str = "the result";

/// The b-threads of a game with those who act by them, highest priority first.
pub(super) fn threads<R: Rulebook>(
    rulebook: &R,
    strategists: Seats,
) -> Vec<(AnyBThread<R::Event>, ModelActor)> {
    let mut all: Vec<(AnyBThread<R::Event>, ModelActor)> =
        rulebook.rules().into_iter().map(|rule| (rule, ModelActor::Rule)).collect();
    for requirement in rulebook.requirements() {
        if let RulesClaim::Watched(thread) = requirement.claim {
            all.push((thread, ModelActor::Watcher));
        }
    }
    let seats = || (0..).filter_map(Seat::new).zip(rulebook.seats());
    for (seat, _) in seats().filter(|(seat, _)| strategists.contains(*seat)) {
        let strategies = rulebook.strategies(seat).into_iter();
        all.extend(strategies.map(|thread| (thread, ModelActor::Strategy(seat))));
    }
    for (seat, name) in seats().filter(|(seat, _)| !strategists.contains(*seat)) {
        let moves = rulebook.moves(seat).into_iter().map(|(_, event)| event);
        let thread = BThread::new(format!("Any{name}")).then(request_any(moves)).forever();
        all.push((thread.into(), ModelActor::FreeSeat));
    }
    all
}

impl<R: Rulebook> RulebookModel<R> {
    /// The model without these b-threads and families.
    pub(super) fn new(rulebook: &R, strategists: Seats, without: &[String]) -> Result<Self> {
        let is_left =
            |thread: &AnyBThread<R::Event>| !without.iter().any(|words| thread.name().is(words));
        let mut all = threads(rulebook, strategists);
        all.retain(|(thread, _)| is_left(thread));
        let results: Vec<R::Event> =
            rulebook.results().into_iter().map(|(event, _)| event).collect();
        let keeper =
            BThread::new(RESULT).then(wait_for(results.clone())).then(SyncPoint::default());
        all.push((keeper.into(), ModelActor::Watcher));
        let choice =
            ActorChoice::new(all.iter().map(|(thread, actor)| (thread.name().clone(), *actor)));
        let program = Program::new(all.into_iter().map(|(thread, _)| thread))?;
        let moves = (0..).filter_map(Seat::new).take(rulebook.seats().len());
        let moves = moves.flat_map(|seat| rulebook.moves(seat)).map(|(_, event)| event);
        let alphabet: Vec<R::Event> = moves.chain(results).chain(rulebook.other_events()).collect();
        let space = program.closed_space(alphabet.iter().cloned())?;
        let inner = BProgram::new(space, choice.clone());
        Ok(Self { rulebook: rulebook.clone(), inner, choice, alphabet })
    }

    /// Whether a state comes after a result.
    fn is_over(&self, state: &PackedState) -> bool {
        self.inner.sync_point(state, RESULT).is_some_and(|point| point.waits().is_empty())
    }

    /// Why a requirement holds only because nothing was there to break it, if so.
    pub(super) fn vacuity(&self, requirement: &str) -> Option<String> {
        let program = self.inner.space().program();
        let first = self.inner.sync_point(&self.inner.start(), requirement)?;
        let is_awaited = |event: &&R::Event| first.waits().iter().any(|set| set.contains(event));
        let awaited: Vec<&R::Event> = self.alphabet.iter().filter(is_awaited).collect();
        let acts = |number: usize| {
            self.choice.actor(program.threads()[number].name()) != ModelActor::Watcher
        };
        let is_requested = |event: &&R::Event| {
            let requesting =
                program.threads_that_may_reach(|point| point.requests().contains(event));
            requesting.into_iter().any(acts)
        };
        if awaited.is_empty() || awaited.iter().any(is_requested) {
            return None;
        }
        let names: Vec<String> = awaited.iter().map(ToString::to_string).collect();
        Some(format!("nothing here can request {}", names.join(" or ")))
    }
}

impl<R: Rulebook> Model for RulebookModel<R> {
    type State = PackedState;
    type Action = R::Event;
    type Error = OutsideAlphabet<R::Event>;

    fn start(&self) -> PackedState {
        self.inner.start()
    }

    fn successors(
        &self,
        state: &PackedState,
        show: &mut dyn FnMut(&R::Event, PackedState),
    ) -> Result<(), Self::Error> {
        self.inner.successors(state, show)
    }

    fn explorer(&self) -> ModelExplorer<'_, Self> {
        self.inner.explorer()
    }

    /// A game that is over is not stuck.
    fn status(&self, state: &PackedState) -> Status {
        match self.inner.status(state) {
            Status::Stuck if self.is_over(state) => Status::Waiting,
            status => status,
        }
    }

    fn violations(&self, state: &PackedState, show: &mut dyn FnMut(&str, &str)) {
        self.inner.violations(state, show);
    }

    fn violation_finder(&self) -> ViolationFinder<'_, PackedState> {
        self.inner.violation_finder()
    }

    fn hot(&self, state: &PackedState, show: &mut dyn FnMut(&str)) {
        self.inner.hot(state, show);
    }

    fn hot_finder(&self) -> ThreadFinder<'_, PackedState> {
        self.inner.hot_finder()
    }

    fn hot_requests(&self, state: &PackedState, show: &mut dyn FnMut(&str, &R::Event)) {
        self.inner.hot_requests(state, show);
    }

    fn interrupted(&self, state: &PackedState, show: &mut dyn FnMut(&str)) {
        self.inner.interrupted(state, show);
    }

    fn interrupted_finder(&self) -> ThreadFinder<'_, PackedState> {
        self.inner.interrupted_finder()
    }

    fn remedy_for_unfair_runs(&self) -> Option<&'static str> {
        Some(
            "`--fair` leaves out runs in which a hot request is possible again and again and never \
             happens",
        )
    }

    fn may_report(&self, thread: &str) -> bool {
        self.inner.may_report(thread)
    }

    fn knows(&self, name: &str) -> bool {
        self.inner.knows(name)
    }

    fn may_be_hot(&self) -> bool {
        self.inner.may_be_hot()
    }
}

impl<R: Rulebook> ExplainedModel for RulebookModel<R> {
    fn explained_steps(&self, trace: &Trace<R::Event>) -> Vec<StepExplanation<R::Event>> {
        self.inner.replay(trace)
    }

    fn visit_points(&self, state: &PackedState, show: &mut dyn FnMut(&Name, &SyncPoint<R::Event>)) {
        self.inner.space().visit(state, show);
    }

    fn free_player(&self, thread: &Name) -> Option<String> {
        let is_free = self.choice.actor(thread) == ModelActor::FreeSeat;
        is_free.then(|| thread.as_str().trim_start_matches("Any").to_owned())
    }

    fn boards(&self, events: &[R::Event]) -> Vec<String> {
        let mut board = self.rulebook.empty_board();
        let mut boards = vec![super::board_row::board_text(&self.rulebook.picture(&board))];
        for event in events {
            self.rulebook.record(&mut board, event);
            boards.push(super::board_row::board_text(&self.rulebook.picture(&board)));
        }
        boards
    }
}
