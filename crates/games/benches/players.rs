//! Speed of players, tournaments and solvers. Every number is for one core, except where two are named,
//! and every benchmark asserts the answer that it times.

use std::thread;

use divan::Bencher;
use divan::counter::ItemsCount;
use game::{
    AlphaBeta, AnyGame, Fixture, Game, GameRecord, Generator, MctsPlayer, NoChance, Outcome,
    Picture, Player, PlayerKind, PlayerView, SearchBudget, Seat, StopFlag, Turn, Viewer,
};
use games::connect_four::{ConnectFour, ConnectFourSearch, Position};
use games::mnk::opening_value;
use games::pig::{Pig, PigSolution};
use games::tic_tac_toe;

fn main() {
    divan::main();
}

/// The move of a player with this many simulations at the start. Items are simulations.
fn time_mcts<G: Game>(bencher: Bencher<'_, '_>, game: &G, simulations: u32) {
    let (stop, start) = (StopFlag::default(), game.start());
    let choose = || {
        let player = MctsPlayer::new(game, Seat::FIRST, simulations, 7, &stop);
        let mut player = player.expect("the game hides nothing");
        let view = PlayerView::new(game, &start, Seat::FIRST, &[]);
        let chosen = player.choose(&view).expect("there is a move").chosen;
        // The search may not end early because the game is solved.
        assert_eq!(player.simulated(), simulations);
        chosen
    };
    let expected = choose();
    bencher
        .counter(ItemsCount::new(simulations))
        .bench_local(|| assert_eq!(choose(), divan::black_box(expected.clone())));
}

mod mcts {
    use super::{Bencher, ConnectFour, tic_tac_toe, time_mcts};

    // Fewer simulations than a proof of the whole game needs.
    #[divan::bench]
    fn tic_tac_toe(bencher: Bencher<'_, '_>) {
        time_mcts(bencher, &tic_tac_toe::game(), 2_000);
    }

    #[divan::bench]
    fn connect_four(bencher: Bencher<'_, '_>) {
        time_mcts(bencher, &ConnectFour, 10_000);
    }
}

/// Tic-tac-toe without b-threads.
#[derive(Clone, Copy, Debug)]
struct PlainTicTacToe;

/// The marks of X and O, one bit for each square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct PlainBoard([u16; 2]);

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// Squares, one bit for each.
struct Places(u16);

impl Iterator for Places {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let place = u8::try_from(self.0.trailing_zeros()).ok().filter(|place| *place < 9)?;
        self.0 &= self.0 - 1;
        Some(place)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Places {}

impl PlainBoard {
    fn has_line(self, seat: Seat) -> bool {
        LINES.iter().any(|line| self.0[seat.index()] & line == *line)
    }

    fn taken(self) -> u16 {
        self.0[0] | self.0[1]
    }
}

impl Game for PlainTicTacToe {
    type Position = PlainBoard;
    type Move = u8;
    type Chance = NoChance;

    fn name(&self) -> String {
        "plain".to_owned()
    }

    fn seats(&self) -> Vec<&str> {
        vec!["X", "O"]
    }

    fn start(&self) -> PlainBoard {
        PlainBoard([0; 2])
    }

    fn turn(&self, board: &PlainBoard) -> Turn {
        if board.has_line(Seat::FIRST) {
            Turn::Over(Outcome::won_by(Seat::FIRST))
        } else if board.has_line(Seat::SECOND) {
            Turn::Over(Outcome::won_by(Seat::SECOND))
        } else if board.taken() == 0o777 {
            Turn::Over(Outcome::draw())
        } else if board.taken().count_ones().is_multiple_of(2) {
            Turn::One(Seat::FIRST)
        } else {
            Turn::One(Seat::SECOND)
        }
    }

    fn legal_moves<'a>(
        &'a self,
        board: &'a PlainBoard,
        _: Seat,
    ) -> impl ExactSizeIterator<Item = u8> + 'a {
        Places(0o777 & !board.taken())
    }

    fn apply(&self, board: &mut PlainBoard, seat: Seat, chosen: &u8) {
        board.0[seat.index()] |= 1 << chosen;
    }

    fn text(&self, board: &PlainBoard) -> String {
        format!("{board:?}")
    }

    fn picture(&self, board: &PlainBoard, _: Viewer) -> Picture {
        Picture::in_words([self.text(board)])
    }
}

