//! A rulebook, compiled so that a move is a look-up in a table.

use bthread::{Automaton, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use super::position::{BPosition, TurnState};
use super::rulebook::{Rulebook, RulesError};
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
    pub(super) start: BPosition<R>,
    /// The events before the first move.
    pub(super) opening: Vec<R::Event>,
}

/// The moves of a seat.
pub(super) struct SeatMoves<M> {
    /// One bit for each event of the alphabet; those of this seat's moves are set.
    pub(super) events: Vec<u64>,
    /// The number of the event of each move.
    pub(super) numbers: FxHashMap<M, u32>,
}

/// The memory that the automaton's table of states usually may take. Big boards soon fill it, and
/// then are played without it.
pub(super) const USUAL_TABLE_BYTES: usize = 64 << 20;

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
        let program = Program::new(rulebook.rules())?;
        let cap = states_within(table_bytes, alphabet.len(), program.threads().len());
        let automaton = program.close_with_cap(alphabet, cap).map_err(RulesError::of)?;
        let mut moves = vec![None; automaton.alphabet().len()];
        let seats = listed.into_iter().map(|listed| SeatMoves::new(&automaton, &mut moves, listed));
        let seats: Vec<_> = seats.collect();
        let (start, opening) = open::<R>(&rulebook, &automaton, &seats, &results)?;
        Ok(Self { rulebook, automaton, moves, seats, results, start, opening })
    }

    /// The memory of the compiled rules, in bytes, about.
    pub(super) fn bytes(&self) -> usize {
        let moves = size_of_val(&*self.moves);
        let numbers = self.seats.iter().map(|seat| seat.numbers.capacity());
        self.automaton.bytes() + moves + numbers.sum::<usize>() * size_of::<(R::Move, u32)>()
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
        let mut events = vec![0; moves.len().div_ceil(64)];
        let mut numbers = FxHashMap::default();
        for (chosen, event) in listed {
            let number = automaton.number(&event).expect("the alphabet was made of the moves");
            numbers.insert(chosen.clone(), number);
            moves[number as usize] = Some(chosen);
            events[number as usize / 64] |= 1 << (number % 64);
        }
        Self { events, numbers }
    }

    /// Whether the event of this number is a move of the seat.
    pub(super) fn has(&self, number: u32) -> bool {
        self.events[number as usize / 64] >> (number % 64) & 1 == 1
    }
}

/// The place of an event among the results, if it is one.
pub(super) fn place_among<E: PartialEq>(results: &[(E, Outcome)], event: &E) -> Option<u8> {
    let place = results.iter().position(|(result, _)| result == event)?;
    Some(u8::try_from(place).expect("a game has at most 256 results"))
}

/// The number of states that fit: each takes four bytes for every event and every b-thread.
///
/// The table grows by chunks of 64, 128, 256 states and so on. A chunk that does not fit as a whole
/// is left out, except the first.
fn states_within(bytes: usize, events: usize, threads: usize) -> u32 {
    let each = 4 * (events + threads + events / 32) + 160;
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
    let (run, superstep) = automaton.start().map_err(RulesError::of)?;
    let mut board = rulebook.empty_board();
    superstep.events.iter().for_each(|event| rulebook.record(&mut board, event));
    let result = superstep.events.iter().find_map(|event| place_among(results, event));
    let mut position =
        BPosition { threads: run.state(), board, state: TurnState::Nobody, unblocked: 0 };
    position.arrive(seats, result);
    Ok((position, superstep.events))
}
