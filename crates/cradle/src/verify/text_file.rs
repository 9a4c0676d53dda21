//! `cradle verify` on a file.

use std::fmt::Write as _;

use anyhow::{Result, bail};
use bthread::Name;
use checker::{Finding, Report, Verdict};
use notation::{BuiltText, ModelOptions, SearchLimits, TextEvent, TextModel, TextProperty};

use super::command::Verify;
use crate::console;
use crate::exit_reason::ExitReason;
use crate::nearest::UnknownName;
use crate::quantity::counted;
use crate::text_file::{TextFile, parameters};

/// The most states of a search, unless the command line says otherwise: a state takes some hundred
/// bytes.
const USUAL_STATES: u64 = 2_000_000;

/// Verifies the text in a file, and prints the report.
pub(super) fn verify(arguments: &Verify) -> Result<ExitReason> {
    if arguments.is_drawing() {
        bail!("--dot and --mermaid draw games of the catalog only, not files");
    }
    let text = TextFile::build(&arguments.game, &parameters(&arguments.parameters)?)?;
    let properties = chosen(&text, &arguments.property)?;
    let without = arguments.without.clone();
    let model = text.model(&ModelOptions { without, ..ModelOptions::default() })?;
    let limits = SearchLimits {
        states: arguments.max_states.unwrap_or(USUAL_STATES),
        threads: usize::from(arguments.search_threads()),
    };
    let report = model.verify(&properties, limits)?;
    if arguments.json {
        let report = report_as_json(&text, &report)?;
        console::print(&report)?;
    } else {
        console::print(&console::visible(&written(&model, &report)?))?;
    }
    Ok(match report.verdict() {
        Verdict::Holds => ExitReason::Fine,
        Verdict::Violated => ExitReason::No,
        Verdict::Unknown => ExitReason::CutShort,
    })
}

/// The properties of these names, or all.
fn chosen(text: &BuiltText, names: &[String]) -> Result<Vec<TextProperty>> {
    if names.is_empty() {
        return Ok(text.properties().to_vec());
    }
    let find = |name: &String| {
        let found = text.properties().iter().find(|property| property.name() == name);
        let known = || text.properties().iter().map(TextProperty::name).collect();
        let unknown = || UnknownName::new("property", name, known()).into();
        found.cloned().ok_or_else(unknown)
    };
    names.iter().map(find).collect()
}

fn report_as_json(text: &BuiltText, report: &Report<TextEvent>) -> Result<String> {
    let mut value = serde_json::to_value(ReportedText::of(text, report))?;
    value["verdict"] = serde_json::to_value(report.verdict())?;
    Ok(serde_json::to_string_pretty(&value)? + "\n")
}

/// A report with events as text.
#[derive(serde::Serialize)]
struct ReportedText {
    name: String,
    states: u64,
    edges: u64,
    terminal: u64,
    stuck: u64,
    findings: Vec<Finding<String>>,
}

impl ReportedText {
    fn of(text: &BuiltText, report: &Report<TextEvent>) -> Self {
        let finding = |finding: &Finding<TextEvent>| Finding {
            property: finding.property.clone(),
            verdict: finding.verdict,
            sentence: finding.sentence.clone(),
            cases: finding.cases,
            trace: finding.trace.as_ref().map(|trace| checker::Trace {
                actions: trace.actions.iter().map(ToString::to_string).collect(),
                cycle_from: trace.cycle_from,
            }),
            caution: finding.caution.clone(),
            values: finding.values,
        };
        Self {
            name: text.name(),
            states: report.states,
            edges: report.edges,
            terminal: report.terminal,
            stuck: report.stuck,
            findings: report.findings.iter().map(finding).collect(),
        }
    }
}

/// The report for people: each property, and for a violated one why each event happened.
fn written(model: &TextModel, report: &Report<TextEvent>) -> Result<String> {
    let mut out = format!("{}\n", model.text().name());
    for finding in &report.findings {
        writeln!(out, "{finding}")?;
        if finding.verdict == Verdict::Violated
            && let Some(trace) = &finding.trace
        {
            for step in model.replay(trace) {
                let wanted: Vec<String> =
                    step.requested_by.iter().map(|name| with_line(model.text(), name)).collect();
                writeln!(out, "    {}: wanted by {}", step.event, wanted.join(", "))?;
            }
        }
    }
    let states = counted(report.states, "state", "states");
    let edges = counted(report.edges, "transition", "transitions");
    let ends = counted(report.terminal, "end", "ends");
    writeln!(out, "{states}, {edges}, {ends}; {}", report.coverage)?;
    Ok(out)
}

/// A b-thread with the line of the text where it stands.
fn with_line(text: &BuiltText, name: &Name) -> String {
    match text.thread(name) {
        Some(thread) => format!("{name} (line {})", thread.line()),
        None => name.to_string(),
    }
}
