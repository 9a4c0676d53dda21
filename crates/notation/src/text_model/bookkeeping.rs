//! The result and the scores of a game, as b-threads that watch.

use std::hash::{Hash, Hasher};

use bthread::{AnyBThread, BThread, Behaviour, EventSet, SyncPoint, wait_for};

use crate::built::BuiltText;
use crate::text_event::TextEvent;

/// The name of the b-thread that keeps the result. No b-thread of a text has a space in its name.
pub(super) const RESULT: &str = "the result";

/// Remembers the first result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ResultKeeper {
    results: EventSet<TextEvent>,
    first: Option<TextEvent>,
}

impl Behaviour<TextEvent> for ResultKeeper {
    fn sync_point(&self) -> Option<SyncPoint<TextEvent>> {
        Some(match self.first {
            None => wait_for(self.results.clone()),
            Some(_) => SyncPoint::default(),
        })
    }

    fn go_on(&mut self, event: &TextEvent) {
        self.first = Some(event.clone());
    }
}

/// The b-thread that keeps the result.
pub(super) fn result_keeper(text: &BuiltText) -> AnyBThread<TextEvent> {
    let meanings = (0..).zip(&text.0.meanings.events);
    let results = meanings.filter(|(_, meaning)| meaning.result.is_some());
    let results: Vec<TextEvent> = results.map(|(event, _)| text.event(event)).collect();
    let keeper = ResultKeeper { results: EventSet::several(results).named("results"), first: None };
    BThread::behaving(RESULT, keeper)
}

/// Adds up the scores.
#[derive(Clone, Debug)]
pub(super) struct ScoreKeeper {
    text: BuiltText,
    scores: Vec<i32>,
}

impl ScoreKeeper {
    /// The keeper of the scores, if any event scores.
    pub(super) fn of(text: &BuiltText) -> Option<Self> {
        let has_scores = text.0.meanings.events.iter().any(|meaning| !meaning.scores.is_empty());
        has_scores.then(|| Self { text: text.clone(), scores: vec![0; text.seats().len()] })
    }
}

impl Behaviour<TextEvent> for ScoreKeeper {
    fn sync_point(&self) -> Option<SyncPoint<TextEvent>> {
        let meanings = (0..).zip(&self.text.0.meanings.events);
        let scoring = meanings.filter(|(_, meaning)| !meaning.scores.is_empty());
        let events: Vec<TextEvent> = scoring.map(|(event, _)| self.text.event(event)).collect();
        Some(wait_for(EventSet::several(events).named("scoring")))
    }

    fn go_on(&mut self, event: &TextEvent) {
        let Some(meaning) = self.text.0.meanings.events.get(event.number() as usize) else {
            return;
        };
        for (seat, points) in &meaning.scores {
            if let Some(score) = self.scores.get_mut(usize::from(*seat)) {
                *score = score.saturating_add(*points);
            }
        }
    }
}

impl PartialEq for ScoreKeeper {
    fn eq(&self, other: &Self) -> bool {
        self.scores == other.scores
    }
}

impl Eq for ScoreKeeper {}

impl Hash for ScoreKeeper {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.scores.hash(state);
    }
}
