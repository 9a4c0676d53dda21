//! What can be checked.

use std::fmt::{Debug, Display};
use std::hash::Hash;

use bthread::Status;

/// States, and the actions that lead from one to the next.
///
/// Two methods make a model; the others tell the checker more about a state.
pub trait Model: Sync {
    /// A state. Equal states are one state.
    type State: Clone + Eq + Hash + Debug + Send + Sync;

    /// What leads from one state to the next.
    type Action: Clone + Eq + Debug + Display + Send + Sync;

    /// Why a state cannot be explored.
    type Error: std::error::Error + Send;

    /// The state in which everything begins.
    fn start(&self) -> Self::State;

    /// Shows each action that is possible in a state, in a fixed order, and the
    /// state that it leads to.
    ///
    /// # Errors
    /// If the model does not know what follows.
    fn successors(
        &self,
        state: &Self::State,
        show: &mut dyn FnMut(&Self::Action, Self::State),
    ) -> Result<(), Self::Error>;

    /// The state that stands for all that are symmetric to this one.
    ///
    /// What is possible in a state must be possible, up to symmetry, in its
    /// representative; it is asked only by a search that uses symmetry.
    fn representative(&self, state: Self::State) -> Self::State {
        state
    }

    /// Why nothing can happen in a state, given that nothing can.
    fn status(&self, _state: &Self::State) -> Status {
        Status::Finished
    }

    /// Shows who says in a state that a requirement was violated, and what it says.
    fn violations(&self, _state: &Self::State, _show: &mut dyn FnMut(&str, &str)) {}

    /// Shows who must not stay for ever where it is in a state.
    fn hot(&self, _state: &Self::State, _show: &mut dyn FnMut(&str)) {}

    /// Whether somebody has this name, or is of this family.
    fn knows(&self, _who: &str) -> bool {
        true
    }

    /// Why nothing that is found out about the model should be believed, if there is a reason.
    fn objection(&self) -> Option<String> {
        None
    }

    /// Whether anybody is ever hot; if not, no cycle is looked for.
    fn may_be_hot(&self) -> bool {
        true
    }

    /// A few words for a state, for drawings.
    fn label(&self, _state: &Self::State) -> String {
        String::new()
    }
}
