//! The game that a rulebook describes.

use std::fmt;
use std::sync::Arc;

use bthread::{AutomatonState, Generator, Program, SuperstepError, TriggerError};

use super::compiled_rules::{
    BoardObserver, CompiledRules, FirstEvent, SeatMoves, USUAL_TABLE_BYTES, place_among,
};
use super::legal_events::LegalEvents;
use super::position::{BPosition, TurnState};
use super::rulebook::{Rulebook, RulesError};
use super::seat_events::{SeatEvents, any_event};
use super::strategy_player::{StrategyPlayer, awake_after, explain_next};
use crate::analysis::ExactSolver;
use crate::any_game::MoveText;
use crate::awake_thread::AwakeThread;
use crate::ending_moves::EndingMoves;
use crate::game::{Game, Viewer, check_complete, check_length, seat_name};
use crate::picture::Picture;
use crate::player::Player;
use crate::players::{PlayerKind, PlayoutError, SkillLevel, play_at_random, usual_level};
use crate::ply::{Ply, PlyOf};
use crate::probability::Probability;
use crate::refusal::{Blocker, Code, Reason, Refusal};
use crate::seat::Seat;
use crate::turn::{Outcome, Turn};

/// A game whose rules are the b-threads of a [`Rulebook`].
///
/// - The legal moves of a seat are its events that no b-thread blocks. It is the turn of every seat
///   that has a legal move.
/// - A blocked move is refused, and the refusal names the b-threads that block it.
/// - The game is over after the first result. It is a draw if no seat has a legal move.
///
/// The b-threads are compiled to an automaton that all copies of the game share. A move is a
/// look-up in a table if all positions fit into one; otherwise it costs as much as the b-threads
/// that it moves.
pub struct BGame<R: Rulebook>(Arc<CompiledRules<R>>);

impl<R: Rulebook> BGame<R> {
    /// The game that a rulebook describes.
    ///
    /// # Errors
    /// If the rulebook contradicts itself, or if its b-threads are not a program or do not come to
    /// rest before the first move.
    pub fn new(rulebook: R) -> Result<Self, RulesError> {
        Self::within(rulebook, USUAL_TABLE_BYTES)
    }

    /// As [`BGame::new`], with a table of states that grows to at most `table_bytes` while the game is
    /// played. A full table makes moves slower, and changes nothing else.
    ///
    /// # Errors
    /// As [`BGame::new`].
    pub fn within(rulebook: R, table_bytes: usize) -> Result<Self, RulesError> {
        Ok(Self(Arc::new(CompiledRules::within(rulebook, table_bytes)?)))
    }

    /// The rulebook of the game.
    pub fn rulebook(&self) -> &R {
        &self.0.rulebook
    }

    /// The rules as a program.
    pub fn program(&self) -> &Program<R::Event> {
        self.0.automaton.program()
    }

    /// Triggers the event of a move, and records the superstep on the board.
    #[inline]
    fn trigger(
        &self,
        position: &mut BPosition<R>,
        number: u32,
        mut collect: impl FnMut(&R::Event),
    ) -> Result<(), TriggerError<R::Event>> {
        if self.0.must_settle {
            return self.trigger_and_settle(position, number, &mut collect, FirstEvent::IsMove);
        }
        let BPosition { threads, board, .. } = position;
        let first = FirstEvent::IsMove;
        let mut observer = BoardObserver { rules: &*self.0, board, result: None, first, collect };
        if let Some(followed) = threads.follow(number, &mut observer) {
            let result = observer.result;
            position.arrive_with(&self.0.seats, result, followed.first_unblocked);
            return Ok(());
        }
        let BoardObserver { mut collect, .. } = observer;
        self.trigger_unknown(position, number, &mut collect)
    }

    /// The legal events of the only seat in turn as bits, if all events of the seat are near each other.
    fn legal_bits(&self, position: &BPosition<R>, seat: Seat) -> Option<(&SeatEvents, u64)> {
        let is_in_turn = position.state == TurnState::One(seat);
        let ours = &self.0.seats.get(seat.index()).filter(|_| is_in_turn)?.events;
        Some((ours, position.unblocked_bits(ours)?))
    }

