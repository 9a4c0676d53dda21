//! A game whose rules are b-threads.

mod follower;
mod legal_events;
mod position;
mod rulebook;

pub use self::position::BPosition;
pub use self::rulebook::{Rulebook, RulesError};

use std::fmt;
use std::sync::Arc;

use bthread::{
    Automaton, AutomatonState, Generator, Limits, Observer, Program, Step, TriggerError,
};

use self::follower::{Follower, awake};
use self::legal_events::{LegalEvents, any_bit};
use self::position::State;
use rustc_hash::FxHashSet;

use crate::awake::AwakeThread;
use crate::game::{Game, NoChance, Viewer, is_complete, is_short};
use crate::happening::{Ply, PlyOf};
use crate::picture::Picture;
use crate::player::Player;
use crate::players::{PlayoutError, any_of, play_at_random};
use crate::refusal::{Because, Code, Reason, Refusal};
use crate::seat::{Seat, Seats};
use crate::turn::{Outcome, Turn};

/// A game whose rules are the b-threads of a [`Rulebook`].
///
/// - The legal moves of a seat are its events that no b-thread blocks; who has any is in turn.
/// - A move that is blocked is refused with the b-threads that block it.
/// - The game is over after the first result, and drawn where no seat has a move left.
///
/// The b-threads are compiled to an automaton that all copies of the game share, so that a move is
/// a look-up in a table.
pub struct BGame<R: Rulebook>(Arc<Inner<R>>);

struct Inner<R: Rulebook> {
    rulebook: R,
    automaton: Automaton<R::Event>,
    /// What the event of each number means.
    meanings: Vec<Option<R::Move>>,
    seats: Vec<SeatMoves>,
    results: Vec<(R::Event, Outcome)>,
    start: BPosition<R>,
    /// What happens before the first move.
    opening: Vec<R::Event>,
}

/// The moves of a seat.
struct SeatMoves {
    /// The numbers of its events, a bit for each, the lowest first.
    events: Vec<u64>,
    /// The number of the event of each move, in the order of moves.
    numbers: Vec<u32>,
}

/// What an automaton may take: big boards have few states in it, and go on without it.
const TABLE_BYTES: usize = 64 << 20;

impl<R: Rulebook> BGame<R> {
    /// The game that a rulebook describes.
    ///
    /// # Errors
    /// If the rulebook contradicts itself, or the b-threads are no program or do not come to rest
    /// before the first move.
    pub fn new(rulebook: R) -> Result<Self, RulesError> {
        let count = rulebook.seats().len();
        if count == 0 || count > usize::from(Seat::MOST) {
            return Err(RulesError::Seats(count));
        }
        let results = rulebook.results();
        if results.len() > MOST_RESULTS {
            return Err(RulesError::Results(results.len()));
        }
        let moves: Vec<Vec<_>> =
            Seats::first(count).iter().map(|seat| rulebook.moves(seat)).collect();
        is_in_order(&rulebook, &moves, &results)?;
        let own = moves.iter().flatten().map(|(_, event)| event.clone());
        let alphabet: Vec<R::Event> = own
            .chain(results.iter().map(|(event, _)| event.clone()))
            .chain(rulebook.other_events())
            .collect();
        let program = Program::new(rulebook.rules())?;
        let cap = states_within(TABLE_BYTES, alphabet.len(), program.threads().len());
        let automaton = program.close_with_cap(alphabet, cap).map_err(RulesError::of)?;
        let mut meanings = vec![None; automaton.alphabet().len()];
        let seats =
            moves.into_iter().map(|moves| SeatMoves::new::<R>(&automaton, &mut meanings, moves));
        let seats: Vec<_> = seats.collect();
        let (start, opening) = opening(&rulebook, &automaton, &seats, &results)?;
        let inner = Inner { rulebook, automaton, meanings, seats, results, start, opening };
        Ok(Self(Arc::new(inner)))
    }

    /// The b-threads and what they mean.
    pub fn rulebook(&self) -> &R {
        &self.0.rulebook
    }

    /// The rules as a program.
    pub fn program(&self) -> &Program<R::Event> {
        self.0.automaton.program()
    }

    /// The event that a move of a seat is.
    pub fn event(&self, seat: Seat, chosen: &R::Move) -> Option<&R::Event> {
        let number = self.number(seat, chosen)?;
        Some(&self.0.automaton.alphabet()[number as usize])
    }

    fn number(&self, seat: Seat, chosen: &R::Move) -> Option<u32> {
        let place = self.0.rulebook.place(chosen)?;
        self.0.seats.get(seat.index())?.numbers.get(place).copied()
    }

