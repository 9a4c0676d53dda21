//! Games that are not made of b-threads.

use std::convert::Infallible;
use std::fmt;
use std::time::Instant;

use anyhow::Result;
use bthread::Name;
use checker::{
    BranchTarget, Coverage, ExploredProcess, Extreme, Finding, Fraction, Model, Property, Trace,
    ValueRange, Verdict,
};
use game::{
    AnyGame, AnyPosition, Game, MoveText, Outcome, Ply, Probability, Seat, Seats, Turn, Viewer,
    all_seats, seat_name,
};
use notation::VerifyProgress;

use super::board_row::board_text;
use super::request::VerifyRequest;
use super::search::{OnProgress, ReachedResult, SearchResult, checker, counts};
use super::subject::{KnownProperty, Subject, VerifiedSeat};
use super::verification::{CountedStates, Counterexample, ExplainedStep, PropertyResult};

/// A game that is not made of b-threads: everybody may make any legal move.
pub(super) struct PlainSubject {
    pub(super) game: AnyGame,
}

const ENDS: &str = "EveryGameEnds";
const CAN_MOVE: &str = "PlayersCanMove";

impl Subject for PlainSubject {
    fn name(&self) -> String {
        self.game.name()
    }

    fn seats(&self) -> Vec<VerifiedSeat> {
        let seat = |name: &str| VerifiedSeat {
            name: name.to_owned(),
            has_strategies: false,
            follows: false,
        };
        self.game.seats().into_iter().map(seat).collect()
    }

    fn threads(&self, _: Seats) -> Vec<Name> {
        Vec::new()
    }

    fn properties(&self) -> Vec<KnownProperty> {
        let known = |name: &str, sentence: &str| KnownProperty {
            name: name.to_owned(),
            sentence: sentence.to_owned(),
            is_usual: true,
            is_thread: false,
        };
        vec![
            known(ENDS, "Every game ends"),
            known(CAN_MOVE, "No player is asked to move without a legal move"),
        ]
    }

    fn check(&self, request: &VerifyRequest, listener: OnProgress<'_>) -> Result<SearchResult> {
        let start = Instant::now();
        let model = PlainModel { game: self.game.clone() };
        let kinds = model.kinds_of_results();
        let asked = request.properties.iter().map(|property| match property.name.as_str() {
            ENDS => Property::requirement(ENDS),
            _ => Property::requirement(CAN_MOVE),
        });
        let reached = kinds.iter().map(|kind| {
            let kind = kind.clone();
            Property::reachable(kind.clone(), move |model: &PlainModel, position| {
                let outcome = model.game.turn(position).outcome();
                outcome.is_some_and(|outcome| model.kind(&outcome) == kind)
            })
            .only_counted()
        });
        let checker = checker(&model, asked.chain(reached), request);
        let report =
            checker.on_progress(|at| listener(VerifyProgress::Search(at), start.elapsed())).run();
        let mut report = report.unwrap_or_else(|never| match never {});
        let reached = report.findings.split_off(request.properties.len());
        let reached = reached.into_iter().map(ReachedResult::of).collect();
        let properties = request.properties.iter().zip(&report.findings);
        let properties: Vec<PropertyResult> = properties
            .map(|(property, finding)| {
                model.result(property, finding, report.coverage, report.states)
            })
            .collect();
        let verdicts = || properties.iter().map(|property| property.verdict);
        let verdict = if verdicts().any(|verdict| verdict == Verdict::Violated) {
            Verdict::Violated
        } else if verdicts().any(|verdict| verdict == Verdict::Unknown) {
            Verdict::Unknown
        } else {
            Verdict::Holds
        };
        Ok(SearchResult {
            verdict,
            counts: counts(&report),
            coverage: report.coverage,
            identity: report.identity,
            results: reached,
            rules_alone: None,
            graph: report.graph.take(),
            time: start.elapsed(),
            properties,
        })
    }
}

/// The positions of a game, and what its seats and chance may do.
struct PlainModel {
    game: AnyGame,
}

fn index(place: u64) -> usize {
    usize::try_from(place).unwrap_or(usize::MAX)
}

/// What the seats in turn choose, or what chance draws.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PlainAction(Ply<MoveText, MoveText>);

impl fmt::Display for PlainAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Model for PlainModel {
    type State = AnyPosition;
    type Action = PlainAction;
    type Error = Infallible;

    fn start(&self) -> AnyPosition {
        self.game.start()
    }

    fn successors(
        &self,
        position: &AnyPosition,
        show: &mut dyn FnMut(&PlainAction, AnyPosition),
    ) -> Result<(), Infallible> {
        let seats: Vec<Seat> = match self.game.turn(position) {
            Turn::Over(_) => return Ok(()),
            Turn::Chance => {
                for (drawn, _) in self.game.chances(position) {
                    let mut next = position.clone();
                    self.game.apply_chance(&mut next, &drawn);
                    show(&PlainAction(Ply::Chance(drawn)), next);
                }
                return Ok(());
            }
            Turn::One(seat) => vec![seat],
            Turn::Several(seats) => seats.iter().collect(),
        };
        for moves in self.combinations(position, &seats) {
            let mut next = position.clone();
            for (seat, chosen) in &moves {
                self.game.apply(&mut next, *seat, chosen);
            }
            show(&PlainAction(Ply::Moves(moves)), next);
        }
        Ok(())
    }

    fn violations(&self, position: &AnyPosition, show: &mut dyn FnMut(&str, &str)) {
        let turn = self.game.turn(position);
        for seat in turn.seats().iter() {
            if self.game.legal_moves(position, seat).len() == 0 {
                let name = seat_name(&self.game, seat);
                show(CAN_MOVE, &format!("{name} is asked to move and has no legal move"));
            }
        }
    }

