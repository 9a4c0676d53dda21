//! What is known about a closed program before it runs.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use rustc_hash::FxHashMap;

use super::alphabet::{Alphabet, Letters};
use super::block_changes::{BlockChanges, BlockStep};
use super::learned::Learned;
use super::number_set::KnownSets;
use crate::any_b_thread::Body;
use crate::error::OutsideAlphabet;
use crate::event::Event;
use crate::program::Program;
use crate::script::{Script, ScriptRange};
use crate::snapshot::ThreadStates;
use crate::sorting::sort;
use crate::sync_point::SyncPoint;

/// The b-threads of a program over an alphabet, each as an automaton of its own.
///
/// How far a b-thread has come is a number: its position in a script, or the number of its state.
/// States get their numbers when they are first seen.
pub(super) struct Blueprint<E: Event> {
    pub(super) program: Program<E>,
    pub(super) alphabet: Alphabet<E>,
    tracks: Vec<Track>,
    /// The sync points of all b-threads that follow scripts, one after the other.
    letters: Vec<Letters>,
    /// For each of them a number, which is equal where only the moves of b-threads differ.
    stands: Vec<u32>,
    /// For each b-thread whose positions are its sync points and take one byte, where these begin
    /// and how many there are.
    short_scripts: Vec<Option<(u32, u32)>>,
    /// The steps of these b-threads that change only which events are blocked.
    block_changes: BlockChanges,
    /// For each event, the b-threads with a short script that may move at it.
    concerned: EventLists<Concern>,
    /// The steps of short scripts, for an event: from each position to the next one.
    steps: Vec<StepCode>,
    /// For each event, the b-threads with a script too long for a list of steps that may move at it.
    long_concerned: EventLists<u32>,
    /// For each event, the b-threads with a script that may block it, and those that may block so
    /// many events that no event lists them.
    blockers: EventLists<u32>,
    wide_blockers: Vec<u32>,
    /// For each event, the b-threads with a script that may request it.
    requesters: EventLists<u32>,
    /// The number of sets whose holders are counted.
    pub(super) counted_sets: u32,
    /// The bytes that the positions of all b-threads take.
    pub(super) bytes: usize,
    /// The b-threads that have a state.
    stateful: Vec<u32>,
    learned: RwLock<Learned<E>>,
}

/// How a b-thread moves.
#[derive(Clone, Copy)]
pub(super) struct Track {
    pub(super) movement: LocalMovement,
    /// Where the upper bytes of its number are, if one byte is too small for it.
    pub(super) upper_bytes: Option<u32>,
}

#[derive(Clone, Copy)]
pub(super) enum LocalMovement {
    Script(ScriptRange),
    /// With a number among the b-threads that have a state.
    Stateful(u32),
}

impl LocalMovement {
    fn short_script(self) -> Option<(u32, u32)> {
        let Self::Script(range) = self else { return None };
        let points = range.points();
        let count = u32::try_from(points.len()).ok()?;
        let is_short = count == range.end() && count <= SHORT;
        Some((u32::try_from(points.start).ok()?, count)).filter(|_| is_short)
    }
}

/// A b-thread with a short script that may move at an event.
#[derive(Clone, Copy)]
pub(super) struct Concern {
    pub(super) thread: u32,
    /// Where the steps of the b-thread begin for this event.
    pub(super) steps: u32,
}

impl Concern {
    /// The number of the step from a position.
    #[inline]
    pub(super) fn place(self, position: u8) -> u32 {
        self.steps + u32::from(position)
    }
}

/// A step of a short script: whether there is one, whether it changes more than the position, and
/// the next position.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct StepCode(u16);

impl StepCode {
    const CHANGES: u16 = 1 << 8;
    const STAYS: Self = Self(1 << 9);

    /// The next position, unless the b-thread stays.
    #[inline]
    pub(super) fn next(self) -> Option<u8> {
        (self != Self::STAYS).then(|| self.0.to_le_bytes()[0])
    }

    /// Whether the b-thread then requests, blocks or lists other events.
    #[inline]
    pub(super) fn changes(self) -> bool {
        self.0 & Self::CHANGES != 0
    }
}

