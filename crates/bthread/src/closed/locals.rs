//! How far each b-thread of a closed program can come, in numbers.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::alphabet::{Alphabet, Letters};
use super::bits::Bits;
use super::builder::ALLOCATION;
use crate::any_b_thread::{self, Body};
use crate::engine::{Handled, Pick};
use crate::error::OutsideAlphabet;
use crate::event::Event;
use crate::name::Name;
use crate::program::Program;
use crate::run::Status;
use crate::script::ScriptRange;
use crate::snapshot::ThreadStates;
use crate::sync_point::SyncPoint;

/// What is known about a closed program before it runs.
pub(super) struct Blueprint<E: Event> {
    pub(super) program: Program<E>,
    pub(super) alphabet: Alphabet<E>,
    tracks: Vec<Track>,
    /// The sync points of all b-threads that follow scripts, one after the other.
    letters: Vec<Letters>,
    /// For each event, the b-threads that may block it.
    blockers: Vec<Box<[usize]>>,
    /// The memory of all this and of the program, in bytes, about.
    pub(super) bytes: usize,
}

/// The memory of a sync point in the program and its plan, in bytes, about: four lists of event sets
/// with names.
const SYNC_POINT_BYTES: usize = 400;

/// How a b-thread moves.
#[derive(Clone, Copy)]
enum Track {
    Script(ScriptRange),
    Stateful,
}

/// A *local* is how far one b-thread has come: its position in a script, or the
/// number of its state. States get their numbers when they are first seen.
pub(super) struct Locals<E: Event> {
    /// For each b-thread with a state, the states that were seen.
    seen: Vec<Seen<E>>,
}

/// The states of a b-thread that were seen, with numbers.
struct Seen<E: Event> {
    states: Vec<Local<E>>,
    numbers: FxHashMap<any_b_thread::BehaviourState<E>, u32>,
}

struct Local<E: Event> {
    state: any_b_thread::BehaviourState<E>,
    stand: Option<(Arc<SyncPoint<E>>, Letters)>,
}

/// A state of a b-thread that has no number yet.
pub(super) struct Unseen<E: Event> {
    thread: usize,
    state: any_b_thread::BehaviourState<E>,
}

/// What can happen in a state.
pub(super) struct Outlook {
    /// The requests that can happen, one for each event, highest priority first.
    pub(super) picks: Vec<Pick>,
    /// The status, provided that no requested event can happen.
    pub(super) status: Status,
    /// The blocked events.
    pub(super) blocked: Bits,
}

impl<E: Event> Blueprint<E> {
    pub(super) fn new(
        program: &Program<E>,
        alphabet: Alphabet<E>,
    ) -> Result<Self, OutsideAlphabet<E>> {
        let (mut tracks, mut letters) = (Vec::new(), Vec::new());
        for thread in program.threads() {
            tracks.push(match thread.body() {
                Body::Script { script, .. } => {
                    Track::Script(ScriptRange::new(letters.len(), script))
                }
                Body::Behaviour(_) => Track::Stateful,
            });
            if let Body::Script { script, .. } = thread.body() {
                for point in script.points() {
                    letters.push(alphabet.letters(thread.name(), point)?);
                }
            }
        }
        let mut blueprint = Self {
            program: program.clone(),
            alphabet,
            tracks,
            letters,
            blockers: Vec::new(),
            bytes: 0,
        };
        let events = 0..u32::try_from(blueprint.alphabet.events().len()).expect("events fit");
        blueprint.blockers = events.map(|event| blueprint.that_may_block(event)).collect();
        blueprint.bytes = blueprint.measured();
        Ok(blueprint)
    }

    fn measured(&self) -> usize {
        let letters = self.letters.iter().map(|each| each.bytes() + SYNC_POINT_BYTES);
        let blockers = self.blockers.iter().map(|each| size_of_val(&**each) + ALLOCATION);
        letters.chain(blockers).sum::<usize>() + self.alphabet.bytes()
    }

    fn that_may_block(&self, event: u32) -> Box<[usize]> {
        let blocks = |each: &Letters| each.blocks.contains(event);
        let may = |thread: &usize| {
            matches!(self.tracks[*thread], Track::Stateful)
                || self.script(*thread).iter().any(blocks)
        };
        (0..self.tracks.len()).filter(may).collect()
    }

    /// The b-threads that may block an event, highest priority first.
    pub(super) fn blockers(&self, event: u32) -> &[usize] {
        &self.blockers[event as usize]
    }

    fn name(&self, thread: usize) -> &Name {
        self.program.threads()[thread].name()
    }

    fn body(&self, thread: usize) -> &Body<E> {
        self.program.threads()[thread].body()
    }

