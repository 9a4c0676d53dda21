//! Perfect play by value iteration.

use std::sync::{Arc, OnceLock};

use game::{
    CutShort, ExactSolver, Game, MoveAnalysis, PositionAnalysis, PositionValue, SearchBudget, Seat,
    Turn, Unsolvable, line_from,
};

use super::pig_option::PigOption;
use super::position::Position;
use super::rules::{Move, Pig};

/// The chance of winning in every position of Pig in which a turn begins.
///
/// A turn depends only on positions with more points, and on the position after a 1, which both seats
/// can reach without a point: so positions are solved by the sum of their points, the highest first,
/// and each pair of positions with swapped scores by iteration (Neller and Presser, 2004).
#[derive(Clone, Debug)]
pub struct PigSolution {
    target: usize,
    may_hold_nothing: bool,
    /// The chance of the seat in turn, by its score and that of the other.
    chances: Vec<f64>,
}

/// Whether a seat with this score, with this score of the other and this total of its turn, holds.
type HoldPolicy<'a> = Option<&'a dyn Fn(u32, u32, u32) -> bool>;

/// The highest target that is solved: the work grows with its third power.
const HIGHEST_TARGET: u16 = 200;

/// Chances are iterated until they change by less than this.
const PRECISION: f64 = 1e-13;

impl PigSolution {
    /// The chances if both seats play perfectly; `None` if the target is too high, or the difference of
    /// the scores decides.
    #[must_use]
    pub fn perfect(game: &Pig) -> Option<Self> {
        is_solvable(*game).then(|| Self::solve(*game, None))
    }

    /// The chance that the seat in turn wins, with these scores and this total of the turn.
    #[must_use]
    pub fn chance(&self, own: u32, other: u32, total: u32) -> f64 {
        let (roll, hold) = self.chances_of_moves(own, other, total);
        hold.map_or(roll, |hold| hold.max(roll))
    }

    /// The chance by a roll, and by a hold if there is something to hold.
    fn chances_of_moves(&self, own: u32, other: u32, total: u32) -> (f64, Option<f64>) {
        let (own, other, total) = (own as usize, other as usize, total as usize);
        let lost = 1.0 - self.at(other, own);
        let after = self.chances_of_turn(own, other, lost, None);
        let of_total = |total: usize| after.get(total).copied().unwrap_or(1.0);
        let roll = (lost + (2..=6).map(|points| of_total(total + points)).sum::<f64>()) / 6.0;
        let may_hold = total > 0 || self.may_hold_nothing;
        (roll, may_hold.then(|| self.chance_of_hold(own, other, total)))
    }

    /// The first of the best moves of a seat.
    fn best_move(&self, game: Pig, position: &Position, seat: Seat) -> Option<Move> {
        let (own, other) = (position.score(seat), position.score(seat.opponent()));
        let (roll, hold) = self.chances_of_moves(own, other, position.total());
        let chance = |chosen: &Move| match chosen {
            Move::Roll => roll,
            Move::Hold => hold.unwrap_or(0.0),
        };
        let moves = game.legal_moves(position, seat);
        moves.reduce(|best, next| if chance(&next) > chance(&best) { next } else { best })
    }

    /// The chances if both seats follow a policy, or play perfectly without one.
    fn solve(game: Pig, holds: HoldPolicy<'_>) -> Self {
        let target = usize::from(game.target());
        let may_hold_nothing = game.has(PigOption::HoldAtZero);
        let mut solution = Self { target, may_hold_nothing, chances: vec![0.5; target * target] };
        for sum in (0..=2 * (target - 1)).rev() {
            let least = sum.saturating_sub(target - 1);
            for own in least..=sum / 2 {
                solution.solve_pair(own, sum - own, holds);
            }
        }
        solution
    }

    /// Iterates the chances of two positions with swapped scores.
    fn solve_pair(&mut self, own: usize, other: usize, holds: HoldPolicy<'_>) {
        loop {
            let before = [self.at(own, other), self.at(other, own)];
            for (own, other) in [(own, other), (other, own)] {
                let lost = 1.0 - self.at(other, own);
                let turn = self.chances_of_turn(own, other, lost, holds);
                self.chances[own * self.target + other] = turn[0];
            }
            let after = [self.at(own, other), self.at(other, own)];
            if (0..2).all(|place| (before[place] - after[place]).abs() < PRECISION) {
                return;
            }
        }
    }

