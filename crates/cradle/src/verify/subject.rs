//! What can be verified.

use bthread::{Event, Name, Program};

use super::property::RequirementName;
use super::questions::Questions;
use super::search::{Checked, Listener};
use super::tic_tac_toe;
use crate::nearest::UnknownName;

/// A game in the list of those that can be verified.
#[derive(Debug)]
pub(super) struct Entry {
    /// What the game is called on the command line.
    pub(super) name: &'static str,
    /// Who plays against whom.
    pub(super) about: &'static str,
    /// Sets the game up.
    pub(super) open: fn() -> Box<dyn Subject>,
}

/// Every game that can be verified.
pub(super) const SUBJECTS: &[Entry] = &[Entry {
    name: "tic-tac-toe",
    about: "O by its strategies against every X",
    open: || Box::new(tic_tac_toe::o_against_every_x()),
}];

impl Entry {
    /// The game of this name.
    pub(super) fn find(name: &str) -> Result<&'static Self, UnknownName> {
        let known = || SUBJECTS.iter().map(|entry| entry.name).collect();
        let found = SUBJECTS.iter().find(|entry| entry.name == name);
        found.ok_or_else(|| UnknownName::new("game that can be verified", name, known()))
    }
}

/// A game that can be verified, whatever its events are.
pub(super) trait Subject {
    /// The names of its b-threads, highest priority first.
    fn threads(&self) -> Vec<Name>;

    /// What must hold.
    fn requirements(&self) -> &[RequirementName];

    /// Answers the questions.
    ///
    /// # Errors
    /// If a b-thread requests an event that the game does not know.
    fn check(&self, questions: &Questions, listener: Listener<'_>) -> anyhow::Result<Checked>;
}

/// A game as b-threads: everything that one must know to verify it.
#[derive(Debug)]
pub(super) struct Cast<E: Event> {
    /// Rules, requirements, strategies, and who plays the world.
    pub(super) program: Program<E>,
    /// All events that there are.
    pub(super) alphabet: Vec<E>,
    /// Who may choose freely.
    pub(super) world: Vec<Player>,
    /// What must hold.
    pub(super) requirements: Vec<RequirementName>,
    /// A picture of the game after some events.
    pub(super) board: fn(&[E]) -> String,
    /// The game when nobody follows a strategy.
    pub(super) rules: Rules<E>,
}

/// The rules of a game with players who may do anything, and the ways in which
/// they stay the same when events change places.
#[derive(Debug)]
pub(super) struct Rules<E: Event> {
    /// The rules, and who plays the players.
    pub(super) program: Program<E>,
    /// How many symmetries there are, the one that moves nothing included.
    pub(super) symmetries: usize,
    /// What an event becomes under the symmetry of a number.
    pub(super) image: fn(usize, &E) -> E,
}

/// A player whose every choice must be reckoned with.
#[derive(Debug)]
pub(super) struct Player {
    /// The b-thread, or the family, that plays it.
    pub(super) thread: &'static str,
    /// What people call it.
    pub(super) name: &'static str,
}

impl<E: Event> Subject for Cast<E> {
    fn threads(&self) -> Vec<Name> {
        self.program.threads().iter().map(|thread| thread.name().clone()).collect()
    }

    fn requirements(&self) -> &[RequirementName] {
        &self.requirements
    }

    fn check(&self, questions: &Questions, listener: Listener<'_>) -> anyhow::Result<Checked> {
        self.search(questions, listener)
    }
}
