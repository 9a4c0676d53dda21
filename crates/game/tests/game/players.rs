//! Players, solutions, and counts of all games.

use std::sync::Arc;

use crate::little_games::coin_row::CoinRow;
use crate::little_games::duel::{Duel, Number};
use crate::little_games::high_card::{Card, Deal, Decision, HighCard};
use crate::little_games::stroll::{Pace, Stroll};
use crate::little_games::subtraction::{Pile, Subtraction, Take};
use game::{
    AlphaBeta, CannotPlay, CutShort, Game, Generator, Match, OnIllegalMove, Outcome, PerfectPlayer,
    Player, PlayerError, PlayerKind, PlayerView, RandomPlayer, ScriptedPlayer, SearchBudget, Seat,
    Solution, StopFlag, TooManyPositions, Unsolvable, Value, perft, playout,
};

const ANN: Seat = Seat::FIRST;
const BEN: Seat = Seat::SECOND;
const GAME: Subtraction = Subtraction { stones: 21 };

/// Checks why a game cannot be solved.
fn check<G: Game>(game: &G, expected: &Unsolvable) {
    assert_eq!(&Solution::of(game).expect_err("the game cannot be solved"), expected);
    let error = PerfectPlayer::seeded(game, ANN, 0).expect_err("the game cannot be solved");
    let (player, game_name, reason) = ("perfect".to_owned(), game.name(), expected.to_string());
    let seat = game.seats()[0].to_owned();
    assert_eq!(error, CannotPlay { player, game: game_name, seat, reason });
}

/// The choice of a player at the start.
fn choose<G: Game>(
    game: &G,
    seat: Seat,
    player: &mut impl Player<G>,
) -> Result<game::Choice<G::Move>, PlayerError> {
    player.choose(&PlayerView::new(game, &game.start(), seat, &[]))
}

#[test]
fn the_seat_that_faces_a_multiple_of_four_loses() {
    let solution = Solution::of(&GAME).unwrap();
    assert_eq!(solution.positions(), 42);
    for stones in 1..20 {
        let rounds = 2 * u32::from(stones / 4);
        let expected = if stones % 4 == 0 { Value::Loss(rounds) } else { Value::Win(rounds + 1) };
        for turn in [ANN, BEN] {
            assert_eq!(solution.value(&Pile { stones, turn }), Some(expected), "{stones}");
        }
    }
    assert_eq!(solution.value(&Pile { stones: 22, turn: ANN }), None);
}

#[test]
fn the_best_move_leaves_a_multiple_of_four() {
    let solution = Solution::of(&GAME).unwrap();
    let best = |stones| solution.best_moves(&Pile { stones, turn: BEN });
    for stones in 1..19 {
        let (_, moves) = best(stones).unwrap();
        let expected = match stones % 4 {
            0 => vec![Take(1), Take(2), Take(3)],
            rest => vec![Take(rest)],
        };
        assert_eq!(moves, expected, "{stones}");
    }
    assert_eq!(best(0), None);
}

#[test]
fn every_legal_move_has_a_value() {
    let solution = Solution::of(&GAME).unwrap();
    let worth = |taken| solution.value_of_move(&Pile { stones: 6, turn: ANN }, ANN, &Take(taken));
    assert_eq!(worth(2), Some(Value::Win(3)));
    assert_eq!(worth(1), Some(Value::Loss(4)));
    assert_eq!(worth(3), Some(Value::Loss(2)));
    assert_eq!(worth(4), None);
}

#[test]
fn values_are_displayed_in_words() {
    let words = [Value::Win(1), Value::Loss(0), Value::Draw(3)].map(|value| value.to_string());
    assert_eq!(words, ["a win in 1 ply", "a loss in 0 plies", "a draw"]);
}

#[test]
fn an_unsolvable_game_is_refused_with_the_reason() {
    check(&HighCard(Deal::Hidden), &Unsolvable::Hidden);
    check(&HighCard(Deal::Open), &Unsolvable::Chance);
    check(&Duel, &Unsolvable::AtOnce);
    check(&Stroll::endless(&["Ann"]), &Unsolvable::Seats(1));
    check(&Stroll::endless(&["Ann", "Ben", "Cid"]), &Unsolvable::Seats(3));
    check(&Stroll::endless(&["Ann", "Ben"]), &Unsolvable::Endless);
    let friends = Stroll { seats: &["Ann", "Ben"], end: Some((3, Outcome::scored(&[2, 2]))) };
    check(&friends, &Unsolvable::NotOpposed);
    let drawn = Stroll { end: Some((3, Outcome::scored(&[1, 1]))), ..friends };
    assert_eq!(Solution::of(&drawn).unwrap().value(&0), Some(Value::Draw(3)));
}

