//! What all searches have in common.

use std::time::Duration;

use anyhow::Result;
use bthread::Status;
use checker::{
    Checker, Coverage, Finding, Graph, Identity, Model, Property, Report, Verdict, count_runs,
};
use notation::VerifyProgress;
use serde::Serialize;

use super::request::{SearchExtent, VerifyRequest};
use super::verification::{PropertyResult, RulesAlone, StateCounts};

/// Called with the progress of a search and the time since its start.
pub(super) type OnProgress<'a> = &'a mut dyn FnMut(VerifyProgress, Duration);

/// The answers of the checker.
#[derive(Debug)]
pub(super) struct SearchResult {
    pub(super) verdict: Verdict,
    pub(super) properties: Vec<PropertyResult>,
    pub(super) counts: StateCounts,
    pub(super) coverage: Coverage,
    pub(super) identity: Identity,
    pub(super) results: Vec<ReachedResult>,
    pub(super) rules_alone: Option<RulesAlone>,
    pub(super) graph: Option<Graph>,
    pub(super) time: Duration,
}

/// A result of a game, and in how many states it is reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct ReachedResult {
    /// The result.
    pub(super) result: String,
    /// The number of visited states in which the game can end with it.
    pub(super) states: u64,
}

impl ReachedResult {
    /// The result that a property is named after.
    pub(super) fn of<A>(finding: Finding<A>) -> Self {
        Self { result: finding.property, states: finding.cases }
    }
}

/// A search that answers the request.
pub(super) fn checker<'m, M: Model>(
    model: &'m M,
    properties: impl IntoIterator<Item = Property<M>>,
    request: &VerifyRequest,
) -> Checker<'m, M> {
    let mut checker = Checker::new(model)
        .properties(properties)
        .threads(request.threads.into())
        .max_states(request.max_states);
    if request.extent == SearchExtent::AllViolations {
        checker = checker.collect_all();
    }
    if let Some(states) = request.drawn {
        checker = checker.draw(states);
    }
    checker
}

pub(super) fn counts<A>(report: &Report<A>) -> StateCounts {
    let Report { states, edges, depth, terminal, stuck, .. } = *report;
    StateCounts { states, edges, depth, terminal, stuck }
}

/// The number of games that break a property in one of its cases for the first time; `None` if they
/// cannot be counted.
pub(super) fn count_games<M: Model>(model: &M, property: &str, states: u64) -> Result<Option<u64>>
where
    M::Error: Sync + 'static,
{
    let is_named = |name: &str| bthread::Name::from(name).is(property);
    Ok(count_runs(model, states, |state, is_end| {
        let mut is_case = false;
        model.violations(state, &mut |name, _| is_case |= is_named(name));
        if is_end {
            let is_any = property == "no-hot-end";
            model.hot(state, &mut |name| is_case |= is_any || is_named(name));
            let is_about_stuck = matches!(property, "no-stuck-state" | "NobodyIsStuck");
            is_case |= is_about_stuck && model.status(state) == Status::Stuck;
        }
        is_case
    })?)
}
