//! What a tree says when its search is over.

use bthread::Generator;

use super::super::joint::JointChoice;
use super::super::tree_choice::TreeChoice;
use super::super::tree_node::TreeNode;
use super::SearchTree;
use crate::game::{Game, nth_move};
use crate::players::pick::by_weight;
use crate::seat::Seat;
use crate::turn::Turn;

impl<G: Game> SearchTree<'_, G> {
    /// The best move of a seat at the root; `None` if nothing was tried.
    pub(crate) fn best(&self, seat: Seat, generator: &mut Generator) -> Option<TreeChoice> {
        if !self.nodes[0].is_expanded() {
            // Nothing was tried: any move is as good.
            let count = self.game.count_moves(self.root, seat);
            let place = usize::try_from(generator.below(count as u64)).ok();
            return place.filter(|place| *place < count).map(TreeChoice::untried);
        }
        let mut moves = self.root_moves(seat);
        let place = match self.joint.get(&0) {
            Some(choice) => by_weight(&choice.strategy(seat)?, generator),
            None => self.best_child(0, seat)?,
        };
        (place < moves.len()).then(|| moves.swap_remove(place))
    }

    /// What a seat can expect at the root, if it moves as [`SearchTree::best`] does.
    pub(crate) fn root_value(&self, seat: Seat) -> Option<TreeChoice> {
        let moves = self.root_moves(seat);
        if self.joint.contains_key(&0) {
            let share = |each: &TreeChoice| each.probability.unwrap_or(0.0) * each.value;
            let value = moves.iter().map(share).sum();
            return Some(TreeChoice { value, visits: self.simulations, ..TreeChoice::untried(0) });
        }
        let best = self.nodes[0].is_expanded().then(|| self.best_child(0, seat)).flatten()?;
        moves.into_iter().nth(best)
    }

    /// The child that was tried most, unless a certain one is better. Of the moves that win for
    /// certain, the one that wins soonest: otherwise a game that can go on for ever would not end.
    fn best_child(&self, node: u32, seat: Seat) -> Option<usize> {
        let children = self.children(node);
        let (certain, _) = self.nodes[node as usize].bounds(seat);
        let open = (0..children.len()).filter(|place| children[*place].bounds(seat).1 > certain);
        let tried = open.max_by_key(|place| (children[*place].visits, usize::MAX - place));
        let known = (0..children.len()).filter(|place| children[*place].bounds(seat).0 >= certain);
        let known = known.max_by_key(|place| {
            let child = &children[*place];
            let wins = child.is_proved() && certain > 0.0;
            let soon = if wins { u32::MAX - child.plies } else { 0 };
            (soon, child.visits, usize::MAX - place)
        });
        match (tried, known) {
            (Some(tried), Some(known)) if certain > -self.limit => {
                let child = &children[tried];
                // A few simulations prove nothing: doubt costs as much as they may be wrong.
                let doubt = self.scale / f64::from(child.visits.max(1)).sqrt();
                let is_better = child.visits > 0 && child.mean(seat) - doubt > f64::from(certain);
                Some(if is_better { tried } else { known })
            }
            (tried, known) => tried.or(known),
        }
    }

    /// The moves that the tree holds to be best.
    pub(crate) fn best_line(&self) -> Vec<String> {
        const LONGEST: usize = 8;
        let (mut line, mut node, mut position) = (Vec::new(), 0, self.root.clone());
        while line.len() < LONGEST
            && let Turn::One(seat) = self.game.turn(&position)
            && self.nodes[node as usize].is_expanded()
            && let Some(place) = self.best_child(node, seat)
            && self.children(node)[place].is_known()
            && let Some(chosen) = nth_move(self.game, &position, seat, place)
        {
            line.push(chosen.to_string());
            self.game.apply(&mut position, seat, &chosen);
            node = self.nodes[node as usize].children + u32::try_from(place).unwrap_or(0);
        }
        line
    }

    /// The visits and values of the moves of a seat at the root.
    pub(crate) fn root_moves(&self, seat: Seat) -> Vec<TreeChoice> {
        if !self.nodes[0].is_expanded() {
            return Vec::new();
        }
        if let Some(choice) = self.joint.get(&0) {
            return self.moves_at_once(choice, seat);
        }
        let child = |(place, child): (usize, &TreeNode)| TreeChoice {
            place,
            visits: child.visits,
            value: child.value(seat),
            is_proved: child.is_proved(),
            probability: None,
        };
        self.children(0).iter().enumerate().map(child).collect()
    }

    /// The moves of one of the seats that choose at once at the root. The value of a move is its mean
    /// against what the others do, each joint move as often as their strategies make it.
    fn moves_at_once(&self, choice: &JointChoice, seat: Seat) -> Vec<TreeChoice> {
        let strategy = choice.strategy(seat).unwrap_or_default();
        let untried = |(place, share): (usize, &f64)| TreeChoice {
            probability: Some(*share),
            ..TreeChoice::untried(place)
        };
        let mut moves: Vec<TreeChoice> = strategy.iter().enumerate().map(untried).collect();
        let mut weights = vec![0.0; moves.len()];
        for (child, joint) in (self.nodes[0].children..).zip(choice.joint_moves(seat)) {
            let visits = self.nodes[child as usize].visits;
            let Some(total) = self.joint_totals.get(&(child, seat)).filter(|_| visits > 0) else {
                continue;
            };
            moves[joint.own].visits += visits;
            moves[joint.own].value += joint.weight * total / f64::from(visits);
            weights[joint.own] += joint.weight;
        }
        for (each, weight) in moves.iter_mut().zip(weights) {
            each.value = if weight > 0.0 { each.value / weight } else { 0.0 };
        }
        moves
    }
}
