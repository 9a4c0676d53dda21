//! Speed of games: random playouts, and counts of all sequences of moves.
//!
//! Every number is for one core, and every benchmark asserts the answer that it times.

use divan::Bencher;
use divan::counter::ItemsCount;
use game::{AnyGame, BGame, Game, Generator, Outcome, Seat, Turn, perft, playout};
use games::connect_four::ConnectFour;
use games::kuhn_poker::KuhnPoker;
use games::mnk;
use games::odds_and_evens::OddsAndEvens;
use games::pig::Pig;
use games::tic_tac_toe;
use games::ultimate::Ultimate;

fn main() {
    divan::main();
}

const PLAYOUTS: u32 = 10_000;

/// The number of random games that the first seat wins, and of those that are drawn.
fn tally<G: Game>(game: &G) -> [u32; 2] {
    tally_of(game, PLAYOUTS)
}

fn tally_of<G: Game>(game: &G, games: u32) -> [u32; 2] {
    tally_by(game, games, |position, generator| {
        playout(game, position, generator).expect("a playout of a correct game succeeds")
    })
}

fn tally_by<G: Game>(
    game: &G,
    games: u32,
    play: impl Fn(&mut G::Position, &mut Generator) -> Outcome,
) -> [u32; 2] {
    let mut generator = Generator::seeded(2026);
    let start = game.start();
    let mut position = start.clone();
    let (mut wins, mut draws) = (0, 0);
    for _ in 0..games {
        position.clone_from(&start);
        let outcome = play(&mut position, &mut generator);
        wins += u32::from(outcome.winner() == Some(Seat::FIRST));
        draws += u32::from(outcome.is_draw());
    }
    [wins, draws]
}

/// Times random games.
fn time_playouts<G: Game>(bencher: Bencher<'_, '_>, game: &G) {
    let expected = tally(game);
    bencher
        .counter(ItemsCount::new(PLAYOUTS))
        .bench(|| assert_eq!(tally(divan::black_box(game)), expected));
}

/// Times counting all sequences of moves. Items are sequences.
fn time_perft<G: Game>(bencher: Bencher<'_, '_>, game: &G, depth: u32, expected: u64) {
    bencher
        .counter(ItemsCount::new(expected))
        .bench(|| assert_eq!(perft(divan::black_box(game), &game.start(), depth), expected));
}

mod playouts {
    use super::{
        Bencher, ConnectFour, KuhnPoker, OddsAndEvens, Pig, Ultimate, tic_tac_toe, time_playouts,
    };

    #[divan::bench]
    fn tic_tac_toe(bencher: Bencher<'_, '_>) {
        time_playouts(bencher, &tic_tac_toe::game());
    }

    #[divan::bench]
    fn connect_four(bencher: Bencher<'_, '_>) {
        time_playouts(bencher, &ConnectFour);
    }

    #[divan::bench]
    fn ultimate(bencher: Bencher<'_, '_>) {
        time_playouts(bencher, &Ultimate);
    }

    #[divan::bench]
    fn kuhn_poker(bencher: Bencher<'_, '_>) {
        time_playouts(bencher, &KuhnPoker);
    }

    #[divan::bench]
    fn odds_and_evens(bencher: Bencher<'_, '_>) {
        time_playouts(bencher, &OddsAndEvens);
    }

    #[divan::bench(sample_count = 10)]
    fn pig(bencher: Bencher<'_, '_>) {
        time_playouts(bencher, &Pig::default());
    }
}

/// k in a row on boards whose states do not come again, played by b-threads. Items are games.
mod big_boards {
    use super::{Bencher, ItemsCount, mnk, tally_of};

    #[divan::bench(
        args = [("3,3,3", 5_000), ("4,4,4", 2_000), ("6,5,4", 1_000), ("15,15,5", 100), ("19,19,5", 50)],
        sample_count = 50,
        sample_size = 1
    )]
    fn mnk(bencher: Bencher<'_, '_>, (size, games): (&str, u32)) {
        let game = mnk::Mnk::new(size.parse().expect("a size"), mnk::Variant::Usual).game();
        // Long enough to fill the table, where that happens.
        tally_of(&game, 100 * games);
        let expected = tally_of(&game, games);
        bencher
            .counter(ItemsCount::new(games))
            .bench_local(|| assert_eq!(tally_of(divan::black_box(&game), games), expected));
    }
}

