//! The times that benchmarks print.

/// A benchmark, and the fastest of its samples.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BenchmarkTime {
    /// Its file, its modules and its name, and its argument if it has one.
    pub(crate) path: Vec<String>,
    pub(crate) seconds: f64,
}

/// All times in the output of `cargo bench`, in order.
pub(crate) fn benchmark_times(output: &str) -> Vec<BenchmarkTime> {
    let mut times = Vec::new();
    let mut path: Vec<String> = Vec::new();
    for line in output.lines() {
        let Some((depth, name, seconds)) = branch(line) else { continue };
        path.truncate(depth);
        path.push(name.to_owned());
        if let Some(seconds) = seconds {
            times.push(BenchmarkTime { path: path.clone(), seconds });
        }
    }
    times
}

/// How deep a line of the tree of results is, its name, and its time if it has one.
fn branch(line: &str) -> Option<(usize, &str, Option<f64>)> {
    let branch = line.split_once("├─ ").or_else(|| line.split_once("╰─ "));
    let Some((indent, rest)) = branch else {
        // The first line of a file has the titles of the columns.
        let name = line.split_once(" fastest ")?.0.trim();
        return Some((0, name, None));
    };
    let depth = indent.chars().count() / 3 + 1;
    let first = rest.split('│').next()?.trim();
    Some(match timed(first) {
        Some((name, seconds)) => (depth, name, Some(seconds)),
        None => (depth, first, None),
    })
}

/// A name and a time, as in `(10, 2)   149.2 µs`.
fn timed(text: &str) -> Option<(&str, f64)> {
    let (text, unit) = text.rsplit_once(' ')?;
    let (name, number) = text.rsplit_once(' ')?;
    let factor = match unit {
        "ns" => 1e-9,
        "µs" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        _ => return None,
    };
    Some((name.trim(), number.parse::<f64>().ok()? * factor))
}

#[cfg(test)]
mod tests {
    use super::benchmark_times;

    const OUTPUT: &str = "\
Timer precision: 21 ns
growth                fastest       │ slowest       │ median
├─ intersections                    │               │
│  ├─ 200             47.5 µs       │ 79.47 µs      │ 49.71 µs
│  │                  4.9 Mitem/s   │ 2.9 Mitem/s   │ 4.7 Mitem/s
│  ╰─ (10, 2)         96.68 µs      │ 130.3 µs      │ 104.3 µs
╰─ counter                          │               │
   ╰─ closed          2.5 s         │ 2.823 s       │ 2.6 s

checker               fastest       │ slowest       │ median
╰─ two_counters       250 ms        │ 255.2 ms      │ 254.7 ms
";

    #[test]
    fn the_fastest_times_are_read_with_their_paths() {
        let times = benchmark_times(OUTPUT);
        let read: Vec<_> = times.iter().map(|time| (time.path.join("/"), time.seconds)).collect();
        let expected = [
            ("growth/intersections/200", 47.5e-6),
            ("growth/intersections/(10, 2)", 96.68e-6),
            ("growth/counter/closed", 2.5),
            ("checker/two_counters", 0.25),
        ];
        assert_eq!(read.len(), expected.len());
        for ((path, seconds), (expected_path, expected)) in read.iter().zip(expected) {
            assert_eq!(path, expected_path);
            assert!((seconds / expected - 1.0).abs() < 1e-9, "{path}: {seconds}");
        }
    }

    #[test]
    fn lines_that_are_no_times_are_skipped() {
        let output = "Timer precision: 21 ns\n├─ slow   ten minutes │\nrunning 0 tests";
        assert_eq!(benchmark_times(output), []);
    }
}
