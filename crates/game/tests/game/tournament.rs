//! Games of tournaments in which players fail.

use crate::little_games::subtraction::{Subtraction, Take};
use game::{
    Choice, Outcome, Player, PlayerError, PlayerView, RandomPlayer, Seat, StopFlag, contest,
};

const GAME: Subtraction = Subtraction { stones: 21 };

/// A player that panics.
#[derive(Debug)]
struct Panicking;

impl Player<Subtraction> for Panicking {
    #[expect(clippy::panic, reason = "it is the player that panics")]
    fn choose(&mut self, _: &PlayerView<'_, Subtraction>) -> Result<Choice<Take>, PlayerError> {
        panic!("it lost its mind")
    }
}

/// A player that takes more than it may.
#[derive(Debug)]
struct Greedy;

impl Player<Subtraction> for Greedy {
    fn choose(&mut self, _: &PlayerView<'_, Subtraction>) -> Result<Choice<Take>, PlayerError> {
        Ok(Choice::plain(Take(9)))
    }
}

/// A random player that stops the tournament when it chooses.
#[derive(Debug)]
struct Stopping(StopFlag, RandomPlayer);

impl Player<Subtraction> for Stopping {
    fn choose(&mut self, view: &PlayerView<'_, Subtraction>) -> Result<Choice<Take>, PlayerError> {
        self.0.stop();
        self.1.choose(view)
    }
}

fn random() -> Box<dyn Player<Subtraction>> {
    Box::new(RandomPlayer::seeded(1))
}

#[test]
fn a_player_that_panics_forfeits() {
    let mut players = [random(), Box::new(Panicking)];
    let record = contest(&GAME, &mut players, 0, &StopFlag::default()).unwrap();
    assert_eq!(record.outcome, Outcome::won_by(Seat::FIRST));
    let forfeiture = record.forfeiture.unwrap();
    assert_eq!(forfeiture.seat, Seat::SECOND);
    assert_eq!(forfeiture.reason, "the player failed: it lost its mind");
    assert_eq!(record.plies, 1);
}

#[test]
fn an_illegal_move_forfeits() {
    let mut players: [Box<dyn Player<_>>; 2] = [Box::new(Greedy), random()];
    let record = contest(&GAME, &mut players, 0, &StopFlag::default()).unwrap();
    assert_eq!(record.outcome, Outcome::won_by(Seat::SECOND));
    assert_eq!(record.forfeiture.unwrap().seat, Seat::FIRST);
}

#[test]
fn a_game_to_the_end_has_no_forfeiture() {
    let record = contest(&GAME, &mut [random(), random()], 0, &StopFlag::default()).unwrap();
    assert_eq!(record.forfeiture, None);
    assert!(record.outcome.winner().is_some());
    assert!((7..=21).contains(&record.plies), "{}", record.plies);
}

#[test]
fn a_stopped_game_has_no_record() {
    let stop = StopFlag::default();
    let stopping = Stopping(stop.clone(), RandomPlayer::seeded(1));
    let mut players: [Box<dyn Player<_>>; 2] = [Box::new(stopping), random()];
    assert_eq!(contest(&GAME, &mut players, 0, &stop), None);
}
