//! `cradle fmt`: one form for all texts.

#[path = "examples/games_folder.rs"]
mod games_folder;

use expect_test::{Expect, expect};
use notation::Document;

use games_folder::TEXTS;

fn check(text: &str, expected: &Expect) {
    let formatted = Document::read(text).format().expect("the text has no mistake");
    expected.assert_eq(&formatted);
    assert_eq!(Document::read(formatted.as_str()).format(), Ok(formatted));
}

#[test]
fn the_examples_are_in_this_form() {
    for (_, text) in TEXTS {
        assert_eq!(Document::read(text).format().as_deref(), Ok(text));
    }
}

#[test]
fn spaces_blocks_and_empty_lines_are_put_in_order_and_comments_are_kept() {
    check(
        "\n\n# What it is.\nprogram   hot-and-cold \"Water\"\n\n\nset  n=0..most-1   # range\n\
         parameter most=3\nevent  hot( n ,m : n )\nthread A( n )\n      # first\n      3 times :request hot( ? x,_ )\n\n\n      keep y=-1\n  # between\nthread B\n forever\n   either\n    wait for hot(n>=2),block hot ( not 1 )\n   or\n    wait for hot except ( hot and any )\nrequire P:probability of hot<=2/3\n\n\n",
        &expect![[r##"
            # What it is.
            program hot-and-cold "Water"

            set n = 0..most - 1  # range
            parameter most = 3
            event hot(n, m: n)
            thread A(n)
              # first
              3 times: request hot(?x, _)

              keep y = -1
            # between
            thread B
              forever
                either
                  wait for hot(n >= 2), block hot(not 1)
                or
                  wait for hot except (hot and any)
            require P: probability of hot <= 2/3
        "##]],
    );
}

#[test]
fn brackets_after_words_are_no_arguments() {
    check(
        "program p\nevent a\nevent b\nchance C: request a, b\n\
         require E: expected number of(a or b)until(b or a)<=3\nrequire N: never(a and b)\n",
        &expect![[r#"
            program p
            event a
            event b
            chance C: request a, b
            require E: expected number of (a or b) until (b or a) <= 3
            require N: never (a and b)
        "#]],
    );
}

#[test]
fn meanings_of_neighbouring_events_stand_in_one_column() {
    check(
        "game g\nseats X\nevent a(seat) move of seat\nevent b\nevent longer(seat) win of seat\n\nevent c draw\n",
        &expect![[r#"
            game g
            seats X
            event a(seat)       move of seat
            event b
            event longer(seat)  win of seat

            event c  draw
        "#]],
    );
}

#[test]
fn a_comment_at_the_end_of_a_block_stays_in_it() {
    check(
        "program p\nevent a\nthread A\n    forever\n        request a\n        # of the loop\n\n    # of the b-thread\n# of the next one\nthread B: request a\n  # of B\nthread C\n # not closer than its block\n    request a\n     # too deep\n  # between\n    # at the end\n",
        &expect![[r#"
            program p
            event a
            thread A
              forever
                request a
                # of the loop

              # of the b-thread
            # of the next one
            thread B: request a
            # of B
            thread C
              # not closer than its block
              request a
              # too deep
            # between
              # at the end
        "#]],
    );
}

#[test]
fn lines_that_end_as_on_windows_and_a_byte_order_mark_are_put_in_form() {
    let text = "program p\n\n# why\nevent a\nthread A: request a\n";
    let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    assert_eq!(Document::read(windows).format().as_deref(), Ok(text));
}

#[test]
fn a_malformed_text_is_not_formatted() {
    let mistakes = Document::read("program p\nevent (\n").format().unwrap_err();
    assert_eq!(mistakes[0].code.as_str(), "unexpected");
}
