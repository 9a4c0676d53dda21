//! Tests of the rules.

use std::collections::BTreeMap;

use game::{PlyOf, Refusal, perft};

use super::*;
use crate::kuhn_poker::Card;

const VIEWERS: [Viewer; 3] =
    [Viewer::Seat(Seat::FIRST), Viewer::Seat(Seat::SECOND), Viewer::Spectator];

/// All complete sequences of moves.
const BETTINGS: [&str; 5] = ["pass pass", "pass bet pass", "pass bet bet", "bet pass", "bet bet"];

/// The plies of a deal and moves: `QJ bet`.
fn plies(words: &str) -> Vec<PlyOf<KuhnPoker>> {
    let mut words = words.split_whitespace();
    let deal = words.next().map(|deal| Ply::Chance(deal.parse().unwrap()));
    let seats = [Seat::FIRST, Seat::SECOND, Seat::FIRST];
    let moves = words.zip(seats).map(|(chosen, seat)| (seat, chosen.parse().unwrap()));
    deal.into_iter().chain(moves.map(|made| Ply::Moves(vec![made]))).collect()
}

fn advance(position: &mut Position, ply: &PlyOf<KuhnPoker>) {
    match ply {
        Ply::Chance(deal) => KuhnPoker.advance_chance(position, deal).unwrap(),
        Ply::Moves(moves) => KuhnPoker.advance_all(position, moves).unwrap(),
    }
}

fn after(words: &str) -> Position {
    let mut position = KuhnPoker.start();
    for ply in &plies(words) {
        advance(&mut position, ply);
    }
    position
}

fn check(words: &str, seat: Seat) -> Result<(), Refusal> {
    KuhnPoker.check(&after(words), seat, &Move::Bet)
}

/// The observations of a viewer.
fn seen(words: &str, viewer: Viewer) -> String {
    let mut position = KuhnPoker.start();
    let see = |ply: PlyOf<KuhnPoker>| {
        let seen = KuhnPoker.seen(&position, &ply, viewer);
        advance(&mut position, &ply);
        seen
    };
    plies(words).into_iter().map(see).collect::<Vec<_>>().join(" ")
}

/// Every history of a hand, from the start to the end.
fn all_histories() -> Vec<String> {
    let bettings = ["", "pass", "bet", "pass bet"].into_iter().chain(BETTINGS);
    let dealt = bettings.flat_map(|moves| Deal::all().map(move |deal| format!("{deal} {moves}")));
    dealt.chain([String::new()]).collect()
}

#[test]
fn every_hand_pays_what_it_must() {
    for deal in Deal::all() {
        let [first, second] = deal.cards();
        let sign = if first > second { 1 } else { -1 };
        let paid = [sign, -1, 2 * sign, 1, 2 * sign];
        for (betting, chips) in BETTINGS.into_iter().zip(paid) {
            let position = after(&format!("{deal} {betting}"));
            let outcome = KuhnPoker.turn(&position).outcome().unwrap();
            assert_eq!(outcome.scores(), [chips, -chips], "{deal} {betting}");
        }
    }
}

#[test]
fn the_hands_are_counted_by_hand() {
    let counted = [0, 1, 2, 3, 4, 5].map(|depth| perft(&KuhnPoker, &KuhnPoker.start(), depth));
    assert_eq!(counted, [1, 6, 6 * 2, 6 * 4, 6 * 2, 0]);
}

/// Of three hands, the number in which optimal play bets with this card after these moves.
fn bets_of_three(card: Card, moves: &str) -> i32 {
    match (card, moves) {
        (Card::King, "pass" | "bet" | "pass bet") => 3,
        (Card::Queen, "bet" | "pass bet") | (Card::Jack, "pass") => 1,
        _ => 0,
    }
}

/// The chips that the first seat wins if this number of hands reaches this position.
fn value(position: Position, hands: i32) -> i32 {
    match KuhnPoker.turn(&position) {
        Turn::Over(outcome) => hands * outcome.score(Seat::FIRST),
        Turn::One(seat) => {
            let card = position.deal.unwrap().cards()[seat.index()];
            let bets = bets_of_three(card, position.betting.to_string().trim());
            let after = |chosen, of_three| {
                let next = KuhnPoker.play(&position, seat, chosen).unwrap();
                value(next, hands / 3 * of_three)
            };
            after(Move::Bet, bets) + after(Move::Pass, 3 - bets)
        }
        turn => panic!("{turn:?}"),
    }
}

#[test]
fn with_optimal_play_the_first_seat_loses_one_chip_in_eighteen_hands() {
    let all: i32 = Deal::all().map(|deal| value(after(&deal.to_string()), 27)).sum();
    assert_eq!(all * 18, -6 * 27);
}

#[test]
fn each_deal_is_equally_likely_and_dealt_once() {
    let chances = KuhnPoker.chances(&KuhnPoker.start());
    assert!(chances.iter().map(|(deal, _)| *deal).eq(Deal::all()));
    assert!(chances.iter().all(|(_, probability)| *probability == Probability::new(1, 6)));
    let dealt = after("JQ");
    assert_eq!(KuhnPoker.chances(&dealt), []);
    let again = KuhnPoker.advance_chance(&mut dealt.clone(), &"KQ".parse().unwrap());
    assert_eq!(again.unwrap_err().to_string(), "KQ cannot be drawn now");
}

