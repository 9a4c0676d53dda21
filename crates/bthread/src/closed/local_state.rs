//! Where a closed run stands, as the states of its b-threads.

use std::sync::RwLockReadGuard;

use super::blueprint::{Blueprint, LocalMovement};
use super::event_tally::TallyRow;
use super::learned::{Learned, SeenStep};
use super::local_reader::LocalReader;
use super::standing::{self, LOCKED, Motion, Standing, UNNUMBERED};
use super::strays::Strays;
use crate::any_b_thread::{AnyBThread, BehaviourState, Body};
use crate::engine::{Handled, Pick};
use crate::error::OutsideAlphabet;
use crate::event::Event;
use crate::explanation::Interest;
use crate::name::Name;
use crate::run::Status;
use crate::snapshot::ThreadStates;
use crate::sync_point::SyncPoint;

/// The states of the b-threads of a run. A step costs as much as the b-threads that it moves.
pub(super) struct LocalState<E: Event> {
    pub(super) standing: Standing,
    pub(super) strays: Option<Box<Strays<E>>>,
}

impl<E: Event> Clone for LocalState<E> {
    fn clone(&self) -> Self {
        Self { standing: self.standing.clone(), strays: self.strays.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.standing.clone_from(&source.standing);
        self.strays.clone_from(&source.strays);
    }
}

impl<E: Event> LocalState<E> {
    /// The b-threads that have come this far; they must fit the program.
    pub(super) fn new(
        blueprint: &Blueprint<E>,
        thread_states: ThreadStates<E>,
    ) -> Result<Self, OutsideAlphabet<E>> {
        let ThreadStates { positions, states, added } = thread_states;
        let bytes = vec![0; blueprint.bytes].into();
        let mut state = Self { standing: Standing::new(blueprint, bytes), strays: None };
        let (mut positions, mut states) = (positions.into_iter(), states.into_iter());
        for thread in 0..blueprint.threads() {
            match blueprint.track(thread).movement {
                LocalMovement::Script(_) => {
                    state.place(blueprint, thread, positions.next().expect(FITS));
                }
                LocalMovement::Stateful(ordinal) => {
                    state.place_state(blueprint, thread, ordinal, states.next().expect(FITS))?;
                }
            }
        }
        for thread in added {
            state.add(blueprint, thread)?;
        }
        state.commit(blueprint);
        Ok(state)
    }

    /// The b-threads with the numbers in these bytes.
    pub(super) fn numbered(blueprint: &Blueprint<E>, bytes: &[u8]) -> Self {
        let mut standing = Standing::new(blueprint, bytes.into());
        let learned = lock(blueprint);
        for thread in 0..blueprint.threads() {
            let local = standing.local(blueprint, thread);
            let letters = standing::letters(blueprint, learned.as_deref(), thread, local);
            standing.shift(thread, None, letters);
        }
        Self { standing, strays: None }
    }

    /// The b-threads with these numbers.
    pub(super) fn with_numbers(
        blueprint: &Blueprint<E>,
        locals: impl Iterator<Item = u32>,
    ) -> Self {
        let bytes = vec![0; blueprint.bytes].into();
        let mut state = Self { standing: Standing::new(blueprint, bytes), strays: None };
        (0..).zip(locals).for_each(|(thread, local)| state.place(blueprint, thread, local));
        state
    }

    /// The number of a b-thread of the program.
    pub(super) fn local(&self, blueprint: &Blueprint<E>, thread: u32) -> u32 {
        self.standing.local(blueprint, thread)
    }

    /// Gives a b-thread another number.
    #[inline]
    pub(super) fn relocate(&mut self, blueprint: &Blueprint<E>, motion: Motion) {
        self.standing.perform(blueprint, motion, lock(blueprint).as_deref());
    }

    /// Whether some b-threads are at sync points that too many events leave to be listed under each.
    #[inline]
    pub(super) fn is_watching(&self) -> bool {
        !self.standing.watching.is_empty()
    }

    /// Calls `show` with each b-thread that an event moves, without moving it. All states must have
    /// numbers.
    #[inline]
    pub(super) fn each_motion(
        &self,
        blueprint: &Blueprint<E>,
        event: u32,
        mut show: impl FnMut(Motion),
    ) -> Result<(), OutsideAlphabet<E>> {
        self.standing.each_motion(blueprint, event, &mut show);
        if !blueprint.has_states() {
            return Ok(());
        }
        for (thread, ordinal) in self.concerned_states(blueprint, event) {
            let motion = self.state_motion(blueprint, thread, ordinal, event)?;
            if let Some((motion, _)) = motion {
                show(motion);
            }
        }
        Ok(())
    }

