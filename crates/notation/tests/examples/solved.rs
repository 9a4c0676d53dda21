//! Small games as text are solved exactly.

use checker::{BranchTarget, Chooser, ExploredProcess, StateChoices};
use game::{
    AnalysisBudget, AnyGame, AnyPosition, Game, Match, OnIllegalMove, PlayerKind, PlayerView,
    PositionAnalysis, Seat, StopFlag, Turn, Unsolvable, all_seats,
};
use games::pig::PigSolution;

use crate::texts::{built, built_text, text};

fn analyzed(game: &AnyGame, position: &AnyPosition) -> PositionAnalysis {
    let analysis = game.analyze(position, AnalysisBudget::default(), &StopFlag::default());
    analysis.expect("a seat is to move")
}

/// Checks that nim with heaps of three is won by the moves after which the nim sum is 0: those that
/// take a whole heap.
#[track_caller]
fn check_nim(game: &AnyGame) {
    let found = analyzed(game, &game.start());
    assert_eq!((found.method.as_str(), found.value.expected), ("every position", 1.0));
    assert!(found.value.exact);
    let wins = found.moves.iter().filter(|each| each.value.expected > 0.0);
    let wins: Vec<&str> = wins.map(|each| each.chosen.as_str()).collect();
    assert_eq!(found.moves.len(), 9);
    assert_eq!(wins.len(), 3, "{wins:?}");
    assert!(wins.iter().all(|chosen| chosen.ends_with('3')), "{wins:?}");
}

#[test]
fn nim_is_won_by_leaving_a_nim_sum_of_zero() {
    check_nim(&built("nim", &[]).any_game().unwrap());
}

#[test]
fn a_game_that_shows_nothing_is_solved_by_what_its_b_threads_remember() {
    let silent = text("nim").replace(", shows left of heap", "");
    assert!(!silent.contains("shows"), "nothing is shown any more");
    check_nim(&built_text("nim", &silent, &[]).any_game().unwrap());
}

#[test]
fn pig_as_text_is_worth_what_the_solver_of_pig_says() {
    let game = built("pig", &["target=9", "sides=6"]).any_game().unwrap();
    let found = analyzed(&game, &game.start());
    assert_eq!(found.method, "value iteration");
    let solution = PigSolution::perfect(&"9,hold-at-0".parse().unwrap()).unwrap();
    let expected = 2.0 * solution.chance(0, 0, 0) - 1.0;
    assert!(found.value.exact);
    assert!((found.value.expected - expected).abs() < 1e-8, "{} {expected}", found.value.expected);
    let of = |name: &str| found.moves.iter().find(|each| each.chosen == name).unwrap().value;
    assert!(of("roll").expected > of("hold").expected, "to hold nothing gives the turn away");
}

#[test]
fn pig_is_worth_what_the_checker_proves_of_its_text() {
    let game = built("pig", &["target=9", "sides=6"]).any_game().unwrap();
    let target = |next: AnyPosition| match game.turn(&next).outcome() {
        Some(outcome) if outcome.winner() == Some(Seat::FIRST) => BranchTarget::Goal,
        _ => BranchTarget::State(next),
    };
    let expand = |position: &AnyPosition, found: &mut StateChoices<AnyPosition>| {
        match game.turn(position) {
            Turn::One(seat) => {
                let is_first = seat == Seat::FIRST;
                found.chosen_by(if is_first { Chooser::Maximizer } else { Chooser::Minimizer });
                for chosen in game.legal_moves(position, seat) {
                    found.add(1, [(1, target(game.play(position, seat, chosen)?))]);
                }
            }
            Turn::Chance => {
                let mut branches = Vec::new();
                for (drawn, probability) in game.chances(position) {
                    assert!((probability.value() - 1.0 / 6.0).abs() < 1e-12, "the die is fair");
                    let mut next = position.clone();
                    game.advance_chance(&mut next, &drawn)?;
                    branches.push((1, target(next)));
                }
                found.add(1, branches);
            }
            Turn::Over(_) | Turn::Several(_) => {}
        }
        Ok::<(), game::Refusal>(())
    };
    let explored = ExploredProcess::explore(game.start(), 100_000, expand).unwrap();
    let proved = explored.process().game_value().value(0);
    let solution = PigSolution::perfect(&"9,hold-at-0".parse().unwrap()).unwrap();
    let chance = solution.chance(0, 0, 0);
    assert!(proved.width() < 1e-9, "{proved:?}");
    assert!(
        proved.lower <= chance + 1e-12 && chance - 1e-12 <= proved.upper,
        "{proved:?} {chance}"
    );
}

