//! A reference interpreter, written straight from the engine's rules, and slow.
//!
//! Nothing is indexed, shared or cached: every query visits every b-thread, and a
//! failed superstep is undone with a copy. It shares with the engine only the types
//! of the answers (names, explanations, errors) and the random generator.

use bthread::{
    AddError, BlockedEvent, Cause, EndlessFeedback, EnqueueError, EventExplanation, Generator,
    Handled, Interest, Limits, LossReason, LostRequest, Name, OutsideAlphabet, ProgramError,
    Reactions, RestoreError, Status, StepExplanation, Superstep, SuperstepError, SuperstepSummary,
    TriggerError,
};

use crate::note::{Note, PolicySpec, Possibility, events};
use crate::random::Case;
use crate::reference_thread::{Reaction, Thread};
use crate::spec::{SetSpec, Signal, ThreadSpec};

/// A run of the reference.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    state: State,
    limits: Limits,
    /// The alphabet, in a closed run.
    alphabet: Option<Vec<Signal>>,
    notes: Vec<Note>,
}

/// The state of a run, and what a snapshot contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    /// Highest priority first (rule 1).
    threads: Vec<Thread>,
    queue: Vec<Signal>,
    policy: Policy,
}

/// The policy that limits the choice, and the random numbers that choose.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Policy {
    scope: Scope,
    generator: Option<Generator>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Scope {
    First,
    All,
    /// A signal of the highest priority.
    Highest,
    /// Any signal of the environment if the first signal is one of these, otherwise the first.
    Environment(Vec<String>),
}

type Outside = OutsideAlphabet<Signal>;
type Failure = SuperstepError<Signal>;

impl Reference {
    /// A run over any events.
    pub(crate) fn open(case: &Case) -> Self {
        let policy = Policy::new(&case.policy);
        let threads = case.program.iter().map(Thread::of_program).collect();
        let state = State { threads, queue: Vec::new(), policy };
        Self { state, limits: case.limits, alphabet: None, notes: Vec::new() }
    }

    /// A run over a declared alphabet.
    pub(crate) fn closed(case: &Case) -> Self {
        Self { alphabet: Some(case.alphabet.clone()), ..Self::open(case) }
    }

    /// Rule 9: a run starts with a superstep of its own.
    pub(crate) fn start(&mut self) -> Result<SuperstepSummary, Failure> {
        self.superstep(self.state.clone(), None)
    }

    /// Rule 9: an event that no b-thread blocks happens. A blocked one is refused, and
    /// nothing changes.
    pub(crate) fn trigger(
        &mut self,
        event: Signal,
    ) -> Result<SuperstepSummary, TriggerError<Signal>> {
        self.check_known(event)?;
        let blockers = self.blockers(event);
        if !blockers.is_empty() {
            return Err(BlockedEvent { event, blockers }.into());
        }
        Ok(self.superstep(self.state.clone(), Some(event))?)
    }

    /// Rule 9: a blocked event waits in the queue.
    pub(crate) fn enqueue(
        &mut self,
        event: Signal,
    ) -> Result<SuperstepSummary, EnqueueError<Signal>> {
        self.check_known(event)?;
        if !self.is_blocked(event) {
            return Ok(self.superstep(self.state.clone(), Some(event))?);
        }
        let limit = self.limits.queued;
        if self.state.queue.len() >= limit as usize {
            return Err(EnqueueError::QueueFull { event, limit });
        }
        self.state.queue.push(event);
        Ok(SuperstepSummary { steps: 0, handled: Handled::No })
    }

    /// Rule 10: handlers receive the events of a superstep after its end. Events that they
    /// trigger have supersteps of their own, in order.
    pub(crate) fn react(
        &mut self,
        event: Signal,
        handlers: &[(SetSpec, Signal)],
        limit: u32,
    ) -> Result<Reactions<Signal>, EndlessFeedback<Signal>> {
        let mut triggered = vec![event];
        let mut reactions = Reactions { supersteps: Vec::new() };
        for at in 0.. {
            let Some(&event) = triggered.get(at) else { break };
            if at > limit as usize {
                return Err(EndlessFeedback { reactions, dropped: triggered.split_off(at) });
            }
            let before = self.notes.len();
            let result = self.trigger(event).map(|SuperstepSummary { handled, .. }| Superstep {
                events: events(&self.notes[before..]),
                handled,
            });
            for event in result.iter().flat_map(|superstep| &superstep.events) {
                let called = handlers.iter().filter(|(set, _)| set.has(*event));
                triggered.extend(called.map(|(_, answer)| *answer));
            }
            reactions.supersteps.push(result);
        }
        Ok(reactions)
    }

