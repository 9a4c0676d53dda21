//! Random games and simulations beside those of the crate `board-game`, in turn and on one core, and a
//! tournament of random games on two. Every answer is asserted each time that it is timed.

use std::fmt::Debug;
use std::thread;
use std::time::{Duration, Instant};

use board_game::ai::mcts::mcts_build_tree;
use board_game::board::{AltBoard, Board, Outcome};
use board_game::games::connect4::Connect4;
use board_game::games::sttt::STTTBoard;
use board_game::games::ttt::TTTBoard;
use game::{
    AnyGame, Game, Generator, MctsPlayer, Player, PlayerKind, PlayerView, Seat, StopFlag, playout,
};
use games::connect_four::ConnectFour;
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
    compare_playouts(
        "random games of tic-tac-toe",
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
        "{name}: {:.2} M/s, board-game {:.2} M/s: {:.2} times (fastest {:.2} and {:.2}: {:.2} \
         times); goal {goal}",
        ours.median,
        theirs.median,
        ours.median / theirs.median,
        ours.fastest,
        theirs.fastest,
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
    let view = PlayerView::new(game, &start, Seat::FIRST, &[]);
    player.expect("nothing is hidden").choose(&view).expect("there is a move").chosen
}

fn their_visits<B: AltBoard>(start: &B, simulations: u32) -> i64 {
    let mut generator = SmallRng::seed_from_u64(SEED);
    let tree = mcts_build_tree(start, simulations.into(), EXPLORATION, &mut generator);
    // Neither search may end early because the game is solved.
    assert_eq!(tree[0].visits, simulations.into());
    tree[0].visits
}

/// 100,000 games of random players on two cores, as `cradle tournament` plays them.
fn time_tournament() {
    const GAMES: u64 = 100_000;
    let game = AnyGame::new(tic_tac_toe::game());
    let play = |first: u64| {
        let (random, stop) = (PlayerKind::Random, StopFlag::default());
        let seeds = (first..GAMES).step_by(2);
        let plies = seeds.map(|seed| {
            let record = game.contest(&[&random, &random], seed, &stop);
            u64::from(record.expect("it can play").expect("nobody stops it").plies)
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
