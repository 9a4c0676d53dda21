//! What is true of a text: its properties, counterexamples, and what each b-thread is for.

use checker::{Coverage, Finding, Report, Verdict};
use notation::{BuiltText, Document, ModelOptions, SearchLimits, TextEvent, ThreadRoleWord};

/// A question about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofRequest {
    /// The text.
    pub text: String,
    /// The b-threads, families and properties that are switched off.
    pub without: Vec<String>,
    /// The most states that are visited.
    pub max_states: u64,
    /// What to find out.
    pub aim: ProofAim,
}

/// What a proof finds out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofAim {
    /// Whether each property holds.
    Properties,
    /// What goes wrong without each family of b-threads.
    Purposes,
}

/// What was found out about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofReport {
    /// The number of different states.
    pub states: u64,
    /// The number of events that are possible in them.
    pub edges: u64,
    /// Whether every state was visited. If not, nothing is claimed to hold.
    pub is_complete: bool,
    /// What was found out about each property, in the order of the text.
    pub findings: Vec<ProofFinding>,
    /// What each family is for, if that was asked.
    pub purposes: Vec<FamilyPurpose>,
}

/// What was found out about one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofFinding {
    /// The name of the property.
    pub property: String,
    /// Whether it holds.
    pub verdict: ProofVerdict,
    /// The finding in one sentence.
    pub sentence: String,
    /// The events of the shortest counterexample or example, if there is one.
    pub events: Option<Vec<String>>,
    /// The number of the event to which the last event leads back, if it goes on for ever.
    pub cycle_from: Option<u64>,
    /// What weakens the finding, if anything does.
    pub caution: Option<String>,
}

/// Whether a property holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofVerdict {
    /// It holds in every state.
    Holds,
    /// It does not hold.
    Violated,
    /// The search was cut short.
    Unknown,
}

/// What goes wrong without one family of b-threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyPurpose {
    /// The family.
    pub family: String,
    /// The properties that do not hold without it although they hold with it, or that hold only
    /// because nothing could break them.
    pub broken: Vec<ProofFinding>,
    /// Whether the search visited every state.
    pub is_complete: bool,
}

impl ProofRequest {
    /// Answers the question. `progress` gets the number of visited states from time to time.
    ///
    /// # Errors
    /// A sentence, if the text has mistakes or cannot be searched.
    pub fn check(&self, progress: &mut dyn FnMut(u64)) -> Result<ProofReport, String> {
        let built = Document::read(self.text.as_str()).build(&[]).map_err(|mistakes| {
            let first = mistakes.first().map_or("", |mistake| mistake.message.as_str());
            format!("The text has a mistake: {first}.")
        })?;
        let text = built.without(&self.without);
        let report = self.search(&text, progress)?;
        let mut proof = ProofReport {
            states: report.states,
            edges: report.edges,
            is_complete: report.coverage == Coverage::Complete,
            findings: report.findings.iter().map(ProofFinding::of).collect(),
            purposes: Vec::new(),
        };
        if self.aim == ProofAim::Purposes {
            for family in families(&text) {
                let report = self.search(&text.without(std::slice::from_ref(&family)), progress)?;
                proof.purposes.push(proof.purpose(family, &report));
            }
        }
        Ok(proof)
    }

    fn search(
        &self,
        text: &BuiltText,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Report<TextEvent>, String> {
        let limits = SearchLimits { states: self.max_states, ..SearchLimits::default() };
        let model = text.model(&ModelOptions::default()).map_err(|error| error.to_string())?;
        let watched = |at: notation::VerifyProgress| progress(at.visited());
        // As `cradle verify` does: a text that requires nothing is checked for what is true of all games.
        let properties = text.usual_properties();
        model.verify_watched(&properties, limits, watched).map_err(|error| error.to_string())
    }
}

/// The families of b-threads that act, each once, in the order of the text.
fn families(text: &BuiltText) -> Vec<String> {
    let mut families: Vec<String> = Vec::new();
    for thread in text.threads().iter().filter(|thread| thread.role() != ThreadRoleWord::Require) {
        let family = thread.name().family();
        if families.last().is_none_or(|last| last != family) {
            families.push(family.to_owned());
        }
    }
    families
}

impl ProofReport {
    fn purpose(&self, family: String, report: &Report<TextEvent>) -> FamilyPurpose {
        let holds = |finding: &ProofFinding| {
            let known = self.findings.iter().find(|known| known.property == finding.property);
            let is_sound = |known: &ProofFinding| {
                known.verdict == ProofVerdict::Holds && known.caution.is_none()
            };
            known.is_none_or(is_sound)
        };
        let findings = report.findings.iter().map(ProofFinding::of);
        let is_broken = |finding: &ProofFinding| match finding.verdict {
            ProofVerdict::Violated => true,
            ProofVerdict::Holds => finding.caution.is_some(),
            ProofVerdict::Unknown => false,
        };
        let broken = findings.filter(|finding| is_broken(finding) && holds(finding)).collect();
        FamilyPurpose { family, broken, is_complete: report.coverage == Coverage::Complete }
    }
}

impl ProofFinding {
    fn of(finding: &Finding<TextEvent>) -> Self {
        let trace = finding.trace.as_ref();
        Self {
            property: finding.property.clone(),
            verdict: match finding.verdict {
                Verdict::Holds => ProofVerdict::Holds,
                Verdict::Violated => ProofVerdict::Violated,
                Verdict::Unknown => ProofVerdict::Unknown,
            },
            sentence: finding.sentence.clone(),
            events: trace.map(|trace| trace.actions.iter().map(ToString::to_string).collect()),
            cycle_from: trace.and_then(|trace| trace.cycle_from),
            caution: finding.caution.clone(),
        }
    }
}
