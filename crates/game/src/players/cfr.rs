//! Equilibria of small games by CFR+, and the player that follows them.

use std::fmt;
use std::sync::Arc;

use bthread::Generator;
use rustc_hash::FxHashMap;

use super::equilibrium_cache::EquilibriumCache;
use super::pick::{by_weight, normal};
use super::score::{Aim, outcome_score};
use crate::game::{Game, Viewer, apply_all, seat_name};
use crate::player::{CannotPlay, Choice, Player, PlayerError, PlayerView};
use crate::seat::Seat;
use crate::stop_flag::StopFlag;
use crate::turn::Turn;

/// A strategy for both seats of a small game, as near to an equilibrium as its iterations allow.
///
/// CFR+ (Tammelin, 2014) needs two seats of which one loses what the other wins. Chance, simultaneous
/// moves and hidden information are fine, as long as a seat's [view](Game::view) tells apart what the
/// seat could tell apart. The whole tree of the game is kept in memory.
#[derive(Clone)]
pub struct Equilibrium {
    tree: Vec<CfrNode>,
    /// The places of information sets, by seat and view.
    places: FxHashMap<(Seat, Box<str>), usize>,
    sets: Vec<InformationSet>,
    iterations: u32,
}

/// What a seat cannot tell apart: all positions with the same view.
#[derive(Clone, Debug)]
struct InformationSet {
    seat: Seat,
    regrets: Vec<f64>,
    /// The strategies of all iterations, later ones with more weight.
    sums: Vec<f64>,
}

#[derive(Clone, Debug)]
enum CfrNode {
    /// The score of the first seat.
    End(f64),
    Chance(Vec<(f64, usize)>),
    Choice {
        seat: Seat,
        set: usize,
        next: Vec<usize>,
    },
}

/// Why a game has no equilibrium here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoEquilibrium {
    /// The game does not have two seats.
    #[error("it needs two seats, and there are {0}")]
    Seats(usize),
    /// What one seat wins the other does not lose.
    #[error("what one seat wins the other does not lose there")]
    NotOpposed,
    /// The tree of the game is too large.
    #[error("its tree has more than {MOST_NODES} nodes")]
    TooLarge,
}

/// The most nodes of a tree.
const MOST_NODES: usize = 20_000;

impl Equilibrium {
    /// The strategy after this many iterations, or after fewer if the search is stopped: at least one.
    ///
    /// # Errors
    /// If the game is not a small game of two opposed seats.
    pub fn of<G: Game>(game: &G, iterations: u32, stop: &StopFlag) -> Result<Self, NoEquilibrium> {
        let seats = game.seats().len();
        if seats != 2 {
            return Err(NoEquilibrium::Seats(seats));
        }
        let (tree, places, sets) = (Vec::new(), FxHashMap::default(), Vec::new());
        let mut found = Self { tree, places, sets, iterations: 0 };
        found.add(game, &game.start(), 0)?;
        for iteration in 1..=iterations {
            if iteration > 1 && stop.is_set() {
                break;
            }
            found.iterations = iteration;
            for seat in [Seat::FIRST, Seat::SECOND] {
                let mut pass = CfrPass::new(&found, seat, f64::from(iteration));
                pass.value(0, [1.0; 2]);
                let changes = pass.changes;
                found.learn(changes);
            }
        }
        Ok(found)
    }

    /// The iterations that led to the strategy.
    #[must_use]
    pub fn iterations(&self) -> u32 {
        self.iterations
    }

    /// Its memory, in bytes, about.
    pub(crate) fn bytes(&self) -> usize {
        let next = |node: &CfrNode| match node {
            CfrNode::End(_) => 0,
            CfrNode::Chance(next) => size_of_val(&**next),
            CfrNode::Choice { next, .. } => size_of_val(&**next),
        };
        let nodes: usize = self.tree.iter().map(|node| size_of::<CfrNode>() + next(node)).sum();
        let set = |set: &InformationSet| size_of::<InformationSet>() + 16 * set.sums.len();
        let sets: usize = self.sets.iter().map(set).sum();
        let views = self.places.keys().map(|(_, view)| view.len() + 48);
        nodes + sets + views.sum::<usize>()
    }

