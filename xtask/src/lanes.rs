//! Builds that run side by side.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::scope;

use crate::TaskFailure;
use crate::build_progress::{BuildProgress, LaneEvent, LaneMessage, Timer};
use crate::command_line::CommandLine;

/// The work of one lane.
pub(crate) type Work<'a> = &'a (dyn Fn(&Lane<'_>) -> Result<(), TaskFailure> + Sync);

/// A lane as its work sees it: a place to run programs and to say what is being done.
#[derive(Debug)]
pub(crate) struct Lane<'a> {
    index: usize,
    reports: Sender<LaneMessage>,
    has_failure: &'a AtomicBool,
}

impl Lane<'_> {
    /// Says what the lane does from now on.
    pub(crate) fn begin(&self, stage: &'static str) {
        self.report(LaneEvent::Began(stage));
    }

    /// Runs Cargo with arguments that begin with `build`, and reports every crate that it compiles.
    ///
    /// # Errors
    /// If Cargo fails, or another lane has failed meanwhile.
    pub(crate) fn build(&self, cargo: CommandLine) -> Result<(), TaskFailure> {
        cargo.run_build(|name| {
            self.report(LaneEvent::Compiled(name.to_owned()));
            if self.has_failure.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })
    }

    fn report(&self, event: LaneEvent) {
        // The progress listens until the last lane has ended.
        drop(self.reports.send(LaneMessage { lane: self.index, event }));
    }
}

/// Runs all lanes at the same time, and shows their progress.
///
/// Cargo locks one folder per profile, so that lanes with different profiles do not wait for each
/// other: where one has only a single crate left to compile, the other uses the idle core.
///
/// # Errors
/// The failure of the first lane that has one. The other lanes stop after their current crate.
pub(crate) fn run(lanes: &[Work<'_>], timer: Timer) -> Result<(), TaskFailure> {
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
                    lane.report(LaneEvent::Ended);
                    result
                })
            })
            .collect();
        drop(reports);
        BuildProgress::new(lanes.len(), timer).show(&received);
        let results = threads.into_iter().map(|thread| thread.join().expect("no lane panics"));
        let failures = results.filter_map(Result::err);
        // A lane that was stopped by the failure of another one has less to say.
        failures.min_by_key(|failure| matches!(failure, TaskFailure::Stopped)).map_or(Ok(()), Err)
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn program(name: &str) -> CommandLine {
        CommandLine::new(Path::new("."), name, &[])
    }

    #[test]
    fn lanes_that_succeed_are_all_run() {
        let works: [Work<'_>; 2] = [&|lane| lane.build(program("true")), &|_| Ok(())];
        assert!(run(&works, Timer::start(None)).is_ok());
    }

    #[test]
    fn the_failure_of_one_lane_is_the_answer() {
        let fails: Work<'_> = &|lane| lane.build(program("false"));
        let stops: Work<'_> = &|_| Err(TaskFailure::Stopped);
        for works in [[fails, stops], [stops, fails]] {
            let failure = run(&works, Timer::start(None)).unwrap_err().to_string();
            assert!(failure.starts_with("`false` failed"), "{failure}");
        }
    }
}
