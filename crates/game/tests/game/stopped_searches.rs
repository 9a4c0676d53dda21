//! Players whose search is stopped in the middle.

use crate::little_games::coin_row::CoinRow;
use crate::little_games::duel::Duel;
use crate::little_games::stopping::Stopping;
use crate::little_games::subtraction::Subtraction;
use game::{AnyGame, Choice, Equilibrium, Game, MoveText, PlayerKind, PlayerView, Seat, StopFlag};

const SEED: u64 = 5;

fn coins() -> CoinRow {
    let coin =
        |place: i32| i8::try_from((place * place * 7 + 3 * place) % 23 - 5).expect("it is small");
    CoinRow((0..40).map(coin).collect())
}

/// The choice of a player at the start of a game in which the searches are stopped after this many looks.
#[track_caller]
fn stopped<G: Game>(game: G, player: &str, looks: u64) -> Choice<MoveText> {
    let stop = StopFlag::default();
    let stopping = Stopping::of(game, &stop);
    let choice = choose(&stopping, &stop, player, looks);
    assert!(stop.is_set(), "{player} ended before {looks} looks");
    choice
}

#[track_caller]
fn choose<G: Game>(
    stopping: &Stopping<G>,
    stop: &StopFlag,
    player: &str,
    looks: u64,
) -> Choice<MoveText> {
    let game = AnyGame::new(stopping.clone());
    let kind: PlayerKind = player.parse().expect("it is a player");
    let start = game.start();
    // To find out whether a player can play takes looks, too.
    let is_late = !matches!(kind, PlayerKind::Perfect | PlayerKind::Cfr(_));
    let soon = if is_late { u64::MAX } else { looks };
    stopping.after(soon);
    let mut player = game.player_until(stop, &kind, Seat::FIRST, SEED).expect("it can play");
    assert!(!is_late || !stop.is_set());
    stopping.after(looks);
    let view = PlayerView::new(&game, &start, Seat::FIRST, &[]);
    let choice = player.choose(&view).expect("it has a move");
    stopping.after(u64::MAX);
    assert_eq!(game.check(&start, Seat::FIRST, &choice.chosen), Ok(()));
    choice
}

fn why(choice: &Choice<MoveText>) -> &str {
    &choice.explanation.as_ref().expect("it says why").sentence
}

/// The number after a word of an explanation.
fn number_after(choice: &Choice<MoveText>, word: &str) -> u32 {
    let (_, rest) = why(choice).split_once(word).expect("the sentence has the word");
    rest.split_whitespace().next().expect("a number follows").parse().expect("it is a number")
}

/// The choice of a player whom nobody stops.
fn unstopped<G: Game>(game: G, player: &str) -> Choice<MoveText> {
    let stop = StopFlag::default();
    choose(&Stopping::of(game, &stop), &stop, player, u64::MAX)
}

#[test]
fn stopped_simulations_are_those_of_a_smaller_budget() {
    for looks in [300, 1_000, 2_345, 7_000, 20_011] {
        let choice = stopped(Subtraction { stones: 60 }, "mcts:1000000", looks);
        let simulations = number_after(&choice, "after ");
        assert!(simulations > 1, "{choice:?}");
        let whole = unstopped(Subtraction { stones: 60 }, &format!("mcts:{simulations}"));
        assert_eq!(choice, whole, "{looks} looks");
    }
}

#[test]
fn stopped_alpha_beta_keeps_the_best_move_of_its_unfinished_depth() {
    let mut unfinished = 0;
    for looks in (1..40).map(|number| 1_500 * number) {
        let choice = stopped(coins(), "alphabeta:64", looks);
        let depth = number_after(&choice, "at depth ");
        // The depth began with the best move of the one before, so no third answer is possible.
        let before = unstopped(coins(), &format!("alphabeta:{}", depth - 1));
        let whole = unstopped(coins(), &format!("alphabeta:{depth}"));
        assert!([&before.chosen, &whole.chosen].contains(&&choice.chosen), "{choice:?} {before:?}");
        let positions = number_after(&choice, &format!("at depth {depth} after "));
        let of_whole = number_after(&whole, &format!("at depth {depth} after "));
        unfinished += u32::from(positions < of_whole);
    }
    assert!(unfinished > 0, "no depth was stopped after its first move");
}

#[test]
fn stopped_expectiminimax_answers_with_its_last_whole_depth() {
    for looks in [3_000, 6_000, 20_000] {
        let choice = stopped(coins(), "expectiminimax:64", looks);
        let depth = number_after(&choice, "at depth ");
        let whole = unstopped(coins(), &format!("expectiminimax:{depth}"));
        assert_eq!(choice.chosen, whole.chosen, "{choice:?} {whole:?}");
    }
}

#[test]
fn a_stopped_equilibrium_is_that_of_fewer_iterations() {
    let stop = StopFlag::default();
    let stopping = Stopping::of(Duel, &stop);
    // Its tree is built before the first iteration, and nobody looks at positions later.
    stopping.after(50);
    let found = Equilibrium::of(&stopping, 1_000, &stop).unwrap();
    assert!(stop.is_set() && found.iterations() == 1, "{}", found.iterations());
    let once = Equilibrium::of(&Duel, 1, &StopFlag::default()).unwrap();
    let view = Duel.text(&Duel.start());
    assert_eq!(found.strategy(Seat::FIRST, &view), once.strategy(Seat::FIRST, &view));
    let whole = Equilibrium::of(&Duel, 1_000, &StopFlag::default()).unwrap();
    assert_eq!(whole.iterations(), 1_000);
    let choice = stopped(Duel, "cfr:1000", 50);
    assert!(why(&choice).starts_with("cfr expects "), "{choice:?}");
    assert!(why(&choice).contains(" after 1 iterations"), "{choice:?}");
}

#[test]
fn an_equilibrium_that_was_stopped_is_not_kept() {
    let stop = StopFlag::default();
    let stopping = Stopping::of(Duel, &stop);
    stopping.after(50);
    let game = AnyGame::new(stopping.clone());
    game.player_until(&stop, &PlayerKind::Cfr(100), Seat::FIRST, SEED).unwrap();
    stopping.after(u64::MAX);
    let mut player = game.player(&PlayerKind::Cfr(100), Seat::FIRST, SEED).unwrap();
    let start = game.start();
    let choice = player.choose(&PlayerView::new(&game, &start, Seat::FIRST, &[])).unwrap();
    assert!(why(&choice).contains(" after 100 iterations"), "{choice:?}");
}

#[test]
fn a_perfect_player_whose_solution_is_stopped_estimates_and_says_so() {
    // More positions than are visited between two looks at the flag.
    let choice = stopped(coins(), "perfect", 3_000);
    let words = "the search for a perfect move was stopped; this is an estimate: mcts expects ";
    assert!(why(&choice).starts_with(words), "{choice:?}");
    let stop = StopFlag::default();
    let solved = Stopping::of(Subtraction { stones: 21 }, &stop).with_solver();
    let choice = choose(&solved, &stop, "perfect", u64::MAX);
    assert!(stop.is_set() && why(&choice).starts_with(words), "{choice:?}");
    let whole = unstopped(Subtraction { stones: 200 }, "perfect");
    assert!(why(&whole).starts_with("a loss in 100 plies for Ann"), "{whole:?}");
}
