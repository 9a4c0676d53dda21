//! Where a person is in a lesson, and whether the step is done.

use notation::escaped;

use super::html::{Html, filled};
use super::lessons::{LESSONS, Lesson, LessonGoal, LessonStep};
use super::proof::{ProofReport, ProofVerdict};
use super::state::{Lab, LabEffect, ProofState};
use crate::language::say;

/// How far a person has come in each lesson: the number of steps that are done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LessonProgress(Vec<(String, usize)>);

impl LessonProgress {
    /// The number of steps of a lesson that are done.
    #[must_use]
    pub fn steps(&self, lesson: &str) -> usize {
        self.0.iter().find(|(known, _)| known == lesson).map_or(0, |(_, steps)| *steps)
    }

    /// All lessons that somebody has begun.
    pub fn lessons(&self) -> impl Iterator<Item = (&str, usize)> {
        self.0.iter().map(|(lesson, steps)| (lesson.as_str(), *steps))
    }

    fn note(&mut self, lesson: &str, steps: usize) {
        self.0.retain(|(known, _)| known != lesson);
        self.0.push((lesson.to_owned(), steps));
    }
}

impl FromIterator<(String, usize)> for LessonProgress {
    fn from_iter<I: IntoIterator<Item = (String, usize)>>(lessons: I) -> Self {
        Self(lessons.into_iter().collect())
    }
}

/// The lesson that is open, and what is done of all lessons.
#[derive(Debug, Default)]
pub(super) struct LessonState {
    open: Option<(&'static Lesson, usize)>,
    done: LessonProgress,
}

impl LessonState {
    pub(super) fn new(done: LessonProgress) -> Self {
        Self { open: None, done }
    }

    /// Another text is open now.
    pub(super) fn leave(&mut self) {
        self.open = None;
    }

    fn step(&self) -> Option<(&'static Lesson, usize, &'static LessonStep)> {
        let (lesson, number) = self.open?;
        Some((lesson, number, lesson.steps.get(number)?))
    }

    fn done(&self, lesson: &Lesson) -> usize {
        self.done.steps(lesson.id).min(lesson.steps.len())
    }
}

impl Lab {
    /// Opens a lesson, goes on, shows the solution, or leaves.
    pub(super) fn learn(&mut self, action: &str, value: &str) -> Vec<LabEffect> {
        match (action, self.lessons().step()) {
            ("lesson", _) => {
                let Some(lesson) = LESSONS.into_iter().find(|lesson| lesson.id == value) else {
                    return Vec::new();
                };
                let step = self.lessons().done(lesson).min(lesson.steps.len() - 1);
                self.open_step(lesson, step)
            }
            ("lesson-next", Some((lesson, number, _))) if number + 1 < lesson.steps.len() => {
                self.open_step(lesson, number + 1)
            }
            ("lesson-back", Some((lesson, number, _))) if number > 0 => {
                self.open_step(lesson, number - 1)
            }
            ("lesson-solve", Some((_, _, step))) => match step.goal {
                LessonGoal::Holds { solution, .. } => {
                    let text = solution();
                    let mut effects = vec![LabEffect::ReplaceText(text.clone())];
                    effects.extend(self.change_text(&text));
                    effects
                }
                LessonGoal::Tried(family) if !self.is_off(family) => self.act("switch", family),
                LessonGoal::Tried(_) => Vec::new(),
            },
            ("lesson-leave", _) => {
                self.lessons_mut().leave();
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn open_step(&mut self, lesson: &'static Lesson, number: usize) -> Vec<LabEffect> {
        let Some(step) = lesson.steps.get(number) else { return Vec::new() };
        let mut effects = self.open_text(&(step.text)());
        self.lessons_mut().open = Some((lesson, number));
        effects.push(LabEffect::Focus("lesson-heading".to_owned()));
        effects
    }

    /// The key that goes on: to the next step of a lesson if this one is done, otherwise it proves again.
    pub(super) fn go_on(&mut self) -> Vec<LabEffect> {
        let step = self.lessons().step();
        let is_done = step.is_some_and(|(lesson, number, step)| {
            number + 1 < lesson.steps.len() && self.has_reached(step)
        });
        if is_done { self.learn("lesson-next", "") } else { self.act("prove", "") }
    }

    /// Notes that the open step is done; returns what must be kept.
    pub(super) fn note_lesson(&mut self) -> Vec<LabEffect> {
        let Some((lesson, number, step)) = self.lessons().step() else { return Vec::new() };
        if !self.has_reached(step) || self.lessons().done(lesson) > number {
            return Vec::new();
        }
        self.lessons_mut().done.note(lesson.id, number + 1);
        vec![LabEffect::StoreLessons(self.lessons().done.clone())]
    }

    /// Whether the checker says that the step is done.
    fn has_reached(&self, step: &LessonStep) -> bool {
        let ProofState::Done { report, .. } = self.proof() else { return false };
        match step.goal {
            LessonGoal::Tried(family) => self.switched_off() == [family],
            LessonGoal::Holds { claims, .. } => {
                self.switched_off().is_empty()
                    && holds(report, claims)
                    && tidy(self.text().source()).contains(tidy(claims).trim_end())
            }
        }
    }

    /// The lesson that is open; otherwise nothing.
    pub(super) fn lesson_panel(&self) -> String {
        let words = self.words();
        let mut html = Html::default();
        let Some((lesson, number, step)) = self.lessons().step() else { return String::new() };
        let place = filled(
            words.lesson_place,
            &[("step", &(number + 1)), ("steps", &lesson.steps.len()), ("title", &say(step.title))],
        );
        html.add(format_args!(
            "<div class=\"card lesson\"><h2 id=\"lesson-heading\" tabindex=\"-1\">{} <small>{}</small></h2>\
             <p>{}</p>",
            escaped(&place),
            escaped(&say(lesson.title)),
            escaped(&say(step.story))
        ));
        let is_done = self.has_reached(step);
        let is_last = number + 1 == lesson.steps.len();
        if is_done {
            let end = if is_last { words.lesson_end } else { words.lesson_keys };
            html.add(format_args!(
                "<p class=\"good\" role=\"status\">✓ {} {}</p>",
                escaped(&say(step.done)),
                escaped(end)
            ));
        }
        html.add(format_args!("<div class=\"steering\">"));
        if (is_done || self.lessons().done(lesson) > number) && !is_last {
            html.styled_button("main", "lesson-next", "", words.lesson_next);
        }
        if !is_done {
            html.button("lesson-solve", "", words.lesson_solve);
        }
        if number > 0 {
            html.button("lesson-back", "", words.lesson_back);
        }
        html.button("lesson-leave", "", words.lesson_leave);
        html.add(format_args!("</div></div>"));
        html.finish()
    }
}

/// Whether everything holds, the claims among it.
fn holds(report: &ProofReport, claims: &str) -> bool {
    let name = claims.split_whitespace().nth(1).unwrap_or_default();
    let family = name.split(['(', ':']).next().unwrap_or_default();
    let is_claim = |property: &str| property.split('(').next() == Some(family);
    report.findings.iter().any(|finding| is_claim(&finding.property))
        && report.findings.iter().all(|finding| finding.verdict == ProofVerdict::Holds)
}

/// The lines of a text without spaces around them, and without empty ones.
fn tidy(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}