mod alpha_beta {
    use super::{AlphaBeta, Bencher, Game, PlainTicTacToe, SearchBudget, StopFlag, tic_tac_toe};

    fn time_solving<G: Game>(bencher: Bencher<'_, '_>, game: &G) {
        let (stop, start) = (StopFlag::default(), game.start());
        bencher.bench_local(|| {
            let mut search = AlphaBeta::new(game, SearchBudget::new(u64::MAX, &stop));
            assert_eq!(search.solve(divan::black_box(&start)), Ok(0));
        });
    }

    #[divan::bench]
    fn tic_tac_toe_by_b_threads(bencher: Bencher<'_, '_>) {
        time_solving(bencher, &tic_tac_toe::game());
    }

    #[divan::bench]
    fn plain_tic_tac_toe(bencher: Bencher<'_, '_>) {
        time_solving(bencher, &PlainTicTacToe);
    }
}

mod tournaments {
    use super::{
        AnyGame, Bencher, Fixture, GameRecord, ItemsCount, PlayerKind, StopFlag, thread,
        tic_tac_toe,
    };

    const GAMES: u64 = 100_000;
    /// As many as a thread of `cradle tournament` takes at once.
    const AT_ONCE: usize = 64;

    fn plies(game: &AnyGame, chunks: &[&[Fixture]], first: usize) -> u64 {
        let (random, stop) = ([PlayerKind::Random], StopFlag::default());
        let plies_of =
            |record: &Option<GameRecord>| u64::from(record.as_ref().expect(PLAYED).plies);
        let played = chunks.iter().skip(first).step_by(2).map(|chunk| {
            let records = game.contests(&random, chunk, &stop).expect("anybody can play at random");
            records.iter().map(plies_of).sum::<u64>()
        });
        played.sum()
    }

    const PLAYED: &str = "nobody stops it";

    /// Items are games of two random players, on two cores.
    #[divan::bench(sample_count = 40, sample_size = 1)]
    fn random_tic_tac_toe_on_two_cores(bencher: Bencher<'_, '_>) {
        let game = AnyGame::new(tic_tac_toe::game());
        let fixture = |seed| Fixture { players: vec![0, 0], seed };
        let fixtures: Vec<Fixture> = (0..GAMES).map(fixture).collect();
        let chunks: Vec<&[Fixture]> = fixtures.chunks(AT_ONCE).collect();
        let play = || {
            thread::scope(|scope| {
                let other = scope.spawn(|| plies(&game, &chunks, 1));
                plies(&game, &chunks, 0) + other.join().expect("it does not panic")
            })
        };
        let expected = play();
        bencher.counter(ItemsCount::new(GAMES)).bench_local(|| assert_eq!(play(), expected));
    }
}

/// The sum of the scores of the thousand positions of 16 stones.
const SUM_OF_SCORES: i32 = 382;

/// Random positions of exactly this many stones in which nobody can win at once.
fn quiet_positions(count: usize, stones: u32) -> Vec<Position> {
    let mut generator = Generator::seeded(16);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = ConnectFour.start();
        for _ in 0..stones {
            ConnectFour.play_at_random(&mut position, &mut generator).expect("the rules are right");
        }
        let Turn::One(seat) = ConnectFour.turn(&position) else { continue };
        let wins = |column| {
            let next = ConnectFour.play(&position, seat, column);
            next.is_ok_and(|next| ConnectFour.turn(&next).outcome().is_some())
        };
        let has_win = ConnectFour.legal_moves(&position, seat).any(wins);
        if !has_win {
            found.push(position);
        }
    }
    found
}

mod solvers {
    use super::{
        Bencher, ConnectFour, ConnectFourSearch, Game, ItemsCount, Pig, PigSolution, Position,
        SUM_OF_SCORES, SearchBudget, Seat, StopFlag, opening_value, quiet_positions,
    };

