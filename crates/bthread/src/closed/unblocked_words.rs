//! The events that no b-thread blocks.

use std::fmt;

use super::event_tally::TallyRow;
use super::table::TableRow;

/// The events that no b-thread blocks in a state, 64 to a word.
#[derive(Clone, Copy)]
pub struct UnblockedWords<'a>(UnblockedRow<'a>);

#[derive(Clone, Copy)]
enum UnblockedRow<'a> {
    /// In a row of the table.
    Table(TableRow<'a>),
    /// All that these do not count.
    Rows(&'a [TallyRow]),
}

impl<'a> UnblockedWords<'a> {
    #[inline]
    pub(super) fn of_row(row: TableRow<'a>) -> Self {
        Self(UnblockedRow::Table(row))
    }

    /// All events except those that these rows count.
    #[inline]
    pub(super) fn without(blocked: &'a [TallyRow]) -> Self {
        Self(UnblockedRow::Rows(blocked))
    }

    /// As `AutomatonState::unblocked`, but bits past the last event may be set.
    #[inline]
    pub fn word(self, place: u32) -> u64 {
        match self.0 {
            UnblockedRow::Table(row) => row.unblocked(place),
            UnblockedRow::Rows(rows) => rows.get(place as usize).map_or(u64::MAX, |row| !row.any()),
        }
    }
}

impl fmt::Debug for UnblockedWords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnblockedWords").finish_non_exhaustive()
    }
}
