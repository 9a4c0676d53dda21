//! Where all b-threads of an open run stand.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use super::index::Index;
use super::lists::Lists;
use super::plan::{Address, Track};
use super::priority_set::PrioritySet;
use super::tag::Tag;
use crate::event::Event;
use crate::event_set::EventSet;
use crate::explanation::Interest;
use crate::machine::Pick;
use crate::name::Name;
use crate::program::Program;
use crate::run::Status;
use crate::snapshot::Standing;
use crate::sync_point::SyncPoint;
use crate::thread::{BThread, Body};

/// Where all b-threads stand, indexed by what they wait for and block.
#[derive(Clone)]
pub(crate) struct Core<E: Event> {
    pub(super) cells: Vec<Cell>,
    /// The b-threads that no plan foresees: those with a state, then those added.
    pub(super) movers: Vec<Mover<E>>,
    pub(super) index: Index<E>,
    /// B-threads that request something and are not known to be blocked.
    pub(super) ready: PrioritySet,
    /// The others that request something, on the list of one who blocks each
    /// request: they are looked at again when that one moves.
    pub(super) parked: Lists<()>,
    /// How many b-threads have not ended.
    pub(super) live: u32,
    /// How many of them request something.
    pub(super) requesting: u32,
    /// The b-threads that the current event moves.
    pub(super) touched: Vec<u32>,
    /// Those who block the requests of the b-thread that is looked at.
    pub(super) blockers: Vec<u32>,
    /// Where the b-threads with scripts stood that moved since the superstep began.
    pub(super) moved: Vec<(u32, u32)>,
    /// As what the others stood that moved since the superstep began.
    pub(super) changed: Vec<(u32, BThread<E>)>,
    /// How many b-threads there were when the superstep began.
    pub(super) threads_before: usize,
    /// The names of the b-threads that were added and have not ended.
    pub(super) added: FxHashSet<Name>,
}

/// Where one b-thread stands.
#[derive(Clone, Copy, Default)]
pub(super) struct Cell {
    /// The position in the script, or the number of the mover.
    pub(super) position: u32,
    /// What the current event does to it.
    pub(super) reaction: Reaction,
    /// It has moved since the superstep began.
    pub(super) has_moved: bool,
    /// It requests something where it stands.
    pub(super) is_requesting: bool,
}

/// What an event does to a b-thread; of two, the later one counts.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reaction {
    #[default]
    Stays,
    GoesOn,
    Ends,
}

/// A b-thread that no plan foresees.
#[derive(Clone)]
pub(super) struct Mover<E: Event> {
    pub(super) thread: BThread<E>,
    pub(super) point: Option<SyncPoint<E>>,
}

impl<E: Event> Mover<E> {
    pub(super) fn new(thread: BThread<E>) -> Self {
        let point = thread.sync_point().map(Cow::into_owned);
        Self { thread, point }
    }

    pub(super) fn change(&mut self, change: impl FnOnce(&mut BThread<E>)) {
        change(&mut self.thread);
        self.point = self.thread.sync_point().map(Cow::into_owned);
    }

    fn stand(&self) -> Option<(&Name, &SyncPoint<E>)> {
        self.point.as_ref().map(|point| (self.thread.name(), point))
    }
}

/// An event as the core knows it.
#[derive(Clone, Debug)]
pub enum Happening<E> {
    /// By its number in the plan.
    Known(u32),
    /// An event that no script names.
    Other(E),
}

/// An event as the core knows it, or as a b-thread requests it that no plan foresees.
pub(super) enum Named<'a, E> {
    Known(u32),
    Other(&'a E),
}

impl<'a, E: Event> Named<'a, E> {
    /// The event itself.
    pub(super) fn resolve(&self, program: &'a Program<E>) -> &'a E {
        match self {
            Self::Known(number) => program.plan().event(*number),
            Self::Other(event) => event,
        }
    }
}

impl<E> Happening<E> {
    pub(super) fn named(&self) -> Named<'_, E> {
        match self {
            Self::Known(number) => Named::Known(*number),
            Self::Other(event) => Named::Other(event),
        }
    }
}

impl<E: Event> Core<E> {
    pub(crate) fn at_start(program: &Program<E>) -> Self {
        let mut core = Self::place(program, program.threads().iter().cloned());
        // Who is blocked from the start is parked once for all runs.
        core.first_pick(program);
        core
    }

