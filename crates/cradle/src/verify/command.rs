//! The arguments of `cradle verify`, and what it does with them.

use std::io::{IsTerminal, stderr};
use std::path::PathBuf;
use std::thread::available_parallelism;

use anyhow::Context;
use checker::Verdict;
use clap::Args;

use super::drawing::{Drawing, is_standard_output};
use super::request::{SearchExtent, VerifyRequest, known_threads, properties};
use super::search::SearchResult;
use super::subject::{SUBJECTS, Subject, SubjectEntry};
use super::verification::{DrawnFile, Verification};
use super::{text, text_file};
use crate::exit_reason::ExitReason;
use crate::interrupt::Interrupt;
use crate::number_argument::number;
use crate::progress_line::ProgressLine;
use crate::quantity::counted;
use crate::text_file::is_text;
use crate::{console, memory, paint::Paint};

/// Prove what must hold in a game, or show the game that breaks it
///
/// Visits every state that the game can reach when one side follows its b-threads
/// and the other may do anything. The answer is a proof, or a shortest game that
/// breaks a property, with the b-thread behind every move.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = EXIT_CODES, after_long_help = AFTERWORD)]
pub(crate) struct Verify {
    /// The game to verify, or a file that ends in .cradle
    #[arg(value_name = "GAME", long_help = games())]
    pub(super) game: String,

    /// Values for parameters of a file, as in n=9
    #[arg(value_name = "NAME=NUMBER")]
    pub(super) parameters: Vec<String>,

    /// Remove a b-thread or a family of them (repeatable)
    ///
    /// For example all of `PreventThirdX`, or just `PreventThirdX(a1,b1,c1)`.
    #[arg(long, value_name = "THREAD")]
    pub(super) without: Vec<String>,

    /// Check this, not the game's requirements (repeatable)
    ///
    /// The b-thread of a requirement (of tic-tac-toe: `XNeverWins`,
    /// `ExactlyOneResult`), or one of these. A b-thread is hot while it must
    /// still get further.
    ///   no-stuck-state       in no state is every request blocked
    ///   no-hot-end           no run ends while a b-thread is hot
    ///   no-hot-thread-cycle  no b-thread is hot for ever
    ///   no-hot-system-cycle  no endless run has a hot b-thread all the time
    #[arg(long, value_name = "NAME", verbatim_doc_comment)]
    pub(super) property: Vec<String>,

    /// Search on after a violation, and count all of them
    #[arg(long)]
    all: bool,

    /// Answer with one JSON object
    #[arg(long)]
    pub(super) json: bool,

    /// Draw the states for Graphviz; - is standard output
    ///
    /// The report then goes to standard error.
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,

    /// Draw the states for Mermaid; - is standard output
    ///
    /// The report then goes to standard error.
    ///
    /// Mermaid draws at most 500 arrows, more with its option maxEdges.
    #[arg(long, value_name = "FILE")]
    mermaid: Option<PathBuf>,

    /// Draw N states, and those of traces
    #[arg(long, value_name = "N", default_value = "500", value_parser = number(1, u32::MAX))]
    graph_states: u32,

    /// Stop soon after N states
    #[arg(long, value_name = "N", value_parser = number(1, u64::MAX))]
    pub(super) max_states: Option<u64>,

    /// Search with N threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = number(1, MOST_THREADS))]
    threads: Option<u16>,
}

/// More threads would only slow each other down.
const MOST_THREADS: u16 = 256;

const EXIT_CODES: &str =
    "Exit codes: 0 it holds, 1 something is violated, 2 wrong usage, 3 cut short.";

const AFTERWORD: &str = "\
Exit codes:
  0  everything holds
  1  something is violated
  2  wrong usage
  3  cut short before the answer was clear, by a limit, Ctrl-C or a full disk

Examples:
  cradle verify tic-tac-toe
  cradle verify tic-tac-toe --without PreventXFork
  cradle verify tic-tac-toe --without DefaultMoves --property no-stuck-state
  cradle verify tic-tac-toe --dot - | dot -Tsvg > states.svg
  cradle verify dining.cradle n=3";

fn games() -> String {
    let games = SUBJECTS.iter().map(|entry| format!("\n  {:<12} {}", entry.name, entry.about));
    let games = games.collect::<String>();
    format!("The game to verify:{games}\nor a file that ends in .cradle (see docs/notation.md)")
}