    /// Rule 11: b-threads can be added while a program runs, with the lowest priority.
    /// Either all of them are added or none.
    pub(crate) fn add(
        &mut self,
        specs: &[ThreadSpec],
    ) -> Result<SuperstepSummary, AddError<Signal>> {
        let before = self.state.clone();
        for spec in specs {
            if let Err(error) = self.join(spec) {
                self.state = before;
                return Err(error);
            }
        }
        Ok(self.superstep(before, None)?)
    }

    fn join(&mut self, spec: &ThreadSpec) -> Result<(), AddError<Signal>> {
        let thread = Thread::added(spec);
        let is_live = |other: &Thread| !other.has_ended() && other.name == thread.name;
        if self.state.threads.iter().any(is_live) {
            return Err(ProgramError::DuplicateName(thread.name).into());
        }
        self.check_thread(&thread).map_err(Failure::from)?;
        self.state.threads.push(thread);
        self.forget_ended();
        Ok(())
    }

    /// Rule 8: a superstep continues until no event can happen. A failed one leaves the run
    /// as it was, and the observer learns of it.
    fn superstep(
        &mut self,
        before: State,
        first: Option<Signal>,
    ) -> Result<SuperstepSummary, Failure> {
        let result = self.steps(first);
        if result.is_ok() {
            self.forget_ended();
        } else {
            self.state = before;
            self.notes.push(Note::Undone);
        }
        result
    }

    fn steps(&mut self, first: Option<Signal>) -> Result<SuperstepSummary, Failure> {
        let budget = self.limits.steps;
        let mut happened = SuperstepSummary { steps: 0, handled: Handled::No };
        let mut next = first.map(|event| (event, Cause::Triggered)).or_else(|| self.next());
        while let Some((event, cause)) = next {
            if happened.steps == budget {
                return Err(SuperstepError::Endless { budget, next: event });
            }
            self.notes.push(Note::Step(self.explain_step(event, cause)));
            let handled = self.happen(event);
            self.check_threads()?;
            if happened.steps == 0 {
                happened.handled = handled;
            }
            happened.steps += 1;
            next = self.next();
        }
        Ok(happened)
    }

    /// The next event: a request, or else one of the queue.
    fn next(&mut self) -> Option<(Signal, Cause)> {
        let possibilities = self.possibilities();
        if possibilities.is_empty() {
            return self.next_queued();
        }
        let possible = self.state.policy.possible(&possibilities, |event| self.requesters(event));
        self.notes.push(Note::Choice(possibilities));
        self.notes
            .push(Note::Possible(possible.iter().map(|possibility| possibility.event).collect()));
        let Possibility { event, thread, .. } = self.state.policy.choose(&possible).clone();
        Some((event, Cause::Requested(thread)))
    }

    /// Rule 9: first come, first served.
    fn next_queued(&mut self) -> Option<(Signal, Cause)> {
        let free = self.state.queue.iter().position(|event| !self.is_blocked(*event))?;
        Some((self.state.queue.remove(free), Cause::Queued))
    }

    fn requesters(&self, event: Signal) -> Vec<Name> {
        let threads = self.state.threads.iter();
        let requesting = threads.filter(|thread| thread.point().requests.contains(&event));
        requesting.map(|thread| thread.name.clone()).collect()
    }

