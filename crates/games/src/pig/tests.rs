//! The rules and their options.

use game::{Game, Generator, Probability, Refusal, Seat, Turn, Viewer, perft, playout};

use super::*;

/// The position after moves and what the die shows, as text: `roll 5 hold`.
fn after(game: Pig, words: &str) -> Position {
    let mut position = game.start();
    for word in words.split_whitespace() {
        match game.turn(&position) {
            Turn::One(seat) => {
                let chosen = game.read_move(word).unwrap();
                game.advance(&mut position, seat, chosen).unwrap();
            }
            Turn::Chance => {
                let drawn = game.read_chance(word).unwrap();
                game.advance_chance(&mut position, &drawn).unwrap();
            }
            turn => panic!("{word} comes after {turn:?}"),
        }
    }
    position
}

fn check(words: &str, seat: Seat, chosen: Move) -> Result<(), Refusal> {
    Pig::default().check(&after(Pig::default(), words), seat, &chosen)
}

fn text(words: &str) -> String {
    Pig::default().text(&after(Pig::default(), words))
}

#[test]
fn the_games_of_a_few_plies_are_counted_by_hand() {
    // roll; six sides; roll after a one, roll or hold after the five others; then six sides
    // after every roll and a roll after every hold.
    let counted = [1, 1, 6, 1 + 5 * 2, 6 + 5 * (6 + 1)];
    for (depth, count) in (0..).zip(counted) {
        let game = Pig::default();
        assert_eq!(perft(&game, &game.start(), depth), count, "{depth}");
    }
    let short = Pig::new(2).unwrap();
    let counted = [0, 1, 2, 3, 4].map(|depth| perft(&short, &short.start(), depth));
    assert_eq!(counted, [1, 1, 6, 1 + 5 * 2, 6 + 5 * 6]);
}

#[test]
fn rolls_add_up_and_a_hold_keeps_the_total() {
    assert_eq!(text(""), "A has 0, B has 0; A has rolled 0 in this turn");
    assert_eq!(text("roll"), "A has 0, B has 0; A has rolled 0 in this turn and rolls");
    assert_eq!(text("roll 5 roll 6"), "A has 0, B has 0; A has rolled 11 in this turn");
    assert_eq!(text("roll 5 roll 6 hold"), "A has 11, B has 0; B has rolled 0 in this turn");
}

#[test]
fn a_one_loses_the_total_of_the_turn_but_not_the_score() {
    assert_eq!(text("roll 5 roll 1"), "A has 0, B has 0; B has rolled 0 in this turn");
    assert_eq!(
        text("roll 5 hold roll 1 roll 4 roll 1"),
        "A has 5, B has 0; B has rolled 0 in this turn"
    );
}

#[test]
fn each_side_of_the_die_is_equally_likely_when_it_rolls_and_impossible_before() {
    let game = Pig::default();
    let chances = game.chances(&after(game, "roll"));
    let sides: Vec<String> = chances.iter().map(|(die, _)| die.to_string()).collect();
    assert_eq!(sides.concat(), "123456");
    assert!(chances.iter().all(|(_, probability)| *probability == Probability::new(1, 6)));
    assert_eq!(game.chances(&game.start()), []);
    let refusal = game.advance_chance(&mut game.start(), &Die::Six).unwrap_err();
    assert_eq!(refusal.to_string(), "6 cannot be drawn now");
}

#[test]
fn holding_nothing_is_refused() {
    for words in ["", "roll 1", "roll 2 hold"] {
        let game = Pig::default();
        let Turn::One(seat) = game.turn(&after(game, words)) else { panic!("{words}") };
        let refusal = check(words, seat, Move::Hold).unwrap_err();
        assert_eq!(refusal.code(), &Pig::NOTHING_TO_HOLD);
        assert_eq!(refusal.to_string(), "You have nothing to hold: roll first");
        assert_eq!(check(words, seat, Move::Roll), Ok(()));
        assert!(game.legal_moves(&after(game, words), seat).eq([Move::Roll]));
    }
    assert_eq!(check("roll 2", Seat::FIRST, Move::Hold), Ok(()));
}

