//! The script of a b-thread: a list of sync points.

use std::fmt;
use std::ops::Range;

use crate::event::Event;
use crate::event_set::{EventSet, Predicate};
use crate::sync_point::SyncPoint;

/// Sync points in order, and what follows the last one.
///
/// A position is the number of sync points that the b-thread has left. A script
/// that is repeated `n` times counts on from pass to pass; one that repeats for
/// ever or while a condition holds starts over at 0. The position after the last
/// sync point means that the script has ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Script<E: Event> {
    points: Vec<SyncPoint<E>>,
    /// The parts that repeat by themselves. They do not overlap.
    loops: Vec<ScriptLoop<E>>,
    repeat: Repeat<E>,
}

/// A part of a script that repeats.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ScriptLoop<E: Event> {
    /// The first sync point, and the one after the last.
    points: Range<usize>,
    /// It repeats as long as its last event is in the set.
    again: EventSet<E>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Repeat<E: Event> {
    Times(u32),
    Forever,
    While(EventSet<E>),
}

impl<E: Event> Script<E> {
    pub(crate) fn new() -> Self {
        Self { points: Vec::new(), loops: Vec::new(), repeat: Repeat::Times(1) }
    }

    pub(crate) fn extend(&mut self, points: impl IntoIterator<Item = SyncPoint<E>>) {
        self.points.extend(points);
    }

    /// Adds sync points that repeat as long as their last event is in the set.
    pub(crate) fn extend_with_loop(
        &mut self,
        again: EventSet<E>,
        points: impl IntoIterator<Item = SyncPoint<E>>,
    ) {
        let first = self.points.len();
        self.points.extend(points);
        if self.points.len() > first {
            self.loops.push(ScriptLoop { points: first..self.points.len(), again });
        }
    }

    pub(crate) fn repeat(&mut self, repeat: Repeat<E>) {
        self.repeat = repeat;
    }

    /// Writes the whole definition, for a fingerprint.
    pub(crate) fn spell(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{self}")?;
        self.points.iter().try_for_each(|point| point.spell(out))?;
        for ScriptLoop { points, again } in &self.loops {
            write!(out, "{points:?} again after ")?;
            again.spell(out)?;
        }
        match &self.repeat {
            Repeat::While(set) => set.spell(out),
            Repeat::Times(_) | Repeat::Forever => Ok(()),
        }
    }

    /// Calls `show` with all predicates.
    pub(crate) fn predicates<'a>(&'a self, show: &mut dyn FnMut(&'a Predicate<E>)) {
        for point in &self.points {
            point.predicates(show);
        }
        for each in &self.loops {
            each.again.predicates(show);
        }
        if let Repeat::While(set) = &self.repeat {
            set.predicates(show);
        }
    }

    pub(crate) fn repetition(&self) -> &Repeat<E> {
        &self.repeat
    }

    pub(crate) fn points(&self) -> &[SyncPoint<E>] {
        &self.points
    }

    /// The number of positions before the end, if it fits into 32 bits.
    pub(crate) fn positions(&self) -> Option<u32> {
        let points = u32::try_from(self.points.len()).ok()?;
        match self.repeat {
            Repeat::Times(times) => points.checked_mul(times),
            Repeat::Forever | Repeat::While(_) => Some(points),
        }
    }

    /// The position that means that the script has ended.
    pub(crate) fn end(&self) -> u32 {
        self.positions().unwrap_or(u32::MAX)
    }

    /// Whether a b-thread that has not ended never ends.
    pub(crate) fn is_endless(&self) -> bool {
        self.repeat == Repeat::Forever && !self.is_interruptible()
    }

    fn is_interruptible(&self) -> bool {
        self.points.iter().any(|point| !point.interrupts().is_empty())
    }

    /// Whether the script repeats for ever, and an interrupt can end it nevertheless.
    pub(crate) fn ends_only_by_interrupts(&self) -> bool {
        let last = self.loops.last().filter(|last| last.points.end == self.points.len());
        let is_loop = last.is_some_and(|last| last.again.is_everything());
        (is_loop || self.repeat == Repeat::Forever) && self.is_interruptible()
    }

