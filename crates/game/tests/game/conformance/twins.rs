//! Games with one fault each, and the violation that is found.

use expect_test::{Expect, expect};
use game::conformance::{Aspect, Effort, Violation, conform};
use game::{Game, Viewer};

use super::twin::{Fault, FaultyGame};
use crate::little_games::duel::Duel;
use crate::little_games::high_card::{Deal, HighCard};
use crate::little_games::stroll::Stroll;
use crate::little_games::subtraction::{Subtraction, Take};

fn first_violation(game: &impl Game) -> Violation {
    conform(game, Effort::default()).expect_err("a promise is broken")
}

fn check(game: &impl Game, expected: &Expect) {
    expected.assert_eq(&first_violation(game).to_string());
}

/// A game with alternating turns and this fault.
fn turns(fault: Fault) -> FaultyGame<Subtraction> {
    FaultyGame::new(Subtraction { stones: 7 }, fault)
}

/// A game with chance, hidden cards and this fault.
fn secrets(fault: Fault) -> FaultyGame<HighCard> {
    FaultyGame::new(HighCard(Deal::Hidden), fault)
}

#[test]
fn descriptions_are_checked() {
    check(&turns(Fault::NoName), &expect!["name() is empty: a game is found by its name"]);
    check(&turns(Fault::NoSeats), &expect!["seats() has 0 names: a game has from one to 8 seats"]);
    check(
        &turns(Fault::NineSeats),
        &expect!["seats() has 9 names: a game has from one to 8 seats"],
    );
    check(
        &turns(Fault::EmptySeatName),
        &expect![[r#"a seat is called "": every seat has a name of its own"#]],
    );
    check(
        &turns(Fault::DuplicateSeatName),
        &expect![[r#"a seat is called "Ann": every seat has a name of its own"#]],
    );
    check(
        &turns(Fault::StartDiffers),
        &expect![[
            r#"start() returns "7 for Ann" and then "7 for Ann": chance has a turn of its own"#
        ]],
    );
}

#[test]
fn turns_are_checked() {
    check(
        &turns(Fault::NobodyInTurn),
        &expect![[
            r#"in "7 for Ann" turn() is Several of no seats: say Over, Chance or who must choose"#
        ]],
    );
    check(
        &turns(Fault::NoSuchSeat),
        &expect![[r#"turn() names a seat that this game does not have: seat 7 in "7 for Ann""#]],
    );
    check(
        &turns(Fault::WrongScoreCount),
        &expect![[r#""0 for Ben" ends with 1 scores for 2 seats"#]],
    );
}

#[test]
fn lists_of_legal_moves_are_checked() {
    check(
        &turns(Fault::NoLegalMove),
        &expect![[r#"a seat in turn has no legal move: seat 0 in "7 for Ann""#]],
    );
    check(
        &turns(Fault::LegalOutOfTurn),
        &expect![[
            r#"legal_moves() of a seat that is not in turn has "1" of seat 1 in "7 for Ann""#
        ]],
    );
    check(
        &turns(Fault::LegalAfterTheEnd),
        &expect![[
            r#"legal_moves() of a seat that is not in turn has "1" of seat 0 in "0 for Ben""#
        ]],
    );
    check(
        &turns(Fault::LegalMoveListedTwice),
        &expect![[r#"legal_moves() lists twice: "1" of seat 0 in "7 for Ann""#]],
    );
    check(
        &turns(Fault::LegalMovesChange),
        &expect![[r#"legal_moves() changes in a second call: seat 0 in "7 for Ann""#]],
    );
    check(
        &turns(Fault::LengthTooLong),
        &expect![[
            r#"after 3 legal moves len() is 1, which is not what is left: seat 0 in "7 for Ann""#
        ]],
    );
    check(
        &turns(Fault::LengthNeverShrinks),
        &expect![[
            r#"after 1 legal moves len() is 3, which is not what is left: seat 0 in "7 for Ann""#
        ]],
    );
    check(
        &turns(Fault::NthDoesNotSkip),
        &expect![[r#"legal_moves() continues wrongly after nth(3): seat 0 in "7 for Ann""#]],
    );
}

#[test]
fn legal_moves_must_be_accepted() {
    check(
        &turns(Fault::LegalRefused),
        &expect![[r#"check() refuses a legal move, "1" of seat 0 in "7 for Ann": No"#]],
    );
    check(
        &turns(Fault::LegalNotPlayed),
        &expect![[r#"legal moves cannot be played, "1" of seat 0 in "7 for Ann": No"#]],
    );
    check(
        &turns(Fault::OldPositionChanged),
        &expect![[
            r#"play() changes the old position: "1" of seat 0 in "7 for Ann, changed 0 times""#
        ]],
    );
    check(
        &turns(Fault::PlayDiffers),
        &expect![[r#"play() and advance() do not agree: "1" of seat 0 in "7 for Ann""#]],
    );
    check(
        &turns(Fault::AdvanceDiffers),
        &expect![[r#"play() and advance() do not agree: "1" of seat 0 in "7 for Ann""#]],
    );
    for fault in [Fault::PlaceDiffers, Fault::MovesMiscounted] {
        check(
            &turns(fault),
            &expect![[
                r#"apply_nth() or count_moves() does not agree with legal_moves(): "1" of seat 0 in "7 for Ann""#
            ]],
        );
    }
    check(
        &turns(Fault::IllegalPlayedAlone),
        &expect![[
            r#"play() or advance() accepts what legal_moves() does not list: "1" of seat 1 in "7 for Ann""#
        ]],
    );
}

#[test]
fn random_plies_are_checked() {
    check(
        &turns(Fault::RandomPlyFails),
        &expect![[
            r#"play_at_random() fails in "7 for Ann": seat 0 must choose and has no legal move"#
        ]],
    );
    check(
        &turns(Fault::TwoRandomPlies),
        &expect![[
            r#"play_at_random() goes from "7 for Ann" to "5 for Ann", where no legal ply leads"#
        ]],
    );
}

#[test]
fn illegal_moves_must_be_refused() {
    check(
        &turns(Fault::IllegalAccepted),
        &expect![[
            r#"check() accepts what legal_moves() does not list: "2" of seat 0 in "1 for Ann""#
        ]],
    );
    check(
        &turns(Fault::AcceptedOutOfTurn),
        &expect![[
            r#"check() accepts what legal_moves() does not list: "1" of seat 1 in "7 for Ann""#
        ]],
    );
    check(
        &turns(Fault::AcceptedAfterTheEnd),
        &expect![[
            r#"check() accepts what legal_moves() does not list: "1" of seat 0 in "0 for Ben""#
        ]],
    );
    check(
        &turns(Fault::IllegalPlayed),
        &expect![[
            r#"play() or advance() accepts what legal_moves() does not list: "1" of seat 1 in "7 for Ann""#
        ]],
    );
    check(
        &turns(Fault::NothingPlayed),
        &expect![[
            r#"play() or advance() accepts what is not one move for each seat in turn: nothing in "7 for Ann""#
        ]],
    );
    check(
        &turns(Fault::TooManyPlayed),
        &expect![[
            r#"play() or advance() accepts what is not one move for each seat in turn: "1" of seat 0, "1" of seat 0 in "7 for Ann""#
        ]],
    );
    check(
        &turns(Fault::RefusedButChanged),
        &expect![[
            r#"advance() refuses and still changes the position: "1" of seat 1 in "7 for Ann""#
        ]],
    );
    check(
        &FaultyGame::new(Duel, Fault::TooFewPlayed),
        &expect![[
            r#"play() or advance() accepts what is not one move for each seat in turn: "3" of seat 1 in "123-123 +0""#
        ]],
    );
}

#[test]
fn refusals_must_have_a_code_and_a_message() {
    check(
        &turns(Fault::NoMessage),
        &expect![[
            r#"a move is refused without a code or a message: "1" of seat 1 in "7 for Ann""#
        ]],
    );
    check(
        &turns(Fault::NoCode),
        &expect![[
            r#"a move is refused without a code or a message: "1" of seat 1 in "7 for Ann""#
        ]],
    );
    check(
        &turns(Fault::FullStop),
        &expect![[
            r#"a move is refused with "No.": leave out the full stop, others may follow: "1" of seat 1 in "7 for Ann""#
        ]],
    );
    check(
        &turns(Fault::GameOverNotFirst),
        &expect![[
            r#"after the end the first reason must be game_over and is not_your_turn: "1" of seat 0 in "0 for Ben""#
        ]],
    );
    check(
        &turns(Fault::PlayRefusesDifferently),
        &expect![[r#"play() and advance() do not agree: "1" of seat 1 in "7 for Ann""#]],
    );
}

#[test]
fn texts_must_be_read_back() {
    check(&turns(Fault::Unreadable), &expect![[r#"the text "2" of a move cannot be read: No"#]]);
    check(
        &turns(Fault::Misread),
        &expect![[r#"the text "2" of the move Take(2) is read as Take(1)"#]],
    );
    check(
        &turns(Fault::NonsenseAccepted).with_odd_move(Take(9)),
        &expect![[r#"the text "9" of a move cannot be read: Take 1, 2 or 3 stones"#]],
    );
    check(
        &turns(Fault::ReadRefusalWithoutMessage),
        &expect![[r#"reading "undefined" as a move is refused without a code or a message"#]],
    );
    check(
        &secrets(Fault::ChanceUnreadable),
        &expect![[r#"the text "Q" of a draw cannot be read: No"#]],
    );
    check(
        &secrets(Fault::ChanceMisread),
        &expect![[r#"the text "Q" of the draw Queen is read as Jack"#]],
    );
}

#[test]
fn the_list_of_chances_is_checked() {
    check(
        &secrets(Fault::ChancesOutOfTurn),
        &expect![[r#"it is not the turn of chance, but chances() has "J" in "JQ""#]],
    );
    check(
        &secrets(Fault::NoChances),
        &expect![[r#"in "--" it is the turn of chance, but chances() is empty"#]],
    );
    check(
        &secrets(Fault::ChancesChange),
        &expect![[r#"in "--" chances() changes in a second call"#]],
    );
    check(&secrets(Fault::ChanceListedTwice), &expect![[r#"chances() lists twice: "J" in "--""#]]);
    check(
        &secrets(Fault::BadProbabilities),
        &expect![[r#"in "--" the probabilities 1/3, 1/3 do not add up to 1"#]],
    );
}

#[test]
fn draws_of_chance_are_checked() {
    check(
        &secrets(Fault::ChanceRefused),
        &expect![[r#"advance_chance() refuses what chances() lists, "J" in "--": No"#]],
    );
    check(
        &secrets(Fault::ImpossibleDrawn),
        &expect![[r#"advance_chance() accepts what chances() does not list: "J" in "J-""#]],
    );
    check(
        &secrets(Fault::DrawRefusalWithoutMessage),
        &expect![[r#"a draw is refused without a code or a message: "J" in "J-""#]],
    );
    check(
        &secrets(Fault::DrawRefusedButChanged),
        &expect![[r#"advance_chance() refuses and still changes the position: "J" in "J-""#]],
    );
    check(
        &secrets(Fault::NothingDrawn),
        &expect![[
            r#"in "--" draw_chance() returns None, which does not fit turn() and chances()"#
        ]],
    );
    check(
        &secrets(Fault::DrawnOutOfTurn),
        &expect![[
            r#"in "JQ" draw_chance() returns Some("J"), which does not fit turn() and chances()"#
        ]],
    );
}

#[test]
fn replays_must_reach_the_same_positions() {
    check(&turns(Fault::ReplayRefused), &expect!["a replay is refused after 0 plies: No"]);
    check(
        &turns(Fault::ReplayDiffers),
        &expect![[
            r#"after 5 plies the position was "0 for Ben", and in a replay it is "0 for Ben""#
        ]],
    );
    check(
        &turns(Fault::ApplyDiffers),
        &expect![[
            r#"after 1 plies the position was "6 for Ben", and in a replay it is "6 for Ben""#
        ]],
    );
}

#[test]
fn equal_positions_must_agree_in_hash_text_and_future() {
    check(
        &turns(Fault::HashDiffers),
        &expect![[r#"two equal positions "4 for Ben" have different hashes"#]],
    );
    check(
        &turns(Fault::SameText),
        &expect![[
            r#"text() is "4 for Ben" for two positions that are not equal: FaultyPosition { honest: Pile { stones: 4, turn: seat 1 }, unwritten: 3, only_hashed: 0, uncompared: 0, changes: 0 } and FaultyPosition { honest: Pile { stones: 4, turn: seat 1 }, unwritten: 1, only_hashed: 0, uncompared: 0, changes: 0 }"#
        ]],
    );
    check(
        &turns(Fault::TextDiffers),
        &expect![[
            r#"two equal positions have different texts: "4 for Ben after 3" and "4 for Ben after 1""#
        ]],
    );
    check(
        &turns(Fault::FutureDiffers),
        &expect![[r#"two equal positions "3 for Ann" differ in their legal moves"#]],
    );
}

#[test]
fn hidden_information_must_not_leak() {
    check(
        &secrets(Fault::ViewLeak),
        &expect![[r#"seat 1 saw ["a card"] both in "J-" and in "Q-", but the views differ"#]],
    );
    check(
        &secrets(Fault::PictureLeak),
        &expect![[r#"seat 1 saw ["a card"] both in "J-" and in "Q-", but the pictures differ"#]],
    );
    check(
        &secrets(Fault::LegalMovesLeak),
        &expect![[
            r#"seat 0 saw ["J", "a card"] both in "JQ" and in "JK", but the legal moves differ"#
        ]],
    );
    check(
        &secrets(Fault::TurnLeak),
        &expect![[
            r#"seat 0 saw ["J", "a card", "keep", "drop"] both in "JQ keep drop" and in "JK keep drop", but the turns differ"#
        ]],
    );
    check(
        &secrets(Fault::ObservationLeak),
        &expect![[
            r#"seat 1 saw ["a card", "K", "keep", "keep"] both in "JK keep keep" and in "QK keep keep", but the views differ"#
        ]],
    );
}

#[test]
fn hides_must_be_true_only_if_something_is_hidden() {
    check(
        &turns(Fault::ViewDiffers),
        &expect![[r#"hides() is false, but in "7 for Ann" view() shows a spectator "?""#]],
    );
    check(
        &secrets(Fault::EverythingSeen),
        &expect!["hides() is true, but in 100 games seen() showed everything to everybody"],
    );
    check(
        &turns(Fault::HidesNothing),
        &expect!["hides() is true, but in 100 games seen() showed everything to everybody"],
    );
}

#[test]
fn boards_are_checked() {
    check(
        &turns(Fault::NoColumns),
        &expect![[r#"the board of "7 for Ann" has 3 cells in 0 columns"#]],
    );
    check(
        &turns(Fault::RaggedBoard),
        &expect![[r#"the board of "7 for Ann" has 3 cells in 2 columns"#]],
    );
    check(
        &turns(Fault::EmptyCellName),
        &expect![[
            r#"on the board of "7 for Ann" a cell is called "": each has a name of its own"#
        ]],
    );
    check(
        &turns(Fault::DuplicateCellName),
        &expect![[
            r#"on the board of "7 for Ann" a cell is called "a1": each has a name of its own"#
        ]],
    );
    check(
        &turns(Fault::CellOffersNonsense),
        &expect![[
            r#"on the board of "7 for Ann" the cell b1 offers "undefined", which is no move"#
        ]],
    );
    check(
        &turns(Fault::LegalMoveNotOnBoard),
        &expect![[r#"no cell of the board offers a legal move: "2" of seat 0 in "7 for Ann""#]],
    );
}

#[test]
fn a_game_must_behave_the_same_as_any_game() {
    let differs_in = |fault| match first_violation(&turns(Fault::InCopies(fault))) {
        Violation::AnyDiffers { aspect, .. } => aspect,
        other => panic!("{other}"),
    };
    assert_eq!(differs_in(&Fault::NoName), Aspect::Description);
    assert_eq!(differs_in(&Fault::ReadRefusalWithoutMessage), Aspect::Reading);
    assert_eq!(differs_in(&Fault::TextDiffers), Aspect::Text);
    assert_eq!(differs_in(&Fault::NobodyInTurn), Aspect::Turn);
    assert_eq!(differs_in(&Fault::HashDiffers), Aspect::Hash);
    assert_eq!(differs_in(&Fault::LegalMoveListedTwice), Aspect::LegalMoves);
    assert_eq!(differs_in(&Fault::LabelDiffers), Aspect::Labels);
    assert_eq!(differs_in(&Fault::ViewDiffers), Aspect::View);
    assert_eq!(differs_in(&Fault::NoColumns), Aspect::Picture);
    assert_eq!(differs_in(&Fault::NoMessage), Aspect::Refusals);
    assert_eq!(differs_in(&Fault::LegalNotPlayed), Aspect::Next);
    check(
        &turns(Fault::InCopies(&Fault::LegalMoveListedTwice)),
        &expect![[
            r#"as AnyGame the game has other legal moves in "7 for Ann": [MoveText("1"), MoveText("2"), MoveText("3")] became [MoveText("1"), MoveText("2"), MoveText("3"), MoveText("1")]"#
        ]],
    );
    check(
        &secrets(Fault::InCopies(&Fault::BadProbabilities)),
        &expect![[
            r#"as AnyGame the game has other chances in "--": [(MoveText("J"), 1/3), (MoveText("Q"), 1/3), (MoveText("K"), 1/3)] became [(MoveText("J"), 1/3), (MoveText("Q"), 1/3)]"#
        ]],
    );
    check(
        &secrets(Fault::InCopies(&Fault::EverythingSeen)),
        &expect![[r#"as AnyGame the game has other observations in "--": "a card" became "J""#]],
    );
}

#[test]
fn an_endless_game_is_reported() {
    let effort = Effort { plies: 50, ..Effort::default() };
    let found = conform(&Stroll::endless(&["Ann", "Ben"]), effort).unwrap_err();
    assert_eq!(found, Violation::TooLong { plies: 50 });
}

#[test]
fn a_game_may_take_exactly_the_allowed_number_of_plies() {
    let play = |plies| conform(&Duel, Effort { plies, ..Effort::default() });
    assert_eq!(play(2), Err(Violation::TooLong { plies: 2 }));
    assert!(play(3).is_ok());
}

#[test]
fn a_leak_names_the_viewer_and_its_observations() {
    let Violation::Leak { viewer, seen, aspect, .. } =
        first_violation(&secrets(Fault::LegalMovesLeak))
    else {
        panic!("another violation was found");
    };
    assert!(matches!(viewer, Viewer::Seat(_)));
    assert_eq!(seen.len(), 2);
    assert_eq!(aspect, Aspect::LegalMoves);
}
