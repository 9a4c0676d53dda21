//! Speed of texts, beside the same games in Rust.
//!
//! Every number is for one core, and every benchmark asserts the answer that it times.

use divan::Bencher;
use divan::counter::ItemsCount;
use game::{Game, Generator, Outcome, Seat, playout};
use games::mnk::{Mnk, Size, Variant};
use games::tic_tac_toe;
use notation::{Document, GivenParameter};

fn main() {
    divan::main();
}

const TIC_TAC_TOE: &str = include_str!("../../../games/tic-tac-toe.cradle");

/// m,n,k as text, with the rules of the same game in Rust.
const MNK: &str = "\
game mnk
parameter columns = 15
parameter rows = 15
parameter length = 5
seats X, O
grid square = columns x rows
set line = lines of length in square
event mark(seat, square)  move of seat, puts seat on square
event win(seat)           win of seat
event draw                draw
rule EndOfGame \"The game is over\" game_over
  wait for win or draw
  block any
rule EnforceTurns \"It is not your turn\" not_your_turn
  forever
    wait for mark(X), block mark(O)
    wait for mark(O), block mark(X)
rule SquareTaken(square) \"That square is taken\" already_taken
  wait for mark(square)
  block mark(square)
rule DetectWin(seat, line)
  length times: wait for mark(seat, line)
  request win(seat), block mark or draw
rule DetectDraw
  columns * rows times: wait for mark
  request draw, wait for win
";

fn built(text: &str) -> notation::BuiltText {
    let given: [GivenParameter; 0] = [];
    Document::read(text).build(&given).expect("the text has no mistakes")
}

mod reading {
    use super::{Bencher, MNK, TIC_TAC_TOE, built};

    #[divan::bench]
    fn tic_tac_toe(bencher: Bencher<'_, '_>) {
        bencher.bench(|| {
            let game = built(divan::black_box(TIC_TAC_TOE)).game().expect("it is a game");
            assert_eq!(game.program().threads().len(), 28);
            game
        });
    }

    #[divan::bench(sample_count = 20)]
    fn gomoku(bencher: Bencher<'_, '_>) {
        bencher.bench(|| {
            let text = built(divan::black_box(MNK));
            assert_eq!(text.threads().len(), 225 + 2 * 572 + 3);
            text
        });
    }

    #[divan::bench(sample_count = 20)]
    fn gomoku_as_a_game(bencher: Bencher<'_, '_>) {
        let text = built(MNK);
        bencher.bench(|| {
            let game = divan::black_box(&text).game().expect("it is a game");
            assert_eq!(game.program().threads().len(), 225 + 2 * 572 + 3);
            game
        });
    }
}

/// The number of random games that the first seat wins, and of those that are drawn.
fn tally<G: Game>(game: &G, playouts: u32) -> [u32; 2] {
    let mut generator = Generator::seeded(2026);
    let start = game.start();
    let (mut wins, mut draws) = (0, 0);
    for _ in 0..playouts {
        let mut position = start.clone();
        let outcome: Outcome =
            playout(game, &mut position, &mut generator).expect("the rules come to rest");
        wins += u32::from(outcome.winner() == Some(Seat::FIRST));
        draws += u32::from(outcome.is_draw());
    }
    [wins, draws]
}

fn time_playouts<G: Game>(bencher: Bencher<'_, '_>, game: &G, playouts: u32, expected: [u32; 2]) {
    bencher
        .counter(ItemsCount::new(playouts))
        .bench(|| assert_eq!(tally(divan::black_box(game), playouts), expected));
}

mod playing {
    use super::{
        Bencher, MNK, Mnk, Size, TIC_TAC_TOE, Variant, built, tally, tic_tac_toe, time_playouts,
    };

    #[divan::bench]
    fn tic_tac_toe_in_rust(bencher: Bencher<'_, '_>) {
        let game = tic_tac_toe::game();
        time_playouts(bencher, &game, 10_000, tally(&game, 10_000));
    }

    /// The same random numbers, and the same games.
    #[divan::bench]
    fn tic_tac_toe_as_text(bencher: Bencher<'_, '_>) {
        let expected = tally(&tic_tac_toe::game(), 10_000);
        let game = built(TIC_TAC_TOE).game().expect("it is a game");
        time_playouts(bencher, &game, 10_000, expected);
    }

    fn gomoku() -> game::BGame<Mnk> {
        Mnk::new(Size::new(15, 15, 5).expect("the size is fine"), Variant::Usual).game()
    }

    #[divan::bench(sample_count = 10)]
    fn gomoku_in_rust(bencher: Bencher<'_, '_>) {
        let game = gomoku();
        time_playouts(bencher, &game, 20, tally(&game, 20));
    }

    #[divan::bench(sample_count = 10)]
    fn gomoku_as_text(bencher: Bencher<'_, '_>) {
        let expected = tally(&gomoku(), 20);
        let game = built(MNK).game().expect("it is a game");
        time_playouts(bencher, &game, 20, expected);
    }
}
