//! Where one run of an automaton stands.

use std::borrow::Cow;
use std::fmt;
use std::mem::replace;

use super::automaton::Automaton;
use super::builder::Obstacle;
use super::table::{Rest, Spot, Transition};
use crate::error::{AddError, OutsideAlphabet, Refusal, SuperstepError, TriggerError};
use crate::event::Event;
use crate::explanation::Interest;
use crate::machine::{Engine, Heard, Live, Pick};
use crate::name::Name;
use crate::observer::{Observer, Origin, Step};
use crate::open::Open;
use crate::program::Program;
use crate::run::{ClosedRun, Happened, Limits, Run, Status};
use crate::snapshot::{Snapshot, Standing};
use crate::strategy::{Choices, Look, Priority, Strategy};
use crate::sync_point::SyncPoint;
use crate::thread::BThread;

/// Where a closed program stands: little more than a state of its automaton.
#[derive(Clone)]
pub struct Instance<E: Event>(Place<E>);

#[derive(Clone)]
enum Place<E: Event> {
    /// In a state of the automaton.
    Tabled { automaton: Automaton<E>, state: Spot },
    /// Off the table: all states were built that may be, or b-threads were added.
    Away(Box<Away<E>>),
    /// A run has it, for the time of one call.
    Lent,
}

#[cold]
fn lent() -> ! {
    unreachable!("an instance is lent for one call, and lost only if a b-thread panics in it")
}

#[derive(Clone)]
struct Away<E: Event> {
    automaton: Automaton<E>,
    open: Open<E>,
}

/// Runs a program over a finite alphabet; a step is a look-up in a table.
#[derive(Clone)]
pub struct Closed<E: Event> {
    place: Place<E>,
    /// The state in which the superstep began, if it began in one.
    began: Option<Spot>,
}

impl<E: Event> Instance<E> {
    pub(super) fn tabled(automaton: Automaton<E>, state: Spot) -> Self {
        Self(Place::Tabled { automaton, state })
    }

    /// Goes on from here.
    pub fn resume<S: Strategy<E>>(self, strategy: S, limits: Limits) -> ClosedRun<E, S> {
        Run::resume(Closed::new(self), strategy, limits)
    }

    /// Whether it stands in a state of the automaton, and not off the table.
    pub fn is_tabled(&self) -> bool {
        matches!(self.0, Place::Tabled { .. })
    }

    /// The automaton in which it stands.
    pub fn automaton(&self) -> &Automaton<E> {
        self.0.automaton()
    }

    /// Which events nobody blocks: a bit for each of sixty-four places of the alphabet, the lowest
    /// first. Word 0 has the first of them; past the last event there are none.
    #[inline]
    pub fn unblocked(&self, word: u32) -> u64 {
        match &self.0 {
            Place::Tabled { automaton, state } => automaton.unblocked(*state, word),
            Place::Away(away) => away.unblocked(word),
            Place::Lent => lent(),
        }
    }

    /// Who blocks the event at this place of the alphabet, with which set, highest priority first.
    pub fn blockers(&self, number: u32) -> Vec<Interest<E>> {
        self.0.blockers(number)
    }

    /// Offers the event at this place of the alphabet, as [`Run::trigger_observed`] does with
    /// the strategy [`Priority`].
    ///
    /// # Errors
    /// If the event is blocked, or followed by an endless superstep or one that leaves the
    /// alphabet; nothing has changed then.
    ///
    /// # Panics
    /// If the alphabet has no such place.
    pub fn trigger_observed(
        &mut self,
        number: u32,
        limits: Limits,
        observer: &mut impl Observer<E>,
    ) -> Result<Happened, TriggerError<E>> {
        if self.0.is_blocked(number) {
            let event = self.automaton().event(number).clone();
            return Err(Refusal { event, blockers: self.blockers(number) }.into());
        }
        // Lent and not cloned: the counting of who shares an automaton would cost as much as a step.
        let place = replace(&mut self.0, Place::Lent);
        let mut run = Run::resume(Closed { place, began: None }, Priority, limits);
        let happened = run.superstep(Some(number), observer);
        self.0 = run.into_machine().place;
        Ok(happened?)
    }

