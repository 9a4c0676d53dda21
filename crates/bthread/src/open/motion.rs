//! How the b-threads of an open run move.

use super::core::{Core, EventRef, EventToken, ThreadCell, UnplannedThread, point};
use super::plan::{Movement, ProgramPlan};
use super::tag::{SetRole, Tag};
use crate::any_b_thread::{AnyBThread, Body};
use crate::engine::{Handled, Pick};
use crate::event::Event;
use crate::program::Program;
use crate::script::ScriptRange;
use crate::sync_point::Reaction;

impl<E: Event> Core<E> {
    /// The first unblocked request of the b-thread of highest priority.
    pub(crate) fn first_pick(&mut self, program: &Program<E>) -> Option<Pick> {
        while let Some(thread) = self.ready.first() {
            if let Some(pick) = self.first_pick_of(program, thread) {
                return Some(pick);
            }
            self.ready.remove(thread);
        }
        None
    }

    /// Parks all b-threads whose requests are all blocked, so that they are not
    /// checked again and again.
    pub(crate) fn park_blocked(&mut self, program: &Program<E>) {
        let mut from = 0;
        while let Some(thread) = self.ready.at_or_after(from) {
            if self.first_pick_of(program, thread).is_none() {
                self.ready.remove(thread);
            }
            from = thread + 1;
        }
    }

    /// The first unblocked request of a b-thread. If there is none, the b-thread is parked
    /// until one of its blockers moves. Requests that are known to be blocked are not looked at
    /// again before that.
    fn first_pick_of(&mut self, program: &Program<E>, thread: u32) -> Option<Pick> {
        let known = self.cells[thread as usize].blocked_requests;
        let mut pick = Pick { thread, request: known };
        self.blockers.clear();
        let mut found = None;
        while let Some(request) = self.request(program, pick) {
            let Some(blocker) = self.blocker(program, &request) else {
                found = Some(pick);
                break;
            };
            // One b-thread often blocks several requests in a row.
            if self.blockers.last() != Some(&blocker) {
                self.blockers.push(blocker);
            }
            pick.request += 1;
        }
        self.cells[thread as usize].blocked_requests = pick.request;
        for at in 0..self.blockers.len() {
            self.parked.add(self.blockers[at], thread, ());
        }
        found
    }

    /// Moves the b-threads because an event happens.
    pub(crate) fn advance(&mut self, program: &Program<E>, token: &EventToken<E>) -> Handled {
        self.advance_all(program, &token.as_ref())
    }

    /// Moves the b-threads because a requested event happens.
    pub(crate) fn advance_picked(&mut self, program: &Program<E>, pick: Pick) -> Handled {
        match self.request(program, pick) {
            Some(EventRef::Known(number)) => self.advance_all(program, &EventRef::Known(number)),
            Some(EventRef::Other(event)) => {
                let event = event.clone();
                self.advance_all(program, &EventRef::Other(&event))
            }
            None => Handled::No,
        }
    }

    fn advance_all(&mut self, program: &Program<E>, event: &EventRef<'_, E>) -> Handled {
        self.touch(program, event);
        for at in 0..self.touched.len() {
            self.advance_one(program, self.touched[at], event);
        }
        if self.touched.is_empty() { Handled::No } else { Handled::Yes }
    }

    /// Finds the b-threads that react to an event, each once, and how.
    fn touch(&mut self, program: &Program<E>, event: &EventRef<'_, E>) {
        let address = self.address(program, event);
        let Self { index, cells, movers, touched, .. } = self;
        touched.clear();
        index.each_moving(address, |number, tag| {
            let cell = &mut cells[number as usize];
            if !concerns(program, movers, *cell, number, tag, event) {
                return;
            }
            if cell.reaction == Reaction::Stays {
                touched.push(number);
            }
            let is_interrupted = tag.role() == SetRole::InterruptedBy;
            let reaction = if is_interrupted { Reaction::Ends } else { Reaction::GoesOn };
            cell.reaction = cell.reaction.max(reaction);
        });
    }

    fn advance_one(&mut self, program: &Program<E>, number: u32, event: &EventRef<'_, E>) {
        let cell = &mut self.cells[number as usize];
        let is_interrupted = std::mem::take(&mut cell.reaction) == Reaction::Ends;
        if let Some(Movement::Script(script)) = program.plan().track(number) {
            let at = cell.position;
            let next = if is_interrupted { Some(script.end()) } else { script.next(at) };
            let next =
                next.unwrap_or_else(|| next_in_script(program, number, at, event.resolve(program)));
            self.save_position(number, at);
            self.move_to(program.plan(), number, script, next);
        } else {
            self.save_thread(number);
            self.change(program.plan(), number, |thread| {
                if is_interrupted {
                    thread.end();
                } else {
                    thread.go_on(event.resolve(program));
                }
            });
        }
    }

    /// Moves a b-thread to a position of its script.
    #[inline]
    fn move_to(&mut self, plan: &ProgramPlan<E>, number: u32, script: ScriptRange, position: u32) {
        let cell = &mut self.cells[number as usize];
        let from = script.point_at(cell.position);
        let to = script.point_at(position);
        cell.position = position;
        // In a loop of one sync point the index stays as it is.
        if from == to {
            return;
        }
        if let Some(ranked) = &mut self.ranked {
            from.into_iter().chain(to).for_each(|point| ranked.note(plan, point));
        }
        if from.is_some() {
            self.leave(number);
        }
        if let Some(to) = to {
            self.enter_script(plan, number, to);
        }
    }