    /// The chance for each total of a turn that does not reach the target yet, if a 1 leaves the chance
    /// `lost`.
    fn chances_of_turn(
        &self,
        own: usize,
        other: usize,
        lost: f64,
        holds: HoldPolicy<'_>,
    ) -> Vec<f64> {
        let missing = self.target - own;
        // A seat that has enough holds, and wins.
        let mut chances = vec![1.0; missing + 6];
        for total in (0..missing).rev() {
            let roll = (lost + chances[total + 2..=total + 6].iter().sum::<f64>()) / 6.0;
            let may_hold = total > 0 || self.may_hold_nothing;
            let hold = self.chance_of_hold(own, other, total);
            chances[total] = match holds {
                _ if !may_hold => roll,
                None => roll.max(hold),
                Some(holds) => {
                    let [own, other, total] = [own, other, total].map(points);
                    if holds(own, other, total) { hold } else { roll }
                }
            };
        }
        chances.truncate(missing);
        chances
    }

    fn chance_of_hold(&self, own: usize, other: usize, total: usize) -> f64 {
        if own + total >= self.target { 1.0 } else { 1.0 - self.at(other, own + total) }
    }

    fn at(&self, own: usize, other: usize) -> f64 {
        self.chances[own * self.target + other]
    }
}

fn points(number: usize) -> u32 {
    u32::try_from(number).expect("a target is at most 1000")
}

fn is_solvable(game: Pig) -> bool {
    game.target() <= HIGHEST_TARGET && !game.has(PigOption::Difference)
}

/// Solves positions of Pig by a solution that is computed once.
#[derive(Debug)]
pub(super) struct PigSolver {
    game: Pig,
    solution: OnceLock<PigSolution>,
}

impl PigSolver {
    /// The solver of a game, if it can be solved.
    pub(super) fn of(game: Pig) -> Option<Arc<dyn ExactSolver<Pig>>> {
        is_solvable(game).then(|| {
            let solver: Arc<dyn ExactSolver<Pig>> =
                Arc::new(Self { game, solution: OnceLock::new() });
            solver
        })
    }
}

impl ExactSolver<Pig> for PigSolver {
    fn solve(
        &self,
        position: &Position,
        budget: &mut SearchBudget<'_>,
    ) -> Result<PositionAnalysis, CutShort> {
        budget.step()?;
        let solution = self.solution.get_or_init(|| PigSolution::solve(self.game, None));
        let Turn::One(seat) = self.game.turn(position) else { return Err(CutShort::OutOfBudget) };
        let (own, other) = (position.score(seat), position.score(seat.opponent()));
        let (roll, hold) = solution.chances_of_moves(own, other, position.total());
        // The score of a winner is 1, that of a loser -1.
        let value = |chance: f64| PositionValue::certain(2.0 * chance - 1.0);
        let moves = self.game.legal_moves(position, seat).map(|chosen| MoveAnalysis {
            chosen: chosen.to_string(),
            value: value(match chosen {
                Move::Roll => roll,
                Move::Hold => hold.unwrap_or(0.0),
            }),
            visits: None,
            probability: None,
        });
        let moves: Vec<MoveAnalysis> = moves.collect();
        let best = moves.iter().map(|each| each.value).max_by(PositionValue::compare);
        let best = best.unwrap_or_else(|| value(roll));
        let choice = |position: &Position, seat| solution.best_move(self.game, position, seat);
        let first = choice(position, seat).unwrap_or(Move::Roll);
        let line = line_from(&self.game, position, seat, first, choice);
        Ok(PositionAnalysis { method: "value iteration".to_owned(), value: best, moves, line })
    }

    fn check_quick(&self) -> Result<(), Unsolvable> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_two_perfect_players_wins_as_often_as_published() {
        // Neller and Presser: "Optimal Play of the Dice Game Pig", 2004.
        let solution = PigSolution::perfect(&Pig::default()).unwrap();
        let chance = solution.chance(0, 0, 0);
        assert!((chance - 0.530_592_7).abs() < 5e-8, "{chance}");
    }

    #[test]
    fn the_first_of_two_who_hold_at_20_wins_as_often_as_published() {
        let holds = |own: u32, _: u32, total: u32| total >= 20 || own + total >= 100;
        let solution = PigSolution::solve(Pig::default(), Some(&holds));
        let chance = solution.chances[0];
        assert!((chance - 0.534_698).abs() < 5e-7, "{chance}");
    }

    #[test]
    fn who_can_win_by_a_hold_holds() {
        let solution = PigSolution::perfect(&Pig::default()).unwrap();
        assert!((solution.chance(90, 50, 10) - 1.0).abs() < 1e-12);
        assert!(solution.chance(90, 50, 9) < 1.0);
    }

    #[test]
    fn a_higher_target_and_a_difference_are_not_solved() {
        assert!(PigSolution::perfect(&Pig::new(201).unwrap()).is_none());
        assert!(PigSolution::perfect(&Pig::default().with(PigOption::Difference)).is_none());
        assert!(PigSolution::perfect(&Pig::new(1).unwrap()).is_some());
    }
}