    /// What the first seat can expect when both follow the strategy.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.expected(0)
    }

    /// The probability of each legal move of a seat with this view; `None` if the game has no such
    /// view.
    #[must_use]
    pub fn strategy(&self, seat: Seat, view: &str) -> Option<Vec<f64>> {
        let set = *self.places.get(&(seat, Box::from(view)))?;
        Some(normal(&self.sets[set].sums))
    }

    /// What a seat with this view can expect after each of its legal moves, when both follow the
    /// strategy; `None` if the game has no such view.
    #[must_use]
    pub fn values(&self, seat: Seat, view: &str) -> Option<Vec<f64>> {
        let set = *self.places.get(&(seat, Box::from(view)))?;
        let mut sums = vec![0.0; self.sets[set].sums.len()];
        let reached = self.add_values(0, 1.0, set, &mut sums);
        let sign = if seat == Seat::FIRST { 1.0 } else { -1.0 };
        Some(
            sums.iter().map(|sum| if reached > 0.0 { sign * sum / reached } else { 0.0 }).collect(),
        )
    }

    /// Adds the values of the moves of an information set below a node that is reached with this
    /// probability. The seat itself is taken to play towards the set. Returns how often it is reached.
    fn add_values(&self, node: usize, reach: f64, wanted: usize, sums: &mut [f64]) -> f64 {
        match &self.tree[node] {
            CfrNode::End(_) => 0.0,
            CfrNode::Chance(next) => {
                let below = next.iter();
                below.map(|(share, next)| self.add_values(*next, reach * share, wanted, sums)).sum()
            }
            CfrNode::Choice { set, next, .. } if *set == wanted => {
                for (sum, next) in sums.iter_mut().zip(next) {
                    *sum += reach * self.expected(*next);
                }
                reach
            }
            CfrNode::Choice { seat, set, next } => {
                let is_own = self.sets[wanted].seat == *seat;
                let strategy = normal(&self.sets[*set].sums);
                let below = next.iter().zip(strategy);
                below
                    .map(|(next, share)| {
                        let share = if is_own { 1.0 } else { share };
                        self.add_values(*next, reach * share, wanted, sums)
                    })
                    .sum()
            }
        }
    }

    /// Adds a position and everything after it.
    fn add<G: Game>(
        &mut self,
        game: &G,
        position: &G::Position,
        depth: usize,
    ) -> Result<usize, NoEquilibrium> {
        // A deep game could overflow the stack.
        const DEEPEST: usize = 200;
        let place = self.tree.len();
        if place == MOST_NODES || depth == DEEPEST {
            return Err(NoEquilibrium::TooLarge);
        }
        self.tree.push(CfrNode::End(0.0));
        let node = match game.turn(position) {
            Turn::Over(outcome) => {
                let outcome = Aim::of(game).value(outcome);
                let is_opposed = outcome.score(Seat::FIRST) == -outcome.score(Seat::SECOND);
                if !is_opposed {
                    return Err(NoEquilibrium::NotOpposed);
                }
                let score = i32::try_from(outcome_score(&outcome)).unwrap_or(i32::MAX);
                CfrNode::End(f64::from(score))
            }
            Turn::Chance => {
                let mut next = Vec::new();
                for (drawn, probability) in game.chances(position) {
                    let mut drawn_position = position.clone();
                    game.apply_chance(&mut drawn_position, &drawn);
                    next.push((probability.value(), self.add(game, &drawn_position, depth + 1)?));
                }
                CfrNode::Chance(next)
            }
            turn @ (Turn::One(_) | Turn::Several(_)) => {
                let seats: Vec<Seat> = turn.seats().iter().collect();
                // The node itself is the first seat's choice, so it is not pushed again.
                self.tree.pop();
                return self.add_choices(game, position, &seats, &mut Vec::new(), depth);
            }
        };
        self.tree[place] = node;
        Ok(place)
    }

    /// Adds the choices of seats that do not see each other's, one after the other.
    fn add_choices<G: Game>(
        &mut self,
        game: &G,
        position: &G::Position,
        seats: &[Seat],
        moves: &mut Vec<(Seat, G::Move)>,
        depth: usize,
    ) -> Result<usize, NoEquilibrium> {
        let Some((seat, others)) = seats.split_first() else {
            let mut next = position.clone();
            apply_all(game, &mut next, moves);
            return self.add(game, &next, depth + 1);
        };
        let place = self.tree.len();
        if place == MOST_NODES {
            return Err(NoEquilibrium::TooLarge);
        }
        self.tree.push(CfrNode::End(0.0));
        let legal: Vec<G::Move> = game.legal_moves(position, *seat).collect();
        let set = self.set_of(*seat, &game.view(position, Viewer::Seat(*seat)), legal.len());
        let mut next = Vec::new();
        for chosen in legal {
            moves.push((*seat, chosen));
            next.push(self.add_choices(game, position, others, moves, depth)?);
            moves.pop();
        }
        self.tree[place] = CfrNode::Choice { seat: *seat, set, next };
        Ok(place)
    }

    fn set_of(&mut self, seat: Seat, view: &str, moves: usize) -> usize {
        let new = self.sets.len();
        let place = *self.places.entry((seat, Box::from(view))).or_insert(new);
        if place == new {
            self.sets.push(InformationSet {
                seat,
                regrets: vec![0.0; moves],
                sums: vec![0.0; moves],
            });
        }
        place
    }

    fn learn(&mut self, changes: Vec<(usize, SetChange)>) {
        for (set, change) in changes {
            let set = &mut self.sets[set];
            for (place, (regret, sum)) in set.regrets.iter_mut().zip(&mut set.sums).enumerate() {
                // What CFR+ changes in CFR: regrets never fall below 0.
                *regret = (*regret + change.regrets[place]).max(0.0);
                *sum += change.sums[place];
            }
        }
    }

    fn expected(&self, node: usize) -> f64 {
        match &self.tree[node] {
            CfrNode::End(score) => *score,
            CfrNode::Chance(next) => {
                next.iter().map(|(probability, next)| probability * self.expected(*next)).sum()
            }
            CfrNode::Choice { set, next, .. } => {
                let strategy = normal(&self.sets[*set].sums);
                next.iter().zip(strategy).map(|(next, weight)| weight * self.expected(*next)).sum()
            }
        }
    }
}

