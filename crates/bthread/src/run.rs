//! Running a program: supersteps, triggers, snapshots.

use std::fmt;

use crate::any_b_thread::AnyBThread;
use crate::closed::ClosedEngine;
use crate::engine::{Engine, Handled, Pick};
use crate::error::{
    AddError, BlockedEvent, EnqueueError, RestoreError, SuperstepError, TriggerError,
};
use crate::event::Event;
use crate::event_queue::EventQueue;
use crate::explanation::EventExplanation;
use crate::name::Name;
use crate::observer::{Observer, Origin, Step};
use crate::open::OpenEngine;
use crate::program::Program;
use crate::snapshot::Snapshot;
use crate::strategy::{Priority, Scope, Strategy};
use crate::sync_point::SyncPoint;

/// A run over any events.
pub type OpenRun<E, S = Priority> = Run<OpenEngine<E>, S>;

/// A run over a declared finite alphabet.
pub type ClosedRun<E, S = Priority> = Run<ClosedEngine<E>, S>;

/// A program that runs. Between calls it is quiet: no requested event can happen.
///
/// A call that fails leaves the run as it was.
#[derive(Clone)]
pub struct Run<N: Engine, S = Priority> {
    engine: N,
    strategy: S,
    queue: EventQueue<N::Token>,
    limits: Limits,
    /// Whether the engine moves b-threads. If one of them panics, nothing can be undone.
    is_moving: bool,
}

/// Upper bounds for a run: by default a million events in a superstep and 1,024 in
/// the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of events in a superstep.
    pub steps: u64,
    /// The maximum number of blocked events in the queue.
    pub queued: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: 1_000_000, queued: 1_024 }
    }
}

/// The events of one superstep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Superstep<E> {
    /// The events, in order.
    pub events: Vec<E>,
    /// Whether any b-thread reacted to the first event.
    pub handled: Handled,
}

/// The length of a superstep, for callers that pass an observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuperstepSummary {
    /// The number of events.
    pub steps: u64,
    /// Whether any b-thread reacted to the first event.
    pub handled: Handled,
}

impl SuperstepSummary {
    /// Checks that one more event may happen.
    #[inline]
    pub(crate) fn check<E: Event>(
        &self,
        limits: Limits,
        next: &E,
    ) -> Result<(), SuperstepError<E>> {
        let budget = limits.steps;
        if self.steps < budget {
            return Ok(());
        }
        Err(SuperstepError::Endless { budget, next: next.clone() })
    }

    pub(crate) fn count(&mut self, handled: Handled) {
        if self.steps == 0 {
            self.handled = handled;
        }
        self.steps += 1;
    }
}

/// Why a quiet program is quiet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// All b-threads have ended.
    Finished,
    /// Some b-threads have not ended, and none of them requests anything.
    Waiting,
    /// Some events are requested, and all of them are blocked.
    Stuck,
}

impl<N: Engine, S: Strategy<N::Event>> Run<N, S> {
    pub(crate) fn start(
        engine: N,
        strategy: S,
        limits: Limits,
        observer: &mut impl Observer<N::Event>,
    ) -> Result<Self, SuperstepError<N::Event>> {
        let mut run = Self::resume(engine, strategy, limits);
        run.superstep(None, observer)?;
        Ok(run)
    }

    pub(crate) fn resume(engine: N, strategy: S, limits: Limits) -> Self {
        Self { engine, strategy, queue: EventQueue::default(), limits, is_moving: false }
    }

    /// Triggers an event, and returns the superstep that it begins.
    ///
    /// An event that no b-thread blocks happens, even if no b-thread waits for it.
    ///
    /// # Errors
    /// If the event is blocked or outside of the alphabet of a closed program, or if its
    /// superstep does not end. Nothing has changed then.
    pub fn trigger(
        &mut self,
        event: N::Event,
    ) -> Result<Superstep<N::Event>, TriggerError<N::Event>> {
        let mut events = Vec::new();
        let happened = self.trigger_observed(event, &mut events)?;
        Ok(Superstep { events, handled: happened.handled })
    }

