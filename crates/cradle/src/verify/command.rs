//! The arguments of `cradle verify`, and what it does with them.

use std::io::{IsTerminal, stderr};
use std::path::PathBuf;
use std::thread::available_parallelism;

use anyhow::Context;
use checker::Verdict;
use clap::Args;

use super::drawing::{Drawing, is_standard_output};
use super::each::{self, RemovedFamily};
use super::request::{
    FairnessAssumption, SearchExtent, VerifyRequest, known_threads, properties, strategists,
};
use super::search::SearchResult;
use super::subject::{self, Subject};
use super::text;
use super::verification::{DrawnFile, Verification};
use crate::exit_reason::ExitReason;
use crate::interrupt::Interrupt;
use crate::number_argument::number;
use crate::progress_line::ProgressLine;
use crate::quantity::counted;
use crate::{console, memory, paint::Paint};

/// Prove what must hold in a game, or show the game that breaks it
///
/// Visits every state that a game or a program can reach. Seats follow their
/// b-threads or may do anything, also after a result: only rules can forbid it.
/// The answer is a proof, or a shortest game that breaks a property, with the
/// b-thread behind every move.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = EXIT_CODES, after_long_help = AFTERWORD)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Verify {
    /// The game to verify, or a file that ends in .cradle
    ///
    /// A game of the catalog (see `cradle games`), with parameters after a
    /// colon, a file (see docs/notation.md), or a text that is built in, such
    /// as `dining`.
    #[arg(value_name = "GAME", verbatim_doc_comment)]
    pub(super) game: String,

    /// Values for parameters of a text, as in n=9
    #[arg(value_name = "NAME=NUMBER")]
    pub(super) parameters: Vec<String>,

    /// Remove a b-thread or a family of them (repeatable)
    ///
    /// For example all of `PreventThirdX`, or just `PreventThirdX(a1,b1,c1)`.
    #[arg(long, value_name = "THREAD")]
    pub(super) without: Vec<String>,

    /// How a seat plays: by bthreads or any move (repeatable)
    ///
    /// For example `O=any`, or `X=bthreads` to follow its strategies.
    #[arg(long, value_name = "SEAT=HOW")]
    seat: Vec<String>,

    /// Check this, not the usual requirements (repeatable)
    ///
    /// A property of the file or a requirement of the game (of tic-tac-toe:
    /// `XNeverWins`, `ExactlyOneResult`; of every game in a file:
    /// `ExactlyOneResult`, `NobodyIsStuck`), or for games of the catalog made
    /// of b-threads one of these. A b-thread is hot while it must still get
    /// further.
    ///   no-stuck-state       in no state is every request blocked
    ///   no-hot-end           no run ends while a b-thread is hot
    ///   no-hot-thread-cycle  no b-thread is hot for ever
    ///   no-hot-system-cycle  no endless run has a hot b-thread all the time
    #[arg(long, value_name = "NAME", verbatim_doc_comment)]
    pub(super) property: Vec<String>,

    /// Assume that no hot request is passed over for ever
    ///
    /// A hot request that is possible again and again happens at last;
    /// otherwise other events may be preferred for ever. For games of the
    /// catalog; docs/notation.md says what files assume.
    #[arg(long, verbatim_doc_comment)]
    fair: bool,

    /// Search on after a violation, and count all of them
    ///
    /// Says in how many states a property is broken and, for games of the
    /// catalog, how many different games lead to them. Texts are always
    /// searched to the end.
    #[arg(long, verbatim_doc_comment)]
    all: bool,

    /// Tell what goes wrong without each b-thread, as a table
    #[arg(long, conflicts_with_all = ["dot", "mermaid"])]
    each: bool,

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

    /// Find at most N states, and stop if there are more
    ///
    /// Without it, a search stops after two million states, or fewer if there
    /// are many b-threads, so that it fits into memory.
    #[arg(long, verbatim_doc_comment, value_name = "N", value_parser = number(1, u64::MAX))]
    max_states: Option<u64>,

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
  cradle verify dining.cradle n=3
  cradle verify crossing.cradle --each";

/// The most states of a search, and the memory that they may take, unless the command line says
/// otherwise.
const USUAL_STATES: u64 = 2_000_000;
const USUAL_BYTES: u64 = 1 << 30;

/// The memory of a state, about: one byte for each b-thread, and what the search keeps of it. A graph
/// of all states also keeps their edges, a dozen of each.
const fn bytes_of_a_state(threads: u64, needs_graph: bool) -> u64 {
    threads + if needs_graph { 370 } else { 150 }
}