#[test]
fn perfect_play_is_offered_for_small_texts_and_wins() {
    for (name, first) in [("nim", Seat::FIRST), ("pig", Seat::FIRST)] {
        let game = built(name, &[]).any_game().unwrap();
        let stop = StopFlag::default();
        let positions = game.count_positions(&stop, 6_000).unwrap();
        assert!(game.count_positions(&stop, positions).is_ok());
        assert!(game.count_positions(&stop, positions - 1).is_err(), "one more than allowed");
        let kinds = [PlayerKind::Perfect, PlayerKind::Random];
        let mut won = 0;
        for seed in 0..40 {
            let players = all_seats(&game).iter().zip(&kinds);
            let players = players.map(|(seat, kind)| game.player(kind, seat, seed).unwrap());
            let mut players: Vec<_> = players.collect();
            let mut played = Match::new(game.clone(), OnIllegalMove::Loses);
            let outcome = played.run(&mut players, seed, |_, _| ()).unwrap();
            won += u32::from(outcome.winner() == Some(first));
        }
        assert!(won > if name == "nim" { 39 } else { 25 }, "{name}: {won} of 40");
    }
}

/// One rule makes both results, and its b-thread has ended after either.
const BIASED_COIN: &str = "\
game coin \"Heads win\"

seats first, second

event flip         move of first
event heads
event tails
event win(seat)    win of seat

rule EndOfGame \"The game is over\" game_over
  wait for win
  block any

chance Coin
  wait for flip
  request heads 3, tails 1, block flip

rule Result
  wait for flip
  either
    wait for heads
    request win(first), block flip
  or
    wait for tails
    request win(second), block flip
";

#[test]
fn results_that_leave_b_threads_at_the_same_place_are_told_apart() {
    let game = built_text("coin", BIASED_COIN, &[]).any_game().unwrap();
    let found = analyzed(&game, &game.start());
    assert_eq!(found.method, "value iteration");
    assert!(found.value.exact);
    assert!((found.value.expected - 0.5).abs() < 1e-9, "{}", found.value.expected);
    let after = |drawn: &str| {
        let mut position = game.play(&game.start(), Seat::FIRST, "flip".parse().unwrap()).unwrap();
        game.advance_chance(&mut position, &drawn.parse().unwrap()).unwrap();
        game.key(&position).expect("few b-threads are known")
    };
    assert_ne!(after("heads"), after("tails"));
}

/// A player who flips the coin loses, so both pass for ever.
const DARE: &str = "\
game dare \"Nobody dares\"

seats first, second
set side = heads, tails

event flip(seat)   move of seat
event pass(seat)   move of seat
event comes(side)
event win(seat)    win of seat

rule EndOfGame \"The game is over\" game_over
  wait for win
  block any

chance Coin
  forever
    wait for flip
    request comes, block flip or pass

rule Turns \"It is not your turn\" not_your_turn
  keep mover = first
  forever
    wait for pass or flip, block pass(mover.next) or flip(mover.next)
    mover = mover.next

rule Lost
  wait for flip(?who)
  wait for comes
  request win(who.next), block flip or pass
";

#[test]
fn a_game_that_both_can_draw_out_for_ever_is_not_called_solved() {
    let game = built_text("dare", DARE, &[]).any_game().unwrap();
    let stop = StopFlag::default();
    assert_eq!(game.count_positions(&stop, 6_000), Err(Unsolvable::Endless));
    assert!(!analyzed(&game, &game.start()).value.exact);
}

/// The lead of the first seat if nobody makes a mistake, without any table.
fn lead(game: &AnyGame, position: &AnyPosition) -> i32 {
    let seat = match game.turn(position) {
        Turn::One(seat) => seat,
        Turn::Over(outcome) => return outcome.score(Seat::FIRST) - outcome.score(Seat::SECOND),
        other => unreachable!("{other:?} in a game without chance"),
    };
    let next = game.legal_moves(position, seat).map(|chosen| {
        let next = game.play(position, seat, chosen).expect("the move is legal");
        lead(game, &next)
    });
    let best = if seat == Seat::FIRST { next.max() } else { next.min() };
    best.expect("a seat whose turn it is has a legal move")
}

