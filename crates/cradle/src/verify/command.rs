//! The arguments of `cradle verify`, and what is done with them.

use std::io::{IsTerminal, stderr};
use std::path::PathBuf;
use std::thread::available_parallelism;

use anyhow::Context;
use checker::Verdict;
use clap::Args;
use clap::builder::RangedU64ValueParser;

use super::drawing::Drawing;
use super::questions::{Extent, Questions, asked, known_threads};
use super::search::Checked;
use super::subject::{Entry, SUBJECTS, Subject};
use super::text;
use super::verification::{Drawn, Verification};
use crate::answer::Answer;
use crate::progress_line::ProgressLine;
use crate::{console, memory, paint::Paint};

/// Prove what must hold in a game, or show the game that breaks it
///
/// Looks at everything that can happen when the program follows its b-threads
/// and its opponent does whatever it likes. What must hold is proved, or broken
/// by a shortest game, with the b-thread behind every move.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = EXIT_CODES, after_long_help = AFTERWORD)]
pub(crate) struct Verify {
    /// The game to verify
    #[arg(value_name = "GAME", long_help = games())]
    game: String,

    /// Take a b-thread or a family of them away (repeatable)
    ///
    /// For example all of `PreventThirdX`, or just `PreventThirdX(a1,b1,c1)`.
    #[arg(long, value_name = "THREAD")]
    without: Vec<String>,

    /// Check this, not the game's requirements (repeatable)
    ///
    /// The b-thread of a requirement (of tic-tac-toe: `XNeverWins`,
    /// `ExactlyOneResult`), or one of these. A b-thread is hot if it must
    /// not stay for ever where it is.
    ///   no-stuck-state       in no state all that is requested is blocked
    ///   no-hot-end           nothing ends while a b-thread is hot
    ///   no-hot-thread-cycle  no b-thread is hot for ever
    ///   no-hot-system-cycle  in no endless run there is always a hot one
    #[arg(long, value_name = "NAME", verbatim_doc_comment)]
    property: Vec<String>,

    /// Go on after the first violation, and count all of them
    #[arg(long)]
    all: bool,

    /// Answer with one JSON object
    #[arg(long)]
    json: bool,

    /// Draw the states into a file for Graphviz
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,

    /// Draw the states into a file for Mermaid
    ///
    /// Mermaid draws 500 arrows at most, more with its option maxEdges.
    #[arg(long, value_name = "FILE")]
    mermaid: Option<PathBuf>,

    /// Draw N states, and those of traces
    #[arg(long, value_name = "N", default_value = "500", value_parser = at_least_one::<u32>())]
    graph_states: u32,

    /// Give up soon after N states
    #[arg(long, value_name = "N", value_parser = at_least_one::<u64>())]
    max_states: Option<u64>,

    /// Search with N threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<u16>::new().range(1..=u64::from(MOST_THREADS)))]
    threads: Option<u16>,
}

/// More would only be in each other's way.
const MOST_THREADS: u16 = 256;

const EXIT_CODES: &str =
    "Exit codes: 0 it holds, 1 something is violated, 2 wrong usage, 3 cut short.";

const AFTERWORD: &str = "\
Exit codes:
  0  all of it holds
  1  something is violated
  2  wrong usage
  3  cut short before the answer was clear

Examples:
  cradle verify tic-tac-toe
  cradle verify tic-tac-toe --without PreventXFork
  cradle verify tic-tac-toe --without DefaultMoves --property no-stuck-state
  cradle verify tic-tac-toe --dot states.dot --graph-states 50";

fn games() -> String {
    let games = SUBJECTS.iter().map(|entry| format!("\n  {:<12} {}", entry.name, entry.about));
    format!("The game to verify:{}", games.collect::<String>())
}

fn at_least_one<T: TryFrom<u64> + Clone + Send + Sync>() -> RangedU64ValueParser<T> {
    RangedU64ValueParser::new().range(1..)
}

impl Verify {
    /// Verifies, and says what came out.
    ///
    /// # Errors
    /// If the arguments make no sense, or a file cannot be written.
    pub(crate) fn run(&self) -> anyhow::Result<Answer> {
        let entry = Entry::find(&self.game)?;
        let subject = (entry.open)();
        let questions = self.questions(&*subject)?;
        let mut drawings = Drawing::open(self.dot.as_deref(), self.mermaid.as_deref())?;
        let checked = check(&*subject, &questions)?;
        let mut drawn = Vec::new();
        for drawing in &mut drawings {
            let graph = checked.graph.as_ref().context("nothing was drawn")?;
            drawing.write(graph)?;
            drawn.push(drawing.drawn(graph));
        }
        let verification = verification(entry, questions, checked, drawn);
        console::print(&self.said(&verification)?)?;
        Ok(match verification.verdict {
            Verdict::Holds => Answer::Fine,
            Verdict::Violated => Answer::No,
            Verdict::Unknown => Answer::CutShort,
        })
    }

    fn questions(&self, subject: &dyn Subject) -> anyhow::Result<Questions> {
        let without = known_threads(subject, &self.without)?;
        let asked = asked(subject, &self.property, &without)?;
        let is_drawn = self.dot.is_some() || self.mermaid.is_some();
        Ok(Questions {
            without,
            asked,
            extent: if self.all { Extent::AllViolations } else { Extent::FirstViolation },
            max_states: self.max_states,
            threads: self.threads.unwrap_or_else(cores),
            drawn: if is_drawn { Some(usize::try_from(self.graph_states)?) } else { None },
        })
    }

    fn said(&self, verification: &Verification) -> anyhow::Result<String> {
        if self.json {
            Ok(serde_json::to_string_pretty(verification)? + "\n")
        } else {
            Ok(text::of(verification, Paint::of_standard_output()))
        }
    }
}

fn cores() -> u16 {
    available_parallelism().map_or(1, |cores| u16::try_from(cores.get()).unwrap_or(MOST_THREADS))
}

/// Searches, and shows on a terminal how far it has come.
fn check(subject: &dyn Subject, questions: &Questions) -> anyhow::Result<Checked> {
    let mut line = stderr().is_terminal().then(|| ProgressLine::new(stderr()));
    subject.check(questions, &mut |progress, time| {
        if let Some(line) = &mut line {
            line.show(progress, time);
        }
    })
}

fn verification(
    entry: &Entry,
    questions: Questions,
    checked: Checked,
    drawings: Vec<Drawn>,
) -> Verification {
    Verification {
        game: entry.name,
        about: entry.about,
        without: questions.without,
        verdict: checked.verdict,
        properties: checked.properties,
        counts: checked.counts,
        coverage: checked.coverage,
        identity: checked.identity,
        rules_alone: checked.rules_alone,
        drawings,
        seconds: checked.time.as_secs_f64(),
        peak_memory_bytes: memory::peak(),
        threads: questions.threads,
    }
}
