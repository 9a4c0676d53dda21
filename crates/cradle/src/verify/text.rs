//! The report of a verification as text.

use checker::{Coverage, Identity, Verdict};

use super::board_row::{CaptionedBoard, side_by_side};
use super::search::ReachedResult;
use super::verification::{
    BlockedThread, CountedStates, Counterexample, DrawnFile, ExplainedStep, OtherRequest,
    PropertyResult, RulesAlone, StateCounts, Verification,
};
use crate::paint::{Paint, Tone};
use crate::quantity::{count, counted, memory, time};
use crate::wrap::{WIDTH, length, together, wrapped};

const INDENT: &str = "  ";

/// The number of things that a list names one by one.
const FEW: usize = 3;

/// The report, which ends with a line break.
pub(super) fn report(verification: &Verification, paint: Paint) -> String {
    let mut blocks = vec![heading(verification, paint), verdicts(verification, paint)];
    let properties = verification.properties.iter();
    blocks.extend(properties.filter_map(|property| counterexample(property, paint)));
    blocks.push(summary(verification));
    blocks.join("\n\n") + "\n"
}

fn heading(verification: &Verification, paint: Paint) -> String {
    let Verification { game, about, without, .. } = verification;
    let heading = format!("{}: {about}", paint.paint(Tone::Strong, game));
    if without.is_empty() {
        return heading;
    }
    let without = wrapped(&format!("without {}", without.join(", ")), WIDTH);
    format!("{heading}\n{}", without.join("\n"))
}

fn verdicts(verification: &Verification, paint: Paint) -> String {
    let lines = verification.properties.iter();
    let lines = lines.map(|property| verdict(property, verification.coverage, paint));
    lines.collect::<Vec<_>>().join("\n")
}

/// The verdict, and what it assumes.
fn verdict(property: &PropertyResult, coverage: Coverage, paint: Paint) -> String {
    let told = bare_verdict(property, coverage, paint);
    match &property.fairness {
        Some(fairness) => {
            format!("{told}\n{}", indented(wrapped(fairness, WIDTH - INDENT.len())))
        }
        None => told,
    }
}

fn bare_verdict(property: &PropertyResult, coverage: Coverage, paint: Paint) -> String {
    let (word, tone) = match property.verdict {
        Verdict::Holds => ("holds", Tone::Good),
        Verdict::Violated => ("violated", Tone::Bad),
        Verdict::Unknown => ("not settled", Tone::Open),
    };
    let sentence = &property.sentence;
    let line = format!("{sentence}: {}", paint.paint(tone, word));
    if let Some(why) = &property.only_because {
        let why = format!("but only because {why}");
        if length(sentence) + length(word) + length(&why) + 4 <= WIDTH {
            return format!("{line}, {why}");
        }
        return format!("{line},\n{}", indented(wrapped(&why, WIDTH - INDENT.len())));
    }
    let Some(detail) = detail(property, coverage) else { return line };
    if length(sentence) + length(word) + length(&detail) + 4 <= WIDTH {
        return format!("{line}: {detail}");
    }
    format!("{line}:\n{}", indented(wrapped(&detail, WIDTH - INDENT.len())))
}

/// What breaks a property, and how often if every state was seen; or the number that it is about.
fn detail(property: &PropertyResult, coverage: Coverage) -> Option<String> {
    let found = property.found.clone()?;
    let is_endless = property.trace.as_ref().is_some_and(|trace| trace.cycle_from.is_some());
    let is_counted = property.cases > 0 && property.values.is_none() && !is_endless;
    if property.verdict != Verdict::Violated || !is_counted {
        return Some(found);
    }
    let states = counted(property.cases, "state", "states");
    let states = match property.counted {
        CountedStates::Broken => format!("in {states}"),
        CountedStates::Before => format!("possible in {states}"),
    };
    Some(match (coverage, property.games) {
        (Coverage::Complete, Some(games)) => {
            format!("{found} ({states}, by {})", counted(games, "game", "games"))
        }
        (Coverage::Complete, None) => format!("{found} ({states})"),
        _ => found,
    })
}

fn counterexample(property: &PropertyResult, paint: Paint) -> Option<String> {
    let (found, trace) = (property.found.as_ref()?, property.trace.as_ref()?);
    let game = if trace.start.is_empty() { "run" } else { "game" };
    let title = match (trace.steps.is_empty(), trace.cycle_from) {
        (true, _) => format!("At the start, {found}:"),
        (false, _) if property.values.is_some() => {
            format!("A {game} by choices that break {}:", property.sentence)
        }
        (false, Some(_)) => format!("A {game} in which {found}:"),
        (false, None) => format!("A shortest {game} in which {found}:"),
    };
    let board_row = side_by_side(&frames(trace), WIDTH - INDENT.len(), paint);
    let mut parts = vec![wrapped(&title, WIDTH).join("\n")];
    parts.extend(steps(trace));
    if !trace.start.is_empty() || trace.steps.iter().any(|step| !step.board.is_empty()) {
        parts.push(indented(board_row.lines()));
    }
    parts.extend(end(&trace.blocked));
    Some(parts.join("\n\n"))
}

