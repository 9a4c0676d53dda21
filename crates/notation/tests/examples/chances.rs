//! Probabilities and expected numbers of texts.

use checker::Verdict;
use expect_test::{Expect, expect};
use notation::{ModelOptions, SearchLimits};

use crate::texts::{built, built_text};

/// The findings of a text, one below the other.
fn check(text: &str, given: &[&str], expected: &Expect) {
    let built = built_text("text", text, given);
    let model = built.model(&ModelOptions::default()).expect("the text has a model");
    let report = model.verify(built.properties(), SearchLimits::default()).expect("it is searched");
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    expected.assert_eq(&findings.join("\n"));
}

const DIE: &str = "\
program die \"A fair die from a coin, by Knuth and Yao\"

set side = heads, tails
set face = 1..6

event flip(side)
event face_up(face)

chance Coin
  forever: request flip

thread Walk
  keep at: 0..12 = 0
  while at < 7
    either
      wait for flip(heads)
      if at == 0: at = 1
      else
        if at == 1: at = 3
        else
          if at == 2: at = 5
          else
            if at == 3: at = 1
            else
              if at == 4: at = 8
              else
                if at == 5: at = 10
                else: at = 12
    or
      wait for flip(tails)
      if at == 0: at = 2
      else
        if at == 1: at = 4
        else
          if at == 2: at = 6
          else
            if at == 3: at = 7
            else
              if at == 4: at = 9
              else
                if at == 5: at = 11
                else: at = 2
  request face_up(at - 6), block flip
  block any

require One: probability of face_up(1) == 1/6
require Six: probability of face_up(6) == 1/6
require Sure: probability of face_up == 1
require Flips: expected number of flip until face_up == 11/3
require FewFlips: expected number of flip until face_up <= 3
require Never: expected number of flip until face_up(1) <= 100
";

#[test]
fn a_coin_makes_a_fair_die() {
    check(
        DIE,
        &[],
        &expect![[r#"
        One: holds: the probability of face_up(1) is 1/6
        Six: holds: the probability of face_up(6) is 1/6
        Sure: holds: the probability of face_up(1), face_up(2), face_up(3) and 3 more events is 1
        Flips: holds: the expected number of flip(heads) or flip(tails) until face_up(1), face_up(2), face_up(3) and 3 more events is 11/3
        FewFlips: violated: the expected number of flip(heads) or flip(tails) until face_up(1), face_up(2), face_up(3) and 3 more events is 11/3
          flip(heads), flip(heads), flip(tails), face_up(1)
        Never: violated: the expected number of flip(heads) or flip(tails) until face_up(1) is infinite
          flip(heads), flip(heads), flip(tails), face_up(1)"#]],
    );
}

/// Craps: the sum of two dice has a weight.
const CRAPS: &str = "\
program craps \"The shooter rolls two dice\"

set sum = 2..12
event roll(sum)
event win
event lose

chance Dice
  forever: request roll(2) 1, roll(3) 2, roll(4) 3, roll(5) 4, roll(6) 5, roll(7) 6, roll(8) 5, roll(9) 4, roll(10) 3, roll(11) 2, roll(12) 1

thread Shooter
  wait for roll(?point)
  if point in {7 11}: request win, block roll
  else
    if point in {2 3 12}: request lose, block roll
    else
      either
        wait for roll(point)
        request win, block roll
      or
        wait for roll(7)
        request lose, block roll
  block any

require Wins: probability of win == 244/495
require Even: probability of win >= 1/2
require ItEnds: ends with win or lose
";

#[test]
fn the_shooter_wins_at_craps_a_little_less_than_half_of_the_games() {
    check(
        CRAPS,
        &[],
        &expect![[r#"
        Wins: holds: the probability of win is 244/495
        Even: violated: the probability of win is 244/495
          roll(7), win
        ItEnds: holds"#]],
    );
}

#[test]
fn the_examples_say_how_likely_it_is() {
    for (name, property, sentence) in [
        ("ruin", "GetsRich", "the probability of rich is 3/5"),
        ("monty-hall", "Switching", "the probability of car is 2/3"),
    ] {
        let built = built(name, &[]);
        let model = built.model(&ModelOptions::default()).expect("the text has a model");
        let report = model.verify(built.properties(), SearchLimits::default()).expect("it ends");
        let finding = report.finding(property).expect("the text has the property");
        assert_eq!((finding.verdict, finding.sentence.as_str()), (Verdict::Holds, sentence));
    }
}

/// The coin is a free choice, so that the answer has two ends.
const FREE: &str = "\
program coins \"Whoever bets wins by one of two coins\"
event fair
event loaded
event win
event lose
world Better: request fair, loaded
chance Coins
  either
    wait for fair
    request win, lose
  or
    wait for loaded
    request win 2, lose 1
require AtLeastHalf: probability of win >= 1/2
require AtMostHalf: probability of win <= 1/2
require TwoThirds: probability of win == 2/3
require SureToEnd: probability of win or lose == 1
";

#[test]
fn what_others_choose_gives_a_least_and_a_greatest_probability() {
    check(
        FREE,
        &[],
        &expect![[r#"
        AtLeastHalf: holds: the probability of win is at least 1/2 and at most 2/3, as others choose
        AtMostHalf: violated: the probability of win is at least 1/2 and at most 2/3, as others choose
          loaded, win
        TwoThirds: violated: the probability of win is at least 1/2 and at most 2/3, as others choose
          fair, win
        SureToEnd: holds: the probability of win or lose is 1"#]],
    );
}

#[test]
fn a_better_who_passes_for_ever_never_wins() {
    let idle = FREE
        .replace("Better: request fair, loaded", "Better: forever: request fair, loaded, pass")
        .replace("event win\n", "event win\nevent pass\n");
    check(
        &idle,
        &[],
        &expect![[r#"
            AtLeastHalf: violated: the probability of win is at least 0 and at most 2/3, as others choose
            AtMostHalf: violated: the probability of win is at least 0 and at most 2/3, as others choose
              loaded, win
            TwoThirds: violated: the probability of win is at least 0 and at most 2/3, as others choose
            SureToEnd: violated: the probability of win or lose is at least 0 and at most 1, as others choose"#]],
    );
}

/// The world guesses a coin: by chance if it did not see it, otherwise as it likes.
fn guess(first: &str) -> String {
    format!(
        "\
program guess \"Heads or tails\"
set side = heads, tails
event falls(side)
event guess(side)
event right
event wrong
chance Coin: request falls
thread Order: wait for falls, block guess
world Guesser
{first}
  request guess
thread Referee
  wait for falls(?side)
  wait for guess(?guessed)
  if guessed == side: request right
  else: request wrong
require Half: probability of right == 1/2
"
    )
}

#[test]
fn the_world_knows_only_what_it_has_seen() {
    check(
        &guess("  # It saw nothing."),
        &[],
        &expect!["Half: holds: the probability of right is 1/2"],
    );
    let seen = "  wait for falls(?seen)\n  if seen == heads: request guess\n  else";
    check(
        &guess(seen).replace("  else\n  request guess", "  else: request guess"),
        &[],
        &expect![[r#"
            Half: violated: the probability of right is at least 0 and at most 1, as others choose
              falls(heads), guess(heads), right"#]],
    );
    // A world that comes back to its choice may know anything.
    check(
        &guess("").replace("  request guess\n", "  forever: request guess\n"),
        &[],
        &expect![
            "Half: violated: the probability of right is at least 0 and at most 1, as others choose"
        ],
    );
}
