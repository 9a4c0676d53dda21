//! A text that runs: what happened, what can happen now, and which b-threads want it.

mod explanation;
mod snapshot;
mod step;

use game::{Seat, Seats};

pub use self::explanation::{EventWish, RunExplanation, ThreadSet};
pub use self::snapshot::{NotASnapshot, RunSnapshot};
pub use self::step::{RunStep, ThreadPart};
use crate::built::{BuiltText, BuiltThread};
use crate::event_bits::EventBits;
use crate::meaning::ResultMeaning;
use crate::span::Span;
use crate::suggestion::did_you_mean;
use crate::syntax::{TextForm, ThreadRoleWord};
use crate::text_event::TextEvent;
use crate::thread_table::{ENDED, LocalPoint};

/// A text that runs. It is a value: a clone is a run of its own.
///
/// The same rules as in a [`TextModel`](crate::TextModel) decide what can happen. A step looks at
/// every b-thread, so this is for people and programs that choose events, and not for playouts.
#[derive(Clone, Debug)]
pub struct TextRun {
    text: BuiltText,
    pace: RunPace,
    /// The seats that strategies play.
    played: Seats,
    /// For each b-thread, the number of its state.
    states: Vec<u32>,
    result: Option<u32>,
    scores: Vec<i32>,
}

/// Whether b-threads act by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunPace {
    /// Rules, threads and strategies act until nothing more can happen. The caller acts for the
    /// world, for chance and for seats without strategies.
    Supersteps,
    /// Nothing happens automatically: the caller chooses every event.
    Steps,
}

/// An event that can happen now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PossibleEvent {
    /// The event.
    pub event: TextEvent,
    /// What wants it: b-threads, and seats whose move it is.
    pub wanted_by: Vec<EventWish>,
}

/// Where a b-thread stands.
#[derive(Clone, Copy, Debug)]
pub struct ThreadPlace<'a> {
    /// The b-thread.
    pub thread: &'a BuiltThread,
    /// Its sync point in the text.
    pub span: Span,
    /// Whether it requests or blocks something there, so that it has a say in what happens next.
    pub is_awake: bool,
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunStatus {
    /// Something can happen.
    Open,
    /// The game has a result.
    Over,
    /// Nothing can happen, although b-threads request something: all of it is blocked.
    Stuck,
    /// Nothing can happen, and nothing is requested.
    Ended,
}

/// Why an event does not happen. Nothing changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RunRefusal {
    /// No event has this name.
    #[error("no event is called `{name}`{hint}")]
    UnknownEvent {
        /// The name.
        name: String,
        /// What was probably meant, or nothing.
        hint: String,
    },
    /// B-threads block it.
    #[error("{}", .0.refusal())]
    Blocked(Box<RunExplanation>),
    /// Nobody wants it now.
    #[error("{} cannot happen now: nothing requests it", .0.event)]
    NotRequested(Box<RunExplanation>),
    /// The b-threads go on and on.
    #[error("the b-threads do not stop after {0} events: choose every event yourself")]
    Endless(usize),
}

/// The most events of a superstep.
const LONGEST_SUPERSTEP: usize = 10_000;

impl BuiltText {
    /// Starts a run, and returns what happened at once.
    ///
    /// # Errors
    /// If the b-threads do not stop.
    pub fn start_run(&self, pace: RunPace) -> Result<(TextRun, Vec<RunStep>), RunRefusal> {
        let strategies = self.threads().iter().filter_map(BuiltThread::seat);
        let scores = vec![0; self.seats().len()];
        let mut run = TextRun {
            text: self.clone(),
            pace,
            played: strategies.fold(Seats::NONE, Seats::with),
            states: self.threads().iter().map(first_state).collect(),
            result: None,
            scores,
        };
        let steps = run.act()?;
        Ok((run, steps))
    }

