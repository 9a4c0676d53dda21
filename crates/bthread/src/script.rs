//! A b-thread written down as a list of sync points.

use std::fmt;
use std::ops::Range;

use crate::event::Event;
use crate::event_set::EventSet;
use crate::sync_point::SyncPoint;

/// Sync points in order, and whether to start over after the last.
///
/// A position counts the sync points that were left, over all passes that are
/// told apart; the one after the last means that the script has ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Script<E: Event> {
    points: Vec<SyncPoint<E>>,
    repeat: Repeat<E>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Repeat<E: Event> {
    Times(u32),
    Forever,
    While(EventSet<E>),
}

impl<E: Event> Script<E> {
    pub(crate) fn new() -> Self {
        Self { points: Vec::new(), repeat: Repeat::Times(1) }
    }

    pub(crate) fn push(&mut self, point: SyncPoint<E>) {
        self.points.push(point);
    }

    pub(crate) fn repeat(&mut self, repeat: Repeat<E>) {
        self.repeat = repeat;
    }

    /// Writes down all that it says, for a fingerprint.
    pub(crate) fn spell(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{self}")?;
        self.points.iter().try_for_each(|point| point.spell(out))?;
        match &self.repeat {
            Repeat::While(set) => set.spell(out),
            Repeat::Times(_) | Repeat::Forever => Ok(()),
        }
    }

    pub(crate) fn repetition(&self) -> &Repeat<E> {
        &self.repeat
    }

    pub(crate) fn points(&self) -> &[SyncPoint<E>] {
        &self.points
    }

    /// How many positions there are before the end, if they can be counted.
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

    /// Which of the sync points a position stands at, or `None` at the end.
    pub(crate) fn place(&self, position: u32) -> Option<usize> {
        (position < self.end()).then(|| position as usize % self.points.len())
    }

    pub(crate) fn point(&self, position: u32) -> Option<&SyncPoint<E>> {
        self.place(position).map(|place| &self.points[place])
    }

    /// The position after the event at which the script went on.
    pub(crate) fn next(&self, position: u32, event: &E) -> u32 {
        if position >= self.end() {
            return self.end();
        }
        let next = position + 1;
        let pass_is_over = next >= self.end();
        match &self.repeat {
            Repeat::Forever if pass_is_over => 0,
            Repeat::While(set) if pass_is_over && set.contains(event) => 0,
            Repeat::Times(_) | Repeat::Forever | Repeat::While(_) => next,
        }
    }
}

/// The sync points of a script in a list of all that a program has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    /// The number of the first one.
    first: u32,
    /// How many there are.
    points: u32,
    /// The position that means that the script has ended.
    end: u32,
    turn: Turn,
}

/// What a script does after its last sync point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Ends,
    StartsOver,
    /// It depends on the event.
    Depends,
}

impl Stretch {
    /// The sync points of a script in a list where the first one has this number.
    pub(crate) fn new<E: Event>(first: usize, script: &Script<E>) -> Self {
        let number = |count| u32::try_from(count).expect("sync points are numbered with 32 bits");
        let turn = match script.repeat {
            Repeat::Times(_) => Turn::Ends,
            Repeat::Forever => Turn::StartsOver,
            Repeat::While(_) => Turn::Depends,
        };
        let (first, points) = (number(first), number(script.points.len()));
        Self { first, points, end: script.end(), turn }
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

    /// All sync points of the script.
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
        match self.turn {
            _ if next < self.end => Some(next),
            Turn::Ends => Some(next),
            Turn::StartsOver => Some(0),
            Turn::Depends => None,
        }
    }
}

impl<E: Event> fmt::Display for Script<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for point in &self.points {
            writeln!(f, "  {point}")?;
        }
        match &self.repeat {
            Repeat::Times(1) => Ok(()),
            Repeat::Times(times) => writeln!(f, "  {times} times"),
            Repeat::Forever => writeln!(f, "  for ever"),
            Repeat::While(set) => writeln!(f, "  again after {set}"),
        }
    }
}
