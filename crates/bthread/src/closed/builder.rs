//! Finding out what the states of an automaton are.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::alphabet::{Alphabet, Letters};
use super::bits::Bits;
use super::table::{MOST_STATES, State, Table, Transition};
use crate::error::OutsideAlphabet;
use crate::event::Event;
use crate::machine::{Heard, Pick};
use crate::name::Name;
use crate::program::Program;
use crate::run::Status;
use crate::snapshot::Standing;
use crate::sync_point::SyncPoint;
use crate::thread::{self, Body};

/// What is known of a closed program before it runs.
pub(super) struct Blueprint<E: Event> {
    pub(super) program: Program<E>,
    pub(super) alphabet: Alphabet<E>,
    /// The sync points of each b-thread that follows a script.
    scripts: Vec<Box<[Letters]>>,
}

/// Numbers states, and finds out what follows from them.
pub(super) struct Builder<E: Event> {
    numbers: FxHashMap<Arc<[u32]>, u32>,
    /// For each b-thread that has a state, the states it was seen in.
    seen: Vec<Seen<E>>,
    cap: u32,
}

/// The states that a b-thread was seen in, with numbers.
struct Seen<E: Event> {
    states: Vec<Local<E>>,
    numbers: FxHashMap<thread::State<E>, u32>,
}

struct Local<E: Event> {
    state: thread::State<E>,
    stand: Option<(Arc<SyncPoint<E>>, Letters)>,
}

/// Why a state is not built.
pub(super) enum Obstacle<E: Event> {
    /// There are as many as there may be.
    Full,
    /// A b-thread requests an event there that is not in the alphabet.
    Outside(OutsideAlphabet<E>),
}

impl<E: Event> Blueprint<E> {
    pub(super) fn new(
        program: &Program<E>,
        alphabet: Alphabet<E>,
    ) -> Result<Self, OutsideAlphabet<E>> {
        let scripts = program.threads().iter().map(|thread| match thread.body() {
            Body::Script { script, .. } => {
                let letters = |point| alphabet.letters(thread.name(), point);
                script.points().iter().map(letters).collect()
            }
            Body::Behaviour(_) => Ok(Box::default()),
        });
        let scripts = scripts.collect::<Result<_, _>>()?;
        Ok(Self { program: program.clone(), alphabet, scripts })
    }

    fn name(&self, thread: usize) -> &Name {
        self.program.threads()[thread].name()
    }

    fn body(&self, thread: usize) -> &Body<E> {
        self.program.threads()[thread].body()
    }
}

impl<E: Event> Builder<E> {
    pub(super) fn new(program: &Program<E>, cap: u32) -> Self {
        let seen = program.threads().iter().map(|_| Seen::default()).collect();
        Self { numbers: FxHashMap::default(), seen, cap: cap.clamp(1, MOST_STATES) }
    }

    /// How many states were built.
    pub(super) fn states(&self) -> u32 {
        u32::try_from(self.numbers.len()).expect("the cap is below 2^32")
    }

    fn has_room(&self) -> bool {
        self.states() < self.cap
    }

    /// The state in which the b-threads have come so far.
    pub(super) fn state_at(
        &mut self,
        blueprint: &Blueprint<E>,
        table: &Table,
        standing: &Standing<E>,
    ) -> Result<u32, Obstacle<E>> {
        let mut positions = standing.positions.iter();
        let mut states = standing.states.iter();
        let mut locals = Vec::with_capacity(blueprint.scripts.len());
        for thread in 0..blueprint.scripts.len() {
            locals.push(match blueprint.body(thread) {
                Body::Script { .. } => *positions.next().expect(FITS),
                Body::Behaviour(_) => self.local(blueprint, thread, states.next().expect(FITS))?,
            });
        }
        self.number(blueprint, table, locals)
    }

    /// How far the b-threads have come in a state.
    pub(super) fn standing(&self, blueprint: &Blueprint<E>, locals: &[u32]) -> Standing<E> {
        let (mut positions, mut states) = (Vec::new(), Vec::new());
        for (thread, local) in locals.iter().enumerate() {
            match blueprint.body(thread) {
                Body::Script { .. } => positions.push(*local),
                Body::Behaviour(_) => {
                    states.push(self.seen[thread].states[*local as usize].state.clone());
                }
            }
        }
        Standing { positions, states, added: Vec::new() }
    }

    /// The sync point of a b-thread that has a state.
    pub(super) fn point(&self, thread: usize, local: u32) -> Option<Arc<SyncPoint<E>>> {
        let stand = self.seen[thread].states[local as usize].stand.as_ref();
        stand.map(|(point, _)| Arc::clone(point))
    }

    /// What an event leads to.
    pub(super) fn transition(
        &mut self,
        blueprint: &Blueprint<E>,
        table: &Table,
        from: u32,
        event: u32,
    ) -> Result<Transition, Obstacle<E>> {
        if let Some(known) = table.transition(from, event) {
            return Ok(known);
        }
        let mut locals = table.state(from).locals.to_vec();
        let transition = if self.is_blocked(blueprint, &locals, event) {
            Transition::Blocked
        } else {
            let heard = self.advance(blueprint, &mut locals, event)?;
            Transition::To(self.number(blueprint, table, locals)?, heard)
        };
        table.connect(from, event, transition);
        Ok(transition)
    }

    /// Whether some b-thread blocks the event.
    pub(super) fn is_blocked(&self, blueprint: &Blueprint<E>, locals: &[u32], event: u32) -> bool {
        self.letters(blueprint, locals).any(|(_, letters)| letters.blocks.contains(event))
    }

