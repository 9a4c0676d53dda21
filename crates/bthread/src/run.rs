//! A program in motion: supersteps, triggers, snapshots.

use std::collections::VecDeque;
use std::fmt;

use crate::closed::Closed;
use crate::error::{AddError, EnqueueError, Refusal, RestoreError, SuperstepError, TriggerError};
use crate::event::Event;
use crate::explanation::EventExplanation;
use crate::machine::{Heard, Machine, Pick};
use crate::name::Name;
use crate::observer::{Observer, Origin, Step};
use crate::open::Open;
use crate::program::Program;
use crate::snapshot::Snapshot;
use crate::strategy::{Look, Priority, Strategy};
use crate::sync_point::SyncPoint;
use crate::thread::BThread;

/// A run over any events.
pub type OpenRun<E, S = Priority> = Run<Open<E>, S>;

/// A run over a declared finite alphabet.
pub type ClosedRun<E, S = Priority> = Run<Closed<E>, S>;

/// A program in motion. It is quiet between calls: nothing that is requested can happen.
///
/// Every call that fails leaves the run as it was.
#[derive(Clone)]
pub struct Run<M: Machine, S = Priority> {
    machine: M,
    strategy: S,
    /// Events that wait until nobody blocks them.
    queue: VecDeque<M::Token>,
    /// Which of them, and from where, left the queue since the superstep began.
    released: Vec<(usize, M::Token)>,
    limits: Limits,
}

/// What a run may use up: by default a million events in a superstep, and 1,024
/// that wait in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many events one superstep may have.
    pub steps: u64,
    /// How many blocked events may wait in the queue.
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
    /// What happened, in order.
    pub events: Vec<E>,
    /// Whether the first event concerned any b-thread.
    pub heard: Heard,
}

/// How many events a superstep had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Happened {
    /// How many events there were.
    pub steps: u64,
    /// Whether the first event concerned any b-thread.
    pub heard: Heard,
}

impl Happened {
    /// Whether one more event may happen.
    fn check<E: Event>(&self, limits: Limits, next: &E) -> Result<(), SuperstepError<E>> {
        let budget = limits.steps;
        if self.steps < budget {
            return Ok(());
        }
        Err(SuperstepError::Endless { budget, next: next.clone() })
    }

    pub(crate) fn count(&mut self, heard: Heard) {
        if self.steps == 0 {
            self.heard = heard;
        }
        self.steps += 1;
    }
}

/// Why a quiet program is quiet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// No b-thread is left.
    Finished,
    /// Some b-threads are left, and none of them requests anything.
    Waiting,
    /// There are requests, and all of them are blocked.
    Stuck,
}

impl<M: Machine, S: Strategy<M::Event>> Run<M, S> {
    pub(crate) fn start(
        machine: M,
        strategy: S,
        limits: Limits,
        observer: &mut impl Observer<M::Event>,
    ) -> Result<Self, SuperstepError<M::Event>> {
        let mut run = Self::resume(machine, strategy, limits);
        run.superstep(None, observer)?;
        Ok(run)
    }

    pub(crate) fn resume(machine: M, strategy: S, limits: Limits) -> Self {
        Self { machine, strategy, queue: VecDeque::new(), released: Vec::new(), limits }
    }

    /// Offers an event, and tells what happened because of it.
    ///
    /// An event that nobody blocks happens, even if it concerns nobody.
    ///
    /// # Errors
    /// If the event is blocked, unknown to a closed program, or followed by an
    /// endless superstep; nothing has changed then.
    pub fn trigger(
        &mut self,
        event: M::Event,
    ) -> Result<Superstep<M::Event>, TriggerError<M::Event>> {
        let mut events = Vec::new();
        let happened = self.trigger_observed(event, &mut events)?;
        Ok(Superstep { events, heard: happened.heard })
    }

    /// Offers an event, and shows the observer what happens because of it.
    ///
    /// # Errors
    /// As [`Run::trigger`].
    pub fn trigger_observed(
        &mut self,
        event: M::Event,
        observer: &mut impl Observer<M::Event>,
    ) -> Result<Happened, TriggerError<M::Event>> {
        let token = self.machine.token(event)?;
        if self.machine.is_blocked(&token) {
            let blockers = self.machine.blockers(&token);
            let event = self.machine.event(&token).clone();
            return Err(Refusal { event, blockers }.into());
        }
        Ok(self.superstep(Some(token), observer)?)
    }

    /// Offers an event that is kept until nobody blocks it; first come, first served.
    ///
    /// # Errors
    /// If too many events are kept already, the event is unknown to a closed
    /// program, or an endless superstep follows; nothing has changed then.
    pub fn enqueue(
        &mut self,
        event: M::Event,
    ) -> Result<Superstep<M::Event>, EnqueueError<M::Event>> {
        let mut events = Vec::new();
        let happened = self.enqueue_observed(event, &mut events)?;
        Ok(Superstep { events, heard: happened.heard })
    }

