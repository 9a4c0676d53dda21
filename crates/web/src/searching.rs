//! Searches: what a page lets a worker do, because it takes long and needs a large program.
//!
//! A page sends a [`SearchMessage`] and gets one [`SearchReply`] with the same id. A worker does one thing
//! after the other. The games of the page have no searches; those of the worker do.

mod messages;

use game::{AnalysisBudget, AnyGame, Seat};
use games::catalog;
use table::Entry;

use crate::puzzle::DailyPuzzle;
use crate::replay::{GameReplay, PlyAnalysis};
use crate::session::{LocalSession, Now, SavedTable};

/// A request to the worker.
#[derive(Clone, Debug)]
pub struct SearchMessage {
    /// The number that the reply has.
    pub id: u32,
    /// What to search for.
    pub request: SearchRequest,
}

/// What a worker can search for.
#[derive(Clone, Debug)]
pub enum SearchRequest {
    /// What the computer does next at a table in this browser.
    Turn {
        /// The table.
        table: SavedTable,
        /// The time of the move, in milliseconds since 1970.
        now: u64,
    },
    /// What a position is worth.
    Analysis {
        /// The game.
        game: SearchedGame,
        /// The number of plies before the position.
        ply: u32,
    },
    /// The puzzle of a day.
    Puzzle {
        /// The game, without plies.
        game: SearchedGame,
        /// The day, counted from 1970.
        day: u64,
    },
    /// The first mistake of a game.
    FirstMistake(SearchedGame),
    /// The move with which a seat lost a game.
    LosingMove {
        /// The game.
        game: SearchedGame,
        /// The seat of the game.
        seat: Seat,
    },
}

/// A game to search, and what that may cost for each position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchedGame {
    /// The name of the game, with its parameters.
    pub name: String,
    /// Its plies, as [`GameReplay::write`] writes them.
    pub plies: String,
    /// The most positions that an exact answer may visit.
    pub positions: u64,
    /// The simulations of an estimate.
    pub simulations: u32,
}

/// A reply of the worker.
#[derive(Clone, Debug)]
pub struct SearchReply {
    /// The number of the request.
    pub id: u32,
    /// What was found.
    pub answer: SearchAnswer,
}

/// What a worker has found.
#[derive(Clone, Debug)]
pub enum SearchAnswer {
    /// The entries of the computer's turn.
    Turn(Vec<Entry>),
    /// What the position is worth, if anybody can say.
    Analysis(Option<PlyAnalysis>),
    /// The number of plies before the mistake; `None` if there is none.
    Mistake(Option<u32>),
    /// The puzzle, if there is one.
    Puzzle(Option<DailyPuzzle>),
}

impl SearchedGame {
    fn budget(&self) -> AnalysisBudget {
        AnalysisBudget { positions: self.positions, simulations: self.simulations }
    }
}

/// The worker's part. It keeps the last game, so that what it has found out about it is not lost.
#[derive(Debug, Default)]
pub struct Searcher {
    last: Option<(String, AnyGame)>,
}

impl Searcher {
    /// Answers a message as text; `None` if it is not one of this version of the page.
    pub fn answer(&mut self, message: &str) -> Option<String> {
        let SearchMessage { id, request } = SearchMessage::read(message)?;
        let answer = self.search(request);
        Some(SearchReply { id, answer }.write())
    }

    /// Searches.
    pub fn search(&mut self, request: SearchRequest) -> SearchAnswer {
        match request {
            SearchRequest::Turn { table, now } => {
                let game = self.game(table.game());
                let session = game.and_then(|game| LocalSession::restore(game, table));
                let now = Now { since_1970: now, monotonic: 0 };
                SearchAnswer::Turn(
                    session.map(|session| session.next_entries(now)).unwrap_or_default(),
                )
            }
            SearchRequest::Analysis { game, ply } => {
                let analysis = |replay: GameReplay| replay.analysis(ply as usize, game.budget());
                SearchAnswer::Analysis(self.replay(&game).and_then(analysis))
            }
            SearchRequest::Puzzle { game, day } => {
                let budget = game.budget();
                let puzzle = |game: AnyGame| DailyPuzzle::of_day(&game, day, budget);
                SearchAnswer::Puzzle(self.game(&game.name).and_then(puzzle))
            }
            SearchRequest::FirstMistake(game) => {
                let mistake = |replay: GameReplay| replay.first_mistake(game.budget());
                mistake_answer(self.replay(&game).and_then(mistake))
            }
            SearchRequest::LosingMove { game, seat } => {
                let mistake = |replay: GameReplay| replay.losing_move(seat, game.budget());
                mistake_answer(self.replay(&game).and_then(mistake))
            }
        }
    }

    fn replay(&mut self, searched: &SearchedGame) -> Option<GameReplay> {
        GameReplay::read_as(self.game(&searched.name)?, &searched.plies).ok()
    }

    fn game(&mut self, name: &str) -> Option<AnyGame> {
        if self.last.as_ref().is_none_or(|(last, _)| last != name) {
            self.last = Some((name.to_owned(), catalog::game(name).ok()?));
        }
        self.last.as_ref().map(|(_, game)| game.clone())
    }
}

fn mistake_answer(ply: Option<usize>) -> SearchAnswer {
    SearchAnswer::Mistake(ply.and_then(|ply| u32::try_from(ply).ok()))
}