    fn place(&mut self, blueprint: &Blueprint<E>, thread: u32, local: u32) {
        let learned = lock(blueprint);
        let letters = standing::letters(blueprint, learned.as_deref(), thread, local);
        self.standing.set_local(blueprint, thread, local);
        self.standing.shift(thread, None, letters);
    }

    fn place_state(
        &mut self,
        blueprint: &Blueprint<E>,
        thread: u32,
        ordinal: u32,
        state: BehaviourState<E>,
    ) -> Result<(), OutsideAlphabet<E>> {
        if let Some(local) = number(blueprint, thread, ordinal, state.clone())? {
            self.place(blueprint, thread, local);
            return Ok(());
        }
        self.standing.set_local(blueprint, thread, UNNUMBERED);
        self.adopt(blueprint, thread, state)
    }

    /// Holds a b-thread of the program by value.
    fn adopt(
        &mut self,
        blueprint: &Blueprint<E>,
        thread: u32,
        state: BehaviourState<E>,
    ) -> Result<(), OutsideAlphabet<E>> {
        let with_state = in_state(blueprint, thread, state);
        let strays = strays(&mut self.strays, blueprint);
        strays.adopt(&blueprint.alphabet, &mut self.standing, thread, with_state)
    }

    /// The numbers of all b-threads in bytes, unless the run holds some by value.
    pub(super) fn bytes(&self) -> Option<&[u8]> {
        self.strays.is_none().then(|| self.standing.bytes())
    }

    /// Whether two states of one blueprint are equal; `None` if their numbers do not tell.
    pub(super) fn is_equal(&self, other: &Self) -> Option<bool> {
        let are_numbered = self.strays.is_none() && other.strays.is_none();
        are_numbered.then(|| self.standing.bytes() == other.standing.bytes())
    }

    /// Moves the b-threads because an event happens.
    #[inline]
    pub(super) fn advance(
        &mut self,
        blueprint: &Blueprint<E>,
        event: u32,
    ) -> Result<Handled, OutsideAlphabet<E>> {
        let first = self.standing.moved.len();
        self.standing.advance(blueprint, event);
        if blueprint.has_states() || self.strays.is_some() {
            return self.advance_others(blueprint, event, first);
        }
        Ok(handled(self.standing.moved.len() > first))
    }

    /// Moves the b-threads that do not follow scripts of the program. The moves of the others are
    /// those from `first` on.
    ///
    /// If one of them then requests an event outside of the alphabet, the superstep must be undone.
    #[inline(never)]
    fn advance_others(
        &mut self,
        blueprint: &Blueprint<E>,
        event: u32,
        first: usize,
    ) -> Result<Handled, OutsideAlphabet<E>> {
        let (mut states, mut unnumbered) = (Vec::new(), Vec::new());
        // The error names the b-thread of highest priority.
        let mut outside: Option<(u32, OutsideAlphabet<E>)> = None;
        let mut refuse = |number: u32, error: OutsideAlphabet<E>| {
            if outside.as_ref().is_none_or(|(other, _)| number < *other) {
                outside = Some((number, error));
            }
        };
        for (thread, ordinal) in self.concerned_states(blueprint, event) {
            match self.state_motion(blueprint, thread, ordinal, event) {
                Ok(None) => {}
                Ok(Some((motion, state))) => {
                    states.push(motion);
                    unnumbered.extend(state.map(|state| (thread, state)));
                }
                Err(error) => refuse(thread, error),
            }
        }
        let mut has_moved = false;
        if let Some(strays) = &mut self.strays {
            match strays.advance(&blueprint.alphabet, &mut self.standing, event) {
                Ok(moved) => has_moved = moved,
                Err((number, error)) => refuse(number, error),
            }
        }
        for (thread, state) in &unnumbered {
            let thread_then = in_state(blueprint, *thread, state.clone());
            if let Some(point) = thread_then.sync_point()
                && let Err(error) = blueprint.alphabet.check(thread_then.name(), &point)
            {
                refuse(*thread, error);
            }
        }
        if let Some((_, error)) = outside {
            return Err(error);
        }
        for motion in states {
            self.standing.moved.push(motion);
            self.standing.perform(blueprint, motion, lock(blueprint).as_deref());
        }
        has_moved |= self.standing.moved.len() > first;
        for (thread, state) in unnumbered {
            self.adopt(blueprint, thread, state).expect("its requests were checked");
        }
        Ok(handled(has_moved))
    }