#[test]
fn no_seat_chooses_while_the_die_rolls_or_out_of_turn() {
    for (words, seat) in [
        ("", Seat::SECOND),
        ("roll", Seat::FIRST),
        ("roll", Seat::SECOND),
        ("roll 2", Seat::SECOND),
        ("roll 2 hold", Seat::FIRST),
    ] {
        let refusal = check(words, seat, Move::Roll).unwrap_err();
        assert_eq!(refusal.to_string(), "It is not your turn", "{words}");
        assert_eq!(Pig::default().legal_moves(&after(Pig::default(), words), seat).len(), 0);
    }
    assert_eq!(
        check("", Seat::SECOND, Move::Hold).unwrap_err().to_string(),
        "It is not your turn; You have nothing to hold: roll first"
    );
}

#[test]
fn a_hold_that_reaches_the_target_wins_and_a_roll_does_not() {
    let game = Pig::new(10).unwrap();
    let enough = "roll 6 hold roll 1 roll 4";
    assert_eq!(game.turn(&after(game, enough)), Turn::One(Seat::FIRST));
    let won = after(game, &format!("{enough} hold"));
    assert_eq!(game.turn(&won).outcome().unwrap().scores(), [1, -1]);
    assert_eq!(game.text(&won), "A has 10, B has 0; A has won");
    for seat in [Seat::FIRST, Seat::SECOND] {
        assert_eq!(game.legal_moves(&won, seat).len(), 0);
        let refusal = game.check(&won, seat, &Move::Roll).unwrap_err();
        assert_eq!(refusal.to_string(), "The game is lost, you need to forfeit");
    }
    let second = after(game, "roll 1 roll 6 roll 5 hold");
    assert_eq!(game.turn(&second).outcome().unwrap().scores(), [-1, 1]);
    let missed = after(game, "roll 6 roll 3 hold");
    assert_eq!(game.turn(&missed), Turn::One(Seat::SECOND));
}

#[test]
fn a_random_game_ends_when_a_seat_reaches_the_target() {
    let mut generator = Generator::seeded(11);
    for target in [1, 20, 100] {
        let game = Pig::new(target).unwrap();
        let mut position = game.start();
        let winner = playout(&game, &mut position, &mut generator).unwrap().winner().unwrap();
        assert!(position.score(winner) >= target);
        assert!(position.score(winner.opponent()) < target);
    }
}

#[test]
fn the_picture_shows_the_scores_and_the_turn() {
    let game = Pig::new(6).unwrap();
    let notes = |words| game.picture(&after(game, words), Viewer::Spectator).notes.join("; ");
    assert_eq!(notes("roll 4"), "6 points win; A has 0; B has 0; A has rolled 4 in this turn");
    assert_eq!(notes("roll 6 hold"), "6 points win; A has 6; B has 0; A has won");
}

#[test]
fn a_target_is_1_to_1000_and_the_usual_one_is_left_out_of_the_name() {
    for (target, name) in [(1, "pig:1"), (100, "pig"), (1000, "pig:1000")] {
        assert_eq!(Pig::new(target).map(|game| game.name()), Ok(name.to_owned()));
    }
    for target in [0, 1001, 65_636] {
        assert_eq!(
            Pig::new(target).unwrap_err().to_string(),
            format!("{target} points cannot be the target: choose 1 to 1000")
        );
    }
    assert_eq!(Pig::new(100), Ok(Pig::default()));
}

#[test]
fn moves_and_dice_are_read_only_as_they_are_printed() {
    for chosen in [Move::Roll, Move::Hold] {
        assert_eq!(chosen.to_string().parse(), Ok(chosen));
    }
    for die in Die::ALL {
        assert_eq!(die.to_string().parse(), Ok(die));
    }
    for text in ["", "Roll", "7", "0", "06", "hold "] {
        let chosen = text.parse::<Move>().unwrap_err().to_string();
        assert_eq!(chosen, format!("{text:?} is not a move: write roll or hold"));
        let drawn = text.parse::<Die>().unwrap_err().to_string();
        assert_eq!(drawn, format!("{text:?} is not a side of the die: write 1 to 6"));
    }
}

