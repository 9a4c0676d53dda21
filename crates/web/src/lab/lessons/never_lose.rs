//! The second lesson: what each of O's six strategies is for.

use super::super::EXAMPLES;
use super::{Lesson, LessonGoal, LessonStep};

/// A step that switches one strategy off.
macro_rules! step {
    ($family:literal, $title:literal, $story:literal, $done:literal) => {
        LessonStep {
            title: $title,
            story: $story,
            text: solved,
            goal: LessonGoal::Tried($family),
            done: $done,
        }
    };
}

/// What each of O's six strategies is for.
pub(super) const NEVER_LOSE: Lesson = Lesson {
    id: "never-lose",
    title: "Six strategies that never lose",
    steps: &[
        step!(
            "AddThirdO",
            "AddThirdO",
            "Here O plays by six strategies, the first of highest priority, and X never wins. Find \
             out what each one is for: switch AddThirdO off, with the switch beside its line.",
            "O no longer finishes its own lines. It blocks instead, and X gets time to win: look at \
             the shortest game, and put it on the board."
        ),
        step!(
            "PreventThirdX",
            "PreventThirdX",
            "Everything is on again. Now switch PreventThirdX off, with the switch beside its line. How many \
             moves does X need?",
            "X just makes three in a row: three marks are enough, because nobody is in the way."
        ),
        step!(
            "PreventXFork",
            "PreventXFork",
            "Now switch off PreventXFork alone. It looks at a corner and an edge of X, and takes the \
             corner between them.",
            "X makes two threats at once, a fork, and O can block only one of them."
        ),
        step!(
            "PreventAnotherXFork",
            "PreventAnotherXFork",
            "Switch off PreventAnotherXFork alone. It is for X in two opposite corners and O in the \
             middle.",
            "With two opposite corners X forks from a third one. O must move to an edge, so that X \
             has to answer."
        ),
        step!(
            "PreventYetAnotherXFork",
            "PreventYetAnotherXFork",
            "Switch off PreventYetAnotherXFork alone. It is for X on two edges that meet in a corner.",
            "Two edges and their corner are a fork as well."
        ),
        step!(
            "DefaultMoves",
            "DefaultMoves",
            "At last switch off DefaultMoves alone: it only says which square O likes best when \
             nothing is urgent.",
            "X still never wins, but games no longer end: O has nothing to request, and waits for \
             ever. A strategy can be needed for going on, not only for winning."
        ),
    ],
};

/// Tic-tac-toe with all six strategies.
pub(super) fn solved() -> String {
    EXAMPLES.first().map_or("", |example| example.text).to_owned()
}
