//! What every game promises, checked in random play.
//!
//! ```
//! # fn test<G: game::Game>(game: &G) {
//! use game::conformance::{Effort, conform};
//!
//! let coverage = conform(game, Effort::default()).unwrap();
//! assert!(coverage.illegal_moves > 0, "{coverage:?}");
//! # }
//! ```

mod any_form;
mod chances;
mod description;
mod known;
mod legality;
mod memory;
mod pictures;
mod randomness;
mod replay;
mod scene;
mod violation;
mod walk;
mod words;

pub use violation::{Aspect, DrawnAt, MoveAt, MovesAt, SeatAt, Violation, WordKind};

use bthread::Generator;

use self::any_form::AnyForm;
use self::known::Known;
use self::memory::Memory;
use self::scene::Scene;
use self::walk::{Step, Walk};
use self::words::Words;
use crate::game::Game;
use crate::happening::Ply;

/// How much is played and remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// How many games are played.
    pub games: u32,
    /// How many steps a game may take.
    pub plies: u32,
    /// What decides the moves: with the same seed the same games are played.
    pub seed: u64,
    /// How many moves are remembered, to be tried where they are not legal.
    pub words: usize,
    /// How many positions are remembered, and how many ways to them.
    pub positions: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Self { games: 100, plies: 10_000, seed: 0, words: 128, positions: 50_000 }
    }
}

/// How often each thing was checked, so that a test can ask whether it was at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Coverage {
    /// Games that were played to the end.
    pub games: u64,
    /// Positions that were looked at.
    pub positions: u64,
    /// Legal moves that were listed.
    pub legal_moves: u64,
    /// Moves that were tried where they are not legal.
    pub illegal_moves: u64,
    /// Times that not every seat in turn chose exactly once.
    pub incomplete_moves: u64,
    /// Draws that were tried where they are not possible.
    pub impossible_draws: u64,
    /// Texts that are no move or no draw.
    pub unreadable_texts: u64,
    /// Positions in which several seats chose at once.
    pub at_once: u64,
    /// Positions in which chance drew.
    pub chances: u64,
    /// Positions that were there before.
    pub transpositions: u64,
    /// Pairs of positions that a viewer could not tell apart.
    pub hidden: u64,
    /// Pictures that had a board.
    pub boards: u64,
}

/// Plays random games and checks every promise of [`Game`] in every position.
///
/// What happens is decided by the seed alone. Hidden information shows only when different games
/// look the same to somebody, so games that hide something need many games.
///
/// # Errors
/// The first promise that is broken.
pub fn conform<G: Game>(game: &G, effort: Effort) -> Result<Coverage, Violation> {
    description::check(game)?;
    let mut inspection = Inspection::new(game, effort);
    inspection.nonsense_is_harmless()?;
    for _ in 0..effort.games {
        inspection.play_a_game()?;
    }
    let coverage = inspection.coverage;
    if game.hides() && coverage.hidden == 0 {
        return Err(Violation::NothingHidden { games: coverage.games });
    }
    Ok(coverage)
}

/// What is known of a game after some of its games.
struct Inspection<'a, G: Game> {
    game: &'a G,
    plies: u32,
    generator: Generator,
    /// For what a game does at random by itself, so that it does not change what is played.
    random: Generator,
    moves: Words<G::Move>,
    draws: Words<G::Chance>,
    known: Known<G>,
    memory: Memory,
    coverage: Coverage,
}

impl<'a, G: Game> Inspection<'a, G> {
    fn new(game: &'a G, effort: Effort) -> Self {
        Self {
            game,
            plies: effort.plies,
            generator: Generator::seeded(effort.seed),
            random: Generator::seeded(!effort.seed),
            moves: Words::at_most(effort.words),
            draws: Words::at_most(effort.words),
            known: Known::at_most(effort.positions),
            memory: Memory::new(scene::viewers(game).count(), effort.positions),
            coverage: Coverage::default(),
        }
    }