#[test]
fn a_game_with_more_positions_than_allowed_is_not_solved() {
    assert_eq!(Solution::within(&GAME, 42).unwrap().positions(), 42);
    let too_big = TooManyPositions { most: 41 };
    assert_eq!(Solution::within(&GAME, 41).unwrap_err(), Unsolvable::TooManyPositions(too_big));
    assert_eq!(too_big.to_string(), "it has more than 41 positions");
}

#[test]
fn a_perfect_player_wins_every_game_that_can_be_won() {
    let solution = Arc::new(Solution::of(&GAME).unwrap());
    for seed in 0..100 {
        let perfect = PerfectPlayer::of(Arc::clone(&solution), seed);
        let mut players: [Box<dyn Player<_>>; 2] =
            [Box::new(perfect), Box::new(RandomPlayer::seeded(seed))];
        let mut played = Match::new(GAME, OnIllegalMove::Loses);
        assert_eq!(played.run(&mut players, seed, |_, _| ()), Ok(Outcome::won_by(ANN)));
    }
}

#[test]
fn a_perfect_player_explains_its_choice() {
    let why = |stones| {
        let game = Subtraction { stones };
        let mut perfect = PerfectPlayer::seeded(&game, ANN, 0).unwrap();
        choose(&game, ANN, &mut perfect).unwrap().explanation.unwrap().sentence
    };
    assert_eq!(
        why(21),
        "a win in 11 plies for Ann; 2 other moves are worse; best line 1 1 3 1 3 1 3 1"
    );
    assert_eq!(why(2), "a win in 1 ply for Ann; the other move is worse; best line 2");
    let hopeless = why(8);
    assert!(hopeless.starts_with("a loss in 4 plies for Ann, whatever the move; best line "));
    let line = hopeless.split_once("best line ").map(|(_, line)| line.split(' ').count());
    assert_eq!(line, Some(4), "{hopeless}");
}

#[test]
fn a_player_that_is_not_in_turn_has_nothing_to_choose() {
    let mut perfect = PerfectPlayer::seeded(&GAME, BEN, 0).unwrap();
    assert_eq!(choose(&GAME, BEN, &mut perfect), Err(PlayerError::NothingToChoose));
    let mut random = RandomPlayer::seeded(0);
    assert_eq!(choose(&GAME, BEN, &mut random), Err(PlayerError::NothingToChoose));
    assert!(choose(&GAME, ANN, &mut perfect).is_ok());
    assert!(choose(&GAME, ANN, &mut random).is_ok());
}

#[test]
fn the_same_seed_leads_to_the_same_choices() {
    let choices = |seed| {
        let mut random = RandomPlayer::seeded(seed);
        let mut perfect = PerfectPlayer::seeded(&Subtraction { stones: 20 }, ANN, seed).unwrap();
        let game = Subtraction { stones: 20 };
        let each = (0..50).map(|_| {
            (choose(&game, ANN, &mut random).unwrap(), choose(&game, ANN, &mut perfect).unwrap())
        });
        each.collect::<Vec<_>>()
    };
    assert_eq!(choices(5), choices(5));
    assert_ne!(choices(5), choices(6));
}

#[test]
fn a_random_player_chooses_every_legal_move_sooner_or_later() {
    let mut random = RandomPlayer::seeded(1);
    let chosen: Vec<_> = (0..50).map(|_| choose(&GAME, ANN, &mut random).unwrap().chosen).collect();
    assert!([Take(1), Take(2), Take(3)].iter().all(|each| chosen.contains(each)));
}

#[test]
fn a_scripted_player_follows_its_script_legal_or_not() {
    let mut scripted = ScriptedPlayer::new(["keep"]);
    let game = HighCard(Deal::Hidden);
    assert_eq!(choose(&game, ANN, &mut scripted).unwrap().chosen, Decision::Keep);
    assert_eq!(choose(&Duel, BEN, &mut ScriptedPlayer::new(["2", "3"])).unwrap().chosen, Number(2));
    let end = Some((2, Outcome::draw()));
    let stroll = Stroll { seats: &["Ann", "Ben"], end };
    assert_eq!(choose(&stroll, BEN, &mut ScriptedPlayer::new(["pace"])).unwrap().chosen, Pace);
    let mut nothing = ScriptedPlayer::new(Vec::<String>::new());
    assert_eq!(choose(&GAME, ANN, &mut nothing), Err(PlayerError::ScriptEnded { played: 0 }));
}

