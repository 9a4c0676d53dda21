//! A b-thread written down as a list of sync points.

use std::fmt;

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
        let next = position.saturating_add(1);
        let pass_is_over = next >= self.end();
        match &self.repeat {
            Repeat::Forever if pass_is_over => 0,
            Repeat::While(set) if pass_is_over && set.contains(event) => 0,
            Repeat::Times(_) | Repeat::Forever | Repeat::While(_) => next,
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
