//! Players that search, in the games of the catalog.

use game::{
    AlphaBeta, AnalysisBudget, AnyGame, CannotAnalyze, Equilibrium, Game, Match, OnIllegalMove,
    PlayerKind, PlayerView, Ply, SearchBudget, Seat, SkillLevel, StopFlag, Turn, all_seats,
};
use games::catalog;
use games::connect_four::ConnectFour;
use games::kuhn_poker::KuhnPoker;
use games::odds_and_evens::OddsAndEvens;
use games::tic_tac_toe;

const FINE: &str = "nothing is wrong with these games, players and moves";

fn kind(name: &str) -> PlayerKind {
    name.parse().expect(FINE)
}

/// The transcript of a match between players of these kinds: moves and explanations.
fn play(game: &AnyGame, kinds: &[&str], seed: u64) -> Vec<String> {
    let players = all_seats(game).iter().zip(kinds);
    let players = players.map(|(seat, name)| game.player(&kind(name), seat, seed).expect(FINE));
    let mut players: Vec<_> = players.collect();
    let mut played = Match::new(game.clone(), OnIllegalMove::Loses);
    let mut lines = Vec::new();
    let outcome = played.run(&mut players, seed, |now, explanations| {
        lines.push(format!("{} {explanations:?}", game.text(now.position())));
    });
    lines.push(format!("{outcome:?}"));
    lines
}

/// The points of the first of two players in a number of games with swapped seats, from 0 to 1.
fn share(game: &AnyGame, first: &str, second: &str, games: u32) -> f64 {
    let (first, second) = (kind(first), kind(second));
    let mut half_points = 0;
    for seed in 0..u64::from(games) {
        let (players, seat) = if seed % 2 == 0 {
            ([&first, &second], Seat::FIRST)
        } else {
            ([&second, &first], Seat::SECOND)
        };
        let record = game.contest(&players, seed, &StopFlag::default()).expect(FINE).expect(FINE);
        assert_eq!(record.forfeiture, None);
        half_points += match record.outcome.score(seat) {
            1.. => 2,
            0 => 1,
            _ => 0,
        };
    }
    f64::from(half_points) / 2.0 / f64::from(games)
}

#[test]
fn every_game_is_played_by_simulations_or_by_an_equilibrium() {
    for listed in catalog::CATALOG {
        let game = catalog::game(listed.example).expect(FINE);
        let name = if game.hides() { "cfr:50" } else { "mcts:5" };
        let kinds = vec![name; game.seats().len()];
        let lines = play(&game, &kinds, 3);
        assert!(lines.last().expect(FINE).starts_with("Ok"), "{}: {lines:?}", listed.name);
    }
}

#[test]
fn the_same_seed_leads_to_the_same_moves_and_explanations() {
    for (game, players) in [
        ("tic-tac-toe", ["mcts:50", "alphabeta:3"]),
        ("connect-four", ["mcts:30", "heuristic"]),
        ("pig:20", ["mcts:30", "expectiminimax:3"]),
        ("odds-and-evens", ["mcts:50", "cfr:20"]),
        ("kuhn-poker", ["cfr:20", "cfr:20"]),
    ] {
        let game = catalog::game(game).expect(FINE);
        assert_eq!(play(&game, &players, 11), play(&game, &players, 11));
        let differ = (0..20).any(|seed| play(&game, &players, seed) != play(&game, &players, 11));
        assert!(differ, "the seed decides");
    }
}

#[track_caller]
fn refused(player: &str, game: &str, expected: &str) {
    let game = catalog::game(game).expect(FINE);
    let error = game.player(&kind(player), Seat::FIRST, 0).expect_err("it cannot play");
    assert_eq!(error.reason, expected, "{error}");
    assert_eq!(error.player, player);
}

