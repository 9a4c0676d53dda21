//! The progress of a search on the terminal.

use std::io::Write;
use std::time::Duration;

use notation::VerifyProgress;

use crate::quantity::count;

/// A line of the terminal that is rewritten while a search runs and removed afterwards.
#[derive(Debug)]
pub(crate) struct ProgressLine<W: Write> {
    out: W,
    /// When the line was last written.
    shown: Option<Duration>,
}

/// A shorter search shows no progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time between two updates.
const PAUSE: Duration = Duration::from_millis(100);

/// Goes back to the start of the line and clears it.
const CLEARED: &str = "\r\x1b[K";

impl<W: Write> ProgressLine<W> {
    /// A line that is not written yet.
    pub(crate) fn new(out: W) -> Self {
        Self { out, shown: None }
    }

    /// Writes the progress after this time, unless it is too early for an update.
    pub(crate) fn show(&mut self, progress: VerifyProgress, elapsed: Duration) {
        self.show_text(elapsed, || line(progress, elapsed));
    }

    /// Writes a text after this time, unless it is too early for an update.
    pub(crate) fn show_text(&mut self, elapsed: Duration, text: impl FnOnce() -> String) {
        let next = self.shown.map_or(PATIENCE, |shown| shown + PAUSE);
        if elapsed >= next {
            self.write(&format!("{CLEARED}{}", text()));
            self.shown = Some(elapsed);
        }
    }

    fn write(&mut self, text: &str) {
        // The search continues even if its progress cannot be shown.
        drop(self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush()));
    }
}

impl<W: Write> Drop for ProgressLine<W> {
    fn drop(&mut self) {
        if self.shown.is_some() {
            self.write(CLEARED);
        }
    }
}

fn line(progress: VerifyProgress, elapsed: Duration) -> String {
    let progress = match progress {
        VerifyProgress::Search(progress) => progress,
        VerifyProgress::Runs { visited, states } => {
            let (visited, states) = (count(visited), count(states.max(visited)));
            return format!("whole runs: {visited} of {states} states");
        }
    };
    let milliseconds = elapsed.as_millis().max(1);
    let rate = u128::from(progress.states) * 1000 / milliseconds;
    let rate = count(u64::try_from(rate).unwrap_or(u64::MAX));
    format!("{} states, {rate} states/s, depth {}", count(progress.states), progress.depth)
}

#[cfg(test)]
mod tests {
    use checker::SearchProgress;

    use super::*;

    /// What is written for progress at these times, in milliseconds.
    fn shown(times: &[u64]) -> String {
        let mut out = Vec::new();
        let mut line = ProgressLine::new(&mut out);
        for (states, time) in (1..).zip(times) {
            let progress = SearchProgress { states: states * 1_000_000, visited: 0, depth: 12 };
            let progress = VerifyProgress::Search(progress);
            line.show(progress, Duration::from_millis(*time));
        }
        drop(line);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_search_of_less_than_a_second_shows_nothing() {
        assert_eq!(shown(&[10, 999]), "");
    }

    #[test]
    fn a_longer_search_rewrites_one_line_and_removes_it() {
        assert_eq!(
            shown(&[10, 2_000, 2_001, 3_000]),
            "\r\x1b[K2,000,000 states, 1,000,000 states/s, depth 12\
             \r\x1b[K4,000,000 states, 1,333,333 states/s, depth 12\
             \r\x1b[K"
        );
    }
}