impl Verify {
    /// Verifies and prints the report.
    ///
    /// # Errors
    /// If the arguments make no sense, or a file cannot be written.
    pub(crate) fn run(&self) -> anyhow::Result<ExitReason> {
        let interrupt = Interrupt::watch(interrupted(0))?;
        let subject = subject::open(&self.game, &self.parameters)?;
        let request = self.request(&*subject)?;
        if self.each {
            return self.run_each(&*subject, &request, &interrupt);
        }
        let mut drawings = Drawing::open(self.dot.as_deref(), self.mermaid.as_deref())?;
        let checked = check(&*subject, &request, &interrupt)?;
        let mut drawn = Vec::new();
        for drawing in &mut drawings {
            let graph = checked.graph.as_ref().context("the search drew nothing")?;
            drawing.write(graph)?;
            drawn.push(drawing.drawn(graph));
        }
        let verification = verification(&*subject, request, checked, drawn);
        self.report(&verification)?;
        Ok(exit_reason(verification.verdict))
    }

    /// Verifies once with all b-threads and once without each family of them.
    fn run_each(
        &self,
        subject: &dyn Subject,
        request: &VerifyRequest,
        interrupt: &Interrupt,
    ) -> anyhow::Result<ExitReason> {
        let is_checked = |name: &str| request.properties.iter().any(|known| known.name == name);
        let mut families: Vec<Option<String>> = vec![None];
        for name in subject.threads(request.strategists) {
            let family = Some(name.family().to_owned());
            if !families.contains(&family) && !is_checked(name.family()) {
                families.push(family);
            }
        }
        let mut rows = Vec::new();
        let mut verdict = Verdict::Holds;
        for without in families {
            let mut request =
                VerifyRequest { extent: SearchExtent::AllViolations, ..request.clone() };
            request.without.extend(without.clone());
            let checked = check(subject, &request, interrupt)?;
            if without.is_none() {
                verdict = checked.verdict;
            }
            let (states, properties) = (checked.counts.states, checked.properties);
            rows.push(RemovedFamily { without, states, properties });
        }
        if self.json {
            console::print(&(serde_json::to_string_pretty(&rows)? + "\n"))?;
        } else {
            let about = subject::about(subject, request.strategists);
            let heading = format!("{}: {about}", subject.name());
            console::print(&each::table(&heading, &rows))?;
        }
        Ok(exit_reason(verdict))
    }

    fn is_drawing(&self) -> bool {
        self.dot.is_some() || self.mermaid.is_some()
    }

    fn request(&self, subject: &dyn Subject) -> anyhow::Result<VerifyRequest> {
        let strategists = strategists(subject, &self.seat)?;
        let threads = subject.threads(strategists);
        let without = known_threads(&threads, &self.without)?;
        let properties = properties(&subject.properties(), &self.property, &without)?;
        let needs_graph = subject.needs_graph(&properties);
        let fitting = USUAL_BYTES / bytes_of_a_state(threads.len() as u64, needs_graph);
        Ok(VerifyRequest {
            without,
            strategists,
            properties,
            fairness: if self.fair {
                FairnessAssumption::HotRequests
            } else {
                FairnessAssumption::None
            },
            extent: if self.all {
                SearchExtent::AllViolations
            } else {
                SearchExtent::FirstViolation
            },
            max_states: self.max_states.unwrap_or_else(|| fitting.min(USUAL_STATES)),
            threads: self.threads.unwrap_or_else(cores),
            drawn: if self.is_drawing() { Some(usize::try_from(self.graph_states)?) } else { None },
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
        interrupt.say(interrupted(progress.states()));
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

fn exit_reason(verdict: Verdict) -> ExitReason {
    match verdict {
        Verdict::Holds => ExitReason::Fine,
        Verdict::Violated => ExitReason::No,
        Verdict::Unknown => ExitReason::CutShort,
    }
}

fn verification(
    subject: &dyn Subject,
    request: VerifyRequest,
    checked: SearchResult,
    drawings: Vec<DrawnFile>,
) -> Verification {
    Verification {
        game: subject.name(),
        about: subject::about(subject, request.strategists),
        without: request.without,
        verdict: checked.verdict,
        properties: checked.properties,
        counts: checked.counts,
        coverage: checked.coverage,
        identity: checked.identity,
        results: checked.results,
        rules_alone: checked.rules_alone,
        drawings,
        seconds: checked.time.as_secs_f64(),
        peak_memory_bytes: memory::peak(),
        threads: request.threads,
    }
}