/// The memory of a sync point in the program and its plan, in bytes, about: four lists of event sets
/// with names.
pub(super) const SYNC_POINT_BYTES: usize = 400;

/// The largest position of a script that has a list of steps for each event.
const SHORT: u32 = 254;

/// A list for each event.
pub(super) struct EventLists<T> {
    items: Vec<T>,
    /// Where the list of each event begins, and where that of the last event ends.
    starts: Vec<u32>,
}

impl<T: Copy> EventLists<T> {
    pub(super) fn new(lists: Vec<Vec<T>>) -> Self {
        let mut starts = vec![0];
        let mut items = Vec::new();
        for list in lists {
            items.extend(list);
            starts.push(u32::try_from(items.len()).expect("fewer than 2^32 items fit into memory"));
        }
        Self { items, starts }
    }

    fn memory(&self) -> usize {
        self.items.capacity() * size_of::<T>() + self.starts.capacity() * size_of::<u32>()
    }

    #[inline]
    pub(super) fn of(&self, event: u32) -> &[T] {
        let (start, end) = (self.starts[event as usize], self.starts[event as usize + 1]);
        &self.items[start as usize..end as usize]
    }
}

impl<E: Event> Blueprint<E> {
    /// At most `cap` states of b-threads get a number, besides those at the start.
    pub(super) fn new(
        program: &Program<E>,
        alphabet: Alphabet<E>,
        cap: u32,
    ) -> Result<Self, OutsideAlphabet<E>> {
        let mut drafting = Drafting::new(alphabet);
        for thread in 0..program.threads().len() {
            drafting.add(program, thread)?;
        }
        let Drafting { alphabet, tracks, letters, sets, stateful, bytes, .. } = drafting;
        let blueprint = Self {
            short_scripts: tracks.iter().map(|track| track.movement.short_script()).collect(),
            block_changes: block_changes(&tracks, &letters),
            concerned: EventLists::new(drafting.concerned),
            steps: drafting.steps,
            long_concerned: EventLists::new(drafting.long_concerned),
            blockers: EventLists::new(drafting.blockers),
            wide_blockers: drafting.wide_blockers,
            requesters: EventLists::new(drafting.requesters),
            counted_sets: sets.counted,
            stands: numbered_stands(&letters),
            bytes: tracks.len() + bytes,
            learned: RwLock::new(Learned::new(&alphabet, stateful.len(), cap)),
            program: program.clone(),
            alphabet,
            tracks,
            letters,
            stateful,
        };
        blueprint.learn_the_start()?;
        Ok(blueprint)
    }

    fn learn_the_start(&self) -> Result<(), OutsideAlphabet<E>> {
        let mut learned = self.learned.write().unwrap_or_else(PoisonError::into_inner);
        let states = ThreadStates::at_start(&self.program).states;
        for (ordinal, state) in (0..).zip(states) {
            let name = self.program.threads()[self.stateful[ordinal as usize] as usize].name();
            learned.learn_anyway(&self.alphabet, ordinal, name, state)?;
        }
        Ok(())
    }

    /// The memory of all this and of the program, in bytes, about.
    pub(super) fn memory(&self) -> usize {
        let letters = self.letters.iter().map(|each| each.bytes() + SYNC_POINT_BYTES);
        let lists = self.concerned.memory()
            + self.long_concerned.memory()
            + self.blockers.memory()
            + self.requesters.memory();
        let tracks = self.tracks.len() * (size_of::<Track>() + size_of::<Option<(u32, u32)>>());
        let steps = self.steps.capacity() * size_of::<StepCode>() + size_of_val(&*self.stands);
        letters.sum::<usize>()
            + self.block_changes.bytes()
            + lists
            + tracks
            + steps
            + self.alphabet.bytes()
            + self.learned().memory()
    }

    /// The number of b-threads.
    pub(super) fn threads(&self) -> u32 {
        u32::try_from(self.tracks.len()).expect("b-threads are numbered with 32 bits")
    }

    #[inline]
    pub(super) fn track(&self, thread: u32) -> Track {
        self.tracks[thread as usize]
    }

