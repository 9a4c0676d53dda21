//! Where the b-threads of a closed program stand, in numbers.

use std::sync::Arc;

use super::alphabet::Letters;
use super::block_changes::{BlockChanges, BlockStep};
use super::blueprint::{Blueprint, Concern, LocalMovement, UPPER_BYTES};
use super::event_tally::EventTally;
use super::learned::Learned;
use super::local_ranking::LocalRanking;
use super::number_set::NumberSet;
use crate::event::Event;
use crate::priority_set::PrioritySet;

/// How far each b-thread has come, and what follows from it. A step changes only what the moving
/// b-threads change.
pub(super) struct Standing {
    /// The number of each b-thread: its lowest byte, and behind all of these the upper bytes of
    /// those that need them.
    locals: Box<[u8]>,
    pub(super) blocked: EventTally,
    pub(super) requested: EventTally,
    /// For each counted set, how many b-threads block it and how many request it.
    holders: Vec<[u32; 2]>,
    /// The b-threads that request something.
    pub(super) requesting: PrioritySet,
    /// The b-threads at sync points that too many events leave to be listed under each.
    pub(super) watching: PrioritySet,
    /// The number of b-threads that have not ended.
    pub(super) live: u32,
    /// The number of b-threads that request something.
    pub(super) asking: u32,
    /// How often a set was no longer blocked.
    pub(super) lifted: u64,
    /// The moves since the superstep began.
    pub(super) moved: Vec<Motion>,
    /// The ranks of the requests, once a strategy has asked for them. A clone has none.
    pub(super) ranking: Option<Box<LocalRanking>>,
}

/// A b-thread moves from one number to another.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Motion {
    pub(super) thread: u32,
    pub(super) from: u32,
    pub(super) to: u32,
}

/// Most events move fewer b-threads, even if many may move at them. One bit stands for each.
const USUAL_MOVES: usize = 32;

/// The number of a b-thread whose state has no number.
pub(super) const UNNUMBERED: u32 = u32::MAX;

/// Which of the two uses of a set is counted.
#[derive(Clone, Copy)]
enum SetUse {
    Blocked = 0,
    Requested = 1,
}

impl Clone for Standing {
    fn clone(&self) -> Self {
        Self {
            locals: self.locals.clone(),
            blocked: self.blocked.clone(),
            requested: self.requested.clone(),
            holders: self.holders.clone(),
            requesting: self.requesting.clone(),
            watching: self.watching.clone(),
            live: self.live,
            asking: self.asking,
            lifted: self.lifted,
            moved: self.moved.clone(),
            ranking: None,
        }
    }

    /// Uses the memory again, because searches play many games from one position.
    fn clone_from(&mut self, source: &Self) {
        self.locals.clone_from(&source.locals);
        self.blocked.clone_from(&source.blocked);
        self.requested.clone_from(&source.requested);
        self.holders.clone_from(&source.holders);
        self.requesting.clone_from(&source.requesting);
        self.watching.clone_from(&source.watching);
        self.live = source.live;
        self.asking = source.asking;
        self.lifted = source.lifted;
        self.moved.clone_from(&source.moved);
        self.ranking = None;
    }
}

impl Standing {
    /// The b-threads of the blueprint with the numbers in these bytes, as if all had ended.
    pub(super) fn new<E: Event>(blueprint: &Blueprint<E>, bytes: Box<[u8]>) -> Self {
        let events = blueprint.alphabet.width();
        Self {
            locals: bytes,
            blocked: EventTally::new(events),
            requested: EventTally::new(events),
            holders: vec![[0; 2]; blueprint.counted_sets as usize],
            requesting: PrioritySet::empty(),
            watching: PrioritySet::empty(),
            live: 0,
            asking: 0,
            lifted: 0,
            moved: Vec::new(),
            ranking: None,
        }
    }

    /// The lowest byte of the number of a b-thread, which is all of it if its script is short.
    #[inline]
    pub(super) fn low_byte(&self, thread: u32) -> u8 {
        self.locals[thread as usize]
    }

    /// The number of a b-thread.
    #[inline]
    pub(super) fn local<E: Event>(&self, blueprint: &Blueprint<E>, thread: u32) -> u32 {
        local_in(&self.locals, blueprint, thread)
    }

