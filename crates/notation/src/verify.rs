//! Checking the properties of a text.

mod avoidance;
mod graph;
mod infinite;
mod policies;
mod quantity;
mod vacuity;

use checker::{Checker, Coverage, Finding, Property, Report, SearchProgress, Trace, Verdict};

use self::graph::{GraphBounds, ModelGraph, TooLarge};
use self::infinite::endless;
use self::quantity::{QuantityQuestion, WorldGraph};
use crate::built::{TextClaim, TextProperty};
use crate::event_bits::EventBits;
use crate::text_event::TextEvent;
use crate::text_model::{NotAModel, TextModel, WorldKnowledge};

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

/// How far the check of properties has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerifyProgress {
    /// The search for all states.
    Search(SearchProgress),
    /// The graph of all states, which properties of whole runs need.
    Runs {
        /// The number of states whose edges are known.
        visited: u64,
        /// The number of all states; more where the world remembers what it has seen.
        states: u64,
    },
}

impl VerifyProgress {
    /// The number of states that were found.
    #[must_use]
    pub fn states(self) -> u64 {
        match self {
            Self::Search(progress) => progress.states,
            Self::Runs { states, .. } => states,
        }
    }

    /// The number of states that were visited.
    #[must_use]
    pub fn visited(self) -> u64 {
        match self {
            Self::Search(progress) => progress.visited,
            Self::Runs { visited, .. } => visited,
        }
    }
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
        mut listener: impl FnMut(VerifyProgress),
    ) -> Result<Report<TextEvent>, NotAModel> {
        let searched = properties.iter().filter_map(checked);
        let mut checker = Checker::new(self)
            .properties(searched)
            .max_states(limits.states)
            .threads(limits.threads)
            .on_progress(|progress| listener(VerifyProgress::Search(progress)))
            .collect_all();
        if let Some(states) = limits.drawn {
            checker = checker.draw(states);
        }
        let mut report = checker.run()?;
        // Properties of whole runs need the graph of all states.
        let mut told = |visited| listener(VerifyProgress::Runs { visited, states: report.states });
        let mut graphs =
            RunGraphs { model: self, limits, listener: &mut told, states: None, histories: None };
        let mut searched = std::mem::take(&mut report.findings).into_iter();
        for property in properties {
            let finding = match &property.claim {
                TextClaim::EndsWith(_)
                | TextClaim::NeverStaysAtMust
                | TextClaim::Quantity { .. }
                    if report.coverage == Coverage::Complete =>
                {
                    Some(graphs.finding(property)?)
                }
                TextClaim::EndsWith(_)
                | TextClaim::NeverStaysAtMust
                | TextClaim::Quantity { .. } => Some(unknown(property, "the search was cut short")),
                TextClaim::OneResult => {
                    let found = searched.next().map(after_result);
                    match report.coverage {
                        Coverage::Complete => Some(graphs.finding(property)?),
                        _ => found,
                    }
                }
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
        TextClaim::OneResult => Property::always(name, |model: &TextModel, state| {
            !model.is_over(state) || model.is_end(state)
        }),
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
        fairness: None,
        values: None,
    }
}

/// The graphs of a model, which are made when they are needed.
struct RunGraphs<'a> {
    model: &'a TextModel,
    limits: SearchLimits,
    /// Told how many states of a graph are known.
    listener: &'a mut dyn FnMut(u64),
    states: Option<Result<ModelGraph, TooLarge>>,
    /// The graph in which the world knows what it has seen. Inside it is `None` if the world has no
    /// such choice, or if that is too much to tell apart.
    histories: Option<(Option<ModelGraph>, bool)>,
}

impl RunGraphs<'_> {
    /// What is found about a property of whole runs.
    fn finding(&mut self, property: &TextProperty) -> Result<Finding<TextEvent>, NotAModel> {
        let model = self.model;
        let found = if let TextClaim::Quantity { quantity, comparison, value } = &property.claim {
            let asked = QuantityQuestion { quantity, comparison: *comparison, value: *value };
            self.world()?.map(|world| asked.finding(&property.name, world, model))
        } else {
            self.states()?.map(|graph| about_runs(property, graph, model))
        };
        Ok(found.unwrap_or_else(|| unknown(property, TOO_LARGE)))
    }

    fn states(&mut self) -> Result<Option<&ModelGraph>, NotAModel> {
        let graph = match self.states.take() {
            Some(graph) => graph,
            None => self.graph(self.model)?,
        };
        Ok(self.states.insert(graph).as_ref().ok())
    }

    fn graph(&mut self, model: &TextModel) -> Result<Result<ModelGraph, TooLarge>, NotAModel> {
        let bounds = GraphBounds::of_search(model, self.limits.states);
        Ok(ModelGraph::of(model, bounds, self.listener)?)
    }

    fn world(&mut self) -> Result<Option<WorldGraph<'_>>, NotAModel> {
        if self.histories.is_none() {
            self.histories = Some(match self.model.world_knowledge()? {
                WorldKnowledge::Everything => (None, true),
                WorldKnowledge::TooMuch => (None, false),
                WorldKnowledge::WhatItSaw(model) => {
                    let graph = self.graph(&model)?.ok();
                    let is_known = graph.is_some();
                    (graph, is_known)
                }
            });
        }
        if !matches!(self.histories, Some((Some(_), _))) {
            self.states()?;
        }
        let Some((own, is_known)) = &self.histories else { unreachable!("it was just made") };
        let all = self.states.as_ref().and_then(|graph| graph.as_ref().ok());
        let is_known = *is_known;
        Ok(own.as_ref().or(all).map(|graph| WorldGraph { graph, is_known }))
    }
}

/// What a search that was cut short has found about results.
fn after_result(mut finding: Finding<TextEvent>) -> Finding<TextEvent> {
    if finding.verdict == Verdict::Violated {
        AFTER_RESULT.clone_into(&mut finding.sentence);
    }
    finding
}

/// What is said of a property whose graph would be too large.
const TOO_LARGE: &str = "its states have too many edges to look at whole runs";

const AFTER_RESULT: &str = "the game goes on after its result";

/// A property of whole runs, with a counterexample if there is one.
fn about_runs(
    property: &TextProperty,
    graph: &ModelGraph,
    model: &TextModel,
) -> Finding<TextEvent> {
    let counterexample = match &property.claim {
        TextClaim::OneResult => graph
            .after_result(|event| model.is_result(event))
            .or_else(|| graph.end_without_result())
            .or_else(|| unending(graph)),
        TextClaim::EndsWith(set) => graph.wrong_end(set).or_else(|| unending(graph)),
        _ => stays_at_must(graph),
    };
    let (verdict, sentence, trace) = match counterexample {
        None => (Verdict::Holds, "it holds in every run".to_owned(), None),
        Some((sentence, trace)) => (Verdict::Violated, sentence, Some(trace)),
    };
    // The search for a counterexample stops at the first one, so they are not counted.
    Finding { trace, verdict, ..unknown(property, &sentence) }
}

/// A run that never ends.
fn unending(graph: &ModelGraph) -> Option<(String, Trace<TextEvent>)> {
    let cycle = endless(graph, &|_| true, &|_, _| true)?;
    Some(("it can go on for ever".to_owned(), graph.lasso(&cycle)))
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