    /// All b-threads where they are said to stand, which must fit the program.
    pub(crate) fn standing_at(program: &Program<E>, standing: Standing<E>) -> Self {
        let mut positions = standing.positions.into_iter();
        let mut states = standing.states.into_iter();
        let planned = program.threads().iter().cloned().map(|mut thread| {
            match thread.body_mut() {
                Body::Script { position, .. } => *position = positions.next().expect(FITS),
                Body::Behaviour(stateful) => stateful.state = states.next().expect(FITS),
            }
            thread
        });
        let mut core = Self::place(program, planned);
        for thread in standing.added {
            core.add(program, thread);
        }
        core.threads_before = core.cells.len();
        core
    }

    fn place(program: &Program<E>, threads: impl Iterator<Item = BThread<E>>) -> Self {
        let count = program.threads().len();
        let mut core = Self {
            cells: Vec::with_capacity(count),
            movers: Vec::new(),
            index: Index::new(program.plan(), count),
            ready: PrioritySet::with_capacity(count),
            parked: Lists::new(count, count),
            live: 0,
            requesting: 0,
            touched: Vec::new(),
            blockers: Vec::new(),
            moved: Vec::new(),
            changed: Vec::new(),
            threads_before: count,
            added: FxHashSet::default(),
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

    fn push_mover(&mut self, thread: BThread<E>) -> u32 {
        self.movers.push(Mover::new(thread));
        last(&self.movers)
    }

    fn push_cell(&mut self, position: u32) -> u32 {
        self.cells.push(Cell { position, ..Cell::default() });
        last(&self.cells)
    }

    /// Whether some b-thread has the name; one that was added gives it free when it ends.
    pub(crate) fn has(&self, program: &Program<E>, name: &Name) -> bool {
        program.thread(name).is_some() || self.added.contains(name)
    }

    /// Adds a b-thread of lowest priority.
    pub(crate) fn add(&mut self, program: &Program<E>, thread: BThread<E>) {
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

    /// Takes away the b-thread that was added last.
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

    /// Lets go of added b-threads that have ended, once they are most of all that there are.
    pub(super) fn tidy(&mut self, program: &Program<E>) {
        let added = self.cells.len() - program.threads().len();
        let ended = added - self.added.len();
        if ended > 64 && ended > self.cells.len() / 2 {
            *self = Self::standing_at(program, self.standing(program));
        }
    }

    /// How far every b-thread has come.
    pub(crate) fn standing(&self, program: &Program<E>) -> Standing<E> {
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
        Standing { positions, states, added }
    }

    pub(crate) fn name<'a>(&'a self, program: &'a Program<E>, number: u32) -> &'a Name {
        match program.threads().get(number as usize) {
            Some(thread) => thread.name(),
            None => self.mover(number).thread.name(),
        }
    }

    /// Shows each b-thread that has not ended and where it stands, highest priority first.
    pub(crate) fn visit(&self, program: &Program<E>, show: &mut dyn FnMut(&Name, &SyncPoint<E>)) {
        for number in 0..self.cells.len() {
            self.visit_one(program, number, show);
        }
    }

    /// Shows where a b-thread stands, unless it has ended.
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

    /// How many b-threads have not ended.
    pub(crate) fn live(&self) -> u32 {
        self.live
    }

    /// Why nothing can happen, given that nothing can.
    pub(crate) fn status(&self) -> Status {
        match (self.live, self.requesting) {
            (0, _) => Status::Finished,
            (_, 0) => Status::Waiting,
            (_, _) => Status::Stuck,
        }
    }

    /// The event as this core knows it.
    pub(crate) fn happening(program: &Program<E>, event: E) -> Happening<E> {
        match program.plan().event_number(&event) {
            Some(number) => Happening::Known(number),
            None => Happening::Other(event),
        }
    }

    /// A requested event as this core knows it.
    pub(crate) fn picked(&self, program: &Program<E>, pick: Pick) -> Happening<E> {
        match self.request(program, pick).expect("a pick is one of the requests") {
            Named::Known(number) => Happening::Known(number),
            Named::Other(event) => Self::happening(program, event.clone()),
        }
    }

    /// The event of a request.
    pub(crate) fn requested<'a>(&'a self, program: &'a Program<E>, pick: Pick) -> &'a E {
        match self.request(program, pick).expect("a pick is one of the requests") {
            Named::Known(number) => program.plan().event(number),
            Named::Other(event) => event,
        }
    }

    /// What a b-thread requests in such a place of its list.
    #[inline]
    pub(super) fn request(&self, program: &Program<E>, pick: Pick) -> Option<Named<'_, E>> {
        let plan = program.plan();
        let at = pick.request as usize;
        match plan.track(pick.thread) {
            Some(Track::Script(script)) => {
                let point = script.point_at(self.cells[pick.thread as usize].position)?;
                plan.requests(point).get(at).map(|number| Named::Known(*number))
            }
            Some(Track::Stateful) | None => {
                let point = self.mover(pick.thread).point.as_ref()?;
                point.requests().get(at).map(Named::Other)
            }
        }
    }

    /// The requests that can happen, once for each event, highest priority first.
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

    /// Some b-thread that blocks the event.
    #[inline]
    pub(super) fn blocker(&self, program: &Program<E>, event: &Named<'_, E>) -> Option<u32> {
        self.index.find_blocking(self.address(program, event), |number, tag| {
            let event = || event.resolve(program);
            tag.is_exact()
                || self.set(program, number, tag).is_some_and(|set| set.contains(event()))
        })
    }

    pub(crate) fn is_blocked(&self, program: &Program<E>, happening: &Happening<E>) -> bool {
        self.blocker(program, &happening.named()).is_some()
    }

    /// Who blocks the event, with which set, highest priority first.
    pub(crate) fn blockers(
        &self,
        program: &Program<E>,
        happening: &Happening<E>,
    ) -> Vec<Interest<E>> {
        let named = happening.named();
        let event = named.resolve(program);
        let mut blocking: Vec<(u32, Tag)> = Vec::new();
        self.index.find_blocking(self.address(program, &named), |number, tag| {
            let key = |(number, tag): &(u32, Tag)| (*number, tag.set_number());
            // An event may be in a set under several keys.
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

    /// Where an event looks.
    #[inline]
    pub(super) fn address(&self, program: &Program<E>, event: &Named<'_, E>) -> Address {
        match event {
            Named::Known(number) => program.plan().address(*number),
            Named::Other(event) => self.index.address(program.plan(), event),
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

    fn point<'a>(&'a self, program: &'a Program<E>, number: u32) -> Option<&'a SyncPoint<E>> {
        point(program, &self.movers, self.cells[number as usize], number)
    }

    pub(super) fn mover(&self, number: u32) -> &Mover<E> {
        &self.movers[self.cells[number as usize].position as usize]
    }

    /// The b-threads that no plan foresees, where they stand.
    pub(crate) fn unplanned(&self) -> impl Iterator<Item = (&Name, &SyncPoint<E>)> {
        self.movers.iter().filter_map(Mover::stand)
    }

    /// Those of them that the latest event moved.
    pub(crate) fn moved_unplanned(
        &self,
        program: &Program<E>,
    ) -> impl Iterator<Item = (u32, &Name, &SyncPoint<E>)> {
        let plan = program.plan();
        let is_planned = |number| matches!(plan.track(number), Some(Track::Script(_)));
        let moved = self.touched.iter().filter(move |number| !is_planned(**number));
        moved.filter_map(|number| {
            let (name, point) = self.mover(*number).stand()?;
            Some((*number, name, point))
        })
    }

    /// The bytes that this takes, beside what states, sync points and events hold.
    pub(crate) fn size(&self) -> usize {
        size_of::<Self>()
            + self.cells.capacity() * size_of::<Cell>()
            + self.movers.capacity() * size_of::<Mover<E>>()
            + self.index.size()
            + self.ready.size()
            + self.parked.size()
            + (self.touched.capacity() + self.blockers.capacity()) * size_of::<u32>()
            + self.moved.capacity() * size_of::<(u32, u32)>()
            + self.changed.capacity() * size_of::<(u32, BThread<E>)>()
            + self.added.capacity() * size_of::<Name>()
    }
}

/// Where a b-thread stands, or `None` if it has ended.
pub(super) fn point<'a, E: Event>(
    program: &'a Program<E>,
    movers: &'a [Mover<E>],
    cell: Cell,
    number: u32,
) -> Option<&'a SyncPoint<E>> {
    match program.threads().get(number as usize).map(BThread::body) {
        Some(Body::Script { script, .. }) => script.point(cell.position),
        Some(Body::Behaviour(_)) | None => movers[cell.position as usize].point.as_ref(),
    }
}

const FITS: &str = "the standing fits the program";

fn count<T>(items: &[T]) -> u32 {
    u32::try_from(items.len()).expect("b-threads are numbered with 32 bits")
}

fn last<T>(items: &[T]) -> u32 {
    count(items) - 1
}
