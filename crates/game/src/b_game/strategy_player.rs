//! The player that follows strategies written as b-threads.

use std::{fmt, iter};

use bthread::{
    AnyBThread, BThread, Event, EventSet, Limits, LossReason, Name, Observer, OpenRun, Priority,
    Program, Step, StepExplanation, block, request,
};

use super::game::BGame;
use super::position::BPosition;
use super::rulebook::{Rulebook, RulesError};
use crate::awake_thread::AwakeThread;
use crate::game::{Game, seat_name};
use crate::player::{
    Alternative, Choice, MoveExplanation, Player, PlayerError, PlayerView, ReadHistory, UnreadPlies,
};
use crate::ply::PlyOf;

/// Makes the moves that its b-threads request.
pub(super) struct StrategyPlayer<R: Rulebook> {
    strategies: Vec<AnyBThread<R::Event>>,
    read: ReadHistory,
    /// The game as far as it was read.
    followed: Option<FollowedGame<R>>,
}

/// How far rules and strategies have come in a game.
struct FollowedGame<R: Rulebook> {
    position: BPosition<R>,
    /// Highest priority first. Those that have ended are left out.
    rules: Vec<AnyBThread<R::Event>>,
    strategies: Vec<AnyBThread<R::Event>>,
}

impl<R: Rulebook> StrategyPlayer<R> {
    pub(super) fn new(strategies: Vec<AnyBThread<R::Event>>) -> Self {
        Self { strategies, read: ReadHistory::default(), followed: None }
    }

    /// The game with all plies of a view. Only those are followed that are new.
    fn followed(
        &mut self,
        player_view: &PlayerView<'_, BGame<R>>,
    ) -> Result<&FollowedGame<R>, String> {
        let game = player_view.game();
        let (known, plies) = match self.read.unread(player_view) {
            UnreadPlies::More(plies) => (self.followed.take(), plies),
            UnreadPlies::All(plies) => (None, plies),
        };
        // A game in which something went wrong is read again from its start.
        let read = std::mem::take(&mut self.read);
        let mut followed = known.unwrap_or_else(|| FollowedGame::start(game, &self.strategies));
        for ply in plies {
            followed.follow(game, ply)?;
        }
        self.read = read;
        Ok(self.followed.insert(followed))
    }
}

impl<R: Rulebook> FollowedGame<R> {
    fn start(game: &BGame<R>, strategies: &[AnyBThread<R::Event>]) -> Self {
        let (rules, strategies) = (game.program().threads().to_vec(), strategies.to_vec());
        let mut started = Self { position: game.start(), rules, strategies };
        for event in game.opening() {
            started.move_threads(event);
        }
        started
    }

    fn follow(&mut self, game: &BGame<R>, ply: &PlyOf<BGame<R>>) -> Result<(), String> {
        let mut events = Vec::new();
        game.follow(&mut self.position, ply, &mut |event| events.push(event.clone()))?;
        for event in &events {
            self.move_threads(event);
        }
        Ok(())
    }

    fn move_threads(&mut self, event: &R::Event) {
        for threads in [&mut self.rules, &mut self.strategies] {
            for thread in &mut *threads {
                move_thread(thread, event);
            }
            threads.retain(|thread| !thread.has_ended());
        }
    }

    /// Explains the next step; `None` if nothing more happens.
    fn next_step(&self, limits: Limits) -> Result<Option<StepExplanation<R::Event>>, String> {
        if let Some(error) = RulesError::of_strategies(&self.strategies) {
            return Err(error.to_string());
        }
        let program = Program::new(self.rules.iter().chain(&self.strategies).cloned());
        let program = program.map_err(|error| error.to_string())?;
        let mut observer = NextStepObserver { left: 0, explanation: None };
        let run = program.start_with(Priority, limits, &mut observer);
        run.map_err(|error| error.to_string())?;
        Ok(observer.explanation)
    }
}

/// Lets a b-thread see an event.
fn move_thread<E: Event>(thread: &mut AnyBThread<E>, event: &E) {
    let Some(point) = thread.sync_point() else { return };
    let has = |sets: &[EventSet<E>]| sets.iter().any(|set| set.contains(event));
    let is_ended = has(point.interrupts());
    let goes_on = point.requests().contains(event) || has(point.waits()) || has(point.restarts());
    drop(point);
    if is_ended {
        thread.end();
    } else if goes_on {
        thread.go_on(event);
    }
}