    /// As [`Run::enqueue`], and shows the observer what happens.
    ///
    /// # Errors
    /// As [`Run::enqueue`].
    pub fn enqueue_observed(
        &mut self,
        event: M::Event,
        observer: &mut impl Observer<M::Event>,
    ) -> Result<Happened, EnqueueError<M::Event>> {
        let token = self.machine.token(event)?;
        if !self.machine.is_blocked(&token) {
            return Ok(self.superstep(Some(token), observer)?);
        }
        let limit = self.limits.queued;
        if self.queue.len() >= limit as usize {
            let event = self.machine.event(&token).clone();
            return Err(EnqueueError::QueueFull { event, limit });
        }
        self.queue.push_back(token);
        Ok(Happened { steps: 0, heard: Heard::No })
    }

    /// Adds a b-thread of lowest priority, and tells what happened because of it.
    ///
    /// # Errors
    /// If a b-thread of that name exists, or the b-thread cannot run; nothing
    /// has changed then.
    pub fn add(
        &mut self,
        thread: BThread<M::Event>,
    ) -> Result<Superstep<M::Event>, AddError<M::Event>> {
        let mut events = Vec::new();
        let happened = self.add_observed([thread], &mut events)?;
        Ok(Superstep { events, heard: happened.heard })
    }

    /// Adds b-threads of lowest priority, in order, and shows the observer what happens then.
    ///
    /// # Errors
    /// As [`Run::add`]; all are added or none.
    pub fn add_observed(
        &mut self,
        threads: impl IntoIterator<Item = BThread<M::Event>>,
        observer: &mut impl Observer<M::Event>,
    ) -> Result<Happened, AddError<M::Event>> {
        self.machine.begin();
        if let Err(error) = self.join(threads) {
            self.machine.undo();
            return Err(error);
        }
        Ok(self.finish(None, observer)?)
    }

    fn join(
        &mut self,
        threads: impl IntoIterator<Item = BThread<M::Event>>,
    ) -> Result<(), AddError<M::Event>> {
        for thread in threads {
            self.machine.add(thread)?;
        }
        Ok(())
    }

    pub(crate) fn into_machine(self) -> M {
        self.machine
    }

    pub(crate) fn superstep(
        &mut self,
        first: Option<M::Token>,
        observer: &mut impl Observer<M::Event>,
    ) -> Result<Happened, SuperstepError<M::Event>> {
        self.machine.begin();
        self.finish(first, observer)
    }

    /// Goes on until nothing can happen, or back to where the machine began.
    fn finish(
        &mut self,
        first: Option<M::Token>,
        observer: &mut impl Observer<M::Event>,
    ) -> Result<Happened, SuperstepError<M::Event>> {
        let strategy = self.strategy.clone();
        self.released.clear();
        let result = self.steps(first, observer);
        if result.is_ok() {
            self.machine.commit();
        } else {
            self.machine.undo();
            self.strategy = strategy;
            for (place, token) in self.released.drain(..).rev() {
                self.queue.insert(place, token);
            }
            observer.undone();
        }
        result
    }

    fn steps(
        &mut self,
        first: Option<M::Token>,
        observer: &mut impl Observer<M::Event>,
    ) -> Result<Happened, SuperstepError<M::Event>> {
        let mut happened = Happened { steps: 0, heard: Heard::No };
        if let Some(token) = first {
            self.happen(&token, Origin::Triggered, observer, &mut happened)?;
        }
        loop {
            if let Some(choices) = self.machine.choices(S::LOOK) {
                let pick = self.strategy.choose(&choices).pick();
                self.happen_picked(pick, observer, &mut happened)?;
            } else if let Some(token) = self.next_queued() {
                self.happen(&token, Origin::Queued, observer, &mut happened)?;
            } else {
                return Ok(happened);
            }
        }
    }

    /// Lets an event of the world happen.
    fn happen(
        &mut self,
        token: &M::Token,
        origin: Origin,
        observer: &mut impl Observer<M::Event>,
        happened: &mut Happened,
    ) -> Result<(), SuperstepError<M::Event>> {
        let event = self.machine.event(token);
        happened.check(self.limits, event)?;
        observer.step(&Step::new(event, origin, &self.machine));
        happened.count(self.machine.advance(token)?);
        Ok(())
    }

    /// Lets a requested event happen; this is most of what a run does.
    fn happen_picked(
        &mut self,
        pick: Pick,
        observer: &mut impl Observer<M::Event>,
        happened: &mut Happened,
    ) -> Result<(), SuperstepError<M::Event>> {
        let event = self.machine.requested(pick);
        happened.check(self.limits, event)?;
        observer.step(&Step::new(event, Origin::Requested(pick), &self.machine));
        happened.count(self.machine.advance_picked(pick)?);
        Ok(())
    }

