//! Going through a list of steps, and what came of it.

use std::fmt::{self, Display, Formatter};
use std::io::{self, Write};
use std::time::{Duration, Instant};

use crate::{Outcome, Step, Workspace};

/// Where the steps run, which decides what a step means that cannot run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// At somebody's desk: a step that cannot run is said aloud.
    Desk,
    /// In continuous integration: a step that cannot run is a failure.
    ContinuousIntegration,
}

impl Place {
    /// Continuous integration if `CI=true` is in the environment of this process.
    pub fn of_this_process() -> Self {
        match std::env::var("CI").as_deref() {
            Ok("true") => Self::ContinuousIntegration,
            _ => Self::Desk,
        }
    }
}

/// What came of a list of steps. Its `Display` is the summary.
#[derive(Debug)]
pub struct Report {
    lines: Vec<Line>,
}

#[derive(Debug)]
struct Line {
    name: &'static str,
    verdict: Verdict,
    took: Duration,
}

#[derive(Debug)]
enum Verdict {
    Passed,
    Incomplete(String),
    Failed(String),
    NotReached,
}

/// Runs the steps in order, stops at the first that fails, and says on `out` what happens.
///
/// # Errors
/// If `out` cannot be written to.
pub fn run(
    steps: &[Step],
    workspace: &Workspace,
    place: Place,
    out: &mut impl Write,
) -> io::Result<Report> {
    let mut report = Report { lines: Vec::new() };
    for (index, step) in steps.iter().enumerate() {
        if report.is_success() {
            let position = format!("[{}/{}]", index + 1, steps.len());
            report.lines.push(run_one(*step, &position, workspace, place, out)?);
        } else {
            report.lines.push(Line {
                name: step.name,
                verdict: Verdict::NotReached,
                took: Duration::ZERO,
            });
        }
    }
    Ok(report)
}

fn run_one(
    step: Step,
    position: &str,
    workspace: &Workspace,
    place: Place,
    out: &mut impl Write,
) -> io::Result<Line> {
    writeln!(out, "{position} {}: {}", step.name, step.does)?;
    let start = Instant::now();
    let verdict = verdict((step.run)(workspace).map_err(|failure| failure.to_string()), place);
    let line = Line { name: step.name, verdict, took: start.elapsed() };
    writeln!(out, "{position} {line}\n")?;
    Ok(line)
}

fn verdict(result: Result<Outcome, String>, place: Place) -> Verdict {
    match (result, place) {
        (Ok(Outcome::Passed), _) => Verdict::Passed,
        (Ok(Outcome::PassedWithout(what)), _) | (Ok(Outcome::CannotRun(what)), Place::Desk) => {
            Verdict::Incomplete(what)
        }
        (Ok(Outcome::CannotRun(why)), Place::ContinuousIntegration) | (Err(why), _) => {
            Verdict::Failed(why)
        }
    }
}

impl Report {
    /// Whether no step failed.
    pub fn is_success(&self) -> bool {
        !self.lines.iter().any(|line| matches!(line.verdict, Verdict::Failed(_)))
    }

    fn total(&self) -> Duration {
        self.lines.iter().map(|line| line.took).sum()
    }

    fn conclusion(&self) -> &'static str {
        let incomplete = |line: &Line| matches!(line.verdict, Verdict::Incomplete(_));
        if !self.is_success() {
            "FAILED"
        } else if self.lines.iter().any(incomplete) {
            "passed, but NOT EVERYTHING WAS CHECKED (see above)"
        } else {
            "passed"
        }
    }
}

impl Display for Report {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "Summary")?;
        for line in &self.lines {
            writeln!(formatter, "  {line}")?;
        }
        writeln!(formatter, "{} after {:.1} s", self.conclusion(), self.total().as_secs_f64())
    }
}

impl Display for Line {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let Self { name, verdict, took } = self;
        let seconds = took.as_secs_f64();
        match verdict {
            Verdict::Passed => write!(formatter, "{name}: passed in {seconds:.1} s"),
            Verdict::Incomplete(what) => {
                write!(formatter, "{name}: NOT DONE: {what} ({seconds:.1} s)")
            }
            Verdict::Failed(why) => write!(formatter, "{name}: FAILED: {why} ({seconds:.1} s)"),
            Verdict::NotReached => write!(formatter, "{name}: not reached"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::{Failure, WorkspaceError};

    const PASSES: Step = Step { name: "passes", does: "passes", run: |_| Ok(Outcome::Passed) };
    const FAILS: Step = Step {
        name: "fails",
        does: "fails",
        run: |_| Err(Failure::Workspace(WorkspaceError::NoAnswer)),
    };
    const LEAVES_OUT: Step = Step {
        name: "leaves-out",
        does: "leaves something out",
        run: |_| Ok(Outcome::PassedWithout("no moon tonight".to_owned())),
    };
    const CANNOT: Step = Step {
        name: "cannot",
        does: "cannot run here",
        run: |_| Ok(Outcome::CannotRun("there is no browser".to_owned())),
    };

    /// The words said on the way, and the report.
    fn check(steps: &[Step], place: Place) -> (String, Report) {
        let workspace =
            Workspace { root: PathBuf::new(), target: PathBuf::new(), packages: Vec::new() };
        let mut out = Vec::new();
        let report = run(steps, &workspace, place, &mut out).expect("a Vec takes everything");
        (String::from_utf8(out).expect("we write text"), report)
    }

    #[test]
    fn every_step_says_what_it_does_and_how_long_it_took() {
        let (said, report) = check(&[PASSES], Place::Desk);
        assert_eq!(said, "[1/1] passes: passes\n[1/1] passes: passed in 0.0 s\n\n");
        assert_eq!(report.to_string(), "Summary\n  passes: passed in 0.0 s\npassed after 0.0 s\n");
    }

    #[test]
    fn the_first_failing_step_ends_the_run() {
        let (said, report) = check(&[FAILS, PASSES], Place::Desk);
        assert!(!report.is_success());
        assert!(!said.contains("passes"), "{said}");
        let summary = report.to_string();
        assert!(summary.contains("fails: FAILED: `cargo metadata` failed"), "{summary}");
        assert!(summary.contains("passes: not reached"), "{summary}");
    }

    #[test]
    fn at_a_desk_a_step_that_cannot_run_is_said_aloud_and_the_rest_goes_on() {
        let (said, report) = check(&[CANNOT, PASSES], Place::Desk);
        assert!(report.is_success());
        assert!(said.contains("cannot: NOT DONE: there is no browser"), "{said}");
        assert!(said.contains("passes: passed"), "{said}");
        assert!(report.to_string().contains("NOT EVERYTHING WAS CHECKED"), "{report}");
    }

    #[test]
    fn in_continuous_integration_a_step_that_cannot_run_fails() {
        let (said, report) = check(&[CANNOT, PASSES], Place::ContinuousIntegration);
        assert!(!report.is_success());
        assert!(said.contains("cannot: FAILED: there is no browser"), "{said}");
    }

    #[test]
    fn what_was_left_out_is_said_aloud_everywhere_and_fails_nowhere() {
        for place in [Place::Desk, Place::ContinuousIntegration] {
            let (said, report) = check(&[LEAVES_OUT], place);
            assert!(report.is_success());
            assert!(said.contains("leaves-out: NOT DONE: no moon tonight"), "{said}");
            assert!(report.to_string().contains("NOT EVERYTHING WAS CHECKED"), "{report}");
        }
    }
}
