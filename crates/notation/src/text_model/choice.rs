//! Which events may happen in a state of a text.

use bthread::{Candidate, Choices, Name, Strategy};
use game::{ActorChoice, ModelActor};

use crate::syntax::TextForm;
use crate::text_event::TextEvent;

/// Chooses as the text says. In a game, rules come first, then chance, strategies and free seats, and
/// at last what happens otherwise. In a program, everything except the last is one class.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TextChoice {
    form: TextForm,
    actors: ActorChoice,
}

impl TextChoice {
    pub(super) fn new(
        form: TextForm,
        actors: impl IntoIterator<Item = (Name, ModelActor)>,
    ) -> Self {
        Self { form, actors: ActorChoice::new(actors) }
    }

    pub(super) fn actor(&self, thread: &Name) -> ModelActor {
        self.actors.actor(thread)
    }
}

impl Strategy<TextEvent> for TextChoice {
    fn choose<'a>(&mut self, choices: &Choices<'a, TextEvent>) -> Candidate<'a, TextEvent> {
        self.possible(choices).into_iter().next().unwrap_or_else(|| choices.first())
    }

    fn possible<'a>(&self, choices: &Choices<'a, TextEvent>) -> Vec<Candidate<'a, TextEvent>> {
        let is_otherwise =
            |each: &Candidate<'a, TextEvent>| self.actor(each.thread()) == ModelActor::Otherwise;
        // B-threads that act otherwise come last, so nobody else can act.
        if self.form == TextForm::Game || is_otherwise(&choices.first()) {
            return self.actors.possible(choices);
        }
        let mut all = choices.all();
        all.retain(|each| !is_otherwise(each));
        all
    }
}
