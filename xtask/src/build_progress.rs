//! The progress that is shown while lanes build.

use std::io::{IsTerminal as _, Write as _, stderr};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Clears the line of a terminal.
const CLEAR: &str = "\r\x1b[2K";

/// A longer line would be wrapped by a terminal of usual width, and could not be cleared.
const COLUMNS: usize = 79;

/// When a build began and how long it should take, if that is known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timer {
    start: Instant,
    expected: Option<Duration>,
}

impl Timer {
    pub(crate) fn start(expected: Option<Duration>) -> Self {
        Self { start: Instant::now(), expected }
    }
}

/// An event of one lane.
#[derive(Debug)]
pub(crate) struct LaneMessage {
    pub(crate) lane: usize,
    pub(crate) event: LaneEvent,
}

/// What a lane reports.
#[derive(Debug)]
pub(crate) enum LaneEvent {
    /// A stage with this name has begun.
    Began(&'static str),
    /// Cargo has compiled this crate.
    Compiled(String),
    /// The lane has ended.
    Ended,
}

/// What each lane does at the moment.
#[derive(Debug)]
pub(crate) struct BuildProgress {
    stages: Vec<Option<LaneStage>>,
    timer: Timer,
}

#[derive(Debug)]
struct LaneStage {
    name: &'static str,
    compiled: u32,
    latest: String,
}

impl BuildProgress {
    pub(crate) fn new(lanes: usize, timer: Timer) -> Self {
        Self { stages: (0..lanes).map(|_| None).collect(), timer }
    }

    /// Shows the progress until all lanes have ended: in one line that changes where there is a
    /// terminal, and otherwise in a line now and then.
    pub(crate) fn show(mut self, reports: &Receiver<LaneMessage>) {
        let is_terminal = stderr().is_terminal();
        let pause = Duration::from_secs(if is_terminal { 1 } else { 20 });
        let mut next = Instant::now() + pause;
        let mut is_shown = false;
        loop {
            match reports.recv_timeout(next.saturating_duration_since(Instant::now())) {
                Ok(report) => self.update(report),
                Err(RecvTimeoutError::Timeout) => {
                    let mut line = self.line(self.timer.start.elapsed());
                    let (before, after) = if is_terminal { (CLEAR, "") } else { ("", "\n") };
                    if is_terminal && line.len() > COLUMNS {
                        line.truncate(line.floor_char_boundary(COLUMNS));
                    }
                    // What cannot be shown stops no build.
                    drop(write!(stderr(), "{before}{line}{after}"));
                    next += pause;
                    is_shown = true;
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        if is_terminal && is_shown {
            drop(write!(stderr(), "{CLEAR}"));
        }
    }

    fn update(&mut self, LaneMessage { lane, event }: LaneMessage) {
        let stage = &mut self.stages[lane];
        match (event, stage) {
            (LaneEvent::Began(name), stage) => {
                *stage = Some(LaneStage { name, compiled: 0, latest: String::new() });
            }
            (LaneEvent::Compiled(name), Some(stage)) => {
                stage.compiled += 1;
                stage.latest = name;
            }
            (LaneEvent::Compiled(_), None) => {}
            (LaneEvent::Ended, stage) => *stage = None,
        }
    }

    fn line(&self, elapsed: Duration) -> String {
        let expected = self.timer.expected.map(|expected| {
            // A machine that is busy or slow takes longer.
            let words = if elapsed > expected { ", longer than" } else { " of about" };
            format!("{words} {}", minutes(expected))
        });
        let stages = self.stages.iter().flatten().map(|stage| match stage {
            LaneStage { name, compiled: 0, .. } => format!(" | {name}"),
            LaneStage { name, compiled, latest } => {
                format!(" | {name}: {compiled} crates, {latest}")
            }
        });
        format!(
            "{}{}{}",
            minutes(elapsed),
            expected.unwrap_or_default(),
            stages.collect::<String>()
        )
    }
}

/// A time as minutes and seconds: `1:05`.
fn minutes(time: Duration) -> String {
    format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(lane: usize, event: LaneEvent) -> LaneMessage {
        LaneMessage { lane, event }
    }

    #[test]
    fn the_line_says_the_time_and_what_each_lane_does() {
        let mut progress = BuildProgress::new(2, Timer::start(Some(Duration::from_mins(4))));
        assert_eq!(progress.line(Duration::from_secs(5)), "0:05 of about 4:00");
        progress.update(message(0, LaneEvent::Began("page")));
        progress.update(message(1, LaneEvent::Began("server")));
        progress.update(message(1, LaneEvent::Compiled("serde".to_owned())));
        progress.update(message(1, LaneEvent::Compiled("axum".to_owned())));
        let line = "1:10 of about 4:00 | page | server: 2 crates, axum";
        assert_eq!(progress.line(Duration::from_secs(70)), line);
        progress.update(message(0, LaneEvent::Ended));
        progress.update(message(1, LaneEvent::Began("packing")));
        assert_eq!(progress.line(Duration::from_secs(80)), "1:20 of about 4:00 | packing");
        let late = progress.line(Duration::from_secs(241));
        assert_eq!(late, "4:01, longer than 4:00 | packing");
    }

    #[test]
    fn without_an_expected_time_the_line_says_only_how_long_it_takes_so_far() {
        assert_eq!(BuildProgress::new(1, Timer::start(None)).line(Duration::from_secs(61)), "1:01");
    }
}
