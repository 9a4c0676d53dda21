//! The report of a verification: facts that are printed as text or as JSON.

use checker::{Coverage, Identity, ValueRange, Verdict};
use serde::Serialize;

use super::drawing::DrawingFormat;
use super::search::ReachedResult;

/// The report of a verification.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Verification {
    /// The name of the game or program.
    pub(super) game: String,
    /// The players.
    pub(super) about: String,
    /// The b-threads and families that were removed.
    pub(super) without: Vec<String>,
    /// The verdict on all properties together.
    pub(super) verdict: Verdict,
    /// The verdict on each property, in the order of the request.
    pub(super) properties: Vec<PropertyResult>,
    /// The size of what was visited.
    pub(super) counts: StateCounts,
    /// How complete the search was.
    pub(super) coverage: Coverage,
    /// How the search told states apart.
    pub(super) identity: Identity,
    /// The results of the game, and how often each was reached.
    pub(super) results: Vec<ReachedResult>,
    /// The size of the game without strategies, if all of it was visited.
    pub(super) rules_alone: Option<RulesAlone>,
    /// The drawings.
    pub(super) drawings: Vec<DrawnFile>,
    /// The time that the search took.
    pub(super) seconds: f64,
    /// The peak memory of the process, where the system reports it.
    pub(super) peak_memory_bytes: Option<u64>,
    /// The number of threads that searched.
    pub(super) threads: u16,
}

/// The size of what a search visited.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct StateCounts {
    /// Different states.
    pub(super) states: u64,
    /// Possible events, summed over all states.
    pub(super) edges: u64,
    /// The number of events from the start to the farthest state.
    pub(super) depth: u64,
    /// States in which nothing can happen.
    pub(super) terminal: u64,
    /// Terminal states with requests, all of which are blocked.
    pub(super) stuck: u64,
}

/// The size of a game without strategies.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct RulesAlone {
    /// All states.
    pub(super) full: StateCounts,
    /// Symmetric states counted once.
    pub(super) reduced: StateCounts,
    /// The number of symmetries, including the identity.
    pub(super) symmetries: usize,
}

/// A drawing of states.
#[derive(Clone, Debug, Serialize)]
pub(super) struct DrawnFile {
    /// The file.
    pub(super) file: String,
    /// Its language.
    pub(super) language: DrawingFormat,
    /// The number of states in it.
    pub(super) states: u64,
}

/// The verdict on a property.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PropertyResult {
    /// The name of the property on the command line.
    pub(super) name: String,
    /// The property in words.
    pub(super) sentence: String,
    /// Whether it holds.
    pub(super) verdict: Verdict,
    /// What breaks it, in a few words, or the number that it is about.
    pub(super) found: Option<String>,
    /// The number of states in which it is broken, among those that were visited; for an event that
    /// must never happen, the number of states in which it can. 0 if they were not counted.
    pub(super) cases: u64,
    /// What these states are.
    #[serde(skip)]
    pub(super) counted: CountedStates,
    /// The number of different games that lead to those states, if they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) games: Option<u64>,
    /// The first case.
    pub(super) trace: Option<Counterexample>,
    /// Why it holds although it says nothing, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) only_because: Option<String>,
    /// What is assumed about fairness, if the verdict may depend on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fairness: Option<String>,
    /// The least and greatest number, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) values: Option<ValueRange>,
}

/// Which states are counted for a property that is broken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum CountedStates {
    /// Those in which it is broken.
    #[default]
    Broken,
    /// Those in which what breaks it can happen.
    Before,
}

/// A game that breaks a property.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Counterexample {
    /// The events.
    pub(super) events: Vec<String>,
    /// Where the endless part begins, if the last event leads back there.
    pub(super) cycle_from: Option<u64>,
    /// The board at the start.
    pub(super) start: String,
    /// Each event with its cause and the board after it.
    pub(super) steps: Vec<ExplainedStep>,
    /// If nothing can happen at the end, the b-threads whose requests are blocked.
    pub(super) blocked: Vec<BlockedThread>,
}

/// An event with its cause.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ExplainedStep {
    /// The event.
    pub(super) event: String,
    /// The b-thread that requested it.
    pub(super) by: Option<String>,
    /// The free player that chose it, if one did.
    pub(super) choice_of: Option<String>,
    /// The requests of other b-threads.
    pub(super) instead_of: Vec<OtherRequest>,
    /// The board afterwards.
    pub(super) board: String,
}

/// A request of another b-thread that was not chosen.
#[derive(Clone, Debug, Serialize)]
pub(super) struct OtherRequest {
    /// The b-thread.
    pub(super) thread: String,
    /// Its first request.
    pub(super) event: String,
}

/// A b-thread whose requests are blocked.
#[derive(Clone, Debug, Serialize)]
pub(super) struct BlockedThread {
    /// The b-thread.
    pub(super) thread: String,
    /// Its requests.
    pub(super) events: Vec<String>,
    /// The b-threads that block some of them.
    pub(super) blocked_by: Vec<String>,
}