#[test]
fn dots_and_boxes_is_searched_to_its_end() {
    let game = built("dots-and-boxes", &[]).any_game().unwrap();
    let mut position = game.start();
    for _ in 0..6 {
        let Turn::One(seat) = game.turn(&position) else { unreachable!("it is not over") };
        let chosen = game.legal_moves(&position, seat).next().unwrap();
        game.advance(&mut position, seat, chosen).unwrap();
    }
    let Turn::One(seat) = game.turn(&position) else { unreachable!("it is not over") };
    let found = analyzed(&game, &position);
    assert_eq!((found.method.as_str(), found.value.exact), ("alpha-beta", true));
    let sign = if seat == Seat::FIRST { 1 } else { -1 };
    let expected = sign * lead(&game, &position);
    assert!((found.value.expected - f64::from(expected.signum())).abs() < 1e-9);
    assert_eq!(found.value.score, (expected.abs() > 1).then_some(expected));
    for (chosen, each) in game.legal_moves(&position, seat).zip(&found.moves) {
        let next = game.play(&position, seat, chosen).unwrap();
        let expected = sign * lead(&game, &next);
        let difference = each.value.expected - f64::from(expected.signum());
        assert!(difference.abs() < 1e-9, "{}", each.chosen);
    }
}

/// X takes a point and wins, or two points, after which O gets three and wins.
const SAFE_OR_GREEDY: &str = "\
game most \"X chooses safe or greedy\"
seats X, O
set kind = safe, greedy
event pick(seat, kind) move of seat
event point(seat, k: kind) scores 1 for seat
event fin most wins
rule Over \"over\" over
  wait for fin
  block any
rule T \"turn\" turn
  block pick(O)
rule Pay
  either
    wait for pick(X, safe)
    request point(X), block pick
  or
    wait for pick(X, greedy)
    request point(X), block pick
    request point(X), block pick
    3 times: request point(O), block pick
  request fin, block pick
";

#[track_caller]
fn choice_at_the_start(game: &AnyGame, player: &str) -> String {
    let kind: PlayerKind = player.parse().expect("the name of a player");
    let mut player = kind.player(game, Seat::FIRST, 1).expect("it can play this game");
    let start = game.start();
    let choice = player.choose(&PlayerView::new(game, &start, Seat::FIRST, &[]));
    choice.expect("it chooses").chosen.to_string()
}

#[test]
fn players_win_instead_of_collecting_points_where_most_wins() {
    let game = built_text("most", SAFE_OR_GREEDY, &[]).any_game().unwrap();
    for player in ["hard", "mcts:500", "alphabeta:4", "expectiminimax:4", "perfect"] {
        assert_eq!(choice_at_the_start(&game, player), "safe", "{player}");
    }
    let found = analyzed(&game, &game.start());
    assert_eq!(
        (found.method.as_str(), found.line.as_slice()),
        ("every position", &["safe".to_owned()][..])
    );
    assert!(found.value.exact);
    assert_eq!(found.value.to_string(), "a win in 1 ply");
    let greedy = found.moves.iter().find(|each| each.chosen == "greedy").unwrap();
    assert_eq!(greedy.value.to_string(), "a loss in 1 ply");
}

/// Move 2 wins, and move 1 changes nothing.
const WIN_AT_ANY_TIME: &str = "\
game solo \"one seat\"
seats P
set n = 1..2
event m(seat, n) move of seat
event w(seat) win of seat
rule Over \"over\" over
  wait for w
  block any
rule T \"turn\"
  wait for m(P, 2)
  request w(P), block m
";

#[test]
fn a_single_seat_takes_its_win_at_once_where_the_game_could_go_on_for_ever() {
    let game = built_text("solo", WIN_AT_ANY_TIME, &[]).any_game().unwrap();
    for player in ["easy", "fair", "hard", "mcts:500", "alphabeta:4", "expectiminimax:2"] {
        assert_eq!(choice_at_the_start(&game, player), "2", "{player}");
    }
    assert_eq!(analyzed(&game, &game.start()).line, ["2"]);
}

#[test]
fn a_single_seat_takes_a_shorter_win_before_a_longer_one() {
    let later = WIN_AT_ANY_TIME.replace("  wait for m(P, 2)\n", "  2 times: wait for m(P, 2)\n");
    let game = built_text("solo", &later, &[]).any_game().unwrap();
    for seed in 0..20 {
        let mut player = vec![PlayerKind::Mcts(200).player(&game, Seat::FIRST, seed).unwrap()];
        let mut played = Match::new(game.clone(), OnIllegalMove::Loses);
        played.run(&mut player, seed, |_, _| ()).unwrap();
        assert_eq!(played.history().len(), 2, "seed {seed}");
    }
}