impl<R: Rulebook> Player<BGame<R>> for StrategyPlayer<R> {
    fn choose(
        &mut self,
        player_view: &PlayerView<'_, BGame<R>>,
    ) -> Result<Choice<R::Move>, PlayerError> {
        let (game, seat) = (player_view.game(), player_view.seat());
        let limits = game.rulebook().limits();
        let followed = self.followed(player_view).map_err(PlayerError::BrokenRules)?;
        let next = followed.next_step(limits);
        let no_wish = || PlayerError::NoWish { seat: seat_name(game, seat).to_owned() };
        let step = next.map_err(PlayerError::BrokenRules)?.ok_or_else(no_wish)?;
        let chosen = game.move_of(seat, &step.event).cloned().ok_or_else(no_wish)?;
        Ok(Choice { chosen, explanation: Some(explanation(&step)) })
    }
}

/// Explains the step that rules and strategies take after these events; `None` if they take none.
pub(super) fn explain_next<E: Event>(
    rules: &Program<E>,
    strategies: &[AnyBThread<E>],
    events: Vec<E>,
    limits: Limits,
) -> Result<Option<StepExplanation<E>>, String> {
    let mut observer = NextStepObserver { left: events.len(), explanation: None };
    start(replay(events), rules, strategies, limits, &mut observer)?;
    Ok(observer.explanation)
}

/// The b-threads that are awake after these events.
pub(super) fn awake_after<E: Event>(
    rules: &Program<E>,
    strategies: &[AnyBThread<E>],
    events: Vec<E>,
    limits: Limits,
) -> Result<Vec<AwakeThread>, String> {
    let mut observer = NextStepObserver { left: events.len(), explanation: None };
    // After the replay nothing else may happen.
    let replay = replay(events).then(block(EventSet::everything()));
    let run = start(replay, rules, strategies, limits, &mut observer)?;
    let is_strategy = |name: &Name| strategies.iter().any(|thread| thread.name() == name);
    let mut awake = Vec::new();
    run.visit_live(|name, point| {
        if name.as_str() != REPLAY {
            awake.push(AwakeThread::new(name, point, is_strategy(name)));
        }
    });
    Ok(awake)
}

const REPLAY: &str = "Replay";

/// A b-thread that requests all events of a history once more.
fn replay<E: Event>(events: Vec<E>) -> BThread<E> {
    BThread::new(REPLAY).then(events.into_iter().map(request))
}

/// Runs rules and strategies after a replay, which has the highest priority.
fn start<E: Event>(
    replay: BThread<E>,
    rules: &Program<E>,
    strategies: &[AnyBThread<E>],
    limits: Limits,
    observer: &mut NextStepObserver<E>,
) -> Result<OpenRun<E>, String> {
    let threads = iter::once(replay.into()).chain(rules.threads().iter().cloned());
    let program = Program::new(threads.chain(strategies.iter().cloned()));
    let program = program.map_err(|error| error.to_string())?;
    let steps = limits.steps.saturating_add(observer.left as u64);
    let run = program.start_with(Priority, Limits { steps, ..limits }, observer);
    run.map_err(|error| error.to_string())
}

/// Explains the first step after a number of others.
struct NextStepObserver<E: Event> {
    left: usize,
    explanation: Option<StepExplanation<E>>,
}

impl<E: Event> Observer<E> for NextStepObserver<E> {
    fn step(&mut self, step: &Step<'_, E>) {
        if self.left > 0 {
            self.left -= 1;
        } else if self.explanation.is_none() {
            self.explanation = Some(step.explain());
        }
    }

    fn undone(&mut self) {
        self.explanation = None;
    }
}

fn explanation<E: Event>(step: &StepExplanation<E>) -> MoveExplanation {
    let wanted_by: Vec<String> = step.requested_by.iter().map(ToString::to_string).collect();
    let sentence = match wanted_by.split_first() {
        Some((first, [])) => format!("{first} wanted {}", step.event),
        Some((first, others)) => {
            format!("{first} wanted {}, and so did {}", step.event, others.join(", "))
        }
        None => format!("{} happened", step.event),
    };
    MoveExplanation { sentence, wanted_by, alternatives: alternatives(step) }
}

/// The most alternatives that an explanation names.
const MOST_ALTERNATIVES: usize = 8;

/// The first request of each b-thread that wanted another move and was not blocked, highest
/// priority first.
fn alternatives<E: Event>(step: &StepExplanation<E>) -> Vec<Alternative> {
    let mut others: Vec<Alternative> = Vec::new();
    for lost in &step.lost {
        let LossReason::OtherChosen(winner) = &lost.reason else { continue };
        let thread = lost.thread.to_string();
        let is_known = others.iter().any(|other| other.thread == thread);
        if others.len() == MOST_ALTERNATIVES {
            break;
        }
        if !is_known && !step.requested_by.contains(&lost.thread) {
            let (wanted, lost_to) = (lost.event.to_string(), vec![winner.to_string()]);
            others.push(Alternative { thread, wanted, lost_to });
        }
    }
    others
}

impl<R: Rulebook> fmt::Debug for StrategyPlayer<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.strategies.iter().map(AnyBThread::name);
        f.debug_list().entries(names).finish()
    }
}
