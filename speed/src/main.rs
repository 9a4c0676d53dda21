//! Random games and simulations beside those of the crate `board-game`, in turn and on one core; a
//! tournament of random games on two; and how long positions of Connect Four take to be solved. Every
//! answer is asserted each time that it is timed. The table of `docs/players.md` comes from one run: its
//! rows are printed as they stand there.

use std::fmt::Debug;
use std::thread;
use std::time::{Duration, Instant};

use board_game::ai::mcts::mcts_build_tree;
use board_game::board::{AltBoard, Board, Outcome};
use board_game::games::connect4::Connect4;
use board_game::games::sttt::STTTBoard;
use board_game::games::ttt::TTTBoard;
use game::{
    AnyGame, Fixture, Game, Generator, MctsPlayer, Player, PlayerKind, PlayerView, SearchBudget,
    Seat, StopFlag, Turn, playout,
};
use games::connect_four::{ConnectFour, ConnectFourSearch, Position};
use games::tic_tac_toe;
use games::ultimate::Ultimate;
use rand::SeedableRng;
use rand::rngs::SmallRng;

/// How often each side is timed.
const ROUNDS: usize = 40;

const SEED: u64 = 2026;

/// The exploration of `board-game`'s own examples.
const EXPLORATION: f32 = 2.0;

fn main() {
    let tic_tac_toe = tic_tac_toe::game();
    println!("| | here | `board-game` | times | goal | times, fastest of {ROUNDS} |");
    println!("|---|---|---|---|---|---|");
    compare_playouts(
        "random games of tic-tac-toe, by b-threads",
        2.0,
        &tic_tac_toe,
        &TTTBoard::default(),
        50_000,
    );
    compare_playouts(
        "random games of Connect Four",
        1.5,
        &ConnectFour,
        &Connect4::default(),
        10_000,
    );
    compare_playouts("random games of ultimate", 1.5, &Ultimate, &STTTBoard::default(), 5_000);
    compare_mcts("simulations of tic-tac-toe", 1.5, &tic_tac_toe, &TTTBoard::default(), 2_000);
    compare_mcts("simulations of Connect Four", 1.5, &ConnectFour, &Connect4::default(), 10_000);
    time_tournament();
    time_solver();
}

fn compare_playouts<G: Game, B: Board>(name: &str, goal: f64, game: &G, board: &B, games: u32) {
    compare(name, goal, games, || our_draws(game, games), || their_draws(board, games));
}

fn compare_mcts<G: Game, B: AltBoard>(name: &str, goal: f64, game: &G, board: &B, count: u32) {
    compare(name, goal, count, || our_move(game, count), || their_visits(board, count));
}

/// Times both sides in turn, and prints how many items each does in a second.
fn compare<A: PartialEq + Debug, B: PartialEq + Debug>(
    name: &str,
    goal: f64,
    items: u32,
    ours: impl Fn() -> A,
    theirs: impl Fn() -> B,
) {
    let (our_answer, their_answer) = (ours(), theirs());
    let (mut our_times, mut their_times) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        our_times.push(time(&ours, &our_answer));
        their_times.push(time(&theirs, &their_answer));
    }
    let (ours, theirs) = (rates(items, our_times), rates(items, their_times));
    println!(
        "| {name} | {:.2} | {:.2} | {:.2} | {goal} | {:.2} |",
        ours.median,
        theirs.median,
        ours.median / theirs.median,
        ours.fastest / theirs.fastest
    );
}

fn time<A: PartialEq + Debug>(run: impl Fn() -> A, expected: &A) -> Duration {
    let start = Instant::now();
    assert_eq!(run(), *expected);
    start.elapsed()
}

/// Millions of items in a second.
struct Rates {
    median: f64,
    fastest: f64,
}

fn rates(items: u32, mut times: Vec<Duration>) -> Rates {
    times.sort_unstable();
    let rate = |time: Duration| f64::from(items) / time.as_secs_f64() / 1e6;
    Rates { median: rate(times[times.len() / 2]), fastest: rate(times[0]) }
}

fn our_draws<G: Game>(game: &G, games: u32) -> u32 {
    let (mut generator, start) = (Generator::seeded(SEED), game.start());
    let mut position = start.clone();
    let is_draw = |_: &u32| {
        position.clone_from(&start);
        let outcome = playout(game, &mut position, &mut generator);
        outcome.expect("the rules are right").is_draw()
    };
    (0..games).filter(is_draw).fold(0, |draws, _| draws + 1)
}