    #[inline]
    pub(super) fn set_local<E: Event>(
        &mut self,
        blueprint: &Blueprint<E>,
        thread: u32,
        local: u32,
    ) {
        set_local_in(&mut self.locals, blueprint, thread, local);
    }

    /// The bytes of all numbers: two standings of a blueprint are equal if these are.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.locals
    }

    /// Moves the b-threads with scripts that an event concerns.
    #[inline]
    pub(super) fn advance<E: Event>(&mut self, blueprint: &Blueprint<E>, event: u32) {
        let first = self.moved.len();
        // A b-thread that moves to a sync point where it watches does not move again at this event.
        if !self.watching.is_empty() {
            self.collect_watching(blueprint, event);
        }
        let listed = self.moved.len();
        for few in blueprint.concerned(event).chunks(USUAL_MOVES) {
            self.move_few(blueprint, few);
        }
        for thread in blueprint.long_concerned(event) {
            if let Some(motion) = self.long_motion(blueprint, *thread, event) {
                self.moved.push(motion);
                self.perform(blueprint, motion, None);
            }
        }
        for place in first..listed {
            self.perform(blueprint, self.moved[place], None);
        }
        // A long superstep takes no more memory than all b-threads do.
        if self.moved.len() > 1_024 + 4 * blueprint.threads() as usize {
            self.forget_later_moves(blueprint.threads());
        }
    }

    /// Moves those of at most [`USUAL_MOVES`] b-threads with short scripts that an event moves.
    ///
    /// It first moves all of them without a branch, because no processor predicts which of them stay,
    /// and then counts what changes for the few that request, block or watch other events.
    #[inline]
    fn move_few<E: Event>(&mut self, blueprint: &Blueprint<E>, concerned: &[Concern]) {
        let first = self.moved.len();
        self.moved.resize(first + concerned.len(), Motion::default());
        let (locals, moved, steps) =
            (&mut *self.locals, &mut self.moved[first..], blueprint.steps());
        let (mut count, mut changing) = (0, 0_u32);
        for concern in concerned {
            let local = &mut locals[concern.thread as usize];
            let from = *local;
            let step = steps[concern.place(from) as usize];
            let to = step.next().unwrap_or(from);
            *local = to;
            moved[count] =
                Motion { thread: concern.thread, from: u32::from(from), to: u32::from(to) };
            changing |= u32::from(step.changes()) << count;
            count += usize::from(step.next().is_some());
        }
        self.moved.truncate(first + count);
        while changing != 0 {
            let Motion { thread, from, to } =
                self.moved[first + changing.trailing_zeros() as usize];
            changing &= changing - 1;
            match blueprint.block_step(thread, from, to) {
                Some(step) if self.ranking.is_none() => {
                    self.change_blocks(blueprint.block_changes(), step);
                }
                _ => {
                    let letters = |local| blueprint.script_letters(thread, local);
                    self.shift(thread, letters(from), letters(to));
                }
            }
        }
    }

    /// Counts a step that changes nothing but which events are blocked, as [`Standing::shift`] would.
    #[inline]
    fn change_blocks(&mut self, changes: &BlockChanges, step: BlockStep) {
        for word in changes.words(step) {
            self.blocked.change(*word);
        }
        self.lifted += u64::from(step.lifts);
        self.live -= u32::from(step.ends);
    }

    /// Calls `show` with each b-thread with a script that an event moves, and its numbers before
    /// and after. Nothing moves.
    #[inline]
    pub(super) fn each_motion<E: Event>(
        &self,
        blueprint: &Blueprint<E>,
        event: u32,
        mut show: impl FnMut(Motion),
    ) {
        for concern in blueprint.concerned(event) {
            let from = self.locals[concern.thread as usize];
            if let Some(to) = blueprint.step(*concern, from).next() {
                show(Motion { thread: concern.thread, from: from.into(), to: to.into() });
            }
        }
        for thread in blueprint.long_concerned(event) {
            self.long_motion(blueprint, *thread, event).into_iter().for_each(&mut show);
        }
        if !self.watching.is_empty() {
            self.watching_motions(blueprint, event).for_each(show);
        }
    }

    #[inline(never)]
    fn collect_watching<E: Event>(&mut self, blueprint: &Blueprint<E>, event: u32) {
        let mut moved = std::mem::take(&mut self.moved);
        moved.extend(self.watching_motions(blueprint, event));
        self.moved = moved;
    }

    /// The moves of b-threads with scripts at sync points that too many events leave.
    fn watching_motions<E: Event>(
        &self,
        blueprint: &Blueprint<E>,
        event: u32,
    ) -> impl Iterator<Item = Motion> {
        let threads = self.watching.iter().take_while(|thread| *thread < blueprint.threads());
        threads.filter_map(move |thread| script_motion(&self.locals, blueprint, thread, event))
    }

    /// The move of a b-thread with a long script, unless it watches.
    fn long_motion<E: Event>(
        &self,
        blueprint: &Blueprint<E>,
        thread: u32,
        event: u32,
    ) -> Option<Motion> {
        if self.watching.contains(thread) {
            return None;
        }
        script_motion(&self.locals, blueprint, thread, event)
    }

    /// Gives a b-thread its next number.
    #[inline]
    pub(super) fn perform<E: Event>(
        &mut self,
        blueprint: &Blueprint<E>,
        Motion { thread, from, to }: Motion,
        learned: Option<&Learned<E>>,
    ) {
        let is_alike = blueprint.is_alike(thread, from, to);
        if is_alike.is_some() {
            let [low, ..] = to.to_le_bytes();
            self.locals[thread as usize] = low;
        } else {
            self.set_local(blueprint, thread, to);
        }
        if is_alike != Some(true) {
            let letters = |local| letters(blueprint, learned, thread, local);
            self.shift(thread, letters(from), letters(to));
        }
    }

    #[cold]
    fn forget_later_moves(&mut self, threads: u32) {
        let mut is_first = vec![true; threads as usize];
        self.moved.retain(|motion| std::mem::take(&mut is_first[motion.thread as usize]));
    }

    /// Goes back to where the superstep began.
    pub(super) fn undo<E: Event>(
        &mut self,
        blueprint: &Blueprint<E>,
        learned: Option<&Learned<E>>,
    ) {
        while let Some(Motion { thread, from, .. }) = self.moved.pop() {
            let now = self.local(blueprint, thread);
            let letters = |local| letters(blueprint, learned, thread, local);
            self.shift(thread, letters(now), letters(from));
            self.set_local(blueprint, thread, from);
        }
    }

    /// Counts that a b-thread leaves a sync point and comes to another one. Without a sync point it
    /// has ended.
    pub(super) fn shift(&mut self, thread: u32, from: Option<&Letters>, to: Option<&Letters>) {
        if let (Some(from), Some(to)) = (from, to) {
            if !Arc::ptr_eq(&from.blocks, &to.blocks) {
                self.hold(&to.blocks, SetUse::Blocked);
                self.release(&from.blocks, SetUse::Blocked);
            }
            if !Arc::ptr_eq(&from.requested, &to.requested) {
                self.hold(&to.requested, SetUse::Requested);
                self.release(&from.requested, SetUse::Requested);
            }
        } else if let Some(to) = to {
            self.hold(&to.blocks, SetUse::Blocked);
            self.hold(&to.requested, SetUse::Requested);
            self.live += 1;
        } else if let Some(from) = from {
            self.release(&from.blocks, SetUse::Blocked);
            self.release(&from.requested, SetUse::Requested);
            self.live -= 1;
        }
        let asks = |letters: Option<&Letters>| letters.is_some_and(Letters::asks);
        match (asks(from), asks(to)) {
            (false, true) => {
                self.asking += 1;
                self.requesting.insert_growing(thread);
            }
            (true, false) => {
                self.asking -= 1;
                self.requesting.remove(thread);
            }
            (true, true) | (false, false) => {}
        }
        let watches = |letters: Option<&Letters>| letters.is_some_and(|each| each.is_wide);
        match (watches(from), watches(to)) {
            (false, true) => self.watching.insert_growing(thread),
            (true, false) => self.watching.remove(thread),
            (true, true) | (false, false) => {}
        }
        if let Some(ranking) = &mut self.ranking {
            ranking.note(thread, from, to);
        }
    }

    #[inline]
    fn hold(&mut self, set: &NumberSet, usage: SetUse) {
        if set.is_empty() {
            return;
        }
        if let Some(counted) = set.holders() {
            let holders = &mut self.holders[counted as usize][usage as usize];
            *holders += 1;
            if *holders > 1 {
                return;
            }
        }
        match usage {
            SetUse::Blocked => {
                self.blocked.add(set);
                self.note_blocks(set);
            }
            SetUse::Requested => self.requested.add(set),
        }
    }

    #[inline]
    fn release(&mut self, set: &NumberSet, usage: SetUse) {
        if set.is_empty() {
            return;
        }
        if let Some(counted) = set.holders() {
            let holders = &mut self.holders[counted as usize][usage as usize];
            *holders -= 1;
            if *holders > 0 {
                return;
            }
        }
        match usage {
            SetUse::Blocked => {
                self.lifted += 1;
                self.blocked.remove(set);
                self.note_blocks(set);
            }
            SetUse::Requested => self.requested.remove(set),
        }
    }

    #[inline]
    fn note_blocks(&mut self, set: &NumberSet) {
        if let Some(ranking) = &mut self.ranking {
            ranking.note_blocks(set, &self.requested);
        }
    }

    /// The first request of a sync point that can happen.
    pub(super) fn first_of(&self, letters: &Letters) -> Option<u32> {
        if letters.is_ascending {
            let mut words = letters.requested.words().iter();
            words.find_map(|(place, bits)| {
                let free = bits & !self.blocked.word(*place);
                (free != 0).then(|| place * u64::BITS + free.trailing_zeros())
            })
        } else {
            letters.requests.iter().copied().find(|request| !self.blocked.contains(*request))
        }
    }

    /// The events that are requested and not blocked, 64 to a word.
    pub(super) fn enabled(&self, words: u32) -> impl Iterator<Item = u64> + '_ {
        (0..words).map(|place| self.enabled_word(place))
    }

    /// The events of a word of 64 that are requested and not blocked.
    #[inline]
    pub(super) fn enabled_word(&self, place: u32) -> u64 {
        self.requested.word(place) & !self.blocked.word(place)
    }

    /// The size in bytes on the heap.
    pub(super) fn size(&self) -> usize {
        self.locals.len()
            + self.blocked.size()
            + self.requested.size()
            + self.holders.capacity() * size_of::<[u32; 2]>()
            + self.requesting.size()
            + self.watching.size()
            + self.moved.capacity() * size_of::<Motion>()
            + self.ranking.as_ref().map_or(0, |ranking| ranking.size())
    }
}

