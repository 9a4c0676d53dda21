//! A game or a run in the lab: forth and back, event by event.

mod plies;

use game::{Picture, Rulebook, Seat};
use notation::{
    BuiltText, EventWish, PossibleEvent, RunPace, RunRefusal, RunStatus, RunStep, TextEvent,
    TextForm, TextRulebook, TextRun, ThreadRoleWord,
};

use super::luck::Luck;

/// The player of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatControl {
    /// The person at the screen.
    Person,
    /// The strategies of the text.
    Strategies,
    /// Any move, at random.
    Random,
    /// The worker, which tries moves out.
    Search,
}

/// A game or a run: all events so far, and the one that is looked at.
#[derive(Clone, Debug)]
pub struct LabGame {
    text: BuiltText,
    rulebook: Option<TextRulebook>,
    controls: Vec<SeatControl>,
    /// The run before the first event and after each one.
    runs: Vec<TextRun>,
    steps: Vec<RunStep>,
    at: usize,
    luck: Luck,
}

/// The most events that happen without a person.
const MOST_AUTOMATIC: usize = 500;

/// The most events of a game in the lab.
const MOST_EVENTS: usize = 2_000;

impl LabGame {
    /// Starts a game, in which what happens without a person has happened already.
    ///
    /// # Errors
    /// If the text does not run.
    pub fn start(
        text: &BuiltText,
        controls: &[SeatControl],
        seed: u64,
    ) -> Result<Self, RunRefusal> {
        let mut game = Self::at_rest(&without_strategies(text, controls), seed)?;
        game.controls = controls.to_vec();
        game.act_automatically();
        Ok(game)
    }

    /// Shows a run in which these events happen, from its beginning. It ends before an event that
    /// cannot happen.
    ///
    /// # Errors
    /// If the text does not run.
    pub fn replay(text: &BuiltText, events: &[String]) -> Result<Self, RunRefusal> {
        let mut game = Self::at_rest(text, 1)?;
        game.controls = controls_of(text);
        for event in events.iter().take(MOST_EVENTS) {
            let event = text.event_called(event)?;
            if game.happen(&event).is_err() {
                break;
            }
        }
        game.at = 0;
        Ok(game)
    }

    fn at_rest(text: &BuiltText, seed: u64) -> Result<Self, RunRefusal> {
        let (run, _) = text.start_run(RunPace::Steps)?;
        Ok(Self {
            text: text.clone(),
            rulebook: text.rulebook(),
            controls: Vec::new(),
            runs: vec![run],
            steps: Vec::new(),
            at: 0,
            luck: Luck::new(seed),
        })
    }

    /// The run as it is looked at.
    #[must_use]
    pub fn run(&self) -> &TextRun {
        &self.runs[self.at]
    }

    /// The run before the first event and after each one.
    #[must_use]
    pub fn runs(&self) -> &[TextRun] {
        &self.runs
    }

    /// All events, also those after the one that is looked at.
    #[must_use]
    pub fn steps(&self) -> &[RunStep] {
        &self.steps
    }

    /// The number of events before the position that is looked at.
    #[must_use]
    pub fn place(&self) -> usize {
        self.at
    }

    /// The player of each seat.
    #[must_use]
    pub fn controls(&self) -> &[SeatControl] {
        &self.controls
    }

    /// The text as it is played.
    #[must_use]
    pub fn text(&self) -> &BuiltText {
        &self.text
    }

    /// Looks at the position after this number of events.
    pub fn go_to(&mut self, place: usize) {
        self.at = place.min(self.steps.len());
    }

    /// Lets an event happen in the position that is looked at; what came after it is forgotten.
    ///
    /// # Errors
    /// The reasons, if it cannot happen; nothing changes.
    pub fn play(&mut self, event: &TextEvent) -> Result<(), RunRefusal> {
        self.happen(event)?;
        self.act_automatically();
        Ok(())
    }

    fn happen(&mut self, event: &TextEvent) -> Result<(), RunRefusal> {
        if self.at >= MOST_EVENTS {
            return Err(RunRefusal::Endless(MOST_EVENTS));
        }
        let mut run = self.run().clone();
        let steps = run.trigger(event)?;
        self.runs.truncate(self.at + 1);
        self.steps.truncate(self.at);
        self.steps.extend(steps);
        self.runs.push(run);
        self.at += 1;
        Ok(())
    }

