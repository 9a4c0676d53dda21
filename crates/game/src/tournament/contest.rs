//! One game of a tournament.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bthread::Generator;

use super::schedule::Fixture;
use crate::game::{Game, all_seats};
use crate::player::{CannotPlay, Choice, HistoryId, Player, PlayerError, PlayerView};
use crate::players::{PlayerKind, PlayerResources};
use crate::ply::{Ply, PlyOf};
use crate::seat::{Seat, Seats};
use crate::stop_flag::StopFlag;
use crate::turn::{Outcome, Turn};

/// How a game of a tournament ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The scores.
    pub outcome: Outcome,
    /// The number of plies.
    pub plies: u32,
    /// The seat that forfeited, if one did.
    pub forfeiture: Option<Forfeiture>,
}

/// A seat that lost because its player failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeiture {
    /// The seat.
    pub seat: Seat,
    /// What happened.
    pub reason: String,
}

/// The most plies of a game; a longer one is a draw.
const MOST_PLIES: u32 = 100_000;

/// Lets players, one for each seat, play one game. A player that fails, panics or chooses an illegal
/// move forfeits. `None` if the game was stopped.
pub fn contest<G: Game>(
    game: &G,
    players: &mut [Box<dyn Player<G>>],
    seed: u64,
    stop: &StopFlag,
) -> Option<GameRecord> {
    Contest::new(game).play(players, seed, stop)
}

/// Plays games one after the other, in the same memory.
pub(crate) struct Contest<'a, G: Game> {
    game: &'a G,
    seats: Seats,
    start: G::Position,
    position: G::Position,
    history: Vec<PlyOf<G>>,
    history_id: HistoryId,
    /// The memory of plies of games that are over.
    spare: Vec<Vec<(Seat, G::Move)>>,
    generator: Generator,
}

impl<'a, G: Game> Contest<'a, G> {
    pub(crate) fn new(game: &'a G) -> Self {
        let (start, seats) = (game.start(), all_seats(game));
        let (position, generator) = (start.clone(), Generator::seeded(0));
        let (history, spare) = (Vec::new(), Vec::new());
        let history_id = HistoryId::default();
        Self { game, seats, start, position, history, history_id, spare, generator }
    }

    /// Plays one game of a tournament with players that are made for it.
    pub(crate) fn play_fixture(
        &mut self,
        resources: PlayerResources<'_>,
        kinds: &[PlayerKind],
        Fixture { players, seed }: &Fixture,
    ) -> Result<Option<GameRecord>, CannotPlay> {
        let kinds = players.iter().map(|player| &kinds[*player]);
        let mut seeds = Generator::seeded(*seed);
        let chance = seeds.next_bits();
        let mut players = Vec::new();
        for (seat, kind) in self.seats.iter().zip(kinds) {
            let seed = seeds.next_bits();
            // A player that is not made is never used, so nobody sees what a panic left behind.
            let made = AssertUnwindSafe(|| kind.player_with(resources, self.game, seat, seed));
            match catch_unwind(made) {
                Ok(player) => players.push(player?),
                Err(panic) => {
                    let reason = PlayerError::Panicked(message(&*panic)).to_string();
                    return Ok(Some(self.forfeited(Forfeiture { seat, reason }, 0)));
                }
            }
        }
        Ok(self.play(&mut players, chance, resources.stop))
    }

    fn forfeited(&self, forfeiture: Forfeiture, plies: u32) -> GameRecord {
        let outcome = Outcome::lost_by(forfeiture.seat, self.seats.iter().count());
        GameRecord { outcome, plies, forfeiture: Some(forfeiture) }
    }

    fn play(
        &mut self,
        players: &mut [Box<dyn Player<G>>],
        seed: u64,
        stop: &StopFlag,
    ) -> Option<GameRecord> {
        self.begin(seed);
        for plies in 0..MOST_PLIES {
            let turn = self.game.turn(&self.position);
            if let Turn::Over(outcome) = turn {
                return Some(GameRecord { outcome, plies, forfeiture: None });
            }
            let played = self.play_ply(&turn, players);
            if stop.is_set() {
                return None;
            }
            if let Err(forfeiture) = played {
                return Some(self.forfeited(forfeiture, plies));
            }
        }
        let outcome = Outcome::scored(&vec![0; self.seats.iter().count()]);
        Some(GameRecord { outcome, plies: MOST_PLIES, forfeiture: None })
    }

    fn begin(&mut self, seed: u64) {
        self.generator = Generator::seeded(seed);
        self.position.clone_from(&self.start);
        self.history_id = HistoryId::default();
        let moves = self.history.drain(..).filter_map(|ply| match ply {
            Ply::Moves(moves) => Some(moves),
            Ply::Chance(_) => None,
        });
        self.spare.extend(moves);
    }

    fn remember(&mut self, moves: impl IntoIterator<Item = (Seat, G::Move)>) {
        let mut ply = self.spare.pop().unwrap_or_default();
        ply.clear();
        ply.extend(moves);
        self.history.push(Ply::Moves(ply));
    }

    fn play_ply(
        &mut self,
        turn: &Turn,
        players: &mut [Box<dyn Player<G>>],
    ) -> Result<(), Forfeiture> {
        if *turn == Turn::Chance {
            // Nobody is to blame for broken probabilities: the game never ends, and is a draw.
            if let Ok(Some(drawn)) = self.game.draw_chance(&self.position, &mut self.generator) {
                self.game.apply_chance(&mut self.position, &drawn);
                self.history.push(Ply::Chance(drawn));
            }
            return Ok(());
        }
        if let Turn::One(seat) = turn {
            let chosen = self.choice(*seat, players)?;
            let played = self.game.advance(&mut self.position, *seat, chosen.clone());
            played.map_err(|refusal| Forfeiture { seat: *seat, reason: refusal.to_string() })?;
            self.remember([(*seat, chosen)]);
            return Ok(());
        }
        let mut moves = Vec::new();
        for seat in turn.seats().iter() {
            let chosen = self.choice(seat, players)?;
            let checked = self.game.check(&self.position, seat, &chosen);
            checked.map_err(|refusal| Forfeiture { seat, reason: refusal.to_string() })?;
            moves.push((seat, chosen));
        }
        if self.game.advance_all(&mut self.position, &moves).is_err() {
            // Legal alone, but not together: nobody is to blame more than another.
            let seat = moves.first().map_or(Seat::FIRST, |(seat, _)| *seat);
            return Err(Forfeiture { seat, reason: "the moves do not go together".to_owned() });
        }
        self.remember(moves);
        Ok(())
    }

    /// The move that a seat chooses, which may be illegal.
    fn choice(
        &self,
        seat: Seat,
        players: &mut [Box<dyn Player<G>>],
    ) -> Result<G::Move, Forfeiture> {
        let player = players[seat.index()].as_mut();
        let view = PlayerView::new(self.game, &self.position, seat, &self.history)
            .of_history(&self.history_id);
        let choice = guarded(player, &view);
        let choice = choice.map_err(|error| Forfeiture { seat, reason: error.to_string() })?;
        Ok(choice.chosen)
    }
}

/// Lets a player choose; a panic is an error.
fn guarded<G: Game>(
    player: &mut dyn Player<G>,
    view: &PlayerView<'_, G>,
) -> Result<Choice<G::Move>, PlayerError> {
    // The player is not asked again after a panic, so nobody sees what it left behind.
    let chosen = catch_unwind(AssertUnwindSafe(|| player.choose(view)));
    chosen.unwrap_or_else(|panic| Err(PlayerError::Panicked(message(&*panic))))
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a panic without a message".to_owned())
}
