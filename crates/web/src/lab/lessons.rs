//! Lessons: programs that lack something, and how to see that it is mended.

mod never_lose;
mod tutorial;

use self::never_lose::NEVER_LOSE;
use self::tutorial::TUTORIAL;

/// A lesson: steps that are taken one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// The name in links and in the browser's storage.
    pub id: &'static str,
    /// The title.
    pub title: &'static str,
    /// The steps.
    pub steps: &'static [LessonStep],
}

/// One step of a lesson.
#[derive(Clone, Copy, Debug)]
pub struct LessonStep {
    /// The title.
    pub title: &'static str,
    /// What goes wrong, and what to do.
    pub story: &'static str,
    /// The text at the beginning of the step.
    pub text: fn() -> String,
    /// When the step is done.
    pub goal: LessonGoal,
    /// What is said when it is done.
    pub done: &'static str,
}

/// When a step of a lesson is done.
#[derive(Clone, Copy, Debug)]
pub enum LessonGoal {
    /// All these properties are in the text and hold, and the text with `solution` in place of its
    /// last lines is one way to reach that.
    Holds {
        /// The lines that must be in the text: the claims.
        claims: &'static str,
        /// A whole text that reaches the goal.
        solution: fn() -> String,
    },
    /// This family alone is switched off, and the proof has ended.
    Tried(&'static str),
}

/// All lessons.
pub const LESSONS: [&Lesson; 2] = [&TUTORIAL, &NEVER_LOSE];