    /// The sync points of a b-thread, if it follows a script.
    pub(super) fn script(&self, thread: usize) -> &[Letters] {
        match self.tracks[thread] {
            Track::Stateful => &[],
            Track::Script(stretch) => &self.letters[stretch.points()],
        }
    }

    /// Whether an event may concern a b-thread at any sync point.
    pub(super) fn may_concern(&self, thread: usize, event: u32) -> bool {
        let is_meant =
            |each: &Letters| each.moves.contains(event) || each.interrupts.contains(event);
        matches!(self.tracks[thread], Track::Stateful) || self.script(thread).iter().any(is_meant)
    }
}

impl<E: Event> Locals<E> {
    pub(super) fn new(program: &Program<E>) -> Self {
        Self { seen: program.threads().iter().map(|_| Seen::default()).collect() }
    }

    /// The memory of the states that were seen, in bytes, about.
    pub(super) fn bytes(&self) -> usize {
        let seen = self.seen.iter();
        let states = seen.map(|seen| {
            let letters = seen.states.iter().filter_map(|local| local.stand.as_ref());
            let letters = letters.map(|(_, letters)| letters.bytes() + SYNC_POINT_BYTES);
            seen.states.len() * 2 * (size_of::<Local<E>>() + ALLOCATION) + letters.sum::<usize>()
        });
        states.sum()
    }

    /// The locals of b-threads that have come this far.
    pub(super) fn at(
        &self,
        blueprint: &Blueprint<E>,
        thread_states: &ThreadStates<E>,
    ) -> Result<Vec<u32>, Unseen<E>> {
        let mut positions = thread_states.positions.iter();
        let mut states = thread_states.states.iter();
        let locals = (0..blueprint.tracks.len()).map(|thread| match blueprint.body(thread) {
            Body::Script { .. } => Ok(*positions.next().expect(FITS)),
            Body::Behaviour(_) => self.number(thread, states.next().expect(FITS).clone()),
        });
        locals.collect()
    }

    /// How far b-threads with these locals have come.
    pub(super) fn thread_states(
        &self,
        blueprint: &Blueprint<E>,
        locals: impl Iterator<Item = u32>,
    ) -> ThreadStates<E> {
        let (mut positions, mut states) = (Vec::new(), Vec::new());
        for (thread, local) in locals.enumerate() {
            match blueprint.body(thread) {
                Body::Script { .. } => positions.push(local),
                Body::Behaviour(_) => {
                    states.push(self.seen[thread].states[local as usize].state.clone());
                }
            }
        }
        ThreadStates { positions, states, added: Vec::new() }
    }

    /// The sync point of a b-thread that has a state.
    pub(super) fn point(&self, thread: usize, local: u32) -> Option<Arc<SyncPoint<E>>> {
        let stand = self.seen[thread].states[local as usize].stand.as_ref();
        stand.map(|(point, _)| Arc::clone(point))
    }

    /// Moves each b-thread because an event happens.
    pub(super) fn advance(
        &self,
        blueprint: &Blueprint<E>,
        locals: &mut [u32],
        event: u32,
    ) -> Result<Handled, Unseen<E>> {
        let mut handled = Handled::No;
        for (thread, local) in locals.iter_mut().enumerate() {
            if let Some(next) = self.next(blueprint, thread, *local, event)? {
                *local = next;
                handled = Handled::Yes;
            }
        }
        Ok(handled)
    }

    /// The next local of a b-thread after an event, if the event concerns it.
    pub(super) fn next(
        &self,
        blueprint: &Blueprint<E>,
        thread: usize,
        local: u32,
        event: u32,
    ) -> Result<Option<u32>, Unseen<E>> {
        let Some(letters) = self.letters(blueprint, thread, local) else { return Ok(None) };
        if letters.interrupts.contains(event) {
            self.ended(blueprint, thread).map(Some)
        } else if letters.moves.contains(event) {
            self.gone_on(blueprint, thread, local, event).map(Some)
        } else {
            Ok(None)
        }
    }

    fn gone_on(
        &self,
        blueprint: &Blueprint<E>,
        thread: usize,
        local: u32,
        event: u32,
    ) -> Result<u32, Unseen<E>> {
        let event = blueprint.alphabet.event(event);
        match blueprint.body(thread) {
            Body::Script { script, .. } => Ok(script.next(local, event)),
            Body::Behaviour(_) => {
                let mut state = self.seen[thread].states[local as usize].state.clone();
                any_b_thread::go_on(&mut state, event);
                self.number(thread, state)
            }
        }
    }