#[test]
fn a_player_refuses_games_that_it_cannot_play() {
    refused("mcts:10", "kuhn-poker", "something is hidden there");
    refused("alphabeta:2", "kuhn-poker", "something is hidden there");
    refused("alphabeta:2", "pig", "chance decides there");
    refused("alphabeta:2", "odds-and-evens", "seats choose at the same time there");
    refused("expectiminimax:2", "odds-and-evens", "seats choose at the same time there");
    refused("heuristic", "wild", "nobody has written an estimate of its positions");
    refused("cfr:10", "tic-tac-toe", "its tree has more than 20000 nodes");
    refused("perfect", "connect-four", "its first moves take too long to solve");
}

/// The move of a player after these moves of tic-tac-toe, and its explanation.
fn answer(name: &str, moves: &str) -> (String, String) {
    let game = catalog::game("tic-tac-toe").expect(FINE);
    let (mut position, mut history) = (game.start(), Vec::new());
    for text in moves.split_whitespace() {
        let Turn::One(seat) = game.turn(&position) else { unreachable!("{moves} is over") };
        let chosen = game.read_move(text).expect(FINE);
        game.advance(&mut position, seat, chosen.clone()).expect(FINE);
        history.push(Ply::Moves(vec![(seat, chosen)]));
    }
    let Turn::One(seat) = game.turn(&position) else { unreachable!("{moves} is over") };
    let mut player = game.player(&kind(name), seat, 5).expect(FINE);
    let choice = player.choose(&PlayerView::new(&game, &position, seat, &history)).expect(FINE);
    (choice.chosen.to_string(), choice.explanation.expect(FINE).sentence)
}

#[test]
fn searches_win_where_they_can_and_stop_what_they_must() {
    for name in ["mcts:200", "alphabeta:4", "expectiminimax:4"] {
        assert_eq!(answer(name, "a1 a2 b1 b2").0, "c1", "{name} completes its line");
        assert_eq!(answer(name, "a1 b2 b1").0, "c1", "{name} stops the other line");
    }
    assert_eq!(answer("heuristic", "a1 a2 b1 b2").0, "c1");
}

#[test]
fn explanations_have_a_value_a_line_and_counts() {
    let (_, sentence) = answer("alphabeta:9", "a1 b1");
    assert!(
        sentence.starts_with("alpha-beta sees a win in 5 plies for X at depth 5"),
        "{sentence}"
    );
    let (chosen, sentence) = answer("mcts:300", "a1 b1");
    assert!(sentence.contains(&format!("best line {chosen} ")), "{sentence}");
    assert!(sentence.contains(&format!("{chosen} was tried ")), "{sentence}");
    let (_, sentence) = answer("mcts:300", "a1 a2 b1 b2");
    assert!(sentence.starts_with("mcts has proved +1 for X"), "{sentence}");
    let (chosen, sentence) = answer("expectiminimax:9", "a1 b1");
    let start = format!("expectiminimax expects +1.000 for X by {chosen} at depth 7 after ");
    assert!(sentence.starts_with(&start), "{sentence}");
    assert!(sentence.contains(&format!("; best line {chosen} ")), "{sentence}");
    let (chosen, sentence) = answer("perfect", "a1 b1");
    let start = format!("a win in 5 plies for X; 4 other moves are worse; best line {chosen} ");
    assert!(sentence.starts_with(&start), "{sentence}");
}

// Searches that are stopped in the middle are tested in the crate `game`.
#[test]
fn a_search_that_is_stopped_before_it_begins_answers_with_a_legal_move() {
    let game = catalog::game("connect-four").expect(FINE);
    let stop = StopFlag::default();
    stop.stop();
    for name in ["mcts:1000000", "alphabeta:64", "expectiminimax:64"] {
        let mut player = game.player_until(&stop, &kind(name), Seat::FIRST, 0).expect(FINE);
        let start = game.start();
        let choice = player.choose(&PlayerView::new(&game, &start, Seat::FIRST, &[])).expect(FINE);
        assert_eq!(game.check(&start, Seat::FIRST, &choice.chosen), Ok(()), "{name}");
    }
}

