//! What goes wrong without each b-thread.

use checker::Verdict;
use serde::Serialize;

use super::verification::PropertyResult;
use crate::quantity::count;
use crate::wrap::{WIDTH, length, wrapped};

/// What goes wrong without one family of b-threads.
#[derive(Clone, Debug, Serialize)]
pub(super) struct RemovedFamily {
    /// The family that was removed; nothing for all b-threads together.
    pub(super) without: Option<String>,
    /// The number of states that were visited.
    pub(super) states: u64,
    /// What was found out about each property.
    pub(super) properties: Vec<PropertyResult>,
}

/// A table of families, states, and what goes wrong.
pub(super) fn table(heading: &str, rows: &[RemovedFamily]) -> String {
    let name = |row: &RemovedFamily| row.without.clone().unwrap_or_else(|| "(nothing)".to_owned());
    let widest = rows.iter().map(|row| length(&name(row))).max().unwrap_or(0).max(7);
    let states = rows.iter().map(|row| count(row.states).len()).max().unwrap_or(0).max(6);
    let mut text =
        format!("{heading}\n\n{:widest$}  {:>states$}  what goes wrong\n", "without", "states");
    let column = widest + states + 4;
    for row in rows {
        let mut beginning = format!("{:widest$}  {:>states$}", name(row), count(row.states));
        for sentence in sentences(&row.properties) {
            for line in wrapped(&sentence, WIDTH.saturating_sub(column).max(30)) {
                text.push_str(format!("{beginning:column$}{line}").trim_end());
                text.push('\n');
                beginning = String::new();
            }
        }
    }
    text
}

fn sentences(properties: &[PropertyResult]) -> Vec<String> {
    let told: Vec<String> = properties.iter().filter_map(sentence).collect();
    if told.is_empty() { vec!["nothing".to_owned()] } else { told }
}

/// What is wrong with a property, if anything is.
fn sentence(property: &PropertyResult) -> Option<String> {
    let name = &property.sentence;
    match (property.verdict, &property.found, &property.only_because) {
        (Verdict::Violated, Some(found), _) => {
            let trace = property.trace.as_ref().filter(|trace| trace.cycle_from.is_none());
            let events = trace.map(|trace| trace.events.len() as u64);
            let after = events.filter(|events| *events > 0);
            let after = after.map_or_else(String::new, |events| {
                format!(" after {}", crate::quantity::counted(events, "event", "events"))
            });
            Some(format!("{name}: {found}{after}"))
        }
        (Verdict::Violated, None, _) => Some(format!("{name}: violated")),
        (Verdict::Unknown, _, _) => Some(format!("{name}: not settled")),
        (Verdict::Holds, _, Some(why)) => Some(format!("{name} holds only because {why}")),
        (Verdict::Holds, _, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::verification::CountedStates;
    use super::*;

    #[test]
    fn a_table_says_what_goes_wrong_without_each() {
        let property = |verdict, found: Option<&str>| PropertyResult {
            name: "NoCrash".to_owned(),
            sentence: "NoCrash".to_owned(),
            verdict,
            found: found.map(str::to_owned),
            cases: 0,
            counted: CountedStates::Broken,
            games: None,
            trace: None,
            only_because: None,
            fairness: None,
            values: None,
        };
        let row = |without: Option<&str>, states, property| RemovedFamily {
            without: without.map(str::to_owned),
            states,
            properties: vec![property],
        };
        let mut vacuous = property(Verdict::Holds, None);
        vacuous.only_because = Some("nothing can happen at all".to_owned());
        let rows = [
            row(None, 7, property(Verdict::Holds, None)),
            row(Some("Signal"), 1_025, property(Verdict::Violated, Some("a car meets a train"))),
            row(Some("Train"), 1, vacuous),
            row(Some("Cars"), 2_000_000, property(Verdict::Unknown, None)),
        ];
        expect![[r#"
            crossing

            without       states  what goes wrong
            (nothing)          7  nothing
            Signal         1,025  NoCrash: a car meets a train
            Train              1  NoCrash holds only because nothing can happen at all
            Cars       2,000,000  NoCrash: not settled
        "#]]
        .assert_eq(&table("crossing", &rows));
    }
}
