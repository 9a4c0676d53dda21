//! Probabilities and expected numbers where a `must request` could wait for ever.

use expect_test::expect;

use crate::chances::check;

/// Something must happen, and something else can happen again and again.
fn hurried(must: &str) -> String {
    format!(
        "program p \"A request that must happen\"\nevent a\nevent n\n\
         thread C\n  {must}request a\n  block any\nthread N\n  forever: request n\n\
         require End: ends with a\nrequire Must: never stays at must\n\
         require Sure: probability of a >= 1\nrequire Possible: probability of a <= 1\n\
         require Once: expected number of a until a == 1\n\
         require Late: expected number of n until a <= 7\n"
    )
}

#[test]
fn what_must_happen_at_last_is_certain() {
    check(
        &hurried("must "),
        &[],
        &expect![[r#"
        End: holds
        Must: holds
        Sure: holds: the probability of a is 1
        Possible: holds: the probability of a is 1
        Once: holds: the expected number of a until a is 1
        Late: violated: the expected number of n until a is at least 0 and without bound, as others choose"#]],
    );
}

/// The twin: without `must` it may never happen.
#[test]
fn what_need_not_happen_is_not_certain() {
    check(
        &hurried(""),
        &[],
        &expect![[r#"
            End: violated: it can go on for ever
              and then for ever: n
            Must: holds
              no b-thread has a `must`
            Sure: violated: the probability of a is at least 0 and at most 1, as others choose
              and then for ever: n
            Possible: holds: the probability of a is at least 0 and at most 1, as others choose
            Once: violated: the expected number of a until a is at least 1 and without bound, as others choose
              and then for ever: n
            Late: violated: the expected number of n until a is at least 0 and without bound, as others choose
              and then for ever: n"#]],
    );
}

/// A door opens and closes for ever; somebody wants to pass.
fn door(must: &str) -> String {
    format!(
        "program p \"A door\"\nevent open\nevent close\nevent pass\n\
         thread Door\n  forever\n    request open, block pass\n    request close\n\
         thread Guest\n  {must}request pass\n  block any\n\
         require Sure: probability of pass == 1\n"
    )
}

#[test]
fn a_request_that_is_possible_again_and_again_happens_also_if_it_is_blocked_in_between() {
    check(&door("must "), &[], &expect!["Sure: holds: the probability of pass is 1"]);
    check(
        &door(""),
        &[],
        &expect![[r#"
        Sure: violated: the probability of pass is at least 0 and at most 1, as others choose
          and then for ever: open, close"#]],
    );
}

#[test]
fn of_two_requests_that_must_happen_one_can_prevent_the_other() {
    let text = "\
program p \"The faster one wins\"
event a
event b
event n
thread A
  must request a, interrupt b
  block b
thread B
  must request b, interrupt a
  block a
thread N: forever: request n
require First: probability of a >= 1
require One: probability of a or b == 1
";
    check(
        &text.replace("N: forever:", "N\n  forever:"),
        &[],
        &expect![[r#"
            First: violated: the probability of a is at least 0 and at most 1, as others choose
              b, and then for ever: n
            One: holds: the probability of a or b is 1"#]],
    );
}

/// A coin is thrown for as long as somebody waits.
fn coin(must: &str) -> String {
    format!(
        "program p \"A coin\"\nevent heads\nevent tails\nevent wait_a_bit\nevent stop\n\
         chance Coin\n  wait for wait_a_bit\n  request heads 1, tails 3\n\
         thread Idle\n  request wait_a_bit\n  wait for heads or tails\n  forever: request wait_a_bit\n\
         thread Stop\n  {must}request stop\n  block any\n\
         require Half: probability of heads >= 1/2\n\
         require Quarter: probability of heads <= 1/4\n\
         require Stops: probability of stop == 1\n"
    )
}

#[test]
fn chance_is_part_of_a_fair_order() {
    check(
        &coin("must "),
        &[],
        &expect![[r#"
            Half: violated: the probability of heads is at least 0 and at most 1/4, as others choose
              stop
            Quarter: holds: the probability of heads is at least 0 and at most 1/4, as others choose
            Stops: holds: the probability of stop is 1"#]],
    );
    check(
        &coin(""),
        &[],
        &expect![[r#"
            Half: violated: the probability of heads is at least 0 and at most 1/4, as others choose
              stop
            Quarter: holds: the probability of heads is at least 0 and at most 1/4, as others choose
            Stops: violated: the probability of stop is at least 0 and at most 1, as others choose
              wait_a_bit, heads, and then for ever: wait_a_bit"#]],
    );
}

#[test]
fn a_run_that_is_shown_for_ever_leaves_nobody_waiting_who_must_act() {
    let text = "\
program p \"Two who must act, and one who need not\"
event a
event b
event rare
thread A
  forever: must request a
thread B
  forever: must request b
thread Rare: request rare
require Sure: probability of rare == 1
require Ends: ends with rare
";
    check(
        text,
        &[],
        &expect![[r#"
            Sure: violated: the probability of rare is at least 0 and at most 1, as others choose
              and then for ever: a, b
            Ends: violated: it can go on for ever
              and then for ever: a, b"#]],
    );
}