#[test]
fn alpha_beta_solves_tic_tac_toe() {
    let game = tic_tac_toe::game();
    let stop = StopFlag::default();
    let mut search = AlphaBeta::new(&game, SearchBudget::new(100_000, &stop));
    assert_eq!(search.solve(&game.start()), Ok(0));
    let position = game.play(&game.start(), Seat::FIRST, "a1".parse().expect(FINE)).expect(FINE);
    let position = game.play(&position, Seat::SECOND, "b1".parse().expect(FINE)).expect(FINE);
    assert_eq!(search.solve(&position), Ok(1));
}

/// How long that takes depends on the machine, and this number does not.
#[test]
fn alpha_beta_solves_tic_tac_toe_in_less_than_three_thousand_positions() {
    let (game, stop) = (tic_tac_toe::game(), StopFlag::default());
    let mut search = AlphaBeta::new(&game, SearchBudget::new(3_000, &stop));
    assert_eq!(search.solve(&game.start()), Ok(0));
}

#[test]
fn a_thousand_simulations_draw_a_thousand_games_against_perfect_play() {
    let game = catalog::game("tic-tac-toe").expect(FINE);
    let points = share(&game, "mcts:1000", "perfect", 1_000);
    assert!((points - 0.5).abs() < 1e-9, "{points}");
}

/// The levels of a game, the weakest first.
fn levels(game: &AnyGame) -> Vec<SkillLevel> {
    SkillLevel::ALL.into_iter().filter(|level| game.level(*level).is_some()).collect()
}

/// Checks that each level of a game scores at least 60 % against the one below.
#[track_caller]
fn check_levels(name: &str, games: u32) {
    let game = catalog::game(name).expect(FINE);
    let levels = levels(&game);
    assert_eq!(levels, SkillLevel::ALL, "{name}");
    for pair in levels.windows(2) {
        let points = share(&game, pair[1].name(), pair[0].name(), games);
        let (below, level) = (pair[0], pair[1]);
        assert!(points >= 0.6, "{name}: {level} scores {points} against {below}");
    }
}

#[test]
fn each_level_is_stronger_than_the_one_below() {
    for listed in catalog::CATALOG {
        let games = match listed.name {
            "tic-tac-toe" | "misere" | "notakto" | "wild" => 600,
            // Luck decides the games: see the tests of both below.
            "kuhn-poker" | "odds-and-evens" => continue,
            "pig" => 60,
            _ => 20,
        };
        check_levels(listed.example, games);
    }
}

#[test]
fn each_level_is_stronger_than_the_one_below_on_large_boards() {
    check_levels("mnk:7,7,5", 20);
    check_levels("mnk:8,8,5", 60);
    check_levels("mnk:15,15,5", 10);
}

#[test]
fn perfect_is_stronger_than_hard_on_small_boards() {
    for name in ["tic-tac-toe", "misere", "notakto", "wild"] {
        let points = share(&catalog::game(name).expect(FINE), "perfect", "hard", 600);
        assert!(points >= 0.6, "{name}: perfect scores {points} against hard");
    }
}

/// The chips that the first of two players wins in a number of games with swapped seats.
fn chips(game: &AnyGame, first: &str, second: &str, seeds: std::ops::Range<u64>) -> i32 {
    let (first, second) = (kind(first), kind(second));
    seeds
        .map(|seed| {
            let (players, seat) = if seed % 2 == 0 {
                ([&first, &second], Seat::FIRST)
            } else {
                ([&second, &first], Seat::SECOND)
            };
            let record = game.contest(&players, seed, &StopFlag::default());
            record.expect(FINE).expect(FINE).outcome.score(seat)
        })
        .sum()
}

/// An equilibrium folds bad cards: it wins fewer games than random moves do, and more chips.
#[test]
fn hard_has_more_chips_than_easy_after_a_hundred_games_of_poker() {
    let game = catalog::game("kuhn-poker").expect(FINE);
    assert_eq!(levels(&game), [SkillLevel::Easy, SkillLevel::Hard]);
    let evenings = (0..100_u64).map(|evening| 100 * evening..100 * (evening + 1));
    let ahead = evenings.filter(|seeds| chips(&game, "hard", "easy", seeds.clone()) > 0).count();
    assert!(ahead >= 60, "{ahead} of 100 evenings");
}

