//! The games that can be verified.

use bthread::{Event, Name, Program};

use super::property::RequirementName;
use super::request::VerifyRequest;
use super::search::{OnProgress, SearchResult};
use super::tic_tac_toe;
use crate::nearest::UnknownName;

/// An entry in the list of games that can be verified.
#[derive(Debug)]
pub(super) struct SubjectEntry {
    /// The name of the game on the command line.
    pub(super) name: &'static str,
    /// The players.
    pub(super) about: &'static str,
    /// Builds the game.
    pub(super) open: fn() -> Box<dyn Subject>,
}

/// Every game that can be verified.
pub(super) const SUBJECTS: &[SubjectEntry] = &[SubjectEntry {
    name: "tic-tac-toe",
    about: "O by its strategies against every X",
    open: || Box::new(tic_tac_toe::o_against_every_x()),
}];

impl SubjectEntry {
    /// The game with this name.
    pub(super) fn find(name: &str) -> Result<&'static Self, UnknownName> {
        let known = || SUBJECTS.iter().map(|entry| entry.name).collect();
        let found = SUBJECTS.iter().find(|entry| entry.name == name);
        found.ok_or_else(|| UnknownName::new("game that can be verified", name, known()))
    }
}

/// A game that can be verified, whatever the type of its events.
pub(super) trait Subject {
    /// The names of its b-threads, highest priority first.
    fn threads(&self) -> Vec<Name>;

    /// Its requirements.
    fn requirements(&self) -> &[RequirementName];

    /// Answers the request.
    ///
    /// # Errors
    /// If a b-thread requests an event outside of the alphabet.
    fn check(
        &self,
        request: &VerifyRequest,
        listener: OnProgress<'_>,
    ) -> anyhow::Result<SearchResult>;
}

/// A game made of b-threads that can be verified.
#[derive(Debug)]
pub(super) struct BThreadSubject<E: Event> {
    /// Rules, requirements, strategies and free players.
    pub(super) program: Program<E>,
    /// All events.
    pub(super) alphabet: Vec<E>,
    /// The players that may make any move.
    pub(super) world: Vec<FreePlayer>,
    /// The requirements.
    pub(super) requirements: Vec<RequirementName>,
    /// The board after some events.
    pub(super) board: fn(&[E]) -> String,
    /// The game without strategies.
    pub(super) rules: RulesOnly<E>,
}

/// The rules of a game with free players, and the symmetries of the rules.
#[derive(Debug)]
pub(super) struct RulesOnly<E: Event> {
    /// The rules and the free players.
    pub(super) program: Program<E>,
    /// The number of symmetries, including the identity.
    pub(super) symmetries: usize,
    /// The image of an event under a symmetry.
    pub(super) image: fn(usize, &E) -> E,
}

/// A player that may make any move: the search visits all of them.
#[derive(Debug)]
pub(super) struct FreePlayer {
    /// The b-thread or the family that makes its moves.
    pub(super) thread: &'static str,
    /// Its name for people.
    pub(super) name: &'static str,
}

impl<E: Event> Subject for BThreadSubject<E> {
    fn threads(&self) -> Vec<Name> {
        self.program.threads().iter().map(|thread| thread.name().clone()).collect()
    }

    fn requirements(&self) -> &[RequirementName] {
        &self.requirements
    }

    fn check(
        &self,
        request: &VerifyRequest,
        listener: OnProgress<'_>,
    ) -> anyhow::Result<SearchResult> {
        self.search(request, listener)
    }
}
