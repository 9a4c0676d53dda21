//! The tree of a Monte Carlo tree search.

mod answer;

use bthread::Generator;
use rustc_hash::FxHashMap;

use super::joint::JointChoice;
use super::tree_node::TreeNode;
use super::widths::Widths;
use crate::ending_moves::EndingMoves;
use crate::game::Game;
use crate::players::PlayoutError;
use crate::players::score::{Aim, outcome_score};
use crate::seat::{Seat, Seats};
use crate::stop_flag::StopFlag;
use crate::turn::{Outcome, Turn};

/// A tree that grows with every simulation.
pub(crate) struct SearchTree<'a, G: Game> {
    game: &'a G,
    root: &'a G::Position,
    aim: Aim,
    nodes: Vec<TreeNode>,
    /// What seats have learned where they choose at once.
    joint: FxHashMap<u32, JointChoice>,
    /// The sums of scores of the children of joint choices, by child and seat.
    joint_totals: FxHashMap<(u32, Seat), f64>,
    generator: Generator,
    /// The most plies of the next random game.
    most_plies: u32,
    /// The position of a simulation, and the moves that end the game there: their memory is used again.
    walked: Option<G::Position>,
    ends: EndingMoves<G::Position>,
    widths: Widths,
    /// The largest score so far, which scales how much is tried.
    scale: f64,
    simulations: u32,
    /// Whether bounds of scores make sense: with one or two opposed seats.
    proves: bool,
    /// The highest score that is possible: 1 where scores say only who won, otherwise unknown.
    limit: f32,
    path: Vec<PathStep>,
}

/// A step of a simulation.
#[derive(Clone, Copy, Debug)]
struct PathStep {
    node: u32,
    /// What led here.
    by: StepBy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StepBy {
    Root,
    Seat(Seat),
    Chance,
    Several,
}

/// How much is tried instead of what was best so far.
const EXPLORATION: f64 = 1.5;

/// The most nodes of a tree, which bounds its memory. A full tree is searched on without growing.
const MOST_NODES: usize = 4_000_000;

/// The most moves of a position that are looked at one by one when it gets children: on large boards
/// that would take longer than many simulations.
const MOST_LOOKED_AT: usize = 40;

/// The most plies of the first random game; a longer one counts as a draw.
const MOST_PLIES: u32 = 20_000;

/// The fewest plies to which that bound shrinks.
const LEAST_PLIES: u32 = 64;

/// The number of plies between two looks at the flag that stops the search.
const PLIES_BETWEEN_LOOKS: u32 = 256;

/// The most steps of a simulation inside of the tree.
const LONGEST_PATH: usize = 10_000;

impl<'a, G: Game> SearchTree<'a, G> {
    pub(crate) fn new(game: &'a G, root: &'a G::Position, generator: Generator) -> Self {
        let is_bounded = game.score_unit().is_none() && game.seats().len() <= 2;
        let limit = if is_bounded { 1.0 } else { f32::INFINITY };
        Self {
            game,
            root,
            aim: Aim::of(game),
            nodes: vec![TreeNode::new(limit)],
            joint: FxHashMap::default(),
            joint_totals: FxHashMap::default(),
            generator,
            most_plies: MOST_PLIES,
            walked: None,
            ends: EndingMoves::default(),
            widths: Widths::default(),
            scale: 1.0,
            simulations: 0,
            proves: game.seats().len() <= 2,
            limit,
            path: Vec::new(),
        }
    }

    /// Runs simulations until there are enough, the root is proved, or the flag stops it.
    ///
    /// # Errors
    /// If the game contradicts itself.
    pub(crate) fn search(&mut self, simulations: u32, stop: &StopFlag) -> Result<(), PlayoutError> {
        for _ in 0..simulations {
            if stop.is_set() || self.nodes[0].is_proved() || !self.simulate(stop)? {
                break;
            }
            self.simulations += 1;
        }
        Ok(())
    }

    pub(crate) fn simulations(&self) -> u32 {
        self.simulations
    }

    /// One simulation: down the tree, a random game, and back. `false` if it was stopped before its end:
    /// then it teaches nothing.
    fn simulate(&mut self, stop: &StopFlag) -> Result<bool, PlayoutError> {
        let mut position = reused(self.walked.take(), self.root);
        self.widths.extend_to(self.simulations + 1);
        self.path.clear();
        let outcome = self.walk(&mut position, stop)?;
        let is_over = outcome.is_some() || !stop.is_set();
        if is_over {
            self.learn(&outcome.unwrap_or_else(Outcome::draw));
        }
        self.walked = Some(position);
        Ok(is_over)
    }

