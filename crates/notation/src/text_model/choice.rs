//! Which events may happen in a state of a text.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use bthread::{Candidate, Choices, Name, Strategy};
use game::{Seat, Seats};
use rustc_hash::FxHashMap;

use crate::syntax::TextForm;
use crate::text_event::TextEvent;

/// The actor behind a b-thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ThreadClass {
    Rule,
    Chance,
    Strategy(Seat),
    FreeSeat,
    /// It acts where nobody else can.
    Otherwise,
    /// It never acts.
    Watcher,
}

/// Chooses as the text says: rules first, then chance, strategies and free seats, and what happens
/// otherwise. In a program, everything except what happens otherwise is one class.
#[derive(Clone)]
pub(crate) struct TextChoice(Arc<ChoiceRules>);

struct ChoiceRules {
    form: TextForm,
    classes: FxHashMap<Name, ThreadClass>,
}

impl TextChoice {
    pub(super) fn new(
        form: TextForm,
        classes: impl IntoIterator<Item = (Name, ThreadClass)>,
    ) -> Self {
        Self(Arc::new(ChoiceRules { form, classes: classes.into_iter().collect() }))
    }

    pub(super) fn class(&self, thread: &Name) -> Option<ThreadClass> {
        self.0.classes.get(thread).copied()
    }

    fn class_of(&self, candidate: &Candidate<'_, TextEvent>) -> ThreadClass {
        self.class(candidate.thread()).unwrap_or(ThreadClass::Rule)
    }
}

impl Strategy<TextEvent> for TextChoice {
    fn choose<'a>(&mut self, choices: &Choices<'a, TextEvent>) -> Candidate<'a, TextEvent> {
        self.possible(choices).into_iter().next().unwrap_or_else(|| choices.first())
    }

    fn possible<'a>(&self, choices: &Choices<'a, TextEvent>) -> Vec<Candidate<'a, TextEvent>> {
        let first = choices.first();
        match (self.0.form, self.class_of(&first)) {
            // B-threads that act otherwise come last, so nobody else can act.
            (_, ThreadClass::Otherwise) | (TextForm::Game, ThreadClass::Rule) => vec![first],
            (TextForm::Program, _) => {
                let mut all = choices.all();
                all.retain(|each| self.class_of(each) != ThreadClass::Otherwise);
                all
            }
            (TextForm::Game, _) => {
                let mut players = Seats::NONE;
                let mut all = choices.all();
                all.retain(|each| match self.class_of(each) {
                    ThreadClass::Chance | ThreadClass::FreeSeat => true,
                    ThreadClass::Strategy(seat) => {
                        let is_first = !players.contains(seat);
                        players = players.with(seat);
                        is_first
                    }
                    ThreadClass::Rule | ThreadClass::Otherwise | ThreadClass::Watcher => false,
                });
                all
            }
        }
    }
}

/// The rules of choice of one model are compared by identity.
impl PartialEq for TextChoice {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for TextChoice {}

impl Hash for TextChoice {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.0.classes.len());
    }
}

impl fmt::Debug for TextChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TextChoice")
    }
}
