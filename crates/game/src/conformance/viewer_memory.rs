//! The observations of viewers, and what follows from them.

use rustc_hash::FxHashMap;

use super::inspected_position::InspectedPosition;
use super::known_positions::hash;
use super::violation::{Aspect, Violation};
use crate::game::{Game, Viewer};
use crate::turn::Turn;

/// The observations in all games: one tree for each viewer, whose branches are observations.
pub(super) struct ViewerMemory {
    most: usize,
    branches: FxHashMap<(usize, Observation), usize>,
    shown: Vec<Option<ShownPosition>>,
}

/// What a viewer knows of one ply: what it saw and, if it moved, its move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Observation {
    pub(super) seen: String,
    pub(super) chosen: Option<String>,
}

/// The observations of a viewer in a game.
#[derive(Clone, Debug)]
pub(super) struct Observations {
    pub(super) seen: Vec<String>,
    /// The node of the viewer's tree; `None` if the tree has no more room.
    node: Option<usize>,
}

/// What a viewer is shown of a position.
struct ShownPosition {
    position: String,
    turn: Turn,
    view: String,
    /// Hashes are enough to notice a difference, and small.
    legal_moves: u64,
    picture: u64,
}

impl ViewerMemory {
    /// An empty memory with `most` nodes at most. The first nodes are the roots of the viewers.
    pub(super) fn new(viewers: usize, most: usize) -> Self {
        let shown = (0..viewers).map(|_| None).collect();
        Self { most, branches: FxHashMap::default(), shown }
    }

    pub(super) fn observe(&mut self, observations: &mut Observations, observation: Observation) {
        observations.seen.push(observation.seen.clone());
        let Some(node) = observations.node else { return };
        let branch = (node, observation);
        observations.node = self.branches.get(&branch).copied();
        if observations.node.is_none() && self.shown.len() < self.most {
            observations.node = Some(self.shown.len());
            self.branches.insert(branch, self.shown.len());
            self.shown.push(None);
        }
    }

    /// Checks that a viewer is shown the same in all positions after the same observations, and
    /// returns whether there was a different position before.
    pub(super) fn check<G: Game>(
        &mut self,
        inspected: &InspectedPosition<'_, G>,
        viewer: Viewer,
        observations: &Observations,
    ) -> Result<bool, Violation> {
        let now = ShownPosition::of(inspected, viewer);
        if !inspected.game.hides() && now.view != inspected.text {
            let (position, view) = (now.position, now.view);
            return Err(Violation::ViewDiffers { position, viewer, view });
        }
        let Some(node) = observations.node else { return Ok(false) };
        let Some(before) = &self.shown[node] else {
            self.shown[node] = Some(now);
            return Ok(false);
        };
        match before.difference(&now) {
            None => Ok(before.position != now.position),
            Some(aspect) => {
                let (one, other) = (before.position.clone(), now.position);
                let seen = observations.seen.clone();
                Err(Violation::Leak { viewer, seen, aspect, one, other })
            }
        }
    }
}

impl Observations {
    /// No observations yet of the viewer with this number.
    pub(super) fn of_viewer(number: usize) -> Self {
        Self { seen: Vec::new(), node: Some(number) }
    }
}

impl ShownPosition {
    fn of<G: Game>(inspected: &InspectedPosition<'_, G>, viewer: Viewer) -> Self {
        let legal_moves = match viewer {
            Viewer::Seat(seat) => hash(&inspected.legal[seat.index()]),
            Viewer::Spectator => 0,
        };
        Self {
            position: inspected.text.clone(),
            turn: inspected.turn.clone(),
            view: inspected.game.view(inspected.position, viewer),
            legal_moves,
            picture: hash(&inspected.game.picture(inspected.position, viewer)),
        }
    }

    fn difference(&self, other: &Self) -> Option<Aspect> {
        match () {
            () if self.turn != other.turn => Some(Aspect::Turn),
            () if self.legal_moves != other.legal_moves => Some(Aspect::LegalMoves),
            () if self.view != other.view => Some(Aspect::View),
            () if self.picture != other.picture => Some(Aspect::Picture),
            () => None,
        }
    }
}