    /// Lets happen what needs no person: rules, strategies, chance and random players.
    fn act_automatically(&mut self) {
        for _ in 0..MOST_AUTOMATIC {
            let Some(event) = self.automatic() else { return };
            if self.happen(&event).is_err() {
                return;
            }
        }
    }

    /// The event that happens without a person.
    fn automatic(&mut self) -> Option<TextEvent> {
        let possible = self.possible();
        if !self.text.has_outside() || self.is_over() {
            return None;
        }
        let by_thread = possible.iter().find(|possible| {
            possible.wanted_by.iter().any(|wish| match wish {
                EventWish::Thread(_) => self.is_own(wish),
                EventWish::Seat(_) => false,
            })
        });
        if let Some(possible) = by_thread {
            return Some(possible.event.clone());
        }
        let drawn = possible.iter().filter(|each| each.wanted_by.iter().any(|w| self.is_drawn(w)));
        let drawn: Vec<TextEvent> = drawn.map(|each| each.event.clone()).collect();
        if !drawn.is_empty() && drawn.len() == possible.len() {
            let run = &self.runs[self.at];
            return Some(self.luck.drawn(run, &drawn));
        }
        let random: Vec<PossibleEvent> = possible
            .into_iter()
            .filter(|each| each.wanted_by.iter().any(|wish| self.plays(wish, SeatControl::Random)))
            .collect();
        (!random.is_empty()).then(|| self.any_of(&random))
    }

    /// Whether a b-thread of the text wants it that is neither the world nor chance.
    fn is_own(&self, wish: &EventWish) -> bool {
        self.role(wish)
            .is_some_and(|role| !matches!(role, ThreadRoleWord::World | ThreadRoleWord::Chance))
    }

    fn is_drawn(&self, wish: &EventWish) -> bool {
        self.role(wish) == Some(ThreadRoleWord::Chance)
    }

    fn role(&self, wish: &EventWish) -> Option<ThreadRoleWord> {
        match wish {
            EventWish::Thread(name) => self.text.thread(name).map(notation::BuiltThread::role),
            EventWish::Seat(_) => None,
        }
    }

    /// Whether a seat wants it that is played in this way.
    fn plays(&self, wish: &EventWish, control: SeatControl) -> bool {
        let EventWish::Seat(name) = wish else { return false };
        let seat = self.text.seats().iter().position(|seat| seat == name);
        seat.and_then(|seat| self.controls.get(seat)) == Some(&control)
    }

    /// The seat for which the worker must choose a move: none while an earlier position is looked at.
    #[must_use]
    pub fn searching_seat(&self) -> Option<usize> {
        if self.at < self.steps.len() {
            return None;
        }
        let wishes = self.possible().into_iter().flat_map(|possible| possible.wanted_by);
        let searching = wishes.filter(|wish| self.plays(wish, SeatControl::Search)).find_map(
            |wish| match wish {
                EventWish::Seat(name) => Some(name),
                EventWish::Thread(_) => None,
            },
        )?;
        self.text.seats().iter().position(|seat| *seat == searching)
    }

    /// Whether luck has a part in it: at random, by chance, or in a program.
    #[must_use]
    pub fn has_luck(&self) -> bool {
        let is_lucky = |control| matches!(control, &SeatControl::Random | &SeatControl::Search);
        let is_chance = |thread: &notation::BuiltThread| thread.role() == ThreadRoleWord::Chance;
        self.text.form() == TextForm::Program
            || self.controls.iter().any(is_lucky)
            || self.text.threads().iter().any(is_chance)
    }

    /// The b-threads of a text that do not take part here.
    #[must_use]
    pub fn left_out(&self, whole: &BuiltText) -> Vec<String> {
        // Both have the same order.
        let mut own = self.text.threads().iter().map(notation::BuiltThread::name).peekable();
        let names = whole.threads().iter().map(notation::BuiltThread::name);
        let left_out = names.filter(|name| own.next_if(|own| own == name).is_none());
        left_out.map(ToString::to_string).collect()
    }