    /// Walks down the tree to a new node or to the end, and plays a random game from there; `None` if
    /// that takes too long.
    fn walk(
        &mut self,
        position: &mut G::Position,
        stop: &StopFlag,
    ) -> Result<Option<Outcome>, PlayoutError> {
        let (mut node, mut by) = (0, StepBy::Root);
        loop {
            self.path.push(PathStep { node, by });
            let turn = self.game.turn(position);
            if let Turn::Over(outcome) = turn {
                let outcome = self.aim.value(outcome);
                self.prove_end(node, &outcome);
                return Ok(Some(outcome));
            }
            if self.nodes[node as usize].visits == 0 && node != 0 {
                if let Turn::One(seat) = turn
                    && let Some(outcome) = self.look_at_moves(node, position, seat)
                    && self.nodes[node as usize].is_proved()
                {
                    return Ok(Some(outcome));
                }
                return self.play_out(position, stop);
            }
            if self.path.len() == LONGEST_PATH {
                return self.play_out(position, stop);
            }
            let next = match turn {
                Turn::One(seat) => self.descend_by_move(node, position, seat),
                Turn::Chance => self.descend_by_chance(node, position)?,
                Turn::Several(seats) => self.descend_by_several(node, position, seats),
                Turn::Over(_) => None,
            };
            let Some((child, step)) = next else { return self.play_out(position, stop) };
            (node, by) = (child, step);
        }
    }

    /// Plays at random to the end; `None` if that takes too long, or the search is stopped.
    fn play_out(
        &mut self,
        position: &mut G::Position,
        stop: &StopFlag,
    ) -> Result<Option<Outcome>, PlayoutError> {
        let mut left = self.most_plies;
        while left > 0 && !stop.is_set() {
            let some = left.min(PLIES_BETWEEN_LOOKS);
            if let Some(outcome) = self.game.play_out(position, &mut self.generator, some)? {
                return Ok(Some(self.aim.value(outcome)));
            }
            left -= some;
        }
        // Random games need not end here: later ones are given up sooner.
        self.most_plies = (self.most_plies / 2).max(LEAST_PLIES);
        Ok(None)
    }

    /// Adds this many children to a node, unless the tree is full.
    fn expand_to(&mut self, node: u32, count: usize) -> bool {
        self.nodes[node as usize].count = u32::try_from(count).unwrap_or(0);
        self.expand(node)
    }

    /// Adds the children of a node whose number is known, unless the tree is full.
    fn expand(&mut self, node: u32) -> bool {
        let parent = &mut self.nodes[node as usize];
        if parent.is_expanded() {
            return true;
        }
        let (count, before) = (parent.count as usize, self.nodes.len());
        if count == 0 || before + count > MOST_NODES {
            return false;
        }
        self.nodes[node as usize].children = u32::try_from(before).expect("a tree is bounded");
        self.nodes.resize(before + count, TreeNode::new(self.limit));
        true
    }

    fn children(&self, node: u32) -> &[TreeNode] {
        let TreeNode { children, count, .. } = self.nodes[node as usize];
        &self.nodes[children as usize..(children + count) as usize]
    }

    fn descend_by_move(
        &mut self,
        node: u32,
        position: &mut G::Position,
        seat: Seat,
    ) -> Option<(u32, StepBy)> {
        if self.nodes[node as usize].count == 0 {
            self.look_at_moves(node, position, seat);
        }
        if !self.expand(node) {
            return None;
        }
        let place = self.select(node, seat);
        if !self.game.apply_nth(position, seat, place) {
            return None;
        }
        let child = self.nodes[node as usize].children + u32::try_from(place).ok()?;
        Some((child, StepBy::Seat(seat)))
    }

    /// Notes which moves of a node end the game: a win at once is never missed by chance, and a move
    /// that lets the other seat win at once is refuted at its first visit. Returns the best end for the
    /// seat.
    ///
    /// Only a node with such a move gets its children now. Most nodes are never visited again, and
    /// the cost of a search is the memory that it touches.
    fn look_at_moves(&mut self, node: u32, position: &G::Position, seat: Seat) -> Option<Outcome> {
        let count = self.game.count_moves(position, seat);
        self.nodes[node as usize].count = u32::try_from(count).unwrap_or(0);
        if count > MOST_LOOKED_AT || !self.proves {
            return None;
        }
        let mut found = std::mem::take(&mut self.ends);
        found.clear();
        self.game.find_ending_moves(position, seat, &mut found);
        let best = self.note_ends(node, seat, found.ends());
        self.ends = found;
        best
    }

