//! The player that searches with alpha-beta.

use std::fmt;

use bthread::Generator;

use super::budget::{CutShort, SearchBudget};
use super::score::{SearchScore, outcome_score};
use super::shuffle::shuffle;
use super::suitability::GameFeatures;
use super::transposition::{ScoreBound, TableEntry, TranspositionTable};
use crate::game::{Game, nth_move, seat_name};
use crate::player::{CannotPlay, Choice, Player, PlayerError, PlayerView};
use crate::players::Unsolvable;
use crate::seat::Seat;
use crate::stop_flag::StopFlag;
use crate::turn::Turn;

/// Searches all games to a depth by alpha-beta, with iterative deepening and a transposition table.
///
/// It plays games of one or two seats without chance, simultaneous moves and hidden information. With
/// two seats it plays for the difference of their scores. Where the depth ends the search, the game's
/// [estimate](Game::estimate) counts, or 0.
#[derive(Clone, Debug)]
pub struct AlphaBetaPlayer {
    depth: u32,
    stop: StopFlag,
    generator: Generator,
}

/// The most positions of one search. A deeper iteration that would need more is abandoned.
const MOST_POSITIONS: u64 = 4_000_000;

/// The longest games that are searched to their end: a deeper search could overflow the stack.
const LONGEST_GAME: u32 = 400;

impl AlphaBetaPlayer {
    /// The player that looks this many plies ahead.
    ///
    /// # Errors
    /// If it cannot play this game.
    pub fn new<G: Game>(
        game: &G,
        seat: Seat,
        depth: u32,
        seed: u64,
        stop: &StopFlag,
    ) -> Result<Self, CannotPlay> {
        let features = GameFeatures::of(game);
        let reason = match game.seats().len() {
            _ if game.hides() => Some(Unsolvable::Hidden.to_string()),
            1 | 2 if features.chance => Some(Unsolvable::Chance.to_string()),
            1 | 2 if features.at_once => Some(Unsolvable::AtOnce.to_string()),
            1 | 2 => None,
            seats => Some(format!("it searches for one or two seats, and there are {seats}")),
        };
        match reason {
            Some(reason) => Err(CannotPlay::new(&format!("alphabeta:{depth}"), game, seat, reason)),
            None => Ok(Self { depth, stop: stop.clone(), generator: Generator::seeded(seed) }),
        }
    }
}

impl<G: Game> Player<G> for AlphaBetaPlayer {
    fn choose(&mut self, player_view: &PlayerView<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let (game, seat) = (player_view.game(), player_view.seat());
        let in_turn = player_view.turn() == Turn::One(seat);
        let position = player_view.position().filter(|_| in_turn);
        let position = position.ok_or(PlayerError::NothingToChoose)?;
        let mut search = AlphaBeta::new(game, SearchBudget::new(MOST_POSITIONS, &self.stop));
        // Equally good moves are found in random order, so that games differ.
        let mut order: Vec<usize> = (0..game.legal_moves(position, seat).len()).collect();
        shuffle(&mut order, &mut self.generator);
        let found = search.deepen(position, seat, order, self.depth)?;
        let chosen = game.legal_moves(position, seat).nth(found.place);
        let chosen = chosen.ok_or(PlayerError::NothingToChoose)?;
        let line = search.best_line(position, seat, &chosen);
        let (whose, value) = (seat_name(game, seat), found.score.in_words(seat));
        let sentence = format!(
            "alpha-beta sees {value} for {whose} at depth {} after {} positions; best line {line}",
            found.depth,
            search.budget.steps()
        );
        Ok(Choice::because(chosen, sentence))
    }
}

/// An alpha-beta search. Scores are those of the first seat.
pub struct AlphaBeta<'a, G: Game> {
    game: &'a G,
    budget: SearchBudget<'a>,
    table: TranspositionTable<G::Position>,
    /// By plies after the root, the place of the move that last made others needless. It often does so in
    /// the next position too, which differs by a move or two.
    refutations: Vec<usize>,
    /// Whether the depth ended some game before its end.
    is_cut: bool,
}

/// The best move that a search has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BestMove {
    /// Its place among the legal moves.
    place: usize,
    score: SearchScore,
    depth: u32,
}

/// What a move leads to if nobody makes a mistake after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DecidedMove {
    /// The points of the seat that makes it, or its lead if there are two seats.
    pub(crate) points: i64,
    /// The number of plies until the end; `None` if nobody wins.
    pub(crate) plies: Option<u32>,
}

