//! The states of a text: all of them if there are few, otherwise those around the current one.

use notation::{RunSnapshot, RunStatus, TextRun};

use super::game::LabGame;

/// States in the order in which they are found, and the events between them.
#[derive(Debug)]
pub struct StateMap {
    /// The states; the first one is where the map begins.
    pub nodes: Vec<StateNode>,
    /// From a state to a state, with the events that lead there.
    pub edges: Vec<(usize, usize, Vec<String>)>,
    /// Whether these are all states from the beginning of the game.
    pub is_whole: bool,
}

/// A state of a text.
#[derive(Debug)]
pub struct StateNode {
    /// The events that lead to it from the beginning of the game.
    pub path: Vec<String>,
    /// The number of events from the first state of the map.
    pub depth: usize,
    /// Whether something can happen.
    pub status: RunStatus,
    /// Whether the game that is shown was here.
    pub is_visited: bool,
    /// Whether it is the position that is looked at.
    pub is_current: bool,
    /// The number of events after which the counterexample is here.
    pub in_counterexample: Option<usize>,
}

/// The most states that are drawn all together, and around the current one.
const MOST_WHOLE: usize = 60;
const MOST_AROUND: usize = 30;

/// The most events from the current state.
const DEPTH_AROUND: usize = 2;

impl StateMap {
    /// The map of a game: whole if it is small. States of the counterexample are marked.
    #[must_use]
    pub fn of(game: &LabGame, counterexample: Option<&LabGame>) -> Self {
        let start = game.runs().first().unwrap_or_else(|| game.run());
        let whole = Explored::from(start, Vec::new(), MOST_WHOLE, usize::MAX);
        let explored = if whole.is_whole {
            whole
        } else {
            let steps = game.steps().iter().take(game.place());
            let path = steps.map(|step| step.event.to_string()).collect();
            let around = Explored::from(game.run(), path, MOST_AROUND, DEPTH_AROUND);
            Explored { is_whole: false, ..around }
        };
        explored.map(game, counterexample)
    }
}

/// What was found so far.
struct Explored {
    runs: Vec<(TextRun, Vec<String>, usize)>,
    edges: Vec<(usize, usize, Vec<String>)>,
    is_whole: bool,
}

impl Explored {
    fn from(start: &TextRun, path: Vec<String>, most: usize, deepest: usize) -> Self {
        let mut snapshots: Vec<RunSnapshot> = vec![start.snapshot()];
        let mut found =
            Self { runs: vec![(start.clone(), path, 0)], edges: Vec::new(), is_whole: true };
        let mut from = 0;
        while let Some((run, path, depth)) = found.runs.get(from).cloned() {
            let is_over = run.status() == RunStatus::Over;
            let possible = if is_over { Vec::new() } else { run.possible() };
            if depth >= deepest && !possible.is_empty() {
                found.is_whole = false;
            } else {
                for each in possible {
                    let mut next = run.clone();
                    if next.trigger(&each.event).is_err() {
                        continue;
                    }
                    let event = each.event.to_string();
                    let snapshot = next.snapshot();
                    let known = snapshots.iter().position(|known| *known == snapshot);
                    let to = known.unwrap_or(found.runs.len());
                    if known.is_none() {
                        if found.runs.len() >= most {
                            found.is_whole = false;
                            continue;
                        }
                        snapshots.push(snapshot);
                        let mut path = path.clone();
                        path.push(event.clone());
                        found.runs.push((next, path, depth + 1));
                    }
                    found.connect(from, to, event);
                }
            }
            from += 1;
        }
        found
    }

    fn connect(&mut self, from: usize, to: usize, event: String) {
        match self.edges.iter_mut().find(|(start, end, _)| (*start, *end) == (from, to)) {
            Some((_, _, events)) => events.push(event),
            None => self.edges.push((from, to, vec![event])),
        }
    }

    fn map(self, game: &LabGame, counterexample: Option<&LabGame>) -> StateMap {
        let counterexample: Vec<RunSnapshot> = counterexample
            .map(|found| found.runs().iter().map(TextRun::snapshot).collect())
            .unwrap_or_default();
        let visited: Vec<RunSnapshot> = game.runs().iter().map(TextRun::snapshot).collect();
        let current = game.run().snapshot();
        let nodes = self.runs.into_iter().map(|(run, path, depth)| {
            let snapshot = run.snapshot();
            StateNode {
                path,
                depth,
                status: run.status(),
                is_visited: visited.contains(&snapshot),
                is_current: snapshot == current,
                in_counterexample: counterexample.iter().position(|other| *other == snapshot),
            }
        });
        StateMap { nodes: nodes.collect(), edges: self.edges, is_whole: self.is_whole }
    }
}