    /// Offers the event at this place of the alphabet, as [`Instance::trigger_observed`] does, but
    /// only if the table knows all that follows from it; `None` if it does not, or if the event is
    /// blocked, and then nothing has changed.
    ///
    /// Most supersteps are short, and known once somebody has been there: they need no run.
    #[inline]
    pub fn follow(&mut self, number: u32, observer: &mut impl Observer<E>) -> Option<Happened> {
        let Place::Tabled { automaton, state } = &self.0 else { return None };
        match automaton.known(*state, number)? {
            Transition::To(next, heard, Rest::Quiet) => {
                let event = automaton.event(number);
                observer.step(&Step::new(event, Origin::Triggered, &self.0));
                self.come_to(next);
                Some(Happened { steps: 1, heard })
            }
            Transition::To(next, heard, Rest::Moving) => {
                automaton.is_known_from(next).then(|| self.follow_on(number, next, heard, observer))
            }
            Transition::Blocked => None,
        }
    }

    /// Follows the table, which knows all of it, beyond the first event of a superstep.
    fn follow_on(
        &mut self,
        first: u32,
        next: Spot,
        heard: Heard,
        observer: &mut impl Observer<E>,
    ) -> Happened {
        let mut happened = Happened { steps: 0, heard };
        let (mut event, mut origin) = (first, Origin::Triggered);
        let mut transition = Some(Transition::To(next, heard, Rest::Moving));
        while let Some(Transition::To(next, heard, rest)) = transition {
            observer.step(&Step::new(self.automaton().event(event), origin, &self.0));
            happened.count(heard);
            self.come_to(next);
            let automaton = self.automaton();
            let first = automaton.first(next).filter(|_| rest == Rest::Moving);
            transition = first.and_then(|first| {
                (event, origin) = (first, Origin::First);
                automaton.known(next, first)
            });
        }
        happened
    }

    fn come_to(&mut self, next: Spot) {
        if let Place::Tabled { state, .. } = &mut self.0 {
            *state = next;
        }
    }

    fn snapshot(&self) -> Snapshot<E> {
        let fingerprint = self.automaton().program().fingerprint();
        Snapshot::new(fingerprint, self.0.standing(), Vec::new(), Priority)
    }
}

/// Instances are equal if they are of the same program and its b-threads have come equally far.
impl<E: Event> PartialEq for Instance<E> {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (
                Place::Tabled { automaton, state },
                Place::Tabled { automaton: another, state: other },
            ) if automaton.is(another) => state == other,
            _ => self.snapshot() == other.snapshot(),
        }
    }
}

impl<E: Event> Eq for Instance<E> {}

impl<E: Event> Place<E> {
    fn automaton(&self) -> &Automaton<E> {
        match self {
            Self::Tabled { automaton, .. } => automaton,
            Self::Away(away) => &away.automaton,
            Self::Lent => lent(),
        }
    }

    fn is_blocked(&self, number: u32) -> bool {
        match self {
            Self::Tabled { automaton, state } => automaton.is_blocked(*state, number),
            Self::Away(away) => away.is_blocked(number),
            Self::Lent => lent(),
        }
    }

    fn blockers(&self, number: u32) -> Vec<Interest<E>> {
        match self {
            Self::Tabled { automaton, state } => automaton.blockers(*state, number),
            Self::Away(away) => {
                let token = away.open.token(away.automaton.event(number).clone());
                token.map_or_else(|_| Vec::new(), |token| away.open.blockers(&token))
            }
            Self::Lent => lent(),
        }
    }

    fn standing(&self) -> Standing<E> {
        match self {
            Self::Tabled { automaton, state } => automaton.standing(*state),
            Self::Away(away) => away.open.standing(),
            Self::Lent => lent(),
        }
    }
}

impl<E: Event, S: Strategy<E>> ClosedRun<E, S> {
    /// Where the run stands, without its queue and its strategy.
    pub fn instance(&self) -> Instance<E> {
        Instance(self.machine().place.clone())
    }
}

