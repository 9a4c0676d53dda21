//! A lab whose worker answers at once.

use web::lab::{EXAMPLES, Lab, LabEffect, LabStorage, MoveRequest, ProofState, to_link};
use web::worker::{WorkerMessage, WorkerReply, WorkerRequest, answer};

/// A lab whose worker answers at once, and the effects that are left for a browser.
pub(crate) struct LabDriver {
    pub(crate) lab: Lab,
    pub(crate) effects: Vec<LabEffect>,
}

impl LabDriver {
    /// The lab with an example.
    pub(crate) fn example(name: &str) -> Self {
        let example = EXAMPLES.iter().find(|example| example.name == name);
        Self::text(example.expect("the example exists").text)
    }

    /// The lab with a text.
    pub(crate) fn text(text: &str) -> Self {
        Self::link(&to_link(text))
    }

    /// The lab with what a link opens.
    pub(crate) fn link(fragment: &str) -> Self {
        let (lab, effects) = Lab::open(fragment, 7, LabStorage::default());
        let mut driver = Self { lab, effects: Vec::new() };
        driver.perform(effects);
        driver
    }

    /// Presses a button, and lets the worker answer.
    pub(crate) fn act(&mut self, action: &str, value: &str) {
        let effects = self.lab.act(action, value);
        self.perform(effects);
    }

    /// Writes a text, and lets the worker answer.
    pub(crate) fn write(&mut self, text: &str) {
        let effects = self.lab.change_text(text);
        self.perform(effects);
    }

    fn perform(&mut self, effects: Vec<LabEffect>) {
        for effect in effects {
            if let LabEffect::Prove(mut request) = effect {
                // Fewer states than in a browser, because tests are not as fast.
                request.max_states = 60_000;
                let message = WorkerMessage { id: 1, request: WorkerRequest::Proof(request) };
                let Self { lab, effects } = self;
                answer(&message.write(), &mut |reply: &WorkerReply| {
                    effects.extend(lab.hear(reply.answer.clone(), 5));
                });
            } else if let LabEffect::Choose(request) = effect {
                // Less work than in a browser.
                let chosen = MoveRequest { work: 400, ..request.clone() }.choose();
                let effects = self.lab.hear_move(&request, chosen);
                self.perform(effects);
            } else {
                self.effects.push(effect);
            }
        }
    }

    /// The HTML of a panel.
    pub(crate) fn panel(&self, id: &str) -> String {
        let panels = self.lab.panels();
        panels.into_iter().find(|(known, _)| *known == id).expect("the panel exists").1
    }

    /// The counts and the verdicts, as `641 783 XNeverWins ✓`.
    pub(crate) fn verdicts(&self) -> String {
        let ProofState::Done { report, .. } = self.lab.proof() else {
            return format!("{:?}", self.lab.proof());
        };
        let mut told = format!("{} {}", report.states, report.edges);
        for finding in &report.findings {
            let verdict = format!("{:?}", finding.verdict).to_lowercase();
            told = format!("{told}, {} {verdict}", finding.property);
            if let Some(events) = finding.events.as_ref().filter(|_| verdict == "violated") {
                told = format!("{told}: {}", events.join(" "));
            }
        }
        told
    }

    /// The events so far.
    pub(crate) fn events(&self) -> String {
        let steps = self.lab.game().map_or(&[][..], |game| game.steps());
        steps.iter().map(|step| step.event.to_string()).collect::<Vec<_>>().join(" ")
    }
}
