//! Counting runs.

use foldhash::quality::FixedState;
use hashbrown::HashMap;

use crate::model::{Model, ModelExplorer};

/// The number of runs from the start to a state that passes the test, each up to the first such
/// state. The test also gets to know whether a state is an end.
///
/// `None` if there are endless runs between, more than `most_states` states, or too many runs to
/// count.
///
/// # Errors
/// If the successors of a state are unknown.
pub fn count_runs<M: Model>(
    model: &M,
    most_states: u64,
    is_counted: impl Fn(&M::State, bool) -> bool,
) -> Result<Option<u64>, M::Error> {
    let explorer = model.explorer();
    let counts = HashMap::with_hasher(FixedState::default());
    let mut counter: RunCounter<'_, M, _> = RunCounter { explorer, is_counted, counts };
    let mut path = vec![counter.open(model.start())?];
    while let Some(visit) = path.last_mut() {
        let Some(next) = visit.next.pop() else {
            let (state, runs) = (visit.state.clone(), visit.runs);
            path.pop();
            let Some(runs) = runs else { return Ok(None) };
            counter.counts.insert(state, Some(runs));
            if let Some(before) = path.last_mut() {
                before.runs = before.runs.and_then(|before| before.checked_add(runs));
            }
            continue;
        };
        match counter.counts.get(&next) {
            Some(Some(known)) => {
                visit.runs = visit.runs.and_then(|runs| runs.checked_add(*known));
            }
            // The state is on the path: a cycle.
            Some(None) => return Ok(None),
            None if counter.counts.len() as u64 >= most_states => return Ok(None),
            None => {
                let visit = counter.open(next)?;
                path.push(visit);
            }
        }
    }
    Ok(counter.counts.get(&model.start()).copied().flatten())
}

struct RunCounter<'m, M: Model, T> {
    explorer: ModelExplorer<'m, M>,
    is_counted: T,
    /// The number of runs from each state; `None` while it is being counted.
    counts: HashMap<M::State, Option<u64>, FixedState>,
}

/// A state on the path whose runs are being counted.
struct RunVisit<S> {
    state: S,
    next: Vec<S>,
    runs: Option<u64>,
}

impl<M: Model, T: Fn(&M::State, bool) -> bool> RunCounter<'_, M, T> {
    fn open(&mut self, state: M::State) -> Result<RunVisit<M::State>, M::Error> {
        let mut next = Vec::new();
        (self.explorer)(&state, &mut |_, to| next.push(to))?;
        self.counts.insert(state.clone(), None);
        let is_counted = (self.is_counted)(&state, next.is_empty());
        if is_counted {
            next.clear();
        }
        Ok(RunVisit { state, next, runs: Some(u64::from(is_counted)) })
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    /// A walk on a grid, one step right or down, with a way back from one corner.
    struct Grid {
        size: u8,
        has_way_back: bool,
    }

    impl Model for Grid {
        type State = (u8, u8);
        type Action = u8;
        type Error = Infallible;

        fn start(&self) -> (u8, u8) {
            (0, 0)
        }

        fn successors(
            &self,
            &(x, y): &(u8, u8),
            show: &mut dyn FnMut(&u8, (u8, u8)),
        ) -> Result<(), Infallible> {
            if x < self.size {
                show(&0, (x + 1, y));
            }
            if y < self.size {
                show(&1, (x, y + 1));
            }
            if self.has_way_back && (x, y) == (self.size, 0) {
                show(&2, (0, 0));
            }
            Ok(())
        }
    }

    fn runs(has_way_back: bool, test: impl Fn(&(u8, u8), bool) -> bool) -> Option<u64> {
        let grid = Grid { size: 5, has_way_back };
        count_runs(&grid, 100, test).unwrap_or_else(|never| match never {})
    }

    #[test]
    fn runs_are_counted_up_to_the_first_state_that_counts() {
        assert_eq!(runs(false, |_, is_end| is_end), Some(252));
        assert_eq!(runs(false, |(x, y), _| x + y == 3), Some(8));
        assert_eq!(runs(false, |(x, y), _| x + y >= 3), Some(8));
        assert_eq!(runs(false, |_, _| false), Some(0));
        assert_eq!(runs(false, |_, _| true), Some(1));
    }

    #[test]
    fn endless_runs_and_too_many_states_are_not_counted() {
        assert_eq!(runs(true, |_, is_end| is_end), None);
        assert_eq!(runs(true, |(x, _), _| *x == 3), Some(56));
        let grid = Grid { size: 5, has_way_back: false };
        assert_eq!(count_runs(&grid, 10, |_, is_end| is_end), Ok(None));
    }
}
