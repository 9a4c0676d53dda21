//! B-threads that a closed run holds by value.

use std::borrow::Cow;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::alphabet::{Alphabet, Letters};
use super::number_set::KnownSets;
use super::standing::Standing;
use crate::any_b_thread::AnyBThread;
use crate::error::OutsideAlphabet;
use crate::event::Event;
use crate::name::Name;
use crate::sync_point::{Reaction, SyncPoint};

/// The b-threads that are not in the blueprint: those that were added to the run, and those whose
/// states have no numbers because there are too many.
#[derive(Clone)]
pub(super) struct Strays<E: Event> {
    threads: Vec<StrayThread<E>>,
    /// The place of each b-thread, by its number.
    places: FxHashMap<u32, u32>,
    /// For each event, the places of b-threads that may move at it.
    concerned: FxHashMap<u32, Vec<u32>>,
    /// The names of those that were added and have not ended.
    names: FxHashSet<Name>,
    /// The number of the next b-thread that is added.
    next: u32,
    /// How many of them are b-threads of the program.
    adopted: usize,
    /// The b-threads that moved since the superstep began, as they were.
    before: Vec<(u32, StrayThread<E>)>,
    /// The number of b-threads when the superstep began.
    count_before: usize,
    /// The places of the b-threads that the latest event moved.
    touched: Vec<u32>,
}

/// One of them.
#[derive(Clone)]
pub(super) struct StrayThread<E: Event> {
    /// Its place in the order of priorities.
    pub(super) number: u32,
    pub(super) thread: AnyBThread<E>,
    stand: Option<StrayStand<E>>,
    /// Other places where it stood before. Most b-threads come back to the same sync points.
    recent: Vec<StrayStand<E>>,
    /// The events whose lists have the b-thread, in order.
    listed: Vec<u32>,
    has_moved: bool,
}

/// Where a b-thread stands.
#[derive(Clone)]
struct StrayStand<E: Event> {
    point: Arc<SyncPoint<E>>,
    letters: Arc<Letters>,
}

impl<E: Event> Strays<E> {
    /// No b-threads; the first one that is added gets this number.
    pub(super) fn new(next: u32) -> Self {
        Self {
            threads: Vec::new(),
            places: FxHashMap::default(),
            concerned: FxHashMap::default(),
            names: FxHashSet::default(),
            next,
            adopted: 0,
            before: Vec::new(),
            count_before: 0,
            touched: Vec::new(),
        }
    }

    /// Adds a b-thread of lowest priority, unless it has ended.
    pub(super) fn add(
        &mut self,
        alphabet: &Alphabet<E>,
        standing: &mut Standing,
        thread: AnyBThread<E>,
    ) -> Result<(), OutsideAlphabet<E>> {
        if thread.has_ended() {
            return Ok(());
        }
        let stand = stand(alphabet, &thread)?;
        self.names.insert(thread.name().clone());
        let number = self.next;
        self.next += 1;
        self.take_in(standing, number, thread, stand);
        Ok(())
    }

    /// Takes over a b-thread of the program.
    pub(super) fn adopt(
        &mut self,
        alphabet: &Alphabet<E>,
        standing: &mut Standing,
        number: u32,
        thread: AnyBThread<E>,
    ) -> Result<(), OutsideAlphabet<E>> {
        let stand = stand(alphabet, &thread)?;
        self.adopted += 1;
        self.take_in(standing, number, thread, stand);
        Ok(())
    }

    fn take_in(
        &mut self,
        standing: &mut Standing,
        number: u32,
        thread: AnyBThread<E>,
        stand: Option<StrayStand<E>>,
    ) {
        let place = u32::try_from(self.threads.len()).expect("b-threads fit into memory");
        standing.shift(number, None, stand.as_ref().map(|stand| &*stand.letters));
        self.places.insert(number, place);
        let listed = Vec::new();
        let recent = Vec::new();
        self.threads.push(StrayThread { number, thread, stand, recent, listed, has_moved: false });
        self.list(place);
    }

    /// Adds a b-thread to the lists of the events that move it now. It stays there, because most
    /// b-threads come back to the same events.
    fn list(&mut self, place: u32) {
        let StrayThread { stand, listed, .. } = &mut self.threads[place as usize];
        let letters = stand.as_ref().map(|stand| &stand.letters);
        let Some(letters) = letters.filter(|letters| !letters.is_wide) else { return };
        for event in letters.concerns() {
            if let Err(place_in_order) = listed.binary_search(&event) {
                listed.insert(place_in_order, event);
                self.concerned.entry(event).or_default().push(place);
            }
        }
    }

