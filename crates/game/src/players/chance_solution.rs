//! Small games with chance, solved by value iteration.

use std::collections::VecDeque;
use std::fmt;

use rustc_hash::FxHashMap;

use super::budget::{CutShort, SearchBudget};
use super::perfect::{TooManyPositions, Unsolvable, WIDEST};
use super::score::{Aim, outcome_score};
use crate::analysis::{ExactSolver, MoveAnalysis, PositionAnalysis, PositionValue, line_from};
use crate::game::Game;
use crate::refusal::Refusal;
use crate::seat::Seat;
use crate::stop_flag::StopFlag;
use crate::turn::Turn;

/// What the first seat can expect in every position of a small game with chance, if nobody makes a
/// mistake; with two seats, its lead.
///
/// Every position is visited. Then a lower and an upper bound of each are improved in turn until they
/// meet (interval iteration), so an answer is never further from the truth than [`PRECISION`]. They do
/// not meet in games that seats can draw out for ever: those are not solved.
pub(crate) struct ChanceSolution<G: Game> {
    game: G,
    values: FxHashMap<Box<[u8]>, f64>,
}

/// The bounds of each position differ by less than this in the end.
const PRECISION: f64 = 1e-10;

/// The most steps from a position to a next one that are computed.
const MOST_STEPS: usize = 100_000_000;

/// A position, by the places of the next ones.
enum ChanceNode {
    End(f64),
    Move(Seat, Vec<u32>),
    Draw(Vec<(f64, u32)>),
}

impl<G: Game> ChanceSolution<G> {
    /// Solves a game that has at most `most` positions.
    ///
    /// # Errors
    /// If the game cannot be solved, or the search was stopped.
    pub(crate) fn within(stop: &StopFlag, game: &G, most: usize) -> Result<Self, Unsolvable> {
        match game.seats().len() {
            _ if game.hides() => return Err(Unsolvable::Hidden),
            1 | 2 => {}
            seats => return Err(Unsolvable::Seats(seats)),
        }
        let mut list = PositionList {
            game,
            aim: Aim::of(game),
            most,
            places: FxHashMap::default(),
            due: VecDeque::new(),
            bytes: 0,
        };
        let nodes = list.visit_all(stop)?;
        let values = iterate(&nodes, stop)?;
        let known = list.places.into_iter().map(|(key, place)| (key, values[place as usize]));
        Ok(Self { game: game.clone(), values: known.collect() })
    }

    /// The number of positions.
    pub(crate) fn positions(&self) -> usize {
        self.values.len()
    }

    /// The memory, in bytes, about.
    pub(crate) fn bytes(&self) -> usize {
        let key = self.values.keys().next().map_or(0, |key| key.len() + 16);
        self.values.capacity() * (size_of::<(Box<[u8]>, f64)>() + 1) + self.values.len() * key
    }

    fn value(&self, position: &G::Position, seat: Seat) -> Option<f64> {
        let value = *self.values.get(&*self.game.key(position)?)?;
        // 0.0 and not -0.0 for a game that is even.
        Some(if seat == Seat::FIRST { value } else { 0.0 - value })
    }

    /// The first of the best moves of a seat.
    fn best_move(&self, position: &G::Position, seat: Seat) -> Option<G::Move> {
        let mut best: Option<(f64, G::Move)> = None;
        for chosen in self.game.legal_moves(position, seat) {
            let mut next = position.clone();
            self.game.apply(&mut next, seat, &chosen);
            let value = self.value(&next, seat)?;
            if best.as_ref().is_none_or(|(most, _)| value > *most) {
                best = Some((value, chosen));
            }
        }
        best.map(|(_, chosen)| chosen)
    }
}

impl<G: Game> ExactSolver<G> for ChanceSolution<G> {
    fn solve(
        &self,
        position: &G::Position,
        _budget: &mut SearchBudget<'_>,
    ) -> Result<PositionAnalysis, CutShort> {
        // Positions that the start does not lead to are not known.
        let unknown = CutShort::OutOfBudget;
        let Turn::One(seat) = self.game.turn(position) else { return Err(unknown) };
        let value = self.value(position, seat).ok_or(unknown)?;
        let mut moves = Vec::new();
        for chosen in self.game.legal_moves(position, seat) {
            let mut next = position.clone();
            self.game.apply(&mut next, seat, &chosen);
            let value = PositionValue::certain(self.value(&next, seat).ok_or(unknown)?);
            let chosen = chosen.to_string();
            moves.push(MoveAnalysis { chosen, value, visits: None, probability: None });
        }
        let first = self.best_move(position, seat).ok_or(unknown)?;
        let best = |position: &G::Position, seat| self.best_move(position, seat);
        let line = line_from(&self.game, position, seat, first, best);
        let (method, value) = ("value iteration".to_owned(), PositionValue::certain(value));
        Ok(PositionAnalysis { method, value, moves, line })
    }

    fn check_quick(&self) -> Result<(), Unsolvable> {
        Ok(())
    }
}

impl<G: Game> fmt::Debug for ChanceSolution<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let positions = self.positions();
        f.debug_struct("ChanceSolution").field("positions", &positions).finish_non_exhaustive()
    }
}

/// The positions that were met, and those that are still to be visited.
struct PositionList<'a, G: Game> {
    game: &'a G,
    aim: Aim,
    most: usize,
    places: FxHashMap<Box<[u8]>, u32>,
    due: VecDeque<G::Position>,
    /// The memory of all keys, and of the positions that are due.
    bytes: usize,
}

