//! Counts what happens in random programs.

use std::collections::BTreeMap;

use bthread::{
    AddError, Cause, EnqueueError, Handled, LossReason, ProgramError, Status, StepExplanation,
    SuperstepError, SuperstepSummary, TriggerError,
};

use crate::note::Note;
use crate::random::{Case, Command};
use crate::reference::Reference;
use crate::spec::Signal;

/// The number of times that each thing happened, by description.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statistics(BTreeMap<&'static str, u32>);

impl Statistics {
    pub(crate) fn count(&self, word: &str) -> u32 {
        self.0.get(word).copied().unwrap_or_default()
    }

    pub(crate) fn add(&mut self, word: &'static str) {
        *self.0.entry(word).or_default() += 1;
    }

    fn add_if(&mut self, holds: bool, word: &'static str) {
        if holds {
            self.add(word);
        }
    }

    /// Runs a case on a closed reference, and counts.
    pub(crate) fn count_case(&mut self, case: &Case) {
        let mut reference = Reference::closed(case);
        self.add("case");
        if let Err(error) = reference.start() {
            self.add("did not start");
            self.failed(&error);
            return;
        }
        self.add_if(!reference.take_notes().is_empty(), "busy start");
        for command in &case.commands {
            match command {
                Command::Trigger(event) => self.trigger(&mut reference, *event),
                Command::Enqueue(event) => self.enqueue(&mut reference, *event),
                Command::Add(threads) => {
                    let result = reference.add(threads);
                    self.added(result);
                }
                _ => continue,
            }
            for note in reference.take_notes() {
                self.noted(&note);
            }
            self.add(match reference.status() {
                Status::Finished => "finished",
                Status::Waiting => "waiting",
                Status::Stuck => "stuck",
            });
        }
    }

    fn trigger(&mut self, reference: &mut Reference, event: Signal) {
        self.add("triggered");
        match reference.trigger(event) {
            Ok(SuperstepSummary { steps, handled }) => {
                self.add_if(handled == Handled::No, "unhandled");
                self.add_if(steps > 1, "followed");
                self.add_if(steps > 4, "followed for long");
            }
            Err(TriggerError::Refused(_)) => self.add("refused"),
            Err(TriggerError::Superstep(error)) => self.failed(&error),
            Err(_) => self.add("other error"),
        }
    }

    fn enqueue(&mut self, reference: &mut Reference, event: Signal) {
        match reference.enqueue(event) {
            Ok(SuperstepSummary { steps, .. }) => self.add_if(steps == 0, "kept"),
            Err(EnqueueError::QueueFull { .. }) => self.add("queue full"),
            Err(EnqueueError::Superstep(error)) => self.failed(&error),
            Err(_) => self.add("other error"),
        }
    }

    fn added(&mut self, result: Result<SuperstepSummary, AddError<Signal>>) {
        match result {
            Ok(SuperstepSummary { steps, .. }) => self.add_if(steps > 0, "newcomer acted"),
            Err(AddError::Program(ProgramError::DuplicateName(_))) => self.add("name taken"),
            Err(AddError::Superstep(error)) => self.failed(&error),
            Err(_) => self.add("other error"),
        }
    }

    fn failed(&mut self, error: &SuperstepError<Signal>) {
        match error {
            SuperstepError::Endless { .. } => self.add("endless"),
            SuperstepError::OutsideAlphabet(outside) if outside.requested_by.is_some() => {
                self.add("requested the unknown");
            }
            SuperstepError::OutsideAlphabet(_) => self.add("unknown"),
            _ => self.add("other error"),
        }
    }

    fn noted(&mut self, note: &Note) {
        match note {
            Note::Choice(possibilities) => self.add_if(possibilities.len() > 1, "choice"),
            Note::Possible(possible) => self.add_if(possible.len() > 1, "open choice"),
            Note::Step(step) => self.stepped(step),
            Note::Undone => self.add("undone"),
        }
    }

    fn stepped(&mut self, step: &StepExplanation<Signal>) {
        self.add("step");
        self.add_if(!step.interrupted.is_empty(), "interrupted");
        self.add_if(step.went_on.len() > 1, "several went on");
        self.add_if(step.requested_by.len() > 1, "several requested");
        self.add_if(step.cause == Cause::Queued, "no longer blocked");
        let mut lost = step.lost.iter();
        self.add_if(
            lost.any(|lost| matches!(lost.reason, LossReason::Blocked(_))),
            "lost to blockers",
        );
    }
}
