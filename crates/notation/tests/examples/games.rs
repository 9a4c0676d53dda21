//! The games of the examples are played.

use expect_test::{Expect, expect};
use game::conformance::{Effort, conform};
use game::{BGame, Code, Game, Ply, Seat, Turn, Viewer, perft};
use notation::TextRulebook;

use crate::texts::{built, built_text};

fn game(name: &str, given: &[&str]) -> BGame<TextRulebook> {
    built(name, given).game().expect("the text is a game")
}

#[test]
fn the_sequences_of_moves_are_counted() {
    let counts = |name: &str, given: &[&str], expected: &[u64]| {
        let game = game(name, given);
        let depths = 1..=u32::try_from(expected.len()).unwrap();
        let found: Vec<u64> = depths.map(|depth| perft(&game, &game.start(), depth)).collect();
        assert_eq!(found, expected, "{name}");
    };
    let small = ["columns=4", "rows=3", "length=3"];
    counts("connect", &small, &[4, 16, 64, 252, 960, 3096, 9924, 24636]);
    counts("fox-and-hounds", &[], &[1, 3, 9, 19, 19, 36, 81, 111]);
    counts("tic-tac-toe", &[], &[9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872]);
    // The first moves of Connect Four, and of nim: three heaps of one to three.
    counts("connect", &[], &[7, 49, 343, 2401, 16807]);
    counts("nim", &[], &[9, 63]);
}

#[test]
fn the_games_conform() {
    for (name, given) in [
        ("connect", &["columns=4", "rows=3", "length=3"][..]),
        ("dots-and-boxes", &[]),
        ("fox-and-hounds", &[]),
        ("misere", &[]),
        ("nim", &[]),
        ("notakto", &[]),
        ("pig", &[]),
        ("pig-hold", &["target=4"]),
        ("tic-tac-toe", &[]),
        ("tutorial", &[]),
        ("ultimate", &[]),
        ("wild", &[]),
    ] {
        // A position of a large game takes long to check.
        let is_large = matches!(name, "dots-and-boxes" | "ultimate" | "wild");
        let few = Effort { games: 3, texts: 16, positions: 200, ..Effort::default() };
        let effort = if is_large { few } else { Effort::default() };
        let counts = conform(&game(name, given), effort);
        assert!(counts.as_ref().is_ok_and(|counts| counts.illegal_moves > 0), "{name}: {counts:?}");
    }
}

/// Plays moves and shows the text and the refusal of one more.
fn check(name: &str, moves: &[&str], refused: (u8, &str), expected: &Expect) {
    let game = game(name, &[]);
    let mut position = game.start();
    for text in moves {
        let Turn::One(seat) = game.turn(&position) else { unreachable!("one seat moves") };
        let chosen = game.read_move(text).expect("the text is a move");
        position = game.play(&position, seat, chosen).expect("the move is legal");
    }
    let (seat, text) = refused;
    let chosen = game.read_move(text).expect("the text can be read");
    let refusal = game
        .check(&position, Seat::new(seat).expect("there is such a seat"), &chosen)
        .expect_err("it is refused");
    let picture = game.picture(&position, Viewer::Spectator);
    expected.assert_eq(&format!("{}\n{picture}\n{refusal}\n", game.text(&position)));
}