/// The sync point of a b-thread of the program with a number, unless it has ended.
#[inline]
pub(super) fn letters<'a, E: Event>(
    blueprint: &'a Blueprint<E>,
    learned: Option<&'a Learned<E>>,
    thread: u32,
    local: u32,
) -> Option<&'a Letters> {
    let Some(learned) = learned else { return blueprint.script_letters(thread, local) };
    match blueprint.track(thread).movement {
        LocalMovement::Script(_) => blueprint.script_letters(thread, local),
        LocalMovement::Stateful(_) if local == UNNUMBERED => None,
        LocalMovement::Stateful(ordinal) => learned.letters(ordinal, local),
    }
}

pub(super) const LOCKED: &str = "states are read where b-threads have them";

/// The number of a b-thread.
#[inline]
fn local_in<E: Event>(locals: &[u8], blueprint: &Blueprint<E>, thread: u32) -> u32 {
    let low = locals[thread as usize];
    match blueprint.track(thread).upper_bytes {
        None => u32::from(low),
        Some(at) => {
            let upper = &locals[blueprint.threads() as usize + at as usize..];
            u32::from_le_bytes([low, upper[0], upper[1], upper[2]])
        }
    }
}

/// The move of a b-thread that follows a script, if the event moves it.
#[inline(never)]
fn script_motion<E: Event>(
    locals: &[u8],
    blueprint: &Blueprint<E>,
    thread: u32,
    event: u32,
) -> Option<Motion> {
    let LocalMovement::Script(_) = blueprint.track(thread).movement else { return None };
    let from = local_in(locals, blueprint, thread);
    let to = blueprint.script_step(thread, from, event)?;
    Some(Motion { thread, from, to })
}

fn set_local_in<E: Event>(locals: &mut [u8], blueprint: &Blueprint<E>, thread: u32, local: u32) {
    let [low, upper @ ..] = local.to_le_bytes();
    locals[thread as usize] = low;
    if let Some(at) = blueprint.track(thread).upper_bytes {
        let place = blueprint.threads() as usize + at as usize;
        locals[place..place + UPPER_BYTES].copy_from_slice(&upper);
    }
}
