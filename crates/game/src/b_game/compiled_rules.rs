//! A rulebook, compiled so that a move costs little.

use bthread::{Automaton, Limits, Observer, Priority, Program, Step, SuperstepError, TriggerError};
use rustc_hash::{FxHashMap, FxHashSet};

use super::offers::{OfferKind, Offers};
use super::position::{BPosition, TurnState};
use super::rulebook::{Rulebook, RulesError};
use super::seat_events::SeatEvents;
use crate::game::Textual;
use crate::seat::{Seat, Seats};
use crate::turn::Outcome;

/// A rulebook and the automaton of its b-threads. All copies of a game share one.
pub(super) struct CompiledRules<R: Rulebook> {
    pub(super) rulebook: R,
    pub(super) automaton: Automaton<R::Event>,
    /// The move that each event is, by the number of the event.
    pub(super) moves: Vec<Option<R::Move>>,
    pub(super) seats: Vec<SeatMoves<R::Move>>,
    pub(super) results: Vec<(R::Event, Outcome)>,
    pub(super) offers: Offers<R::Event>,
    /// Whether a rule can stop at a violation.
    can_break: bool,
    /// Whether something may be left to do after a superstep: see [`CompiledRules::settle`].
    pub(super) must_settle: bool,
    pub(super) limits: Limits,
    pub(super) start: BPosition<R>,
    /// The events before the first move.
    pub(super) opening: Vec<R::Event>,
}

/// The moves of a seat.
pub(super) struct SeatMoves<M> {
    /// The events of its moves.
    pub(super) events: SeatEvents,
    /// The number of the event of each move.
    pub(super) numbers: FxHashMap<M, u32>,
}

/// The memory that the automaton's table of states usually may take. Big boards soon fill it, and
/// then are played without it.
pub(super) const USUAL_TABLE_BYTES: usize = 16 << 20;

/// The most results: a position stores the number of its result in one byte.
const MOST_RESULTS: usize = 256;

impl<R: Rulebook> CompiledRules<R> {
    /// Compiles the rules, with a table of states that takes at most `table_bytes`.
    pub(super) fn within(rulebook: R, table_bytes: usize) -> Result<Self, RulesError> {
        let count = rulebook.seats().len();
        if count == 0 || count > usize::from(Seat::MOST) {
            return Err(RulesError::Seats(count));
        }
        let results = rulebook.results();
        if results.len() > MOST_RESULTS {
            return Err(RulesError::Results(results.len()));
        }
        let listed: Vec<Vec<_>> =
            Seats::first(count).iter().map(|seat| rulebook.moves(seat)).collect();
        check_unique(&listed, &results)?;
        let move_events = listed.iter().flatten().map(|(_, event)| event.clone());
        let alphabet: Vec<R::Event> = move_events
            .chain(results.iter().map(|(event, _)| event.clone()))
            .chain(rulebook.other_events())
            .collect();
        for seat in Seats::first(count).iter() {
            RulesError::of_strategies(&rulebook.strategies(seat)).map_or(Ok(()), Err)?;
        }
        let program = Program::new(rulebook.rules())?;
        let cap = states_within(table_bytes, alphabet.len(), program.threads().len());
        let automaton = program
            .close_with_cap(alphabet, cap)
            .map_err(|outside| RulesError::unlisted(&outside))?;
        let mut moves = vec![None; automaton.alphabet().len()];
        let seats = listed.into_iter().map(|listed| SeatMoves::new(&automaton, &mut moves, listed));
        let seats: Vec<_> = seats.collect();
        let offers = Offers::new(&automaton, rulebook.offers());
        let (start, opening) = open::<R>(&rulebook, &automaton, &seats, &results)?;
        let limits = rulebook.limits();
        let can_break = rulebook.can_break();
        let must_settle = can_break || !offers.is_empty();
        let mut rules = Self {
            rulebook,
            automaton,
            moves,
            seats,
            results,
            offers,
            can_break,
            must_settle,
            limits,
            start,
            opening,
        };
        let (mut start, mut opening) = (rules.start.clone(), rules.opening.clone());
        rules
            .settle(&mut start, &mut |event| opening.push(event.clone()))
            .map_err(|error| RulesError::settling(&error))?;
        (rules.start, rules.opening) = (start, opening);
        Ok(rules)
    }

