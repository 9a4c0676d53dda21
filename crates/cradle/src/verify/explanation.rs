//! Why each event of a counterexample happened, and why it ends where it ends.

use bthread::{Cause, Event, LossReason, Name, Status, StepExplanation, SyncPoint};
use checker::{Model, Trace};

use super::verification::{BlockedThread, Counterexample, ExplainedStep, OtherRequest};

/// A model of b-threads whose traces can be explained.
pub(super) trait ExplainedModel: Model<Action: Event> {
    /// Replays a trace, and returns an explanation of each step.
    fn explained_steps(&self, trace: &Trace<Self::Action>) -> Vec<StepExplanation<Self::Action>>;

    /// Calls `show` with the sync points of all b-threads in a state.
    fn visit_points(
        &self,
        state: &Self::State,
        show: &mut dyn FnMut(&Name, &SyncPoint<Self::Action>),
    );

    /// The free player that a b-thread stands for, if it is one.
    fn free_player(&self, thread: &Name) -> Option<String>;

    /// The board at the start and after each event; empty texts if there is none.
    fn boards(&self, events: &[Self::Action]) -> Vec<String>;

    /// Whether b-threads of higher priority come first. If not, everything that is possible is a free
    /// choice.
    fn has_priorities(&self) -> bool {
        true
    }

    /// A b-thread by name, and where it is written if that helps.
    fn place_of(&self, thread: &Name) -> String {
        thread.to_string()
    }
}

/// A trace with the cause of each event and the boards.
pub(super) fn explain<M: ExplainedModel>(
    model: &M,
    trace: &Trace<M::Action>,
) -> Result<Counterexample, M::Error> {
    let mut boards = model.boards(&trace.actions).into_iter();
    let start = boards.next().unwrap_or_default();
    let steps = model.explained_steps(trace).into_iter().zip(boards);
    Ok(Counterexample {
        events: trace.actions.iter().map(ToString::to_string).collect(),
        cycle_from: trace.cycle_from,
        start,
        steps: steps.map(|(step, board)| explained(model, &step, board)).collect(),
        blocked: blocked_after(model, trace)?,
    })
}

fn explained<M: ExplainedModel>(
    model: &M,
    step: &StepExplanation<M::Action>,
    board: String,
) -> ExplainedStep {
    let by = match &step.cause {
        Cause::Requested(thread) => Some(thread),
        Cause::Triggered | Cause::Queued => None,
    };
    ExplainedStep {
        event: step.event.to_string(),
        by: by.map(|thread| model.place_of(thread)),
        choice_of: by.and_then(|thread| model.free_player(thread)),
        instead_of: if model.has_priorities() { other_requests(model, step) } else { Vec::new() },
        board,
    }
}

/// The first requests of other b-threads that could have happened instead.
fn other_requests<M: ExplainedModel>(
    model: &M,
    step: &StepExplanation<M::Action>,
) -> Vec<OtherRequest> {
    let mut requests: Vec<OtherRequest> = Vec::new();
    for lost in &step.lost {
        let is_rival =
            matches!(&lost.reason, LossReason::OtherChosen(chosen) if *chosen != lost.thread);
        let is_new = requests.last().is_none_or(|request| request.thread != lost.thread.as_str());
        let agrees = step.requested_by.contains(&lost.thread);
        if is_rival && is_new && !agrees && model.free_player(&lost.thread).is_none() {
            let (thread, event) = (lost.thread.to_string(), lost.event.to_string());
            requests.push(OtherRequest { thread, event });
        }
    }
    requests
}

/// The b-threads whose requests are blocked at the end of a trace, if it is stuck there.
fn blocked_after<M: ExplainedModel>(
    model: &M,
    trace: &Trace<M::Action>,
) -> Result<Vec<BlockedThread>, M::Error> {
    let mut state = model.start();
    for action in &trace.actions {
        let mut next = None;
        model.successors(&state, &mut |possible, to| {
            if possible == action {
                next = Some(to);
            }
        })?;
        let Some(next) = next else { return Ok(Vec::new()) };
        state = next;
    }
    let mut can_go_on = false;
    model.successors(&state, &mut |_, _| can_go_on = true)?;
    if can_go_on || model.status(&state) != Status::Stuck {
        return Ok(Vec::new());
    }
    let mut points = Vec::new();
    let mut note = |name: &Name, point: &SyncPoint<M::Action>| {
        points.push((name.clone(), point.clone()));
    };
    model.visit_points(&state, &mut note);
    Ok(blocked(&points))
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