    /// As [`Run::trigger`], with an observer that sees each event of the superstep.
    ///
    /// # Errors
    /// As [`Run::trigger`].
    pub fn trigger_observed(
        &mut self,
        event: N::Event,
        observer: &mut impl Observer<N::Event>,
    ) -> Result<SuperstepSummary, TriggerError<N::Event>> {
        let token = self.engine.token(event)?;
        if self.engine.is_blocked(&token) {
            let blockers = self.engine.blockers(&token);
            let event = self.engine.event(&token).clone();
            return Err(BlockedEvent { event, blockers }.into());
        }
        Ok(self.superstep(Some(token), observer)?)
    }

    /// Triggers an event, or puts it into a queue until no b-thread blocks it any more.
    /// The queue is served in order.
    ///
    /// # Errors
    /// If the queue is full, the event is outside of the alphabet of a closed program, or its
    /// superstep does not end. Nothing has changed then.
    pub fn enqueue(
        &mut self,
        event: N::Event,
    ) -> Result<Superstep<N::Event>, EnqueueError<N::Event>> {
        let mut events = Vec::new();
        let happened = self.enqueue_observed(event, &mut events)?;
        Ok(Superstep { events, handled: happened.handled })
    }

    /// As [`Run::enqueue`], with an observer that sees each event of the superstep.
    ///
    /// # Errors
    /// As [`Run::enqueue`].
    pub fn enqueue_observed(
        &mut self,
        event: N::Event,
        observer: &mut impl Observer<N::Event>,
    ) -> Result<SuperstepSummary, EnqueueError<N::Event>> {
        let token = self.engine.token(event)?;
        if !self.engine.is_blocked(&token) {
            return Ok(self.superstep(Some(token), observer)?);
        }
        let limit = self.limits.queued;
        if self.queue.len() >= limit as usize {
            let event = self.engine.event(&token).clone();
            return Err(EnqueueError::QueueFull { event, limit });
        }
        self.queue.push(token);
        Ok(SuperstepSummary { steps: 0, handled: Handled::No })
    }

    /// Adds a b-thread of lowest priority, and returns the superstep that follows.
    ///
    /// # Errors
    /// If the name is taken, the b-thread cannot run, or the superstep does not end. Nothing
    /// has changed then.
    pub fn add(
        &mut self,
        thread: impl Into<AnyBThread<N::Event>>,
    ) -> Result<Superstep<N::Event>, AddError<N::Event>> {
        let mut events = Vec::new();
        let happened = self.add_observed([thread], &mut events)?;
        Ok(Superstep { events, handled: happened.handled })
    }

    /// Adds b-threads of lowest priority, in order; the observer sees the superstep that follows.
    ///
    /// # Errors
    /// As [`Run::add`]. Either all of them are added or none.
    pub fn add_observed(
        &mut self,
        threads: impl IntoIterator<Item = impl Into<AnyBThread<N::Event>>>,
        observer: &mut impl Observer<N::Event>,
    ) -> Result<SuperstepSummary, AddError<N::Event>> {
        // The caller's list may panic, and must not leave half of itself behind.
        let threads: Vec<AnyBThread<N::Event>> = threads.into_iter().map(Into::into).collect();
        self.engine.begin();
        if let Err(error) = self.join(threads) {
            self.engine.undo();
            return Err(error);
        }
        Ok(self.finish(None, observer)?)
    }

    fn join(&mut self, threads: Vec<AnyBThread<N::Event>>) -> Result<(), AddError<N::Event>> {
        threads.into_iter().try_for_each(|thread| self.engine.add(thread))
    }

    pub(crate) fn into_engine(self) -> N {
        self.engine
    }

    pub(crate) fn superstep(
        &mut self,
        first: Option<N::Token>,
        observer: &mut impl Observer<N::Event>,
    ) -> Result<SuperstepSummary, SuperstepError<N::Event>> {
        self.engine.begin();
        self.finish(first, observer)
    }

