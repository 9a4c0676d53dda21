//! Cycles in which b-threads stay hot.

use std::collections::VecDeque;

use hashbrown::HashMap;

use foldhash::quality::FixedState;

use crate::inspect::{AfterViolation, Inspector};
use crate::model::Model;
use crate::store::{Id, Store};

/// The graph of all stored states, with the hot b-threads of each.
///
/// The place of a state is its rank in the order of discovery, so the smallest place
/// is nearest to the start.
pub(crate) struct Cycles {
    ids: Vec<Id>,
    /// Where the successors of each place begin, and where those of the last place end.
    offsets: Vec<u32>,
    successors: Vec<u32>,
    /// The numbers of the hot b-threads of each place.
    hot: Vec<Vec<u32>>,
    names: Vec<String>,
}

/// A cycle that can be reached from the start.
pub(crate) struct Lasso {
    /// The states of the cycle, beginning with the nearest to the start.
    pub(crate) states: Vec<Id>,
    pub(crate) sentence: String,
}

impl Cycles {
    pub(crate) fn find<M: Model>(
        inspector: &Inspector<'_, M>,
        store: &Store<M::State>,
    ) -> Result<Self, M::Error> {
        let mut cycles = Self {
            ids: store.discovered().to_vec(),
            offsets: vec![0],
            successors: Vec::new(),
            hot: Vec::new(),
            names: Vec::new(),
        };
        if !inspector.model.may_be_hot() {
            cycles.ids.clear();
            return Ok(cycles);
        }
        let places = cycles.places();
        let mut numbers: HashMap<String, u32, FixedState> = HashMap::default();
        for id in store.discovered() {
            let state = store.state(*id).expect("states are kept where cycles are asked for");
            cycles.add_successors(inspector, store, &places, state)?;
            let mut hot = Vec::new();
            inspector.model.hot(state, &mut |name| {
                let next = u32::try_from(numbers.len()).expect("b-threads fit into memory");
                hot.push(*numbers.entry_ref(name).or_insert(next));
            });
            cycles.hot.push(hot);
        }
        cycles.names = vec![String::new(); numbers.len()];
        for (name, number) in numbers {
            cycles.names[number as usize] = name;
        }
        Ok(cycles)
    }

    /// The place of each state, by its id.
    fn places(&self) -> Vec<u32> {
        let last = self.ids.iter().max().map_or(0, |id| *id as usize + 1);
        let mut places = vec![0; last];
        for (place, id) in (0..).zip(&self.ids) {
            places[*id as usize] = place;
        }
        places
    }

    fn add_successors<M: Model>(
        &mut self,
        inspector: &Inspector<'_, M>,
        store: &Store<M::State>,
        places: &[u32],
        state: &M::State,
    ) -> Result<(), M::Error> {
        let mut halts = false;
        if inspector.violated == AfterViolation::Halts {
            inspector.model.violations(state, &mut |_, _| halts = true);
        }
        if !halts {
            inspector.model.successors(state, &mut |_, next| {
                self.successors.extend(store.find(&next).map(|id| places[id as usize]));
            })?;
        }
        self.offsets.push(u32::try_from(self.successors.len()).expect("edges fit into memory"));
        Ok(())
    }

    /// The nearest cycle in which some b-thread is hot at all times.
    pub(crate) fn hot_system_lasso(&self) -> Option<Lasso> {
        let states = self.lasso(&|place| !self.hot[place].is_empty())?;
        let sentence = "the program can run for ever while some b-thread is always hot";
        Some(Lasso { states, sentence: sentence.to_owned() })
    }

    /// The nearest cycle in which one of the meant b-threads is always hot.
    pub(crate) fn hot_thread_lasso(&self, is_meant: impl Fn(&str) -> bool) -> Option<Lasso> {
        let meant = (0..).zip(&self.names).filter(|(_, name)| is_meant(name));
        let lassos = meant.filter_map(|(number, name)| {
            let states = self.lasso(&|place| self.hot[place].contains(&number))?;
            let sentence = format!("the program can run for ever while {name} is hot");
            Some(Lasso { states, sentence })
        });
        let rank = |lasso: &Lasso| self.ids.iter().position(|id| *id == lasso.states[0]);
        lassos.min_by_key(rank)
    }