impl<E: Event> Closed<E> {
    pub(super) fn new(Instance(place): Instance<E>) -> Self {
        Self { place, began: None }
    }

    fn automaton(&self) -> &Automaton<E> {
        self.place.automaton()
    }

    /// Leaves the table for good.
    fn go_away(&mut self) -> &mut Away<E> {
        if let Place::Tabled { automaton, state } = &self.place {
            let open = Open::standing_at(automaton.program(), automaton.standing(*state));
            self.place = Place::Away(Box::new(Away { automaton: automaton.clone(), open }));
        }
        match &mut self.place {
            Place::Away(away) => away,
            Place::Tabled { .. } | Place::Lent => unreachable!("it has just left the table"),
        }
    }
}

impl<E: Event> Away<E> {
    fn advance(&mut self, event: u32) -> Result<Heard, OutsideAlphabet<E>> {
        let token = self.open.token(self.automaton.event(event).clone())?;
        let heard = self.open.advance(&token)?;
        // Whichever moved first: the one of highest priority is named, as in the table.
        let outside = self.open.moved_unplanned().filter_map(|(number, name, point)| {
            self.automaton.check(name, point).err().map(|outside| (number, outside))
        });
        match outside.min_by_key(|(number, _)| *number) {
            Some((_, outside)) => Err(outside),
            None => Ok(heard),
        }
    }

    // What is rare would only be in the way of what is not.
    #[cold]
    fn unblocked(&self, word: u32) -> u64 {
        let first = word * u64::BITS;
        let last = self.automaton.width().min(first + u64::BITS);
        let free = (first..last).filter(|event| !self.is_blocked(*event));
        free.fold(0, |bits, event| bits | 1 << (event - first))
    }

    fn is_blocked(&self, number: u32) -> bool {
        let token = self.open.token(self.automaton.event(number).clone());
        token.is_ok_and(|token| self.open.is_blocked(&token))
    }

    fn pick_number(&self, pick: Pick) -> u32 {
        let event = self.open.requested(pick);
        self.automaton.number(event).expect("requests were checked")
    }
}

impl<E: Event> Engine for Closed<E> {
    type Event = E;
    type Token = u32;

    fn program(&self) -> &Program<E> {
        self.automaton().program()
    }

    fn token(&self, event: E) -> Result<u32, OutsideAlphabet<E>> {
        let number = self.automaton().number(&event);
        number.ok_or(OutsideAlphabet { event, requested_by: None })
    }

    fn picked(&self, pick: Pick) -> u32 {
        match &self.place {
            Place::Tabled { .. } => pick.request,
            Place::Away(away) => away.pick_number(pick),
            Place::Lent => lent(),
        }
    }

    fn event<'a>(&'a self, token: &'a u32) -> &'a E {
        self.automaton().event(*token)
    }

    fn is_blocked(&self, token: &u32) -> bool {
        self.place.is_blocked(*token)
    }

    fn blockers(&self, token: &u32) -> Vec<Interest<E>> {
        self.place.blockers(*token)
    }

