//! Builds that run side by side, and the progress that is shown meanwhile.

use std::io::{IsTerminal as _, Write as _, stderr};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::scope;
use std::time::{Duration, Instant};

use crate::Failure;
use crate::program::Program;

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

/// The work of one lane.
pub(crate) type Work<'a> = &'a (dyn Fn(&Lane<'_>) -> Result<(), Failure> + Sync);

/// A lane as its work sees it: a place to run programs and to say what is being done.
#[derive(Debug)]
pub(crate) struct Lane<'a> {
    index: usize,
    reports: Sender<LaneReport>,
    has_failure: &'a AtomicBool,
}

#[derive(Debug)]
struct LaneReport {
    lane: usize,
    news: LaneNews,
}

#[derive(Debug)]
enum LaneNews {
    Began(&'static str),
    Compiled(String),
    Ended,
}

impl Lane<'_> {
    /// Says what the lane does from now on.
    pub(crate) fn begin(&self, stage: &'static str) {
        self.report(LaneNews::Began(stage));
    }

    /// Runs Cargo with arguments that begin with `build`, and reports every crate that it compiles.
    ///
    /// # Errors
    /// If Cargo fails, or another lane has failed meanwhile.
    pub(crate) fn build(&self, cargo: Program) -> Result<(), Failure> {
        cargo.run_build(|name| {
            self.report(LaneNews::Compiled(name.to_owned()));
            if self.has_failure.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })
    }

    fn report(&self, news: LaneNews) {
        // Nobody listens only if the progress could not be shown, which stops no build.
        drop(self.reports.send(LaneReport { lane: self.index, news }));
    }
}

/// Runs all lanes at the same time, and shows their progress.
///
/// Cargo locks one folder per profile, so that lanes with different profiles do not wait for each
/// other: where one has only a single crate left to compile, the other uses the idle core.
///
/// # Errors
/// The failure of the first lane that has one. The other lanes stop after their current crate.
pub(crate) fn run(lanes: &[Work<'_>], timer: Timer) -> Result<(), Failure> {
    let has_failure = AtomicBool::new(false);
    let (reports, received) = channel();
    scope(|scope| {
        let threads: Vec<_> = lanes
            .iter()
            .enumerate()
            .map(|(index, work)| {
                let lane = Lane { index, reports: reports.clone(), has_failure: &has_failure };
                scope.spawn(move || {
                    let result = work(&lane);
                    lane.has_failure.fetch_or(result.is_err(), Ordering::Relaxed);
                    lane.report(LaneNews::Ended);
                    result
                })
            })
            .collect();
        drop(reports);
        Progress::new(lanes.len(), timer).show(&received);
        let results = threads.into_iter().map(|thread| thread.join().expect("no lane panics"));
        let failures = results.filter_map(Result::err);
        // A lane that was stopped by the failure of another one has less to say.
        failures.min_by_key(|failure| matches!(failure, Failure::Stopped)).map_or(Ok(()), Err)
    })
}

/// What is known of all lanes.
#[derive(Debug)]
struct Progress {
    stages: Vec<Option<LaneStage>>,
    timer: Timer,
}

#[derive(Debug)]
struct LaneStage {
    name: &'static str,
    compiled: u32,
    latest: String,
}

impl Progress {
    fn new(lanes: usize, timer: Timer) -> Self {
        Self { stages: (0..lanes).map(|_| None).collect(), timer }
    }

    /// Shows the progress until all lanes have ended: in one line that changes where there is a
    /// terminal, and otherwise in a line now and then.
    fn show(mut self, reports: &Receiver<LaneReport>) {
        let is_terminal = stderr().is_terminal();
        let pause = Duration::from_secs(if is_terminal { 1 } else { 20 });
        let mut next = Instant::now() + pause;
        let mut is_shown = false;
        loop {
            match reports.recv_timeout(next.saturating_duration_since(Instant::now())) {
                Ok(report) => self.update(report),
                Err(RecvTimeoutError::Timeout) => {
                    let line = self.line(self.timer.start.elapsed());
                    let (before, after) = if is_terminal { ("\r\x1b[2K", "") } else { ("", "\n") };
                    // What cannot be shown stops no build.
                    drop(write!(stderr(), "{before}{line}{after}"));
                    next += pause;
                    is_shown = true;
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        if is_terminal && is_shown {
            drop(write!(stderr(), "\r\x1b[2K"));
        }
    }

    fn update(&mut self, LaneReport { lane, news }: LaneReport) {
        let stage = &mut self.stages[lane];
        match (news, stage) {
            (LaneNews::Began(name), stage) => {
                *stage = Some(LaneStage { name, compiled: 0, latest: String::new() });
            }
            (LaneNews::Compiled(name), Some(stage)) => {
                stage.compiled += 1;
                stage.latest = name;
            }
            (LaneNews::Compiled(_), None) => {}
            (LaneNews::Ended, stage) => *stage = None,
        }
    }

    fn line(&self, elapsed: Duration) -> String {
        let expected =
            self.timer.expected.map(|expected| format!(" of about {}", minutes(expected)));
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
    use std::path::Path;

    use super::*;

    fn report(lane: usize, news: LaneNews) -> LaneReport {
        LaneReport { lane, news }
    }

    fn program(name: &str) -> Program {
        Program::new(Path::new("."), name, &[])
    }

    #[test]
    fn the_line_says_the_time_and_what_each_lane_does() {
        let mut progress = Progress::new(2, Timer::start(Some(Duration::from_secs(240))));
        assert_eq!(progress.line(Duration::from_secs(5)), "0:05 of about 4:00");
        progress.update(report(0, LaneNews::Began("compiles the page")));
        progress.update(report(1, LaneNews::Began("compiles the server")));
        progress.update(report(1, LaneNews::Compiled("serde".to_owned())));
        progress.update(report(1, LaneNews::Compiled("axum".to_owned())));
        let line = "1:10 of about 4:00 | compiles the page | compiles the server: 2 crates, axum";
        assert_eq!(progress.line(Duration::from_secs(70)), line);
        progress.update(report(0, LaneNews::Ended));
        progress.update(report(1, LaneNews::Began("packs")));
        assert_eq!(progress.line(Duration::from_secs(80)), "1:20 of about 4:00 | packs");
    }

    #[test]
    fn lanes_that_succeed_are_all_run() {
        let works: [Work<'_>; 2] = [&|lane| lane.build(program("true")), &|_| Ok(())];
        assert!(run(&works, Timer::start(None)).is_ok());
    }

    #[test]
    fn the_failure_of_one_lane_is_the_answer() {
        let fails: Work<'_> = &|lane| lane.build(program("false"));
        let stops: Work<'_> = &|_| Err(Failure::Stopped);
        for works in [[fails, stops], [stops, fails]] {
            let failure = run(&works, Timer::start(None)).unwrap_err().to_string();
            assert!(failure.starts_with("`false` failed"), "{failure}");
        }
    }
}
