//! Measurements of a journal.

use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};

/// Measurements of a journal. Clones share their values.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct JournalMetrics {
    /// The time of each commit, which waits for the disk.
    pub commit_seconds: Histogram,
    /// The number of writes in each commit.
    pub batch_writes: Histogram,
    /// The number of bytes of the files.
    pub size: Gauge,
}

impl Default for JournalMetrics {
    fn default() -> Self {
        Self {
            // From 0.1 ms to 1.6 s.
            commit_seconds: Histogram::new(exponential_buckets(0.0001, 2.0, 15)),
            // From 1 to 2,048.
            batch_writes: Histogram::new(exponential_buckets(1.0, 2.0, 12)),
            size: Gauge::default(),
        }
    }
}
