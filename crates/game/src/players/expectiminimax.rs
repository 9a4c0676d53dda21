//! The player that searches with expectiminimax.

use std::fmt::Display;

use bthread::Generator;

use super::budget::{CutShort, SearchBudget};
use super::heuristic::estimate;
use super::pick::best_of;
use super::score::{Aim, outcome_score};
use super::suitability::GameFeatures;
use crate::game::{Game, seat_name};
use crate::player::{CannotPlay, Choice, Player, PlayerError, PlayerView};
use crate::players::Unsolvable;
use crate::seat::Seat;
use crate::stop_flag::StopFlag;
use crate::turn::Turn;

/// Searches all games to a depth, and weighs what chance may draw by its probability.
///
/// It plays games of one or two seats, with or without chance, but without simultaneous moves and
/// hidden information. A draw of chance counts as a ply. Where the depth ends the search, the game's
/// [estimate](Game::estimate) counts, or 0.
#[derive(Clone, Debug)]
pub struct ExpectiminimaxPlayer {
    depth: u32,
    stop: StopFlag,
    generator: Generator,
}

/// The most positions of one search. A deeper iteration that would need more is abandoned.
const MOST_POSITIONS: u64 = 2_000_000;

impl ExpectiminimaxPlayer {
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
        let reason = match game.seats().len() {
            _ if game.hides() => Some(Unsolvable::Hidden.to_string()),
            1 | 2 if GameFeatures::of(game).at_once => Some(Unsolvable::AtOnce.to_string()),
            1 | 2 => None,
            seats => Some(format!("it searches for one or two seats, and there are {seats}")),
        };
        let name = format!("expectiminimax:{depth}");
        match reason {
            Some(reason) => Err(CannotPlay::new(&name, game, seat, reason)),
            None => Ok(Self { depth, stop: stop.clone(), generator: Generator::seeded(seed) }),
        }
    }
}

impl<G: Game> Player<G> for ExpectiminimaxPlayer {
    fn choose(&mut self, player_view: &PlayerView<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let (game, seat) = (player_view.game(), player_view.seat());
        let is_in_turn = player_view.turn() == Turn::One(seat);
        let position = player_view.position().filter(|_| is_in_turn);
        let position = position.ok_or(PlayerError::NothingToChoose)?;
        let budget = SearchBudget::new(MOST_POSITIONS, &self.stop);
        let aim = Aim::of(game);
        let mut search = Expectiminimax { game, aim, budget, is_cut: false };
        let unknown = || ExpectedValue::of(0.0);
        let mut moves: Vec<_> = player_view.legal_moves().map(|_| unknown()).collect();
        let mut reached = 0;
        for depth in 1..=self.depth {
            search.is_cut = false;
            match search.values_of_moves(position, seat, depth) {
                Ok(found) => (moves, reached) = (found, depth),
                Err(ExpectiminimaxEnd::CutShort) => break,
                Err(ExpectiminimaxEnd::AtOnce) => {
                    return Err(PlayerError::Unsuitable(Unsolvable::AtOnce.to_string()));
                }
            }
            if !search.is_cut {
                break;
            }
        }
        let values: Vec<f64> = moves.iter().map(|expected| expected.value).collect();
        let place = best_of(&values, &mut self.generator).ok_or(PlayerError::NothingToChoose)?;
        let chosen = player_view.legal_moves().nth(place).ok_or(PlayerError::NothingToChoose)?;
        let sentence = format!(
            "expectiminimax expects {:+.3} for {} by {chosen} at depth {reached} after {} positions; \
             best line {}",
            values[place],
            seat_name(game, seat),
            search.budget.steps(),
            moves[place].best_line(&chosen)
        );
        Ok(Choice::because(chosen, sentence))
    }
}

struct Expectiminimax<'a, G: Game> {
    game: &'a G,
    aim: Aim,
    budget: SearchBudget<'a>,
    /// Whether the depth ended some game before its end.
    is_cut: bool,
}

/// What a seat can expect.
struct ExpectedValue<M> {
    value: f64,
    /// The best moves until chance draws, the last one first.
    line: Vec<M>,
}

/// Why the search ended early.
enum ExpectiminimaxEnd {
    CutShort,
    AtOnce,
}

impl<M: Display> ExpectedValue<M> {
    const fn of(value: f64) -> Self {
        Self { value, line: Vec::new() }
    }

    /// The same as the other seat sees it, unless this is the first seat.
    fn seen_by(self, seat: Seat) -> Self {
        if seat == Seat::FIRST { self } else { Self { value: -self.value, ..self } }
    }

    /// A move and the best ones after it, as text.
    fn best_line(&self, chosen: &M) -> String {
        const LONGEST: usize = 8;
        let moves = std::iter::once(chosen).chain(self.line.iter().rev()).take(LONGEST);
        moves.map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }
}

impl From<CutShort> for ExpectiminimaxEnd {
    fn from(_: CutShort) -> Self {
        Self::CutShort
    }
}

impl<G: Game> Expectiminimax<'_, G> {
    /// What a seat can expect after each of its moves.
    fn values_of_moves(
        &mut self,
        position: &G::Position,
        seat: Seat,
        depth: u32,
    ) -> Result<Vec<ExpectedValue<G::Move>>, ExpectiminimaxEnd> {
        let mut values = Vec::new();
        for chosen in self.game.legal_moves(position, seat) {
            values.push(self.value_after(position, seat, &chosen, depth)?);
        }
        Ok(values)
    }

    /// What a seat can expect after its move.
    fn value_after(
        &mut self,
        position: &G::Position,
        seat: Seat,
        chosen: &G::Move,
        depth: u32,
    ) -> Result<ExpectedValue<G::Move>, ExpectiminimaxEnd> {
        let mut next = position.clone();
        self.game.apply(&mut next, seat, chosen);
        Ok(self.value(&next, depth - 1)?.seen_by(seat))
    }

    /// What the first seat can expect.
    fn value(
        &mut self,
        position: &G::Position,
        depth: u32,
    ) -> Result<ExpectedValue<G::Move>, ExpectiminimaxEnd> {
        self.budget.step()?;
        match self.game.turn(position) {
            Turn::Over(outcome) => {
                Ok(ExpectedValue::of(points(outcome_score(&self.aim.value(outcome)))))
            }
            Turn::Several(_) => Err(ExpectiminimaxEnd::AtOnce),
            Turn::One(_) | Turn::Chance if depth == 0 => {
                self.is_cut = true;
                // An estimate is never as good as a point.
                let estimate = estimate(self.game, position, Seat::FIRST).clamp(-1000.0, 1000.0);
                Ok(ExpectedValue::of(estimate / 1001.0))
            }
            Turn::Chance => {
                let mut expected = 0.0;
                for (drawn, probability) in self.game.chances(position) {
                    let mut next = position.clone();
                    self.game.apply_chance(&mut next, &drawn);
                    expected += probability.value() * self.value(&next, depth - 1)?.value;
                }
                Ok(ExpectedValue::of(expected))
            }
            Turn::One(seat) => {
                let mut best: Option<ExpectedValue<_>> = None;
                for chosen in self.game.legal_moves(position, seat) {
                    let mut found = self.value_after(position, seat, &chosen, depth)?;
                    if best.as_ref().is_none_or(|best| found.value > best.value) {
                        found.line.push(chosen);
                        best = Some(found);
                    }
                }
                Ok(best.unwrap_or_else(|| ExpectedValue::of(0.0)).seen_by(seat))
            }
        }
    }
}

/// Scores of games are small.
fn points(score: i64) -> f64 {
    f64::from(i32::try_from(score).unwrap_or(i32::MAX))
}