    /// Notes the moves of a node that end the game; returns the best end for the seat.
    fn note_ends(&mut self, node: u32, seat: Seat, ends: &[(usize, Outcome)]) -> Option<Outcome> {
        if ends.is_empty() || !self.expand(node) {
            return None;
        }
        let children = self.nodes[node as usize].children;
        let mut best: Option<Outcome> = None;
        for (place, outcome) in ends {
            let outcome = self.aim.value(*outcome);
            self.check_bounds(&outcome);
            self.prove_end(children + u32::try_from(*place).ok()?, &outcome);
            if best.is_none_or(|best| best.score(seat) < outcome.score(seat)) {
                best = Some(outcome);
            }
        }
        if self.proves
            && let Some(bounds) = self.bounds_by_move(node, seat)
        {
            self.narrow(node, bounds, seat);
        }
        best
    }

    /// The place of the child to try next: one that was never tried, or the best by its mean and the
    /// number of its visits (UCT). Children that cannot be better than what is certain are left out.
    fn select(&mut self, node: u32, seat: Seat) -> usize {
        let parent = self.nodes[node as usize];
        let (certain, _) = parent.bounds(seat);
        let factor = EXPLORATION * self.scale;
        let (mut best, mut best_value) = (0, f64::NEG_INFINITY);
        for (place, child) in self.children(node).iter().enumerate() {
            if child.bounds(seat).1 <= certain {
                continue;
            }
            if child.visits == 0 {
                return self.any_untried(node, seat, certain).unwrap_or(place);
            }
            let value = child.mean(seat) + factor * self.widths.of(parent.visits, child.visits);
            if value > best_value {
                (best, best_value) = (place, value);
            }
        }
        best
    }

    /// A random child that was never tried.
    fn any_untried(&mut self, node: u32, seat: Seat, certain: f32) -> Option<usize> {
        let is_untried = |child: &TreeNode| child.visits == 0 && child.bounds(seat).1 > certain;
        let count = self.children(node).iter().filter(|child| is_untried(child)).count();
        let skipped = usize::try_from(self.generator.below(count as u64)).ok()?;
        let children = self.children(node).iter().enumerate();
        let mut untried = children.filter(|(_, child)| is_untried(child));
        untried.nth(skipped).map(|(place, _)| place)
    }

    fn descend_by_chance(
        &mut self,
        node: u32,
        position: &mut G::Position,
    ) -> Result<Option<(u32, StepBy)>, PlayoutError> {
        let Some(drawn) = self.game.draw_chance(position, &mut self.generator)? else {
            return Ok(None);
        };
        let chances = self.game.chances(position);
        if !self.expand_to(node, chances.len()) {
            return Ok(None);
        }
        let place = chances.iter().position(|(chance, _)| *chance == drawn);
        self.game.apply_chance(position, &drawn);
        let place = place.and_then(|place| u32::try_from(place).ok()).unwrap_or(0);
        Ok(Some((self.nodes[node as usize].children + place, StepBy::Chance)))
    }

    fn descend_by_several(
        &mut self,
        node: u32,
        position: &mut G::Position,
        seats: Seats,
    ) -> Option<(u32, StepBy)> {
        if !self.joint.contains_key(&node) {
            let moves = |seat| self.game.legal_moves(position, seat).len();
            let choice = JointChoice::new(seats, moves)?;
            if !self.expand_to(node, choice.children()) {
                return None;
            }
            self.joint.insert(node, choice);
        }
        let choice = self.joint.get_mut(&node)?;
        let place = choice.choose(&mut self.generator);
        let moves: Option<Vec<(Seat, G::Move)>> = choice
            .chosen()
            .map(|(seat, place)| Some((seat, self.game.legal_moves(position, seat).nth(place)?)))
            .collect();
        // Each move may be legal alone, but not all together; then the game is played out from here.
        self.game.advance_all(position, &moves?).ok()?;
        let child = self.nodes[node as usize].children + u32::try_from(place).ok()?;
        Some((child, StepBy::Several))
    }

    /// Notes that the game ends in a node.
    fn prove_end(&mut self, node: u32, outcome: &Outcome) {
        let score = score_of(outcome);
        if self.proves && score.abs() <= self.limit {
            let node = &mut self.nodes[node as usize];
            (node.lower, node.upper) = (score, score);
        }
    }

    /// Forgets all bounds if an outcome contradicts what they take for granted: that one seat loses
    /// what the other wins, and how much that can be.
    fn check_bounds(&mut self, outcome: &Outcome) {
        let is_opposed = match outcome.scores() {
            [first, second] => i64::from(*first) == -i64::from(*second),
            _ => true,
        };
        if self.proves && (!is_opposed || score_of(outcome).abs() > self.limit) {
            self.proves = false;
            self.limit = f32::INFINITY;
            for node in &mut self.nodes {
                (node.lower, node.upper) = (f32::NEG_INFINITY, f32::INFINITY);
            }
        }
    }

