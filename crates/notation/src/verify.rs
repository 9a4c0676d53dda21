//! Checking the properties of a text.

mod graph;
mod infinite;
mod quantity;
mod vacuity;

use checker::{Checker, Coverage, Finding, Property, Report, SearchProgress, Trace, Verdict};

use self::graph::ModelGraph;
use self::infinite::endless;
use self::quantity::QuantityQuestion;
use crate::built::{TextClaim, TextProperty};
use crate::event_bits::EventBits;
use crate::text_event::TextEvent;
use crate::text_model::{NotAModel, TextModel};

/// How far a search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// The most states. A search that is cut short never says that something holds.
    pub states: u64,
    /// The number of threads that search.
    pub threads: usize,
    /// The number of states to draw, if any.
    pub drawn: Option<usize>,
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self { states: 1_000_000, threads: 1, drawn: None }
    }
}

impl TextModel {
    /// Checks these properties in every state, and reports them in order.
    ///
    /// # Errors
    /// If a b-thread requests an event that does not exist.
    pub fn verify(
        &self,
        properties: &[TextProperty],
        limits: SearchLimits,
    ) -> Result<Report<TextEvent>, NotAModel> {
        self.verify_watched(properties, limits, |_| ())
    }

    /// As [`TextModel::verify`], and calls the listener from time to time with the progress.
    ///
    /// # Errors
    /// As [`TextModel::verify`].
    pub fn verify_watched(
        &self,
        properties: &[TextProperty],
        limits: SearchLimits,
        listener: impl FnMut(SearchProgress),
    ) -> Result<Report<TextEvent>, NotAModel> {
        let searched = properties.iter().filter_map(checked);
        let mut checker = Checker::new(self)
            .properties(searched)
            .max_states(limits.states)
            .threads(limits.threads)
            .on_progress(listener)
            .collect_all();
        if let Some(states) = limits.drawn {
            checker = checker.draw(states);
        }
        let mut report = checker.run()?;
        // Properties of whole runs need the graph of all states.
        let mut graph = None;
        let mut searched = std::mem::take(&mut report.findings).into_iter();
        for property in properties {
            let finding = match &property.claim {
                TextClaim::EndsWith(_)
                | TextClaim::NeverStaysAtMust
                | TextClaim::Quantity { .. }
                    if report.coverage == Coverage::Complete =>
                {
                    let graph = match &mut graph {
                        Some(graph) => graph,
                        none => none.insert(ModelGraph::of(self)?),
                    };
                    Some(about_runs(property, graph, self))
                }
                TextClaim::EndsWith(_)
                | TextClaim::NeverStaysAtMust
                | TextClaim::Quantity { .. } => Some(unknown(property, "the search was cut short")),
                _ => searched.next(),
            };
            report.findings.extend(finding);
        }
        for (property, finding) in properties.iter().zip(&mut report.findings) {
            if finding.verdict == Verdict::Holds && finding.caution.is_none() {
                finding.caution = self.vacuity(property, report.edges);
            }
        }
        Ok(report)
    }
}

/// The property of the checker, unless it is about whole runs.
fn checked(property: &TextProperty) -> Option<Property<TextModel>> {
    let name = property.name.as_str();
    let contains = |set: &EventBits| {
        let set = set.clone();
        move |event: &TextEvent| set.contains(event.number())
    };
    Some(match &property.claim {
        TextClaim::Never(set) => Property::never(name, contains(set)),
        TextClaim::Can(set) => Property::happens(name, contains(set)),
        TextClaim::NeverStuck => Property::no_stuck_state().named(name),
        TextClaim::Requirement => Property::requirement(name),
        TextClaim::EndsWith(_) | TextClaim::NeverStaysAtMust | TextClaim::Quantity { .. } => {
            return None;
        }
    })
}

fn unknown(property: &TextProperty, sentence: &str) -> Finding<TextEvent> {
    Finding {
        property: property.name.clone(),
        verdict: Verdict::Unknown,
        sentence: sentence.to_owned(),
        cases: 0,
        trace: None,
        caution: None,
        values: None,
    }
}

/// A property of whole runs, with a counterexample if there is one.
fn about_runs(
    property: &TextProperty,
    graph: &ModelGraph,
    model: &TextModel,
) -> Finding<TextEvent> {
    let counterexample = match &property.claim {
        TextClaim::Quantity { quantity, comparison, value } => {
            let asked = QuantityQuestion { quantity, comparison: *comparison, value: *value };
            return asked.finding(&property.name, graph, model);
        }
        TextClaim::EndsWith(set) => graph.wrong_end(set).or_else(|| {
            let cycle = endless(graph, &|_| true, &|_, _| true)?;
            Some(("it can go on for ever".to_owned(), graph.lasso(&cycle)))
        }),
        _ => stays_at_must(graph),
    };
    let (verdict, sentence, trace) = match counterexample {
        None => (Verdict::Holds, "it holds in every run".to_owned(), None),
        Some((sentence, trace)) => (Verdict::Violated, sentence, Some(trace)),
    };
    let cases = u64::from(trace.is_some());
    Finding { cases, trace, verdict, ..unknown(property, &sentence) }
}

/// A run in which a b-thread stays at a sync point that it must leave.
fn stays_at_must(graph: &ModelGraph) -> Option<(String, Trace<TextEvent>)> {
    if let Some((state, thread)) = graph.hot_end() {
        let sentence = format!("{thread} stays at its `must` when nothing can happen any more");
        return Some((sentence, graph.path_to(state)));
    }
    (0..graph.hot_threads()).find_map(|thread| {
        let is_hot = |state: usize| graph.is_hot(state, thread);
        let stays = |state: usize, edge: usize| !graph.advances(state, edge, thread);
        let cycle = endless(graph, &is_hot, &stays)?;
        let name = graph.hot_name(thread);
        let sentence = format!("{name} can stay at its `must` for ever");
        Some((sentence, graph.lasso(&cycle)))
    })
}