    /// Whether the table of states knows that the game goes on after the move at this place.
    fn surely_goes_on(&self, position: &BPosition<R>, seat: Seat, place: usize) -> bool {
        let Some((ours, legal)) = self.legal_bits(position, seat) else { return false };
        let number = ours.nth_of(legal, place as u64);
        let Some(unblocked) = position.threads.unblocked_after(number) else { return false };
        let has_move = |moves: &SeatMoves<R::Move>| {
            moves.events.only_word().is_some_and(|word| word & unblocked != 0)
        };
        !self.0.must_settle && self.0.seats.iter().any(has_move)
    }

    /// Triggers an event whose superstep is not yet in the automaton's table.
    #[inline(never)]
    fn trigger_unknown(
        &self,
        position: &mut BPosition<R>,
        number: u32,
        collect: &mut dyn FnMut(&R::Event),
    ) -> Result<(), TriggerError<R::Event>> {
        let limits = self.0.limits;
        self.0.trigger_observed(position, number, limits, collect, FirstEvent::IsMove)
    }

    /// Triggers an event in a game with chance, last resorts or rules that can break.
    #[inline(never)]
    fn trigger_and_settle(
        &self,
        position: &mut BPosition<R>,
        number: u32,
        collect: &mut dyn FnMut(&R::Event),
        first: FirstEvent,
    ) -> Result<(), TriggerError<R::Event>> {
        let before = position.clone();
        let triggered = self.0.trigger_observed(position, number, self.0.limits, collect, first);
        let settled = triggered.and_then(|()| self.0.settle(position, collect));
        if settled.is_err() {
            *position = before;
        }
        settled
    }

    /// Lets chance draw the event of this number.
    fn draw(
        &self,
        position: &mut BPosition<R>,
        number: u32,
        collect: &mut dyn FnMut(&R::Event),
    ) -> Result<(), TriggerError<R::Event>> {
        self.trigger_and_settle(position, number, collect, FirstEvent::MayBeResult)
    }

    /// All events of a game, from its start, when these moves are made.
    pub(super) fn trace(&self, history: &[PlyOf<Self>]) -> Result<Vec<R::Event>, String> {
        let mut position = self.0.start.clone();
        let mut events = self.0.opening.clone();
        for ply in history {
            self.follow(&mut position, ply, &mut |event| events.push(event.clone()))?;
        }
        Ok(events)
    }

    /// The events before the first move.
    pub(super) fn opening(&self) -> &[R::Event] {
        &self.0.opening
    }

    /// Makes the moves of a ply, or lets chance draw, and calls `collect` with all events.
    pub(super) fn follow(
        &self,
        position: &mut BPosition<R>,
        ply: &PlyOf<Self>,
        collect: &mut dyn FnMut(&R::Event),
    ) -> Result<(), String> {
        match ply {
            Ply::Moves(moves) => {
                for (seat, chosen) in moves {
                    let number = self.0.number(*seat, chosen).ok_or_else(|| chosen.to_string())?;
                    self.trigger(position, number, &mut *collect)
                        .map_err(|error| error.to_string())?;
                }
                Ok(())
            }
            Ply::Chance(drawn) => {
                let number = self.drawn(drawn).ok_or_else(|| drawn.to_string())?;
                self.draw(position, number, collect).map_err(|error| error.to_string())
            }
        }
    }

    /// The number of the event that chance drew.
    fn drawn(&self, drawn: &MoveText) -> Option<u32> {
        self.0.offers.drawn.get(drawn.as_str()).copied()
    }

    /// The move of a seat that an event is.
    pub(super) fn move_of(&self, seat: Seat, event: &R::Event) -> Option<&R::Move> {
        let number = self.0.automaton.number(event)?;
        let is_ours = self.0.seats.get(seat.index())?.events.has(number);
        if is_ours { self.0.moves[number as usize].as_ref() } else { None }
    }

    /// Why b-threads block an event, one reason for each code and sentence.
    fn block_reasons(&self, state: &AutomatonState<R::Event>, number: u32) -> Vec<Reason> {
        let mut reasons: Vec<Reason> = Vec::new();
        for interest in &state.blockers(number) {
            let reason = self.0.rulebook.reason(&interest.thread);
            let blocker = Blocker::from(interest);
            let is_same =
                |known: &&mut Reason| known.code == reason.code && known.message == reason.message;
            match reasons.iter_mut().find(is_same) {
                Some(known) => known.because.push(blocker),
                None => reasons.push(reason.because([blocker])),
            }
        }
        reasons
    }