    fn successors(&self, place: usize) -> &[u32] {
        &self.successors[self.offsets[place] as usize..self.offsets[place + 1] as usize]
    }

    /// The nearest cycle through places that pass the test.
    fn lasso(&self, test: &dyn Fn(usize) -> bool) -> Option<Vec<Id>> {
        let components = self.components(test);
        let is_cyclic = |place: &usize| {
            let mut next = self.successors(*place).iter();
            components[*place].is_some()
                && next.any(|next| components[*next as usize] == components[*place])
        };
        let first = (0..self.ids.len()).find(is_cyclic)?;
        let cycle = self.shortest_cycle(first, &components);
        Some(cycle.into_iter().map(|place| self.ids[place]).collect())
    }

    /// The shortest cycle through a place within its component.
    fn shortest_cycle(&self, first: usize, components: &[Option<u32>]) -> Vec<usize> {
        let mut came_from = vec![None; self.ids.len()];
        let mut queue = VecDeque::from([first]);
        while let Some(place) = queue.pop_front() {
            for &next in self.successors(place) {
                let next = next as usize;
                if next == first {
                    return path(place, first, &came_from);
                }
                if components[next] == components[first] && came_from[next].is_none() {
                    came_from[next] = Some(place);
                    queue.push_back(next);
                }
            }
        }
        vec![first]
    }

    /// The strongly connected component of each place that passes the test (Tarjan's
    /// algorithm with an explicit stack instead of recursion).
    fn components(&self, test: &dyn Fn(usize) -> bool) -> Vec<Option<u32>> {
        let mut tarjan = Tarjan {
            cycles: self,
            test,
            indices: vec![None; self.ids.len()],
            low: vec![0; self.ids.len()],
            components: vec![None; self.ids.len()],
            open: Vec::new(),
            next_index: 0,
            next_component: 0,
        };
        for place in 0..self.ids.len() {
            if test(place) && tarjan.indices[place].is_none() {
                tarjan.visit(place);
            }
        }
        tarjan.components
    }
}

/// The places from the first one to the last, given the predecessor of each.
fn path(last: usize, first: usize, came_from: &[Option<usize>]) -> Vec<usize> {
    let mut path = vec![last];
    let mut place = last;
    while place != first
        && let Some(before) = came_from[place]
    {
        path.push(before);
        place = before;
    }
    path.reverse();
    path
}

struct Tarjan<'a> {
    cycles: &'a Cycles,
    test: &'a dyn Fn(usize) -> bool,
    indices: Vec<Option<u32>>,
    low: Vec<u32>,
    components: Vec<Option<u32>>,
    /// Visited places without a component.
    open: Vec<usize>,
    next_index: u32,
    next_component: u32,
}

impl Tarjan<'_> {
    fn visit(&mut self, root: usize) {
        // Each entry is a place and the number of its successors that were visited.
        let mut stack = vec![(root, 0)];
        self.enter(root);
        while let Some((place, seen)) = stack.last_mut() {
            let place = *place;
            let next = self.cycles.successors(place).get(*seen).map(|next| *next as usize);
            *seen += 1;
            match next {
                Some(next) if !(self.test)(next) || self.components[next].is_some() => {}
                Some(next) => {
                    if let Some(index) = self.indices[next] {
                        self.low[place] = self.low[place].min(index);
                    } else {
                        self.enter(next);
                        stack.push((next, 0));
                    }
                }
                None => {
                    stack.pop();
                    self.leave(place);
                    if let Some((parent, _)) = stack.last() {
                        self.low[*parent] = self.low[*parent].min(self.low[place]);
                    }
                }
            }
        }
    }

    fn enter(&mut self, place: usize) {
        self.indices[place] = Some(self.next_index);
        self.low[place] = self.next_index;
        self.next_index += 1;
        self.open.push(place);
    }

    /// Completes the component of a place if it is the root of one.
    fn leave(&mut self, place: usize) {
        if Some(self.low[place]) != self.indices[place] {
            return;
        }
        while let Some(member) = self.open.pop() {
            self.components[member] = Some(self.next_component);
            if member == place {
                break;
            }
        }
        self.next_component += 1;
    }
}
