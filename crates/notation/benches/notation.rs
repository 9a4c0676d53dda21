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

const CONNECT: &str = include_str!("../../../games/connect.cradle");
const MNK: &str = include_str!("../../../games/mnk.cradle");

/// The parameters that make Gomoku of m,n,k.
const GOMOKU: [&str; 3] = ["columns=15", "rows=15", "length=5"];

fn built(text: &str, given: &[&str]) -> notation::BuiltText {
    let given: Vec<GivenParameter> =
        given.iter().map(|given| given.parse().expect("it is a parameter")).collect();
    Document::read(text).build(&given).expect("the text has no mistakes")
}

mod reading {
    use super::{Bencher, GOMOKU, MNK, TIC_TAC_TOE, built};

    #[divan::bench]
    fn tic_tac_toe(bencher: Bencher<'_, '_>) {
        bencher.bench(|| {
            let game = built(divan::black_box(TIC_TAC_TOE), &[]).game().expect("it is a game");
            assert_eq!(game.program().threads().len(), 28);
            game
        });
    }

    #[divan::bench(sample_count = 20)]
    fn gomoku(bencher: Bencher<'_, '_>) {
        bencher.bench(|| {
            let text = built(divan::black_box(MNK), &GOMOKU);
            assert_eq!(text.threads().len(), 225 + 2 * 572 + 3);
            text
        });
    }

    #[divan::bench(sample_count = 20)]
    fn gomoku_as_a_game(bencher: Bencher<'_, '_>) {
        let text = built(MNK, &GOMOKU);
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
        Bencher, CONNECT, GOMOKU, MNK, Mnk, Size, TIC_TAC_TOE, Variant, built, tally, tic_tac_toe,
        time_playouts,
    };
    use games::connect_four::ConnectFour;

    #[divan::bench]
    fn tic_tac_toe_in_rust(bencher: Bencher<'_, '_>) {
        let game = tic_tac_toe::game();
        time_playouts(bencher, &game, 10_000, tally(&game, 10_000));
    }

    /// The same random numbers, and the same games.
    #[divan::bench]
    fn tic_tac_toe_as_text(bencher: Bencher<'_, '_>) {
        let expected = tally(&tic_tac_toe::game(), 10_000);
        let game = built(TIC_TAC_TOE, &[]).game().expect("it is a game");
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
        let game = built(MNK, &GOMOKU).game().expect("it is a game");
        time_playouts(bencher, &game, 20, expected);
    }

    #[divan::bench(sample_count = 10)]
    fn connect_four_in_rust(bencher: Bencher<'_, '_>) {
        time_playouts(bencher, &ConnectFour, 1000, tally(&ConnectFour, 1000));
    }

    /// The moves are in another order, so the random games are others.
    #[divan::bench(sample_count = 10)]
    fn connect_four_as_text(bencher: Bencher<'_, '_>) {
        let game = built(CONNECT, &[]).game().expect("it is a game");
        let expected = tally(&game, 1000);
        let share = |[wins, _]: [u32; 2]| f64::from(wins) / 1000.0;
        let difference = share(expected) - share(tally(&ConnectFour, 1000));
        assert!(difference.abs() < 0.1, "the first player wins about as often: {difference}");
        time_playouts(bencher, &game, 1000, expected);
    }
}

mod verifying {
    use checker::{BProgram, Checker, Property};
    use games::tic_tac_toe::{BThreads, Event, Mark, alphabet};
    use notation::{ModelOptions, SearchLimits};

    use super::{Bencher, TIC_TAC_TOE, built};

    #[divan::bench]
    fn tic_tac_toe_in_rust(bencher: Bencher<'_, '_>) {
        let program = BThreads::o_against_any_x().program();
        bencher.bench(|| {
            let space = program.closed_space(alphabet()).expect("all events are known");
            let model = BProgram::against(space, ["AnyX"]);
            let never = Property::never("X never wins", |event| *event == Event::Win(Mark::X));
            let report = Checker::new(&model).property(never).run().expect("the search ends");
            assert_eq!((report.states, report.edges), (641, 783));
            report
        });
    }

    #[divan::bench]
    fn tic_tac_toe_as_text(bencher: Bencher<'_, '_>) {
        let text = built(TIC_TAC_TOE, &[]);
        let properties: Vec<_> =
            text.properties().iter().filter(|each| each.name() == "XNeverWins").cloned().collect();
        bencher.bench(|| {
            let model = text.model(&ModelOptions::default()).expect("the text has a model");
            let report = model.verify(&properties, SearchLimits::default());
            let report = report.expect("the search ends");
            assert_eq!((report.states, report.edges), (641, 783));
            report
        });
    }
}

mod editing {
    use super::{Bencher, Document, TIC_TAC_TOE};

    /// A text of 500 lines: tic-tac-toe, and rules that only watch.
    fn long_text() -> String {
        let watch = |number: usize| {
            format!("\nrule Watch{number}(square)\n  wait for mark(X, square)\n  wait for win\n")
        };
        let lines = TIC_TAC_TOE.lines().count();
        let more: String = (0..(500 - lines) / 4).map(watch).collect();
        format!("{TIC_TAC_TOE}{more}")
    }

    /// What a language server does after a key was pressed: all mistakes and the words that can follow.
    #[divan::bench]
    fn a_keystroke_in_500_lines(bencher: Bencher<'_, '_>) {
        let text = long_text();
        assert_eq!(text.lines().count() / 10, 50);
        let mistaken = text.replacen("wait for mark(X, square)", "wait for mrak(X, square)", 1);
        let end = u32::try_from(text.len()).expect("a text is short");
        bencher.bench(|| {
            let fine = Document::read(divan::black_box(&*text));
            assert_eq!(fine.check(&[]).len(), 0);
            assert!(fine.completions_at(end).len() > 10);
            assert_eq!(Document::read(divan::black_box(&*mistaken)).check(&[]).len(), 1);
        });
    }
}