/// The most bytes of keys and positions: those of a text may be large.
pub(crate) const MOST_BYTES: usize = 256 << 20;

impl<G: Game> PositionList<'_, G> {
    fn visit_all(&mut self, stop: &StopFlag) -> Result<Vec<ChanceNode>, Unsolvable> {
        let mut nodes = Vec::new();
        self.place_of(self.game.start())?;
        while let Some(position) = self.due.pop_front() {
            // A position may have many draws, and each may take long by the rules of a text.
            if stop.is_set() {
                return Err(Unsolvable::Stopped);
            }
            self.bytes = self.bytes.saturating_sub(self.game.position_bytes(&position));
            nodes.push(self.visit(&position)?);
        }
        Ok(nodes)
    }

    fn visit(&mut self, position: &G::Position) -> Result<ChanceNode, Unsolvable> {
        let broken = |refusal: Refusal| Unsolvable::Broken(Box::new(refusal));
        match self.game.turn(position) {
            Turn::Several(_) => Err(Unsolvable::AtOnce),
            #[expect(clippy::cast_precision_loss, reason = "scores of games are small")]
            Turn::Over(outcome) => {
                Ok(ChanceNode::End(outcome_score(&self.aim.value(outcome)) as f64))
            }
            Turn::One(seat) => {
                let moves: Vec<G::Move> = self.game.legal_moves(position, seat).collect();
                if moves.len() > WIDEST {
                    return Err(Unsolvable::TooWide);
                }
                let mut next = Vec::with_capacity(moves.len());
                for chosen in moves {
                    let after = self.game.play(position, seat, chosen).map_err(broken)?;
                    next.push(self.place_of(after)?);
                }
                Ok(ChanceNode::Move(seat, next))
            }
            Turn::Chance => {
                let draws = self.game.chances(position);
                if draws.len() > WIDEST {
                    return Err(Unsolvable::TooWide);
                }
                let mut next = Vec::with_capacity(draws.len());
                for (drawn, probability) in draws {
                    let mut after = position.clone();
                    self.game.advance_chance(&mut after, &drawn).map_err(broken)?;
                    next.push((probability.value(), self.place_of(after)?));
                }
                Ok(ChanceNode::Draw(next))
            }
        }
    }

    /// The place of a position, which is due to be visited if it is new.
    fn place_of(&mut self, position: G::Position) -> Result<u32, Unsolvable> {
        let key = self.game.key(&position).ok_or(Unsolvable::MayHaveTooMany)?.into_boxed_slice();
        if let Some(place) = self.places.get(&key) {
            return Ok(*place);
        }
        self.bytes += key.len() + self.game.position_bytes(&position);
        if self.bytes > MOST_BYTES {
            return Err(Unsolvable::MayHaveTooMany);
        }
        if self.places.len() == self.most {
            return Err(TooManyPositions { most: self.most }.into());
        }
        let place = u32::try_from(self.places.len()).expect("the number of positions is bounded");
        self.places.insert(key, place);
        self.due.push_back(position);
        Ok(place)
    }
}

/// The value of each position for the first seat.
fn iterate(nodes: &[ChanceNode], stop: &StopFlag) -> Result<Vec<f64>, Unsolvable> {
    let ends = nodes.iter().filter_map(|node| match node {
        ChanceNode::End(score) => Some(*score),
        ChanceNode::Move(..) | ChanceNode::Draw(_) => None,
    });
    let (least, most) = ends
        .fold((0.0, 0.0), |(least, most), score| (f64::min(least, score), f64::max(most, score)));
    let (mut lower, mut upper) = (vec![least; nodes.len()], vec![most; nodes.len()]);
    let edges: usize = nodes.iter().map(ChanceNode::width).sum();
    for _ in 0..MOST_STEPS / edges.max(1) {
        if stop.is_set() {
            return Err(Unsolvable::Stopped);
        }
        let (mut widest, mut changed) = (0.0, false);
        // Positions that were met late are nearer to the end.
        for (place, node) in nodes.iter().enumerate().rev() {
            let (least, most) = (node.value(&lower), node.value(&upper));
            changed |= least > lower[place] || most < upper[place];
            (lower[place], upper[place]) = (least, most);
            widest = f64::max(widest, upper[place] - lower[place]);
        }
        if widest < PRECISION {
            let both = lower.iter().zip(&upper);
            return Ok(both.map(|(lower, upper)| f64::midpoint(*lower, *upper)).collect());
        }
        if !changed {
            break;
        }
    }
    Err(Unsolvable::Endless)
}

impl ChanceNode {
    fn width(&self) -> usize {
        match self {
            Self::End(_) => 1,
            Self::Move(_, next) => next.len(),
            Self::Draw(next) => next.len(),
        }
    }

    fn value(&self, values: &[f64]) -> f64 {
        match self {
            Self::End(score) => *score,
            Self::Move(seat, next) => {
                let next = next.iter().map(|place| values[*place as usize]);
                let best = if *seat == Seat::FIRST {
                    next.reduce(f64::max)
                } else {
                    next.reduce(f64::min)
                };
                best.unwrap_or(0.0)
            }
            Self::Draw(next) => {
                next.iter().map(|(share, place)| share * values[*place as usize]).sum()
            }
        }
    }
}