/// Whatever the other seat does, even chances win half of the games.
#[test]
fn luck_decides_odds_and_evens() {
    let game = catalog::game("odds-and-evens").expect(FINE);
    let points = share(&game, "hard", "easy", 2_000);
    assert!((0.45..0.55).contains(&points), "{points}");
}

#[test]
fn easy_loses_a_tenth_of_its_games_to_random_moves() {
    let game = catalog::game("tic-tac-toe").expect(FINE);
    let (easy, random) = (kind("easy"), kind("random"));
    let lost = (0..1_000).filter(|seed| {
        let (players, seat) = if seed % 2 == 0 {
            ([&easy, &random], Seat::FIRST)
        } else {
            ([&random, &easy], Seat::SECOND)
        };
        let record = game.contest(&players, *seed, &StopFlag::default()).expect(FINE).expect(FINE);
        record.outcome.score(seat) < 0
    });
    let lost = lost.count();
    assert!((100..500).contains(&lost), "{lost} of 1,000");
}

/// Each player and chance have random numbers of their own, and those of nobody are better.
#[test]
fn equal_players_have_half_of_the_points() {
    for (name, player) in [
        ("tic-tac-toe", "random"),
        ("tic-tac-toe", "mcts:5"),
        ("pig:20", "random"),
        ("pig:20", "perfect"),
        ("kuhn-poker", "cfr:20"),
        ("odds-and-evens", "random"),
    ] {
        let points = share(&catalog::game(name).expect(FINE), player, player, 10_000);
        // Four standard deviations, if there are no draws.
        assert!((points - 0.5).abs() < 0.02, "{player} has {points} of the points of {name}");
    }
}

#[test]
fn more_simulations_are_stronger() {
    let game = catalog::game("connect-four").expect(FINE);
    let points = share(&game, "mcts:200", "mcts:10", 20);
    assert!(points > 0.8, "{points}");
}

#[test]
fn perfect_pig_beats_random_pig() {
    let game = catalog::game("pig:30").expect(FINE);
    let points = share(&game, "perfect", "random", 100);
    assert!(points > 0.75, "{points}");
    let points = share(&game, "expectiminimax:3", "random", 60);
    assert!(points > 0.6, "{points}");
}

#[test]
fn kuhn_poker_is_worth_a_loss_of_one_eighteenth() {
    let found = Equilibrium::of(&KuhnPoker, 5_000, &StopFlag::default()).expect(FINE);
    let value = found.value();
    assert!((value + 1.0 / 18.0).abs() < 1e-3, "{value}");
    // The second player always calls with a king and never with a jack.
    let with = |view: &str| found.strategy(Seat::SECOND, view).expect(FINE);
    assert!(with("?K bet")[1] > 0.99 && with("?J bet")[1] < 0.01);
}

#[test]
fn odds_and_evens_is_worth_nothing_and_both_moves_are_equally_likely() {
    let found = Equilibrium::of(&OddsAndEvens, 2_000, &StopFlag::default()).expect(FINE);
    assert!(found.value().abs() < 1e-3, "{}", found.value());
    let text = OddsAndEvens.text(&OddsAndEvens.start());
    let strategy = found.strategy(Seat::FIRST, &text).expect(FINE);
    assert!((strategy[0] - 0.5).abs() < 0.01, "{strategy:?}");
}

#[test]
fn simulations_of_simultaneous_moves_are_unpredictable() {
    let game = catalog::game("odds-and-evens").expect(FINE);
    let chosen = |seed| {
        let mut player = game.player(&kind("mcts:400"), Seat::FIRST, seed).expect(FINE);
        let start = game.start();
        let view = PlayerView::new(&game, &start, Seat::FIRST, &[]);
        player.choose(&view).expect(FINE).chosen.to_string()
    };
    let ones = (0..200).filter(|seed| chosen(*seed) == "1").count();
    assert!((70..130).contains(&ones), "{ones} of 200");
}

