//! Reading the states of the b-threads of a closed run.

use std::sync::RwLockReadGuard;

use rustc_hash::{FxHashMap, FxHashSet};

use super::alphabet::Letters;
use super::blueprint::{Blueprint, LocalMovement};
use super::learned::Learned;
use super::local_ranking::LocalRanking;
use super::local_state::LocalState;
use super::standing::{self, UNNUMBERED};
use super::strays::StrayThread;
use crate::any_b_thread::Body;
use crate::engine::Pick;
use crate::event::Event;
use crate::name::Name;
use crate::sync_point::SyncPoint;

/// The b-threads of a state, for reading.
pub(super) struct LocalReader<'a, E: Event> {
    blueprint: &'a Blueprint<E>,
    state: &'a LocalState<E>,
    learned: Option<RwLockReadGuard<'a, Learned<E>>>,
}

/// The b-threads that are asked for a request that can happen, before the events are asked. Lists of
/// at most this length are searched without an index.
const FEW: usize = 64;

impl<'a, E: Event> LocalReader<'a, E> {
    pub(super) fn new(blueprint: &'a Blueprint<E>, state: &'a LocalState<E>) -> Self {
        // Taking the lock costs as much as a step.
        let learned = state.has_numbered_states(blueprint).then(|| blueprint.learned());
        Self { blueprint, state, learned }
    }

    /// Reads without the states of b-threads that have numbers.
    pub(super) fn unlocked(blueprint: &'a Blueprint<E>, state: &'a LocalState<E>) -> Self {
        Self { blueprint, state, learned: None }
    }