    /// Whether the next position depends on nothing but the present one, except at the end.
    fn is_plain(&self) -> bool {
        self.loops.is_empty() && self.points.iter().all(|point| point.restarts().is_empty())
    }

    pub(crate) fn loops(&self) -> impl Iterator<Item = (&Range<usize>, &EventSet<E>)> {
        self.loops.iter().map(|each| (&each.points, &each.again))
    }

    /// The index of the sync point at a position, or `None` at the end.
    pub(crate) fn place(&self, position: u32) -> Option<usize> {
        (position < self.end()).then(|| position as usize % self.points.len())
    }

    pub(crate) fn point(&self, position: u32) -> Option<&SyncPoint<E>> {
        self.place(position).map(|place| &self.points[place])
    }

    /// The position after this one, given the event at which the b-thread goes on.
    pub(crate) fn next(&self, position: u32, event: &E) -> u32 {
        if position >= self.end() {
            return self.end();
        }
        let place = position as usize % self.points.len();
        if self.points[place].restarts_at(event) {
            return 0;
        }
        let next = position + 1;
        if let Some(ends) = self.loops.iter().find(|each| each.points.end == place + 1)
            && ends.again.contains(event)
        {
            return next - u32::try_from(ends.points.len()).expect("positions have 32 bits");
        }
        let pass_is_over = next >= self.end();
        match &self.repeat {
            Repeat::Forever if pass_is_over => 0,
            Repeat::While(set) if pass_is_over && set.contains(event) => 0,
            Repeat::Times(_) | Repeat::Forever | Repeat::While(_) => next,
        }
    }
}

/// Where the sync points of a script are in the list of all sync points of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScriptRange {
    /// The number of the first sync point.
    first: u32,
    /// The number of sync points.
    points: u32,
    /// The position that means that the script has ended.
    end: u32,
    after_last: AfterLast,
    /// Whether the next position depends on nothing but the present one, except at the end.
    is_plain: bool,
}

/// What follows the last sync point of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AfterLast {
    Ends,
    StartsOver,
    /// It ends or starts over, depending on the event.
    Depends,
}

impl ScriptRange {
    /// The range of a script whose first sync point has this number.
    pub(crate) fn new<E: Event>(first: usize, script: &Script<E>) -> Self {
        let number = |count| u32::try_from(count).expect("sync points are numbered with 32 bits");
        let after_last = match script.repeat {
            Repeat::Times(_) => AfterLast::Ends,
            Repeat::Forever => AfterLast::StartsOver,
            Repeat::While(_) => AfterLast::Depends,
        };
        let (first, points) = (number(first), number(script.points.len()));
        Self { first, points, end: script.end(), after_last, is_plain: script.is_plain() }
    }

    /// The number of the sync point at a position of the script, or `None` at its end.
    #[inline]
    pub(crate) fn point_at(self, position: u32) -> Option<u32> {
        if position >= self.end {
            None
        } else if position < self.points {
            Some(self.first + position)
        } else {
            Some(self.first + position % self.points)
        }
    }

    /// The numbers of all sync points of the script.
    pub(crate) fn points(self) -> Range<usize> {
        self.first as usize..(self.first + self.points) as usize
    }

    pub(crate) fn end(self) -> u32 {
        self.end
    }

    /// The position after this one, unless that depends on the event.
    #[inline]
    pub(crate) fn next(self, position: u32) -> Option<u32> {
        let next = position + 1;
        match self.after_last {
            _ if !self.is_plain => None,
            _ if next < self.end => Some(next),
            AfterLast::Ends => Some(next),
            AfterLast::StartsOver => Some(0),
            AfterLast::Depends => None,
        }
    }
}

impl<E: Event> fmt::Display for Script<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, point) in self.points.iter().enumerate() {
            writeln!(f, "  {point}")?;
            let ends = self.loops.iter().find(|each| each.points.end == place + 1);
            if let Some(ScriptLoop { points, again }) = ends {
                writeln!(f, "  the last {} again after {again}", points.len())?;
            }
        }
        match &self.repeat {
            Repeat::Times(1) => Ok(()),
            Repeat::Times(times) => writeln!(f, "  {times} times"),
            Repeat::Forever => writeln!(f, "  for ever"),
            Repeat::While(set) => writeln!(f, "  again after {set}"),
        }
    }
}