#[test]
fn a_scripted_player_continues_after_the_moves_that_it_has_made() {
    let mut players: [Box<dyn Player<_>>; 2] =
        [Box::new(ScriptedPlayer::new(["3", "2"])), Box::new(ScriptedPlayer::new(["1"]))];
    let mut played = Match::new(Subtraction { stones: 6 }, OnIllegalMove::Loses);
    assert_eq!(played.run(&mut players, 0, |_, _| ()), Ok(Outcome::won_by(ANN)));
    assert_eq!(played.history().len(), 3);
}

#[test]
fn alpha_beta_finds_the_lead_that_looking_at_all_games_finds() {
    let (mut generator, stop) = (Generator::seeded(8), StopFlag::default());
    let mut leads = Vec::new();
    for coins in (1..=9).cycle().take(200) {
        let coin = |_| i8::try_from(generator.below(30)).unwrap() - 10;
        let row = CoinRow((0..coins).map(coin).collect());
        let mut search = AlphaBeta::new(&row, SearchBudget::new(10_000, &stop));
        let expected = row.best_lead();
        assert_eq!(search.solve(&row.start()), Ok(expected.into()), "{row:?}");
        leads.push(expected);
    }
    assert!(leads.contains(&0) && leads.iter().any(|lead| *lead < -1), "{leads:?}");
}

#[test]
fn alpha_beta_does_not_solve_a_game_beyond_its_budget_or_without_an_end() {
    let stop = StopFlag::default();
    let row = CoinRow(vec![3; 9]);
    let solved = AlphaBeta::new(&row, SearchBudget::new(5, &stop)).solve(&row.start());
    assert_eq!(solved, Err(CutShort::OutOfBudget.into()));
    let stroll = Stroll::endless(&["Ann", "Ben"]);
    let solved = AlphaBeta::new(&stroll, SearchBudget::new(10_000, &stop)).solve(&0);
    assert_eq!(solved, Err(Unsolvable::Endless.into()));
}

#[test]
fn players_are_found_by_their_names() {
    let player = |name: &str| name.parse::<PlayerKind>().unwrap().player(&GAME, ANN, 0);
    for name in ["random", "perfect", "scripted:1/2"] {
        assert!(player(name).is_ok(), "{name}");
    }
    assert_eq!(
        player("bthreads").unwrap_err().to_string(),
        "bthreads cannot play Ann in subtraction:21: no strategies are written as b-threads for it"
    );
}

#[test]
fn perft_counts_all_games() {
    let count = |game: &Subtraction| {
        (0..6).map(|depth| perft(game, &game.start(), depth)).collect::<Vec<_>>()
    };
    assert_eq!(count(&GAME), [1, 3, 9, 27, 81, 243]);
    assert_eq!(count(&Subtraction { stones: 4 }), [1, 3, 6, 4, 1, 0]);
    assert_eq!(count(&Subtraction { stones: 0 }), [1, 0, 0, 0, 0, 0]);
}

#[test]
fn perft_counts_simultaneous_moves_and_draws_of_chance() {
    let duel = (0..5).map(|depth| perft(&Duel, &Duel.start(), depth));
    assert!(duel.eq([1, 9, 36, 36, 0]));
    let game = HighCard(Deal::Hidden);
    let cards = (0..6).map(|depth| perft(&game, &game.start(), depth));
    assert!(cards.eq([1, 3, 6, 12, 12, 0]));
}

#[test]
fn random_playouts_reach_every_outcome() {
    let mut generator = Generator::seeded(4);
    let game = HighCard(Deal::Hidden);
    let mut outcomes: Vec<_> = (0..200)
        .map(|_| playout(&game, &mut game.start(), &mut generator).unwrap().scores()[0])
        .collect();
    outcomes.sort_unstable();
    outcomes.dedup();
    assert_eq!(outcomes, [-2, -1, 1, 2]);
    let drawn = game.draw_chance(&game.start(), &mut generator).unwrap().unwrap();
    assert!([Card::Jack, Card::Queen, Card::King].contains(&drawn));
}