    /// Whether some b-threads have a state with a number.
    pub(super) fn has_numbered_states(&self, blueprint: &Blueprint<E>) -> bool {
        let adopted = self.strays.as_ref().map_or(0, |strays| strays.adopted());
        blueprint.stateful().len() > adopted
    }

    /// The b-threads with numbered states that an event may concern.
    fn concerned_states(&self, blueprint: &Blueprint<E>, event: u32) -> Vec<(u32, u32)> {
        if !self.has_numbered_states(blueprint) {
            return Vec::new();
        }
        let learned = blueprint.learned();
        let listed = learned.concerned(event).iter();
        let listed = listed.map(|ordinal| (blueprint.stateful()[*ordinal as usize], *ordinal));
        let is_listed = |(thread, _): &(u32, u32)| {
            !self.standing.watching.contains(*thread)
                && self.standing.local(blueprint, *thread) != UNNUMBERED
        };
        let mut concerned: Vec<(u32, u32)> = listed.filter(is_listed).collect();
        for thread in self.standing.watching.iter() {
            if thread < blueprint.threads()
                && let LocalMovement::Stateful(ordinal) = blueprint.track(thread).movement
            {
                concerned.push((thread, ordinal));
            }
        }
        concerned
    }

    /// The move of a b-thread with a numbered state, and its next state if that has no number.
    #[expect(clippy::type_complexity, reason = "it is a move, perhaps with a state")]
    fn state_motion(
        &self,
        blueprint: &Blueprint<E>,
        thread: u32,
        ordinal: u32,
        event: u32,
    ) -> Result<Option<(Motion, Option<BehaviourState<E>>)>, OutsideAlphabet<E>> {
        let from = self.standing.local(blueprint, thread);
        if from == UNNUMBERED {
            return Ok(None);
        }
        let step = blueprint.learned().step(ordinal, from, event, blueprint.alphabet.event(event));
        let motion = |to| Motion { thread, from, to };
        Ok(match step {
            SeenStep::Stays => None,
            SeenStep::To(to) => Some((motion(to), None)),
            SeenStep::Unseen(state) => match number(blueprint, thread, ordinal, state.clone())? {
                Some(to) => {
                    blueprint.learn(|learned| learned.remember(ordinal, from, event, to));
                    Some((motion(to), None))
                }
                None => Some((motion(UNNUMBERED), Some(state))),
            },
        })
    }

    /// Adds a b-thread of lowest priority.
    pub(super) fn add(
        &mut self,
        blueprint: &Blueprint<E>,
        thread: AnyBThread<E>,
    ) -> Result<(), OutsideAlphabet<E>> {
        let strays = strays(&mut self.strays, blueprint);
        strays.add(&blueprint.alphabet, &mut self.standing, thread)
    }

    /// Whether a b-thread that has not ended has this name.
    pub(super) fn has(&self, blueprint: &Blueprint<E>, name: &Name) -> bool {
        let is_stray = self.strays.as_ref().is_some_and(|strays| strays.has(name));
        is_stray
            || blueprint.program.number(name).is_some_and(|number| self.is_live(blueprint, number))
    }

    fn is_live(&self, blueprint: &Blueprint<E>, number: u32) -> bool {
        LocalReader::new(blueprint, self).letters(number).is_some()
    }

    /// Keeps everything that happened since the superstep began.
    #[inline]
    pub(super) fn commit(&mut self, blueprint: &Blueprint<E>) {
        self.standing.moved.clear();
        if let Some(strays) = &mut self.strays
            && strays.commit(blueprint.threads())
        {
            self.tidy(blueprint);
        }
    }

    /// Drops b-threads that were added and have ended.
    #[cold]
    fn tidy(&mut self, blueprint: &Blueprint<E>) {
        let lifted = self.standing.lifted;
        *self = Self::new(blueprint, self.thread_states(blueprint))
            .expect("all b-threads request known events");
        // It must not come back to a number that it had before.
        self.standing.lifted += lifted;
    }

