//! The ways in which the world can choose by what it has seen.
//!
//! All of them are tried if there are few. If there are many and nobody else chooses before them, the
//! best choice at one place does not depend on those at others, except later ones: a b-thread that
//! never forgets can decide one place after another, the last ones first.

use std::collections::VecDeque;

use bthread::sorting::sort_short_by;
use checker::{Extreme, ValueBounds};

use super::graph::{ModelGraph, WorldPolicy};
use super::quantity::QuantityQuestion;

/// What the world chooses at each place that is decided.
pub(super) type PolicyChoices = Vec<Option<u32>>;

/// The most ways in which the world can choose that are tried.
const MOST_POLICIES: usize = 1_000;

/// The most states that are visited to find them.
const MOST_VISITS: usize = 20_000_000;

impl QuantityQuestion<'_> {
    /// All ways in which the world can choose at the places to which it comes, or at least those
    /// that attain the least and the greatest number; `None` if that is too much to try.
    pub(super) fn policies(&self, graph: &ModelGraph) -> Option<Vec<PolicyChoices>> {
        self.all_policies(graph).or_else(|| self.best_policies(graph))
    }

    fn all_policies(&self, graph: &ModelGraph) -> Option<Vec<PolicyChoices>> {
        let mut open = vec![vec![None; graph.place_events().len()]];
        let mut complete = Vec::new();
        let mut visits = 0;
        while let Some(policy) = open.pop() {
            if complete.len() + open.len() >= MOST_POLICIES || visits > MOST_VISITS {
                return None;
            }
            let Some(place) = self.undecided(graph, &policy, &mut visits) else {
                complete.push(policy);
                continue;
            };
            for event in graph.place_events()[place].iter().rev() {
                let mut policy = policy.clone();
                policy[place] = Some(*event);
                open.push(policy);
            }
        }
        Some(complete)
    }

    /// The first place to which the world comes by a policy that does not choose there yet.
    fn undecided(
        &self,
        graph: &ModelGraph,
        policy: &WorldPolicy,
        visits: &mut usize,
    ) -> Option<usize> {
        if graph.place_events().is_empty() {
            return None;
        }
        let mut is_seen = vec![false; graph.len()];
        let mut queue = VecDeque::from([0]);
        while let Some(state) = queue.pop_front() {
            if std::mem::replace(&mut is_seen[state], true) {
                continue;
            }
            *visits += 1;
            if let Some(place) = graph.open_place(state, policy) {
                return Some(place);
            }
            for (edge, _) in graph.choices(state, Some(policy)).into_iter().flatten() {
                if !self.is_goal(graph, state, edge) {
                    queue.push_back(graph.target(state, edge));
                }
            }
        }
        None
    }

    /// The choices that attain the least and the greatest number, where one b-thread decides alone.
    fn best_policies(&self, graph: &ModelGraph) -> Option<Vec<PolicyChoices>> {
        let tries: usize = graph.place_events().iter().map(Vec::len).sum();
        let visits = tries.saturating_mul(graph.len()).saturating_mul(2);
        if visits > MOST_VISITS {
            return None;
        }
        let ways = self.ways_to_places(graph, &graph.decided_alone()?)?;
        let mut order: Vec<usize> =
            (0..ways.len()).filter(|place| ways[*place].is_some()).collect();
        let length = |place: &usize| ways[*place].as_ref().map(Vec::len);
        sort_short_by(&mut order, |one, other| length(other).cmp(&length(one)));
        [Extreme::Least, Extreme::Greatest]
            .into_iter()
            .map(|extreme| self.best_policy(graph, &order, &ways, extreme))
            .collect()
    }

    /// Decides one place after another, the last ones first. Values must be exact to be compared.
    fn best_policy(
        &self,
        graph: &ModelGraph,
        order: &[usize],
        ways: &[Option<Decisions>],
        extreme: Extreme,
    ) -> Option<PolicyChoices> {
        let events = graph.place_events();
        let mut best: PolicyChoices = events.iter().map(|events| events.first().copied()).collect();
        for &place in order {
            let mut policy = best.clone();
            for (earlier, event) in ways[place].iter().flatten() {
                policy[*earlier] = Some(*event);
            }
            let mut found: Option<(ValueBounds, u32)> = None;
            for &event in &events[place] {
                policy[place] = Some(event);
                let solved = self.solve(graph, Some(&policy));
                let value = match extreme {
                    Extreme::Least => solved.least,
                    Extreme::Greatest => solved.greatest,
                };
                let exact = value.exact?;
                let is_better = found.is_none_or(|(known, _)| match extreme {
                    Extreme::Least => known.exact.is_some_and(|known| exact < known),
                    Extreme::Greatest => known.exact.is_some_and(|known| exact > known),
                });
                if is_better {
                    found = Some((value, event));
                }
            }
            best[place] = found.map(|(_, event)| event);
        }
        Some(best)
    }

    /// For each place the choices on the way to it, if the world can come there before the goal;
    /// `None` if there are several ways by different choices. `is_before` are the states from which
    /// a place can be reached.
    fn ways_to_places(
        &self,
        graph: &ModelGraph,
        is_before: &[bool],
    ) -> Option<Vec<Option<Decisions>>> {
        let mut ways: Vec<Option<Decisions>> = vec![None; graph.place_events().len()];
        let mut known: Vec<Option<Decisions>> = vec![None; graph.len()];
        known[0] = Some(Decisions::new());
        let mut queue = VecDeque::from([0]);
        while let Some(state) = queue.pop_front() {
            let decisions = known[state].clone()?;
            for (edge, _) in graph.choices(state, None).into_iter().flatten() {
                let mut after = decisions.clone();
                for place in graph.places(state, edge) {
                    if *ways[*place].get_or_insert_with(|| decisions.clone()) != decisions {
                        return None;
                    }
                    after.push((*place, graph.number(state, edge)));
                }
                let target = graph.target(state, edge);
                if !is_before[target] || self.is_goal(graph, state, edge) {
                    continue;
                }
                match &known[target] {
                    Some(known) if *known != after => return None,
                    Some(_) => {}
                    None => {
                        known[target] = Some(after);
                        queue.push_back(target);
                    }
                }
            }
        }
        Some(ways)
    }
}

/// Places, each with the event that is chosen there.
type Decisions = Vec<(usize, u32)>;