    fn nonsense_is_harmless(&mut self) -> Result<(), Violation> {
        for text in words::nonsense() {
            self.is_harmless(&text)?;
            AnyForm::reads_alike(self.game, &text)?;
        }
        Ok(())
    }

    /// A text that need not be a move is refused, or is one.
    fn is_harmless(&mut self, text: &str) -> Result<(), Violation> {
        let game = self.game;
        let refused = [
            words::is_harmless(WordKind::Move, text, |text| game.read_move(text))?,
            words::is_harmless(WordKind::Chance, text, |text| game.read_chance(text))?,
        ];
        self.coverage.unreadable_texts += refused.into_iter().sum::<u64>();
        Ok(())
    }

    fn play_a_game(&mut self) -> Result<(), Violation> {
        let mut walk = Walk::begin(self.game)?;
        for _ in 0..=self.plies {
            let scene = Scene::of(self.game, walk.position(), &mut self.generator)?;
            self.look(&scene, &walk)?;
            let step = self.next(&scene)?;
            randomness::check(&scene, &mut self.random)?;
            let Some(step) = step else {
                self.coverage.games += 1;
                return replay::check(self.game, &walk);
            };
            walk.go_on(self.game, step, &mut self.memory)?;
        }
        Err(Violation::TooLong { plies: self.plies })
    }

    /// Checks everything about a position that does not depend on what happens next.
    fn look(&mut self, scene: &Scene<'_, G>, walk: &Walk<G>) -> Result<(), Violation> {
        self.coverage.positions += 1;
        self.coverage.legal_moves += scene.legal.iter().map(Vec::len).sum::<usize>() as u64;
        self.read_back(scene)?;
        self.coverage.transpositions += u64::from(self.known.meet(scene)?);
        for (viewer, way) in walk.ways() {
            self.coverage.boards += u64::from(pictures::check(scene, viewer)?);
            self.coverage.hidden += u64::from(self.memory.check(scene, viewer, way)?);
        }
        walk.any.agrees(scene, self.moves.list())
    }

    /// Checks the texts of all moves and draws of a position, and remembers those that are new.
    fn read_back(&mut self, scene: &Scene<'_, G>) -> Result<(), Violation> {
        let game = self.game;
        for chosen in scene.legal.iter().flatten() {
            words::reads_back(WordKind::Move, chosen, |text| game.read_move(text))?;
            if self.moves.meet(chosen) {
                words::misspellings(chosen).iter().try_for_each(|text| self.is_harmless(text))?;
            }
        }
        for (drawn, _) in &scene.chances {
            words::reads_back(WordKind::Chance, drawn, |text| game.read_chance(text))?;
            if self.draws.meet(drawn) {
                words::misspellings(drawn).iter().try_for_each(|text| self.is_harmless(text))?;
            }
        }
        Ok(())
    }

    /// Checks what may and what may not happen next, and lets something happen; `None` if the game
    /// is over.
    fn next(&mut self, scene: &Scene<'_, G>) -> Result<Option<Step<G>>, Violation> {
        let moves = scene.any_moves(&mut self.generator);
        let coverage = &mut self.coverage;
        legality::legal_moves_pass(scene)?;
        coverage.illegal_moves += legality::others_are_refused(scene, &moves, self.moves.list())?;
        coverage.incomplete_moves += legality::incomplete_moves_are_refused(scene, &moves)?;
        coverage.impossible_draws += chances::others_are_refused(scene, self.draws.list())?;
        if let Some(drawn) = chances::draw(scene, &mut self.generator)? {
            coverage.chances += 1;
            return Ok(Some(drawn));
        }
        if moves.is_empty() {
            return Ok(None);
        }
        coverage.at_once += u64::from(moves.len() > 1);
        let next = legality::play(scene, &moves)?;
        Ok(Some(Step { happening: Ply::Moves(moves), next }))
    }
}