    /// Lets an event happen to each b-thread.
    fn advance(
        &mut self,
        blueprint: &Blueprint<E>,
        locals: &mut [u32],
        event: u32,
    ) -> Result<Heard, Obstacle<E>> {
        let mut heard = Heard::No;
        for (thread, local) in locals.iter_mut().enumerate() {
            let Some(letters) = self.letters_of(blueprint, thread, *local) else {
                continue;
            };
            if letters.interrupts.contains(event) {
                *local = self.ended(blueprint, thread)?;
            } else if letters.moves.contains(event) {
                *local = self.next(blueprint, thread, *local, event)?;
            } else {
                continue;
            }
            heard = Heard::Yes;
        }
        Ok(heard)
    }

    /// How far a b-thread comes that goes on at the event.
    fn next(
        &mut self,
        blueprint: &Blueprint<E>,
        thread: usize,
        local: u32,
        event: u32,
    ) -> Result<u32, Obstacle<E>> {
        let event = blueprint.alphabet.event(event);
        match blueprint.body(thread) {
            Body::Script { script, .. } => Ok(script.next(local, event)),
            Body::Behaviour(_) => {
                let mut state = self.seen[thread].states[local as usize].state.clone();
                thread::go_on(&mut state, event);
                self.local(blueprint, thread, &state)
            }
        }
    }

    fn ended(&mut self, blueprint: &Blueprint<E>, thread: usize) -> Result<u32, Obstacle<E>> {
        match blueprint.body(thread) {
            Body::Script { script, .. } => Ok(script.end()),
            Body::Behaviour(_) => self.local(blueprint, thread, &None),
        }
    }

    /// The number of a state of a b-thread.
    #[expect(
        clippy::ref_option,
        reason = "an ended b-thread is one of the states that are looked up"
    )]
    fn local(
        &mut self,
        blueprint: &Blueprint<E>,
        thread: usize,
        state: &thread::State<E>,
    ) -> Result<u32, Obstacle<E>> {
        let has_room = self.has_room();
        let Seen { states, numbers } = &mut self.seen[thread];
        if let Some(number) = numbers.get(state) {
            return Ok(*number);
        }
        // Where no state is added, none that a b-thread alone is in is added either.
        if !has_room {
            return Err(Obstacle::Full);
        }
        let local = Local::new(blueprint, thread, state)?;
        let number = u32::try_from(states.len()).expect("the cap is below 2^32");
        numbers.insert(state.clone(), number);
        states.push(local);
        Ok(number)
    }

    /// The number of a state of the automaton.
    fn number(
        &mut self,
        blueprint: &Blueprint<E>,
        table: &Table,
        locals: Vec<u32>,
    ) -> Result<u32, Obstacle<E>> {
        if let Some(number) = self.numbers.get(&*locals) {
            return Ok(*number);
        }
        if !self.has_room() {
            return Err(Obstacle::Full);
        }
        let number = self.states();
        let state = self.describe(blueprint, locals.into());
        self.numbers.insert(Arc::clone(&state.locals), number);
        table.add(number, state);
        Ok(number)
    }

    /// What can happen in a state.
    fn describe(&self, blueprint: &Blueprint<E>, locals: Arc<[u32]>) -> State {
        let mut blocked = Bits::none(blueprint.alphabet.events().len());
        let mut status = Status::Finished;
        for (_, letters) in self.letters(blueprint, &locals) {
            blocked.add(&letters.blocks);
            if !letters.requests.is_empty() {
                status = Status::Stuck;
            } else if status == Status::Finished {
                status = Status::Waiting;
            }
        }
        let mut chosen = blocked;
        let mut picks = Vec::new();
        for (thread, letters) in self.letters(blueprint, &locals) {
            for &request in &letters.requests {
                if chosen.insert(request) {
                    picks.push(Pick { thread, request });
                }
            }
        }
        State { locals, first: picks.first().copied(), picks: picks.into(), status }
    }

    /// What each b-thread says that has not ended, highest priority first.
    fn letters<'a>(
        &'a self,
        blueprint: &'a Blueprint<E>,
        locals: &'a [u32],
    ) -> impl Iterator<Item = (u32, &'a Letters)> {
        (0..).zip(locals).filter_map(move |(thread, local)| {
            let letters = self.letters_of(blueprint, thread as usize, *local)?;
            Some((thread, letters))
        })
    }

    fn letters_of<'a>(
        &'a self,
        blueprint: &'a Blueprint<E>,
        thread: usize,
        local: u32,
    ) -> Option<&'a Letters> {
        match blueprint.body(thread) {
            Body::Script { script, .. } => {
                script.place(local).map(|place| &blueprint.scripts[thread][place])
            }
            Body::Behaviour(_) => {
                let stand = self.seen[thread].states[local as usize].stand.as_ref();
                stand.map(|(_, letters)| letters)
            }
        }
    }
}

impl<E: Event> Local<E> {
    #[expect(clippy::ref_option, reason = "an ended b-thread is a state like the others")]
    fn new(
        blueprint: &Blueprint<E>,
        thread: usize,
        state: &thread::State<E>,
    ) -> Result<Self, OutsideAlphabet<E>> {
        let point = state.as_ref().and_then(|state| state.sync_point());
        let stand = point.map(|point| {
            let letters = blueprint.alphabet.letters(blueprint.name(thread), &point)?;
            Ok((Arc::new(point), letters))
        });
        Ok(Self { state: state.clone(), stand: stand.transpose()? })
    }
}

impl<E: Event> Default for Seen<E> {
    fn default() -> Self {
        Self { states: Vec::new(), numbers: FxHashMap::default() }
    }
}

impl<E: Event> From<OutsideAlphabet<E>> for Obstacle<E> {
    fn from(outside: OutsideAlphabet<E>) -> Self {
        Self::Outside(outside)
    }
}

const FITS: &str = "the standing fits the program";
