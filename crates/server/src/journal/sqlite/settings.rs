//! The settings of a journal in a file.

/// The settings of a journal in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The largest number of writes in one commit.
    pub batch: usize,
    /// The largest number of writes that may wait; more are refused.
    pub waiting_writes: usize,
    /// The largest number of reads that may wait; more are refused.
    pub waiting_reads: usize,
    /// The number of threads that read.
    pub readers: usize,
    /// The length of the write-ahead log at which it is written back, in pages of 4096 bytes.
    pub pages: u32,
    /// The number of tables of which the writer remembers the end of the log.
    pub remembered: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            batch: 1024,
            waiting_writes: 8192,
            waiting_reads: 8192,
            readers: 2,
            pages: 8192,
            remembered: 16_384,
        }
    }
}