    /// Lets happen what happens where nothing else can, until a seat, chance or nobody is to act, and
    /// looks for broken rules.
    pub(super) fn settle(
        &self,
        position: &mut BPosition<R>,
        collect: &mut dyn FnMut(&R::Event),
    ) -> Result<(), TriggerError<R::Event>> {
        self.settle_offers(position, collect)?;
        if !self.can_break {
            return Ok(());
        }
        let mut found = None;
        let threads = position.threads.clone().resume(Priority, Limits::default());
        threads.visit_live(|thread, point| {
            if let (None, Some(sentence)) = (&found, point.violated()) {
                found = Some((thread.clone(), sentence.to_owned()));
            }
        });
        match found {
            None => Ok(()),
            Some((thread, sentence)) => Err(SuperstepError::Violated { thread, sentence }.into()),
        }
    }

    /// Lets happen what happens where nothing else can, until a seat, chance or nobody is to act.
    fn settle_offers(
        &self,
        position: &mut BPosition<R>,
        collect: &mut dyn FnMut(&R::Event),
    ) -> Result<(), TriggerError<R::Event>> {
        let (limits, mut steps) = (self.limits, 0);
        while !self.offers.is_empty() && !matches!(position.state, TurnState::Result(_)) {
            if !self.offers.of(&position.threads, OfferKind::Chance).is_empty() {
                position.state = TurnState::Chance;
                return Ok(());
            }
            if position.state != TurnState::Nobody {
                return Ok(());
            }
            let resorts = self.offers.of(&position.threads, OfferKind::Otherwise);
            let Some((number, _)) = resorts.first() else {
                let drawn = self.offers.of(&position.threads, OfferKind::ChanceOtherwise);
                if !drawn.is_empty() {
                    position.state = TurnState::Chance;
                }
                return Ok(());
            };
            if steps >= limits.steps {
                let next = self.automaton.alphabet()[*number as usize].clone();
                return Err(SuperstepError::Endless { budget: limits.steps, next }.into());
            }
            let rest = Limits { steps: limits.steps - steps, ..limits };
            let mut counting = |event: &R::Event| {
                steps += 1;
                collect(event);
            };
            let first = FirstEvent::MayBeResult;
            self.trigger_observed(position, *number, rest, &mut counting, first)?;
        }
        Ok(())
    }

    /// Triggers an event and records its superstep on the board. If it fails, the position is
    /// unchanged.
    pub(super) fn trigger_observed(
        &self,
        position: &mut BPosition<R>,
        number: u32,
        limits: Limits,
        collect: &mut dyn FnMut(&R::Event),
        first: FirstEvent,
    ) -> Result<(), TriggerError<R::Event>> {
        let mut following = FollowingEvents { began: false, events: Vec::new() };
        position.threads.trigger_observed(number, limits, &mut following)?;
        let board = &mut position.board;
        let mut observer = BoardObserver { rules: self, board, result: None, first, collect };
        observer.record(&self.automaton.alphabet()[number as usize]);
        following.events.iter().for_each(|event| observer.record(event));
        let result = observer.result;
        position.arrive(&self.seats, result);
        Ok(())
    }

    /// The memory of the compiled rules, in bytes, about.
    pub(super) fn bytes(&self) -> usize {
        let moves = size_of_val(&*self.moves);
        let numbers = self.seats.iter().map(|seat| seat.numbers.capacity());
        self.automaton.bytes()
            + self.rulebook.bytes()
            + moves
            + numbers.sum::<usize>() * size_of::<(R::Move, u32)>()
    }

    /// The memory of a position that is not in the table of states, in bytes, about. It follows from the
    /// rules alone: a search whose table is full at another moment might choose another move.
    pub(super) fn position_bytes(&self) -> usize {
        const ALONE: usize = 512;
        ALONE + 2 * self.automaton.program().threads().len() + self.automaton.alphabet().len()
    }

    /// The number of the event that a move of a seat is.
    pub(super) fn number(&self, seat: Seat, chosen: &R::Move) -> Option<u32> {
        self.seats.get(seat.index())?.numbers.get(chosen).copied()
    }
}

impl<M: Clone + Eq + std::hash::Hash> SeatMoves<M> {
    fn new<E: bthread::Event>(
        automaton: &Automaton<E>,
        moves: &mut [Option<M>],
        listed: Vec<(M, E)>,
    ) -> Self {
        let mut numbers = FxHashMap::default();
        for (chosen, event) in listed {
            let number = automaton.number(&event).expect("the alphabet was made of the moves");
            numbers.insert(chosen.clone(), number);
            moves[number as usize] = Some(chosen);
        }
        Self { events: numbers.values().copied().collect(), numbers }
    }
}

