//! What was found out, as facts that can be written as text and as JSON.

use checker::{Coverage, Identity, Verdict};
use serde::Serialize;

use super::drawing::Language;

/// What was found out about a game.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Verification {
    /// What the game is called.
    pub(super) game: &'static str,
    /// Who plays against whom.
    pub(super) about: &'static str,
    /// The b-threads and families that were taken away.
    pub(super) without: Vec<String>,
    /// What is true of all properties together.
    pub(super) verdict: Verdict,
    /// What became of each property, in the order in which they were asked.
    pub(super) properties: Vec<Judged>,
    /// How much was seen.
    pub(super) counts: Counts,
    /// Whether that was everything.
    pub(super) coverage: Coverage,
    /// How states were told apart.
    pub(super) identity: Identity,
    /// How much there is to see when nobody follows a strategy, if all of it was seen.
    pub(super) rules_alone: Option<RulesAlone>,
    /// The files that states were drawn into.
    pub(super) drawings: Vec<Drawn>,
    /// How long it took.
    pub(super) seconds: f64,
    /// The most memory that the process had at any time, where that is known.
    pub(super) peak_memory_bytes: Option<u64>,
    /// How many threads looked.
    pub(super) threads: u16,
}

/// How much was seen.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Counts {
    /// Different states.
    pub(super) states: u64,
    /// Events that were possible in all of them together.
    pub(super) edges: u64,
    /// How many events the farthest state is from the start.
    pub(super) depth: u64,
    /// States in which nothing can happen.
    pub(super) terminal: u64,
    /// Those of them in which something is requested, and all of it is blocked.
    pub(super) stuck: u64,
}

/// How much there is to see when nobody follows a strategy.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct RulesAlone {
    /// All states.
    pub(super) full: Counts,
    /// One state for all that are symmetric to it.
    pub(super) reduced: Counts,
    /// How many symmetries there are, the one that moves nothing included.
    pub(super) symmetries: usize,
}

/// A file that states were drawn into.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Drawn {
    /// Where it is.
    pub(super) file: String,
    /// For which program it is written.
    pub(super) language: Language,
    /// How many states are in it.
    pub(super) states: u64,
}

/// What became of a property.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Judged {
    /// What the property is called on the command line.
    pub(super) name: &'static str,
    /// What it says.
    pub(super) sentence: &'static str,
    /// Whether it holds.
    pub(super) verdict: Verdict,
    /// What breaks it, in a few words.
    pub(super) found: Option<String>,
    /// How many cases of that were seen.
    pub(super) cases: u64,
    /// The first of them.
    pub(super) trace: Option<Counterexample>,
}

/// A game that breaks a property.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Counterexample {
    /// What happens.
    pub(super) events: Vec<String>,
    /// Where the endless part begins, if the last event leads back to there.
    pub(super) cycle_from: Option<u64>,
    /// The board before anything happens.
    pub(super) start: String,
    /// Each event with its reason and what the board looks like then.
    pub(super) steps: Vec<Explained>,
    /// If nothing can happen at the end: whose requests are blocked, and by whom.
    pub(super) blocked: Vec<Thwarted>,
}

/// An event with its reason.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Explained {
    /// What happens.
    pub(super) event: String,
    /// The b-thread that wanted it.
    pub(super) by: Option<String>,
    /// The player that was free to choose it, if it was one.
    pub(super) choice_of: Option<&'static str>,
    /// What other b-threads of the program would have done.
    pub(super) instead_of: Vec<Wish>,
    /// The board afterwards.
    pub(super) board: String,
}

/// What a b-thread wanted.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Wish {
    /// The b-thread.
    pub(super) thread: String,
    /// What it wanted first of all.
    pub(super) event: String,
}

/// A b-thread that wants what it cannot have.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Thwarted {
    /// The b-thread.
    pub(super) thread: String,
    /// What it requests.
    pub(super) events: Vec<String>,
    /// Who blocks some of it.
    pub(super) blocked_by: Vec<String>,
}