    /// Rule 5: an event can happen if some b-thread requests it and none blocks
    /// it. Each event counts once, for the first b-thread that requests it.
    fn possibilities(&self) -> Vec<Possibility> {
        let mut possibilities: Vec<Possibility> = Vec::new();
        for thread in &self.state.threads {
            for event in thread.point().requests {
                let is_new = possibilities.iter().all(|possibility| possibility.event != event);
                if is_new && !self.is_blocked(event) {
                    let priority = self.priority(event);
                    possibilities.push(Possibility {
                        event,
                        thread: thread.name.clone(),
                        priority,
                    });
                }
            }
        }
        possibilities
    }

    /// The highest priority of a sync point that requests the event.
    fn priority(&self, event: Signal) -> Option<i32> {
        let points = self.state.threads.iter().map(Thread::point);
        let requesting = points.filter(|point| point.requests.contains(&event));
        requesting.filter_map(|point| point.priority).max()
    }

    fn is_blocked(&self, event: Signal) -> bool {
        !self.blockers(event).is_empty()
    }

    fn blockers(&self, event: Signal) -> Vec<Interest<Signal>> {
        self.interests(event, |thread| thread.point().blocks)
    }

    /// The b-threads and sets that contain the event, in order.
    fn interests(
        &self,
        event: Signal,
        sets: impl Fn(&Thread) -> Vec<SetSpec>,
    ) -> Vec<Interest<Signal>> {
        let of = |thread: &Thread| {
            let sets = sets(thread).into_iter().filter(|set| set.has(event));
            let interest =
                |set: SetSpec| Interest { thread: thread.name.clone(), set: set.to_set() };
            sets.map(interest).collect::<Vec<_>>()
        };
        self.state.threads.iter().flat_map(of).collect()
    }

    /// Rule 7: b-threads interrupted by the event end, those that requested it
    /// or wait for it continue.
    fn happen(&mut self, event: Signal) -> Handled {
        let mut handled = Handled::No;
        for thread in &mut self.state.threads {
            if thread.react(event) != Reaction::Stays {
                handled = Handled::Yes;
            }
        }
        handled
    }

    /// A b-thread that was added leaves nothing behind once it has ended.
    fn forget_ended(&mut self) {
        self.state.threads.retain(|thread| thread.is_of_program || !thread.has_ended());
    }

    /// Rule 12: finished, waiting or stuck.
    pub(crate) fn status(&self) -> Status {
        let threads = &self.state.threads;
        if threads.iter().all(Thread::has_ended) {
            Status::Finished
        } else if threads.iter().all(|thread| thread.point().requests.is_empty()) {
            Status::Waiting
        } else {
            Status::Stuck
        }
    }

    /// Rule 13: which b-threads an event concerns.
    pub(crate) fn explain(&self, event: Signal) -> EventExplanation<Signal> {
        EventExplanation {
            event,
            requested_by: self.names(|thread| thread.point().requests.contains(&event)),
            waited_for_by: self.interests(event, |thread| {
                let point = thread.point();
                [point.waits, point.restarts].concat()
            }),
            blocked_by: self.blockers(event),
            interrupts: self.interests(event, |thread| thread.point().interrupts),
        }
    }

    /// Rule 13: why an event happens, and what it does.
    fn explain_step(&self, event: Signal, cause: Cause) -> StepExplanation<Signal> {
        let lost = match &cause {
            Cause::Requested(chosen) => self.lost(event, chosen),
            Cause::Triggered | Cause::Queued => Vec::new(),
        };
        StepExplanation {
            event,
            cause,
            requested_by: self.names(|thread| thread.point().requests.contains(&event)),
            went_on: self.names(|thread| thread.reaction(event) == Reaction::GoesOn),
            interrupted: self.names(|thread| thread.reaction(event) == Reaction::Ends),
            lost,
        }
    }

    fn lost(&self, winner: Signal, chosen: &Name) -> Vec<LostRequest<Signal>> {
        let mut lost = Vec::new();
        for thread in &self.state.threads {
            for event in thread.point().requests.into_iter().filter(|event| *event != winner) {
                let blockers = self.blockers(event);
                let reason = if blockers.is_empty() {
                    LossReason::OtherChosen(chosen.clone())
                } else {
                    LossReason::Blocked(blockers)
                };
                lost.push(LostRequest { thread: thread.name.clone(), event, reason });
            }
        }
        lost
    }

