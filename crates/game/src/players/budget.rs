//! The budget of a search.

use crate::stop_flag::StopFlag;

/// Counts the steps of a search, and says when it must end: after a number of steps, so that the same
/// budget leads to the same answer on every machine, or when it is stopped from outside.
#[derive(Debug)]
pub struct SearchBudget<'a> {
    stop: &'a StopFlag,
    steps: u64,
    most: u64,
}

/// A search that ended before its answer was known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CutShort {
    /// The budget is used up.
    #[error("the search would take too long")]
    OutOfBudget,
    /// It was stopped from outside.
    #[error("the search was stopped")]
    Stopped,
}

/// The number of steps between two looks at the flag.
const STEPS_BETWEEN_LOOKS: u64 = 1_024;

impl<'a> SearchBudget<'a> {
    /// A budget of this many steps, unless the flag stops it.
    #[must_use]
    pub fn new(most: u64, stop: &'a StopFlag) -> Self {
        Self { stop, steps: 0, most }
    }

    /// Pays for one step.
    ///
    /// # Errors
    /// If the budget is used up, or the search was stopped.
    #[inline]
    pub fn step(&mut self) -> Result<(), CutShort> {
        if self.steps >= self.most {
            return Err(CutShort::OutOfBudget);
        }
        if self.steps.is_multiple_of(STEPS_BETWEEN_LOOKS) && self.stop.is_set() {
            return Err(CutShort::Stopped);
        }
        self.steps += 1;
        Ok(())
    }

    /// Lets a search spend a tenth of what is left, and at most this many steps: for what is good to know,
    /// and not needed.
    ///
    /// # Errors
    /// If the search was stopped: what it found before that would differ from machine to machine.
    pub fn tenth<T>(
        &mut self,
        most: u64,
        search: impl FnOnce(&mut SearchBudget<'_>) -> T,
    ) -> Result<T, CutShort> {
        let tenth = self.most.saturating_sub(self.steps) / 10;
        let mut part = SearchBudget::new(most.min(tenth), self.stop);
        let found = search(&mut part);
        self.steps += part.steps;
        if self.stop.is_set() { Err(CutShort::Stopped) } else { Ok(found) }
    }

    /// The steps that were paid for.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The flag that stops the search.
    #[must_use]
    pub fn stop_flag(&self) -> &'a StopFlag {
        self.stop
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_of_a_budget_is_paid_from_the_whole() {
        let stop = StopFlag::default();
        let mut budget = SearchBudget::new(60, &stop);
        let spend =
            |part: &mut SearchBudget<'_>| (0..9).take_while(|_| part.step().is_ok()).count();
        assert_eq!([budget.tenth(5, spend), budget.tenth(9, spend)], [Ok(5), Ok(5)]);
        assert_eq!(budget.steps(), 10);
        stop.stop();
        assert_eq!(budget.tenth(5, spend), Err(CutShort::Stopped));
    }

    #[test]
    fn a_budget_ends_after_its_steps_and_when_it_is_stopped() {
        let stop = StopFlag::default();
        let mut budget = SearchBudget::new(3, &stop);
        assert_eq!([0; 4].map(|_| budget.step().is_ok()), [true, true, true, false]);
        assert_eq!(budget.steps(), 3);
        stop.stop();
        assert_eq!(SearchBudget::new(3, &stop).step(), Err(CutShort::Stopped));
        assert_eq!(budget.step(), Err(CutShort::OutOfBudget));
    }
}