    /// Every reason why a seat may not make a move.
    fn reasons(&self, position: &BPosition<R>, seat: Seat, chosen: &R::Move) -> Vec<Reason> {
        let turn = self.turn(position).objection(seat);
        let Some(number) = self.0.number(seat, chosen) else {
            let unknown = Reason::out_of_bounds(self.0.rulebook.unknown_move(chosen));
            return turn.into_iter().chain([unknown]).collect();
        };
        let mut reasons = self.block_reasons(&position.threads, number);
        // B-threads that block the move say themselves whose turn it is. They need not say that the
        // game is over, which also follows from a result and from there being no legal move.
        let is_over =
            matches!(position.state, TurnState::Result(_) | TurnState::Nobody | TurnState::Broken);
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

    /// Makes moves in the order of seats until there is a result: all of them, or none.
    fn advance_in_order(
        &self,
        position: &mut BPosition<R>,
        moves: &[(Seat, R::Move)],
    ) -> Result<(), Refusal> {
        let mut next = position.clone();
        for (seat, chosen) in moves {
            if matches!(next.state, TurnState::Result(_)) {
                break;
            }
            let number = self.0.number(*seat, chosen).expect("moves were checked");
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

/// Whether no b-thread blocks the event of this number.
fn is_unblocked<E: bthread::Event>(state: &AutomatonState<E>, number: u32) -> bool {
    state.unblocked(number / u64::BITS) >> (number % u64::BITS) & 1 == 1
}

/// Where nothing can be refused, a move after which the rules do not come to rest ends the game: nobody wins.
/// The move itself is undone.
#[inline]
fn end_if_broken<R: Rulebook>(
    position: &mut BPosition<R>,
    applied: Result<(), TriggerError<R::Event>>,
) {
    if let Err(error) = applied {
        let is_legal = matches!(error, TriggerError::Superstep(_));
        assert!(is_legal, "only what is legal is applied: {error}");
        position.state = TurnState::Broken;
    }
}

fn broken<E: bthread::Event>(error: &TriggerError<E>) -> Refusal {
    let what = match error {
        TriggerError::Superstep(SuperstepError::OutsideAlphabet(outside)) => {
            RulesError::unlisted(outside).to_string()
        }
        error => error.to_string(),
    };
    Reason::new(Code::BROKEN_RULES, format!("The rules of this game are broken: {what}")).into()
}

/// One seat moves although several may. Most often the rule is missing that says whose turn it is.
fn one_of_several() -> Refusal {
    let sentence = "Several seats may move now, and all of them must choose; if they should take \
                    turns, a b-thread must block the moves of the others";
    Reason::new(Code::INCOMPLETE, sentence).into()
}

impl<R: Rulebook> Game for BGame<R> {
    type Position = BPosition<R>;
    type Move = R::Move;
    type Chance = MoveText;

    fn name(&self) -> String {
        self.0.rulebook.name()
    }

    fn seats(&self) -> Vec<&str> {
        self.0.rulebook.seats()
    }

    fn start(&self) -> BPosition<R> {
        let mut start = self.0.start.clone();
        // The first move would leave it anyway, once for each game that is played from here.
        start.threads.leave_full_table();
        start
    }

    fn turn(&self, position: &BPosition<R>) -> Turn {
        match position.state {
            TurnState::One(seat) => Turn::One(seat),
            TurnState::Several(seats) => Turn::Several(seats),
            TurnState::Nobody | TurnState::Broken => {
                Turn::Over(Outcome::scored(&vec![0; self.0.seats.len()]))
            }
            TurnState::Chance => Turn::Chance,
            TurnState::Result(place) => {
                let (result, listed) = &self.0.results[usize::from(place)];
                Turn::Over(self.0.rulebook.outcome(&position.board, result, *listed))
            }
        }
    }

    fn is_broken(&self, position: &BPosition<R>) -> bool {
        position.state == TurnState::Broken
    }

    fn legal_moves<'a>(
        &'a self,
        position: &'a BPosition<R>,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = R::Move> + 'a {
        let is_for_seats = !position.state.is_for_no_seat();
        let moves = self.0.seats.get(seat.index()).filter(|_| is_for_seats);
        let move_of = |number: u32| self.0.moves[number as usize].clone();
        LegalEvents::new(position, moves.map(|moves| &moves.events))
            .map(move |number| move_of(number).expect("these events are moves"))
    }

    fn objections(&self, position: &BPosition<R>, seat: Seat, chosen: &R::Move) -> Vec<Reason> {
        self.reasons(position, seat, chosen)
    }

    fn check(&self, position: &BPosition<R>, seat: Seat, chosen: &R::Move) -> Result<(), Refusal> {
        // Legal moves skip the explanation.
        let is_in_turn = self.turn(position).seats().contains(seat);
        let number = self.0.number(seat, chosen).filter(|_| is_in_turn);
        if number.is_some_and(|number| is_unblocked(&position.threads, number)) {
            return Ok(());
        }
        Refusal::if_any(self.reasons(position, seat, chosen))
    }

    fn apply(&self, position: &mut BPosition<R>, seat: Seat, chosen: &R::Move) {
        // A result ends the game, also for seats that move at the same time.
        if matches!(position.state, TurnState::Result(_) | TurnState::Broken) {
            return;
        }
        let number = self.0.number(seat, chosen).expect("only legal moves are applied");
        let applied = self.trigger(position, number, |_| ());
        end_if_broken(position, applied);
    }

    fn advance(
        &self,
        position: &mut BPosition<R>,
        seat: Seat,
        chosen: R::Move,
    ) -> Result<(), Refusal> {
        if position.state == TurnState::One(seat)
            && let Some(number) = self.0.number(seat, &chosen)
        {
            return match self.trigger(position, number, |_| ()) {
                Ok(()) => Ok(()),
                Err(TriggerError::Refused(_)) => self.check(position, seat, &chosen),
                Err(error) => Err(broken(&error)),
            };
        }
        self.check(position, seat, &chosen)?;
        check_complete(&self.turn(position), &[(seat, chosen)])
            .map_err(|_incomplete| one_of_several())
    }

    fn advance_all(
        &self,
        position: &mut BPosition<R>,
        moves: &[(Seat, R::Move)],
    ) -> Result<(), Refusal> {
        if let [(seat, chosen)] = moves {
            return self.advance(position, *seat, chosen.clone());
        }
        for (seat, chosen) in moves {
            self.check(position, *seat, chosen)?;
        }
        check_complete(&self.turn(position), moves)?;
        self.advance_in_order(position, moves)
    }

    fn play_at_random(
        &self,
        position: &mut BPosition<R>,
        generator: &mut Generator,
    ) -> Result<(), PlayoutError> {
        let TurnState::One(seat) = position.state else {
            return play_at_random(self, position, generator);
        };
        // The number of an event is enough to trigger it; nobody needs the move.
        let ours = &self.0.seats[seat.index()].events;
        let number = match ours.only_word() {
            Some(word) => ours.any_of(position.unblocked & word, generator),
            None => any_event(position.threads.unblocked_words(), ours, generator),
        };
        // An error that is made in advance costs as much as a step.
        let Some(number) = number else { return Err(PlayoutError::NoMove(seat)) };
        self.trigger(position, number, |_| ()).map_err(|error| broken(&error).into())
    }

    fn play_out(
        &self,
        position: &mut BPosition<R>,
        generator: &mut Generator,
        most_plies: u32,
    ) -> Result<Option<Outcome>, PlayoutError> {
        let is_over = |position: &BPosition<R>| {
            matches!(position.state, TurnState::Result(_) | TurnState::Nobody | TurnState::Broken)
        };
        let mut plies = 0;
        while plies < most_plies && !is_over(position) {
            self.play_at_random(position, generator)?;
            plies += 1;
        }
        Ok(self.turn(position).outcome())
    }

    fn count_moves(&self, position: &BPosition<R>, seat: Seat) -> usize {
        match self.legal_bits(position, seat) {
            Some((ours, legal)) => ours.count_of(legal),
            None => self.legal_moves(position, seat).len(),
        }
    }

    fn apply_nth(&self, position: &mut BPosition<R>, seat: Seat, place: usize) -> bool {
        let Some((ours, legal)) = self.legal_bits(position, seat) else {
            let Some(chosen) = self.legal_moves(position, seat).nth(place) else { return false };
            self.apply(position, seat, &chosen);
            return true;
        };
        if place >= ours.count_of(legal) {
            return false;
        }
        let applied = self.trigger(position, ours.nth_of(legal, place as u64), |_| ());
        end_if_broken(position, applied);
        true
    }

    fn find_ending_moves(
        &self,
        position: &BPosition<R>,
        seat: Seat,
        found: &mut EndingMoves<BPosition<R>>,
    ) {
        for place in 0..self.count_moves(position, seat) {
            if !self.surely_goes_on(position, seat, place) {
                found.try_move(self, position, seat, place);
            }
        }
    }

    fn text(&self, position: &BPosition<R>) -> String {
        self.0.rulebook.text(&position.board)
    }

    fn key(&self, position: &BPosition<R>) -> Option<Vec<u8>> {
        let mut key = self.text(position).into_bytes();
        if !self.0.rulebook.tells_all() {
            // B-threads may be at the same places after different results.
            let (kind, result) = match position.state {
                TurnState::Result(place) => (2, place),
                TurnState::Broken => (1, 0),
                _ => (0, 0),
            };
            key.extend([0, kind, result]);
            key.extend(position.threads.bytes()?);
        }
        Some(key)
    }

    fn position_bytes(&self, _position: &BPosition<R>) -> usize {
        self.0.position_bytes()
    }

    fn picture(&self, position: &BPosition<R>, _: Viewer) -> Picture {
        self.0.rulebook.picture(&position.board)
    }

    fn read_move(&self, text: &str) -> Result<R::Move, Refusal> {
        check_length(text)?;
        self.0.rulebook.read(text)
    }

    fn chances(&self, position: &BPosition<R>) -> Vec<(MoveText, Probability)> {
        if position.state != TurnState::Chance {
            return Vec::new();
        }
        let offered = self.0.offers.draws(&position.threads);
        let all = offered.iter().map(|(_, weight)| weight).sum();
        let alphabet = self.0.automaton.alphabet();
        let text = |number: u32| MoveText::of(&alphabet[number as usize]);
        let chance = |(number, weight)| (text(number), Probability::new(weight, all));
        offered.into_iter().map(chance).collect()
    }

    fn apply_chance(&self, position: &mut BPosition<R>, drawn: &MoveText) {
        let number = self.drawn(drawn).expect("chance draws what the rulebook offers");
        let applied = self.draw(position, number, &mut |_| ());
        end_if_broken(position, applied);
    }

    fn read_chance(&self, text: &str) -> Result<MoveText, Refusal> {
        check_length(text)?;
        let drawn = self.0.offers.drawn.contains_key(text).then(|| MoveText::of(text));
        let unknown = || Reason::out_of_bounds(format!("chance never draws {text:?}")).into();
        drawn.ok_or_else(unknown)
    }

    fn winning_lines(&self, history: &[PlyOf<Self>]) -> Vec<String> {
        let Ok(mut events) = self.trace(history) else { return Vec::new() };
        let is_result = |event| place_among(&self.0.results, event).is_some();
        let Some(place) = events.iter().position(is_result) else { return Vec::new() };
        events.truncate(place);
        let result = explain_next(self.program(), &[], events, self.0.limits).ok().flatten();
        let Some(result) = result else { return Vec::new() };
        let results = self.0.rulebook.results();
        let outcome = results.iter().find(|(event, _)| *event == result.event);
        let winner = outcome.and_then(|(_, outcome)| outcome.winner());
        let Some(winner) = winner.map(|seat| seat_name(self, seat)) else { return Vec::new() };
        let lines = result.requested_by.iter().filter_map(|name| self.0.rulebook.line(name));
        lines.map(|line| format!("{winner}Win[{line}]")).collect()
    }

    fn strategies(&self, seat: Seat) -> Option<Box<dyn Player<Self>>> {
        let strategies = self.0.rulebook.strategies(seat);
        if strategies.is_empty() {
            return None;
        }
        Some(Box::new(StrategyPlayer::<R>::new(strategies)))
    }

    fn estimate(&self, position: &BPosition<R>, seat: Seat) -> Option<i32> {
        self.0.rulebook.estimate(&position.board, seat)
    }

    fn solver(&self) -> Option<Arc<dyn ExactSolver<Self>>> {
        self.0.rulebook.solver()
    }

    fn level(&self, level: SkillLevel) -> Option<PlayerKind> {
        self.0.rulebook.level(level).or_else(|| usual_level(self, level))
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn purpose(&self, strategy: &str) -> Option<String> {
        self.0.rulebook.purpose(&strategy.into())
    }

    fn awake(&self, history: &[PlyOf<Self>], strategies_of: Option<Seat>) -> Vec<AwakeThread> {
        let strategies = strategies_of.map(|seat| self.0.rulebook.strategies(seat));
        let awake = self.trace(history).and_then(|events| {
            awake_after(self.program(), &strategies.unwrap_or_default(), events, self.0.limits)
        });
        // A history that these rules forbid leaves no b-thread awake.
        awake.unwrap_or_default()
    }
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