#[test]
fn a_seat_that_is_not_in_turn_is_refused() {
    for (words, in_turn) in [
        ("", None),
        ("JQ", Some(Seat::FIRST)),
        ("JQ pass", Some(Seat::SECOND)),
        ("JQ bet", Some(Seat::SECOND)),
        ("JQ pass bet", Some(Seat::FIRST)),
    ] {
        for seat in [Seat::FIRST, Seat::SECOND] {
            let legal = KuhnPoker.legal_moves(&after(words), seat).collect::<Vec<_>>();
            if in_turn == Some(seat) {
                assert_eq!(check(words, seat), Ok(()), "{words}");
                assert_eq!(legal, Move::ALL);
            } else {
                let refusal = check(words, seat).unwrap_err();
                assert_eq!(refusal.to_string(), "It is not your turn", "{words}");
                assert_eq!(legal, []);
            }
        }
    }
}

#[test]
fn no_seat_can_move_after_the_end_of_a_hand() {
    for betting in BETTINGS {
        for seat in [Seat::FIRST, Seat::SECOND] {
            let words = format!("QK {betting}");
            let refusal = check(&words, seat).unwrap_err();
            assert_eq!(refusal.to_string(), "The game is lost, you need to forfeit");
            assert_eq!(KuhnPoker.legal_moves(&after(&words), seat).len(), 0);
        }
    }
}

#[test]
fn a_seat_sees_its_own_card_and_both_only_at_a_showdown() {
    let views = |words: &str| VIEWERS.map(|viewer| KuhnPoker.view(&after(words), viewer));
    assert_eq!(views(""), ["not dealt"; 3]);
    assert_eq!(views("JQ"), ["J?", "?Q", "??"]);
    assert_eq!(views("JQ pass bet"), ["J? pass bet", "?Q pass bet", "?? pass bet"]);
    assert_eq!(views("JQ bet pass"), ["J? bet pass", "?Q bet pass", "?? bet pass"]);
    assert_eq!(views("JQ pass bet pass")[2], "?? pass bet pass");
    for betting in ["pass pass", "bet bet", "pass bet bet"] {
        let words = format!("JQ {betting}");
        assert_eq!(views(&words), [words.as_str(); 3]);
    }
    assert_eq!(KuhnPoker.text(&after("JQ pass bet")), "JQ pass bet");
    assert_eq!(KuhnPoker.text(&after("")), "not dealt");
    assert!(KuhnPoker.hides());
}

#[test]
fn the_last_move_shows_both_cards_unless_a_seat_folds() {
    let all = |words: &str| VIEWERS.map(|viewer| seen(words, viewer));
    assert_eq!(all("KJ bet pass"), ["K? bet pass", "?J bet pass", "?? bet pass"]);
    assert_eq!(all("KJ bet bet"), ["K? bet bet (KJ)", "?J bet bet (KJ)", "?? bet bet (KJ)"]);
    assert_eq!(all("KJ pass pass")[2], "?? pass pass (KJ)");
    assert_eq!(all("KJ pass bet bet")[2], "?? pass bet bet (KJ)");
    assert_eq!(all("KJ pass bet pass")[2], "?? pass bet pass");
}

/// Whether a viewer with the same observations always reads the same.
fn follows_from_the_observations(read: impl Fn(&Position, Viewer) -> String) -> bool {
    VIEWERS.into_iter().all(|viewer| {
        let mut known = BTreeMap::new();
        all_histories().iter().all(|words| {
            let now = read(&after(words), viewer);
            *known.entry(seen(words, viewer)).or_insert_with(|| now.clone()) == now
        })
    })
}

#[test]
fn view_and_picture_follow_from_the_observations_and_the_whole_text_does_not() {
    assert!(follows_from_the_observations(|position, viewer| KuhnPoker.view(position, viewer)));
    assert!(follows_from_the_observations(|position, viewer| {
        KuhnPoker.picture(position, viewer).to_string()
    }));
    assert!(!follows_from_the_observations(|position, _| KuhnPoker.text(position)));
}

#[test]
fn the_picture_shows_the_visible_cards_the_chips_and_the_moves() {
    let notes = |words, viewer| KuhnPoker.picture(&after(words), viewer).notes.join("; ");
    let [first, second, spectator] = VIEWERS;
    assert_eq!(notes("", first), "The cards are not dealt yet");
    assert_eq!(notes("KJ", first), "First holds K; Second holds ?; 2 chips are staked");
    assert_eq!(
        notes("KJ bet", second),
        "First holds ?; Second holds J; 3 chips are staked; Played so far: bet"
    );
    assert_eq!(
        notes("KJ pass bet bet", spectator),
        "First holds K; Second holds J; 4 chips are staked; Played so far: pass bet bet"
    );
}
