//! The report of a verification: facts that are printed as text or as JSON.

use checker::{Coverage, Identity, Verdict};
use serde::Serialize;

use super::drawing::DrawingFormat;

/// The report of a verification.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Verification {
    /// The name of the game.
    pub(super) game: &'static str,
    /// The players.
    pub(super) about: &'static str,
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
    pub(super) name: &'static str,
    /// The property in words.
    pub(super) sentence: &'static str,
    /// Whether it holds.
    pub(super) verdict: Verdict,
    /// What breaks it, in a few words.
    pub(super) found: Option<String>,
    /// The number of cases that were visited.
    pub(super) cases: u64,
    /// The first case.
    pub(super) trace: Option<Counterexample>,
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
    pub(super) choice_of: Option<&'static str>,
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
