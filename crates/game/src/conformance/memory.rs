//! What viewers saw, and what they could know from it.

use rustc_hash::FxHashMap;

use super::known::hash;
use super::scene::Scene;
use super::violation::{Aspect, Violation};
use crate::game::{Game, Viewer};
use crate::turn::Turn;

/// What viewers saw in all games, as trees with one branch for each thing that can be seen next.
pub(super) struct Memory {
    most: usize,
    branches: FxHashMap<(usize, Glimpse), usize>,
    impressions: Vec<Option<Impression>>,
}

/// What a viewer knows of one step: what it saw, and what it chose.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Glimpse {
    pub(super) seen: String,
    pub(super) chose: Option<String>,
}

/// All that a viewer has seen in a game.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) seen: Vec<String>,
    /// Where it has come to; `None` if this is remembered no more.
    place: Option<usize>,
}

/// What a viewer is shown.
struct Impression {
    position: String,
    turn: Turn,
    view: String,
    /// Big boards are many, so only their hashes are kept.
    legal_moves: u64,
    picture: u64,
}

impl Memory {
    /// The viewers are known by their numbers.
    pub(super) fn new(viewers: usize, most: usize) -> Self {
        let impressions = (0..viewers).map(|_| None).collect();
        Self { most, branches: FxHashMap::default(), impressions }
    }

    pub(super) fn go_on(&mut self, way: &mut Way, glimpse: Glimpse) {
        way.seen.push(glimpse.seen.clone());
        let Some(place) = way.place else { return };
        let key = (place, glimpse);
        way.place = self.branches.get(&key).copied();
        if way.place.is_none() && self.impressions.len() < self.most {
            way.place = Some(self.impressions.len());
            self.branches.insert(key, self.impressions.len());
            self.impressions.push(None);
        }
    }

    /// Says whether another position came about that looked the same to the viewer, and checks that
    /// the viewer is shown no difference.
    pub(super) fn check<G: Game>(
        &mut self,
        scene: &Scene<'_, G>,
        viewer: Viewer,
        way: &Way,
    ) -> Result<bool, Violation> {
        let now = Impression::of(scene, viewer);
        if !scene.game.hides() && now.view != scene.text {
            let (position, view) = (now.position, now.view);
            return Err(Violation::ViewDiffers { position, viewer, view });
        }
        let Some(place) = way.place else { return Ok(false) };
        let Some(before) = &self.impressions[place] else {
            self.impressions[place] = Some(now);
            return Ok(false);
        };
        match before.difference(&now) {
            None => Ok(before.position != now.position),
            Some(aspect) => {
                let (one, other) = (before.position.clone(), now.position);
                Err(Violation::Leak { viewer, seen: way.seen.clone(), aspect, one, other })
            }
        }
    }
}

impl Way {
    /// A viewer has seen nothing yet.
    pub(super) fn of_viewer(number: usize) -> Self {
        Self { seen: Vec::new(), place: Some(number) }
    }
}

impl Impression {
    fn of<G: Game>(scene: &Scene<'_, G>, viewer: Viewer) -> Self {
        let legal_moves = match viewer {
            Viewer::Seat(seat) => hash(&scene.legal[seat.index()]),
            Viewer::Spectator => 0,
        };
        Self {
            position: scene.text.clone(),
            turn: scene.turn.clone(),
            view: scene.game.view(scene.position, viewer),
            legal_moves,
            picture: hash(&scene.game.picture(scene.position, viewer)),
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
