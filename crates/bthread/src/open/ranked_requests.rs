//! The events that can happen, by the highest priority of a sync point that requests them.

use rustc_hash::FxHashSet;

use super::core::{Core, EventRef};
use super::plan::{Movement, ProgramPlan};
use super::tag::SetRole;
use crate::engine::Pick;
use crate::event::Event;
use crate::program::Program;
use crate::request_ranking::{RankedRequest, RequestRanking};
use crate::sorting::sort;

/// The events that can happen, for a strategy that chooses among those of the highest priority.
///
/// A step changes only what the b-threads request that it moves, unless one of them blocks
/// something: then all is computed anew.
#[derive(Clone)]
pub(super) struct RankedRequests {
    /// By the numbers of the events in the plan.
    ranking: RequestRanking,
    /// The events whose requests may have changed.
    changed: Vec<u32>,
    /// Whether any event may now be blocked, or be no longer blocked.
    is_stale: bool,
}

impl RankedRequests {
    fn stale() -> Self {
        Self { ranking: RequestRanking::default(), changed: Vec::new(), is_stale: true }
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

    /// The size in bytes on the heap.
    pub(super) fn size(&self) -> usize {
        self.ranking.size() + self.changed.capacity() * size_of::<u32>()
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
        sort(&mut changed);
        changed.dedup();
        for event in &changed {
            ranked.ranking.set(*event, self.ranked_request(program, *event));
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
        ranked.ranking = RequestRanking::new(plan.events());
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

    /// The first of the ranked requests that can happen.
    pub(super) fn first_ranked(&self, program: &Program<E>) -> Option<Pick> {
        let ranking = &self.ranked.as_ref()?.ranking;
        let thread = ranking.first_thread()?;
        let mut own = (0..).zip(self.planned_requests(program, thread));
        let (request, _) = own.find(|(_, event)| ranking.of(**event).is_some())?;
        Some(Pick { thread, request })
    }

    /// The number of events of the highest priority, if they are ranked.
    pub(super) fn count_highest(&self) -> Option<u64> {
        self.ranked.as_ref()?.ranking.count_highest()
    }

    /// The request of one of these events, in the order of the first b-threads that request them.
    pub(super) fn highest(&self, program: &Program<E>, rank: u64) -> Option<Pick> {
        let ranking = &self.ranked.as_ref()?.ranking;
        let (wanted, rank) = ranking.highest(rank)?;
        let thread = wanted.thread;
        let mut seen = FxHashSet::default();
        let requests = (0..).zip(self.planned_requests(program, thread));
        let mut own = requests
            .filter(|(_, event)| ranking.of(**event) == Some(wanted) && seen.insert(**event));
        own.nth(rank).map(|(request, _)| Pick { thread, request })
    }
}
