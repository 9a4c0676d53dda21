//! Matches from beginning to end.

use crate::little_games::duel::{Duel, Number};
use crate::little_games::high_card::{Card, Deal, Decision, HighCard};
use crate::little_games::stroll::{Pace, Stroll};
use crate::little_games::subtraction::{Subtraction, Take};
use expect_test::{Expect, expect};
use game::{
    Code, Game, Match, MatchError, MatchEvent, OnIllegalMove, Outcome, Player, PlayerError, Ply,
    RandomPlayer, ScriptedPlayer, Seat, Seats, ToAct,
};

const ANN: Seat = Seat::FIRST;
const BEN: Seat = Seat::SECOND;

fn subtraction(stones: u8, policy: OnIllegalMove) -> Match<Subtraction> {
    Match::new(Subtraction { stones }, policy)
}

/// Checks the events of a match, one line for each.
fn check<G: Game>(played: &Match<G>, expected: &Expect) {
    let text = |position| played.game().text(position);
    let lines = played.events().iter().map(|event| match event {
        MatchEvent::Begin { position } => format!("begin {}", text(position)),
        MatchEvent::Move { position, moves } => format!("move {moves:?} in {}", text(position)),
        MatchEvent::Chance { position, drawn } => format!("chance {drawn} in {}", text(position)),
        MatchEvent::Next { position } => format!("next {}", text(position)),
        MatchEvent::End { position, outcome } => format!("end {outcome:?} in {}", text(position)),
        MatchEvent::Quit { position, seat } => format!("quit {seat} in {}", text(position)),
        MatchEvent::Error { position, seat, chosen, refusal } => {
            format!("error {chosen} of {seat} in {}: {refusal}", text(position))
        }
        other => format!("{other:?}"),
    });
    expected.assert_eq(&lines.map(|line| line + "\n").collect::<String>());
}

fn scripted<G: Game>(scripts: [&'static [&'static str]; 2]) -> Vec<Box<dyn Player<G>>> {
    let player = |moves: &[&'static str]| -> Box<dyn Player<G>> {
        Box::new(ScriptedPlayer::new(moves.iter().copied()))
    };
    scripts.into_iter().map(player).collect()
}

fn random<G: Game>(seats: u64) -> Vec<Box<dyn Player<G>>> {
    let player = |seed| -> Box<dyn Player<G>> { Box::new(RandomPlayer::seeded(seed)) };
    (0..seats).map(player).collect()
}

