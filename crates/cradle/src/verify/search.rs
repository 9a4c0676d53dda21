//! Searches with the checker.

use std::time::{Duration, Instant};

use bthread::{ClosedStateSpace, Event, FreeEnvironment, OutsideAlphabet, Program};
use checker::{
    BProgram, Checker, Coverage, Finding, Graph, Identity, Report, SearchProgress, Verdict,
};

use super::explanation::Explainer;
use super::property::CheckedProperty;
use super::request::{SearchExtent, VerifyRequest};
use super::subject::{BThreadSubject, RulesOnly};
use super::verification::{PropertyResult, RulesAlone, StateCounts};

/// Called with the progress of a search and the time since its start.
pub(super) type OnProgress<'a> = &'a mut dyn FnMut(SearchProgress, Duration);

/// A game whose b-threads follow their priorities, except the free players.
pub(super) type GameModel<E> = BProgram<ClosedStateSpace<E>, FreeEnvironment>;

/// The answers of the checker.
#[derive(Debug)]
pub(super) struct SearchResult {
    pub(super) verdict: Verdict,
    pub(super) properties: Vec<PropertyResult>,
    pub(super) counts: StateCounts,
    pub(super) coverage: Coverage,
    pub(super) identity: Identity,
    pub(super) rules_alone: Option<RulesAlone>,
    pub(super) graph: Option<Graph>,
    pub(super) time: Duration,
}

impl<E: Event> BThreadSubject<E> {
    /// Answers the request and explains counterexamples.
    pub(super) fn search(
        &self,
        request: &VerifyRequest,
        listener: OnProgress<'_>,
    ) -> anyhow::Result<SearchResult> {
        let start = Instant::now();
        let model = self.model(&request.without)?;
        let checker = checker(&model, request);
        let mut report = checker.on_progress(|at| listener(at, start.elapsed())).run()?;
        let time = start.elapsed();
        let explainer = Explainer { subject: self, model: &model };
        let each = request.properties.iter().zip(&report.findings);
        let properties = each
            .map(|(property, finding)| property_result(&explainer, *property, finding))
            .collect::<Result<_, _>>()?;
        Ok(SearchResult {
            verdict: report.verdict(),
            properties,
            counts: counts(&report),
            coverage: report.coverage,
            identity: report.identity,
            rules_alone: self.rules_alone(request)?,
            graph: report.graph.take(),
            time,
        })
    }

    /// The model without these b-threads and families.
    fn model(&self, without: &[String]) -> anyhow::Result<GameModel<E>> {
        let world = self.world.iter().map(|player| player.thread);
        Ok(BProgram::against(self.space(&self.program, without)?, world))
    }

    fn space(
        &self,
        program: &Program<E>,
        without: &[String],
    ) -> anyhow::Result<ClosedStateSpace<E>> {
        let threads = program.threads().iter();
        let is_left = |name: &bthread::Name| !without.iter().any(|words| name.is(words));
        let program = Program::new(threads.filter(|thread| is_left(thread.name())).cloned())?;
        Ok(program.closed_space(self.alphabet.iter().cloned())?)
    }

    /// The size of the game without strategies, with and without symmetry; `None` if that is too
    /// large, or the removed b-threads leave no symmetry.
    fn rules_alone(&self, request: &VerifyRequest) -> anyhow::Result<Option<RulesAlone>> {
        let RulesOnly { program, symmetries, image } = &self.rules;
        let space = self.space(program, &request.without)?;
        let model = BProgram::exhaustive(space);
        let images = (0..*symmetries).map(|number| move |event: &E| image(number, event));
        let Ok(model) = model.symmetric(images) else { return Ok(None) };
        let checker = || {
            let checker = Checker::new(&model).threads(request.threads.into());
            checker.max_states(request.max_states.unwrap_or(u64::MAX))
        };
        let (full, reduced) = (checker().run()?, checker().symmetry().run()?);
        let is_complete = full.coverage == Coverage::Complete;
        Ok(is_complete.then(|| RulesAlone {
            full: counts(&full),
            reduced: counts(&reduced),
            symmetries: *symmetries,
        }))
    }
}

fn checker<'m, E: Event>(
    model: &'m GameModel<E>,
    request: &VerifyRequest,
) -> Checker<'m, GameModel<E>> {
    let mut checker = Checker::new(model)
        .properties(request.properties.iter().map(|property| property.property()))
        .threads(request.threads.into());
    if request.extent == SearchExtent::AllViolations {
        checker = checker.collect_all();
    }
    if let Some(states) = request.max_states {
        checker = checker.max_states(states);
    }
    if let Some(states) = request.drawn {
        checker = checker.draw(states);
    }
    checker
}

fn property_result<E: Event>(
    explainer: &Explainer<'_, E>,
    property: CheckedProperty,
    finding: &Finding<E>,
) -> Result<PropertyResult, OutsideAlphabet<E>> {
    let found = (finding.verdict == Verdict::Violated).then(|| finding.sentence.clone());
    let trace = finding.trace.as_ref().map(|trace| explainer.explain(trace));
    Ok(PropertyResult {
        name: property.name(),
        sentence: property.sentence(),
        verdict: finding.verdict,
        found,
        cases: finding.cases,
        trace: trace.transpose()?,
    })
}

fn counts<E>(report: &Report<E>) -> StateCounts {
    let Report { states, edges, depth, terminal, stuck, .. } = *report;
    StateCounts { states, edges, depth, terminal, stuck }
}
