//! Why each event of a counterexample happened, and why it ends where it ends.

use bthread::{
    Cause, Event, LossReason, Name, OutsideAlphabet, StateSpace, StepExplanation, SyncPoint,
};
use checker::{Model, Trace};

use super::search::GameModel;
use super::subject::{BThreadSubject, FreePlayer};
use super::verification::{BlockedThread, Counterexample, ExplainedStep, OtherRequest};

/// Explains the traces of a game.
#[derive(Debug)]
pub(super) struct Explainer<'a, E: Event> {
    pub(super) subject: &'a BThreadSubject<E>,
    pub(super) model: &'a GameModel<E>,
}

impl<E: Event> Explainer<'_, E> {
    /// A trace with the cause of each event and the boards.
    pub(super) fn explain(&self, trace: &Trace<E>) -> Result<Counterexample, OutsideAlphabet<E>> {
        let steps = (1..).zip(self.model.replay(trace));
        let board = |length: usize| (self.subject.board)(&trace.actions[..length]);
        Ok(Counterexample {
            events: trace.actions.iter().map(E::to_string).collect(),
            cycle_from: trace.cycle_from,
            start: board(0),
            steps: steps.map(|(length, step)| self.explained(&step, board(length))).collect(),
            blocked: self.blocked_after(trace)?,
        })
    }

    fn explained(&self, step: &StepExplanation<E>, board: String) -> ExplainedStep {
        let by = match &step.cause {
            Cause::Requested(thread) => Some(thread),
            Cause::Triggered | Cause::Queued => None,
        };
        let player = by.and_then(|thread| self.player(thread));
        ExplainedStep {
            event: step.event.to_string(),
            by: by.map(Name::to_string),
            choice_of: player.map(|player| player.name),
            instead_of: self.other_requests(step),
            board,
        }
    }

    /// The free player that a b-thread stands for, if it is one.
    fn player(&self, thread: &Name) -> Option<&FreePlayer> {
        self.subject.world.iter().find(|player| thread.is(player.thread))
    }

    /// The first requests of other b-threads that could have happened instead.
    fn other_requests(&self, step: &StepExplanation<E>) -> Vec<OtherRequest> {
        let mut requests: Vec<OtherRequest> = Vec::new();
        for lost in &step.lost {
            let is_rival =
                matches!(&lost.reason, LossReason::OtherChosen(chosen) if *chosen != lost.thread);
            let is_new =
                requests.last().is_none_or(|request| request.thread != lost.thread.as_str());
            let agrees = step.requested_by.contains(&lost.thread);
            if is_rival && is_new && !agrees && self.player(&lost.thread).is_none() {
                let (thread, event) = (lost.thread.to_string(), lost.event.to_string());
                requests.push(OtherRequest { thread, event });
            }
        }
        requests
    }

    /// The b-threads whose requests are blocked at the end of a trace, if nothing can happen there.
    fn blocked_after(&self, trace: &Trace<E>) -> Result<Vec<BlockedThread>, OutsideAlphabet<E>> {
        let mut state = self.model.start();
        for action in &trace.actions {
            let mut next = None;
            self.model.successors(&state, &mut |possible, to| {
                if possible == action {
                    next = Some(to);
                }
            })?;
            let Some(next) = next else { return Ok(Vec::new()) };
            state = next;
        }
        let mut can_go_on = false;
        self.model.successors(&state, &mut |_, _| can_go_on = true)?;
        if can_go_on {
            return Ok(Vec::new());
        }
        let mut points = Vec::new();
        let mut note = |name: &Name, point: &SyncPoint<E>| {
            points.push((name.clone(), point.clone()));
        };
        self.model.space().visit(&state, &mut note);
        Ok(blocked(&points))
    }
}

/// The b-threads whose requests are blocked, by the sync points of all b-threads.
fn blocked<E: Event>(points: &[(Name, SyncPoint<E>)]) -> Vec<BlockedThread> {
    let requesting = points.iter().filter(|(_, point)| !point.requests().is_empty());
    let blocked = requesting.map(|(name, point)| {
        let blocks = |other: &SyncPoint<E>| {
            let sets = other.blocks();
            point.requests().iter().any(|event| sets.iter().any(|set| set.contains(event)))
        };
        let blockers = points.iter().filter(|(_, other)| blocks(other));
        BlockedThread {
            thread: name.to_string(),
            events: point.requests().iter().map(E::to_string).collect(),
            blocked_by: blockers.map(|(name, _)| name.to_string()).collect(),
        }
    });
    blocked.collect()
}
