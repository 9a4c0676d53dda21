//! What is wrong with a text, in words: one test for each kind of mistake and warning.

mod bounds;
mod cases;
#[path = "../examples/games_folder.rs"]
mod games_folder;
mod kinds;
mod mutations;
mod sentences;

use expect_test::Expect;
use notation::{BuildLimits, Document};

/// All mistakes and warnings of a text.
fn shown(text: &str) -> String {
    let all = Document::read(text).check(&[]);
    let shown: Vec<String> = all.iter().map(|each| each.render("a.cradle", text)).collect();
    shown.join("\n")
}

/// The codes of the mistakes and warnings of a text, within bounds.
fn codes(text: &str, limits: BuildLimits) -> Vec<&'static str> {
    let all = Document::read_within(text, limits).check(&[]);
    all.iter().map(|each| each.code.as_str()).collect()
}

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&shown(text));
}
