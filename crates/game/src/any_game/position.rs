//! A position of any game.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};

use crate::game::Game;

/// A position of any game.
#[derive(Debug)]
pub struct AnyPosition(Box<dyn DynPosition>);

/// A position of a type that is not known when the program is compiled.
trait DynPosition: fmt::Debug + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
    fn clone_boxed(&self) -> Box<dyn DynPosition>;
    fn equals(&self, other: &dyn DynPosition) -> bool;
    fn hash_into(&self, hasher: &mut dyn Hasher);
}

impl<P: Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static> DynPosition for P {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn clone_boxed(&self) -> Box<dyn DynPosition> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn DynPosition) -> bool {
        other.as_any().downcast_ref::<P>().is_some_and(|other| self == other)
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }
}

const OF_THIS_GAME: &str = "a position belongs to the game that made it";

impl AnyPosition {
    pub(super) fn new<G: Game>(position: G::Position) -> Self {
        Self(Box::new(position))
    }

    pub(super) fn typed<G: Game>(&self) -> &G::Position {
        (*self.0).as_any().downcast_ref().expect(OF_THIS_GAME)
    }

    pub(super) fn typed_mut<G: Game>(&mut self) -> &mut G::Position {
        (*self.0).as_any_mut().downcast_mut().expect(OF_THIS_GAME)
    }
}

impl Clone for AnyPosition {
    fn clone(&self) -> Self {
        Self((*self.0).clone_boxed())
    }
}

impl PartialEq for AnyPosition {
    fn eq(&self, other: &Self) -> bool {
        (*self.0).equals(&*other.0)
    }
}

impl Eq for AnyPosition {}

impl Hash for AnyPosition {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (*self.0).hash_into(hasher);
    }
}
