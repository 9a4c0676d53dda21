//! The events that can happen, by the highest priority of a sync point that requests them.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::core::{Core, EventRef};
use super::plan::{Movement, ProgramPlan};
use super::tag::SetRole;
use crate::engine::Pick;
use crate::event::Event;
use crate::program::Program;

/// The events that can happen, for a strategy that chooses among those of the highest priority.
///
/// A step changes only what the b-threads request that it moves, unless one of them blocks
/// something: then all is computed anew.
#[derive(Clone)]
pub(super) struct RankedRequests {
    /// For each event of the plan that can happen.
    requests: Vec<Option<RankedRequest>>,
    /// For each priority, how many of its events each b-thread is the first to request.
    levels: BTreeMap<Option<i32>, ThreadCounts>,
    /// The events whose requests may have changed.
    changed: Vec<u32>,
    /// Whether any event may now be blocked, or be no longer blocked.
    is_stale: bool,
}

/// An event that can happen.
#[derive(Clone, Copy, PartialEq, Eq)]
struct RankedRequest {
    /// The first b-thread that requests it.
    thread: u32,
    /// The highest priority of a sync point that requests it, if any has one.
    priority: Option<i32>,
}

impl RankedRequests {
    fn stale() -> Self {
        let (requests, levels, changed) = (Vec::new(), BTreeMap::new(), Vec::new());
        Self { requests, levels, changed, is_stale: true }
    }

    /// Notes that anything may have changed.
    pub(super) fn forget(&mut self) {
        self.is_stale = true;
    }

    /// Notes that a b-thread comes to a sync point of the plan, or leaves it.
    pub(super) fn note<E: Event>(&mut self, plan: &ProgramPlan<E>, point: u32) {
        self.is_stale |= plan.entries(point).iter().any(|each| each.tag.role() == SetRole::Blocks);
        if !self.is_stale {
            self.changed.extend(plan.requests(point));
        }
    }

    fn set(&mut self, event: u32, request: Option<RankedRequest>, threads: usize) {
        let was = std::mem::replace(&mut self.requests[event as usize], request);
        if was == request {
            return;
        }
        if let Some(RankedRequest { thread, priority }) = was
            && let Some(counts) = self.levels.get_mut(&priority)
        {
            counts.remove(thread);
            if counts.total == 0 {
                self.levels.remove(&priority);
            }
        }
        if let Some(RankedRequest { thread, priority }) = request {
            let counts = self.levels.entry(priority);
            counts.or_insert_with(|| ThreadCounts::new(threads)).add(thread);
        }
    }

    /// The size in bytes on the heap.
    pub(super) fn size(&self) -> usize {
        let counts = self.levels.values().map(|counts| counts.sums.capacity() * size_of::<u32>());
        self.requests.capacity() * size_of::<Option<RankedRequest>>()
            + self.changed.capacity() * size_of::<u32>()
            + counts.sum::<usize>()
    }
}

impl<E: Event> Core<E> {
    /// Brings the ranked requests up to date. If b-threads without a plan request something, there
    /// are none.
    pub(super) fn rank_requests(&mut self, program: &Program<E>) {
        let mut ranked = self.ranked.take().unwrap_or_else(|| Box::new(RankedRequests::stale()));
        if ranked.is_stale {
            let has_requests = |point: &crate::SyncPoint<E>| !point.requests().is_empty();
            if self.movers.iter().filter_map(|mover| mover.point.as_ref()).any(has_requests) {
                return;
            }
            *ranked = self.all_requests(program);
        }
        let mut changed = std::mem::take(&mut ranked.changed);
        changed.sort_unstable();
        changed.dedup();
        for event in &changed {
            ranked.set(*event, self.ranked_request(program, *event), self.cells.len());
        }
        changed.clear();
        ranked.changed = changed;
        self.ranked = Some(ranked);
    }

    /// Nothing ranked yet, and all requested events to be looked at.
    fn all_requests(&self, program: &Program<E>) -> RankedRequests {
        let plan = program.plan();
        let mut ranked = RankedRequests::stale();
        ranked.is_stale = false;
        ranked.requests = vec![None; plan.events()];
        for number in (0..).zip(&self.cells).filter(|(_, cell)| cell.is_requesting) {
            ranked.changed.extend(self.planned_requests(program, number.0));
        }
        ranked
    }

