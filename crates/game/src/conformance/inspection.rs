//! The check of a whole game.

use bthread::Generator;

use super::any_game_mirror::AnyGameMirror;
use super::effort::{ConformanceCounts, Effort};
use super::inspected_position::{InspectedPosition, viewers};
use super::known_positions::KnownPositions;
use super::random_game::{PlayedPly, RandomGame};
use super::texts::{self, Texts};
use super::viewer_memory::ViewerMemory;
use super::violation::{TextKind, Violation};
use super::{chances, description, legality, pictures, randomness, replay};
use crate::game::Game;
use crate::ply::Ply;

/// Plays random games, the same ones in every run, and checks every promise of [`Game`] in every
/// position.
///
/// A leak of hidden information shows only when two different games look the same to a viewer, so a
/// game that hides something needs many games.
///
/// # Errors
/// The first broken promise.
pub fn conform<G: Game>(game: &G, effort: Effort) -> Result<ConformanceCounts, Violation> {
    description::check(game)?;
    let mut inspection = Inspection::new(game, effort);
    inspection.check_nonsense()?;
    for _ in 0..effort.games {
        inspection.play_a_game()?;
    }
    let counts = inspection.counts;
    if game.hides() && counts.hidden == 0 {
        return Err(Violation::NothingHidden { games: counts.games });
    }
    Ok(counts)
}

/// A game and what is known of it so far.
struct Inspection<'a, G: Game> {
    game: &'a G,
    plies: u32,
    generator: Generator,
    /// For [`Game::play_at_random`], so that its use of random numbers does not change the games.
    random: Generator,
    moves: Texts<G::Move>,
    draws: Texts<G::Chance>,
    known: KnownPositions<G>,
    memory: ViewerMemory,
    counts: ConformanceCounts,
}

impl<'a, G: Game> Inspection<'a, G> {
    fn new(game: &'a G, effort: Effort) -> Self {
        Self {
            game,
            plies: effort.plies,
            generator: Generator::seeded(0),
            random: Generator::seeded(u64::MAX),
            moves: Texts::at_most(effort.texts),
            draws: Texts::at_most(effort.texts),
            known: KnownPositions::at_most(effort.positions),
            memory: ViewerMemory::new(viewers(game).count(), effort.positions),
            counts: ConformanceCounts::default(),
        }
    }

    fn check_nonsense(&mut self) -> Result<(), Violation> {
        for text in texts::nonsense() {
            self.check_harmless(&text)?;
            AnyGameMirror::reads_alike(self.game, &text)?;
        }
        Ok(())
    }

    /// A text that need not be a move or a draw is refused, or can be written again.
    fn check_harmless(&mut self, text: &str) -> Result<(), Violation> {
        let game = self.game;
        let refused = [
            texts::check_harmless(TextKind::Move, text, |text| game.read_move(text))?,
            texts::check_harmless(TextKind::Chance, text, |text| game.read_chance(text))?,
        ];
        self.counts.unreadable_texts += refused.into_iter().sum::<u64>();
        Ok(())
    }

    fn play_a_game(&mut self) -> Result<(), Violation> {
        let mut random_game = RandomGame::begin(self.game)?;
        for _ in 0..=self.plies {
            let inspected =
                InspectedPosition::of(self.game, random_game.position(), &mut self.generator)?;
            self.inspect(&inspected, &random_game)?;
            let played = self.next(&inspected)?;
            randomness::check(&inspected, &mut self.random)?;
            let Some(played) = played else {
                self.counts.games += 1;
                return replay::check(self.game, &random_game);
            };
            random_game.advance(self.game, played, &mut self.memory)?;
        }
        Err(Violation::TooLong { plies: self.plies })
    }

    /// Checks everything about a position that does not depend on what is played next.
    fn inspect(
        &mut self,
        inspected: &InspectedPosition<'_, G>,
        random_game: &RandomGame<G>,
    ) -> Result<(), Violation> {
        self.counts.positions += 1;
        self.counts.legal_moves += inspected.legal.iter().map(Vec::len).sum::<usize>() as u64;
        self.check_texts(inspected)?;
        self.counts.transpositions += u64::from(self.known.check(inspected)?);
        for (viewer, observations) in random_game.observations() {
            self.counts.boards += u64::from(pictures::check(inspected, viewer)?);
            self.counts.hidden += u64::from(self.memory.check(inspected, viewer, observations)?);
        }
        random_game.mirror.check(inspected, self.moves.list())
    }

    /// Checks the texts of all moves and draws of a position, and remembers the new ones.
    fn check_texts(&mut self, inspected: &InspectedPosition<'_, G>) -> Result<(), Violation> {
        let game = self.game;
        for chosen in inspected.legal.iter().flatten() {
            texts::check_read_back(TextKind::Move, chosen, |text| game.read_move(text))?;
            if self.moves.remember(chosen) {
                texts::misspellings(chosen)
                    .iter()
                    .try_for_each(|text| self.check_harmless(text))?;
            }
        }
        for (drawn, _) in &inspected.chances {
            texts::check_read_back(TextKind::Chance, drawn, |text| game.read_chance(text))?;
            if self.draws.remember(drawn) {
                texts::misspellings(drawn).iter().try_for_each(|text| self.check_harmless(text))?;
            }
        }
        Ok(())
    }

    /// Checks what may and may not be played next, and plays a random ply; `None` if the game is
    /// over.
    fn next(
        &mut self,
        inspected: &InspectedPosition<'_, G>,
    ) -> Result<Option<PlayedPly<G>>, Violation> {
        let moves = inspected.random_moves(&mut self.generator);
        let counts = &mut self.counts;
        legality::check_legal_moves(inspected)?;
        counts.illegal_moves +=
            legality::check_illegal_moves(inspected, &moves, self.moves.list())?;
        counts.incomplete_moves += legality::check_incomplete_moves(inspected, &moves)?;
        counts.impossible_draws += chances::check_impossible_draws(inspected, self.draws.list())?;
        if let Some(drawn) = chances::draw(inspected, &mut self.generator)? {
            counts.chances += 1;
            return Ok(Some(drawn));
        }
        if moves.is_empty() {
            return Ok(None);
        }
        counts.at_once += u64::from(moves.len() > 1);
        let next = legality::play(inspected, &moves)?;
        Ok(Some(PlayedPly { ply: Ply::Moves(moves), next }))
    }
}