    /// Offers the event of a move, and draws what happens.
    #[inline]
    fn trigger(
        &self,
        position: &mut BPosition<R>,
        number: u32,
        record: impl FnMut(&R::Event),
    ) -> Result<(), TriggerError<R::Event>> {
        let BPosition { instance, board, .. } = position;
        let mut scribe = Scribe { game: &*self.0, board, result: None, is_first: true, record };
        if instance.follow(number, &mut scribe).is_some() {
            let result = scribe.result;
            position.arrive(&self.0.seats, result);
            return Ok(());
        }
        let Scribe { mut record, .. } = scribe;
        self.trigger_anew(position, number, &mut record)
    }

    /// Offers an event of which the automaton does not know yet what follows.
    #[inline(never)]
    fn trigger_anew(
        &self,
        position: &mut BPosition<R>,
        number: u32,
        record: &mut dyn FnMut(&R::Event),
    ) -> Result<(), TriggerError<R::Event>> {
        let before = position.board.clone();
        let BPosition { instance, board, .. } = position;
        let mut scribe = Scribe { game: &*self.0, board, result: None, is_first: true, record };
        let happened = instance.trigger_observed(number, Limits::default(), &mut scribe);
        let result = scribe.result;
        match happened {
            Ok(_) => position.arrive(&self.0.seats, result),
            Err(_) => position.board = before,
        }
        happened.map(drop)
    }

    /// All that happens when the moves are made, from the very beginning, with all that follows.
    pub(super) fn trace(
        &self,
        history: impl Iterator<Item = (Seat, R::Move)>,
    ) -> Result<Vec<R::Event>, String> {
        let mut position = self.0.start.clone();
        let mut events = self.0.opening.clone();
        for (seat, chosen) in history {
            let number = self.number(seat, &chosen).ok_or_else(|| chosen.to_string())?;
            self.trigger(&mut position, number, |event| events.push(event.clone()))
                .map_err(|error| error.to_string())?;
        }
        Ok(events)
    }

    /// The move of a seat that an event is.
    pub(super) fn meaning(&self, seat: Seat, event: &R::Event) -> Option<&R::Move> {
        let number = self.0.automaton.number(event)?;
        let is_ours = self.0.seats.get(seat.index())?.has(number);
        if is_ours { self.0.meanings[number as usize].as_ref() } else { None }
    }

    /// Every reason that b-threads have against an event, grouped by what they mean.
    fn blocked(&self, instance: &AutomatonState<R::Event>, number: u32) -> Vec<Reason> {
        let mut reasons: Vec<Reason> = Vec::new();
        for interest in &instance.blockers(number) {
            let reason = self.0.rulebook.reason(&interest.thread);
            let because = Because::from(interest);
            match reasons.iter_mut().find(|known| known.code == reason.code) {
                Some(known) => known.because.push(because),
                None => reasons.push(reason.because([because])),
            }
        }
        reasons
    }

    /// Why a seat may not choose a move, by b-threads or without them.
    fn reasons(&self, position: &BPosition<R>, seat: Seat, chosen: &R::Move) -> Vec<Reason> {
        let turn = self.turn(position).objection(seat);
        let Some(number) = self.number(seat, chosen) else {
            let beyond = Reason::out_of_bounds(self.0.rulebook.beyond(chosen));
            return turn.into_iter().chain([beyond]).collect();
        };
        let mut reasons = self.blocked(&position.instance, number);
        // Whose turn it is the b-threads say themselves, if they refuse at all; that the game is over
        // follows also from results, and from there being no move left.
        let is_over = matches!(position.state, State::Result(_) | State::Nobody);
        if let Some(reason) = turn
            && (reasons.is_empty() || is_over)
        {
            let because = match reasons.iter().position(|known| known.code == reason.code) {
                Some(place) => reasons.remove(place).because,
                None => Vec::new(),
            };
            reasons.insert(0, reason.because(because));
        }
        reasons
    }
}

/// Whether nobody blocks the event of this number.
fn is_unblocked<E: bthread::Event>(instance: &AutomatonState<E>, number: u32) -> bool {
    instance.unblocked(number / u64::BITS) >> (number % u64::BITS) & 1 == 1
}

/// Which of the results an event is, if it is one.
fn place_among<E: PartialEq>(results: &[(E, Outcome)], event: &E) -> Option<u8> {
    let place = results.iter().position(|(result, _)| result == event)?;
    Some(u8::try_from(place).expect("a game has few results"))
}

/// How many states fit, given that each takes four bytes for every event and every b-thread.
fn states_within(bytes: usize, events: usize, threads: usize) -> u32 {
    let each = 4 * (events + threads) + 64;
    u32::try_from(bytes / each).unwrap_or(u32::MAX)
}

/// A result is known by a small number.
const MOST_RESULTS: usize = 256;