/// The game with these parameters.
fn with(parameters: &str) -> Pig {
    parameters.parse().unwrap()
}

#[test]
fn a_hold_at_0_passes_the_turn_if_the_option_is_on() {
    let game = with("hold-at-0");
    let passed = after(game, "hold");
    assert_eq!(game.text(&passed), "A has 0, B has 0; B has rolled 0 in this turn");
    assert!(game.legal_moves(&game.start(), Seat::FIRST).eq([Move::Roll, Move::Hold]));
    assert!(Pig::default().legal_moves(&game.start(), Seat::FIRST).eq([Move::Roll]));
}

#[test]
fn a_roll_past_the_target_is_refused_if_the_option_is_on() {
    let game = with("10,hold-at-target");
    let enough = after(game, "roll 6 roll 4");
    let refusal = game.check(&enough, Seat::FIRST, &Move::Roll).unwrap_err();
    assert_eq!(refusal.code(), &Pig::MUST_HOLD);
    assert_eq!(refusal.to_string(), "You have enough to win: hold");
    assert!(game.legal_moves(&enough, Seat::FIRST).eq([Move::Hold]));
    let too_little = after(game, "roll 6 roll 3");
    assert_eq!(game.check(&too_little, Seat::FIRST, &Move::Roll), Ok(()));
    // The score of the seat counts too.
    let kept = after(game, "roll 6 hold roll 1 roll 4");
    assert!(game.legal_moves(&kept, Seat::FIRST).eq([Move::Hold]));
    assert_eq!(Pig::new(10).unwrap().check(&enough, Seat::FIRST, &Move::Roll), Ok(()));
}

#[test]
fn the_result_is_the_difference_up_to_the_target_if_the_option_is_on() {
    let game = with("10,difference");
    let scores = |game: Pig, words| {
        let outcome = game.turn(&after(game, words)).outcome().unwrap();
        <[i32; 2]>::try_from(outcome.scores()).unwrap()
    };
    let words = "roll 4 hold roll 3 hold roll 6 roll 5 hold";
    // A has 15, which counts as 10, and B has 3.
    assert_eq!(scores(game, words), [7, -7]);
    assert_eq!(scores(Pig::new(10).unwrap(), words), [1, -1]);
    assert_eq!(scores(game, "roll 1 roll 6 roll 6 hold"), [-10, 10]);
    assert_eq!((game.score_unit(), Pig::default().score_unit()), (Some("points"), None));
}

#[test]
fn parameters_are_a_target_and_options_in_any_order() {
    let names = [
        ("100", "pig"),
        ("50", "pig:50"),
        ("difference,50", "pig:50,difference"),
        ("hold-at-0", "pig:hold-at-0"),
        ("ludorum", "pig:hold-at-target,difference"),
        ("20,ludorum,hold-at-0", "pig:20,hold-at-0,hold-at-target,difference"),
    ];
    for (parameters, name) in names {
        assert_eq!(with(parameters).name(), name);
    }
    for parameters in
        ["", "ten", "50,", "50;difference", "Ludorum", "-1", "+5", "50,60", "ludorum,ludorum"]
    {
        assert_eq!(parameters.parse::<Pig>(), Err(BadParameters::Unreadable), "{parameters}");
    }
    assert_eq!(
        "0,difference".parse::<Pig>().unwrap_err().to_string(),
        "0 points cannot be the target: choose 1 to 1000"
    );
}

#[test]
fn random_games_end_with_every_option() {
    let mut generator = Generator::seeded(3);
    for parameters in ["20,hold-at-0", "20,hold-at-target", "20,difference", "20,ludorum"] {
        let game = with(parameters);
        for _ in 0..100 {
            let mut position = game.start();
            let outcome = playout(&game, &mut position, &mut generator).unwrap();
            assert!(position.score(outcome.winner().unwrap()) >= 20, "{parameters}");
        }
    }
}
