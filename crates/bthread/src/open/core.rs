//! The state of an open run.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::index::Index;
use super::lists::Lists;
use super::plan::{Address, Movement};
use super::ranked_requests::RankedRequests;
use super::tag::Tag;
use crate::any_b_thread::{AnyBThread, Body};
use crate::engine::Pick;
use crate::event::Event;
use crate::event_set::EventSet;
use crate::explanation::Interest;
use crate::name::Name;
use crate::priority_set::PrioritySet;
use crate::program::Program;
use crate::run::Status;
use crate::snapshot::ThreadStates;
use crate::sync_point::{Reaction, SyncPoint};

/// Where all b-threads stand, with an index of the events that concern them.
///
/// Scripts are *planned*: their sync points are numbered once for all runs (see
/// [`ProgramPlan`](super::plan::ProgramPlan)). B-threads with a state, and those
/// added to the run, are *unplanned*.
#[derive(Clone)]
pub(crate) struct Core<E: Event> {
    pub(super) cells: Vec<ThreadCell>,
    /// The unplanned b-threads: those with a state, then those added.
    pub(super) movers: Vec<UnplannedThread<E>>,
    pub(super) index: Index<E>,
    /// The b-threads with a request that may be unblocked.
    pub(super) ready: PrioritySet,
    /// The b-threads whose first requests, or all of them, are blocked, on the lists of b-threads
    /// that block them. They are looked at again when one of those moves.
    pub(super) parked: Lists<()>,
    /// How often a b-thread left a sync point that blocks something.
    pub(super) lifted: u64,
    /// The number of b-threads that have not ended.
    pub(super) live: u32,
    /// The number of b-threads that request something.
    pub(super) requesting: u32,
    /// The b-threads that the current event moves.
    pub(super) touched: Vec<u32>,
    /// Scratch space: the b-threads that block the requests of a b-thread.
    pub(super) blockers: Vec<u32>,
    /// The planned b-threads that moved since the superstep began, with their old positions.
    pub(super) moved: Vec<(u32, u32)>,
    /// The unplanned b-threads that moved since the superstep began, as they were.
    pub(super) changed: Vec<(u32, AnyBThread<E>)>,
    /// The number of b-threads when the superstep began.
    pub(super) threads_before: usize,
    /// The names of the b-threads that were added and have not ended.
    pub(super) added: FxHashSet<Name>,
    /// The requests by priority, for strategies that choose by it.
    pub(super) ranked: Option<Box<RankedRequests>>,
}

/// Where one b-thread stands.
#[derive(Clone, Copy, Default)]
pub(super) struct ThreadCell {
    /// The position in the script, or the number of the unplanned b-thread.
    pub(super) position: u32,
    /// The number of its first requests that are known to be blocked. It is on the lists of their
    /// blockers.
    pub(super) blocked_requests: u32,
    /// What the current event does to the b-thread.
    pub(super) reaction: Reaction,
    /// Whether it has moved since the superstep began.
    pub(super) has_moved: bool,
    /// Whether its sync point requests something.
    pub(super) is_requesting: bool,
}

/// An unplanned b-thread, with its present sync point.
#[derive(Clone)]
pub(super) struct UnplannedThread<E: Event> {
    pub(super) thread: AnyBThread<E>,
    pub(super) point: Option<SyncPoint<E>>,
}

impl<E: Event> UnplannedThread<E> {
    pub(super) fn new(thread: AnyBThread<E>) -> Self {
        let point = thread.sync_point().map(Cow::into_owned);
        Self { thread, point }
    }

    pub(super) fn change(&mut self, change: impl FnOnce(&mut AnyBThread<E>)) {
        change(&mut self.thread);
        self.point = self.thread.sync_point().map(Cow::into_owned);
    }
}

/// An event that the plan has numbered, or any other event.
#[derive(Clone, Debug)]
pub enum EventToken<E> {
    /// The number of an event in the plan.
    Known(u32),
    /// An event that is not in the plan.
    Other(E),
}

/// As [`EventToken`], by reference. An event of an unplanned b-thread is `Other`, even if it is
/// in the plan.
pub(super) enum EventRef<'a, E> {
    Known(u32),
    Other(&'a E),
}