    /// The event of this name. Spaces do not matter.
    ///
    /// # Errors
    /// If no event has this name.
    pub fn event_called(&self, name: &str) -> Result<TextEvent, RunRefusal> {
        let is_letter = |character: &char| !character.is_whitespace();
        let wanted: String = name.chars().filter(is_letter).collect();
        let is_it = |event: &TextEvent| event.as_str().chars().filter(is_letter).eq(wanted.chars());
        self.events().find(is_it).ok_or_else(|| {
            let events: Vec<TextEvent> = self.events().collect();
            let hint = did_you_mean(name, events.iter().map(TextEvent::as_str));
            let name = name.chars().take(LONGEST_NAME).collect();
            RunRefusal::UnknownEvent { name, hint }
        })
    }

    /// Whether the outside acts in this text: a world, a seat without strategies, or chance.
    #[must_use]
    pub fn has_outside(&self) -> bool {
        let is_outside = |thread: &BuiltThread| {
            matches!(thread.role, ThreadRoleWord::World | ThreadRoleWord::Chance)
        };
        self.form() == TextForm::Game || self.threads().iter().any(is_outside)
    }
}

/// The longest part of an unknown name that a refusal repeats.
const LONGEST_NAME: usize = 100;

/// The first state of a b-thread; one that does nothing has ended.
fn first_state(thread: &BuiltThread) -> u32 {
    if thread.table.states.is_empty() { ENDED } else { 0 }
}

impl TextRun {
    /// The text.
    #[must_use]
    pub fn text(&self) -> &BuiltText {
        &self.text
    }

    /// The b-threads that have not ended, each with what it does now.
    fn live(&self) -> impl Iterator<Item = (&BuiltThread, &LocalPoint)> {
        let threads = self.text.threads().iter().zip(&self.states);
        threads
            .filter_map(|(thread, state)| Some((thread, thread.table.states.get(*state as usize)?)))
    }

    /// The b-threads that have not ended, with a sentence about what each does now.
    pub fn threads(&self) -> impl Iterator<Item = (&BuiltThread, String)> {
        self.live().map(|(thread, point)| (thread, explanation::describe(&self.text, point)))
    }