fn analyzed(game: &str, moves: &str) -> game::PositionAnalysis {
    let game = catalog::game(game).expect(FINE);
    let mut position = game.start();
    for text in moves.split_whitespace() {
        let Turn::One(seat) = game.turn(&position) else { unreachable!("{moves} is over") };
        game.advance(&mut position, seat, game.read_move(text).expect(FINE)).expect(FINE);
    }
    let budget = AnalysisBudget { positions: 300_000, simulations: 100 };
    game.analyze(&position, budget, &StopFlag::default()).expect(FINE)
}

#[test]
fn an_analysis_is_exact_where_the_game_is_solved_and_an_estimate_elsewhere() {
    let found = analyzed("tic-tac-toe", "a1 b1");
    assert_eq!((found.method.as_str(), found.value.plies), ("every position", Some(5)));
    assert_eq!(found.moves.len(), 7);
    let solved = analyzed("connect-four", "d d d d d d c c c c c c a a a a a a g g g g g g");
    assert!(solved.value.exact && solved.method == "connect-four solver", "{solved:?}");
    let guessed = analyzed("connect-four", "d");
    assert!(!guessed.value.exact && guessed.method == "mcts:100", "{guessed:?}");
    let pig = analyzed("pig:20", "");
    assert!(pig.value.exact && pig.value.expected > 0.0 && pig.method == "value iteration");
    let evens = analyzed("odds-and-evens", "");
    assert!(evens.moves.iter().all(|each| each.probability.is_some()), "{evens:?}");
}

/// A position of Pig to 300, which is too large to be solved, with this score of A. The other is 0, and A is
/// to begin a turn, in which it must roll.
fn pig_to_300(points: usize) -> (AnyGame, game::AnyPosition) {
    let game = catalog::game("pig:300").expect(FINE);
    let mut position = game.start();
    let words = ["roll", "6"].into_iter().cycle().take(points / 3).chain(["hold", "roll", "1"]);
    for word in words.take(if points > 0 { usize::MAX } else { 0 }) {
        if let Turn::One(seat) = game.turn(&position) {
            game.advance(&mut position, seat, game.read_move(word).expect(FINE)).expect(FINE);
        } else {
            let drawn = game.read_chance(word).expect(FINE);
            game.advance_chance(&mut position, &drawn).expect(FINE);
        }
    }
    (game, position)
}

#[test]
fn a_position_with_one_move_is_analyzed_by_simulations_as_others_are() {
    for (points, least) in [(0, -0.4), (288, 0.6)] {
        let (game, position) = pig_to_300(points);
        let budget = AnalysisBudget { positions: 1_000, simulations: 300 };
        let found = game.analyze(&position, budget, &StopFlag::default()).expect(FINE);
        let [roll] = &found.moves[..] else { unreachable!("it must roll: {found:?}") };
        assert_eq!((roll.chosen.as_str(), roll.visits), ("roll", Some(300)));
        assert!(found.value.expected > least && !found.value.exact, "{found:?}");
        assert!((found.value.expected - roll.value.expected).abs() < 1e-9, "{found:?}");
    }
}

#[test]
fn a_player_that_has_one_move_says_so_and_does_not_search() {
    let game = catalog::game("pig").expect(FINE);
    let start = game.start();
    let mut fair = game.player(&kind("fair"), Seat::FIRST, 1).expect(FINE);
    let choice = fair.choose(&PlayerView::new(&game, &start, Seat::FIRST, &[])).expect(FINE);
    assert_eq!(choice.chosen.as_str(), "roll");
    assert_eq!(choice.explanation.expect(FINE).sentence, "it is the only move");
    let mut perfect = game.player(&kind("perfect"), Seat::FIRST, 1).expect(FINE);
    let choice = perfect.choose(&PlayerView::new(&game, &start, Seat::FIRST, &[])).expect(FINE);
    let sentence = choice.explanation.expect(FINE).sentence;
    assert_eq!(sentence, "+0.0612 for A, whatever the move; best line roll");
}