    fn ended(&self, blueprint: &Blueprint<E>, thread: usize) -> Result<u32, Unseen<E>> {
        match blueprint.body(thread) {
            Body::Script { script, .. } => Ok(script.end()),
            Body::Behaviour(_) => self.number(thread, None),
        }
    }

    /// The number of a state of a b-thread.
    fn number(
        &self,
        thread: usize,
        state: any_b_thread::BehaviourState<E>,
    ) -> Result<u32, Unseen<E>> {
        match self.seen[thread].numbers.get(&state) {
            Some(number) => Ok(*number),
            None => Err(Unseen { thread, state }),
        }
    }

    /// Gives a state a number.
    pub(super) fn learn(
        &mut self,
        blueprint: &Blueprint<E>,
        unseen: Unseen<E>,
    ) -> Result<(), OutsideAlphabet<E>> {
        let Unseen { thread, state } = unseen;
        let Seen { states, numbers } = &mut self.seen[thread];
        // Another thread may have learnt it in the meantime.
        if let Entry::Vacant(entry) = numbers.entry(state) {
            states.push(Local::new(blueprint, thread, entry.key().clone())?);
            entry.insert(u32::try_from(states.len() - 1).expect("states fit into memory"));
        }
        Ok(())
    }

    /// What can happen in a state.
    pub(super) fn outlook(
        &self,
        blueprint: &Blueprint<E>,
        locals: impl Iterator<Item = u32>,
    ) -> Outlook {
        let mut blocked = Bits::none(blueprint.alphabet.events().len());
        let mut status = Status::Finished;
        let mut requesting = Vec::new();
        for (thread, letters) in self.each_letters(blueprint, locals) {
            if status == Status::Finished {
                status = Status::Waiting;
            }
            if letters.is_active {
                blocked.add(&letters.blocks);
                if !letters.requests.is_empty() {
                    requesting.push((thread, letters));
                }
            }
        }
        if !requesting.is_empty() {
            status = Status::Stuck;
        }
        let mut picks = Vec::new();
        if !requesting.is_empty() {
            let mut chosen = blocked.clone();
            for (thread, letters) in requesting {
                let free = letters.requests.iter().filter(|request| chosen.insert(**request));
                picks.extend(free.map(|request| Pick { thread, request: *request }));
            }
        }
        Outlook { picks, status, blocked }
    }

    /// For each of these events, the highest priority of a sync point that requests it, if any
    /// has one.
    pub(super) fn ranks(
        &self,
        blueprint: &Blueprint<E>,
        locals: impl Iterator<Item = u32>,
        picks: &[Pick],
    ) -> Vec<Option<i32>> {
        let mut ranks = vec![None; blueprint.alphabet.events().len()];
        for (_, letters) in self.each_letters(blueprint, locals) {
            for request in &letters.requests {
                let rank = &mut ranks[*request as usize];
                *rank = letters.priority.max(*rank);
            }
        }
        picks.iter().map(|pick| ranks[pick.request as usize]).collect()
    }

    /// The sync points of all b-threads that have not ended, highest priority first.
    fn each_letters<'a>(
        &'a self,
        blueprint: &'a Blueprint<E>,
        locals: impl Iterator<Item = u32>,
    ) -> impl Iterator<Item = (u32, &'a Letters)> {
        (0..).zip(locals).filter_map(move |(thread, local)| {
            let letters = self.letters(blueprint, thread as usize, local)?;
            Some((thread, letters))
        })
    }

    /// The sync point of a b-thread, unless it has ended.
    fn letters<'a>(
        &'a self,
        blueprint: &'a Blueprint<E>,
        thread: usize,
        local: u32,
    ) -> Option<&'a Letters> {
        match blueprint.tracks[thread] {
            Track::Script(stretch) => {
                stretch.point_at(local).map(|point| &blueprint.letters[point as usize])
            }
            Track::Stateful => {
                let stand = self.seen[thread].states[local as usize].stand.as_ref();
                stand.map(|(_, letters)| letters)
            }
        }
    }
}

impl<E: Event> Local<E> {
    fn new(
        blueprint: &Blueprint<E>,
        thread: usize,
        state: any_b_thread::BehaviourState<E>,
    ) -> Result<Self, OutsideAlphabet<E>> {
        let point = state.as_ref().and_then(|state| state.sync_point());
        let stand = point.map(|point| {
            let letters = blueprint.alphabet.letters(blueprint.name(thread), &point)?;
            Ok((Arc::new(point), letters))
        });
        Ok(Self { stand: stand.transpose()?, state })
    }
}

impl<E: Event> Default for Seen<E> {
    fn default() -> Self {
        Self { states: Vec::new(), numbers: FxHashMap::default() }
    }
}

const FITS: &str = "the standing fits the program";