    /// A game must not stay for ever in positions in which it is not over.
    fn hot(&self, position: &AnyPosition, show: &mut dyn FnMut(&str)) {
        if self.game.turn(position).outcome().is_none() {
            show(ENDS);
        }
    }
}

impl PlainModel {
    /// All ways in which these seats can move at once.
    fn combinations(&self, position: &AnyPosition, seats: &[Seat]) -> Vec<Vec<(Seat, MoveText)>> {
        let mut combinations = vec![Vec::new()];
        for &seat in seats {
            let longer = |moves: &Vec<(Seat, MoveText)>| {
                let moves = moves.clone();
                self.game
                    .legal_moves(position, seat)
                    .map(move |chosen| [moves.as_slice(), &[(seat, chosen)]].concat())
            };
            combinations = combinations.iter().flat_map(longer).collect();
        }
        combinations
    }

    /// The kinds of results that the game could have.
    fn kinds_of_results(&self) -> Vec<String> {
        let seats = all_seats(&self.game).iter().map(|seat| seat_name(&self.game, seat));
        seats.map(|name| format!("{name} wins")).chain(["draw".to_owned()]).collect()
    }

    fn kind(&self, outcome: &Outcome) -> String {
        match outcome.winner() {
            Some(seat) => format!("{} wins", seat_name(&self.game, seat)),
            None => "draw".to_owned(),
        }
    }

    fn result(
        &self,
        property: &KnownProperty,
        finding: &Finding<PlainAction>,
        coverage: Coverage,
        states: u64,
    ) -> PropertyResult {
        let (mut verdict, mut values) = (finding.verdict, None);
        let mut found = (verdict == Verdict::Violated).then(|| finding.sentence.clone());
        let mut trace = finding.trace.as_ref();
        let cycle = trace.and_then(|trace| trace.actions.get(index(trace.cycle_from?)..));
        if let Some(cycle) = cycle {
            found = Some("it can go on for ever".to_owned());
            // Chance ends some endless runs with probability 1.
            if cycle.iter().any(|action| matches!(action.0, Ply::Chance(_))) {
                let range =
                    (coverage == Coverage::Complete).then(|| self.probability_to_end(states));
                values = range.flatten();
                verdict = match values.map(|range| range.least.order(Fraction::ONE)) {
                    Some(Some(std::cmp::Ordering::Equal)) => Verdict::Holds,
                    Some(Some(_)) => Verdict::Violated,
                    Some(None) | None => Verdict::Unknown,
                };
                found = values.map(|range| format!("the probability that it ends is {range}"));
                trace = trace.filter(|_| verdict == Verdict::Violated);
            }
        }
        PropertyResult {
            name: property.name.clone(),
            sentence: property.sentence.clone(),
            verdict,
            found,
            cases: if verdict == Verdict::Violated { finding.cases } else { 0 },
            counted: CountedStates::Broken,
            games: None,
            trace: trace.filter(|_| verdict == Verdict::Violated).map(|trace| self.explain(trace)),
            only_because: None,
            fairness: None,
            values,
        }
    }

    /// The least and the greatest probability that the game ends.
    fn probability_to_end(&self, states: u64) -> Option<ValueRange> {
        let most = usize::try_from(states).ok()?;
        let explored = ExploredProcess::explore(self.game.start(), most, |position, found| {
            let target = |next: AnyPosition| match self.game.turn(&next) {
                Turn::Over(_) => BranchTarget::Goal,
                _ => BranchTarget::State(next),
            };
            if self.game.turn(position) == Turn::Chance {
                let (drawn, probabilities): (Vec<_>, Vec<_>) =
                    self.game.chances(position).into_iter().unzip();
                let (weights, _) = Probability::weights(&probabilities)?;
                let mut branches = Vec::new();
                for (drawn, weight) in drawn.iter().zip(weights) {
                    let mut next = position.clone();
                    self.game.apply_chance(&mut next, drawn);
                    branches.push((u32::try_from(weight)?, target(next)));
                }
                found.add(0, branches);
                return Ok::<(), anyhow::Error>(());
            }
            self.successors(position, &mut |_, next| found.add(0, [(1, target(next))]))?;
            Ok(())
        });
        let explored = explored.ok()?;
        let [least, greatest] = [Extreme::Least, Extreme::Greatest]
            .map(|extreme| explored.process().probability(extreme).value(0));
        Some(ValueRange { least, greatest })
    }

    /// A trace with the player of each move, and the boards.
    fn explain(&self, trace: &Trace<PlainAction>) -> Counterexample {
        let mut position = self.game.start();
        let board =
            |position: &AnyPosition| board_text(&self.game.picture(position, Viewer::Spectator));
        let start = board(&position);
        let mut steps = Vec::new();
        for action in &trace.actions {
            let choice_of = match &action.0 {
                Ply::Moves(moves) => {
                    for (seat, chosen) in moves {
                        self.game.apply(&mut position, *seat, chosen);
                    }
                    let names = moves.iter().map(|(seat, _)| seat_name(&self.game, *seat));
                    names.collect::<Vec<_>>().join(" and ")
                }
                Ply::Chance(drawn) => {
                    self.game.apply_chance(&mut position, drawn);
                    "chance".to_owned()
                }
            };
            steps.push(ExplainedStep {
                event: action.to_string(),
                by: None,
                choice_of: Some(choice_of),
                instead_of: Vec::new(),
                board: board(&position),
            });
        }
        Counterexample {
            events: steps.iter().map(|step| step.event.clone()).collect(),
            cycle_from: trace.cycle_from,
            start,
            steps,
            blocked: Vec::new(),
        }
    }
}