    /// The first event of the queue that nobody blocks.
    fn next_queued(&mut self) -> Option<M::Token> {
        let place = self.queue.iter().position(|token| !self.machine.is_blocked(token))?;
        let token = self.queue.remove(place)?;
        self.released.push((place, token.clone()));
        Some(token)
    }

    /// Why nothing can happen now.
    pub fn status(&self) -> Status {
        self.machine.status()
    }

    /// Whether an event would happen if it were triggered now.
    pub fn allows(&self, event: &M::Event) -> bool {
        let token = self.machine.token(event.clone());
        token.is_ok_and(|token| !self.machine.is_blocked(&token))
    }

    /// What the b-threads have to say about an event.
    pub fn explain(&self, event: &M::Event) -> EventExplanation<M::Event> {
        EventExplanation::new(&self.machine, event)
    }

    /// Shows each b-thread that has not ended and where it stands, highest priority first.
    pub fn visit_live(&self, mut show: impl FnMut(&Name, &SyncPoint<M::Event>)) {
        self.machine.visit(&mut show);
    }

    /// The events that are kept until nobody blocks them, first come first.
    pub fn queued(&self) -> impl ExactSizeIterator<Item = &M::Event> {
        self.queue.iter().map(|token| self.machine.event(token))
    }

    /// The program as it was before anything was added to the run.
    pub fn program(&self) -> &Program<M::Event> {
        self.machine.program()
    }

    /// The machine under the run.
    pub fn machine(&self) -> &M {
        &self.machine
    }

    /// What this run may use up.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// How far everything has come, as a value.
    pub fn snapshot(&self) -> Snapshot<M::Event, S> {
        let fingerprint = self.program().fingerprint();
        let queue = self.queued().cloned().collect();
        Snapshot::new(fingerprint, self.machine.standing(), queue, self.strategy.clone())
    }

    /// Goes to where a snapshot was taken.
    ///
    /// # Errors
    /// If the snapshot is of another program, or not of a quiet one; nothing has changed then.
    pub fn restore(
        &mut self,
        snapshot: &Snapshot<M::Event, S>,
    ) -> Result<(), RestoreError<M::Event>> {
        let standing = snapshot.standing(self.program()).ok_or(RestoreError::AnotherProgram)?;
        let limit = self.limits.queued;
        if snapshot.queue().len() > limit as usize {
            return Err(RestoreError::QueueTooLong { limit });
        }
        let mut machine = self.machine.stand(standing)?;
        let queue = snapshot.queue().iter().map(|event| machine.token(event.clone()));
        let queue = queue.collect::<Result<VecDeque<_>, _>>()?;
        let is_quiet = machine.choices(Look::AtTheFirst).is_none();
        if !is_quiet || !queue.iter().all(|token| machine.is_blocked(token)) {
            return Err(RestoreError::NotQuiet);
        }
        self.machine = machine;
        self.queue = queue;
        self.strategy = snapshot.strategy().clone();
        Ok(())
    }
}

impl<E: Event> Program<E> {
    /// Starts a run over any events, and tells what happened in its first superstep.
    ///
    /// # Errors
    /// If the first superstep does not end.
    pub fn start(&self) -> Result<(OpenRun<E>, Superstep<E>), SuperstepError<E>> {
        let mut events = Vec::new();
        let run = self.start_with(Priority, Limits::default(), &mut events)?;
        Ok((run, Superstep::opening(events)))
    }

    /// Starts a run with a strategy and limits of its own, and shows the
    /// observer what happens in its first superstep.
    ///
    /// # Errors
    /// If the first superstep does not end.
    pub fn start_with<S: Strategy<E>>(
        &self,
        strategy: S,
        limits: Limits,
        observer: &mut impl Observer<E>,
    ) -> Result<OpenRun<E, S>, SuperstepError<E>> {
        Run::start(Open::at_start(self), strategy, limits, observer)
    }
}

impl<E> Superstep<E> {
    pub(crate) fn opening(events: Vec<E>) -> Self {
        let heard = if events.is_empty() { Heard::No } else { Heard::Yes };
        Self { events, heard }
    }
}

impl<M: Machine, S: fmt::Debug> fmt::Debug for Run<M, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut live = f.debug_map();
        self.machine.visit(&mut |name, point| {
            live.entry(&format_args!("{name}"), &format_args!("{point}"));
        });
        live.finish()
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Finished => "finished: no b-thread is left",
            Self::Waiting => "waiting: no b-thread requests anything",
            Self::Stuck => "stuck: all that is requested is blocked",
        })
    }
}