#[test]
fn refusals_say_what_the_text_says() {
    check(
        "tic-tac-toe",
        &["b2", "a1"],
        (0, "a1"),
        &expect![[r#"
        O.. .X. ...
          a b c
        1 O . .
        2 . X .
        3 . . .
        That square is taken: SquareTaken(a1)
    "#]],
    );
    check(
        "tic-tac-toe",
        &["b2"],
        (0, "b2"),
        &expect![[r#"
        ... .X. ...
          a b c
        1 . . .
        2 . X .
        3 . . .
        It is not your turn: EnforceTurns; That square is taken: SquareTaken(b2)
    "#]],
    );
    check(
        "tic-tac-toe",
        &["a1", "a2", "b1", "b2", "c1"],
        (1, "c2"),
        &expect![[r#"
        XXX OO. ...
          a b c
        1 X X X
        2 O O .
        3 . . .
        The game is lost, you need to forfeit: EndOfGame
    "#]],
    );
}

#[test]
fn refusals_of_other_games_say_what_their_texts_say() {
    check(
        "nim",
        &["a-2"],
        (1, "a-3"),
        &expect![[r#"
        a: left 1; b: left 3; c: left 3; first moved
        a: left 1
        b: left 3
        c: left 3
        There are not so many on that heap: Heap(a)
    "#]],
    );
    check(
        "connect",
        &["d6"],
        (1, "d4"),
        &expect![[r#"
        ....... ....... ....... ....... ....... ...r...
          a b c d e f g
        1 . . . . . . .
        2 . . . . . . .
        3 . . . . . . .
        4 . . . . . . .
        5 . . . . . . .
        6 . . . r . . .
        A disc falls to the lowest free square: Gravity(d4)
    "#]],
    );
    check(
        "fox-and-hounds",
        &["a4-b3"],
        (1, "a2-b1"),
        &expect![[r#"
            .h.h .... .f.. ....; fox moved
              a b c d
            1 . h . h
            2 . . . .
            3 . f . .
            4 . . . .
            Hounds do not go back: HoundsGoDown(a2); That cannot go there: Square(b1), Square(a2)
        "#]],
    );
}

#[test]
fn a_side_that_cannot_move_has_lost() {
    // The fox goes into the corner and is caught.
    let game = game("fox-and-hounds", &[]);
    let mut outcomes = std::collections::BTreeSet::new();
    let mut generator = game::Generator::seeded(1);
    for _ in 0..200 {
        let mut position = game.start();
        outcomes.insert(game::playout(&game, &mut position, &mut generator).unwrap().winner());
    }
    assert_eq!(outcomes.len(), 2, "both win: {outcomes:?}");
}

#[test]
fn chance_draws_every_face_equally() {
    let game = game("pig", &[]);
    let mut position = game.start();
    game.advance(&mut position, Seat::FIRST, game.read_move("roll").unwrap()).unwrap();
    assert_eq!(game.turn(&position), Turn::Chance);
    assert_eq!(game.legal_moves(&position, Seat::FIRST).len(), 0);
    let chances: Vec<String> = game
        .chances(&position)
        .iter()
        .map(|(drawn, probability)| format!("{drawn} {probability}"))
        .collect();
    assert_eq!(chances, ["comes(1) 1/3", "comes(2) 1/3", "comes(3) 1/3"]);
    let drawn = game.read_chance("comes(3)").unwrap();
    game.advance_chance(&mut position, &drawn).unwrap();
    assert_eq!(
        game.text(&position),
        "Turns: mover first; Score(first): total 0, turn 3; Score(second): total 0, turn 0; \
         chance drew"
    );
    assert!(game.read_chance("comes(4)").is_err());
}

#[test]
fn weights_become_probabilities() {
    let text = "\
game flip
seats a
event flip(seat)  move of seat
event heads
event tails
event win(seat)   win of seat
rule Over \"The game is over\" game_over
  wait for win
  block any
chance Coin
  wait for flip
  request heads 2, tails, block flip
rule Win
  wait for heads or tails
  request win(a), block flip
";
    let game = built_text("flip", text, &[]).game().unwrap();
    let mut position = game.start();
    game.advance(&mut position, Seat::FIRST, game.read_move("flip").unwrap()).unwrap();
    let chances = game.chances(&position);
    let texts: Vec<String> =
        chances.iter().map(|(drawn, chance)| format!("{drawn} {chance}")).collect();
    assert_eq!(texts, ["heads 2/3", "tails 1/3"]);
    game.advance_chance(&mut position, &chances[1].0).unwrap();
    assert!(matches!(game.turn(&position), Turn::Over(_)));
}

#[test]
fn scores_decide_where_the_text_says_so() {
    let text = "\
game points
seats a, b
event take(seat)  move of seat, scores 2 for seat
event stop(seat)  move of seat, scores 1 for seat
event over        most wins
rule Turns \"It is not your turn\" not_your_turn
  wait for take(a), block stop or take(b)
  wait for stop(b), block take or stop(a)
  request over, block any except over
rule Over \"The game is over\" game_over
  wait for over
  block any
";
    let game = built_text("points", text, &[]).game().unwrap();
    let mut position = game.start();
    for (seat, chosen) in [(Seat::FIRST, "take"), (Seat::SECOND, "stop")] {
        game.advance(&mut position, seat, game.read_move(chosen).unwrap()).unwrap();
    }
    let outcome = game.turn(&position).outcome().unwrap();
    assert_eq!(outcome.scores(), [2, 1]);
    assert_eq!(game.text(&position), "a: 2; b: 1; b moved");
}

#[test]
fn strategies_explain_their_moves() {
    let game = game("tic-tac-toe", &[]);
    let mut player = game.strategies(Seat::SECOND).unwrap();
    assert!(game.strategies(Seat::FIRST).is_none());
    let mut position = game.start();
    let mut history = Vec::new();
    for text in ["a1", "b2", "c1"] {
        let Turn::One(seat) = game.turn(&position) else { panic!("one seat moves") };
        let chosen = game.read_move(text).unwrap();
        position = game.play(&position, seat, chosen.clone()).unwrap();
        history.push(Ply::Moves(vec![(seat, chosen)]));
    }
    let view = game::PlayerView::new(&game, &position, Seat::SECOND, &history);
    let choice = player.choose(&view).unwrap();
    assert_eq!(choice.chosen.to_string(), "b1");
    let sentence = choice.explanation.unwrap().sentence;
    assert_eq!(sentence, "PreventThirdX({a1 b1 c1}) wanted mark(O, b1), and so did DefaultMoves");
    let line = built("tic-tac-toe", &[])
        .thread(&"PreventThirdX({a1 b1 c1})".into())
        .map(notation::BuiltThread::line);
    assert_eq!(line, Some(54));
}

#[test]
fn moves_are_read_in_several_ways() {
    let game = game("nim", &[]);
    for text in ["a-2", "a 2", "a,2", "A-2"] {
        assert_eq!(game.read_move(text).unwrap().to_string(), "a-2", "{text}");
    }
    let refusal = game.read_move("d-2").unwrap_err().to_string();
    assert_eq!(refusal, "\"d-2\" is no move of nim, as in a-1");
}

#[test]
fn a_move_after_which_a_rule_leaves_its_range_is_refused_because_the_rules_are_broken() {
    let text = |range: &str| {
        format!(
            "game r \"Whoever makes it four wins\"\nseats X, O\nset n = 1..3\n\
             event m(seat, n)  move of seat\nevent w(seat)  win of seat\n\
             rule Over \"over\" over\n  wait for w\n  block any\n\
             rule T \"turn\"\n  forever\n    wait for m(X), block m(O)\n    \
             wait for m(O), block m(X)\n\
             rule C \"c\"\n  keep x: {range} = 0\n  forever\n    wait for m(?s, ?k)\n    \
             x = x + k\n    if x >= 4: request w(s), block m\n"
        )
    };
    let play = |range: &str| {
        let game = built_text("r", &text(range), &[]).any_game().expect("it is a game");
        let mut position = game.start();
        let [first, second] = [0, 1].map(|seat| Seat::new(seat).expect("there are two seats"));
        let three = game.read_move("3").expect("it is a move");
        game.advance(&mut position, first, three.clone()).expect("three is within both ranges");
        let before = position.clone();
        let answer = game.advance(&mut position, second, three);
        (answer, position == before)
    };
    let (answer, is_unchanged) = play("0..5");
    let refusal = answer.expect_err("six is outside");
    assert_eq!(refusal.code(), &Code::BROKEN_RULES);
    assert_eq!(
        refusal.to_string(),
        "The rules of this game are broken: The superstep was undone: C has failed (`x` leaves its \
         range: it would be 6)"
    );
    assert!(is_unchanged, "the move is undone");
    let (answer, is_unchanged) = play("0..8");
    answer.expect("six is inside");
    assert!(!is_unchanged);
}