    /// How many of them are b-threads of the program.
    pub(super) fn adopted(&self) -> usize {
        self.adopted
    }

    /// Whether the name is that of a b-thread that was added and has not ended.
    pub(super) fn has(&self, name: &Name) -> bool {
        self.names.contains(name)
    }

    /// The b-thread with this number.
    pub(super) fn get(&self, number: u32) -> Option<&StrayThread<E>> {
        self.places.get(&number).map(|place| &self.threads[*place as usize])
    }

    /// The b-threads that were added and have not ended, in order.
    pub(super) fn added(&self, threads: u32) -> impl Iterator<Item = &StrayThread<E>> {
        let added = self.threads.iter().filter(move |each| each.number >= threads);
        added.filter(|each| each.stand.is_some())
    }

    /// All of them, in no particular order.
    pub(super) fn all(&self) -> &[StrayThread<E>] {
        &self.threads
    }

    /// Moves the b-threads that an event concerns, and returns whether there are any.
    ///
    /// If one of them then requests an event outside of the alphabet, the superstep must be undone.
    /// The error is that of the b-thread of highest priority.
    pub(super) fn advance(
        &mut self,
        alphabet: &Alphabet<E>,
        standing: &mut Standing,
        event: u32,
    ) -> Result<bool, (u32, OutsideAlphabet<E>)> {
        let mut touched = std::mem::take(&mut self.touched);
        touched.clear();
        let listed = self.concerned.get(&event).map_or(&[][..], Vec::as_slice).iter().copied();
        let listed = listed.filter(|place| !self.threads[*place as usize].is_wide());
        let watching = standing.watching.iter().filter_map(|number| self.places.get(&number));
        touched.extend(listed.chain(watching.copied()));
        touched.retain(|place| self.threads[*place as usize].reaction(event) != Reaction::Stays);
        let mut refused: Option<(u32, OutsideAlphabet<E>)> = None;
        for place in &touched {
            let moved = self.advance_one(alphabet, standing, *place, event);
            if let Err(error) = moved
                && refused.as_ref().is_none_or(|(number, _)| error.0 < *number)
            {
                refused = Some(error);
            }
        }
        let has_moved = !touched.is_empty();
        self.touched = touched;
        refused.map_or(Ok(has_moved), Err)
    }

    fn advance_one(
        &mut self,
        alphabet: &Alphabet<E>,
        standing: &mut Standing,
        place: u32,
        event: u32,
    ) -> Result<(), (u32, OutsideAlphabet<E>)> {
        let stray = &mut self.threads[place as usize];
        if !stray.has_moved {
            stray.has_moved = true;
            self.before.push((place, stray.clone()));
        }
        if stray.reaction(event) == Reaction::Ends {
            stray.thread.end();
        } else {
            stray.thread.go_on(alphabet.event(event));
        }
        let Some(point) = stray.thread.sync_point() else {
            standing.shift(stray.number, stray.letters(), None);
            stray.stand = None;
            return Ok(());
        };
        match stray.seen(&point) {
            Some(SeenStand::Present) => {}
            Some(SeenStand::Recent(recent)) => stray.exchange(standing, recent),
            None => {
                let point = point.into_owned();
                let next = StrayStand::new(alphabet, stray.thread.name(), point);
                let next = next.map_err(|outside| (stray.number, outside))?;
                stray.come_to(standing, next);
                self.list(place);
            }
        }
        Ok(())
    }

    /// Keeps everything that happened since the superstep began, and returns whether most of the
    /// b-threads have ended.
    pub(super) fn commit(&mut self, threads: u32) -> bool {
        for (place, _) in self.before.drain(..) {
            let stray = &mut self.threads[place as usize];
            stray.has_moved = false;
            if stray.stand.is_none() && stray.number >= threads {
                self.names.remove(stray.thread.name());
            }
        }
        self.count_before = self.threads.len();
        let ended = self.threads.len() - self.adopted - self.names.len();
        ended > 64 && ended > self.threads.len() / 2
    }