impl<'a, E: Event> EventRef<'a, E> {
    /// The event itself.
    pub(super) fn resolve(&self, program: &'a Program<E>) -> &'a E {
        match self {
            Self::Known(number) => program.plan().event(*number),
            Self::Other(event) => event,
        }
    }
}

impl<E> EventToken<E> {
    pub(super) fn as_ref(&self) -> EventRef<'_, E> {
        match self {
            Self::Known(number) => EventRef::Known(*number),
            Self::Other(event) => EventRef::Other(event),
        }
    }
}

impl<E: Event> Core<E> {
    pub(crate) fn at_start(program: &Program<E>) -> Self {
        let mut core = Self::place(program, program.threads().iter().cloned());
        // Blocked b-threads are parked once for all runs.
        core.first_pick(program);
        core
    }

    /// The b-threads that have come this far; they must fit the program.
    pub(crate) fn standing_at(program: &Program<E>, thread_states: ThreadStates<E>) -> Self {
        let mut positions = thread_states.positions.into_iter();
        let mut states = thread_states.states.into_iter();
        let planned = program.threads().iter().cloned().map(|mut thread| {
            match thread.body_mut() {
                Body::Script { position, .. } => *position = positions.next().expect(FITS),
                Body::Behaviour(state) => *state = states.next().expect(FITS),
            }
            thread
        });
        let mut core = Self::place(program, planned);
        for thread in thread_states.added {
            core.add(program, thread);
        }
        core.threads_before = core.cells.len();
        core
    }

    fn place(program: &Program<E>, threads: impl Iterator<Item = AnyBThread<E>>) -> Self {
        let count = program.threads().len();
        let mut core = Self {
            cells: Vec::with_capacity(count),
            movers: Vec::new(),
            index: Index::new(program.plan(), count),
            ready: PrioritySet::with_capacity(count),
            parked: Lists::new(count, count),
            lifted: 0,
            live: 0,
            requesting: 0,
            touched: Vec::new(),
            blockers: Vec::new(),
            moved: Vec::new(),
            changed: Vec::new(),
            threads_before: count,
            added: FxHashSet::default(),
            ranked: None,
        };
        for thread in threads {
            let position = match thread.body() {
                Body::Script { position, .. } => *position,
                Body::Behaviour(_) => core.push_mover(thread),
            };
            let number = core.push_cell(position);
            core.enter(program.plan(), number);
        }
        core
    }

    fn push_mover(&mut self, thread: AnyBThread<E>) -> u32 {
        self.movers.push(UnplannedThread::new(thread));
        last(&self.movers)
    }

    fn push_cell(&mut self, position: u32) -> u32 {
        self.cells.push(ThreadCell { position, ..ThreadCell::default() });
        last(&self.cells)
    }

    /// Whether a b-thread that has not ended has this name.
    pub(crate) fn has(&self, program: &Program<E>, name: &Name) -> bool {
        let is_live = |number| self.point(program, number).is_some();
        self.added.contains(name) || program.number(name).is_some_and(is_live)
    }

    /// Adds a b-thread of lowest priority.
    pub(crate) fn add(&mut self, program: &Program<E>, thread: AnyBThread<E>) {
        if thread.has_ended() {
            return;
        }
        self.added.insert(thread.name().clone());
        self.index.add_thread();
        self.parked.add_owner();
        self.parked.add_lists(1);
        self.ready.reserve(self.cells.len() + 1);
        let mover = self.push_mover(thread);
        let number = self.push_cell(mover);
        self.enter(program.plan(), number);
    }

    /// Removes the b-thread that was added last.
    pub(super) fn remove_last(&mut self) {
        self.leave_unplanned(last(&self.cells));
        self.cells.pop();
        if let Some(mover) = self.movers.pop() {
            self.added.remove(mover.thread.name());
        }
        self.index.remove_thread();
        self.parked.remove_owner();
        self.parked.remove_list();
    }

    /// Drops added b-threads that have ended, once they are the majority.
    pub(super) fn tidy(&mut self, program: &Program<E>) {
        let added = self.cells.len() - program.threads().len();
        let ended = added - self.added.len();
        if ended > 64 && ended > self.cells.len() / 2 {
            let lifted = self.lifted;
            *self = Self::standing_at(program, self.thread_states(program));
            // It must not come back to a number that it had before.
            self.lifted += lifted;
        }
    }