    /// The b-threads that have not ended, with the part of the text at which each stands.
    pub fn places(&self) -> impl Iterator<Item = ThreadPlace<'_>> {
        self.live().filter_map(|(thread, point)| {
            let is_awake = !point.requests.is_empty() || !point.blocks.is_empty();
            Some(ThreadPlace { thread, span: point.span?, is_awake })
        })
    }

    /// How likely chance draws an event now, compared with the others; 0 if it does not.
    #[must_use]
    pub fn draw_weight(&self, event: &TextEvent) -> u32 {
        let chances = self.live().filter(|(thread, _)| thread.role == ThreadRoleWord::Chance);
        let requests = chances.flat_map(|(_, point)| &point.requests);
        let own = requests.filter(|(number, _)| *number == event.number());
        let drawn: u32 = own.fold(0, |sum, (_, weight)| weight.saturating_add(sum));
        if drawn > 0 {
            return drawn;
        }
        let chances = self.live().filter(|(thread, _)| thread.role == ThreadRoleWord::Chance);
        let sets = chances.flat_map(|(_, point)| &point.otherwise);
        sets.map(|set| u32::from(set.bits.contains(event.number()))).sum()
    }

    /// The sentences of requirements that have failed, each with its name.
    pub fn violations(&self) -> impl Iterator<Item = (&BuiltThread, &str)> {
        self.live().filter_map(|(thread, point)| Some((thread, point.violation.as_deref()?)))
    }

    /// The event that was the result of the game.
    #[must_use]
    pub fn result(&self) -> Option<TextEvent> {
        self.result.map(|event| self.text.event(event))
    }

    /// The points of each seat.
    #[must_use]
    pub fn scores(&self) -> &[i32] {
        &self.scores
    }

    fn blocked(&self) -> EventBits {
        let mut blocked = EventBits::empty(self.text.0.names.events());
        for (_, point) in self.live() {
            point.blocks.iter().for_each(|set| blocked.extend(&set.bits));
        }
        blocked
    }

    /// The requests of b-threads that nothing blocks, in order of priority.
    fn requests(&self, blocked: &EventBits) -> Vec<(&BuiltThread, u32)> {
        let mut requests = Vec::new();
        for group in 0..GROUPS {
            for (thread, point) in self.live().filter(|(thread, _)| priority(thread) == group) {
                let open = point.requests.iter().map(|(event, _)| *event);
                requests
                    .extend(open.filter(|event| !blocked.contains(*event)).map(|e| (thread, e)));
            }
        }
        requests
    }

    /// The moves of seats without strategies that nothing blocks.
    fn free_moves(&self, blocked: &EventBits) -> Vec<(Seat, u32)> {
        let moves = (0..).zip(&self.text.0.meanings.events);
        let free = moves.filter_map(|(event, meaning)| {
            let seat = Seat::new(meaning.mover?)?;
            let is_free = !self.played.contains(seat) && !blocked.contains(event);
            is_free.then_some((seat, event))
        });
        free.collect()
    }

    /// What can happen where nothing else can. In a program that is all that b-threads request then;
    /// in a game the first of it, or all that a b-thread of chance may draw.
    fn resorts(&self, blocked: &EventBits) -> Vec<(&BuiltThread, u32)> {
        let mut resorts = Vec::new();
        for is_chance in [false, true] {
            let is_meant = |(thread, _): &(&BuiltThread, &LocalPoint)| {
                (thread.role == ThreadRoleWord::Chance) == is_chance
            };
            for (thread, point) in self.live().filter(is_meant) {
                let events = point.otherwise.iter().flat_map(|set| set.bits.iter());
                let open = events.filter(|event| !blocked.contains(*event));
                resorts.extend(open.map(|event| (thread, event)));
            }
        }
        if self.text.form() == TextForm::Game
            && let Some((first, _)) = resorts.first().copied()
        {
            match first.role {
                ThreadRoleWord::Chance => resorts.retain(|(thread, _)| thread.name == first.name),
                _ => resorts.truncate(1),
            }
        }
        resorts
    }

    /// Everything that can happen now, what has priority first, each event once.
    #[must_use]
    pub fn possible(&self) -> Vec<PossibleEvent> {
        let mut possible: Vec<PossibleEvent> = Vec::new();
        for (wish, event) in self.wishes() {
            if let Some(known) = possible.iter_mut().find(|known| known.event.number() == event) {
                known.wanted_by.push(wish);
            } else {
                let event = self.text.event(event);
                possible.push(PossibleEvent { event, wanted_by: vec![wish] });
            }
        }
        possible
    }

    /// What can happen, as in a model: rules of a game act first and alone.
    fn wishes(&self) -> Vec<(EventWish, u32)> {
        let blocked = self.blocked();
        let requests = self.requests(&blocked);
        let by_thread = |(thread, event): &(&BuiltThread, u32)| {
            (EventWish::Thread(thread.name.clone()), *event)
        };
        let is_game = self.text.form() == TextForm::Game;
        let rule = requests.first().filter(|(thread, _)| is_game && priority(thread) == RULES);
        if let Some((_, event)) = rule {
            let same = requests.iter().filter(|(_, other)| other == event);
            return same.map(by_thread).collect();
        }
        let mut moved = Seats::NONE;
        let mut wishes = Vec::new();
        for request in &requests {
            let seat = request.0.seat;
            if seat.is_some_and(|seat| moved.contains(seat)) {
                continue;
            }
            moved = seat.map_or(moved, |seat| moved.with(seat));
            wishes.push(by_thread(request));
        }
        let seats = self.text.seats();
        let named = |seat: Seat| seats.get(seat.index()).map_or("", |name| *name).to_owned();
        let moves = self.free_moves(&blocked);
        wishes.extend(moves.into_iter().map(|(seat, event)| (EventWish::Seat(named(seat)), event)));
        if wishes.is_empty() {
            wishes.extend(self.resorts(&blocked).iter().map(by_thread));
        }
        wishes
    }

    /// The event that happens automatically.
    fn next_act(&self) -> Option<u32> {
        if self.pace == RunPace::Steps {
            return None;
        }
        let is_own = |wish: &EventWish| match wish {
            EventWish::Seat(_) => false,
            EventWish::Thread(name) => self.text.thread(name).is_some_and(|thread| {
                !matches!(thread.role, ThreadRoleWord::World | ThreadRoleWord::Chance)
            }),
        };
        let wishes = self.wishes();
        wishes.into_iter().find(|(wish, _)| is_own(wish)).map(|(_, event)| event)
    }

    /// Lets b-threads act until nothing more happens automatically. If they never stop, nothing changes.
    fn act(&mut self) -> Result<Vec<RunStep>, RunRefusal> {
        let before = self.clone();
        let mut steps = Vec::new();
        while let Some(event) = self.next_act() {
            if steps.len() >= LONGEST_SUPERSTEP {
                *self = before;
                return Err(RunRefusal::Endless(LONGEST_SUPERSTEP));
            }
            steps.push(self.happen(event));
        }
        Ok(steps)
    }

    /// Lets an event happen that is possible, and what follows automatically.
    ///
    /// # Errors
    /// If b-threads block the event, or nothing requests it; nothing changes.
    pub fn trigger(&mut self, event: &TextEvent) -> Result<Vec<RunStep>, RunRefusal> {
        let number = event.number();
        if !self.wishes().iter().any(|(_, possible)| *possible == number) {
            let explanation = Box::new(self.explain(event));
            return Err(if explanation.blocked_by.is_empty() {
                RunRefusal::NotRequested(explanation)
            } else {
                RunRefusal::Blocked(explanation)
            });
        }
        let before = self.clone();
        let mut steps = vec![self.happen(number)];
        match self.act() {
            Ok(followed) => steps.extend(followed),
            Err(endless) => {
                *self = before;
                return Err(endless);
            }
        }
        Ok(steps)
    }

    /// Moves every b-thread that the event concerns.
    fn happen(&mut self, event: u32) -> RunStep {
        let mut step = self.step_of(event);
        for (state, thread) in self.states.iter_mut().zip(&self.text.0.threads) {
            let next = thread.table.step(*state, event);
            if next == ENDED && *state != ENDED {
                step.ended.push(thread.name.clone());
            }
            *state = next;
        }
        if let Some(meaning) = self.text.0.meanings.events.get(event as usize) {
            for (seat, points) in &meaning.scores {
                if let Some(score) = self.scores.get_mut(usize::from(*seat)) {
                    *score = score.saturating_add(*points);
                }
            }
            let is_result = meaning.result.is_some() && self.result.is_none();
            self.result = if is_result { Some(event) } else { self.result };
        }
        step
    }

    /// How far the run has come.
    #[must_use]
    pub fn status(&self) -> RunStatus {
        let is_requested =
            |point: &LocalPoint| !point.requests.is_empty() || !point.otherwise.is_empty();
        if self.result.is_some() {
            RunStatus::Over
        } else if !self.wishes().is_empty() {
            RunStatus::Open
        } else if self.live().any(|(_, point)| is_requested(point)) {
            RunStatus::Stuck
        } else {
            RunStatus::Ended
        }
    }

    /// What the result means: `X wins`, if there is one.
    #[must_use]
    pub fn outcome(&self) -> Option<String> {
        let result = self.text.0.meanings.events.get(self.result? as usize)?.result?;
        let seats = self.text.seats();
        let named = |seat: u8| seats.get(usize::from(seat)).copied().unwrap_or_default();
        Some(match result {
            ResultMeaning::Win(seat) => format!("{} wins", named(seat)),
            ResultMeaning::Loss(seat) => format!("{} loses", named(seat)),
            ResultMeaning::Draw => "a draw".to_owned(),
            ResultMeaning::MostWins => {
                let scored = seats.iter().zip(&self.scores);
                let scored = scored.map(|(seat, score)| format!("{seat} has {score}"));
                scored.collect::<Vec<_>>().join(", ")
            }
        })
    }
}

/// The number of groups of b-threads with different priorities, and the first of them.
const GROUPS: u8 = 3;
const RULES: u8 = 0;

/// Rules and threads act before chance, and chance before strategies.
fn priority(thread: &BuiltThread) -> u8 {
    match thread.role {
        ThreadRoleWord::Rule | ThreadRoleWord::Thread | ThreadRoleWord::World => RULES,
        ThreadRoleWord::Chance => 1,
        ThreadRoleWord::Strategy | ThreadRoleWord::Require => 2,
    }
}
