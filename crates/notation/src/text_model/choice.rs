//! Which events may happen in a state of a text.

use bthread::{Candidate, Choices, Name, Strategy};
use game::{ActorChoice, ModelActor};

use crate::syntax::TextForm;
use crate::text_event::TextEvent;

/// Chooses as the text says. In a game, rules come first, then chance, strategies and free seats, and
/// at last what happens otherwise, where chance comes last. In a program, everything except what happens
/// otherwise is one class, and all of that is another.
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
        if self.form == TextForm::Game {
            return self.actors.possible(choices);
        }
        let is_otherwise = |each: &Candidate<'a, TextEvent>| {
            matches!(self.actor(each.thread()), ModelActor::Otherwise | ModelActor::ChanceOtherwise)
        };
        // B-threads that act otherwise come last: if the first does, nobody else can act.
        let is_last_resort = is_otherwise(&choices.first());
        let mut all = choices.all();
        all.retain(|each| is_otherwise(each) == is_last_resort);
        all
    }
}