#[test]
fn best_lines_go_on_until_the_end_or_until_chance_draws() {
    let line = |game: &str, moves: &str| analyzed(game, moves).line.join(" ");
    // X drops into the left column, and the three others of the line are there.
    let four = analyzed("connect-four", "d d d d d d c c c c c c a a a a a a g g g g g g");
    assert_eq!(u32::try_from(four.line.len()).ok(), four.value.plies, "{four:?}");
    let lost = analyzed("connect-four", "c c d d e");
    assert_eq!(u32::try_from(lost.line.len()).ok(), lost.value.plies, "{lost:?}");
    assert_eq!(line("pig:20", ""), "roll");
    let (game, position) = pig_to_300(0);
    assert_eq!(game.turn(&position), Turn::One(Seat::FIRST));
    let small = catalog::game("pig:12").expect(FINE);
    let mut position = small.start();
    small.advance(&mut position, Seat::FIRST, small.read_move("roll").expect(FINE)).expect(FINE);
    let six = small.read_chance("6").expect(FINE);
    small.advance_chance(&mut position, &six).expect(FINE);
    let found = small.analyze(&position, AnalysisBudget::default(), &StopFlag::default());
    // The other seat must roll, and then chance draws.
    let held = found.expect(FINE);
    let expected: &[&str] = if held.line[0] == "hold" { &["hold", "roll"] } else { &["roll"] };
    assert_eq!(held.line, expected);
}

#[test]
fn perfect_plays_boards_that_a_solver_knows_quickly_and_refuses_others() {
    for name in ["mnk:4,4,3", "mnk:4,4,4", "mnk:5,5,5"] {
        let game = catalog::game(name).expect(FINE);
        let points = share(&game, "perfect", "random", 20);
        assert!(points > if name == "mnk:4,4,3" { 0.9 } else { 0.5 }, "{name}: {points}");
        let declared = catalog::declared(name).expect(FINE);
        assert!(declared.is_soon_solved(), "{name}");
        assert_eq!(declared.check_player(&PlayerKind::Perfect, Seat::FIRST), Ok(()));
    }
    refused("perfect", "mnk:6,5,4", "its first moves take too long to solve");
    let slow = catalog::declared("mnk:6,5,4").expect(FINE);
    assert!(!slow.is_soon_solved());
    assert!(slow.check_player(&PlayerKind::Perfect, Seat::FIRST).is_err());
    let game = catalog::game("mnk:4,4,3").expect(FINE);
    let mut player = game.player(&PlayerKind::Perfect, Seat::FIRST, 1).expect(FINE);
    let start = game.start();
    let choice = player.choose(&PlayerView::new(&game, &start, Seat::FIRST, &[])).expect(FINE);
    let sentence = choice.explanation.expect(FINE).sentence;
    let start =
        format!("a win in 5 plies for X; 12 other moves are worse; best line {} ", choice.chosen);
    assert!(sentence.starts_with(&start), "{sentence}");
}

#[test]
fn a_position_without_a_seat_to_move_is_not_analyzed() {
    let game = catalog::game("kuhn-poker").expect(FINE);
    let (budget, stop) = (AnalysisBudget::default(), StopFlag::default());
    assert_eq!(game.analyze(&game.start(), budget, &stop), Err(CannotAnalyze::Chance));
    let typed = ConnectFour;
    let mut over = typed.start();
    for (index, column) in "1212121".chars().enumerate() {
        let seat = if index % 2 == 0 { Seat::FIRST } else { Seat::SECOND };
        typed.apply(&mut over, seat, &column.to_string().parse().expect(FINE));
    }
    assert_eq!(game::analyze(&typed, &over, budget, &stop), Err(CannotAnalyze::Over));
}