    /// Runs until no event can happen, or undoes everything since the superstep began.
    fn finish(
        &mut self,
        first: Option<N::Token>,
        observer: &mut impl Observer<N::Event>,
    ) -> Result<SuperstepSummary, SuperstepError<N::Event>> {
        let strategy = Some(self.strategy.clone());
        let attempt = SuperstepAttempt { run: self, strategy };
        let result = attempt.run.steps(first, observer);
        if result.is_ok() {
            attempt.succeed();
        } else {
            drop(attempt);
            observer.undone();
        }
        result
    }

    /// Goes back to where the superstep began.
    fn undo(&mut self, strategy: S) {
        self.engine.undo();
        self.strategy = strategy;
        self.queue.undo();
    }

    fn steps(
        &mut self,
        first: Option<N::Token>,
        observer: &mut impl Observer<N::Event>,
    ) -> Result<SuperstepSummary, SuperstepError<N::Event>> {
        let mut happened = SuperstepSummary { steps: 0, handled: Handled::No };
        if let Some(token) = first {
            self.happen(&token, Origin::Triggered, observer, &mut happened)?;
        }
        loop {
            if let Some(choices) = self.engine.choices(S::SCOPE) {
                let pick = self.strategy.choose(&choices).pick();
                self.happen_picked(pick, observer, &mut happened)?;
            } else if let Some(token) = self.next_queued() {
                self.happen(&token, Origin::Queued, observer, &mut happened)?;
            } else {
                return Ok(happened);
            }
        }
    }

    /// Performs a triggered event.
    fn happen(
        &mut self,
        token: &N::Token,
        origin: Origin,
        observer: &mut impl Observer<N::Event>,
        happened: &mut SuperstepSummary,
    ) -> Result<(), SuperstepError<N::Event>> {
        let event = self.engine.event(token);
        happened.check(self.limits, event)?;
        observer.step(&Step::new(event, origin, &self.engine));
        self.is_moving = true;
        let handled = self.engine.advance(token);
        self.is_moving = false;
        happened.count(handled?);
        Ok(())
    }

    /// Performs a requested event.
    fn happen_picked(
        &mut self,
        pick: Pick,
        observer: &mut impl Observer<N::Event>,
        happened: &mut SuperstepSummary,
    ) -> Result<(), SuperstepError<N::Event>> {
        let event = self.engine.requested(pick);
        happened.check(self.limits, event)?;
        observer.step(&Step::new(event, Origin::Requested(pick), &self.engine));
        self.is_moving = true;
        let handled = self.engine.advance_picked(pick);
        self.is_moving = false;
        happened.count(handled?);
        Ok(())
    }

    /// Takes the first event out of the queue that no b-thread blocks.
    fn next_queued(&mut self) -> Option<N::Token> {
        let lifted = self.engine.lifted_blocks();
        self.queue.next(lifted, |token| self.engine.is_blocked(token))
    }

    /// Why the run is quiet.
    pub fn status(&self) -> Status {
        self.engine.status()
    }

    /// Whether an event would happen if it was triggered now.
    pub fn allows(&self, event: &N::Event) -> bool {
        let token = self.engine.token(event.clone());
        token.is_ok_and(|token| !self.engine.is_blocked(&token))
    }

    /// The b-threads that request, wait for or block an event now.
    pub fn explain(&self, event: &N::Event) -> EventExplanation<N::Event> {
        EventExplanation::new(&self.engine, event)
    }

    /// Calls `show` with each b-thread that has not ended and its sync point, highest
    /// priority first.
    pub fn visit_live(&self, mut show: impl FnMut(&Name, &SyncPoint<N::Event>)) {
        self.engine.visit(&mut show);
    }

    /// The queue: events that wait until no b-thread blocks them, in order.
    pub fn queued(&self) -> impl ExactSizeIterator<Item = &N::Event> {
        self.queue.iter().map(|token| self.engine.event(token))
    }

    /// The program, without b-threads that were added to the run.
    pub fn program(&self) -> &Program<N::Event> {
        self.engine.program()
    }

    /// The engine of the run.
    pub fn engine(&self) -> &N {
        &self.engine
    }

    /// The present state of the run, as a value.
    pub fn snapshot(&self) -> Snapshot<N::Event, S> {
        let queue = self.queued().cloned().collect();
        let thread_states = self.engine.thread_states();
        Snapshot::new(self.program(), thread_states, queue, self.strategy.clone())
    }