/// Whether every event is one move of one seat, or a result, and every move has its place.
fn is_in_order<R: Rulebook>(
    rulebook: &R,
    moves: &[Vec<(R::Move, R::Event)>],
    results: &[(R::Event, Outcome)],
) -> Result<(), RulesError> {
    let mut known = FxHashSet::default();
    for moves in moves {
        for (place, (chosen, event)) in moves.iter().enumerate() {
            if rulebook.place(chosen) != Some(place) {
                return Err(RulesError::Misplaced { chosen: chosen.to_string(), place });
            }
            if !known.insert(event) {
                return Err(RulesError::SharedEvent { event: event.to_string() });
            }
        }
    }
    match results.iter().find(|(event, _)| !known.insert(event)) {
        Some((event, _)) => Err(RulesError::SharedEvent { event: event.to_string() }),
        None => Ok(()),
    }
}

/// How a game stands after its first superstep, and what happened in it.
fn opening<R: Rulebook>(
    rulebook: &R,
    automaton: &Automaton<R::Event>,
    seats: &[SeatMoves],
    results: &[(R::Event, Outcome)],
) -> Result<(BPosition<R>, Vec<R::Event>), RulesError> {
    let (run, superstep) = automaton.start().map_err(RulesError::of)?;
    let mut board = rulebook.empty_board();
    superstep.events.iter().for_each(|event| rulebook.draw(&mut board, event));
    let result = superstep.events.iter().find_map(|event| place_among(results, event));
    let mut position =
        BPosition { instance: run.state(), board, state: State::Nobody, unblocked: 0 };
    position.arrive(seats, result);
    Ok((position, superstep.events))
}

impl SeatMoves {
    fn new<R: Rulebook>(
        automaton: &Automaton<R::Event>,
        meanings: &mut [Option<R::Move>],
        moves: Vec<(R::Move, R::Event)>,
    ) -> Self {
        let mut events = vec![0; meanings.len().div_ceil(64)];
        let mut numbers = Vec::new();
        for (chosen, event) in moves {
            let number = automaton.number(&event).expect("the alphabet was made of the moves");
            numbers.push(number);
            meanings[number as usize] = Some(chosen);
            events[number as usize / 64] |= 1 << (number % 64);
        }
        Self { events, numbers }
    }

    fn has(&self, number: u32) -> bool {
        self.events[number as usize / 64] >> (number % 64) & 1 == 1
    }
}

/// Draws events as they happen.
struct Scribe<'a, R: Rulebook, F> {
    game: &'a Inner<R>,
    board: &'a mut R::Board,
    result: Option<u8>,
    is_first: bool,
    record: F,
}

impl<R: Rulebook, F: FnMut(&R::Event)> Observer<R::Event> for Scribe<'_, R, F> {
    #[inline]
    fn step(&mut self, step: &Step<'_, R::Event>) {
        let event = step.event();
        self.game.rulebook.draw(self.board, event);
        // What comes first is the move itself, and no result.
        if !self.is_first && self.result.is_none() {
            self.result = place_among(&self.game.results, event);
        }
        self.is_first = false;
        (self.record)(event);
    }

    fn undone(&mut self) {}
}

impl<R: Rulebook> Game for BGame<R> {
    type Position = BPosition<R>;
    type Move = R::Move;
    type Chance = NoChance;

    fn name(&self) -> String {
        self.0.rulebook.name()
    }

    fn seats(&self) -> &[&'static str] {
        self.0.rulebook.seats()
    }

    fn start(&self) -> BPosition<R> {
        self.0.start.clone()
    }

    fn turn(&self, position: &BPosition<R>) -> Turn {
        match position.state {
            State::One(seat) => Turn::One(seat),
            State::Several(seats) => Turn::Several(seats),
            State::Nobody => Turn::Over(Outcome::scored(&vec![0; self.0.seats.len()])),
            State::Result(place) => Turn::Over(self.0.results[usize::from(place)].1),
        }
    }

    fn legal_moves<'a>(
        &'a self,
        position: &'a BPosition<R>,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = R::Move> + 'a {
        let is_over = matches!(position.state, State::Result(_));
        let moves = self.0.seats.get(seat.index()).filter(|_| !is_over);
        let ours = moves.map_or(&[][..], |moves| &moves.events);
        let meaning = |number: u32| self.0.meanings[number as usize].clone();
        LegalEvents::new(position, ours)
            .map(move |number| meaning(number).expect("its events are moves"))
    }

    fn objections(&self, position: &BPosition<R>, seat: Seat, chosen: &R::Move) -> Vec<Reason> {
        self.reasons(position, seat, chosen)
    }

