//! Runs a list of steps and reports on them.

use std::fmt::{self, Display, Formatter};
use std::io::{self, Write};
use std::time::{Duration, Instant};

use crate::{StepOutcome, TestStep, Workspace};

/// Where the steps run: it decides whether a step that cannot run is a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestHost {
    /// On somebody's machine: a step that cannot run is reported.
    Desk,
    /// In continuous integration: a step that cannot run is a failure.
    ContinuousIntegration,
}

impl TestHost {
    /// Continuous integration if `CI=true` is in the environment of this process.
    pub fn of_this_process() -> Self {
        match std::env::var("CI").as_deref() {
            Ok("true") => Self::ContinuousIntegration,
            _ => Self::Desk,
        }
    }
}

/// The results of a list of steps. Its `Display` is the summary.
#[derive(Debug)]
pub struct StepReport {
    lines: Vec<ReportLine>,
}

#[derive(Debug)]
struct ReportLine {
    name: &'static str,
    verdict: StepVerdict,
    took: Duration,
}

#[derive(Debug)]
enum StepVerdict {
    Passed,
    Incomplete(String),
    Failed(String),
}

/// Runs the steps in order and writes to `out` what each of them does. A step that fails does not stop
/// the others, so that one run finds every failure.
///
/// # Errors
/// If `out` cannot be written to.
pub fn run(
    steps: &[TestStep],
    workspace: &Workspace,
    place: TestHost,
    out: &mut impl Write,
) -> io::Result<StepReport> {
    let mut report = StepReport { lines: Vec::new() };
    for (index, step) in steps.iter().enumerate() {
        let position = format!("[{}/{}]", index + 1, steps.len());
        report.lines.push(run_one(*step, &position, workspace, place, out)?);
    }
    Ok(report)
}

fn run_one(
    step: TestStep,
    position: &str,
    workspace: &Workspace,
    place: TestHost,
    out: &mut impl Write,
) -> io::Result<ReportLine> {
    writeln!(out, "{position} {}: {}", step.name, step.does)?;
    let start = Instant::now();
    let verdict = verdict((step.run)(workspace).map_err(|failure| failure.to_string()), place);
    let line = ReportLine { name: step.name, verdict, took: start.elapsed() };
    writeln!(out, "{position} {line}\n")?;
    Ok(line)
}

fn verdict(result: Result<StepOutcome, String>, place: TestHost) -> StepVerdict {
    match (result, place) {
        (Ok(StepOutcome::Passed), _) => StepVerdict::Passed,
        (Ok(StepOutcome::PassedWithout(what)), _)
        | (Ok(StepOutcome::CannotRun(what)), TestHost::Desk) => StepVerdict::Incomplete(what),
        (Ok(StepOutcome::CannotRun(why)), TestHost::ContinuousIntegration) | (Err(why), _) => {
            StepVerdict::Failed(why)
        }
    }
}

impl StepReport {
    /// Whether no step failed.
    pub fn is_success(&self) -> bool {
        self.failures().next().is_none()
    }

    /// The names of the steps that failed.
    fn failures(&self) -> impl Iterator<Item = &'static str> {
        let is_failure = |line: &&ReportLine| matches!(line.verdict, StepVerdict::Failed(_));
        self.lines.iter().filter(is_failure).map(|line| line.name)
    }

    fn total(&self) -> Duration {
        self.lines.iter().map(|line| line.took).sum()
    }

    fn conclusion(&self) -> String {
        let incomplete = |line: &ReportLine| matches!(line.verdict, StepVerdict::Incomplete(_));
        if !self.is_success() {
            format!("FAILED: {},", self.failures().collect::<Vec<_>>().join(", "))
        } else if self.lines.iter().any(incomplete) {
            "passed, but NOT EVERYTHING WAS CHECKED (see above)".to_owned()
        } else {
            "passed".to_owned()
        }
    }
}

impl Display for StepReport {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "Summary")?;
        for line in &self.lines {
            writeln!(formatter, "  {line}")?;
        }
        writeln!(formatter, "{} after {:.1} s", self.conclusion(), self.total().as_secs_f64())
    }
}