/// One walk through the tree that learns for one seat.
struct CfrPass<'a> {
    game: &'a Equilibrium,
    seat: Seat,
    weight: f64,
    strategies: Vec<Vec<f64>>,
    changes: Vec<(usize, SetChange)>,
    /// The place in `changes` of each set that has some.
    changed: Vec<Option<usize>>,
}

#[derive(Clone, Debug)]
struct SetChange {
    regrets: Vec<f64>,
    sums: Vec<f64>,
}

impl<'a> CfrPass<'a> {
    fn new(game: &'a Equilibrium, seat: Seat, weight: f64) -> Self {
        let strategies = game.sets.iter().map(|set| normal(&set.regrets)).collect();
        let changed = vec![None; game.sets.len()];
        Self { game, seat, weight, strategies, changes: Vec::new(), changed }
    }

    /// What the first seat can expect, where each seat reaches the node with this probability; chance
    /// counts as the opponent of the seat that learns.
    fn value(&mut self, node: usize, reach: [f64; 2]) -> f64 {
        let game = self.game;
        match &game.tree[node] {
            CfrNode::End(score) => *score,
            CfrNode::Chance(next) => {
                let other = self.seat.opponent().index();
                let values = next.iter().map(|(probability, next)| {
                    let mut reach = reach;
                    reach[other] *= probability;
                    probability * self.value(*next, reach)
                });
                values.sum()
            }
            CfrNode::Choice { seat, set, next } => {
                let strategy = self.strategies[*set].clone();
                let values: Vec<f64> = next
                    .iter()
                    .zip(&strategy)
                    .map(|(next, weight)| {
                        let mut reach = reach;
                        reach[seat.index()] *= weight;
                        self.value(*next, reach)
                    })
                    .collect();
                let value =
                    values.iter().zip(&strategy).map(|(value, weight)| value * weight).sum();
                if *seat == self.seat {
                    self.change(*set, &values, value, &strategy, reach);
                }
                value
            }
        }
    }