    fn check(&self, position: &BPosition<R>, seat: Seat, chosen: &R::Move) -> Result<(), Refusal> {
        // Who may is told so without asking every b-thread why not.
        let is_next = self.turn(position).seats().contains(seat);
        let number = self.number(seat, chosen).filter(|_| is_next);
        if number.is_some_and(|number| is_unblocked(&position.instance, number)) {
            return Ok(());
        }
        Refusal::unless_none(self.reasons(position, seat, chosen))
    }

    fn apply(&self, position: &mut BPosition<R>, moves: &[(Seat, R::Move)]) {
        for (seat, chosen) in moves {
            // What ends the game ends it, also for who chose at the same time.
            if matches!(position.state, State::Result(_)) {
                return;
            }
            let number = self.number(*seat, chosen).expect("only legal moves are applied");
            let applied = self.trigger(position, number, |_| ());
            applied.expect("legal moves are applied, and the rules come to rest after them");
        }
    }

    fn advance(
        &self,
        position: &mut BPosition<R>,
        moves: &[(Seat, R::Move)],
    ) -> Result<(), Refusal> {
        if let ([(seat, chosen)], State::One(whose)) = (moves, position.state)
            && *seat == whose
            && let Some(number) = self.number(*seat, chosen)
        {
            return match self.trigger(position, number, |_| ()) {
                Ok(()) => Ok(()),
                Err(TriggerError::Refused(_)) => self.check(position, *seat, chosen),
                Err(error) => Err(broken(&error)),
            };
        }
        for (seat, chosen) in moves {
            self.check(position, *seat, chosen)?;
        }
        is_complete(&self.turn(position), moves)?;
        self.advance_at_once(position, moves)
    }

    fn play_at_random(
        &self,
        position: &mut BPosition<R>,
        generator: &mut Generator,
    ) -> Result<(), PlayoutError> {
        let State::One(seat) = position.state else {
            return play_at_random(self, position, generator);
        };
        // The event of any of its moves is as good as the move.
        let number = match &*self.0.seats[seat.index()].events {
            [ours] => any_bit(position.unblocked(0) & ours, generator),
            many => any_of(LegalEvents::new(position, many), generator),
        };
        let number = number.ok_or(PlayoutError::NoMove(seat))?;
        self.trigger(position, number, |_| ()).map_err(|error| broken(&error).into())
    }

    fn text(&self, position: &BPosition<R>) -> String {
        self.0.rulebook.text(&position.board)
    }

    fn picture(&self, position: &BPosition<R>, _: Viewer) -> Picture {
        self.0.rulebook.picture(&position.board)
    }

    fn read_move(&self, text: &str) -> Result<R::Move, Refusal> {
        is_short(text)?;
        self.0.rulebook.read(text)
    }

    fn strategies(&self, seat: Seat) -> Option<Box<dyn Player<Self>>> {
        let strategies = self.0.rulebook.strategies(seat);
        if strategies.is_empty() {
            return None;
        }
        Some(Box::new(Follower::new(strategies)))
    }

    fn awake(&self, history: &[PlyOf<Self>], strategies_of: Option<Seat>) -> Vec<AwakeThread> {
        let moves = history.iter().flat_map(|happening| match happening {
            Ply::Moves(moves) => moves.clone(),
            Ply::Chance(never) => match *never {},
        });
        let strategies = strategies_of.map(|seat| self.0.rulebook.strategies(seat));
        let awake = self
            .trace(moves)
            .and_then(|events| awake(self.program(), &strategies.unwrap_or_default(), events));
        // What did not happen by these rules wakes nobody.
        awake.unwrap_or_default()
    }
}

impl<R: Rulebook> BGame<R> {
    /// What several seats chose happens in the order of seats until there is a result: all of it, or
    /// nothing.
    fn advance_at_once(
        &self,
        position: &mut BPosition<R>,
        moves: &[(Seat, R::Move)],
    ) -> Result<(), Refusal> {
        let mut next = position.clone();
        for (seat, chosen) in moves {
            if matches!(next.state, State::Result(_)) {
                break;
            }
            let number = self.number(*seat, chosen).expect("moves were checked");
            match self.trigger(&mut next, number, |_| ()) {
                Ok(()) => {}
                Err(TriggerError::Refused(_)) => self.check(&next, *seat, chosen)?,
                Err(error) => return Err(broken(&error)),
            }
        }
        *position = next;
        Ok(())
    }
}

fn broken(error: &impl fmt::Display) -> Refusal {
    Reason::new(Code::BROKEN_RULES, format!("The rules of this game are broken: {error}")).into()
}

impl<R: Rulebook> Clone for BGame<R> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<R: Rulebook> fmt::Debug for BGame<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BGame").field(&self.0.rulebook).finish()
    }
}
