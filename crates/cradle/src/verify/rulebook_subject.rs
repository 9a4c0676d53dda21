//! Games whose rules are b-threads in Rust.

use std::time::Instant;

use anyhow::Result;
use bthread::{Event, Name, Program};
use checker::{BProgram, Checker, Coverage, Finding, Property, Verdict};
use game::{Rulebook, RulesClaim, Seat, Seats};
use notation::VerifyProgress;

use super::explanation::explain;
use super::property::GeneralProperty;
use super::request::{FairnessAssumption, SearchExtent, VerifyRequest};
use super::rulebook_model::{RulebookModel, threads};
use super::search::{OnProgress, ReachedResult, SearchResult, checker, count_games, counts};
use super::subject::{KnownProperty, Subject, VerifiedSeat};
use super::verification::{CountedStates, PropertyResult, RulesAlone};

/// A game whose rules are b-threads in Rust.
pub(super) struct RulebookSubject<R: Rulebook> {
    pub(super) rulebook: R,
    /// The rules alone, if they have symmetries.
    pub(super) symmetry: Option<RulesOnly<R::Event>>,
}

/// The rules of a game with free players, and the symmetries of the rules.
pub(super) struct RulesOnly<E: Event> {
    /// The rules and the free players.
    pub(super) program: Program<E>,
    /// The number of symmetries, including the identity.
    pub(super) symmetries: usize,
    /// The image of an event under a symmetry.
    pub(super) image: fn(usize, &E) -> E,
}

impl<R: Rulebook> Subject for RulebookSubject<R> {
    fn name(&self) -> String {
        self.rulebook.name()
    }

    fn seats(&self) -> Vec<VerifiedSeat> {
        let strategists = self.rulebook.strategists();
        let seats = (0..).filter_map(Seat::new).zip(self.rulebook.seats());
        seats
            .map(|(seat, name)| VerifiedSeat {
                name: name.to_owned(),
                has_strategies: !self.rulebook.strategies(seat).is_empty(),
                follows: strategists.contains(seat),
            })
            .collect()
    }

    fn threads(&self, strategists: Seats) -> Vec<Name> {
        let threads = threads(&self.rulebook, strategists);
        threads.iter().map(|(thread, _)| thread.name().clone()).collect()
    }

    fn properties(&self) -> Vec<KnownProperty> {
        let requirements = self.rulebook.requirements().into_iter();
        let requirements = requirements.map(|requirement| KnownProperty {
            is_thread: matches!(requirement.claim, RulesClaim::Watched(_)),
            name: requirement.name,
            sentence: requirement.sentence,
            is_usual: true,
        });
        requirements.chain(GeneralProperty::ALL.map(GeneralProperty::known)).collect()
    }

    fn check(&self, request: &VerifyRequest, listener: OnProgress<'_>) -> Result<SearchResult> {
        let start = Instant::now();
        let model = RulebookModel::new(&self.rulebook, request.strategists, &request.without)?;
        let results = self.rulebook.results();
        let asked = request.properties.iter().map(|known| property(known, request.fairness));
        let reached = results.iter().map(|(event, _)| {
            let wanted = event.clone();
            Property::happens(event.to_string(), move |event: &R::Event| *event == wanted)
                .only_counted()
        });
        let checker = checker(&model, asked.chain(reached), request);
        let mut report = checker
            .on_progress(|at| listener(VerifyProgress::Search(at), start.elapsed()))
            .run()?;
        let time = start.elapsed();
        let reached = report.findings.split_off(request.properties.len());
        let reached = reached.into_iter().map(ReachedResult::of).collect();
        let each = request.properties.iter().zip(&report.findings);
        let properties = each
            .map(|(property, finding)| result(&model, request, property, finding, &report))
            .collect::<Result<_>>()?;
        Ok(SearchResult {
            verdict: report.verdict(),
            properties,
            counts: counts(&report),
            coverage: report.coverage,
            identity: report.identity,
            results: reached,
            rules_alone: self.rules_alone(request)?,
            graph: report.graph.take(),
            time,
        })
    }
}

/// The property for the checker.
fn property<R: Rulebook>(
    known: &KnownProperty,
    fairness: FairnessAssumption,
) -> Property<RulebookModel<R>> {
    let general = GeneralProperty::ALL.into_iter().find(|general| general.name() == known.name);
    let property = match general {
        Some(general) => general.property(),
        None if known.is_thread => Property::requirement(&known.name),
        None => Property::no_stuck_state().named(&known.name),
    };
    match fairness {
        FairnessAssumption::HotRequests => property.fair(),
        FairnessAssumption::None => property,
    }
}

fn result<R: Rulebook>(
    model: &RulebookModel<R>,
    request: &VerifyRequest,
    property: &KnownProperty,
    finding: &Finding<R::Event>,
    report: &checker::Report<R::Event>,
) -> Result<PropertyResult> {
    let is_violated = finding.verdict == Verdict::Violated;
    let trace = finding.trace.as_ref().map(|trace| explain(model, trace)).transpose()?;
    let is_counted = is_violated
        && request.extent == SearchExtent::AllViolations
        && report.coverage == Coverage::Complete;
    let vacuity = || {
        let own = property.is_thread.then(|| model.vacuity(&property.name)).flatten();
        own.or_else(|| (report.edges == 0).then(|| "nothing can happen at all".to_owned()))
    };
    let caution = || finding.caution.clone().or_else(vacuity);
    Ok(PropertyResult {
        name: property.name.clone(),
        sentence: property.sentence.clone(),
        verdict: finding.verdict,
        found: is_violated.then(|| finding.sentence.clone()),
        cases: finding.cases,
        counted: CountedStates::Broken,
        games: if is_counted { count_games(model, &property.name, report.states)? } else { None },
        trace,
        fairness: finding.fairness.clone(),
        only_because: if finding.verdict == Verdict::Holds { caution() } else { None },
        values: None,
    })
}

impl<R: Rulebook> RulebookSubject<R> {
    /// The size of the game without strategies, with and without symmetry; `None` if that is too
    /// large, or the removed b-threads leave no symmetry.
    fn rules_alone(&self, request: &VerifyRequest) -> Result<Option<RulesAlone>> {
        let Some(RulesOnly { program, symmetries, image }) = &self.symmetry else {
            return Ok(None);
        };
        let is_left = |name: &Name| !request.without.iter().any(|words| name.is(words));
        let threads = program.threads().iter().filter(|thread| is_left(thread.name())).cloned();
        let moves = [Seat::FIRST, Seat::SECOND].map(|seat| self.rulebook.moves(seat));
        let moves = moves.into_iter().flatten().map(|(_, event)| event);
        let results = self.rulebook.results().into_iter().map(|(event, _)| event);
        let space = Program::new(threads)?.closed_space(moves.chain(results))?;
        let images = (0..*symmetries).map(|number| move |event: &R::Event| image(number, event));
        let Ok(model) = BProgram::exhaustive(space).symmetric(images) else { return Ok(None) };
        let checker = || {
            let checker = Checker::new(&model).threads(request.threads.into());
            checker.max_states(request.max_states)
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