    fn change(
        &mut self,
        set: usize,
        values: &[f64],
        value: f64,
        strategy: &[f64],
        reach: [f64; 2],
    ) {
        let sign = if self.seat == Seat::FIRST { 1.0 } else { -1.0 };
        let (own, other) = (reach[self.seat.index()], reach[self.seat.opponent().index()]);
        let place = *self.changed[set].get_or_insert_with(|| {
            let nothing = vec![0.0; values.len()];
            self.changes.push((set, SetChange { regrets: nothing.clone(), sums: nothing }));
            self.changes.len() - 1
        });
        let change = &mut self.changes[place].1;
        for (move_place, of_move) in values.iter().enumerate() {
            change.regrets[move_place] += other * sign * (of_move - value);
            change.sums[move_place] += self.weight * own * strategy[move_place];
        }
    }
}

impl fmt::Debug for Equilibrium {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sets = self.sets.len();
        f.debug_struct("Equilibrium").field("information_sets", &sets).finish_non_exhaustive()
    }
}

/// Draws its moves from an [`Equilibrium`].
#[derive(Clone, Debug)]
pub struct CfrPlayer {
    equilibrium: Arc<Equilibrium>,
    generator: Generator,
}

impl CfrPlayer {
    /// The player that follows the strategy after this many iterations, or after fewer if the search is
    /// stopped.
    ///
    /// # Errors
    /// If the game is not a small game of two opposed seats.
    pub fn new<G: Game>(
        game: &G,
        seat: Seat,
        iterations: u32,
        seed: u64,
        stop: &StopFlag,
    ) -> Result<Self, CannotPlay> {
        Self::with(&EquilibriumCache::default(), game, seat, iterations, seed, stop)
    }

    /// As [`CfrPlayer::new`], with what players share.
    pub(crate) fn with<G: Game>(
        equilibria: &EquilibriumCache,
        game: &G,
        seat: Seat,
        iterations: u32,
        seed: u64,
        stop: &StopFlag,
    ) -> Result<Self, CannotPlay> {
        let equilibrium = equilibria.of(game, iterations, stop).map_err(|error| {
            CannotPlay::new(&format!("cfr:{iterations}"), game, seat, error.to_string())
        })?;
        Ok(Self { equilibrium, generator: Generator::seeded(seed) })
    }
}

impl<G: Game> Player<G> for CfrPlayer {
    fn choose(&mut self, player_view: &PlayerView<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let (game, seat) = (player_view.game(), player_view.seat());
        let strategy = self.equilibrium.strategy(seat, &player_view.view());
        let in_turn = player_view.turn().seats().contains(seat);
        let strategy = strategy.filter(|_| in_turn).ok_or(PlayerError::NothingToChoose)?;
        let place = by_weight(&strategy, &mut self.generator);
        let chosen = player_view.legal_moves().nth(place).ok_or(PlayerError::NothingToChoose)?;
        let percent: Vec<String> = player_view
            .legal_moves()
            .zip(&strategy)
            .map(|(each, weight)| format!("{each} {:.1} %", weight * 100.0))
            .collect();
        let values = self.equilibrium.values(seat, &player_view.view()).unwrap_or_default();
        let expected: f64 = values.iter().zip(&strategy).map(|(value, share)| value * share).sum();
        let (whose, iterations) = (seat_name(game, seat), self.equilibrium.iterations());
        let sentence = format!(
            "cfr expects {expected:+.3} for {whose} after {iterations} iterations, and draws from the \
             equilibrium: {}",
            percent.join(", ")
        );
        Ok(Choice::because(chosen, sentence))
    }
}
