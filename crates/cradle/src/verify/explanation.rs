//! Why each event of a counterexample happened, and why it ends where it ends.

use bthread::{
    Cause, Event, LossReason, Name, OutsideAlphabet, StateSpace, StepExplanation, SyncPoint,
};
use checker::{Model, Trace};

use super::search::GameModel;
use super::subject::{Cast, Player};
use super::verification::{Counterexample, Explained, Thwarted, Wish};

/// Who knows a game and its states.
#[derive(Debug)]
pub(super) struct Explainer<'a, E: Event> {
    pub(super) cast: &'a Cast<E>,
    pub(super) model: &'a GameModel<E>,
}

impl<E: Event> Explainer<'_, E> {
    /// A trace with its reasons and boards.
    pub(super) fn explain(&self, trace: &Trace<E>) -> Result<Counterexample, OutsideAlphabet<E>> {
        let steps = (1..).zip(self.model.replay(trace));
        let board = |length: usize| (self.cast.board)(&trace.actions[..length]);
        Ok(Counterexample {
            events: trace.actions.iter().map(E::to_string).collect(),
            cycle_from: trace.cycle_from,
            start: board(0),
            steps: steps.map(|(length, step)| self.explained(&step, board(length))).collect(),
            blocked: self.blocked_after(trace)?,
        })
    }

    fn explained(&self, step: &StepExplanation<E>, board: String) -> Explained {
        let by = match &step.cause {
            Cause::Requested(thread) => Some(thread),
            Cause::Triggered | Cause::Queued => None,
        };
        let player = by.and_then(|thread| self.player(thread));
        Explained {
            event: step.event.to_string(),
            by: by.map(Name::to_string),
            choice_of: player.map(|player| player.name),
            instead_of: self.wishes(step),
            board,
        }
    }

    /// The player that a b-thread plays, if it plays the world.
    fn player(&self, thread: &Name) -> Option<&Player> {
        self.cast.world.iter().find(|player| thread.is(player.thread))
    }

    /// What other b-threads of the program wanted first of all and might have had.
    fn wishes(&self, step: &StepExplanation<E>) -> Vec<Wish> {
        let mut wishes: Vec<Wish> = Vec::new();
        for lost in &step.lost {
            let is_rival =
                matches!(&lost.reason, LossReason::OtherChosen(chosen) if *chosen != lost.thread);
            let is_new = wishes.last().is_none_or(|wish| wish.thread != lost.thread.as_str());
            let agrees = step.requested_by.contains(&lost.thread);
            if is_rival && is_new && !agrees && self.player(&lost.thread).is_none() {
                let (thread, event) = (lost.thread.to_string(), lost.event.to_string());
                wishes.push(Wish { thread, event });
            }
        }
        wishes
    }

    /// Whose requests are blocked after a trace, and by whom, if nothing can happen then.
    fn blocked_after(&self, trace: &Trace<E>) -> Result<Vec<Thwarted>, OutsideAlphabet<E>> {
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
        let mut standing = Vec::new();
        let mut note = |name: &Name, point: &SyncPoint<E>| {
            standing.push((name.clone(), point.clone()));
        };
        self.model.space().visit(&state, &mut note);
        Ok(blocked(&standing))
    }
}

/// Whose requests are blocked, and by whom, given where all b-threads stand.
fn blocked<E: Event>(standing: &[(Name, SyncPoint<E>)]) -> Vec<Thwarted> {
    let requesting = standing.iter().filter(|(_, point)| !point.requests().is_empty());
    let blocked = requesting.map(|(name, point)| {
        let blocks = |other: &SyncPoint<E>| {
            let sets = other.blocks();
            point.requests().iter().any(|event| sets.iter().any(|set| set.contains(event)))
        };
        let blockers = standing.iter().filter(|(_, other)| blocks(other));
        Thwarted {
            thread: name.to_string(),
            events: point.requests().iter().map(E::to_string).collect(),
            blocked_by: blockers.map(|(name, _)| name.to_string()).collect(),
        }
    });
    blocked.collect()
}
