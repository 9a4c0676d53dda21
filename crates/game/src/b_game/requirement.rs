//! What must be true of the rules of a game.

use bthread::{AnyBThread, BThread, Behaviour, Event, EventSet, SyncPoint, violation, wait_for};

/// What must be true of the rules of a game.
#[derive(Clone, Debug)]
pub struct RulesRequirement<E: Event> {
    /// Its name, in one word.
    pub name: String,
    /// The requirement in one sentence, without a full stop.
    pub sentence: String,
    /// What it claims.
    pub claim: RulesClaim<E>,
}

/// What a requirement claims.
#[derive(Clone, Debug)]
pub enum RulesClaim<E: Event> {
    /// This b-thread, which watches, never reports a violation, and is not hot at the end.
    Watched(AnyBThread<E>),
    /// Something can happen until there is a result.
    NobodyIsStuck,
}

impl<E: Event> RulesRequirement<E> {
    /// A requirement that a b-thread watches. It has the name of the b-thread.
    pub fn watched(thread: impl Into<AnyBThread<E>>, sentence: impl Into<String>) -> Self {
        let thread = thread.into();
        let (name, sentence) = (thread.name().to_string(), sentence.into());
        Self { name, sentence, claim: RulesClaim::Watched(thread) }
    }

    /// Every game ends with exactly one result, and nothing happens after it.
    pub fn exactly_one_result(results: impl IntoIterator<Item = E>) -> Self {
        let results = EventSet::several(results).named("results");
        let watcher = ResultWatcher { results, so_far: ResultsSoFar::None };
        let thread = BThread::behaving("ExactlyOneResult", watcher);
        Self::watched(thread, "Every game ends with exactly one result")
    }

    /// Something can happen until there is a result.
    #[must_use]
    pub fn nobody_is_stuck() -> Self {
        let (name, sentence) = ("NobodyIsStuck".to_owned(), "Nobody is stuck".to_owned());
        Self { name, sentence, claim: RulesClaim::NobodyIsStuck }
    }
}

/// Watches that there is one result, and that nothing comes after it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ResultWatcher<E: Event> {
    results: EventSet<E>,
    so_far: ResultsSoFar,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum ResultsSoFar {
    None,
    One,
    /// Something else happened after the first one.
    Ignored,
    Two,
}

impl<E: Event> Behaviour<E> for ResultWatcher<E> {
    fn sync_point(&self) -> Option<SyncPoint<E>> {
        Some(match self.so_far {
            ResultsSoFar::None => wait_for(self.results.clone()).hot(),
            ResultsSoFar::One => wait_for(EventSet::everything()),
            ResultsSoFar::Ignored => violation("the game goes on after its result"),
            ResultsSoFar::Two => violation("there is a second result"),
        })
    }

    fn go_on(&mut self, event: &E) {
        self.so_far = match self.so_far {
            ResultsSoFar::None => ResultsSoFar::One,
            _ if self.results.contains(event) => ResultsSoFar::Two,
            _ => ResultsSoFar::Ignored,
        };
    }
}
