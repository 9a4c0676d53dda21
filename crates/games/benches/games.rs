//! How fast games are played: random playouts and counting all of them.
//!
//! Every figure is for one core, and every benchmark asserts the answer that it times.

use divan::Bencher;
use divan::counter::ItemsCount;
use game::{Game, Generator, Seat, perft, playout};
use games::connect_four::ConnectFour;
use games::kuhn_poker::KuhnPoker;
use games::odds_and_evens::OddsAndEvens;
use games::pig::Pig;
use games::tic_tac_toe;
use games::ultimate::Ultimate;

fn main() {
    divan::main();
}

const PLAYOUTS: u32 = 10_000;

/// How many of so many random games the first seat wins and how many are drawn.
fn tally<G: Game>(game: &G) -> [u32; 2] {
    let mut generator = Generator::seeded(2026);
    let start = game.start();
    let (mut wins, mut draws) = (0, 0);
    for _ in 0..PLAYOUTS {
        let mut position = start.clone();
        let outcome = playout(game, &mut position, &mut generator).expect("the game is sound");
        wins += u32::from(outcome.winner() == Some(Seat::FIRST));
        draws += u32::from(outcome.is_draw());
    }
    [wins, draws]
}

/// Times so many random games.
fn time_playouts<G: Game>(bencher: Bencher<'_, '_>, game: &G) {
    let expected = tally(game);
    bencher
        .counter(ItemsCount::new(PLAYOUTS))
        .bench(|| assert_eq!(tally(divan::black_box(game)), expected));
}

/// Times counting all sequences of moves; items are sequences.
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
