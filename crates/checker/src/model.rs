//! Models: what a checker can search.

use std::fmt::{Debug, Display};
use std::hash::Hash;

use bthread::Status;

/// Calls `show` with the successors of a state, and may remember what it has seen (see
/// [`Model::explorer`]).
pub type ModelExplorer<'a, M> = Box<
    dyn FnMut(
            &<M as Model>::State,
            &mut dyn FnMut(&<M as Model>::Action, <M as Model>::State),
        ) -> Result<(), <M as Model>::Error>
        + Send
        + 'a,
>;

/// Calls `show` with the violations in a state, and may remember what it has seen (see
/// [`Model::violation_finder`]).
pub type ViolationFinder<'a, S> = Box<dyn FnMut(&S, &mut dyn FnMut(&str, &str)) + Send + 'a>;

/// Calls `show` with the names of b-threads in a state, and may remember what it has seen (see
/// [`Model::hot_finder`]).
pub type ThreadFinder<'a, S> = Box<dyn FnMut(&S, &mut dyn FnMut(&str)) + Send + 'a>;

/// States, and the actions that lead from one to the next.
///
/// Two methods make a model. The others have defaults.
pub trait Model: Sync {
    /// A state. Equal states are one state.
    type State: Clone + Eq + Hash + Debug + Send + Sync;

    /// A step from one state to the next.
    type Action: Clone + Eq + Debug + Display + Send + Sync;

    /// Why the successors of a state are unknown.
    type Error: std::error::Error + Send;

    /// The initial state.
    fn start(&self) -> Self::State;

    /// Calls `show` with each action that is possible in a state, in a fixed order, and
    /// the next state.
    ///
    /// # Errors
    /// If the successors are unknown.
    fn successors(
        &self,
        state: &Self::State,
        show: &mut dyn FnMut(&Self::Action, Self::State),
    ) -> Result<(), Self::Error>;

    /// A function that does what [`Model::successors`] does. It may be faster if the states that
    /// follow each other are similar.
    fn explorer(&self) -> ModelExplorer<'_, Self>
    where
        Self: Sized,
    {
        Box::new(move |state, show| self.successors(state, show))
    }

    /// The representative of all states that are symmetric to this one.
    ///
    /// The same actions, up to symmetry, must be possible in a state and in its
    /// representative. Only a search that uses symmetry calls this.
    fn representative(&self, state: Self::State) -> Self::State {
        state
    }

    /// The status of a state without successors.
    fn status(&self, _state: &Self::State) -> Status {
        Status::Finished
    }

    /// Calls `show` with the name of each requirement that is violated in a state, and a sentence.
    fn violations(&self, _state: &Self::State, _show: &mut dyn FnMut(&str, &str)) {}

    /// A function that does what [`Model::violations`] does. It may be faster if the states that
    /// follow each other are similar.
    fn violation_finder(&self) -> ViolationFinder<'_, Self::State> {
        Box::new(move |state, show| self.violations(state, show))
    }

    /// Calls `show` with the name of each b-thread that is hot in a state.
    fn hot(&self, _state: &Self::State, _show: &mut dyn FnMut(&str)) {}

    /// A function that does what [`Model::hot`] does. It may be faster if the states that follow each
    /// other are similar.
    fn hot_finder(&self) -> ThreadFinder<'_, Self::State> {
        Box::new(move |state, show| self.hot(state, show))
    }

    /// Calls `show` with the name of each b-thread that is hot in a state and each action that it
    /// requests there.
    fn hot_requests(&self, _state: &Self::State, _show: &mut dyn FnMut(&str, &Self::Action)) {}

    /// Calls `show` with the name of each b-thread that has ended in a state although its script
    /// repeats for ever, because an interrupt ended it.
    fn interrupted(&self, _state: &Self::State, _show: &mut dyn FnMut(&str)) {}

    /// A function that does what [`Model::interrupted`] does. It may be faster if the states that
    /// follow each other are similar.
    fn interrupted_finder(&self) -> ThreadFinder<'_, Self::State> {
        Box::new(move |state, show| self.interrupted(state, show))
    }

    /// What lets a b-thread watch on after an event at which an interrupt ends it, in the words of
    /// those who write the b-threads.
    fn remedy_for_interrupts(&self) -> &'static str {
        "`start_over` lets it watch again"
    }

    /// What leaves out the endless runs in which a hot request is possible again and again and never
    /// happens, in the words of those who check the model. `None` if nothing does.
    fn remedy_for_unfair_runs(&self) -> Option<&'static str> {
        Some(
            "`Property::fair` leaves out runs in which a hot request is possible again and again and \
             never happens",
        )
    }

    /// Whether the b-thread of this name may ever report a violation.
    fn may_report(&self, _thread: &str) -> bool {
        true
    }

    /// Whether the model has a b-thread or a family of this name.
    fn knows(&self, _name: &str) -> bool {
        true
    }

    /// Why no verdict about the model is valid, if there is a reason.
    fn objection(&self) -> Option<String> {
        None
    }

    /// Whether any b-thread is ever hot. If not, the checker looks for no cycles.
    fn may_be_hot(&self) -> bool {
        true
    }

    /// The label of a state in a graph.
    fn label(&self, _state: &Self::State) -> String {
        String::new()
    }
}