    /// Learns from the outcome of a simulation, from its end back to the root.
    fn learn(&mut self, outcome: &Outcome) {
        self.check_bounds(outcome);
        let most = outcome.scores().iter().map(|score| score.unsigned_abs()).max().unwrap_or(0);
        self.scale = self.scale.max(f64::from(most));
        for index in (0..self.path.len()).rev() {
            let PathStep { node, by } = self.path[index];
            self.nodes[node as usize].visits += 1;
            match by {
                StepBy::Seat(seat) => {
                    self.nodes[node as usize].total += f64::from(outcome.score(seat));
                }
                StepBy::Several => {
                    for seat in Seats::first(outcome.scores().len()).iter() {
                        let score = f64::from(outcome.score(seat));
                        *self.joint_totals.entry((node, seat)).or_insert(0.0) += score;
                    }
                    self.learn_jointly(self.path[index - 1].node, outcome);
                }
                StepBy::Root | StepBy::Chance => {}
            }
        }
        let end = self.path.last().map(|step| self.nodes[step.node as usize]);
        if self.proves && end.is_some_and(|end| end.lower > -self.limit || end.upper < self.limit) {
            self.prove_path();
        }
    }

    fn learn_jointly(&mut self, parent: u32, outcome: &Outcome) {
        let first = self.nodes[parent as usize].children;
        let (nodes, totals) = (&self.nodes, &self.joint_totals);
        let Some(choice) = self.joint.get_mut(&parent) else { return };
        choice.learn(outcome, |place, seat| {
            let child = first + u32::try_from(place).ok()?;
            let total = totals.get(&(child, seat))?;
            Some(total / f64::from(nodes[child as usize].visits))
        });
    }

    /// Carries bounds from the end of the path towards the root, as far as they change anything.
    fn prove_path(&mut self) {
        for index in (1..self.path.len()).rev() {
            let (parent, by) = (self.path[index - 1].node, self.path[index].by);
            let (bounds, seat) = match by {
                StepBy::Seat(seat) => (self.bounds_by_move(parent, seat), seat),
                StepBy::Chance => (self.bounds_by_chance(parent), Seat::FIRST),
                StepBy::Root | StepBy::Several => return,
            };
            let node = &self.nodes[parent as usize];
            match bounds {
                Some(bounds) if bounds != (node.lower, node.upper) => {
                    self.narrow(parent, bounds, seat);
                }
                _ => return,
            }
        }
    }

    /// Sets the bounds of a node. If they prove its score, the seat wins as soon as it can, or loses
    /// as late as it can.
    fn narrow(&mut self, node: u32, bounds: (f32, f32), seat: Seat) {
        let parent = &mut self.nodes[node as usize];
        (parent.lower, parent.upper) = bounds;
        let (score, _) = parent.bounds(seat);
        if !parent.is_proved() {
            return;
        }
        let has_it = |child: &&TreeNode| child.is_proved() && child.bounds(seat).0 >= score;
        let plies = self.children(node).iter().filter(has_it).map(|child| child.plies);
        let plies = if score > 0.0 { plies.min() } else { plies.max() };
        self.nodes[node as usize].plies = plies.unwrap_or(0).saturating_add(1);
    }

    /// The bounds of a node in which a seat chooses the best child.
    fn bounds_by_move(&self, node: u32, seat: Seat) -> Option<(f32, f32)> {
        let children = self.children(node).iter().map(|child| child.bounds(seat));
        let (lower, upper) =
            children.reduce(|(low, high), (lower, upper)| (low.max(lower), high.max(upper)))?;
        Some(if seat == Seat::FIRST { (lower, upper) } else { (-upper, -lower) })
    }

    /// The bounds of a node in which chance draws: certain only if all its children are.
    fn bounds_by_chance(&self, node: u32) -> Option<(f32, f32)> {
        let children = self.children(node);
        let first = children.first()?;
        // Equal children need no probabilities, and others are rare: most games go on after a draw.
        let is_same = |child: &TreeNode| {
            child.is_proved() && child.bounds(Seat::FIRST) == first.bounds(Seat::FIRST)
        };
        let are_equal = children.iter().all(is_same);
        are_equal.then_some((first.lower, first.upper))
    }
}

#[expect(clippy::cast_precision_loss, reason = "scores of games are small")]
fn score_of(outcome: &Outcome) -> f32 {
    outcome_score(outcome) as f32
}

/// A copy of a position, in memory that is no longer needed.
fn reused<P: Clone>(memory: Option<P>, source: &P) -> P {
    match memory {
        Some(mut position) => {
            position.clone_from(source);
            position
        }
        None => source.clone(),
    }
}