    fn choices(&mut self, look: Look) -> Option<Choices<'_, E>> {
        let first = match &mut self.place {
            Place::Tabled { automaton, state } => automaton.state(*state).first?,
            Place::Away(away) => away.open.first_pick(look)?,
            Place::Lent => lent(),
        };
        Some(Choices::new(self, first))
    }

    fn advance(&mut self, token: &u32) -> Result<Heard, OutsideAlphabet<E>> {
        let Place::Tabled { automaton, state } = &mut self.place else {
            return self.go_away().advance(*token);
        };
        match automaton.transition(*state, *token) {
            Ok(Transition::To(next, heard, _)) => {
                *state = next;
                Ok(heard)
            }
            Ok(Transition::Blocked) => unreachable!("blocked events do not happen"),
            Err(Obstacle::Full) => self.go_away().advance(*token),
            Err(Obstacle::Outside(outside)) => Err(outside),
        }
    }

    fn advance_picked(&mut self, pick: Pick) -> Result<Heard, OutsideAlphabet<E>> {
        self.advance(&self.picked(pick))
    }

    fn status(&self) -> Status {
        match &self.place {
            Place::Tabled { automaton, state } => automaton.state(*state).status,
            Place::Away(away) => away.open.status(),
            Place::Lent => lent(),
        }
    }

    fn begin(&mut self) {
        self.began = match &mut self.place {
            Place::Tabled { state, .. } => Some(*state),
            Place::Away(away) => {
                away.open.begin();
                None
            }
            Place::Lent => lent(),
        };
    }

    fn commit(&mut self) {
        if let Place::Away(away) = &mut self.place {
            away.open.commit();
        }
    }

    fn undo(&mut self) {
        if let Some(state) = self.began {
            let automaton = self.automaton().clone();
            self.place = Place::Tabled { automaton, state };
        } else if let Place::Away(away) = &mut self.place {
            away.open.undo();
        }
    }

    fn add(&mut self, thread: BThread<E>) -> Result<(), AddError<E>> {
        let name = thread.name().clone();
        let point = thread.sync_point().map(Cow::into_owned);
        let away = self.go_away();
        away.open.add(thread)?;
        if let Some(point) = point {
            away.automaton.check(&name, &point).map_err(SuperstepError::from)?;
        }
        Ok(())
    }

    fn standing(&self) -> Standing<E> {
        self.place.standing()
    }

    fn stand(&self, standing: Standing<E>) -> Result<Self, OutsideAlphabet<E>> {
        let automaton = self.automaton().clone();
        if standing.added.is_empty() {
            match automaton.state_at(&standing) {
                Ok(state) => return Ok(Self::new(Instance::tabled(automaton, state))),
                Err(Obstacle::Full) => {}
                Err(Obstacle::Outside(outside)) => return Err(outside),
            }
        }
        let open = Open::standing_at(automaton.program(), standing);
        open.unplanned().try_for_each(|(name, point)| automaton.check(name, point))?;
        let away = Away { automaton, open };
        Ok(Self::new(Instance(Place::Away(Box::new(away)))))
    }
}

impl<E: Event> Live<E> for Closed<E> {
    fn visit(&self, show: &mut dyn FnMut(&Name, &SyncPoint<E>)) {
        self.place.visit(show);
    }

    fn picks(&self) -> Vec<Pick> {
        self.place.picks()
    }

    fn requested(&self, pick: Pick) -> &E {
        self.place.requested(pick)
    }

    fn name(&self, thread: u32) -> &Name {
        self.place.name(thread)
    }
}

impl<E: Event> Live<E> for Place<E> {
    fn visit(&self, show: &mut dyn FnMut(&Name, &SyncPoint<E>)) {
        match self {
            Self::Tabled { automaton, state } => automaton.visit(*state, show),
            Self::Away(away) => away.open.visit(show),
            Self::Lent => lent(),
        }
    }

    fn picks(&self) -> Vec<Pick> {
        match self {
            Self::Tabled { automaton, state } => automaton.state(*state).picks.to_vec(),
            Self::Away(away) => away.open.picks(),
            Self::Lent => lent(),
        }
    }

    fn requested(&self, pick: Pick) -> &E {
        match self {
            Self::Tabled { automaton, .. } => automaton.event(pick.request),
            Self::Away(away) => away.open.requested(pick),
            Self::Lent => lent(),
        }
    }

    fn name(&self, thread: u32) -> &Name {
        match self {
            Self::Tabled { automaton, .. } => automaton.program().threads()[thread as usize].name(),
            Self::Away(away) => away.open.name(thread),
            Self::Lent => lent(),
        }
    }
}

impl<E: Event> fmt::Debug for Instance<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Instance({})", self.0)
    }
}

impl<E: Event> fmt::Debug for Closed<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Closed({})", self.place)
    }
}

impl<E: Event> fmt::Display for Place<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tabled { state, .. } => write!(f, "state {state}"),
            Self::Away(_) => f.write_str("off the table"),
            Self::Lent => f.write_str("lent"),
        }
    }
}