    /// Changes an unplanned b-thread.
    fn change(
        &mut self,
        plan: &ProgramPlan<E>,
        number: u32,
        change: impl FnOnce(&mut AnyBThread<E>),
    ) {
        self.leave_unplanned(number);
        let mover = self.cells[number as usize].position as usize;
        self.movers[mover].change(change);
        self.enter_unplanned(plan, number);
    }

    /// Adds the sync point of a b-thread to the index.
    pub(super) fn enter(&mut self, plan: &ProgramPlan<E>, number: u32) {
        if let Some(Movement::Script(script)) = plan.track(number) {
            if let Some(point) = script.point_at(self.cells[number as usize].position) {
                self.enter_script(plan, number, point);
            }
        } else {
            self.enter_unplanned(plan, number);
        }
    }

    #[inline]
    fn enter_script(&mut self, plan: &ProgramPlan<E>, number: u32, point: u32) {
        self.appear(number, plan.requests(point).len());
        self.index.enter(number, plan.entries(point));
    }

    fn enter_unplanned(&mut self, plan: &ProgramPlan<E>, number: u32) {
        self.forget_ranks();
        let mover = self.cells[number as usize].position as usize;
        let Some(point) = &self.movers[mover].point else {
            return;
        };
        let requests = point.requests().len();
        self.index.enter_unplanned(plan, number, point);
        self.appear(number, requests);
    }

    /// Counts a b-thread that has not ended, with its number of requests.
    #[inline]
    fn appear(&mut self, number: u32, requests: usize) {
        self.live += 1;
        self.cells[number as usize].is_requesting = requests > 0;
        if requests > 0 {
            self.requesting += 1;
            self.ready.insert(number);
        }
    }

    fn forget_ranks(&mut self) {
        if let Some(ranked) = &mut self.ranked {
            ranked.forget();
        }
    }

    pub(super) fn leave_unplanned(&mut self, number: u32) {
        self.forget_ranks();
        if self.mover(number).point.is_some() {
            self.leave(number);
        }
    }

    /// Removes the sync point of a b-thread from the index, and makes the b-threads ready
    /// that were parked because of it.
    fn leave(&mut self, number: u32) {
        self.live -= 1;
        if self.cells[number as usize].is_requesting {
            self.requesting -= 1;
            self.ready.remove(number);
            self.parked.release(number, |_, _| {});
            self.cells[number as usize].blocked_requests = 0;
        }
        self.lifted += u64::from(self.index.release(number));
        while let Some(parked) = self.parked.first_owner(number) {
            self.parked.release(parked, |_, _| {});
            self.cells[parked as usize].blocked_requests = 0;
            self.ready.insert(parked);
        }
    }

    /// Saves the position of a planned b-thread, for undo.
    #[inline]
    fn save_position(&mut self, number: u32, position: u32) {
        if !std::mem::replace(&mut self.cells[number as usize].has_moved, true) {
            self.moved.push((number, position));
        }
    }

    /// Saves an unplanned b-thread, for undo.
    fn save_thread(&mut self, number: u32) {
        if !std::mem::replace(&mut self.cells[number as usize].has_moved, true) {
            self.changed.push((number, self.mover(number).thread.clone()));
        }
    }

    /// Keeps everything that happened since the last commit.
    pub(crate) fn commit(&mut self, program: &Program<E>) {
        self.threads_before = self.cells.len();
        for (number, _) in self.moved.drain(..) {
            self.cells[number as usize].has_moved = false;
        }
        if self.changed.is_empty() {
            return;
        }
        for (number, was) in std::mem::take(&mut self.changed) {
            self.cells[number as usize].has_moved = false;
            if self.mover(number).thread.has_ended() {
                self.added.remove(was.name());
            }
        }
        self.tidy(program);
    }

    /// Goes back to the last commit.
    pub(crate) fn undo(&mut self, program: &Program<E>) {
        let plan = program.plan();
        for (number, position) in std::mem::take(&mut self.moved) {
            self.cells[number as usize].has_moved = false;
            if let Some(Movement::Script(script)) = plan.track(number) {
                self.move_to(plan, number, script, position);
            }
        }
        for (number, thread) in std::mem::take(&mut self.changed) {
            self.cells[number as usize].has_moved = false;
            self.change(plan, number, |now| *now = thread);
        }
        while self.cells.len() > self.threads_before {
            self.remove_last();
        }
    }
}

/// The position after this one, which depends on the event.
fn next_in_script<E: Event>(program: &Program<E>, number: u32, position: u32, event: &E) -> u32 {
    match program.threads()[number as usize].body() {
        Body::Script { script, .. } => script.next(position, event),
        Body::Behaviour(_) => unreachable!("it follows a script"),
    }
}

/// Whether the set of an index entry contains the event.
fn concerns<E: Event>(
    program: &Program<E>,
    movers: &[UnplannedThread<E>],
    cell: ThreadCell,
    number: u32,
    tag: Tag,
    event: &EventRef<'_, E>,
) -> bool {
    let contains = |point| tag.set(point).contains(event.resolve(program));
    tag.is_exact() || point(program, movers, cell, number).is_some_and(contains)
}
