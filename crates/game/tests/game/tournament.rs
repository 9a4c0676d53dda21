//! Games of tournaments in which players fail.

use crate::little_games::subtraction::{Pile, Subtraction, Take};
use game::{
    AnyGame, Choice, Fixture, Game, NoChance, Outcome, Picture, Player, PlayerError, PlayerKind,
    PlayerView, RandomPlayer, Seat, StopFlag, Turn, Viewer, contest,
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

/// A game that nobody can estimate near its end: players who look at estimates panic there.
#[derive(Clone, Debug)]
struct Inestimable(Subtraction);

impl Game for Inestimable {
    type Position = Pile;
    type Move = Take;
    type Chance = NoChance;

    fn name(&self) -> String {
        "inestimable".to_owned()
    }

    fn seats(&self) -> Vec<&str> {
        self.0.seats()
    }

    fn start(&self) -> Pile {
        self.0.start()
    }

    fn turn(&self, position: &Pile) -> Turn {
        self.0.turn(position)
    }

    fn legal_moves<'a>(
        &'a self,
        position: &'a Pile,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = Take> + 'a {
        self.0.legal_moves(position, seat)
    }

    fn apply(&self, position: &mut Pile, seat: Seat, chosen: &Take) {
        self.0.apply(position, seat, chosen);
    }

    fn estimate(&self, position: &Pile, _: Seat) -> Option<i32> {
        assert!(position.stones > 9, "nobody knows how much {} stones are worth", position.stones);
        Some(0)
    }

    fn text(&self, position: &Pile) -> String {
        self.0.text(position)
    }

    fn picture(&self, position: &Pile, viewer: Viewer) -> Picture {
        self.0.picture(position, viewer)
    }
}

#[test]
fn a_player_that_panics_when_it_is_made_forfeits_and_the_tournament_goes_on() {
    let game = AnyGame::new(Inestimable(Subtraction { stones: 9 }));
    let kinds = [PlayerKind::Heuristic, PlayerKind::Random];
    let fixtures =
        [[0, 1], [1, 1], [1, 0]].map(|players| Fixture { players: players.into(), seed: 7 });
    let records = game.contests(&kinds, &fixtures, &StopFlag::default()).unwrap();
    let [Some(first), Some(second), Some(third)] = &records[..] else { panic!("{records:?}") };
    for (record, seat) in [(first, Seat::FIRST), (third, Seat::SECOND)] {
        let forfeiture = record.forfeiture.as_ref().expect("somebody forfeits");
        assert_eq!((forfeiture.seat, record.plies), (seat, 0));
        assert!(forfeiture.reason.starts_with("the player failed: nobody knows"), "{forfeiture:?}");
        assert_eq!(record.outcome, Outcome::lost_by(seat, 2));
    }
    assert_eq!(second.forfeiture, None);
}

#[test]
fn a_tournament_goes_on_after_a_player_has_panicked() {
    let game = AnyGame::new(Inestimable(GAME));
    let kinds = [PlayerKind::Heuristic, PlayerKind::Random];
    let fixture = |seed: u64| {
        let players = if seed.is_multiple_of(2) { vec![0, 1] } else { vec![1, 0] };
        Fixture { players, seed }
    };
    let fixtures: Vec<Fixture> = (0..10).map(fixture).collect();
    let records = game.contests(&kinds, &fixtures, &StopFlag::default()).unwrap();
    for (fixture, record) in fixtures.iter().zip(&records) {
        let record = record.as_ref().expect("every game has a record");
        let seat = if fixture.players[0] == 0 { Seat::FIRST } else { Seat::SECOND };
        let forfeiture = record.forfeiture.as_ref().expect("somebody forfeits");
        assert_eq!(forfeiture.seat, seat);
        assert!(forfeiture.reason.starts_with("the player failed: nobody knows"), "{forfeiture:?}");
        assert_eq!(record.outcome, Outcome::lost_by(seat, 2));
    }
}
