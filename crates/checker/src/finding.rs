//! What a search has found out about a property.

use crate::cycles::Cycles;
use crate::inspect::Inspector;
use crate::model::Model;
use crate::property::{Claim, Fairness, Property};
use crate::report::{Coverage, Finding, Trace, Verdict};
use crate::search::StateSearch;
use crate::trace;

/// The finding for a property.
pub(crate) fn finding<M: Model>(
    inspector: &Inspector<'_, M>,
    search: &StateSearch<'_, M>,
    cycles: Option<&Cycles>,
    coverage: Coverage,
    number: usize,
) -> Result<Finding<M::Action>, M::Error> {
    let property = &inspector.properties[number];
    let cases = &search.tally.cases[number];
    let found = match &cases.first {
        Some(case) => {
            let trace = trace::of_case(inspector, &search.store, property, case)?;
            Some((case.sentence.clone(), trace, cases.count))
        }
        None => cycle(inspector, search, cycles, property)?,
    };
    let objection = objection(inspector, property, cycles, coverage);
    let found = found.filter(|_| inspector.can_tell(property));
    let verdict = if found.is_none() && objection.is_some() {
        Verdict::Unknown
    } else if found.is_some() == property.asks_for_an_example() {
        Verdict::Holds
    } else {
        Verdict::Violated
    };
    let is_cycle = found.as_ref().is_some_and(|(_, trace, _)| trace.cycle_from.is_some());
    let caution = caution(inspector, search, number)?;
    let fairness = fairness(inspector, property, verdict, is_cycle);
    let has_trace = property.has_trace;
    let property = property.name().to_owned();
    let Some((sentence, trace, count)) = found else {
        let sentence = match verdict {
            Verdict::Holds => "holds".to_owned(),
            Verdict::Violated => "it cannot happen".to_owned(),
            Verdict::Unknown => objection.unwrap_or_default(),
        };
        let (cases, trace, values) = (0, None, None);
        return Ok(Finding {
            property,
            verdict,
            sentence,
            cases,
            trace,
            caution,
            fairness,
            values,
        });
    };
    let (cases, trace, values) = (count, has_trace.then_some(trace), None);
    Ok(Finding { property, verdict, sentence, cases, trace, caution, fairness, values })
}

/// Says that a requirement is watched only until an interrupt, if a state was found in which that
/// has happened.
fn caution<M: Model>(
    inspector: &Inspector<'_, M>,
    search: &StateSearch<'_, M>,
    number: usize,
) -> Result<Option<String>, M::Error> {
    let Some((at, thread)) = &search.tally.cases[number].unwatched else { return Ok(None) };
    let trace = trace::to_state(inspector, &search.store, *at)?;
    let Some(last) = trace.actions.last() else { return Ok(None) };
    let remedy = inspector.model.remedy_for_interrupts();
    Ok(Some(format!(
        "{thread} watches only until {last} ({trace}): an interrupt ends a b-thread for good; {remedy}"
    )))
}

/// Says which endless runs a verdict on cycles is about.
fn fairness<M: Model>(
    inspector: &Inspector<'_, M>,
    property: &Property<M>,
    verdict: Verdict,
    is_cycle: bool,
) -> Option<String> {
    if !property.claim.is_about_cycles() {
        return None;
    }
    match (property.fairness, verdict) {
        (Fairness::HotRequests, Verdict::Holds) if inspector.model.may_be_hot() => Some(
            "a hot request that is possible again and again is assumed to happen at last"
                .to_owned(),
        ),
        (Fairness::HotRequests, Verdict::Violated) if is_cycle => Some(
            "every hot request that is possible again and again happens in this run".to_owned(),
        ),
        (Fairness::NotAssumed, Verdict::Violated) if is_cycle => {
            let remedy = inspector.model.remedy_for_unfair_runs();
            remedy.map(|remedy| format!("no fairness is assumed: {remedy}"))
        }
        _ => None,
    }
}

/// Why a property without a case is unknown, if there is a reason.
fn objection<M: Model>(
    inspector: &Inspector<'_, M>,
    property: &Property<M>,
    cycles: Option<&Cycles>,
    coverage: Coverage,
) -> Option<String> {
    let name = property.name();
    if let Some(objection) = inspector.model.objection() {
        Some(objection)
    } else if matches!(property.claim, Claim::Requirement) && !inspector.model.knows(name) {
        Some(format!("no b-thread has the name {name}"))
    } else if !inspector.can_tell(property) {
        Some("it may distinguish symmetric states".to_owned())
    } else if property.claim.is_about_cycles() && cycles.is_none() {
        Some("cycles are not searched in compact mode or with symmetry".to_owned())
    } else if coverage == Coverage::Complete {
        None
    } else {
        Some("the search ended before it was settled".to_owned())
    }
}

type FoundCase<A> = Option<(String, Trace<A>, u64)>;

/// A cycle that violates a property about cycles.
fn cycle<M: Model>(
    inspector: &Inspector<'_, M>,
    search: &StateSearch<'_, M>,
    cycles: Option<&Cycles>,
    property: &Property<M>,
) -> Result<FoundCase<M::Action>, M::Error> {
    let Some(cycles) = cycles else { return Ok(None) };
    let lasso = match property.claim {
        Claim::NoHotSystemCycle => cycles.hot_system_lasso(property.fairness),
        Claim::NoHotThreadCycle => cycles.hot_thread_lasso(property.fairness),
        Claim::Requirement => cycles.hot_lasso_of(property.name(), property.fairness),
        _ => None,
    };
    let Some(lasso) = lasso else { return Ok(None) };
    let trace = trace::of_lasso(inspector, &search.store, &lasso)?;
    Ok(Some((lasso.sentence, trace, 1)))
}