    /// The place of a b-thread among those that have a state.
    pub(super) fn ordinal(&self, thread: usize) -> Option<u32> {
        match self.tracks[thread].movement {
            LocalMovement::Script(_) => None,
            LocalMovement::Stateful(ordinal) => Some(ordinal),
        }
    }

    /// Whether some b-threads have a state.
    #[inline]
    pub(super) fn has_states(&self) -> bool {
        !self.stateful.is_empty()
    }

    /// The b-threads that have a state, in order.
    pub(super) fn stateful(&self) -> &[u32] {
        &self.stateful
    }

    /// The states of b-threads that have numbers.
    pub(super) fn learned(&self) -> RwLockReadGuard<'_, Learned<E>> {
        // A behaviour that panics leaves nothing half done, because states are numbered last.
        self.learned.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The sync point of a b-thread that has a state, unless it has ended.
    pub(super) fn state_point(&self, ordinal: u32, local: u32) -> Option<Arc<SyncPoint<E>>> {
        self.learned().point(ordinal, local).map(Arc::clone)
    }

    /// Changes the states of b-threads that have numbers.
    pub(super) fn learn<T>(&self, learn: impl FnOnce(&mut Learned<E>) -> T) -> T {
        learn(&mut self.learned.write().unwrap_or_else(PoisonError::into_inner))
    }

    /// The b-threads with a short script that may move at an event, highest priority first, except
    /// those at sync points that too many events leave to be listed under each.
    #[inline]
    pub(super) fn concerned(&self, event: u32) -> &[Concern] {
        self.concerned.of(event)
    }

    /// The steps of all short scripts, for callers that look up many.
    #[inline]
    pub(super) fn steps(&self) -> &[StepCode] {
        &self.steps
    }

    /// The step of a b-thread from a position.
    #[inline]
    pub(super) fn step(&self, concern: Concern, position: u8) -> StepCode {
        self.step_at(concern.place(position))
    }

    /// The step with this number.
    #[inline]
    pub(super) fn step_at(&self, number: u32) -> StepCode {
        self.steps[number as usize]
    }

    /// As [`Blueprint::concerned`], for b-threads with a long script.
    #[inline]
    pub(super) fn long_concerned(&self, event: u32) -> &[u32] {
        self.long_concerned.of(event)
    }

    /// The step of a b-thread with a script from a position, if the event moves it.
    pub(super) fn script_step(&self, thread: u32, position: u32, event: u32) -> Option<u32> {
        let letters = self.script_letters(thread, position)?;
        self.script_next(thread, letters, position, event)
    }

    fn script_next(
        &self,
        thread: u32,
        letters: &Letters,
        position: u32,
        event: u32,
    ) -> Option<u32> {
        let Body::Script { script, .. } = self.program.threads()[thread as usize].body() else {
            return None;
        };
        next_position(script, letters, position, event, self.alphabet.event(event))
    }

    /// The sync point of a b-thread with a script, unless it has ended.
    #[inline]
    pub(super) fn script_letters(&self, thread: u32, position: u32) -> Option<&Letters> {
        if let Some((first, count)) = self.short_scripts[thread as usize] {
            return (position < count).then(|| &self.letters[(first + position) as usize]);
        }
        match self.tracks[thread as usize].movement {
            LocalMovement::Script(range) => {
                range.point_at(position).map(|point| &self.letters[point as usize])
            }
            LocalMovement::Stateful(_) => None,
        }
    }

    /// Whether a b-thread with a short script differs at two positions in nothing but how it moves;
    /// `None` if its script is not short.
    #[inline]
    pub(super) fn is_alike(&self, thread: u32, from: u32, to: u32) -> Option<bool> {
        let (first, count) = self.short_scripts[thread as usize]?;
        let stand = |at: u32| (at < count).then(|| self.stands[(first + at) as usize]);
        Some(stand(from) == stand(to))
    }

    /// All lists of what steps change.
    #[inline]
    pub(super) fn block_changes(&self) -> &BlockChanges {
        &self.block_changes
    }