#[test]
fn events_describe_a_match_from_beginning_to_end() {
    let mut played = subtraction(4, OnIllegalMove::AskAgain);
    assert_eq!(played.to_act(), ToAct::Seats(Seats::one(ANN)));
    played.choose(ANN, Take(3)).unwrap();
    assert_eq!(played.to_act(), ToAct::Seats(Seats::one(BEN)));
    played.choose(BEN, Take(1)).unwrap();
    assert_eq!(played.to_act(), ToAct::Nobody(Outcome::won_by(BEN)));
    check(
        &played,
        &expect![[r#"
        begin 4 for Ann
        move [(seat 0, Take(3))] in 4 for Ann
        next 1 for Ben
        move [(seat 1, Take(1))] in 1 for Ben
        next 0 for Ann
        end Outcome([-1, 1]) in 0 for Ann
    "#]],
    );
}

#[test]
fn events_describe_the_draws_of_chance() {
    let mut played = Match::new(HighCard(Deal::Hidden), OnIllegalMove::AskAgain);
    assert_eq!(played.to_act(), ToAct::Chance);
    played.draw(Card::Queen).unwrap();
    assert_eq!(played.draw(Card::Queen).unwrap_err().to_string(), "Q cannot be drawn now");
    played.draw(Card::King).unwrap();
    assert_eq!(played.to_act(), ToAct::Seats(Seats::one(ANN)));
    played.choose(ANN, Decision::Drop).unwrap();
    assert_eq!(played.draw(Card::Jack).unwrap_err().code(), &Code::GAME_OVER);
    check(
        &played,
        &expect![[r#"
        begin --
        chance Q in --
        next Q-
        chance K in Q-
        next QK
        move [(seat 0, Drop)] in QK
        next QK drop
        end Outcome([-1, 1]) in QK drop
    "#]],
    );
}

#[test]
fn a_match_that_is_over_at_the_start_ends_at_once() {
    let mut played = subtraction(0, OnIllegalMove::AskAgain);
    check(
        &played,
        &expect![[r#"
        begin 0 for Ann
        end Outcome([-1, 1]) in 0 for Ann
    "#]],
    );
    assert_eq!(played.choose(ANN, Take(1)).unwrap_err().code(), &Code::GAME_OVER);
    assert_eq!(played.run(&mut random(2), 0, |_, _| ()), Ok(Outcome::won_by(BEN)));
}

#[test]
fn a_seat_that_chooses_an_illegal_move_is_asked_again() {
    let mut played = subtraction(2, OnIllegalMove::AskAgain);
    played.choose(ANN, Take(3)).unwrap_err();
    played.choose(BEN, Take(1)).unwrap_err();
    assert_eq!(played.to_act(), ToAct::Seats(Seats::one(ANN)));
    played.choose(ANN, Take(2)).unwrap();
    check(
        &played,
        &expect![[r#"
        begin 2 for Ann
        error 3 of seat 0 in 2 for Ann: There are 2 stones
        error 1 of seat 1 in 2 for Ann: It is not your turn
        move [(seat 0, Take(2))] in 2 for Ann
        next 0 for Ben
        end Outcome([1, -1]) in 0 for Ben
    "#]],
    );
    assert_eq!(played.history().len(), 1);
}

#[test]
fn a_seat_that_chooses_an_illegal_move_loses_if_the_policy_says_so() {
    let mut played = subtraction(2, OnIllegalMove::Loses);
    assert_eq!(played.choose(ANN, Take(3)).unwrap_err().message(), "There are 2 stones");
    assert_eq!(played.to_act(), ToAct::Nobody(Outcome::won_by(BEN)));
    assert_eq!(played.choose(ANN, Take(1)).unwrap_err().code(), &Code::GAME_OVER);
    assert_eq!(played.to_act(), ToAct::Nobody(Outcome::won_by(BEN)));
    check(
        &played,
        &expect![[r#"
            begin 2 for Ann
            error 3 of seat 0 in 2 for Ann: There are 2 stones
            end Outcome([-1, 1]) in 2 for Ann
        "#]],
    );
}

#[test]
fn a_player_that_chooses_only_illegal_moves_stops_the_match() {
    let mut played = subtraction(2, OnIllegalMove::AskAgain);
    let error = played.run(&mut scripted([&["3"; 16], &[]]), 0, |_, _| ()).unwrap_err();
    let MatchError::OnlyIllegalMoves { seat, times, .. } = &error else { panic!("{error}") };
    assert_eq!((seat.as_str(), *times), ("Ann", 16));
    let refused = |event: &&MatchEvent<_>| matches!(event, MatchEvent::Error { .. });
    assert_eq!(played.events().iter().filter(refused).count(), 16);
    assert_eq!(
        error.to_string(),
        "Ann was asked 16 times and chose no legal move; the last one: There are 2 stones"
    );
}

#[test]
fn the_same_player_loses_at_once_if_the_policy_says_so() {
    let mut played = subtraction(2, OnIllegalMove::Loses);
    let outcome = played.run(&mut scripted([&["3"], &[]]), 0, |_, _| ());
    assert_eq!(outcome, Ok(Outcome::won_by(BEN)));
}

#[test]
fn a_seat_may_resign_when_it_is_not_its_turn() {
    let mut played = subtraction(4, OnIllegalMove::AskAgain);
    played.resign(BEN).unwrap();
    assert_eq!(played.to_act(), ToAct::Nobody(Outcome::won_by(ANN)));
    assert_eq!(played.resign(ANN).unwrap_err().code(), &Code::GAME_OVER);
    assert_eq!(played.choose(ANN, Take(1)).unwrap_err().code(), &Code::GAME_OVER);
    check(
        &played,
        &expect![[r#"
            begin 4 for Ann
            quit seat 1 in 4 for Ann
            end Outcome([1, -1]) in 4 for Ann
        "#]],
    );
}

#[test]
fn simultaneous_moves_stay_secret_until_all_seats_have_chosen() {
    let mut played = Match::new(Duel, OnIllegalMove::AskAgain);
    assert_eq!(played.to_act(), ToAct::Seats(Seats::first(2)));
    let (view, events) = (played.player_view(ANN).view(), played.events().len());
    let legal: Vec<_> = played.player_view(ANN).legal_moves().collect();
    played.choose(BEN, Number(3)).unwrap();
    assert_eq!(played.to_act(), ToAct::Seats(Seats::one(ANN)));
    assert!(played.history().is_empty());
    assert_eq!(played.events().len(), events);
    assert_eq!(played.player_view(ANN).view(), view);
    assert!(played.player_view(ANN).legal_moves().eq(legal));
    played.choose(ANN, Number(1)).unwrap();
    let moves = vec![(ANN, Number(1)), (BEN, Number(3))];
    assert_eq!(played.history(), [Ply::Moves(moves)]);
    check(
        &played,
        &expect![[r#"
        begin 123-123 +0
        move [(seat 0, Number(1)), (seat 1, Number(3))] in 123-123 +0
        next 23-12 -1
    "#]],
    );
}

#[test]
fn a_seat_that_has_chosen_may_not_choose_again() {
    let mut played = Match::new(Duel, OnIllegalMove::AskAgain);
    played.choose(BEN, Number(3)).unwrap();
    let refusal = played.choose(BEN, Number(2)).unwrap_err();
    assert_eq!(refusal.to_string(), "You have already chosen");
    assert_eq!(refusal.code(), &Code::NOT_YOUR_TURN);
    played.choose(ANN, Number(1)).unwrap();
    let moves = vec![(ANN, Number(1)), (BEN, Number(3))];
    assert_eq!(played.history(), [Ply::Moves(moves)]);
}

#[test]
fn a_replayed_match_is_the_same_match() {
    for seed in 0..20 {
        let mut played = Match::new(HighCard(Deal::Hidden), OnIllegalMove::Loses);
        played.run(&mut random(2), seed, |_, _| ()).unwrap();
        let history = played.history().iter().cloned();
        let again = Match::replay(HighCard(Deal::Hidden), OnIllegalMove::Loses, history).unwrap();
        assert_eq!(again.events(), played.events());
        assert_eq!(again.history(), played.history());
        assert_eq!(again.position(), played.position());
        assert_eq!(again.to_act(), played.to_act());
    }
}

#[test]
fn a_replay_stops_at_the_first_illegal_ply() {
    let replay = |moves: &[(Seat, u8)]| {
        let moves = moves.iter().map(|(seat, taken)| Ply::Moves(vec![(*seat, Take(*taken))]));
        let replayed = Match::replay(Subtraction { stones: 4 }, OnIllegalMove::AskAgain, moves);
        replayed.map(drop).map_err(|(place, refusal)| (place, refusal.code().clone()))
    };
    assert_eq!(replay(&[(ANN, 3), (BEN, 1)]), Ok(()));
    assert_eq!(replay(&[(ANN, 3), (BEN, 2)]), Err((1, Code::ILLEGAL_MOVE)));
    assert_eq!(replay(&[(ANN, 3), (ANN, 1)]), Err((1, Code::NOT_YOUR_TURN)));
    assert_eq!(replay(&[(ANN, 3), (BEN, 1), (ANN, 1)]), Err((2, Code::GAME_OVER)));
}

#[test]
fn a_match_can_be_taken_back() {
    let mut played = subtraction(9, OnIllegalMove::Loses);
    for (seat, taken) in [(ANN, 1), (BEN, 2), (ANN, 3)] {
        played.choose(seat, Take(taken)).unwrap();
    }
    let events = played.events().to_vec();
    played.choose(BEN, Take(9)).unwrap_err();
    assert!(matches!(played.to_act(), ToAct::Nobody(_)));
    let mut back = played.taken_back_to(3).unwrap();
    assert_eq!(back.events(), events);
    assert_eq!(back.to_act(), ToAct::Seats(Seats::one(BEN)));
    back.choose(BEN, Take(3)).unwrap();
    assert_eq!(back.to_act(), ToAct::Nobody(Outcome::won_by(BEN)));
    assert_eq!(played.taken_back_to(0).unwrap().events().len(), 1);
    assert!(played.taken_back_to(4).is_none());
}

#[test]
fn a_move_out_of_turn_is_refused_but_does_not_lose_the_match() {
    let mut played = subtraction(9, OnIllegalMove::Loses);
    assert_eq!(played.choose(BEN, Take(1)).unwrap_err().code(), &Code::NOT_YOUR_TURN);
    assert_eq!(played.to_act(), ToAct::Seats(Seats::one(ANN)));
    assert!(matches!(played.events().last(), Some(MatchEvent::Error { seat: BEN, .. })));
}

#[test]
fn secret_choices_are_taken_back_too() {
    let mut played = Match::new(Duel, OnIllegalMove::AskAgain);
    played.choose(BEN, Number(3)).unwrap();
    assert_eq!(played.taken_back_to(0).unwrap().to_act(), ToAct::Seats(Seats::first(2)));
}

#[test]
fn every_earlier_position_can_be_read() {
    let mut played = Match::new(HighCard(Deal::Open), OnIllegalMove::AskAgain);
    let mut positions = vec![*played.position()];
    let shown = |now: &Match<HighCard>, _: &[_]| positions.push(*now.position());
    played.run(&mut random(2), 7, shown).unwrap();
    assert_eq!(positions.len(), played.history().len() + 1);
    for (steps, position) in positions.iter().enumerate() {
        assert_eq!(played.position_after(steps).as_ref(), Some(position));
    }
    assert_eq!(played.position_after(positions.len()), None);
}

#[test]
fn a_player_that_cannot_choose_stops_the_match() {
    let run =
        |scripts| subtraction(9, OnIllegalMove::Loses).run(&mut scripted(scripts), 0, |_, _| ());
    let ended = PlayerError::ScriptEnded { played: 1 };
    let error = run([&["1"], &["1"]]).unwrap_err();
    assert_eq!(error, MatchError::PlayerError { seat: "Ann".to_owned(), error: ended });
    assert_eq!(error.to_string(), "Ann cannot go on: the script has no more moves after 1");
    assert_eq!(
        run([&["1"], &["b2"]]).unwrap_err().to_string(),
        "Ben cannot go on: the script says \"b2\", which is no move: Take 1, 2 or 3 stones"
    );
}

#[test]
fn there_must_be_one_player_for_each_seat() {
    for players in [0, 1, 3] {
        let error = subtraction(9, OnIllegalMove::Loses).run(&mut random(players), 0, |_, _| ());
        let players = usize::try_from(players).unwrap();
        assert_eq!(error, Err(MatchError::Players { seats: 2, players }));
    }
}

#[test]
fn an_endless_match_is_stopped() {
    let mut played = Match::new(Stroll::endless(&["Ann"]), OnIllegalMove::AskAgain);
    played.choose(ANN, Pace).unwrap();
    let error = played.run(&mut random(1), 0, |_, _| ()).unwrap_err();
    assert_eq!(error, MatchError::TooLong(100_000));
}

#[test]
fn the_same_seed_leads_to_the_same_match() {
    let play = |seed| {
        let mut played = Match::new(HighCard(Deal::Hidden), OnIllegalMove::AskAgain);
        played.run(&mut random(2), seed, |_, _| ()).unwrap();
        played.history().to_vec()
    };
    assert_eq!(play(3), play(3));
    assert!((0..9).any(|seed| play(seed) != play(3)));
}

#[test]
fn a_seat_sees_its_own_card_and_no_other() {
    let mut played = Match::new(HighCard(Deal::Hidden), OnIllegalMove::AskAgain);
    played.draw(Card::Queen).unwrap();
    played.draw(Card::King).unwrap();
    assert_eq!(played.player_view(ANN).view(), "Q?");
    assert_eq!(played.player_view(BEN).view(), "?K");
    assert!(played.player_view(ANN).position().is_none());
    assert!(played.player_view(ANN).history().is_none());
    played.choose(ANN, Decision::Keep).unwrap();
    assert_eq!(played.player_view(ANN).moves_made(), 1);
    assert_eq!(played.player_view(BEN).moves_made(), 0);
    assert_eq!(played.player_view(ANN).legal_moves().len(), 0);
    assert_eq!(played.player_view(BEN).legal_moves().len(), 2);
    played.choose(BEN, Decision::Keep).unwrap();
    assert_eq!(played.player_view(ANN).view(), "QK keep keep");
}

#[test]
fn in_a_game_without_secrets_a_seat_sees_everything() {
    let mut played = subtraction(9, OnIllegalMove::AskAgain);
    played.choose(ANN, Take(2)).unwrap();
    let player_view = played.player_view(ANN);
    assert_eq!(player_view.position(), Some(played.position()));
    assert_eq!(player_view.history(), Some(played.history()));
    assert_eq!((player_view.seat(), player_view.turn()), (ANN, game::Turn::One(BEN)));
}
