//! The tasks whose growth is measured.

use super::curves::{GrowthCurves, exponent};

/// A benchmark that runs at several sizes.
#[derive(Clone, Copy, Debug)]
pub(super) struct GrowthTask {
    /// Its path in the output of the benchmarks.
    pub(super) name: &'static str,
    /// What the picture calls it.
    pub(super) title: &'static str,
    /// The highest power of n with which its time may grow. Times vary, so it is a little above the
    /// true one.
    most: f64,
}

const fn task(name: &'static str, title: &'static str, most: f64) -> GrowthTask {
    GrowthTask { name, title, most }
}

/// Time in proportion to n, or to n and its logarithm.
const LINEAR: f64 = 1.3;

/// Time that depends little on n.
const CONSTANT: f64 = 0.3;

/// The tasks, in the order in which they are drawn.
pub(super) const TASKS: [GrowthTask; 18] = [
    task("ranked_requesters/open", "priorities of n requesters, open", LINEAR),
    task("ranked_requesters/closed", "priorities of n requesters, closed", LINEAR),
    task("queue_with_blocked_events", "n queued events, half blocked", LINEAR),
    task("intersections", "n sets folded with &amp;", LINEAR),
    task("request_any_of_many/open", "request_any of n events, open", CONSTANT),
    task("request_any_of_many/closed", "request_any of n events, closed", CONSTANT),
    task("counter/closed", "a counter of n steps, closed", LINEAR),
    task("counter/open", "a counter of n steps, open", LINEAR),
    task("added_b_threads", "1,000 events, n added b-threads", CONSTANT),
    task("corridor/building", "building a space of n b-threads", LINEAR),
    // A state has a bit for each b-thread.
    task("corridor/checking", "checking a space of n b-threads", 1.9),
    task("corridor/trace", "a search and a trace of n steps", 1.9),
    task("standing/behaviours", "n states of n b-threads with a state", 2.1),
    task("standing/requirements", "n states, n requirements", 1.9),
    task("fair_cycles", "fairness in n states", LINEAR),
    task("hot_requirements", "n hot requirements", LINEAR),
    task("philosophers/one_thread", "n states, one thread", LINEAR),
    task("philosophers/two_threads", "n states, two threads", LINEAR),
];

/// How a task grows.
pub(super) struct MeasuredGrowth {
    pub(super) task: GrowthTask,
    exponent: f64,
}

impl MeasuredGrowth {
    /// How all tasks grow that were measured at more than one size.
    pub(super) fn of_tasks(curves: &GrowthCurves) -> impl Iterator<Item = Self> + '_ {
        TASKS.into_iter().filter_map(|task| {
            exponent(&curves.of(task.name)).map(|exponent| Self { task, exponent })
        })
    }

    /// Whether the time grows faster than it may.
    pub(super) fn is_too_fast(&self) -> bool {
        self.exponent > self.task.most
    }

    /// The growth in one line.
    pub(super) fn line(&self) -> String {
        let Self { task: GrowthTask { name, most, .. }, exponent } = self;
        let end = if self.is_too_fast() { ": it grows too fast" } else { "" };
        format!("{name}: n^{exponent:.2}, at most n^{most} is expected{end}")
    }
}

#[cfg(test)]
mod tests {
    use super::{GrowthCurves, MeasuredGrowth};

    #[test]
    fn a_task_that_grows_faster_than_expected_is_told() {
        let lines = "hot_requirements 100 0.01\nhot_requirements 800 0.08\n\
                     counter/open 10 0.001\ncounter/open 20 0.004\nanother 1 1\nanother 2 9\n";
        let curves = GrowthCurves::of_lines(lines);
        let growth: Vec<_> = MeasuredGrowth::of_tasks(&curves).collect();
        let lines: Vec<_> = growth.iter().map(MeasuredGrowth::line).collect();
        let expected = [
            "counter/open: n^2.00, at most n^1.3 is expected: it grows too fast",
            "hot_requirements: n^1.00, at most n^1.3 is expected",
        ];
        assert_eq!(lines, expected);
        let too_fast: Vec<_> = growth.iter().map(MeasuredGrowth::is_too_fast).collect();
        assert_eq!(too_fast, [true, false]);
    }
}
