//! How the b-threads of an open run move.

use super::core::{Cell, Core, Happening, Mover, Named, Reaction, point};
use super::plan::{Plan, Track};
use super::tag::{Role, Tag};
use crate::event::Event;
use crate::machine::{Heard, Pick};
use crate::program::Program;
use crate::script::Stretch;
use crate::thread::{BThread, Body};

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
    /// looked at again and again.
    pub(crate) fn park_blocked(&mut self, program: &Program<E>) {
        let mut from = 0;
        while let Some(thread) = self.ready.at_or_after(from) {
            if self.first_pick_of(program, thread).is_none() {
                self.ready.remove(thread);
            }
            from = thread + 1;
        }
    }

    /// The first unblocked request of a b-thread; if there is none, the
    /// b-thread is parked where it will be noticed when that may have changed.
    fn first_pick_of(&mut self, program: &Program<E>, thread: u32) -> Option<Pick> {
        let mut pick = Pick { thread, request: 0 };
        self.blockers.clear();
        while let Some(request) = self.request(program, pick) {
            let Some(blocker) = self.blocker(program, &request) else {
                return Some(pick);
            };
            // Requests that go together are mostly blocked together.
            if self.blockers.last() != Some(&blocker) {
                self.blockers.push(blocker);
            }
            pick.request += 1;
        }
        for at in 0..self.blockers.len() {
            self.parked.add(self.blockers[at], thread, ());
        }
        None
    }

    /// Lets an event happen.
    pub(crate) fn advance(&mut self, program: &Program<E>, happening: &Happening<E>) -> Heard {
        self.advance_named(program, &happening.named())
    }

    /// Lets a requested event happen.
    pub(crate) fn advance_picked(&mut self, program: &Program<E>, pick: Pick) -> Heard {
        match self.request(program, pick) {
            Some(Named::Known(number)) => self.advance_named(program, &Named::Known(number)),
            Some(Named::Other(event)) => {
                let event = event.clone();
                self.advance_named(program, &Named::Other(&event))
            }
            None => Heard::No,
        }
    }

    fn advance_named(&mut self, program: &Program<E>, named: &Named<'_, E>) -> Heard {
        self.touch(program, named);
        for at in 0..self.touched.len() {
            self.advance_one(program, self.touched[at], named);
        }
        if self.touched.is_empty() { Heard::No } else { Heard::Yes }
    }

    /// Notes whom an event concerns, each once, and whom it interrupts.
    fn touch(&mut self, program: &Program<E>, event: &Named<'_, E>) {
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
            let is_interrupted = tag.role() == Role::InterruptedBy;
            let reaction = if is_interrupted { Reaction::Ends } else { Reaction::GoesOn };
            cell.reaction = cell.reaction.max(reaction);
        });
    }

    fn advance_one(&mut self, program: &Program<E>, number: u32, event: &Named<'_, E>) {
        let cell = &mut self.cells[number as usize];
        let is_interrupted = std::mem::take(&mut cell.reaction) == Reaction::Ends;
        if let Some(Track::Script(script)) = program.plan().track(number) {
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
    fn move_to(&mut self, plan: &Plan<E>, number: u32, script: Stretch, position: u32) {
        let cell = &mut self.cells[number as usize];
        let from = script.point_at(cell.position);
        let to = script.point_at(position);
        cell.position = position;
        // A loop of one sync point says the same again: the index stays as it is.
        if from == to {
            return;
        }
        if from.is_some() {
            self.leave(number);
        }
        if let Some(to) = to {
            self.enter_script(plan, number, to);
        }
    }

    /// Changes a b-thread that no plan foresees.
    fn change(&mut self, plan: &Plan<E>, number: u32, change: impl FnOnce(&mut BThread<E>)) {
        self.leave_unplanned(number);
        let mover = self.cells[number as usize].position as usize;
        self.movers[mover].change(change);
        self.enter_unplanned(plan, number);
    }

    /// Enters into the index what a b-thread says where it stands.
    pub(super) fn enter(&mut self, plan: &Plan<E>, number: u32) {
        if let Some(Track::Script(script)) = plan.track(number) {
            if let Some(point) = script.point_at(self.cells[number as usize].position) {
                self.enter_script(plan, number, point);
            }
        } else {
            self.enter_unplanned(plan, number);
        }
    }

    #[inline]
    fn enter_script(&mut self, plan: &Plan<E>, number: u32, point: u32) {
        self.appear(number, plan.requests(point).len());
        self.index.enter(number, plan.entries(point));
    }

    fn enter_unplanned(&mut self, plan: &Plan<E>, number: u32) {
        let mover = self.cells[number as usize].position as usize;
        let Some(point) = &self.movers[mover].point else {
            return;
        };
        let requests = point.requests().len();
        self.index.enter_unplanned(plan, number, point);
        self.appear(number, requests);
    }

    /// Counts a b-thread that stands somewhere and requests so many events.
    #[inline]
    fn appear(&mut self, number: u32, requests: usize) {
        self.live += 1;
        self.cells[number as usize].is_requesting = requests > 0;
        if requests > 0 {
            self.requesting += 1;
            self.ready.insert(number);
        }
    }

    pub(super) fn leave_unplanned(&mut self, number: u32) {
        if self.mover(number).point.is_some() {
            self.leave(number);
        }
    }

    /// Forgets what a b-thread said where it stood, and looks again at those it held up.
    fn leave(&mut self, number: u32) {
        self.live -= 1;
        if self.cells[number as usize].is_requesting {
            self.requesting -= 1;
            self.ready.remove(number);
            self.parked.release(number, |_, _| {});
        }
        self.index.release(number);
        while let Some(held_up) = self.parked.first_owner(number) {
            self.parked.release(held_up, |_, _| {});
            self.ready.insert(held_up);
        }
    }

    /// Remembers where a b-thread stood when the superstep began.
    #[inline]
    fn save_position(&mut self, number: u32, position: u32) {
        if !std::mem::replace(&mut self.cells[number as usize].has_moved, true) {
            self.moved.push((number, position));
        }
    }

    /// Remembers as what a b-thread stood when the superstep began.
    fn save_thread(&mut self, number: u32) {
        if !std::mem::replace(&mut self.cells[number as usize].has_moved, true) {
            self.changed.push((number, self.mover(number).thread.clone()));
        }
    }

    /// Keeps what happened since the last time.
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

    /// Goes back to how things stood the last time that they were kept.
    pub(crate) fn undo(&mut self, program: &Program<E>) {
        let plan = program.plan();
        for (number, position) in std::mem::take(&mut self.moved) {
            self.cells[number as usize].has_moved = false;
            if let Some(Track::Script(script)) = plan.track(number) {
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

/// The position after this one where it depends on the event.
fn next_in_script<E: Event>(program: &Program<E>, number: u32, position: u32, event: &E) -> u32 {
    match program.threads()[number as usize].body() {
        Body::Script { script, .. } => script.next(position, event),
        Body::Behaviour(_) => unreachable!("it follows a script"),
    }
}

/// Whether an entry of the index really means the event.
fn concerns<E: Event>(
    program: &Program<E>,
    movers: &[Mover<E>],
    cell: Cell,
    number: u32,
    tag: Tag,
    event: &Named<'_, E>,
) -> bool {
    let contains = |point| tag.set(point).contains(event.resolve(program));
    tag.is_exact() || point(program, movers, cell, number).is_some_and(contains)
}