/// Why a search ended without an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// It was cut short.
    #[error(transparent)]
    CutShort(#[from] CutShort),
    /// The game has something that the search cannot handle.
    #[error(transparent)]
    Unsuitable(#[from] Unsolvable),
}

/// The window of a search: scores outside of it do not matter.
#[derive(Clone, Copy)]
struct Window {
    alpha: SearchScore,
    beta: SearchScore,
}

impl<'a, G: Game> AlphaBeta<'a, G> {
    /// A search with this budget.
    pub fn new(game: &'a G, budget: SearchBudget<'a>) -> Self {
        let (table, refutations) = (TranspositionTable::default(), Vec::new());
        Self { game, budget, table, refutations, is_cut: false }
    }

    /// The exact score of a position for the first seat: what it wins when nobody makes a mistake, or
    /// the difference of the scores if there are two seats. A search through all games.
    ///
    /// # Errors
    /// If the budget does not suffice, the game has chance or simultaneous moves, or its games need not
    /// end.
    pub fn solve(&mut self, position: &G::Position) -> Result<i64, SearchError> {
        // One question after the other: does it bring this many points? A window without a width cuts
        // more games than a wide one, and it does not matter how soon somebody wins.
        let (mut least, mut most, mut asked) = (None, None, 1);
        loop {
            let enough = SearchScore::least_of(asked);
            self.is_cut = false;
            let score = self.score(position, LONGEST_GAME, Window::below(enough), 0)?;
            if self.is_cut {
                return Err(Unsolvable::Endless.into());
            }
            let points = score.points();
            if score >= enough {
                (least, asked) = (Some(points), points + 1);
            } else {
                (most, asked) = (Some(points), points);
            }
            if least.is_some() && least == most {
                return Ok(points);
            }
        }
    }

    /// What each move of a seat leads to if nobody makes a mistake after it, by a search through all
    /// games.
    ///
    /// # Errors
    /// As [`AlphaBeta::solve`].
    pub(crate) fn solve_moves(
        &mut self,
        position: &G::Position,
        seat: Seat,
    ) -> Result<Vec<DecidedMove>, SearchError> {
        let window = Window { alpha: SearchScore::LEAST, beta: SearchScore::MOST };
        let mut found = Vec::new();
        for place in 0..self.game.count_moves(position, seat) {
            let mut next = position.clone();
            self.game.apply_nth(&mut next, seat, place);
            self.is_cut = false;
            let score = self.score(&next, LONGEST_GAME, window, 1)?;
            if self.is_cut {
                return Err(Unsolvable::Endless.into());
            }
            let points = score.of(seat).points();
            let plies = (points != 0).then(|| u32::try_from(score.plies()).unwrap_or(u32::MAX));
            found.push(DecidedMove { points, plies });
        }
        Ok(found)
    }

    /// The number of positions that were searched.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.budget.steps()
    }

    /// Searches deeper and deeper. Each depth begins with the best move of the one before, so what a depth
    /// has found when the budget ends it is at least as good.
    fn deepen(
        &mut self,
        position: &G::Position,
        seat: Seat,
        mut order: Vec<usize>,
        depth: u32,
    ) -> Result<BestMove, PlayerError> {
        let first = *order.first().ok_or(PlayerError::NothingToChoose)?;
        let mut best = BestMove { place: first, score: SearchScore::EVEN, depth: 0 };
        for depth in 1..=depth {
            self.is_cut = false;
            let mut found = None;
            let searched = self.best_move(position, seat, &order, depth, &mut found);
            best = found.unwrap_or(best);
            match searched {
                Ok(()) => {}
                Err(SearchError::CutShort(_)) => break,
                Err(error) => return Err(PlayerError::Unsuitable(error.to_string())),
            }
            if !self.is_cut || best.score.is_decided() {
                break;
            }
            if let Some(found) = order.iter().position(|place| *place == best.place) {
                order[..=found].rotate_right(1);
            }
        }
        Ok(best)
    }

    /// Looks for the best move in this order; also a search that fails leaves in `best` what it has found.
    fn best_move(
        &mut self,
        position: &G::Position,
        seat: Seat,
        order: &[usize],
        depth: u32,
        best: &mut Option<BestMove>,
    ) -> Result<(), SearchError> {
        for &place in order {
            let mut next = position.clone();
            if !self.game.apply_nth(&mut next, seat, place) {
                continue;
            }
            let bound = best.map_or(SearchScore::LEAST, |best| best.score.of(seat));
            let window = Window { alpha: bound, beta: SearchScore::MOST }.seen_from(seat);
            let score = self.score(&next, depth - 1, window, 1)?;
            if best.is_none_or(|best| score.of(seat) > best.score.of(seat)) {
                *best = Some(BestMove { place, score, depth });
            }
        }
        Ok(())
    }

    /// The score of a position, `ply` plies after the root, if it is inside the window; otherwise a
    /// bound of it.
    fn score(
        &mut self,
        position: &G::Position,
        depth: u32,
        window: Window,
        ply: u32,
    ) -> Result<SearchScore, SearchError> {
        self.budget.step()?;
        let seat = match self.game.turn(position) {
            Turn::Over(outcome) => return Ok(SearchScore::decided(outcome_score(&outcome), ply)),
            Turn::Chance => return Err(Unsolvable::Chance.into()),
            Turn::Several(_) => return Err(Unsolvable::AtOnce.into()),
            Turn::One(seat) => seat,
        };
        if depth == 0 {
            self.is_cut = true;
            let estimate = self.game.estimate(position, Seat::FIRST);
            return Ok(SearchScore::estimated(estimate.unwrap_or(0)));
        }
        let mut first = None;
        if let Some(known) = self.table.get(position) {
            first = Some(usize::from(known.best));
            if let Some(score) = known.score_in(depth, ply, window.alpha, window.beta) {
                self.is_cut |= known.is_cut;
                return Ok(score);
            }
        }
        let is_cut_before = std::mem::take(&mut self.is_cut);
        let (score, best) = self.best_of_moves(position, seat, first, depth, window, ply)?;
        let bound = ScoreBound::of(score, window.alpha, window.beta);
        let entry = TableEntry::new(depth, score, ply, bound, best, self.is_cut);
        self.table.put(position, self.game.position_bytes(position), entry);
        self.is_cut |= is_cut_before;
        Ok(score)
    }

    /// The best score of the moves of a seat, and the place of the move. The move that was best before
    /// comes first, and then one that was good enough elsewhere.
    fn best_of_moves(
        &mut self,
        position: &G::Position,
        seat: Seat,
        first: Option<usize>,
        depth: u32,
        window: Window,
        ply: u32,
    ) -> Result<(SearchScore, usize), SearchError> {
        let Window { mut alpha, beta } = window.seen_from(seat);
        let count = self.game.count_moves(position, seat);
        let refutation = self.refutations.get(ply as usize).copied();
        let refutation = refutation.filter(|place| Some(*place) != first);
        let others = (0..count).filter(|place| Some(*place) != first && Some(*place) != refutation);
        let early = first.into_iter().chain(refutation).filter(|place| *place < count);
        let places = early.chain(others);
        let (mut best, mut best_place) = (SearchScore::LEAST, 0);
        let mut next = position.clone();
        for (tried, place) in places.enumerate() {
            if tried > 0 {
                next.clone_from(position);
            }
            self.game.apply_nth(&mut next, seat, place);
            let inner = Window { alpha, beta }.seen_from(seat);
            let score = self.score(&next, depth.saturating_sub(1), inner, ply + 1)?.of(seat);
            if score > best {
                (best, best_place) = (score, place);
                alpha = alpha.max(score);
                if alpha >= beta {
                    self.note_refutation(ply, place);
                    break;
                }
            }
        }
        Ok((best.of(seat), best_place))
    }

    fn note_refutation(&mut self, ply: u32, place: usize) {
        let ply = ply as usize;
        if self.refutations.len() <= ply {
            self.refutations.resize(ply + 1, 0);
        }
        self.refutations[ply] = place;
    }

    /// The moves that the table holds to be best, after a first one.
    fn best_line(&self, position: &G::Position, seat: Seat, chosen: &G::Move) -> String {
        const LONGEST: usize = 8;
        let mut line = vec![chosen.to_string()];
        let mut position = position.clone();
        self.game.apply(&mut position, seat, chosen);
        while line.len() < LONGEST
            && let Turn::One(seat) = self.game.turn(&position)
            && let Some(known) = self.table.get(&position)
            && let Some(next) = nth_move(self.game, &position, seat, known.best.into())
        {
            line.push(next.to_string());
            self.game.apply(&mut position, seat, &next);
        }
        line.join(" ")
    }
}

impl Window {
    /// The window that asks only whether a score is at least this.
    fn below(score: SearchScore) -> Self {
        Self { alpha: score.before(), beta: score }
    }

    /// The same window for scores of this seat, or back for those of the first.
    fn seen_from(self, seat: Seat) -> Self {
        if seat == Seat::FIRST {
            self
        } else {
            Self { alpha: self.beta.of(seat), beta: self.alpha.of(seat) }
        }
    }
}

impl<G: Game> fmt::Debug for AlphaBeta<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let positions = self.positions();
        f.debug_struct("AlphaBeta").field("positions", &positions).finish_non_exhaustive()
    }
}