    /// Goes back to where the superstep began.
    pub(super) fn undo(&mut self, blueprint: &Blueprint<E>) {
        if let Some(strays) = &mut self.strays {
            strays.undo(&mut self.standing, blueprint.threads());
            if strays.all().is_empty() {
                self.strays = None;
            }
        }
        self.standing.undo(blueprint, lock(blueprint).as_deref());
    }

    /// The first 64 events that are not blocked. If there are fewer, other bits mean nothing.
    #[inline]
    pub(super) fn first_unblocked(&self) -> u64 {
        !self.standing.blocked.word(0)
    }

    /// For every 64 events, those that are blocked; empty if none ever was.
    #[inline]
    pub(super) fn blocked_rows(&self) -> &[TallyRow] {
        self.standing.blocked.rows()
    }

    /// The events of a word of 64 that are not blocked. Bits past the last event are 0.
    #[inline]
    pub(super) fn unblocked(&self, blueprint: &Blueprint<E>, word: u32) -> u64 {
        let left = blueprint.alphabet.width().saturating_sub(word.saturating_mul(u64::BITS));
        let past = if left >= u64::BITS { 0 } else { u64::MAX << left };
        !self.standing.blocked.word(word) & !past
    }

    /// How often a set was no longer blocked.
    pub(super) fn lifted(&self) -> u64 {
        self.standing.lifted
    }

    #[inline]
    pub(super) fn is_blocked(&self, event: u32) -> bool {
        self.standing.blocked.contains(event)
    }

    /// The status, provided that no requested event can happen.
    pub(super) fn status(&self) -> Status {
        match (self.standing.live, self.standing.asking) {
            (0, _) => Status::Finished,
            (_, 0) => Status::Waiting,
            (_, _) => Status::Stuck,
        }
    }

    /// The first unblocked request of the b-thread of highest priority.
    #[inline]
    pub(super) fn first(&self, blueprint: &Blueprint<E>) -> Option<Pick> {
        if self.standing.asking == 0 {
            return None;
        }
        LocalReader::new(blueprint, self).first()
    }

    /// Ranks the requests, or brings their ranks up to date, if more b-threads request something than
    /// a list is made of.
    pub(super) fn rank_requests(&mut self, blueprint: &Blueprint<E>) {
        if self.standing.ranking.is_none() && self.standing.asking > MOST_UNRANKED {
            let ranking = LocalReader::new(blueprint, self).ranking();
            self.standing.ranking = Some(Box::new(ranking));
        }
        if let Some(ranking) = &mut self.standing.ranking {
            ranking.refresh(&self.standing.blocked);
        }
    }

    /// The requests that can happen, one for each event, highest priority first.
    pub(super) fn picks(&self, blueprint: &Blueprint<E>) -> Vec<Pick> {
        let mut picks = Vec::new();
        self.add_picks(blueprint, &mut picks);
        picks
    }

    /// As [`LocalState::picks`], at the end of a list.
    pub(super) fn add_picks(&self, blueprint: &Blueprint<E>, picks: &mut Vec<Pick>) {
        if self.standing.asking > 0 {
            LocalReader::new(blueprint, self).picks(picks);
        }
    }

    /// For each of these events, the highest priority of a sync point that requests it, if any
    /// has one.
    pub(super) fn ranks(&self, blueprint: &Blueprint<E>, picks: &[Pick]) -> Vec<Option<i32>> {
        LocalReader::new(blueprint, self).ranks(picks)
    }

    /// Calls `show` with each b-thread that has not ended and its sync point, highest priority
    /// first.
    pub(super) fn visit(
        &self,
        blueprint: &Blueprint<E>,
        show: &mut dyn FnMut(&Name, &SyncPoint<E>),
    ) {
        self.visit_some(blueprint, &mut (0..blueprint.threads()), show);
        for stray in self.strays.iter().flat_map(|strays| strays.added(blueprint.threads())) {
            stray.point().into_iter().for_each(|point| show(stray.thread.name(), point));
        }
    }

    /// As [`LocalState::visit`], for the b-threads with these numbers only.
    pub(super) fn visit_some(
        &self,
        blueprint: &Blueprint<E>,
        threads: &mut dyn Iterator<Item = u32>,
        show: &mut dyn FnMut(&Name, &SyncPoint<E>),
    ) {
        // `show` may ask for more, and must not hold a lock meanwhile.
        let reader = LocalReader::unlocked(blueprint, self);
        threads.for_each(|thread| reader.visit_one(thread, show));
    }