    fn stray(&self, number: u32) -> Option<&'a StrayThread<E>> {
        self.state.strays.as_ref().and_then(|strays| strays.get(number))
    }

    /// The sync point of a b-thread in numbers, unless it has ended.
    #[inline]
    pub(super) fn letters(&self, number: u32) -> Option<&Letters> {
        let Some((first, count)) = self.blueprint.short_script(number) else {
            return self.other_letters(number);
        };
        let local = u32::from(self.state.standing.low_byte(number));
        (local < count).then(|| self.blueprint.point(first + local))
    }

    /// As [`LocalReader::letters`], for a b-thread without a short script.
    fn other_letters(&self, number: u32) -> Option<&Letters> {
        if number >= self.blueprint.threads() {
            return self.stray(number)?.letters();
        }
        let local = self.state.standing.local(self.blueprint, number);
        match self.blueprint.track(number).movement {
            LocalMovement::Stateful(_) if local == UNNUMBERED => self.stray(number)?.letters(),
            _ => standing::letters(self.blueprint, self.learned.as_deref(), number, local),
        }
    }

    /// Calls `show` with the sync point of a b-thread, unless it has ended.
    pub(super) fn visit_one(&self, number: u32, show: &mut dyn FnMut(&Name, &SyncPoint<E>)) {
        let stray = |show: &mut dyn FnMut(&Name, &SyncPoint<E>)| {
            if let Some(stray) = self.stray(number)
                && let Some(point) = stray.point()
            {
                show(stray.thread.name(), point);
            }
        };
        let Some(thread) = self.blueprint.program.threads().get(number as usize) else {
            return stray(show);
        };
        let local = self.state.standing.local(self.blueprint, number);
        match (thread.body(), self.blueprint.track(number).movement) {
            (Body::Script { script, .. }, _) => {
                script.point(local).into_iter().for_each(|point| show(thread.name(), point));
            }
            (Body::Behaviour(_), LocalMovement::Stateful(ordinal)) if local != UNNUMBERED => {
                let point = self.blueprint.state_point(ordinal, local);
                if let Some(point) = &point {
                    show(thread.name(), point);
                }
            }
            (Body::Behaviour(_), _) => stray(show),
        }
    }

    pub(super) fn first(&self) -> Option<Pick> {
        let standing = &self.state.standing;
        for thread in standing.requesting.iter().take(FEW) {
            let request = self.letters(thread).and_then(|letters| standing.first_of(letters));
            if let Some(request) = request {
                return Some(Pick { thread, request });
            }
        }
        if (standing.asking as usize) <= FEW { None } else { self.first_by_event() }
    }

    /// The first pick, found from the events that can happen: they are few if most requests are
    /// blocked.
    #[cold]
    fn first_by_event(&self) -> Option<Pick> {
        let standing = &self.state.standing;
        let is_asking = |number: &u32| standing.requesting.contains(*number);
        let mut first: Option<u32> = None;
        for (place, word) in (0..).zip(standing.enabled(self.words())) {
            for event in bits(word).map(|bit| place * u64::BITS + bit) {
                let requests = |number: &u32| {
                    let letters = self.letters(*number);
                    letters.is_some_and(|letters| letters.requested.contains(event))
                };
                let mut threads = self.blueprint.requesters(event).iter().copied();
                let before = first.unwrap_or(u32::MAX);
                let found = threads
                    .by_ref()
                    .take_while(|number| *number < before)
                    .find(|number| is_asking(number) && requests(number));
                first = found.or(first);
            }
        }
        let strays = self.state.strays.iter().flat_map(|strays| strays.all());
        let strays = strays.map(|stray| stray.number);
        let others = self.blueprint.stateful().iter().copied().chain(strays).filter(is_asking);
        let can = |number: &u32| {
            self.letters(*number).is_some_and(|letters| standing.first_of(letters).is_some())
        };
        let thread = first.into_iter().chain(others.filter(can)).min()?;
        let request = standing.first_of(self.letters(thread)?)?;
        Some(Pick { thread, request })
    }

    pub(super) fn picks(&self, picks: &mut Vec<Pick>) {
        let standing = &self.state.standing;
        if self.words() == 1 {
            self.picks_among(&mut [standing.enabled_word(0)], picks);
        } else {
            let mut left: Vec<u64> = standing.enabled(self.words()).collect();
            self.picks_among(&mut left, picks);
        }
    }

    /// For each of these events, the highest priority of a sync point that requests it, if any
    /// has one.
    pub(super) fn ranks(&self, picks: &[Pick]) -> Vec<Option<i32>> {
        let mut ranks = vec![None; picks.len()];
        let places = places(picks);
        let requesting = self.state.standing.requesting.iter();
        let requesting = requesting.filter_map(|number| self.letters(number));
        for letters in requesting.filter(|letters| letters.priority.is_some()) {
            for place in letters.requests.iter().filter_map(|request| places(*request)) {
                ranks[place] = letters.priority.max(ranks[place]);
            }
        }
        ranks
    }

    /// All requests, to be ranked.
    pub(super) fn ranking(&self) -> LocalRanking {
        let mut ranking = LocalRanking::new(self.blueprint.alphabet.width());
        for thread in self.state.standing.requesting.iter() {
            if let Some(letters) = self.letters(thread) {
                ranking.come_to(thread, letters);
            }
        }
        ranking
    }

    /// The first of the ranked requests that can happen.
    pub(super) fn first_ranked(&self) -> Option<Pick> {
        let requests = &self.state.standing.ranking.as_ref()?.requests;
        let thread = requests.first_thread()?;
        let mut own = self.letters(thread)?.requests.iter().copied();
        let request = own.find(|event| requests.of(*event).is_some())?;
        Some(Pick { thread, request })
    }

    /// One of the requests of the highest priority, by its rank among them, if they are ranked.
    pub(super) fn highest(&self, rank: u64) -> Option<Pick> {
        let requests = &self.state.standing.ranking.as_ref()?.requests;
        let (wanted, rank) = requests.highest(rank)?;
        let letters = self.letters(wanted.thread)?;
        let mut seen = FxHashSet::default();
        let is_wanted = |event: &u32| requests.of(*event) == Some(wanted) && seen.insert(*event);
        let request = letters.requests.iter().copied().filter(is_wanted).nth(rank)?;
        Some(Pick { thread: wanted.thread, request })
    }

    /// The number of words of 64 events.
    fn words(&self) -> u32 {
        self.blueprint.alphabet.width().div_ceil(u64::BITS)
    }

    /// The first request of each of these events, which are then taken away.
    #[inline]
    fn picks_among(&self, left: &mut [u64], picks: &mut Vec<Pick>) {
        if left.iter().all(|word| *word == 0) {
            return;
        }
        for thread in self.state.standing.requesting.iter() {
            let Some(letters) = self.letters(thread) else { continue };
            for &request in &letters.requests {
                let (word, bit) = (&mut left[request as usize / 64], 1 << (request % 64));
                if *word & bit != 0 {
                    *word &= !bit;
                    picks.push(Pick { thread, request });
                    if *word == 0 && left.iter().all(|word| *word == 0) {
                        return;
                    }
                }
            }
        }
    }
}

/// The places of the bits that are set.
pub(super) fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros())?;
        word &= word - 1;
        Some(bit)
    })
}

/// The place of an event in a list. Short lists are searched.
fn places(picks: &[Pick]) -> impl Fn(u32) -> Option<usize> {
    let is_long = picks.len() > FEW;
    let numbered = picks.iter().enumerate().filter(|_| is_long);
    let places: FxHashMap<u32, usize> =
        numbered.map(|(place, pick)| (pick.request, place)).collect();
    move |request| {
        if is_long {
            places.get(&request).copied()
        } else {
            picks.iter().position(|pick| pick.request == request)
        }
    }
}
