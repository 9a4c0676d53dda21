//! Watching b-threads from state to state.

use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::Arc;

use super::{ClosedStateSpace, Motion};
use crate::closed::packed_state::PackedState;
use crate::event::Event;
use crate::name::Name;
use crate::state_space::StateSpace;
use crate::sync_point::SyncPoint;

/// A sync point of a script, or of a state of a b-thread.
pub(super) enum PointRef<'a, E: Event> {
    Script(&'a SyncPoint<E>),
    State(Arc<SyncPoint<E>>),
}

impl<E: Event> Deref for PointRef<'_, E> {
    type Target = SyncPoint<E>;

    fn deref(&self) -> &SyncPoint<E> {
        match self {
            Self::Script(point) => point,
            Self::State(point) => point,
        }
    }
}

/// Goes from state to state, and knows for which b-threads the test holds. Those that stand still
/// are not tested again.
pub(super) struct SpaceWatch<'a, E: Event> {
    space: &'a ClosedStateSpace<E>,
    test: fn(Option<&SyncPoint<E>>) -> bool,
    is_watched: Vec<bool>,
    at: PackedState,
    /// The b-threads for which the test holds.
    found: BTreeSet<u32>,
    moved: Vec<u32>,
}

impl<'a, E: Event> SpaceWatch<'a, E> {
    pub(super) fn new(
        space: &'a ClosedStateSpace<E>,
        threads: &[usize],
        test: fn(Option<&SyncPoint<E>>) -> bool,
    ) -> Self {
        let mut is_watched = vec![false; space.program().threads().len()];
        for thread in threads {
            is_watched[*thread] = true;
        }
        let (at, found) = (space.start.clone(), BTreeSet::new());
        let mut watch = Self { space, test, is_watched, at, found, moved: Vec::new() };
        let number = |thread: &usize| u32::try_from(*thread).expect("b-threads have 32 bits");
        watch.moved.extend(threads.iter().map(number));
        watch.test_moved();
        watch
    }

    /// Calls `show` with each b-thread for which the test holds in a state.
    pub(super) fn visit(
        &mut self,
        state: &PackedState,
        show: &mut dyn FnMut(&Name, Option<&SyncPoint<E>>),
    ) {
        let Self { space, is_watched, at, moved, .. } = self;
        space.layout.each_motion(at, state, |Motion { thread, .. }| {
            if is_watched[thread as usize] {
                moved.push(thread);
            }
        });
        at.clone_from(state);
        self.test_moved();
        for thread in self.found.iter().map(|thread| *thread as usize) {
            let point = {
                let is_stateful = self.space.blueprint.ordinal(thread).is_some();
                let learned = is_stateful.then(|| self.space.blueprint.learned());
                self.space.point_at(&self.at, thread, learned.as_deref())
            };
            show(self.space.program().threads()[thread].name(), point.as_deref());
        }
    }

    /// Tests the b-threads that have moved.
    fn test_moved(&mut self) {
        let Self { space, test, at, found, moved, .. } = self;
        let learned = space.blueprint.has_states().then(|| space.blueprint.learned());
        for thread in moved.drain(..) {
            let point = space.point_at(at, thread as usize, learned.as_deref());
            if test(point.as_deref()) {
                found.insert(thread);
            } else {
                found.remove(&thread);
            }
        }
    }
}
