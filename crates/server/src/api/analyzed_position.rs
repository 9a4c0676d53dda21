//! What positions of rounds that are over are worth.

use std::sync::Arc;

use game::{
    AnalysisBudget, AnyGame, AnyPosition, CannotAnalyze, Game, MoveAnalysis, MoveText, Ply,
    PositionAnalysis, PositionValue, seat_name,
};
use serde::Serialize;
use table::wire::codes;
use table::{Entry, FoldEntries as _, FoldError, TableState};
use utoipa::ToSchema;

use super::log::not_begun;
use crate::TableId;
use crate::analysis_cache::AnalyzedKey;
use crate::journal::MAX_ENTRIES;
use crate::journaled_table::{author, begin, restore};
use crate::problem::Problem;
use crate::refusals::refusal;
use crate::tables::Tables;
use crate::work_pool::Payer;

/// What a position is worth, and each of its moves.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AnalyzedPosition {
    /// The round, counted from 1.
    round: u32,
    /// The number of moves and draws before the position.
    ply: u32,
    /// The position in one line.
    position: String,
    /// The name of the seat to move.
    seat: String,
    /// How the values were found: `every position`, `mcts:10000`.
    method: String,
    /// The value of the position.
    value: PositionValue,
    /// The legal moves, in the game's order.
    moves: Vec<AnalyzedMove>,
    /// A best line, as far as it is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    line: Vec<String>,
}

/// What a move is worth for the seat that makes it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AnalyzedMove {
    /// The move.
    #[serde(rename = "move")]
    chosen: String,
    /// The score that the seat can expect.
    expected: f64,
    /// Whether this is certain, or an estimate.
    exact: bool,
    /// The number of plies until the end, if nobody makes a mistake and it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    plies: Option<u32>,
    /// The score that is usual for this game, as in the value of the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    score: Option<i32>,
    /// How often a search tried it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    visits: Option<u32>,
    /// How often the best strategy makes it, where seats must not be predictable.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    probability: Option<f64>,
}

impl From<MoveAnalysis> for AnalyzedMove {
    fn from(analyzed: MoveAnalysis) -> Self {
        let MoveAnalysis { chosen, value, visits, probability } = analyzed;
        let PositionValue { expected, exact, plies, score } = value;
        Self { chosen, expected, exact, plies, score, visits, probability }
    }
}

/// A place in the log of a table: a round, and the number of moves and draws in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RoundPly {
    pub(crate) round: u32,
    pub(crate) ply: u32,
}

/// How much of the round of a position must have been played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RoundExtent {
    /// The moves before the position.
    UntilPosition,
    /// All of it.
    UntilEnd,
}

/// A state on its way through the log, and the position that is looked for.
struct RoundSearch {
    state: TableState,
    wanted: RoundPly,
    extent: RoundExtent,
    found: Option<FoundPosition>,
}

/// A position in the log of a table.
pub(super) struct FoundPosition {
    pub(super) position: AnyPosition,
    /// The moves and draws before it.
    pub(super) history: Vec<Ply<MoveText, MoveText>>,
    /// The table, in the round of the position.
    pub(super) state: TableState,
}

/// What an analysis costs an address, in microseconds, about.
const ANALYSIS_WORK: u64 = 1_000_000;

/// Analyzes a position of a round that is over, unless that was done before.
pub(super) async fn analyze_position(
    tables: &Arc<Tables>,
    payer: Payer,
    id: TableId,
    wanted: RoundPly,
) -> Result<AnalyzedPosition, Problem> {
    let found = find(tables, payer, id, wanted, RoundExtent::UntilEnd).await?;
    let FoundPosition { position, history, state } = found;
    let game = state.game().clone();
    let plies: Vec<String> = history.iter().map(ToString::to_string).collect();
    let key = AnalyzedKey { game: game.name(), plies: plies.join(" ") };
    let analysis = if let Some(known) = tables.analyses.get(&key) {
        known
    } else {
        // Several requests for a position at once wait for the search of the first one.
        let search = tables.analyses.search(&key);
        let analyze = || analyze(tables, payer, game.clone(), position.clone());
        let found = Arc::clone(search.get_or_try_init(analyze).await?);
        tables.analyses.keep(key, Arc::clone(&found));
        found
    };
    let seat = game.turn(&position).seats().iter().next();
    let PositionAnalysis { method, value, moves, line } = PositionAnalysis::clone(&analysis);
    Ok(AnalyzedPosition {
        round: wanted.round,
        ply: wanted.ply,
        position: game.text(&position),
        seat: seat.map_or_else(String::new, |seat| seat_name(&game, seat).to_owned()),
        method,
        value,
        moves: moves.into_iter().map(AnalyzedMove::from).collect(),
        line,
    })
}