fn their_draws<B: Board>(start: &B, games: u32) -> u32 {
    let mut generator = SmallRng::seed_from_u64(SEED);
    let is_draw = |_: &u32| {
        let mut board = start.clone();
        loop {
            if let Some(outcome) = board.outcome() {
                return outcome == Outcome::Draw;
            }
            board.play_random_available_move(&mut generator).expect("the game is not over");
        }
    };
    (0..games).filter(is_draw).fold(0, |draws, _| draws + 1)
}

fn our_move<G: Game>(game: &G, simulations: u32) -> G::Move {
    let (stop, start) = (StopFlag::default(), game.start());
    let player = MctsPlayer::new(game, Seat::FIRST, simulations, SEED, &stop);
    let mut player = player.expect("nothing is hidden");
    let view = PlayerView::new(game, &start, Seat::FIRST, &[]);
    let chosen = player.choose(&view).expect("there is a move").chosen;
    // Neither search may end early because the game is solved.
    assert_eq!(player.simulated(), simulations);
    chosen
}

fn their_visits<B: AltBoard>(start: &B, simulations: u32) -> i64 {
    let mut generator = SmallRng::seed_from_u64(SEED);
    let tree = mcts_build_tree(start, simulations.into(), EXPLORATION, &mut generator);
    assert_eq!(tree[0].visits, simulations.into());
    tree[0].visits
}

/// 100,000 games of random players on two cores, as `cradle tournament` plays them.
fn time_tournament() {
    const GAMES: u64 = 100_000;
    const AT_ONCE: usize = 64;
    let game = AnyGame::new(tic_tac_toe::game());
    let fixtures: Vec<Fixture> =
        (0..GAMES).map(|seed| Fixture { players: vec![0, 0], seed }).collect();
    let chunks: Vec<&[Fixture]> = fixtures.chunks(AT_ONCE).collect();
    let play = |first: usize| {
        let (random, stop) = ([PlayerKind::Random], StopFlag::default());
        let plies = chunks.iter().skip(first).step_by(2).map(|chunk| {
            let records = game.contests(&random, chunk, &stop).expect("it can play");
            let plies = |record| Some(u64::from(Option::<game::GameRecord>::as_ref(record)?.plies));
            records.iter().map(plies).sum::<Option<u64>>().expect("nobody stops it")
        });
        plies.sum::<u64>()
    };
    let both = || {
        thread::scope(|scope| {
            let other = scope.spawn(|| play(1));
            play(0) + other.join().expect("it does not panic")
        })
    };
    let plies = both();
    let mut times: Vec<Duration> = (0..ROUNDS).map(|_| time(both, &plies)).collect();
    times.sort_unstable();
    println!(
        "{GAMES} random games of tic-tac-toe on two cores: {:?} (fastest {:?}); goal 100 ms",
        times[times.len() / 2],
        times[0]
    );
}

/// The sum of the scores of the thousand positions below.
const SUM_OF_SCORES: i32 = 382;

/// 1,000 random positions of 16 stones in which nobody wins at once.
fn time_solver() {
    const POSITIONS: usize = 1_000;
    let stop = StopFlag::default();
    let (mut generator, mut times, mut visited) = (Generator::seeded(16), Vec::new(), 0);
    let mut sum = 0;
    while times.len() < POSITIONS {
        let Some(position) = quiet_position(&mut generator) else { continue };
        let mut budget = SearchBudget::new(u64::MAX, &stop);
        let start = Instant::now();
        let score = ConnectFourSearch::default().score(&position, &mut budget);
        times.push(start.elapsed());
        sum += score.expect("the budget suffices");
        visited += budget.steps();
    }
    assert_eq!(sum, SUM_OF_SCORES);
    let all: Duration = times.iter().sum();
    times.sort_unstable();
    let [median, slow] = [POSITIONS / 2, POSITIONS * 99 / 100].map(|place| times[place]);
    println!(
        "Connect Four of 16 stones: median {median:?} (goal 100 ms), 99 of 100 within {slow:?} (goal \
         1 s), slowest {:?}; {:.1} M positions/s (goal 10)",
        times[POSITIONS - 1],
        f64::from(u32::try_from(visited).expect("it is less than four thousand millions"))
            / all.as_secs_f64()
            / 1e6
    );
}

fn quiet_position(generator: &mut Generator) -> Option<Position> {
    const STONES: u32 = 16;
    let mut position = ConnectFour.start();
    for _ in 0..STONES {
        ConnectFour.play_at_random(&mut position, generator).expect("the rules are right");
    }
    let Turn::One(seat) = ConnectFour.turn(&position) else { return None };
    let wins = |column| {
        let next = ConnectFour.play(&position, seat, column).expect("the move is legal");
        ConnectFour.turn(&next).outcome().is_some()
    };
    let has_win = ConnectFour.legal_moves(&position, seat).any(wins);
    (!has_win).then_some(position)
}