    /// The b-threads and sets that block an event, highest priority first.
    pub(super) fn blockers(&self, blueprint: &Blueprint<E>, event: u32) -> Vec<Interest<E>> {
        let added = self.strays.iter().flat_map(|strays| strays.added(blueprint.threads()));
        let mut threads = blueprint.blockers(event);
        threads.extend(added.map(|stray| stray.number));
        let spoken = blueprint.alphabet.event(event);
        let mut blockers = Vec::new();
        self.visit_some(blueprint, &mut threads.into_iter(), &mut |name, point| {
            let sets = point.blocks().iter().filter(|set| set.contains(spoken));
            blockers.extend(sets.map(|set| Interest { thread: name.clone(), set: set.clone() }));
        });
        blockers
    }

    pub(super) fn name<'a>(&'a self, blueprint: &'a Blueprint<E>, number: u32) -> &'a Name {
        if let Some(thread) = blueprint.program.threads().get(number as usize) {
            thread.name()
        } else {
            let stray = self.strays.as_ref().and_then(|strays| strays.get(number));
            stray.expect("other b-threads were added").thread.name()
        }
    }

    /// How far every b-thread has come.
    pub(super) fn thread_states(&self, blueprint: &Blueprint<E>) -> ThreadStates<E> {
        let learned = lock(blueprint);
        let (mut positions, mut states) = (Vec::new(), Vec::new());
        for thread in 0..blueprint.threads() {
            let local = self.standing.local(blueprint, thread);
            match blueprint.track(thread).movement {
                LocalMovement::Script(_) => positions.push(local),
                LocalMovement::Stateful(_) if local == UNNUMBERED => {
                    let stray = self.strays.as_ref().and_then(|strays| strays.get(thread));
                    states.extend(stray.and_then(|stray| stray.thread.state().cloned()));
                }
                LocalMovement::Stateful(ordinal) => {
                    let learned = learned.as_deref().expect(LOCKED);
                    states.push(learned.state(ordinal, local).state.clone());
                }
            }
        }
        let added = self.strays.iter().flat_map(|strays| strays.added(blueprint.threads()));
        let added = added.map(|stray| stray.thread.clone()).collect();
        ThreadStates { positions, states, added }
    }

    /// The size in bytes, without b-threads that the run holds by value.
    pub(super) fn size(&self) -> usize {
        size_of::<Self>() + self.standing.size()
    }
}

/// If at most this many b-threads request something, a list of all requests is made for each choice.
pub(super) const MOST_UNRANKED: u32 = 16;

fn handled(has_moved: bool) -> Handled {
    if has_moved { Handled::Yes } else { Handled::No }
}

/// The states of b-threads that have numbers, if any b-thread has a state.
fn lock<E: Event>(blueprint: &Blueprint<E>) -> Option<RwLockReadGuard<'_, Learned<E>>> {
    blueprint.has_states().then(|| blueprint.learned())
}

fn strays<'a, E: Event>(
    strays: &'a mut Option<Box<Strays<E>>>,
    blueprint: &Blueprint<E>,
) -> &'a mut Strays<E> {
    strays.get_or_insert_with(|| Box::new(Strays::new(blueprint.threads())))
}

/// The number of a state, if it has one or gets one.
fn number<E: Event>(
    blueprint: &Blueprint<E>,
    thread: u32,
    ordinal: u32,
    state: BehaviourState<E>,
) -> Result<Option<u32>, OutsideAlphabet<E>> {
    if let Some(number) = blueprint.learned().number(ordinal, &state) {
        return Ok(Some(number));
    }
    let name = blueprint.program.threads()[thread as usize].name();
    blueprint.learn(|learned| learned.learn(&blueprint.alphabet, ordinal, name, state))
}

/// A b-thread of the program in another state.
fn in_state<E: Event>(
    blueprint: &Blueprint<E>,
    thread: u32,
    then: BehaviourState<E>,
) -> AnyBThread<E> {
    let mut thread = blueprint.program.threads()[thread as usize].clone();
    if let Body::Behaviour(state) = thread.body_mut() {
        *state = then;
    }
    thread
}

const FITS: &str = "the states fit the program";