async fn analyze(
    tables: &Arc<Tables>,
    payer: Payer,
    game: AnyGame,
    position: AnyPosition,
) -> Result<Arc<PositionAnalysis>, Problem> {
    let job = move |stop: &_| game.analyze(&position, AnalysisBudget::default(), stop);
    match tables.analyze(payer, ANALYSIS_WORK, job).await? {
        Ok(analysis) => Ok(Arc::new(analysis)),
        Err(CannotAnalyze::Stopped) => {
            let why = "The analysis takes too long for this server: use `cradle analyze`";
            Err(Problem::from(refusal(codes::BUSY, why)))
        }
        Err(why) => Err(not_found(&format!("This position is not analyzed: {why}"))),
    }
}

/// Walks through the log to a position, and on to the end of its round if that is asked for.
pub(super) async fn find(
    tables: &Arc<Tables>,
    payer: Payer,
    id: TableId,
    wanted: RoundPly,
    extent: RoundExtent,
) -> Result<FoundPosition, Problem> {
    let first = tables.journal.read(id, 0, 1).await?.entries;
    let first = first.into_iter().next().ok_or_else(Problem::no_table)?;
    let restored = match tables.journal.snapshot(id).await? {
        Some(snapshot) => restore(tables, payer, &snapshot).await.map_err(not_begun)?,
        None => None,
    };
    // Before the wanted round begins, nothing of it is missed.
    let state = match restored.filter(|state| state.round() < wanted.round) {
        Some(state) => state,
        None => begin(tables, payer, &first).await.map_err(not_begun)?,
    };
    if state.game().hides() {
        return Err(not_found("Positions of games with hidden information are not analyzed"));
    }
    let mut search = RoundSearch { state, wanted, extent, found: None };
    search.look();
    while !search.is_done() {
        let tail = tables.journal.read(id, search.state.version(), MAX_ENTRIES).await?;
        if tail.entries.is_empty() {
            return Err(search.not_over());
        }
        let fold = |search: Result<RoundSearch, FoldError>, entries: &[Entry]| {
            search.and_then(|search| search.after(entries))
        };
        let author = author(&search.state);
        let folded = tables.fold(payer, author, tail.entries, Ok(search), fold).await?;
        search = folded.map_err(|_error| Problem::unavailable())?;
    }
    search.found.ok_or_else(|| not_found("The round has fewer moves than that"))
}

impl RoundSearch {
    fn is_round_over(&self) -> bool {
        let (round, wanted) = (self.state.round(), self.wanted.round);
        round > wanted || (round == wanted && self.state.outcome().is_some())
    }

    fn is_done(&self) -> bool {
        let is_there = self.extent == RoundExtent::UntilPosition && self.found.is_some();
        is_there || self.is_round_over()
    }

    /// Keeps the position, if this is the wanted one.
    fn look(&mut self) {
        let here = RoundPly { round: self.state.round(), ply: self.state.ply() };
        if here == self.wanted && self.found.is_none() {
            let (position, history) = (self.state.position().clone(), self.state.history());
            let (history, state) = (history.to_vec(), self.state.clone());
            self.found = Some(FoundPosition { position, history, state });
        }
    }

    /// The search after these entries, or after as many of them as it needs.
    fn after(mut self, entries: &[Entry]) -> Result<Self, FoldError> {
        for entry in entries {
            if self.is_done() {
                break;
            }
            self.state.fold_all(std::slice::from_ref(entry))?;
            self.look();
        }
        Ok(self)
    }

    fn not_over(&self) -> Problem {
        if self.state.round() < self.wanted.round {
            return not_found("This round has not begun");
        }
        match self.extent {
            RoundExtent::UntilPosition => not_found("The round has fewer moves than that"),
            RoundExtent::UntilEnd => {
                let why =
                    "This round is still being played: its positions are analyzed when it is over";
                Problem::from(refusal(codes::NOT_OVER, why))
            }
        }
    }
}

fn not_found(why: &str) -> Problem {
    Problem::from(refusal(codes::NOT_FOUND, why))
}
