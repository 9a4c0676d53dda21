//! `cradle check`: the mistakes and warnings of a text.

use std::path::PathBuf;

use clap::Args;
use notation::{Diagnostic, LineColumn, Severity};
use serde::Serialize;

use crate::console;
use crate::exit_reason::ExitReason;
use crate::quantity::counted;
use crate::text_file::{TextFile, count_of, parameters};

/// Tell what is wrong with a game or a program in a file
///
/// Tells all mistakes and warnings at once, each with its line and what was
/// probably meant. docs/notation.md describes how games are written as text.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
#[command(after_help = "Exit codes: 0 no mistakes, 1 mistakes, 2 wrong usage.")]
pub(crate) struct CheckText {
    /// The file, which ends in .cradle, or - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Values for parameters of the text, as in n=9
    #[arg(value_name = "NAME=NUMBER")]
    parameters: Vec<String>,

    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
}

/// The answer as JSON.
#[derive(Serialize)]
struct CheckReport<'a> {
    file: &'a str,
    diagnostics: Vec<PlacedDiagnostic<'a>>,
}

/// A mistake or a warning with its place, as editors want it.
#[derive(Serialize)]
struct PlacedDiagnostic<'a> {
    code: &'a str,
    severity: Severity,
    message: &'a str,
    start: LineColumn,
    end: LineColumn,
}

impl CheckText {
    /// Tells all mistakes and warnings.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn run(&self) -> anyhow::Result<ExitReason> {
        let given = parameters(&self.parameters)?;
        let file = TextFile::read(&self.file)?;
        let found = file.document.check(&given);
        let mistakes = count_of(&found, Severity::Mistake);
        if self.json {
            let text = file.document.text();
            let diagnostics = found.iter().map(|each| placed(each, text)).collect();
            let report = CheckReport { file: &file.name, diagnostics };
            console::print(&(serde_json::to_string_pretty(&report)? + "\n"))?;
        } else {
            let warnings = count_of(&found, Severity::Warning);
            let shown = if found.is_empty() { String::new() } else { file.render(&found) + "\n" };
            let mistakes = counted(mistakes, "mistake", "mistakes");
            let warnings = counted(warnings, "warning", "warnings");
            console::print(&format!("{shown}{}: {mistakes}, {warnings}\n", file.name))?;
        }
        Ok(if mistakes == 0 { ExitReason::Fine } else { ExitReason::No })
    }
}

fn placed<'a>(diagnostic: &'a Diagnostic, text: &str) -> PlacedDiagnostic<'a> {
    PlacedDiagnostic {
        code: diagnostic.code.as_str(),
        severity: diagnostic.severity(),
        message: &diagnostic.message,
        start: diagnostic.place(text),
        end: diagnostic.end(text),
    }
}