    /// The step of a b-thread between two positions, if it follows a short script and the step changes
    /// nothing but which events are blocked.
    #[inline]
    pub(super) fn block_step(&self, thread: u32, from: u32, to: u32) -> Option<BlockStep> {
        let (first, _) = self.short_scripts[thread as usize]?;
        self.block_changes.find(first + from, to)
    }

    /// Where the sync points of a b-thread begin and how many there are, one for each position, if
    /// it follows a short script.
    #[inline]
    pub(super) fn short_script(&self, thread: u32) -> Option<(u32, u32)> {
        self.short_scripts.get(thread as usize).copied().flatten()
    }

    /// The sync point with this number among those of all b-threads.
    #[inline]
    pub(super) fn point(&self, number: u32) -> &Letters {
        &self.letters[number as usize]
    }

    /// Whether all b-threads follow scripts that have lists of steps.
    pub(super) fn is_short(&self) -> bool {
        self.stateful.is_empty() && self.long_concerned.items.is_empty()
    }

    /// The sync points of a b-thread, if it follows a script.
    pub(super) fn script(&self, thread: usize) -> &[Letters] {
        match self.tracks[thread].movement {
            LocalMovement::Script(range) => &self.letters[range.points()],
            LocalMovement::Stateful(_) => &[],
        }
    }

    /// The b-threads that may block an event, highest priority first.
    pub(super) fn blockers(&self, event: u32) -> Vec<u32> {
        let listed = self.blockers.of(event).iter();
        sorted(listed.chain(&self.wide_blockers).chain(&self.stateful).copied())
    }

    /// The b-threads with a script that may request an event, highest priority first.
    pub(super) fn requesters(&self, event: u32) -> &[u32] {
        self.requesters.of(event)
    }
}

/// The steps of short scripts that change nothing but which events are blocked. The sync points of
/// all scripts are in the order of their b-threads.
fn block_changes(tracks: &[Track], letters: &[Letters]) -> BlockChanges {
    let mut changes = BlockChanges::default();
    for track in tracks {
        let LocalMovement::Script(range) = track.movement else { continue };
        let points = &letters[range.points()];
        match track.movement.short_script() {
            Some(_) => changes.add(points, |position| range.next(position)),
            None => changes.add_none(points.len()),
        }
    }
    changes
}

/// A number for each sync point, which is equal for those that are alike.
fn numbered_stands(letters: &[Letters]) -> Vec<u32> {
    let mut numbers = FxHashMap::default();
    let number = |each: &Letters| {
        let next = u32::try_from(numbers.len()).expect("sync points are numbered with 32 bits");
        *numbers.entry(each.stand()).or_insert(next)
    };
    letters.iter().map(number).collect()
}

/// The position after an event, if the event moves a b-thread at this sync point.
fn next_position<E: Event>(
    script: &Script<E>,
    letters: &Letters,
    position: u32,
    number: u32,
    event: &E,
) -> Option<u32> {
    if letters.interrupts.contains(number) {
        Some(script.end())
    } else if letters.goes_on_at(number) {
        Some(script.next(position, event))
    } else {
        None
    }
}

/// A blueprint in the making.
struct Drafting<E: Event> {
    alphabet: Alphabet<E>,
    tracks: Vec<Track>,
    letters: Vec<Letters>,
    sets: KnownSets<E>,
    concerned: Vec<Vec<Concern>>,
    steps: Vec<StepCode>,
    known_steps: FxHashMap<Vec<StepCode>, u32>,
    long_concerned: Vec<Vec<u32>>,
    blockers: Vec<Vec<u32>>,
    wide_blockers: Vec<u32>,
    requesters: Vec<Vec<u32>>,
    stateful: Vec<u32>,
    /// The number of upper bytes.
    bytes: usize,
}

impl<E: Event> Drafting<E> {
    fn new(alphabet: Alphabet<E>) -> Self {
        let events = alphabet.events().len();
        Self {
            alphabet,
            tracks: Vec::new(),
            letters: Vec::new(),
            sets: KnownSets::new(),
            concerned: vec![Vec::new(); events],
            steps: Vec::new(),
            known_steps: FxHashMap::default(),
            long_concerned: vec![Vec::new(); events],
            blockers: vec![Vec::new(); events],
            wide_blockers: Vec::new(),
            requesters: vec![Vec::new(); events],
            stateful: Vec::new(),
            bytes: 0,
        }
    }

