//! Measured times, by task and size.

use std::collections::BTreeMap;

use crate::benchmark_output::{BenchmarkTime, benchmark_times};

/// The seconds that each task takes, by its size.
#[derive(Debug, Default, PartialEq)]
pub(super) struct GrowthCurves(BTreeMap<String, BTreeMap<u32, f64>>);

impl GrowthCurves {
    /// The fastest times in the output of a benchmark. The name of a task is its path.
    pub(super) fn of_benchmark(output: &str) -> Self {
        let mut curves = Self::default();
        for BenchmarkTime { path, seconds } in benchmark_times(output) {
            if let [_file, task @ .., size] = &path[..]
                && let Ok(size) = size.parse()
            {
                curves.add(&task.join("/"), size, seconds);
            }
        }
        curves
    }

    /// One time in each line: a task, its size, and seconds.
    pub(super) fn of_lines(text: &str) -> Self {
        let mut curves = Self::default();
        for line in text.lines() {
            if let [task, size, seconds] = line.split_whitespace().collect::<Vec<_>>()[..]
                && let (Ok(size), Ok(seconds)) = (size.parse(), seconds.parse())
            {
                curves.add(task, size, seconds);
            }
        }
        curves
    }

    fn add(&mut self, task: &str, size: u32, seconds: f64) {
        self.0.entry(task.to_owned()).or_default().insert(size, seconds);
    }

    /// Adds the tasks of other benchmarks.
    pub(super) fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// The sizes and times of a task, the smallest size first.
    pub(super) fn of(&self, task: &str) -> Vec<(u32, f64)> {
        let points = self.0.get(task).into_iter().flatten();
        points.map(|(size, seconds)| (*size, *seconds)).collect()
    }
}

/// The power of n with which times grow, from the smallest size to the largest.
pub(super) fn exponent(points: &[(u32, f64)]) -> Option<f64> {
    let [(least, first), .., (most, last)] = points else { return None };
    Some((last / first).ln() / (f64::from(*most) / f64::from(*least)).ln())
}

#[cfg(test)]
mod tests {
    use super::{GrowthCurves, exponent};

    const OUTPUT: &str = "\
growth                fastest       │ slowest       │ median
├─ intersections                    │               │
│  ├─ 200             47.5 µs       │ 79.47 µs      │ 49.71 µs
│  ╰─ 400             96.68 µs      │ 130.3 µs      │ 104.3 µs
╰─ counter                          │               │
   ├─ closed                        │               │
   │  ╰─ 1000000      2.5 s         │ 2.823 s       │ 2.6 s
   ╰─ open                          │               │
      ╰─ 1000000      500 ms        │ 555.2 ms      │ 540.7 ms
";

    #[test]
    fn the_fastest_times_of_a_benchmark_are_read() {
        let curves = GrowthCurves::of_benchmark(OUTPUT);
        let lines = "intersections 200 0.0000475\nintersections 400 0.00009668\n\
                     counter/closed 1000000 2.5\ncounter/open 1000000 0.5\n";
        let expected = GrowthCurves::of_lines(lines);
        for task in ["intersections", "counter/closed", "counter/open"] {
            let (read, expected) = (curves.of(task), expected.of(task));
            assert_eq!(read.len(), expected.len(), "{task}");
            for ((size, seconds), (expected_size, expected)) in read.into_iter().zip(expected) {
                assert_eq!(size, expected_size);
                assert!((seconds / expected - 1.0).abs() < 1e-9, "{task}: {seconds}");
            }
        }
    }

    #[test]
    fn lines_that_are_no_times_are_skipped() {
        assert_eq!(GrowthCurves::of_benchmark("Timer precision: 21 ns"), GrowthCurves::default());
        assert_eq!(GrowthCurves::of_lines("a task\n\nx 1 fast"), GrowthCurves::default());
    }

    #[test]
    fn the_exponent_is_that_of_the_growth_between_the_ends() {
        let near = |points: &[(u32, f64)], expected: f64| {
            let exponent = exponent(points).expect("there are two sizes");
            assert!((exponent - expected).abs() < 1e-9, "{exponent}");
        };
        near(&[(100, 0.5), (200, 1.0), (800, 4.0)], 1.0);
        near(&[(10, 1.0), (40, 16.0)], 2.0);
        near(&[(10, 3.0), (80, 3.0)], 0.0);
        assert_eq!(exponent(&[(10, 3.0)]), None);
    }
}
