//! One game of a tournament.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bthread::Generator;

use crate::game::{Game, all_seats};
use crate::player::{CannotPlay, Choice, HistoryId, Player, PlayerError, PlayerView};
use crate::players::{PlayerKind, PlayerResources};
use crate::ply::{Ply, PlyOf};
use crate::seat::Seat;
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
    let mut contest = Contest {
        game,
        position: game.start(),
        history: Vec::new(),
        history_id: HistoryId::default(),
        generator: Generator::seeded(seed),
    };
    for plies in 0..MOST_PLIES {
        let turn = game.turn(&contest.position);
        if let Turn::Over(outcome) = turn {
            return Some(GameRecord { outcome, plies, forfeiture: None });
        }
        let played = contest.play(&turn, players);
        if stop.is_set() {
            return None;
        }
        if let Err(forfeiture) = played {
            let outcome = Outcome::lost_by(forfeiture.seat, game.seats().len());
            return Some(GameRecord { outcome, plies, forfeiture: Some(forfeiture) });
        }
    }
    let outcome = Outcome::scored(&vec![0; game.seats().len()]);
    Some(GameRecord { outcome, plies: MOST_PLIES, forfeiture: None })
}

/// As [`contest`], with players that are made for this game.
pub(crate) fn contest_with<G: Game>(
    resources: PlayerResources<'_>,
    game: &G,
    kinds: &[&PlayerKind],
    seed: u64,
) -> Result<Option<GameRecord>, CannotPlay> {
    let mut seeds = Generator::seeded(seed);
    let chance = seeds.next_bits();
    let players = all_seats(game).iter().zip(kinds);
    let players =
        players.map(|(seat, kind)| kind.player_with(resources, game, seat, seeds.next_bits()));
    let made: Result<Vec<_>, _> = players.collect();
    match made {
        Ok(mut players) => Ok(contest(game, &mut players, chance, resources.stop)),
        // A search for a solution was stopped with the tournament.
        Err(_) if resources.stop.is_set() => Ok(None),
        Err(error) => Err(error),
    }
}

struct Contest<'a, G: Game> {
    game: &'a G,
    position: G::Position,
    history: Vec<PlyOf<G>>,
    history_id: HistoryId,
    generator: Generator,
}

impl<G: Game> Contest<'_, G> {
    fn play(&mut self, turn: &Turn, players: &mut [Box<dyn Player<G>>]) -> Result<(), Forfeiture> {
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
            self.history.push(Ply::Moves(vec![(*seat, chosen)]));
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
        self.history.push(Ply::Moves(moves));
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