    fn add(&mut self, program: &Program<E>, thread: usize) -> Result<(), OutsideAlphabet<E>> {
        let number = u32::try_from(thread).expect("b-threads are numbered with 32 bits");
        match program.threads()[thread].body() {
            Body::Behaviour(_) => {
                let ordinal = u32::try_from(self.stateful.len()).expect("b-threads fit");
                self.stateful.push(number);
                self.lay_track(LocalMovement::Stateful(ordinal), u32::MAX);
            }
            Body::Script { script, .. } => {
                let range = ScriptRange::new(self.letters.len(), script);
                self.lay_track(LocalMovement::Script(range), script.end());
                let name = program.threads()[thread].name();
                for point in script.points() {
                    self.letters.push(self.alphabet.letters(name, point, &mut self.sets)?);
                }
                self.list(number, script, range);
            }
        }
        Ok(())
    }

    fn lay_track(&mut self, movement: LocalMovement, largest: u32) {
        let is_small = u8::try_from(largest).is_ok();
        let upper = (!is_small).then(|| u32::try_from(self.bytes).expect("b-threads fit"));
        self.bytes += if is_small { 0 } else { UPPER_BYTES };
        self.tracks.push(Track { movement, upper_bytes: upper });
    }

    /// Adds a b-thread to the lists of the events that may concern it.
    fn list(&mut self, thread: u32, script: &Script<E>, range: ScriptRange) {
        let points = &self.letters[range.points()];
        let narrow = points.iter().filter(|letters| !letters.is_wide);
        let events = sorted(narrow.flat_map(Letters::concerns));
        let is_wide = |letters: &&Letters| letters.blocks.numbers().len() > MOST_LISTED_BLOCKS;
        let listed = points.iter().filter(|letters| !is_wide(letters));
        let blocked = sorted(listed.flat_map(|each| each.blocks.numbers().iter().copied()));
        if points.iter().any(|letters| is_wide(&letters)) {
            self.wide_blockers.push(thread);
        }
        let wished = sorted(points.iter().flat_map(|each| each.requests.iter().copied()));
        for event in blocked {
            self.blockers[event as usize].push(thread);
        }
        for event in wished {
            self.requesters[event as usize].push(thread);
        }
        for event in events {
            if script.end() > SHORT {
                self.long_concerned[event as usize].push(thread);
            } else {
                let steps = self.lay_steps(script, range, event);
                self.concerned[event as usize].push(Concern { thread, steps });
            }
        }
    }

    /// Lists the steps of a short script for an event. Equal lists are one.
    fn lay_steps(&mut self, script: &Script<E>, range: ScriptRange, event: u32) -> u32 {
        let at = |position| range.point_at(position).map(|point| &self.letters[point as usize]);
        let step = |position| {
            let Some(letters) = at(position).filter(|letters| !letters.is_wide) else {
                return StepCode::STAYS;
            };
            let spoken = self.alphabet.event(event);
            let Some(next) = next_position(script, letters, position, event, spoken) else {
                return StepCode::STAYS;
            };
            let is_alike = at(next).is_some_and(|next| letters.are_alike(next));
            let next = u16::try_from(next).expect("the script is short");
            StepCode(next | if is_alike { 0 } else { StepCode::CHANGES })
        };
        let steps: Vec<StepCode> = (0..=script.end()).map(step).collect();
        let next = u32::try_from(self.steps.len()).expect("steps fit into memory");

        *self.known_steps.entry(steps).or_insert_with_key(|steps| {
            self.steps.extend(steps);
            next
        })
    }
}

/// A b-thread that may block more events at once is not listed under each of them. Only refusals and
/// explanations ask.
const MOST_LISTED_BLOCKS: usize = 64;

/// The bytes of a position, besides the lowest.
pub(super) const UPPER_BYTES: usize = 3;

fn sorted(events: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut events: Vec<u32> = events.collect();
    sort(&mut events);
    events.dedup();
    events
}
