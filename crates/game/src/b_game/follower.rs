//! A player that follows strategies written as b-threads.

use std::{fmt, iter};

use bthread::{
    AnyBThread, BThread, Event, EventSet, Limits, LossReason, Name, Observer, OpenRun, Priority,
    Program, Step, StepExplanation, block, request,
};

use super::BGame;
use super::rulebook::Rulebook;
use crate::awake::AwakeThread;
use crate::game::seat_name;
use crate::happening::Ply;
use crate::player::{Alternative, Choice, MoveExplanation, Player, PlayerError, PlayerView};

/// Does what strategies want that are written as b-threads.
pub(super) struct Follower<E: Event> {
    strategies: Vec<AnyBThread<E>>,
}

impl<E: Event> Follower<E> {
    pub(super) fn new(strategies: Vec<AnyBThread<E>>) -> Self {
        Self { strategies }
    }

    /// What would happen next after these events, and why.
    ///
    /// What happened is one more b-thread, of highest priority: it requests it all once more.
    fn next(
        &self,
        rules: &Program<E>,
        events: Vec<E>,
    ) -> Result<Option<StepExplanation<E>>, String> {
        let mut observer = Next { left: events.len(), explanation: None };
        start(so_far(events), rules, &self.strategies, &mut observer)?;
        Ok(observer.explanation)
    }
}

/// The b-threads that are awake after these events: what happened is requested once more by one of
/// highest priority, which then lets nothing else happen.
pub(super) fn awake<E: Event>(
    rules: &Program<E>,
    strategies: &[AnyBThread<E>],
    events: Vec<E>,
) -> Result<Vec<AwakeThread>, String> {
    let mut observer = Next { left: events.len(), explanation: None };
    let so_far = so_far(events).then(block(EventSet::everything()));
    let run = start(so_far, rules, strategies, &mut observer)?;
    let is_strategy = |name: &Name| strategies.iter().any(|thread| thread.name() == name);
    let mut awake = Vec::new();
    run.visit_live(|name, point| {
        if name.to_string() != SO_FAR {
            awake.push(AwakeThread::new(name, point, is_strategy(name)));
        }
    });
    Ok(awake)
}

/// The b-thread that has done all this.
const SO_FAR: &str = "SoFar";

/// What has happened, as a b-thread that wants it again.
fn so_far<E: Event>(events: Vec<E>) -> BThread<E> {
    BThread::new(SO_FAR).then(events.into_iter().map(request))
}

/// A run of rules and strategies after what has happened.
fn start<E: Event>(
    so_far: BThread<E>,
    rules: &Program<E>,
    strategies: &[AnyBThread<E>],
    observer: &mut Next<E>,
) -> Result<OpenRun<E>, String> {
    let threads = iter::once(so_far.into()).chain(rules.threads().iter().cloned());
    let program = Program::new(threads.chain(strategies.iter().cloned()));
    let program = program.map_err(|error| error.to_string())?;
    let run = program.start_with(Priority, Limits::default(), observer);
    run.map_err(|error| error.to_string())
}

/// Sees the step after so many others.
struct Next<E: Event> {
    left: usize,
    explanation: Option<StepExplanation<E>>,
}

impl<E: Event> Observer<E> for Next<E> {
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

impl<R: Rulebook> Player<BGame<R>> for Follower<R::Event> {
    fn choose(
        &mut self,
        player_view: &PlayerView<'_, BGame<R>>,
    ) -> Result<Choice<R::Move>, PlayerError> {
        let (game, seat) = (player_view.game(), player_view.seat());
        let history = player_view.history().unwrap_or_default().iter();
        let moves = history.flat_map(|happening| match happening {
            Ply::Moves(moves) => moves.clone(),
            Ply::Chance(never) => match *never {},
        });
        let events = game.trace(moves).map_err(PlayerError::BrokenRules)?;
        let next = self.next(game.program(), events).map_err(PlayerError::BrokenRules)?;
        let no_wish = || PlayerError::NoWish { seat: seat_name(game, seat).to_owned() };
        let step = next.ok_or_else(no_wish)?;
        let chosen = game.meaning(seat, &step.event).cloned().ok_or_else(no_wish)?;
        Ok(Choice { chosen, why: Some(why(&step)) })
    }
}

fn why<E: Event>(step: &StepExplanation<E>) -> MoveExplanation {
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

/// More are not told.
const MOST_OTHERS: usize = 8;

/// The first wish of each b-thread that could have had its way and is not the one that had it, those
/// of highest priority first.
fn alternatives<E: Event>(step: &StepExplanation<E>) -> Vec<Alternative> {
    let mut others: Vec<Alternative> = Vec::new();
    for lost in &step.lost {
        let LossReason::OtherChosen(winner) = &lost.reason else { continue };
        let thread = lost.thread.to_string();
        let is_known = others.iter().any(|other| other.thread == thread);
        if others.len() == MOST_OTHERS {
            break;
        }
        if !is_known && !step.requested_by.contains(&lost.thread) {
            let (wanted, lost_to) = (lost.event.to_string(), vec![winner.to_string()]);
            others.push(Alternative { thread, wanted, lost_to });
        }
    }
    others
}

impl<E: Event> fmt::Debug for Follower<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.strategies.iter().map(AnyBThread::name);
        f.debug_list().entries(names).finish()
    }
}