    /// One position of 16 stones after the other: the median and the slowest are those of 1,000
    /// positions. Each must have the same score again, and all together the known sum.
    #[divan::bench(sample_count = 1_000, sample_size = 1)]
    fn connect_four_of_16_stones(bencher: Bencher<'_, '_>) {
        let stop = StopFlag::default();
        let score = |position: &Position| {
            let mut budget = SearchBudget::new(u64::MAX, &stop);
            ConnectFourSearch::default().score(position, &mut budget).expect("the budget suffices")
        };
        let scored = |position| (score(&position), position);
        let scored: Vec<(i32, Position)> =
            quiet_positions(1_000, 16).into_iter().map(scored).collect();
        assert_eq!(scored.iter().map(|(score, _)| score).sum::<i32>(), SUM_OF_SCORES);
        let mut scored = scored.into_iter().cycle();
        bencher
            .with_inputs(|| scored.next().expect("a cycle has no end"))
            .bench_local_values(|(expected, position)| assert_eq!(score(&position), expected));
    }

    /// Items are positions that the search visits.
    #[divan::bench(sample_count = 3, sample_size = 1)]
    fn connect_four_positions(bencher: Bencher<'_, '_>) {
        const MOST: u64 = 20_000_000;
        let stop = StopFlag::default();
        bencher.counter(ItemsCount::new(MOST)).bench_local(|| {
            let mut budget = SearchBudget::new(MOST, &stop);
            let found = ConnectFourSearch::default().score(&ConnectFour.start(), &mut budget);
            assert!(found.is_err(), "an empty board takes more");
        });
    }

    /// The empty board, which the first player wins by the middle column with the 21st stone, after 41
    /// plies. It takes minutes.
    #[divan::bench(sample_count = 1, sample_size = 1, ignore)]
    fn connect_four_empty(bencher: Bencher<'_, '_>) {
        let stop = StopFlag::default();
        bencher.bench_local(|| {
            let mut budget = SearchBudget::new(u64::MAX, &stop);
            let mut search = ConnectFourSearch::with_large_table();
            let mut value = |position: &Position| {
                let value = search.value(position, &mut budget).expect("the budget suffices");
                (value.score, value.plies)
            };
            let start = ConnectFour.start();
            assert_eq!(value(&start), (Some(1), Some(41)));
            let middle = "4".parse().expect("a column");
            let middle = ConnectFour.play(&start, Seat::FIRST, middle).expect("it is legal");
            assert_eq!(value(&middle), (Some(-1), Some(40)), "the middle column wins as soon");
        });
    }

    /// Five stones: a score that Pascal Pons' solver gives, too. Items are positions that the search visits.
    #[divan::bench(sample_count = 1, sample_size = 1)]
    fn connect_four_44455(bencher: Bencher<'_, '_>) {
        let stop = StopFlag::default();
        let mut position = ConnectFour.start();
        for (column, seat) in "44455".chars().zip([Seat::FIRST, Seat::SECOND].into_iter().cycle()) {
            let column = column.to_string().parse().expect("a column");
            position = ConnectFour.play(&position, seat, column).expect("it is legal");
        }
        bencher.bench_local(|| {
            let mut budget = SearchBudget::new(u64::MAX, &stop);
            let value = ConnectFourSearch::default().value(&position, &mut budget);
            assert_eq!(value.expect("the budget suffices").score, Some(-3));
        });
    }

    #[divan::bench(
        args = [("3,3,3", 0), ("4,4,3", 1), ("4,4,4", 0), ("5,5,4", 0), ("6,5,4", 1)],
        sample_count = 1,
        sample_size = 1
    )]
    fn k_in_a_row(bencher: Bencher<'_, '_>, (size, expected): (&str, i32)) {
        let stop = StopFlag::default();
        bencher.bench_local(|| {
            let size = size.parse().expect("a size");
            let value = opening_value(size, &mut SearchBudget::new(u64::MAX, &stop));
            assert_eq!(value, Ok(expected));
        });
    }

    #[divan::bench(sample_count = 5, sample_size = 1)]
    fn pig(bencher: Bencher<'_, '_>) {
        bencher.bench_local(|| {
            let solution = PigSolution::perfect(&Pig::default()).expect("it is solved");
            assert!((solution.chance(0, 0, 0) - 0.530_592_7).abs() < 1e-7);
        });
    }
}