/// Every event with its number and its cause.
fn steps(trace: &Counterexample) -> Option<String> {
    let numbers = length(&trace.steps.len().to_string());
    let events = trace.steps.iter().map(|step| length(&step.event)).max()?;
    let mut lines = Vec::new();
    for (number, step) in (1..).zip(&trace.steps) {
        if trace.cycle_from == Some(number - 1) {
            lines.push(format!("{INDENT}{:numbers$}  and then for ever:", ""));
        }
        let beginning = format!("{INDENT}{number:numbers$}  {:events$}", step.event);
        lines.push(hanging(&beginning, &reason(step)));
    }
    Some(lines.join("\n"))
}

/// A beginning with a text beside it. Further lines of the text are indented.
fn hanging(beginning: &str, text: &str) -> String {
    let column = length(beginning) + INDENT.len();
    let lines = wrapped(text, WIDTH.saturating_sub(column));
    format!("{beginning}{INDENT}{}", lines.join(&format!("\n{}", " ".repeat(column))))
}

fn reason(step: &ExplainedStep) -> String {
    match (&step.choice_of, &step.by) {
        (Some(player), _) if player == "chance" => "drawn by chance".to_owned(),
        (Some(player), _) => format!("{player}'s choice"),
        (None, Some(thread)) => format!("wanted by {thread}{}", other_requests(&step.instead_of)),
        (None, None) => "from outside".to_owned(),
    }
}

fn other_requests(requests: &[OtherRequest]) -> String {
    if requests.is_empty() {
        return String::new();
    }
    let requests =
        requests.iter().map(|OtherRequest { thread, event }| format!("{thread} wanted {event}"));
    format!("; {}", listed(requests))
}

/// The boards that differ from the one before; the first board if nothing happens.
fn frames(trace: &Counterexample) -> Vec<CaptionedBoard<'_>> {
    let start = trace.start.as_str();
    if trace.steps.is_empty() {
        return vec![CaptionedBoard { caption: "start".to_owned(), board: start, before: start }];
    }
    let board_row = trace.steps.iter().map(|step| step.board.as_str());
    let befores = std::iter::once(start).chain(board_row.clone());
    let frames = (1..).zip(board_row.zip(befores)).filter(|(_, (board, before))| board != before);
    let frame = |(number, (board, before)): (u64, _)| CaptionedBoard {
        caption: number.to_string(),
        board,
        before,
    };
    frames.map(frame).collect()
}

/// Why nothing can happen at the end.
fn end(blocked: &[BlockedThread]) -> Option<String> {
    if blocked.is_empty() {
        return None;
    }
    let each = blocked.iter().map(|BlockedThread { thread, events, blocked_by }| {
        format!(
            "{thread} wants {}, blocked by {}",
            listed(events.iter()),
            listed(blocked_by.iter())
        )
    });
    let text = format!("Then nothing can happen: {}.", each.collect::<Vec<_>>().join("; "));
    Some(wrapped(&text, WIDTH).join("\n"))
}

/// The first things by name, and the number of the others.
fn listed(things: impl Iterator<Item = impl AsRef<str>>) -> String {
    let things: Vec<String> = things.map(|thing| together(thing.as_ref())).collect();
    match &things[..] {
        [] => "nobody".to_owned(),
        [one] => one.clone(),
        [few @ .., last] if few.len() < FEW => format!("{} and {last}", few.join(", ")),
        all => format!("{} and {} more", all[..FEW].join(", "), all.len() - FEW),
    }
}

fn summary(verification: &Verification) -> String {
    let counts = verification.counts;
    let seen = format!(
        "{}, {}, depth {}, {} terminal, {} stuck",
        counted(counts.states, "state", "states"),
        counted(counts.edges, "edge", "edges"),
        count(counts.depth),
        count(counts.terminal),
        count(counts.stuck),
    );
    let mut lines = wrapped(&seen, WIDTH);
    lines.push(coverage(verification.coverage));
    if verification.identity != Identity::Exact {
        lines.extend(wrapped(&verification.identity.to_string(), WIDTH));
    }
    lines.extend(results(&verification.results, verification.coverage));
    lines.extend(verification.rules_alone.iter().flat_map(rules_alone));
    lines.extend(verification.drawings.iter().map(|drawn| drawing(drawn, counts.states)));
    lines.push(cost(verification));
    lines.join("\n")
}

fn coverage(coverage: Coverage) -> String {
    match coverage {
        Coverage::Complete => "Complete: every state was seen.".to_owned(),
        Coverage::HaltedAtViolations => {
            "Halted where requirements are violated: more states may follow.".to_owned()
        }
        Coverage::StoppedAtFinding => {
            "Stopped at the first violation; --all looks for all of them.".to_owned()
        }
        Coverage::CutShortByStates(bound) => {
            format!("Cut short by --max-states {bound}: more states follow.")
        }
        Coverage::CutShortByDepth(bound) => format!("Cut short at depth {bound}."),
    }
}

