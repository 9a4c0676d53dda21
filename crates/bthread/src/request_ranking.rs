//! The events that can happen, by the highest priority of a sync point that requests them.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

/// The events that can happen, in the order in which a strategy that looks at priorities chooses
/// among them. A change costs as much as the logarithm of the number of b-threads.
#[derive(Clone, Default)]
pub(crate) struct RequestRanking {
    /// For each event that can happen, by number.
    requests: Vec<Option<RankedRequest>>,
    /// For each priority, how many of its events each b-thread is the first to request.
    levels: BTreeMap<Option<i32>, ThreadCounts>,
    /// For each b-thread that is the first to request something, how many events these are.
    firsts: BTreeMap<u32, u32>,
}

/// An event that can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RankedRequest {
    /// The first b-thread that requests it.
    pub(crate) thread: u32,
    /// The highest priority of a sync point that requests it, if any has one.
    pub(crate) priority: Option<i32>,
}

impl RequestRanking {
    /// None of this many events can happen.
    pub(crate) fn new(events: usize) -> Self {
        Self { requests: vec![None; events], ..Self::default() }
    }

    /// The first request of an event, if it can happen.
    #[inline]
    pub(crate) fn of(&self, event: u32) -> Option<RankedRequest> {
        self.requests[event as usize]
    }

    /// Says whether an event can happen, and who requests it.
    pub(crate) fn set(&mut self, event: u32, request: Option<RankedRequest>) {
        let was = std::mem::replace(&mut self.requests[event as usize], request);
        if was == request {
            return;
        }
        if let Some(was) = was {
            self.remove(was);
        }
        if let Some(RankedRequest { thread, priority }) = request {
            self.levels.entry(priority).or_default().add(thread);
            *self.firsts.entry(thread).or_default() += 1;
        }
    }

    fn remove(&mut self, RankedRequest { thread, priority }: RankedRequest) {
        if let Some(counts) = self.levels.get_mut(&priority) {
            counts.remove(thread);
            if counts.total == 0 {
                self.levels.remove(&priority);
            }
        }
        if let Some(count) = self.firsts.get_mut(&thread) {
            *count -= 1;
            if *count == 0 {
                self.firsts.remove(&thread);
            }
        }
    }

    /// The b-thread of highest priority that requests an event that can happen.
    pub(crate) fn first_thread(&self) -> Option<u32> {
        self.firsts.first_key_value().map(|(thread, _)| *thread)
    }

    /// The number of events of the highest priority.
    pub(crate) fn count_highest(&self) -> Option<u64> {
        let (_, counts) = self.levels.last_key_value()?;
        Some(counts.total.into())
    }

    /// One of the events of the highest priority, by its rank in the order of the first b-threads
    /// that request them: how it is requested, and its rank among those that this b-thread requests
    /// in the same way.
    pub(crate) fn highest(&self, rank: u64) -> Option<(RankedRequest, usize)> {
        let (priority, counts) = self.levels.last_key_value()?;
        let (thread, rank) = counts.select(u32::try_from(rank).ok()?);
        Some((RankedRequest { thread, priority: *priority }, rank as usize))
    }

    /// The size in bytes on the heap, about.
    pub(crate) fn size(&self) -> usize {
        let sums = self.levels.values().map(|counts| counts.sums.capacity());
        self.requests.capacity() * size_of::<Option<RankedRequest>>()
            + (sums.sum::<usize>() + self.firsts.len()) * size_of::<[u32; 2]>()
    }
}

/// A number for each b-thread, with sums that find the b-thread at a rank (P. M. Fenwick, "A new
/// data structure for cumulative frequency tables", 1994). Only sums that are not zero are kept,
/// because there may be as many priorities as b-threads.
#[derive(Clone)]
struct ThreadCounts {
    /// The sum at place `i` is that of the numbers `i - (i & -i)` to `i - 1`.
    sums: FxHashMap<u32, u32>,
    /// A power of two: the last place, with the sum of all numbers.
    last: u32,
    total: u32,
}

impl Default for ThreadCounts {
    fn default() -> Self {
        Self { sums: FxHashMap::default(), last: 1, total: 0 }
    }
}

impl ThreadCounts {
    fn add(&mut self, thread: u32) {
        while self.last <= thread {
            self.last *= 2;
            if self.total > 0 {
                self.sums.insert(self.last, self.total);
            }
        }
        self.total += 1;
        for place in self.places(thread) {
            *self.sums.entry(place).or_default() += 1;
        }
    }

    fn remove(&mut self, thread: u32) {
        self.total -= 1;
        for place in self.places(thread) {
            if let Some(sum) = self.sums.get_mut(&place) {
                *sum -= 1;
                if *sum == 0 {
                    self.sums.remove(&place);
                }
            }
        }
    }

    /// The places of the sums that the number of a b-thread is part of.
    fn places(&self, thread: u32) -> impl Iterator<Item = u32> + use<> {
        let last = self.last;
        let above = |place: &u32| Some(place + (place & place.wrapping_neg()));
        std::iter::successors(Some(thread + 1), above).take_while(move |place| *place <= last)
    }

    /// The b-thread in whose number this rank falls, and the rank within that number.
    fn select(&self, mut rank: u32) -> (u32, u32) {
        let (mut place, mut width) = (0, self.last / 2);
        while width > 0 {
            let sum = self.sums.get(&(place + width)).copied().unwrap_or(0);
            if sum <= rank {
                rank -= sum;
                place += width;
            }
            width /= 2;
        }
        (place, rank)
    }
}

#[cfg(test)]
mod tests {
    use super::{RankedRequest, RequestRanking, ThreadCounts};
    use crate::Generator;

    #[test]
    fn a_rank_finds_its_b_thread() {
        let mut generator = Generator::seeded(11);
        for threads in [1, 2, 3, 7, 8, 9, 100] {
            let mut counts = ThreadCounts::default();
            let mut numbers = vec![0_u32; threads];
            for _ in 0..300 {
                let thread = generator.below(threads as u64);
                let place = usize::try_from(thread).unwrap();
                if numbers[place] > 0 && generator.below(3) == 0 {
                    numbers[place] -= 1;
                    counts.remove(u32::try_from(place).unwrap());
                } else {
                    numbers[place] += 1;
                    counts.add(u32::try_from(place).unwrap());
                }
                let listed = (0..).zip(&numbers);
                let ranks =
                    listed.flat_map(|(thread, count)| (0..*count).map(move |rank| (thread, rank)));
                for (rank, expected) in (0..).zip(ranks) {
                    assert_eq!(counts.select(rank), expected, "{numbers:?}");
                }
            }
        }
    }

    #[test]
    fn as_many_priorities_as_b_threads_take_memory_in_proportion() {
        let size = |count: u32| {
            let mut ranking = RequestRanking::new(count as usize);
            for thread in 0..count {
                let priority = i32::try_from(thread).ok();
                ranking.set(thread, Some(RankedRequest { thread, priority }));
            }
            assert_eq!((ranking.count_highest(), ranking.first_thread()), (Some(1), Some(0)));
            ranking.size()
        };
        assert!(size(4_000) < 10 * size(500), "{} and {}", size(500), size(4_000));
    }
}
