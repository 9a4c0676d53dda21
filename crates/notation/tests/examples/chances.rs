//! Probabilities and expected numbers of texts.

use checker::Verdict;
use expect_test::{Expect, expect};
use notation::{ModelOptions, SearchLimits};

use crate::texts::{built, built_text};

/// The findings of a text, one below the other.
pub(crate) fn check(text: &str, given: &[&str], expected: &Expect) {
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
          flip(heads), flip(tails), flip(heads), face_up(2)"#]],
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
          roll(2), lose
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
          fair, lose
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
              and then for ever: pass
            AtMostHalf: violated: the probability of win is at least 0 and at most 2/3, as others choose
              loaded, win
            TwoThirds: violated: the probability of win is at least 0 and at most 2/3, as others choose
              and then for ever: pass
            SureToEnd: violated: the probability of win or lose is at least 0 and at most 1, as others choose
              and then for ever: pass"#]],
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
              falls(heads), guess(tails), wrong"#]],
    );
    // A world that comes back to its choice may know anything.
    check(
        &guess("").replace("  request guess\n", "  forever: request guess\n"),
        &[],
        &expect![[r#"
            Half: violated: the probability of right is at least 0 and at most 1, as others choose
              falls(heads), guess(heads), and then for ever: guess(heads)"#]],
    );
}

#[test]
fn the_world_knows_what_it_has_seen_also_if_it_never_reads_it_again() {
    let all = [
        "  wait for falls",
        "  wait for falls(?seen)",
        "  either\n    wait for falls(heads)\n  or\n    wait for falls(tails)",
    ];
    for first in all {
        check(
            &guess(first),
            &[],
            &expect![[r#"
                Half: violated: the probability of right is at least 0 and at most 1, as others choose
                  falls(heads), guess(tails), wrong"#]],
        );
    }
    // What it sees later comes too late.
    let late =
        guess("").replace("  request guess\n", "  request guess\n  wait for right or wrong\n");
    check(&late, &[], &expect!["Half: holds: the probability of right is 1/2"]);
}

#[test]
fn the_world_knows_which_of_its_choices_are_possible() {
    let hint = guess("")
        .replace("heads, tails", "heads, tails, edge")
        .replace("request falls", "request falls(heads), falls(tails)")
        .replace("require", "thread Hint\n  wait for falls(tails)\n  block guess(edge)\nrequire");
    check(
        &hint,
        &[],
        &expect![[r#"
            Half: violated: the probability of right is at least 0 and at most 1, as others choose
              falls(heads), guess(tails), wrong"#]],
    );
}

#[test]
fn a_choice_after_a_loop_may_know_everything() {
    // The guesser never looks at the coin, but what it has seen before has no end.
    let text = guess("  keep on: 0..1 = 1\n  while on == 1: wait for tick(?on)")
        .replace("event right", "set bit = 0..1\nevent tick(bit)\nevent right")
        .replace("require", "thread Ticks\n  forever: request tick\nrequire");
    check(
        &text,
        &[],
        &expect![[r#"
            Half: violated: the probability of right is at least 0 and at most 1, as others choose
              and then for ever: tick(1)"#]],
    );
}

#[test]
fn a_player_of_monty_hall_who_may_stay_wins_from_one_third_to_two_thirds() {
    let text = crate::texts::text("monty-hall")
        .replace("block final(first) or final(shown)", "block final(shown)")
        .replace(
            "require Switching: probability of car == 2/3",
            "\
require AtBest: probability of car <= 2/3
require AtWorst: probability of car >= 1/3
require More: probability of car >= 1/2",
        );
    check(
        &text,
        &[],
        &expect![[r#"
            AtBest: holds: the probability of car is at least 1/3 and at most 2/3, as others choose
            AtWorst: holds: the probability of car is at least 1/3 and at most 2/3, as others choose
            More: violated: the probability of car is at least 1/3 and at most 2/3, as others choose
              hide(2), pick(1), open(3), final(1), goat
            ItEnds: holds"#]],
    );
}

#[test]
fn waiting_that_costs_nothing_does_not_hide_the_least_number() {
    let text = "\
program toll \"Whoever waits pays nothing, and does not get through\"
event wait_a_bit
event pay
event passed
world Idle: forever: request wait_a_bit
world Payer
  2 times: request pay
  request passed
  block any
require AtLeastTwo: expected number of pay until passed >= 2
require AtLeastThree: expected number of pay until passed >= 3
require AtMostTwo: expected number of pay until passed <= 2
";
    check(
        &text.replace("Idle: forever:", "Idle\n  forever:"),
        &[],
        &expect![[r#"
            AtLeastTwo: holds: the expected number of pay until passed is at least 2 and without bound, as others choose
            AtLeastThree: violated: the expected number of pay until passed is at least 2 and without bound, as others choose
              pay, pay, passed
            AtMostTwo: violated: the expected number of pay until passed is at least 2 and without bound, as others choose
              and then for ever: wait_a_bit"#]],
    );
}

/// A pair of numbers is drawn, and something waits for it.
fn drawn_pair(wait: &str, then: &str) -> String {
    format!(
        "\
program pairs \"Two numbers at once\"
set n = 1..3
event a(x: n, y: n)
event got(n)
chance Draw: request a
thread Waits
  {wait}
  {then}
require OneThird: probability of got == 1/3
require FourNinths: probability of got(2) == 4/9
"
    )
}

#[test]
fn a_value_that_is_remembered_twice_is_the_same_both_times() {
    let one_third = expect![[r#"
        OneThird: holds: the probability of got(1) or got(2) or got(3) is 1/3
        FourNinths: violated: the probability of got(2) is 1/9
          a(1, 2)"#]];
    check(&drawn_pair("wait for a(?v, ?v)", "request got(v)"), &[], &one_third);
    check(&drawn_pair("wait for a(?v, _) and a(_, ?v)", "request got(v)"), &[], &one_third);
    // Different names may stand for equal values.
    check(
        &drawn_pair("wait for a(?v, ?w)", "request got(v), got(w)"),
        &[],
        &expect![[r#"
        OneThird: violated: the probability of got(1) or got(2) or got(3) is 1
          a(1, 1), got(1)
        FourNinths: violated: the probability of got(2) is at least 1/9 and at most 5/9, as others choose
          a(1, 1), got(1)"#]],
    );
}

#[test]
fn a_value_is_remembered_by_the_pattern_that_matches() {
    check(
        &drawn_pair("wait for a(?v, 1) or a(_, ?v)", "request got(v)"),
        &[],
        &expect![[r#"
        OneThird: violated: the probability of got(1) or got(2) or got(3) is 1
          a(1, 1), got(1)
        FourNinths: holds: the probability of got(2) is 4/9"#]],
    );
}

/// The world sees dice, and guesses one of them.
const DICE: &str = "\
program dice \"Guess a die\"
parameter rolls = 1
set face = 1..6
event hide(face)
event roll(face)
event guess(face)
event right
event wrong
chance Dice
  keep last = 1
  request hide(?hidden)
  rolls times: request roll(?last)
  wait for guess(?guessed)
  if guessed == hidden: request right
  else: request wrong
thread Order: wait for hide, block guess
world Player
  rolls times: wait for roll
  request guess
require AtLeast: probability of right >= 1/6
require Sure: probability of right or wrong == 1
";

#[test]
fn a_world_that_has_seen_much_decides_one_thing_after_another() {
    // Six faces that were seen and six that may be chosen make 46,656 ways to choose.
    check(
        DICE,
        &[],
        &expect![[r#"
        AtLeast: holds: the probability of right is 1/6
        Sure: holds: the probability of right or wrong is 1"#]],
    );
    // What was seen is worth something if it cannot be the hidden one.
    let other = DICE.replace("request roll(?last)", "request roll(?last), block roll(hidden)");
    check(
        &other.replace("right >= 1/6", "right <= 1/5"),
        &[],
        &expect![[r#"
        AtLeast: holds: the probability of right is at least 0 and at most 1/5, as others choose
        Sure: holds: the probability of right or wrong is 1"#]],
    );
}

#[test]
fn a_world_that_has_seen_too_much_is_taken_for_one_that_knows_everything_and_nothing_is_violated() {
    // Six dice can be seen in 46,656 ways.
    check(
        DICE,
        &["rolls=6"],
        &expect![[r#"
        AtLeast: unknown: the probability of right is at least 0 and at most 1, as others choose, if the world knows everything, which does not tell whether it is >= 1/6
        Sure: holds: the probability of right or wrong is 1, if the world knows everything"#]],
    );
    // Somebody else can choose before it.
    let other =
        DICE.replace("thread Order", "event early\nworld Early: request early\nthread Order");
    check(
        &other,
        &[],
        &expect![[r#"
        AtLeast: unknown: the probability of right is at least 0 and at most 1, as others choose, if the world knows everything, which does not tell whether it is >= 1/6
        Sure: holds: the probability of right or wrong is 1, if the world knows everything"#]],
    );
}

#[test]
fn a_world_that_has_seen_everything_may_choose_by_it() {
    let seen = DICE.replace("guessed == hidden", "guessed == last");
    let seen = seen.replace("?hidden", "1").replace("hide(face)", "hide(n: face)");
    check(
        &seen,
        &["rolls=2"],
        &expect![[r#"
        AtLeast: violated: the probability of right is at least 0 and at most 1, as others choose
          hide(1), roll(1), roll(1), guess(2), wrong
        Sure: holds: the probability of right or wrong is 1"#]],
    );
}

const BRANCHES: &str = "event a\nevent b\n";

#[test]
fn what_chance_draws_otherwise_is_equally_likely() {
    check(
        &format!(
            "program p \"Draws where nothing else can happen\"\n{BRANCHES}event c\nevent d\n\
             chance B: otherwise a or b\nthread C: request c\nthread D: request d, block d\n\
             require Half: probability of b == 1/2\nrequire Never: probability of b == 0\n\
             require First\n  wait for a or b\n  wait for c\n  fail \"c came later\"\n"
        ),
        &[],
        &expect![[r#"
            Half: holds: the probability of b is 1/2
            Never: violated: the probability of b is 1/2
              c, b
            First: holds"#]],
    );
}

#[test]
fn what_happens_otherwise_is_no_choice_while_something_else_can_happen() {
    check(
        &format!(
            "program p \"A thread would choose what chance draws\"\n{BRANCHES}\
             chance B: request a, b\nthread T: otherwise b\n\
             thread End\n  wait for a or b\n  block any\n\
             require Half: probability of b == 1/2\n"
        ),
        &[],
        &expect!["Half: holds: the probability of b is 1/2"],
    );
}