    /// How far every b-thread has come.
    pub(crate) fn thread_states(&self, program: &Program<E>) -> ThreadStates<E> {
        let (mut positions, mut states) = (Vec::new(), Vec::new());
        for (thread, cell) in program.threads().iter().zip(&self.cells) {
            match thread.body() {
                Body::Script { .. } => positions.push(cell.position),
                Body::Behaviour(_) => {
                    let mover = &self.movers[cell.position as usize];
                    states.extend(mover.thread.state().cloned());
                }
            }
        }
        let added = self.cells[program.threads().len()..].iter();
        let added = added.map(|cell| &self.movers[cell.position as usize].thread);
        let added = added.filter(|thread| !thread.has_ended()).cloned().collect();
        ThreadStates { positions, states, added }
    }

    pub(crate) fn name<'a>(&'a self, program: &'a Program<E>, number: u32) -> &'a Name {
        match program.threads().get(number as usize) {
            Some(thread) => thread.name(),
            None => self.mover(number).thread.name(),
        }
    }

    /// Calls `show` with each b-thread that has not ended and its sync point, highest
    /// priority first.
    pub(crate) fn visit(&self, program: &Program<E>, show: &mut dyn FnMut(&Name, &SyncPoint<E>)) {
        for number in 0..self.cells.len() {
            self.visit_one(program, number, show);
        }
    }

    /// Calls `show` with the sync point of a b-thread, unless it has ended.
    pub(crate) fn visit_one(
        &self,
        program: &Program<E>,
        number: usize,
        show: &mut dyn FnMut(&Name, &SyncPoint<E>),
    ) {
        let number = u32::try_from(number).expect("b-threads are numbered with 32 bits");
        if let Some(point) = self.point(program, number) {
            show(self.name(program, number), point);
        }
    }

    /// The number of b-threads that have not ended.
    pub(crate) fn live(&self) -> u32 {
        self.live
    }

    /// The status, provided that no requested event can happen.
    pub(crate) fn status(&self) -> Status {
        match (self.live, self.requesting) {
            (0, _) => Status::Finished,
            (_, 0) => Status::Waiting,
            (_, _) => Status::Stuck,
        }
    }

    /// The token of an event.
    pub(crate) fn token(program: &Program<E>, event: E) -> EventToken<E> {
        match program.plan().event_number(&event) {
            Some(number) => EventToken::Known(number),
            None => EventToken::Other(event),
        }
    }

    /// The token of a requested event.
    pub(crate) fn requested_token(&self, program: &Program<E>, pick: Pick) -> EventToken<E> {
        match self.request(program, pick).expect("a pick is one of the requests") {
            EventRef::Known(number) => EventToken::Known(number),
            EventRef::Other(event) => Self::token(program, event.clone()),
        }
    }

    /// The event of a request.
    pub(crate) fn requested<'a>(&'a self, program: &'a Program<E>, pick: Pick) -> &'a E {
        match self.request(program, pick).expect("a pick is one of the requests") {
            EventRef::Known(number) => program.plan().event(number),
            EventRef::Other(event) => event,
        }
    }

