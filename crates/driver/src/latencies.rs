//! Latencies and their percentiles.

use std::time::Duration;

/// Latencies, in microseconds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Latencies(Vec<u32>);

/// The number of latencies, their median, their 99th percentile and the largest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) count: u32,
    pub(crate) p50: Duration,
    pub(crate) p99: Duration,
    pub(crate) max: Duration,
}

impl Latencies {
    pub(crate) fn push(&mut self, took: Duration) {
        self.0.push(u32::try_from(took.as_micros()).unwrap_or(u32::MAX));
    }

    pub(crate) fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    pub(crate) fn summary(mut self) -> Summary {
        self.0.sort_unstable();
        let at = |percent: usize| {
            let place = (self.0.len() * percent / 100).min(self.0.len().saturating_sub(1));
            Duration::from_micros(self.0.get(place).copied().unwrap_or_default().into())
        };
        let count = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        Summary { count, p50: at(50), p99: at(99), max: at(100) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_has_the_median_the_99th_percentile_and_the_largest() {
        let mut latencies = Latencies::default();
        for micros in (0..200).rev() {
            latencies.push(Duration::from_micros(micros));
        }
        let [p50, p99, max] = [100, 198, 199].map(Duration::from_micros);
        assert_eq!(latencies.summary(), Summary { count: 200, p50, p99, max });
        assert_eq!(Latencies::default().summary(), Summary::default());
    }
}