    /// One of these.
    fn any_of(&mut self, possible: &[PossibleEvent]) -> TextEvent {
        possible[self.luck.below(possible.len())].event.clone()
    }

    /// Lets the first possible event happen, or any one.
    ///
    /// # Errors
    /// If it has become too long; nothing changes.
    pub fn step(&mut self, pace: StepPace) -> Result<(), RunRefusal> {
        let possible = self.possible();
        let Some(first) = possible.first() else { return Ok(()) };
        let event = match pace {
            StepPace::First => first.event.clone(),
            StepPace::Random => self.any_of(&possible),
        };
        self.happen(&event)
    }

    /// Lets events happen until nothing can, or for a while.
    pub fn run_on(&mut self, pace: StepPace) {
        for _ in 0..RUN_LENGTH {
            if self.possible().is_empty() || self.step(pace).is_err() {
                return;
            }
        }
    }

    /// What can happen; nothing after the result of a game.
    #[must_use]
    pub fn possible(&self) -> Vec<PossibleEvent> {
        if self.is_over() { Vec::new() } else { self.run().possible() }
    }

    /// Whether the game has a result.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.text.form() == TextForm::Game && self.run().status() == RunStatus::Over
    }

    /// The board after this number of events; `None` for a program.
    #[must_use]
    pub fn picture(&self, place: usize) -> Option<Picture> {
        let rulebook = self.rulebook.as_ref()?;
        let mut board = rulebook.empty_board();
        for step in self.steps.iter().take(place) {
            rulebook.record(&mut board, &step.event);
        }
        Some(rulebook.picture(&board))
    }

    /// The events that a click on a square can mean, for any seat: the possible ones, and all.
    #[must_use]
    pub fn clicks(&self, moves: &[String]) -> (Vec<TextEvent>, Vec<TextEvent>) {
        let Some(rulebook) = &self.rulebook else { return (Vec::new(), Vec::new()) };
        let possible = self.possible();
        let seats = (0..).filter_map(Seat::new).take(self.text.seats().len());
        let all: Vec<TextEvent> = seats
            .flat_map(|seat| rulebook.moves(seat))
            .filter(|(text, _)| moves.contains(&text.to_string()))
            .map(|(_, event)| event)
            .collect();
        let is_possible =
            |event: &&TextEvent| possible.iter().any(|possible| possible.event == **event);
        (all.iter().filter(is_possible).cloned().collect(), all)
    }

    /// The seats that a person may move for now.
    #[must_use]
    pub fn seats_to_move(&self) -> Vec<String> {
        let mut seats: Vec<String> = Vec::new();
        for wish in self.possible().into_iter().flat_map(|possible| possible.wanted_by) {
            if let EventWish::Seat(name) = wish
                && !seats.contains(&name)
            {
                seats.push(name);
            }
        }
        seats
    }
}

/// Which of the possible events happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepPace {
    /// The one of highest priority.
    First,
    /// Any of them.
    Random,
}

/// The most events of one run.
const RUN_LENGTH: usize = 100;

/// The usual controls of a text: strategies where there are some, otherwise the person.
#[must_use]
pub(super) fn controls_of(text: &BuiltText) -> Vec<SeatControl> {
    let seats = (0..).filter_map(Seat::new).take(text.seats().len());
    seats
        .map(|seat| {
            let has_strategies = text.threads().iter().any(|thread| thread.seat() == Some(seat));
            if has_strategies { SeatControl::Strategies } else { SeatControl::Person }
        })
        .collect()
}

/// The text without the strategies of seats that somebody else plays.
fn without_strategies(text: &BuiltText, controls: &[SeatControl]) -> BuiltText {
    let is_played = |seat: Seat| controls.get(seat.index()) == Some(&SeatControl::Strategies);
    let names: Vec<String> = text
        .threads()
        .iter()
        .filter(|thread| thread.seat().is_some_and(|seat| !is_played(seat)))
        .map(|thread| thread.name().to_string())
        .collect();
    if names.is_empty() { text.clone() } else { text.without(&names) }
}
