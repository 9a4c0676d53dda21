//! Small random programs.

use std::sync::Arc;

use bthread::{
    AnyBThread, BThread, Behaviour, EventSet, Generator, Name, Program, SyncPoint, request_any,
    violation, wait_for,
};

use crate::{WORDS, Word};

/// Random b-threads with few sync points: scripts, and some with a state.
pub(crate) fn random_program(generator: &mut Generator) -> Program<Word> {
    let count = 2 + generator.below(3);
    let threads = (0..count).map(|number| random_thread(number, generator));
    Program::new(threads.collect::<Vec<_>>()).expect("the names differ")
}

fn random_thread(number: u64, generator: &mut Generator) -> AnyBThread<Word> {
    let family = if generator.below(3) == 0 { "Environment" } else { "Thread" };
    let points: Vec<_> = (0..=generator.below(2)).map(|_| random_point(generator)).collect();
    if generator.below(4) == 0 {
        let jumping = Jumping { points: points.into(), at: 0, stride: generator.below(3) };
        return BThread::behaving(Name::of(family, number), jumping);
    }
    let thread = BThread::of(family, number).then(points);
    let thread = match generator.below(3) {
        0 => thread,
        1 => thread.repeat_while(random_set(generator)),
        _ => thread.forever(),
    };
    thread.into()
}

/// Goes on to a sync point that depends on the event, or ends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Jumping {
    points: Arc<[SyncPoint<Word>]>,
    at: usize,
    stride: u64,
}

impl Behaviour<Word> for Jumping {
    fn sync_point(&self) -> Option<SyncPoint<Word>> {
        self.points.get(self.at).cloned()
    }

    fn go_on(&mut self, event: &Word) {
        let place = WORDS.iter().position(|word| word == event).expect("every event is known");
        let jump = usize::try_from(self.stride).expect("it is small") * place + 1;
        self.at = (self.at + jump) % (self.points.len() + 1);
    }
}

/// Listed words, or the same words as a predicate or a complement.
fn random_set(generator: &mut Generator) -> EventSet<Word> {
    let bits = generator.below(15) + 1;
    let listed = |bits: u64| {
        let places = WORDS.into_iter().enumerate();
        EventSet::several(places.filter(|(at, _)| bits >> at & 1 == 1).map(|(_, word)| word))
    };
    let is_in = move |word: &Word| {
        WORDS.iter().position(|known| known == word).is_some_and(|at| bits >> at & 1 == 1)
    };
    match generator.below(6) {
        0 => EventSet::matching(format!("words {bits:04b}"), WORDS, is_in),
        1 => EventSet::matching_any(format!("any words {bits:04b}"), is_in),
        2 => !listed(!bits & 15),
        _ => listed(bits),
    }
}

fn random_point(generator: &mut Generator) -> SyncPoint<Word> {
    if generator.below(25) == 0 {
        return violation("it happened");
    }
    let mut point = if generator.below(2) == 0 {
        let requests = (0..=generator.below(1)).map(|_| random_word(generator));
        request_any(requests.collect::<Vec<_>>())
    } else {
        wait_for(random_set(generator))
    };
    if generator.below(3) == 0 {
        point = point.block(match generator.below(4) {
            0 => !EventSet::from(random_word(generator)),
            _ => random_word(generator).into(),
        });
    }
    if generator.below(6) == 0 {
        point = point.interrupt(random_word(generator));
    }
    if generator.below(3) == 0 { point.hot() } else { point }
}

fn random_word(generator: &mut Generator) -> Word {
    WORDS[usize::try_from(generator.below(4)).expect("the index is below 4")]
}