    fn names(&self, holds: impl Fn(&Thread) -> bool) -> Vec<Name> {
        let threads = self.state.threads.iter().filter(|thread| holds(thread));
        threads.map(|thread| thread.name.clone()).collect()
    }

    /// Checks that the event is in the alphabet.
    fn check_known(&self, event: Signal) -> Result<(), Outside> {
        self.check(event, None)
    }

    fn check_threads(&self) -> Result<(), Outside> {
        self.state.threads.iter().try_for_each(|thread| self.check_thread(thread))
    }

    fn check_thread(&self, thread: &Thread) -> Result<(), Outside> {
        let mut requests = thread.point().requests.into_iter();
        requests.try_for_each(|event| self.check(event, Some(&thread.name)))
    }

    fn check(&self, event: Signal, by: Option<&Name>) -> Result<(), Outside> {
        match &self.alphabet {
            Some(known) if !known.contains(&event) => {
                Err(OutsideAlphabet { event, requested_by: by.cloned() })
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Each b-thread that has not ended, with its sync point.
    pub(crate) fn live(&self) -> Vec<(Name, String)> {
        let live = self.state.threads.iter().filter(|thread| !thread.has_ended());
        live.map(|thread| (thread.name.clone(), thread.point().to_string())).collect()
    }

    pub(crate) fn queue(&self) -> &[Signal] {
        &self.state.queue
    }

    pub(crate) fn snapshot(&self) -> State {
        self.state.clone()
    }

    pub(crate) fn restore(&mut self, state: &State) -> Result<(), RestoreError<Signal>> {
        let before = std::mem::replace(&mut self.state, state.clone());
        let checked = self
            .check_threads()
            .and_then(|()| self.state.queue.iter().try_for_each(|event| self.check_known(*event)));
        if checked.is_err() {
            self.state = before;
        }
        Ok(checked?)
    }

    /// Removes and returns all notes.
    pub(crate) fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes)
    }
}

/// Rule 6: which one happens is the strategy's choice.
impl Policy {
    fn new(spec: &PolicySpec) -> Self {
        let (scope, seed) = match spec.clone() {
            PolicySpec::First => (Scope::First, None),
            PolicySpec::Random(seed) => (Scope::All, Some(seed)),
            PolicySpec::SyncPointPriority(seed) => (Scope::Highest, Some(seed)),
            PolicySpec::FreeEnvironment(environment, seed) => {
                (Scope::Environment(environment), Some(seed))
            }
        };
        Self { scope, generator: seed.map(Generator::seeded) }
    }

    fn possible(
        &self,
        possibilities: &[Possibility],
        requesters: impl Fn(Signal) -> Vec<Name>,
    ) -> Vec<Possibility> {
        let highest = possibilities.iter().map(|possibility| possibility.priority).max();
        match &self.scope {
            Scope::Environment(environment) if is_named(&possibilities[0].thread, environment) => {
                let is_requested =
                    |event| requesters(event).iter().any(|name| is_named(name, environment));
                only(possibilities, |possibility| is_requested(possibility.event))
            }
            Scope::First | Scope::Environment(_) => possibilities[..1].to_vec(),
            Scope::All => possibilities.to_vec(),
            Scope::Highest => {
                only(possibilities, |possibility| Some(possibility.priority) == highest)
            }
        }
    }

    fn choose<'a>(&mut self, possible: &'a [Possibility]) -> &'a Possibility {
        let chosen =
            self.generator.as_mut().map_or(0, |numbers| numbers.below(possible.len() as u64));
        &possible[usize::try_from(chosen).expect("the index is below a length")]
    }
}

fn only(possibilities: &[Possibility], holds: impl Fn(&Possibility) -> bool) -> Vec<Possibility> {
    possibilities.iter().filter(|possibility| holds(possibility)).cloned().collect()
}

/// Rule 1: a family can be named as a whole.
fn is_named(name: &Name, environment: &[String]) -> bool {
    let is =
        |words: &String| name.as_str() == words || name.as_str().starts_with(&format!("{words}("));
    environment.iter().any(is)
}