impl Verify {
    /// Verifies and prints the report.
    ///
    /// # Errors
    /// If the arguments make no sense, or a file cannot be written.
    pub(crate) fn run(&self) -> anyhow::Result<ExitReason> {
        let interrupt = Interrupt::watch(interrupted(0))?;
        if is_text(&self.game) {
            return text_file::verify(self);
        }
        if let Some(given) = self.parameters.first() {
            anyhow::bail!("{} has no parameters, but {given:?} was given", self.game);
        }
        let entry = SubjectEntry::find(&self.game)?;
        let subject = (entry.open)();
        let request = self.request(&*subject)?;
        let mut drawings = Drawing::open(self.dot.as_deref(), self.mermaid.as_deref())?;
        let checked = check(&*subject, &request, &interrupt)?;
        let mut drawn = Vec::new();
        for drawing in &mut drawings {
            let graph = checked.graph.as_ref().context("the search drew nothing")?;
            drawing.write(graph)?;
            drawn.push(drawing.drawn(graph));
        }
        let verification = verification(entry, request, checked, drawn);
        self.report(&verification)?;
        Ok(match verification.verdict {
            Verdict::Holds => ExitReason::Fine,
            Verdict::Violated => ExitReason::No,
            Verdict::Unknown => ExitReason::CutShort,
        })
    }

    pub(super) fn is_drawing(&self) -> bool {
        self.dot.is_some() || self.mermaid.is_some()
    }

    pub(super) fn search_threads(&self) -> u16 {
        self.threads.unwrap_or_else(cores)
    }

    fn request(&self, subject: &dyn Subject) -> anyhow::Result<VerifyRequest> {
        let without = known_threads(subject, &self.without)?;
        let properties = properties(subject, &self.property, &without)?;
        let is_drawn = self.is_drawing();
        Ok(VerifyRequest {
            without,
            properties,
            extent: if self.all {
                SearchExtent::AllViolations
            } else {
                SearchExtent::FirstViolation
            },
            max_states: self.max_states,
            threads: self.search_threads(),
            drawn: if is_drawn { Some(usize::try_from(self.graph_states)?) } else { None },
        })
    }

    /// Prints the report; on standard error if a drawing goes to standard output.
    fn report(&self, verification: &Verification) -> anyhow::Result<()> {
        let mut files = [&self.dot, &self.mermaid].into_iter().flatten();
        let is_output_taken = files.any(|path| is_standard_output(path));
        let paint = if is_output_taken { Paint::Plain } else { Paint::of_standard_output() };
        let report = if self.json {
            serde_json::to_string_pretty(verification)? + "\n"
        } else {
            text::report(verification, paint)
        };
        if is_output_taken {
            return console::mention(report.trim_end());
        }
        console::print(&report)
    }
}

fn cores() -> u16 {
    available_parallelism().map_or(1, |cores| u16::try_from(cores.get()).unwrap_or(MOST_THREADS))
}

/// Searches, and shows the progress if standard error is a terminal.
fn check(
    subject: &dyn Subject,
    request: &VerifyRequest,
    interrupt: &Interrupt,
) -> anyhow::Result<SearchResult> {
    let mut line = stderr().is_terminal().then(|| ProgressLine::new(stderr()));
    subject.check(request, &mut |progress, time| {
        interrupt.say(interrupted(progress.states));
        if let Some(line) = &mut line {
            line.show(progress, time);
        }
    })
}

/// What Ctrl-C leaves after a number of states.
fn interrupted(states: u64) -> String {
    let states = counted(states, "state", "states");
    format!("Ctrl-C ended the search after {states}. Nothing is proved.")
}

fn verification(
    entry: &SubjectEntry,
    request: VerifyRequest,
    checked: SearchResult,
    drawings: Vec<DrawnFile>,
) -> Verification {
    Verification {
        game: entry.name,
        about: entry.about,
        without: request.without,
        verdict: checked.verdict,
        properties: checked.properties,
        counts: checked.counts,
        coverage: checked.coverage,
        identity: checked.identity,
        rules_alone: checked.rules_alone,
        drawings,
        seconds: checked.time.as_secs_f64(),
        peak_memory_bytes: memory::peak(),
        threads: request.threads,
    }
}
