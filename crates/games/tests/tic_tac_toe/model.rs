//! A small interpreter of programs in which the environment chooses freely.
//!
//! It steps b-threads as values and uses no run of the engine, so the two can be compared.

use std::collections::VecDeque;
use std::iter;

use bthread::AnyBThread;
use games::tic_tac_toe::{BThreads, Event};
use rustc_hash::FxHashMap;

/// The state of every b-thread.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct State(Vec<AnyBThread<Event>>);

impl State {
    pub(crate) fn at_start(threads: &BThreads) -> Self {
        Self(threads.all().cloned().collect())
    }

    /// The events that can happen: the first request that is not blocked. If the environment made
    /// it, all later requests that are not blocked can happen too.
    pub(crate) fn possible(&self, threads: &BThreads) -> Vec<Event> {
        let is_free = |thread: &AnyBThread<Event>| {
            threads.environment().iter().any(|other| other.name() == thread.name())
        };
        let mut requests = self.0.iter().flat_map(|thread| {
            let point = thread.sync_point();
            let events = point.map(|point| point.requests().to_vec()).unwrap_or_default();
            let allowed = events.into_iter().filter(|event| !self.is_blocked(*event));
            allowed.map(|event| (is_free(thread), event))
        });
        match requests.next() {
            None => Vec::new(),
            Some((false, event)) => vec![event],
            Some((true, event)) => iter::once(event).chain(requests.map(|pair| pair.1)).collect(),
        }
    }

    fn is_blocked(&self, event: Event) -> bool {
        self.0
            .iter()
            .filter_map(AnyBThread::sync_point)
            .any(|point| point.blocks().iter().any(|set| set.contains(&event)))
    }

    pub(crate) fn after(&self, event: Event) -> Self {
        let mut next = self.clone();
        for thread in &mut next.0 {
            let Some(point) = thread.sync_point() else { continue };
            let ends = point.interrupts().iter().any(|set| set.contains(&event));
            let goes_on = point.requests().contains(&event)
                || point.waits().iter().any(|set| set.contains(&event));
            if ends {
                thread.end();
            } else if goes_on {
                thread.go_on(&event);
            }
        }
        next
    }
}

/// The result of a search through all states.
pub(crate) struct Search {
    pub(crate) states: usize,
    pub(crate) edges: usize,
    /// The shortest path to each state in which nothing can happen, in the order of discovery.
    pub(crate) ends: Vec<Vec<Event>>,
}

/// Searches all states, breadth first.
pub(crate) fn search(threads: &BThreads) -> Search {
    let start = State::at_start(threads);
    let mut paths = FxHashMap::default();
    paths.insert(start.clone(), Vec::new());
    let mut frontier = VecDeque::from([start]);
    let mut found = Search { states: 0, edges: 0, ends: Vec::new() };
    while let Some(state) = frontier.pop_front() {
        let path = paths[&state].clone();
        let possible = state.possible(threads);
        found.edges += possible.len();
        for event in &possible {
            let next = state.after(*event);
            if !paths.contains_key(&next) {
                paths.insert(next.clone(), [&path[..], &[*event]].concat());
                frontier.push_back(next);
            }
        }
        if possible.is_empty() {
            found.ends.push(path);
        }
    }
    found.states = paths.len();
    found
}

/// All complete sequences of events, in the order of choices.
pub(crate) fn histories(threads: &BThreads) -> Vec<Vec<Event>> {
    let mut all = Vec::new();
    extend(&State::at_start(threads), threads, &mut Vec::new(), &mut all);
    all
}

fn extend(state: &State, threads: &BThreads, path: &mut Vec<Event>, all: &mut Vec<Vec<Event>>) {
    let possible = state.possible(threads);
    if possible.is_empty() {
        all.push(path.clone());
    }
    for event in possible {
        path.push(event);
        extend(&state.after(event), threads, path, all);
        path.pop();
    }
}