    /// The numbers of the events that a b-thread with a script requests.
    fn planned_requests<'a>(&self, program: &'a Program<E>, thread: u32) -> &'a [u32] {
        let plan = program.plan();
        let Some(Movement::Script(script)) = plan.track(thread) else { return &[] };
        let point = script.point_at(self.cells[thread as usize].position);
        point.map_or(&[], |point| plan.requests(point))
    }

    /// The requests of an event, if it can happen.
    fn ranked_request(&self, program: &Program<E>, event: u32) -> Option<RankedRequest> {
        let mut request: Option<RankedRequest> = None;
        self.index.each_request(program.plan().address(event), |thread| {
            // A b-thread that waits for the event is listed as well.
            if self.planned_requests(program, thread).contains(&event) {
                let priority = self.point(program, thread).and_then(crate::SyncPoint::priority);
                let known = request.get_or_insert(RankedRequest { thread, priority });
                known.thread = known.thread.min(thread);
                known.priority = known.priority.max(priority);
            }
        });
        request.filter(|_| self.blocker(program, &EventRef::Known(event)).is_none())
    }

    /// The number of events of the highest priority, if they are ranked.
    pub(super) fn count_highest(&self) -> Option<u64> {
        let (_, counts) = self.ranked.as_ref()?.levels.last_key_value()?;
        Some(counts.total.into())
    }

    /// The request of one of these events, in the order of the first b-threads that request them.
    pub(super) fn highest(&self, program: &Program<E>, rank: u64) -> Option<Pick> {
        let ranked = self.ranked.as_ref()?;
        let (priority, counts) = ranked.levels.last_key_value()?;
        let (thread, rank) = counts.select(u32::try_from(rank).ok()?);
        let wanted = Some(RankedRequest { thread, priority: *priority });
        let mut seen = FxHashSet::default();
        let requests = (0..).zip(self.planned_requests(program, thread));
        let mut own = requests.filter(|(_, event)| {
            ranked.requests[**event as usize] == wanted && seen.insert(**event)
        });
        own.nth(rank as usize).map(|(request, _)| Pick { thread, request })
    }
}

/// A number for each b-thread, with sums that find the b-thread at a rank (P. M. Fenwick, "A new
/// data structure for cumulative frequency tables", 1994).
#[derive(Clone)]
struct ThreadCounts {
    /// The sum at place `i` is that of the numbers `i - (i & -i)` to `i - 1`.
    sums: Vec<u32>,
    total: u32,
}

impl ThreadCounts {
    fn new(threads: usize) -> Self {
        Self { sums: vec![0; threads + 1], total: 0 }
    }

    fn add(&mut self, thread: u32) {
        self.total += 1;
        self.each_sum(thread, |sum| *sum += 1);
    }

    fn remove(&mut self, thread: u32) {
        self.total -= 1;
        self.each_sum(thread, |sum| *sum -= 1);
    }

    fn each_sum(&mut self, thread: u32, change: impl Fn(&mut u32)) {
        let mut place = thread as usize + 1;
        while place < self.sums.len() {
            change(&mut self.sums[place]);
            place += place & place.wrapping_neg();
        }
    }

    /// The b-thread in whose number this rank falls, and the rank within that number.
    fn select(&self, mut rank: u32) -> (u32, u32) {
        let (mut place, mut width) = (0, self.sums.len().next_power_of_two() / 2);
        while width > 0 {
            if let Some(sum) = self.sums.get(place + width)
                && *sum <= rank
            {
                rank -= sum;
                place += width;
            }
            width /= 2;
        }
        (u32::try_from(place).expect("b-threads are numbered with 32 bits"), rank)
    }
}

#[cfg(test)]
mod tests {
    use super::ThreadCounts;
    use crate::Generator;

    #[test]
    fn a_rank_finds_its_b_thread() {
        let mut generator = Generator::seeded(11);
        for threads in [1, 2, 3, 7, 8, 9, 100] {
            let mut counts = ThreadCounts::new(threads);
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
}