/// The same games with a table that has room for all their states, and without one. The games of 4,4,4
/// are always new ones. Items are games.
mod tables {
    use super::{BGame, Bencher, Game, Generator, ItemsCount, Turn, mnk, playout};

    const ROOM: usize = 1 << 28;

    #[divan::bench(
        args = [("3,3,3", ROOM, 5_000), ("3,3,3", 0, 5_000), ("4,4,4", ROOM, 2_000), ("4,4,4", 0, 2_000)],
        sample_count = 10,
        sample_size = 1
    )]
    fn mnk(bencher: Bencher<'_, '_>, (size, bytes, games): (&str, usize, u32)) {
        let rules = mnk::Mnk::new(size.parse().expect("a size"), mnk::Variant::Usual);
        let game = BGame::within(rules, bytes).expect("the rules come to rest");
        let start = game.start();
        let mut position = start.clone();
        let mut generator = Generator::seeded(2026);
        let mut play = || {
            for _ in 0..games {
                position.clone_from(&start);
                playout(&game, &mut position, &mut generator).expect("the game is correct");
                assert!(matches!(game.turn(&position), Turn::Over(_)));
            }
            assert_eq!(position.threads().is_tabled(), bytes > 0);
        };
        play();
        bencher.counter(ItemsCount::new(games)).bench_local(play);
    }
}

/// Tic-tac-toe as a typed game and as [`AnyGame`]: the same random numbers, the same games.
mod typed_and_any {
    use super::{
        AnyGame, Bencher, Game, Generator, ItemsCount, Outcome, PLAYOUTS, Turn, tally, tally_by,
        tic_tac_toe,
    };

    fn time(bencher: Bencher<'_, '_>, tally_once: impl Fn() -> [u32; 2] + Sync) {
        let expected = tally(&tic_tac_toe::game());
        let counted = bencher.counter(ItemsCount::new(PLAYOUTS));
        counted.bench(|| assert_eq!(tally_once(), expected));
    }

    #[divan::bench]
    fn typed(bencher: Bencher<'_, '_>) {
        let game = tic_tac_toe::game();
        time(bencher, || tally(divan::black_box(&game)));
    }

    #[divan::bench]
    fn any(bencher: Bencher<'_, '_>) {
        let game = AnyGame::new(tic_tac_toe::game());
        time(bencher, || tally(divan::black_box(&game)));
    }

    /// Writes and reads every move as text, as a table does.
    #[divan::bench]
    fn any_by_texts(bencher: Bencher<'_, '_>) {
        let game = AnyGame::new(tic_tac_toe::game());
        time(bencher, || {
            tally_by(divan::black_box(&game), PLAYOUTS, |position, generator| {
                play_by_texts(&game, position, generator)
            })
        });
    }

    fn play_by_texts(
        game: &AnyGame,
        position: &mut <AnyGame as Game>::Position,
        generator: &mut Generator,
    ) -> Outcome {
        loop {
            let seat = match game.turn(position) {
                Turn::One(seat) => seat,
                Turn::Over(outcome) => return outcome,
                Turn::Several(_) | Turn::Chance => unreachable!("one seat moves at a time"),
            };
            let mut moves = game.legal_moves(position, seat);
            let place = generator.below(moves.len() as u64);
            let chosen = moves.nth(usize::try_from(place).expect("the index is small"));
            drop(moves);
            game.advance(position, seat, chosen.expect("the index is below the number of moves"))
                .expect("the move is legal");
        }
    }
}

mod all_games {
    use super::{Bencher, ConnectFour, Ultimate, tic_tac_toe, time_perft};

    #[divan::bench]
    fn tic_tac_toe_9(bencher: Bencher<'_, '_>) {
        time_perft(bencher, &tic_tac_toe::game(), 9, 127_872);
    }

    #[divan::bench(sample_count = 10)]
    fn connect_four_9(bencher: Bencher<'_, '_>) {
        time_perft(bencher, &ConnectFour, 9, 39_394_572);
    }

    #[divan::bench(sample_count = 10)]
    fn ultimate_6(bencher: Bencher<'_, '_>) {
        time_perft(bencher, &Ultimate, 6, 4_020_960);
    }
}
