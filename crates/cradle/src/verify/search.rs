//! Asking the checker.

use std::time::{Duration, Instant};

use bthread::{ClosedStateSpace, Event, FreeEnvironment, OutsideAlphabet, Program};
use checker::{
    BProgram, Checker, Coverage, Finding, Graph, Identity, Report, SearchProgress, Verdict,
};

use super::explanation::Explainer;
use super::property::Asked;
use super::questions::{Extent, Questions};
use super::subject::{Cast, Rules};
use super::verification::{Counts, Judged, RulesAlone};

/// Who is told how far a search has come, and after which time.
pub(super) type Listener<'a> = &'a mut dyn FnMut(SearchProgress, Duration);

/// The b-threads of a game by priority, and the world as it likes.
pub(super) type GameModel<E> = BProgram<ClosedStateSpace<E>, FreeEnvironment>;

/// What the checker found out, and in which time.
#[derive(Debug)]
pub(super) struct Checked {
    pub(super) verdict: Verdict,
    pub(super) properties: Vec<Judged>,
    pub(super) counts: Counts,
    pub(super) coverage: Coverage,
    pub(super) identity: Identity,
    pub(super) rules_alone: Option<RulesAlone>,
    pub(super) graph: Option<Graph>,
    pub(super) time: Duration,
}

impl<E: Event> Cast<E> {
    /// Looks for the answers to the questions, and explains them.
    pub(super) fn search(
        &self,
        questions: &Questions,
        listener: Listener<'_>,
    ) -> anyhow::Result<Checked> {
        let start = Instant::now();
        let model = self.model(&questions.without)?;
        let checker = checker(&model, questions);
        let mut report = checker.on_progress(|at| listener(at, start.elapsed())).run()?;
        let time = start.elapsed();
        let explainer = Explainer { cast: self, model: &model };
        let each = questions.asked.iter().zip(&report.findings);
        let properties = each
            .map(|(asked, finding)| judged(&explainer, *asked, finding))
            .collect::<Result<_, _>>()?;
        Ok(Checked {
            verdict: report.verdict(),
            properties,
            counts: counts(&report),
            coverage: report.coverage,
            identity: report.identity,
            rules_alone: self.rules_alone(questions)?,
            graph: report.graph.take(),
            time,
        })
    }

    /// The game without these b-threads and families.
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

    /// How much there is to see when nobody follows a strategy, with and without symmetry;
    /// nothing if that is too much, or if what was taken away leaves no symmetry.
    fn rules_alone(&self, questions: &Questions) -> anyhow::Result<Option<RulesAlone>> {
        let Rules { program, symmetries, image } = &self.rules;
        let space = self.space(program, &questions.without)?;
        let model = BProgram::exhaustive(space);
        let images = (0..*symmetries).map(|number| move |event: &E| image(number, event));
        let Ok(model) = model.symmetric(images) else { return Ok(None) };
        let checker = || {
            let checker = Checker::new(&model).threads(questions.threads.into());
            checker.max_states(questions.max_states.unwrap_or(u64::MAX))
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
    questions: &Questions,
) -> Checker<'m, GameModel<E>> {
    let mut checker = Checker::new(model)
        .properties(questions.asked.iter().map(|asked| asked.property()))
        .threads(questions.threads.into());
    if questions.extent == Extent::AllViolations {
        checker = checker.collect_all();
    }
    if let Some(states) = questions.max_states {
        checker = checker.max_states(states);
    }
    if let Some(states) = questions.drawn {
        checker = checker.draw(states);
    }
    checker
}

fn judged<E: Event>(
    explainer: &Explainer<'_, E>,
    asked: Asked,
    finding: &Finding<E>,
) -> Result<Judged, OutsideAlphabet<E>> {
    let found = (finding.verdict == Verdict::Violated).then(|| finding.sentence.clone());
    let trace = finding.trace.as_ref().map(|trace| explainer.explain(trace));
    Ok(Judged {
        name: asked.name(),
        sentence: asked.sentence(),
        verdict: finding.verdict,
        found,
        cases: finding.cases,
        trace: trace.transpose()?,
    })
}

fn counts<E>(report: &Report<E>) -> Counts {
    let Report { states, edges, depth, terminal, stuck, .. } = *report;
    Counts { states, edges, depth, terminal, stuck }
}