    /// Goes back to where the superstep began.
    pub(super) fn undo(&mut self, standing: &mut Standing, threads: u32) {
        for (place, was) in std::mem::take(&mut self.before) {
            let stray = &mut self.threads[place as usize];
            standing.shift(was.number, stray.letters(), was.letters());
            let listed = std::mem::take(&mut stray.listed);
            *stray = StrayThread { listed, has_moved: false, ..was };
        }
        while self.threads.len() > self.count_before {
            let Some(stray) = self.threads.pop() else { break };
            let place = u32::try_from(self.threads.len()).expect("b-threads fit into memory");
            standing.shift(stray.number, stray.letters(), None);
            self.places.remove(&stray.number);
            for event in &stray.listed {
                if let Some(places) = self.concerned.get_mut(event) {
                    places.retain(|other| *other != place);
                }
            }
            if stray.number >= threads {
                self.names.remove(stray.thread.name());
                self.next = self.next.min(stray.number);
            } else {
                self.adopted -= 1;
            }
        }
    }
}

impl<E: Event> StrayThread<E> {
    /// The sync point, unless the b-thread has ended.
    pub(super) fn point(&self) -> Option<&SyncPoint<E>> {
        self.stand.as_ref().map(|stand| &*stand.point)
    }

    pub(super) fn letters(&self) -> Option<&Letters> {
        self.stand.as_ref().map(|stand| &*stand.letters)
    }

    /// Whether the b-thread stands at this sync point now, or stood there before. What a predicate
    /// contains is unknown, so sync points with predicates are new each time.
    fn seen(&self, point: &SyncPoint<E>) -> Option<SeenStand> {
        let is_same = |stand: &StrayStand<E>| *stand.point == *point && !point.has_predicate();
        if self.stand.as_ref().is_some_and(is_same) {
            return Some(SeenStand::Present);
        }
        self.recent.iter().position(is_same).map(SeenStand::Recent)
    }

    /// Comes back to a sync point.
    fn exchange(&mut self, standing: &mut Standing, recent: usize) {
        let (there, here) = (&mut self.recent[recent], self.stand.as_mut());
        standing.shift(
            self.number,
            here.as_deref().map(|here| &*here.letters),
            Some(&there.letters),
        );
        match here {
            Some(here) => std::mem::swap(here, there),
            None => self.stand = Some(self.recent.remove(recent)),
        }
    }

    /// Comes to a sync point for the first time.
    fn come_to(&mut self, standing: &mut Standing, next: StrayStand<E>) {
        standing.shift(self.number, self.letters(), Some(&next.letters));
        let left = self.stand.replace(next);
        if let Some(left) = left.filter(|left| !left.point.has_predicate()) {
            if self.recent.len() == MOST_RECENT {
                self.recent.remove(0);
            }
            self.recent.push(left);
        }
    }

    fn is_wide(&self) -> bool {
        self.letters().is_some_and(|letters| letters.is_wide)
    }

    fn reaction(&self, event: u32) -> Reaction {
        match self.letters() {
            Some(letters) if letters.interrupts.contains(event) => Reaction::Ends,
            Some(letters) if letters.goes_on_at(event) => Reaction::GoesOn,
            Some(_) | None => Reaction::Stays,
        }
    }
}

/// Where a b-thread stands that comes to a sync point which it knows.
enum SeenStand {
    Present,
    /// At this place among the recent ones.
    Recent(usize),
}

impl<E: Event> StrayStand<E> {
    fn new(
        alphabet: &Alphabet<E>,
        name: &Name,
        point: SyncPoint<E>,
    ) -> Result<Self, OutsideAlphabet<E>> {
        let letters = alphabet.letters(name, &point, &mut KnownSets::forgetting())?;
        Ok(Self { point: point.into(), letters: letters.into() })
    }
}

/// The most sync points of a b-thread that are remembered, besides the present one.
const MOST_RECENT: usize = 4;

/// Where a b-thread stands, unless it has ended.
fn stand<E: Event>(
    alphabet: &Alphabet<E>,
    thread: &AnyBThread<E>,
) -> Result<Option<StrayStand<E>>, OutsideAlphabet<E>> {
    let point = thread.sync_point().map(Cow::into_owned);
    point.map(|point| StrayStand::new(alphabet, thread.name(), point)).transpose()
}