/// The results, and in how many states each ends the game.
fn results(results: &[ReachedResult], coverage: Coverage) -> Vec<String> {
    if results.is_empty() {
        return Vec::new();
    }
    let none = if coverage == Coverage::Complete { "never" } else { "not yet" };
    let each = results.iter().map(|reached| match reached.states {
        0 => format!("{none} {}", together(&reached.result)),
        states => format!(
            "{} in {}",
            together(&reached.result),
            together(&counted(states, "state", "states"))
        ),
    });
    wrapped(&format!("Results: {}.", each.collect::<Vec<_>>().join(", ")), WIDTH)
}

/// The size of the game without strategies.
fn rules_alone(alone: &RulesAlone) -> Vec<String> {
    let seen = |counts: StateCounts| {
        let states = counted(counts.states, "state", "states");
        format!("{states}, {}", counted(counts.edges, "edge", "edges"))
    };
    let text = format!(
        "The rules alone, when everybody may do anything: {}; counting symmetric states once ({} symmetries): {}.",
        seen(alone.full),
        alone.symmetries,
        seen(alone.reduced)
    );
    wrapped(&text, WIDTH)
}

fn drawing(drawn: &DrawnFile, states: u64) -> String {
    format!("{} of {} states drawn into {}", count(drawn.states), count(states), drawn.file)
}

fn cost(verification: &Verification) -> String {
    let Verification { seconds, peak_memory_bytes, threads, .. } = verification;
    let mut cost = vec![time(*seconds), counted((*threads).into(), "thread", "threads")];
    cost.extend(peak_memory_bytes.map(|bytes| format!("{} of memory at most", memory(bytes))));
    cost.join(", ")
}

fn indented(lines: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let lines = lines.into_iter().map(|line| match line.as_ref() {
        "" => String::new(),
        line => format!("{INDENT}{line}"),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A step that a b-thread requested.
    fn step(event: &str, by: &str, board: &str) -> ExplainedStep {
        let by = Some(by.to_owned());
        let (event, board) = (event.to_owned(), board.to_owned());
        ExplainedStep { event, by, choice_of: None, instead_of: Vec::new(), board }
    }

    /// A door that opens and shuts for ever while a guest waits.
    fn door() -> Counterexample {
        let steps =
            vec![step("ring", "Bell", "#"), step("open", "Door", "/"), step("shut", "Door", "#")];
        Counterexample {
            events: steps.iter().map(|step| step.event.clone()).collect(),
            cycle_from: Some(1),
            start: "#".to_owned(),
            steps,
            blocked: Vec::new(),
        }
    }

    fn violated(trace: Counterexample) -> PropertyResult {
        PropertyResult {
            name: "no-hot-thread-cycle".to_owned(),
            sentence: "No b-thread is hot for ever".to_owned(),
            verdict: Verdict::Violated,
            found: Some("it can go on for ever while Guest is hot".to_owned()),
            cases: 1,
            counted: CountedStates::Broken,
            games: None,
            trace: Some(trace),
            only_because: None,
            fairness: None,
            values: None,
        }
    }

    #[test]
    fn the_start_of_an_endless_part_is_marked() {
        let expected = "\
A game in which it can go on for ever while Guest is hot:

  1  ring  wanted by Bell
     and then for ever:
  2  open  wanted by Door
  3  shut  wanted by Door

  2   3
  /   #";
        assert_eq!(counterexample(&violated(door()), Paint::Plain).unwrap(), expected);
    }

    #[test]
    fn many_other_requests_are_summarised() {
        let request =
            |number: u32| OtherRequest { thread: format!("T{number}"), event: "e".to_owned() };
        let mut step = step("a", "B", "");
        step.instead_of = (1..=3).map(request).collect();
        let three = "wanted by B; T1 wanted e, T2 wanted e and T3 wanted e";
        assert_eq!(wrapped(&reason(&step), 99), [three]);
        step.instead_of = (1..=5).map(request).collect();
        let five = "wanted by B; T1 wanted e, T2 wanted e, T3 wanted e and 2 more";
        assert_eq!(wrapped(&reason(&step), 99), [five]);
    }

    #[test]
    fn each_verdict_has_its_colour() {
        let mut property = violated(door());
        let texts = [Verdict::Holds, Verdict::Violated, Verdict::Unknown].map(|of| {
            (property.verdict, property.found) = (of, None);
            verdict(&property, Coverage::Complete, Paint::Coloured)
        });
        let expected = ["\x1b[1;32mholds", "\x1b[1;31mviolated", "\x1b[1;33mnot settled"];
        let expected = expected.map(|word| format!("No b-thread is hot for ever: {word}\x1b[0m"));
        assert_eq!(texts, expected);
    }
}