impl Display for ReportLine {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let Self { name, verdict, took } = self;
        let seconds = took.as_secs_f64();
        match verdict {
            StepVerdict::Passed => write!(formatter, "{name}: passed in {seconds:.1} s"),
            StepVerdict::Incomplete(what) => {
                write!(formatter, "{name}: NOT DONE: {what} ({seconds:.1} s)")
            }
            StepVerdict::Failed(why) => write!(formatter, "{name}: FAILED: {why} ({seconds:.1} s)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::{TaskFailure, WorkspaceError};

    const PASSES: TestStep =
        TestStep { name: "passes", does: "passes", run: |_| Ok(StepOutcome::Passed) };
    const FAILS: TestStep = TestStep {
        name: "fails",
        does: "fails",
        run: |_| Err(TaskFailure::Workspace(WorkspaceError::NoAnswer)),
    };
    const LEAVES_OUT: TestStep = TestStep {
        name: "leaves-out",
        does: "leaves something out",
        run: |_| Ok(StepOutcome::PassedWithout("no moon tonight".to_owned())),
    };
    const CANNOT: TestStep = TestStep {
        name: "cannot",
        does: "cannot run here",
        run: |_| Ok(StepOutcome::CannotRun("there is no browser".to_owned())),
    };

    /// Runs the steps; returns what was written, and the report.
    fn check(steps: &[TestStep], place: TestHost) -> (String, StepReport) {
        let workspace =
            Workspace { root: PathBuf::new(), target: PathBuf::new(), packages: Vec::new() };
        let mut out = Vec::new();
        let report = run(steps, &workspace, place, &mut out).expect("a Vec takes everything");
        (String::from_utf8(out).expect("we write text"), report)
    }

    #[test]
    fn every_step_says_what_it_does_and_how_long_it_took() {
        let (said, report) = check(&[PASSES], TestHost::Desk);
        assert_eq!(said, "[1/1] passes: passes\n[1/1] passes: passed in 0.0 s\n\n");
        assert_eq!(report.to_string(), "Summary\n  passes: passed in 0.0 s\npassed after 0.0 s\n");
    }

    #[test]
    fn after_a_failing_step_the_others_run_and_all_failures_are_listed() {
        let (said, report) = check(&[FAILS, PASSES, FAILS], TestHost::Desk);
        assert!(!report.is_success());
        assert!(said.contains("[2/3] passes: passed"), "{said}");
        let summary = report.to_string();
        assert!(summary.contains("fails: FAILED: `cargo metadata` failed"), "{summary}");
        assert!(summary.ends_with("\nFAILED: fails, fails, after 0.0 s\n"), "{summary}");
    }

    #[test]
    fn at_a_desk_a_step_that_cannot_run_is_reported_and_the_rest_is_run() {
        let (said, report) = check(&[CANNOT, PASSES], TestHost::Desk);
        assert!(report.is_success());
        assert!(said.contains("cannot: NOT DONE: there is no browser"), "{said}");
        assert!(said.contains("passes: passed"), "{said}");
        assert!(report.to_string().contains("NOT EVERYTHING WAS CHECKED"), "{report}");
    }

    #[test]
    fn in_continuous_integration_a_step_that_cannot_run_fails() {
        let (said, report) = check(&[CANNOT, PASSES], TestHost::ContinuousIntegration);
        assert!(!report.is_success());
        assert!(said.contains("cannot: FAILED: there is no browser"), "{said}");
    }

    #[test]
    fn what_was_left_out_is_reported_everywhere_and_fails_nowhere() {
        for place in [TestHost::Desk, TestHost::ContinuousIntegration] {
            let (said, report) = check(&[LEAVES_OUT], place);
            assert!(report.is_success());
            assert!(said.contains("leaves-out: NOT DONE: no moon tonight"), "{said}");
            assert!(report.to_string().contains("NOT EVERYTHING WAS CHECKED"), "{report}");
        }
    }
}
