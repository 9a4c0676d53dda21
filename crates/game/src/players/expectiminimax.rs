//! The player that searches with expectiminimax.

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
        let mut values = vec![0.0; player_view.legal_moves().len()];
        let mut reached = 0;
        for depth in 1..=self.depth {
            search.is_cut = false;
            match search.values_of_moves(position, seat, depth) {
                Ok(found) => (values, reached) = (found, depth),
                Err(ExpectiminimaxEnd::CutShort) => break,
                Err(ExpectiminimaxEnd::AtOnce) => {
                    return Err(PlayerError::Unsuitable(Unsolvable::AtOnce.to_string()));
                }
            }
            if !search.is_cut {
                break;
            }
        }
        let place = best_of(&values, &mut self.generator).ok_or(PlayerError::NothingToChoose)?;
        let chosen = player_view.legal_moves().nth(place).ok_or(PlayerError::NothingToChoose)?;
        let sentence = format!(
            "expectiminimax expects {:+.3} for {} by {chosen} at depth {reached} after {} positions",
            values[place],
            seat_name(game, seat),
            search.budget.steps()
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

/// Why the search ended early.
enum ExpectiminimaxEnd {
    CutShort,
    AtOnce,
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
    ) -> Result<Vec<f64>, ExpectiminimaxEnd> {
        let mut values = Vec::new();
        for chosen in self.game.legal_moves(position, seat) {
            let mut next = position.clone();
            self.game.apply(&mut next, seat, &chosen);
            let value = self.value(&next, depth - 1)?;
            values.push(if seat == Seat::FIRST { value } else { -value });
        }
        Ok(values)
    }

    /// What the first seat can expect.
    fn value(&mut self, position: &G::Position, depth: u32) -> Result<f64, ExpectiminimaxEnd> {
        self.budget.step()?;
        match self.game.turn(position) {
            Turn::Over(outcome) => Ok(points(outcome_score(&self.aim.value(outcome)))),
            Turn::Several(_) => Err(ExpectiminimaxEnd::AtOnce),
            Turn::One(_) | Turn::Chance if depth == 0 => {
                self.is_cut = true;
                // An estimate is never as good as a point.
                Ok(estimate(self.game, position, Seat::FIRST).clamp(-1000.0, 1000.0) / 1001.0)
            }
            Turn::Chance => {
                let mut expected = 0.0;
                for (drawn, probability) in self.game.chances(position) {
                    let mut next = position.clone();
                    self.game.apply_chance(&mut next, &drawn);
                    expected += probability.value() * self.value(&next, depth - 1)?;
                }
                Ok(expected)
            }
            Turn::One(seat) => {
                let values = self.values_of_moves(position, seat, depth)?;
                let best = values.into_iter().reduce(f64::max).unwrap_or(0.0);
                Ok(if seat == Seat::FIRST { best } else { -best })
            }
        }
    }
}

/// Scores of games are small.
fn points(score: i64) -> f64 {
    f64::from(i32::try_from(score).unwrap_or(i32::MAX))
}