    /// The event of a request, or `None` if the b-thread has fewer requests.
    #[inline]
    pub(super) fn request(&self, program: &Program<E>, pick: Pick) -> Option<EventRef<'_, E>> {
        let plan = program.plan();
        let at = pick.request as usize;
        match plan.track(pick.thread) {
            Some(Movement::Script(script)) => {
                let point = script.point_at(self.cells[pick.thread as usize].position)?;
                plan.requests(point).get(at).map(|number| EventRef::Known(*number))
            }
            Some(Movement::Stateful) | None => {
                let point = self.mover(pick.thread).point.as_ref()?;
                point.requests().get(at).map(EventRef::Other)
            }
        }
    }

    /// The requests that can happen, one for each event, highest priority first.
    pub(crate) fn picks(&self, program: &Program<E>) -> Vec<Pick> {
        let mut seen = FxHashSet::default();
        let mut picks = Vec::new();
        for thread in self.ready.iter() {
            let mut pick = Pick { thread, request: 0 };
            while let Some(request) = self.request(program, pick) {
                let is_free = self.blocker(program, &request).is_none();
                if is_free && seen.insert(self.requested(program, pick)) {
                    picks.push(pick);
                }
                pick.request += 1;
            }
        }
        picks
    }

    /// For each of these events, the highest priority of a sync point that requests it, if any
    /// has one. Only b-threads that are ready request an event that can happen.
    pub(crate) fn ranks(&self, program: &Program<E>, picks: &[Pick]) -> Vec<Option<i32>> {
        let numbered = picks.iter().enumerate();
        let places: FxHashMap<&E, usize> =
            numbered.map(|(place, pick)| (self.requested(program, *pick), place)).collect();
        let mut ranks = vec![None; picks.len()];
        let points = self.ready.iter().filter_map(|number| self.point(program, number));
        for point in points.filter(|point| point.priority().is_some()) {
            for place in point.requests().iter().filter_map(|request| places.get(request)) {
                ranks[*place] = point.priority().max(ranks[*place]);
            }
        }
        ranks
    }

    /// Some b-thread that blocks the event.
    #[inline]
    pub(super) fn blocker(&self, program: &Program<E>, event: &EventRef<'_, E>) -> Option<u32> {
        self.index.find_blocking(self.address(program, event), |number, tag| {
            let event = || event.resolve(program);
            tag.is_exact()
                || self.set(program, number, tag).is_some_and(|set| set.contains(event()))
        })
    }

    pub(crate) fn is_blocked(&self, program: &Program<E>, token: &EventToken<E>) -> bool {
        self.blocker(program, &token.as_ref()).is_some()
    }

    /// The b-threads and sets that block the event, highest priority first.
    pub(crate) fn blockers(&self, program: &Program<E>, token: &EventToken<E>) -> Vec<Interest<E>> {
        let event_ref = token.as_ref();
        let event = event_ref.resolve(program);
        let mut blocking: Vec<(u32, Tag)> = Vec::new();
        self.index.find_blocking(self.address(program, &event_ref), |number, tag| {
            let key = |(number, tag): &(u32, Tag)| (*number, tag.set_number());
            // A set may contain an event under several keys.
            if let Err(place) = blocking.binary_search_by_key(&key(&(number, tag)), key) {
                blocking.insert(place, (number, tag));
            }
            false
        });
        let interests = blocking.into_iter().filter_map(|(number, tag)| {
            let set = self.set(program, number, tag).filter(|set| set.contains(event))?;
            let thread = self.name(program, number).clone();
            Some(Interest { thread, set: set.clone() })
        });
        interests.collect()
    }

    /// The keys of an event.
    #[inline]
    pub(super) fn address(&self, program: &Program<E>, event: &EventRef<'_, E>) -> Address {
        match event {
            EventRef::Known(number) => program.plan().address(*number),
            EventRef::Other(event) => self.index.address(program.plan(), event),
        }
    }

    fn set<'a>(
        &'a self,
        program: &'a Program<E>,
        number: u32,
        tag: Tag,
    ) -> Option<&'a EventSet<E>> {
        self.point(program, number).map(|point| tag.set(point))
    }

    pub(super) fn point<'a>(
        &'a self,
        program: &'a Program<E>,
        number: u32,
    ) -> Option<&'a SyncPoint<E>> {
        point(program, &self.movers, self.cells[number as usize], number)
    }

    pub(super) fn mover(&self, number: u32) -> &UnplannedThread<E> {
        &self.movers[self.cells[number as usize].position as usize]
    }

    /// The size in bytes, without the heap memory of states, sync points and events.
    pub(crate) fn size(&self) -> usize {
        size_of::<Self>()
            + self.cells.capacity() * size_of::<ThreadCell>()
            + self.movers.capacity() * size_of::<UnplannedThread<E>>()
            + self.index.size()
            + self.ready.size()
            + self.parked.size()
            + (self.touched.capacity() + self.blockers.capacity()) * size_of::<u32>()
            + self.moved.capacity() * size_of::<(u32, u32)>()
            + self.changed.capacity() * size_of::<(u32, AnyBThread<E>)>()
            + self.added.capacity() * size_of::<Name>()
            + self.ranked.as_ref().map_or(0, |ranked| ranked.size())
    }
}

/// The sync point of a b-thread, or `None` if it has ended.
pub(super) fn point<'a, E: Event>(
    program: &'a Program<E>,
    movers: &'a [UnplannedThread<E>],
    cell: ThreadCell,
    number: u32,
) -> Option<&'a SyncPoint<E>> {
    match program.threads().get(number as usize).map(AnyBThread::body) {
        Some(Body::Script { script, .. }) => script.point(cell.position),
        Some(Body::Behaviour(_)) | None => movers[cell.position as usize].point.as_ref(),
    }
}

const FITS: &str = "the states fit the program";

fn count<T>(items: &[T]) -> u32 {
    u32::try_from(items.len()).expect("b-threads are numbered with 32 bits")
}

fn last<T>(items: &[T]) -> u32 {
    count(items) - 1
}
