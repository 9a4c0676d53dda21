//! A run for another program: one JSON value per line in, one out.

use std::io::{self, BufRead, Write};

use notation::{
    PossibleEvent, RunExplanation, RunRefusal, RunSnapshot, RunStatus, RunStep, TextRun, ThreadPart,
};
use serde::{Deserialize, Serialize};

use super::session::RunSession;
use crate::input_line::next_line;

/// What the other program asks for.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum RunRequest {
    Trigger(String),
    Explain(String),
    Restore(Box<RunSnapshot>),
    Possible,
    Threads,
    Snapshot,
    Undo,
}

/// The answer to a line.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum RunReply {
    /// The events that happened; none after other changes.
    Happened(Vec<StepLine>),
    Refused(RefusalLine),
    Explanation(RunExplanation),
    Threads(Vec<ThreadLine>),
    Snapshot(RunSnapshot),
    /// What is wrong with the line.
    Mistake(String),
}

/// One event that happened, with the b-threads that took part.
#[derive(Serialize)]
struct StepLine {
    event: String,
    requested_by: Vec<String>,
    waited_for_by: Vec<String>,
    interrupted: Vec<String>,
}

/// An event that did not happen.
#[derive(Serialize)]
struct RefusalLine {
    sentence: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<RunExplanation>,
}

#[derive(Serialize)]
struct ThreadLine {
    name: String,
    line: u32,
    does: String,
}

/// A reply, and how far the run has come.
#[derive(Serialize)]
struct ReplyLine {
    #[serde(flatten)]
    reply: RunReply,
    status: &'static str,
    result: Option<String>,
    possible: Vec<PossibleLine>,
    violations: Vec<String>,
}

#[derive(Serialize)]
struct PossibleLine {
    event: String,
    wanted_by: Vec<String>,
}

/// The longest line, in bytes. A snapshot of the largest text fits.
const LONGEST_LINE: u64 = 1 << 20;

/// Says what happened at the start, and then answers every line until the input ends.
pub(super) fn serve(
    session: &mut RunSession,
    opening: &[RunStep],
    mut input: impl BufRead,
    output: &mut impl Write,
) -> io::Result<()> {
    answer(session.run(), happened(opening), output)?;
    while let Some(line) = next_line(&mut input, LONGEST_LINE)? {
        let reply = match line {
            Err(unreadable) => RunReply::Mistake(unreadable.to_string()),
            Ok(line) => match serde_json::from_str(&line) {
                Ok(request) => reply(session, request),
                Err(error) => RunReply::Mistake(format!(
                    "The line is not understood: {error}. Write {{\"trigger\": EVENT}}, \
                     {{\"explain\": EVENT}}, {{\"restore\": SNAPSHOT}}, \"possible\", \"threads\", \
                     \"snapshot\" or \"undo\". Nothing changed."
                )),
            },
        };
        answer(session.run(), reply, output)?;
    }
    Ok(())
}

fn reply(session: &mut RunSession, request: RunRequest) -> RunReply {
    match request {
        RunRequest::Trigger(name) => match session.trigger(&name) {
            Ok(steps) => happened(&steps),
            Err(refusal) => refused(refusal),
        },
        RunRequest::Explain(name) => match session.run().text().event_called(&name) {
            Ok(event) => RunReply::Explanation(session.run().explain(&event)),
            Err(refusal) => refused(refusal),
        },
        RunRequest::Possible => happened(&[]),
        RunRequest::Threads => RunReply::Threads(threads(session.run())),
        RunRequest::Snapshot => RunReply::Snapshot(session.run().snapshot()),
        RunRequest::Restore(snapshot) => match session.restore(&snapshot) {
            Ok(()) => happened(&[]),
            Err(error) => RunReply::Mistake(format!("{error}. Nothing changed.")),
        },
        RunRequest::Undo if session.undo() => happened(&[]),
        RunRequest::Undo => RunReply::Mistake("There is nothing to take back.".to_owned()),
    }
}

fn happened(steps: &[RunStep]) -> RunReply {
    let step = |step: &RunStep| {
        let who = |part| step.who(part).map(ToString::to_string).collect();
        StepLine {
            event: step.event.to_string(),
            requested_by: who(ThreadPart::Requested),
            waited_for_by: who(ThreadPart::Waited),
            interrupted: who(ThreadPart::Interrupted),
        }
    };
    RunReply::Happened(steps.iter().map(step).collect())
}

fn refused(refusal: RunRefusal) -> RunReply {
    let sentence = refusal.to_string();
    let explanation = match refusal {
        RunRefusal::Blocked(explanation) | RunRefusal::NotRequested(explanation) => {
            Some(*explanation)
        }
        _ => None,
    };
    RunReply::Refused(RefusalLine { sentence, explanation })
}

fn threads(run: &TextRun) -> Vec<ThreadLine> {
    let threads = run.threads().map(|(thread, does)| ThreadLine {
        name: thread.name().to_string(),
        line: thread.line(),
        does,
    });
    threads.collect()
}

fn answer(run: &TextRun, reply: RunReply, output: &mut impl Write) -> io::Result<()> {
    let possible = |each: PossibleEvent| PossibleLine {
        event: each.event.to_string(),
        wanted_by: each.wanted_by.iter().map(ToString::to_string).collect(),
    };
    let line = ReplyLine {
        reply,
        status: status_word(run.status()),
        result: run.outcome(),
        possible: run.possible().into_iter().map(possible).collect(),
        violations: violations(run),
    };
    serde_json::to_writer(&mut *output, &line)?;
    output.write_all(b"\n")?;
    output.flush()
}

/// The requirements that have failed, each with its sentence.
pub(super) fn violations(run: &TextRun) -> Vec<String> {
    run.violations().map(|(thread, sentence)| format!("{}: {sentence}", thread.name())).collect()
}

fn status_word(status: RunStatus) -> &'static str {
    match status {
        RunStatus::Open => "open",
        RunStatus::Over => "over",
        RunStatus::Stuck => "stuck",
        RunStatus::Ended => "ended",
    }
}