/// The place of an event among the results, if it is one.
pub(super) fn place_among<E: PartialEq>(results: &[(E, Outcome)], event: &E) -> Option<u8> {
    let place = results.iter().position(|(result, _)| result == event)?;
    Some(u8::try_from(place).expect("a game has at most 256 results"))
}

/// The number of states that fit: each takes eight bytes for every event and one for every b-thread.
///
/// The table grows by chunks of 64, 128, 256 states and so on. A chunk that does not fit as a whole
/// is left out, except the first.
fn states_within(bytes: usize, events: usize, threads: usize) -> u32 {
    let each = 8 * (events + events / 64) + 2 * threads + 160;
    let chunks = (bytes / each / 64 + 1).ilog2();
    u32::try_from((64_usize << chunks) - 64).unwrap_or(u32::MAX)
}

/// Checks that every event is one move of one seat, or one result.
fn check_unique<M: Textual, E: bthread::Event>(
    listed: &[Vec<(M, E)>],
    results: &[(E, Outcome)],
) -> Result<(), RulesError> {
    let mut events = FxHashSet::default();
    for listed in listed {
        let mut moves = FxHashSet::default();
        for (chosen, event) in listed {
            if !moves.insert(chosen) {
                return Err(RulesError::SharedMove { chosen: chosen.to_string() });
            }
            if !events.insert(event) {
                return Err(RulesError::SharedEvent { event: event.to_string() });
            }
        }
    }
    match results.iter().find(|(event, _)| !events.insert(event)) {
        Some((event, _)) => Err(RulesError::SharedEvent { event: event.to_string() }),
        None => Ok(()),
    }
}

/// The position after the first superstep, and the events of that superstep.
fn open<R: Rulebook>(
    rulebook: &R,
    automaton: &Automaton<R::Event>,
    seats: &[SeatMoves<R::Move>],
    results: &[(R::Event, Outcome)],
) -> Result<(BPosition<R>, Vec<R::Event>), RulesError> {
    let mut events = Vec::new();
    let run = automaton
        .start_with(Priority, rulebook.limits(), &mut events)
        .map_err(|error| RulesError::start(&error))?;
    let mut board = rulebook.empty_board();
    for event in &events {
        rulebook.record(&mut board, event);
    }
    let result = events.iter().find_map(|event| place_among(results, event));
    let mut position =
        BPosition { threads: run.state(), board, state: TurnState::Nobody, unblocked: 0 };
    position.arrive(seats, result);
    Ok((position, events))
}

/// Records events on a board as they happen.
pub(super) struct BoardObserver<'a, R: Rulebook, F> {
    pub(super) rules: &'a CompiledRules<R>,
    pub(super) board: &'a mut R::Board,
    pub(super) result: Option<u8>,
    pub(super) first: FirstEvent,
    pub(super) collect: F,
}

/// Whether the first event of a superstep may be a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstEvent {
    /// It is a move, and no move is a result.
    IsMove,
    MayBeResult,
}

impl<R: Rulebook, F: FnMut(&R::Event)> BoardObserver<'_, R, F> {
    #[inline]
    fn record(&mut self, event: &R::Event) {
        self.rules.rulebook.record(self.board, event);
        if self.first == FirstEvent::MayBeResult && self.result.is_none() {
            self.result = place_among(&self.rules.results, event);
        }
        self.first = FirstEvent::MayBeResult;
        (self.collect)(event);
    }
}

impl<R: Rulebook, F: FnMut(&R::Event)> Observer<R::Event> for BoardObserver<'_, R, F> {
    #[inline]
    fn step(&mut self, step: &Step<'_, R::Event>) {
        self.record(step.event());
    }

    fn undone(&mut self) {}
}

/// The events of a superstep that may still be undone, after the one that began it. Most supersteps
/// have none, and copying the first one would take as long as moving several b-threads.
struct FollowingEvents<E> {
    began: bool,
    events: Vec<E>,
}

impl<E: bthread::Event> Observer<E> for FollowingEvents<E> {
    #[inline]
    fn step(&mut self, step: &Step<'_, E>) {
        if std::mem::replace(&mut self.began, true) {
            self.events.push(step.event().clone());
        }
    }

    fn undone(&mut self) {}
}