    /// Puts the run into the state of a snapshot.
    ///
    /// The snapshot may be of another run, and of a program that was built anew with equal b-threads.
    /// Functions cannot be compared: predicates are equal if their names, kinds and types are, and in
    /// a closed run their answers for all events of its alphabet. So an open run cannot tell two
    /// predicates apart that come from one closure and differ only in the values that it captured.
    /// Give them different names.
    ///
    /// # Errors
    /// If the snapshot is of another program, not quiet, or too large. Nothing has changed then.
    pub fn restore(
        &mut self,
        snapshot: &Snapshot<N::Event, S>,
    ) -> Result<(), RestoreError<N::Event>> {
        let thread_states = snapshot
            .thread_states(self.program())
            .filter(|_| snapshot.program().answers_like(self.program(), self.engine.alphabet()))
            .ok_or(RestoreError::AnotherProgram)?;
        let limit = self.limits.queued;
        if snapshot.queue().len() > limit as usize {
            return Err(RestoreError::QueueTooLong { limit });
        }
        let mut engine = self.engine.with_thread_states(thread_states)?;
        let queue = snapshot.queue().iter().map(|event| engine.token(event.clone()));
        let queue = queue.collect::<Result<EventQueue<_>, _>>()?;
        let is_quiet = engine.choices(Scope::First).is_none();
        if !is_quiet || !queue.iter().all(|token| engine.is_blocked(token)) {
            return Err(RestoreError::NotQuiet);
        }
        self.engine = engine;
        self.queue = queue;
        self.strategy = snapshot.strategy().clone();
        Ok(())
    }
}

/// A superstep that is undone unless it succeeds, also if an observer or a strategy panics.
struct SuperstepAttempt<'a, N: Engine, S: Strategy<N::Event>> {
    run: &'a mut Run<N, S>,
    /// The strategy before the superstep, until it has succeeded.
    strategy: Option<S>,
}

impl<N: Engine, S: Strategy<N::Event>> SuperstepAttempt<'_, N, S> {
    fn succeed(mut self) {
        self.strategy = None;
        self.run.engine.commit();
        self.run.queue.commit();
    }
}

impl<N: Engine, S: Strategy<N::Event>> Drop for SuperstepAttempt<'_, N, S> {
    fn drop(&mut self) {
        if let Some(strategy) = self.strategy.take()
            && !self.run.is_moving
        {
            self.run.undo(strategy);
        }
    }
}

impl<E: Event> Program<E> {
    /// Starts a run over any events, and returns it with its first superstep.
    ///
    /// # Errors
    /// If the first superstep does not end.
    pub fn start(&self) -> Result<(OpenRun<E>, Superstep<E>), SuperstepError<E>> {
        let mut events = Vec::new();
        let run = self.start_with(Priority, Limits::default(), &mut events)?;
        Ok((run, Superstep::opening(events)))
    }

    /// Starts a run with this strategy and these limits; the observer sees its first
    /// superstep.
    ///
    /// # Errors
    /// If the first superstep does not end.
    pub fn start_with<S: Strategy<E>>(
        &self,
        strategy: S,
        limits: Limits,
        observer: &mut impl Observer<E>,
    ) -> Result<OpenRun<E, S>, SuperstepError<E>> {
        Run::start(OpenEngine::at_start(self), strategy, limits, observer)
    }
}

impl<E> Superstep<E> {
    pub(crate) fn opening(events: Vec<E>) -> Self {
        let handled = if events.is_empty() { Handled::No } else { Handled::Yes };
        Self { events, handled }
    }
}

impl<N: Engine, S: fmt::Debug> fmt::Debug for Run<N, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut live = f.debug_map();
        self.engine.visit(&mut |name, point| {
            live.entry(&format_args!("{name}"), &format_args!("{point}"));
        });
        live.finish()
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Finished => "finished: all b-threads have ended",
            Self::Waiting => "waiting: no b-thread requests anything",
            Self::Stuck => "stuck: every requested event is blocked",
        })
    }
}
