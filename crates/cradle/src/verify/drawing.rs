//! Drawings of states for Graphviz and Mermaid.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use checker::Graph;
use serde::Serialize;

use super::verification::DrawnFile;
use crate::console;
use crate::exit_reason::DeviceFailure;

/// A requested drawing. Its file is opened before the search: a search may take long, and a file that
/// cannot be written should fail at once.
#[derive(Debug)]
pub(super) struct Drawing {
    output: Output,
    language: DrawingFormat,
}

/// Where a drawing is written.
#[derive(Debug)]
enum Output {
    File(PathBuf, File),
    StandardOutput,
}

/// The language of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum DrawingFormat {
    Dot,
    Mermaid,
}

/// Whether a path means standard output.
pub(super) fn is_standard_output(path: &Path) -> bool {
    path.as_os_str() == "-"
}

impl Drawing {
    /// Opens the files for the drawings that were asked for; `-` is standard output.
    ///
    /// # Errors
    /// If a file cannot be written, or both drawings go to the same place.
    pub(super) fn open(dot: Option<&Path>, mermaid: Option<&Path>) -> anyhow::Result<Vec<Self>> {
        if dot.is_some() && dot == mermaid {
            bail!("--dot and --mermaid need a file each");
        }
        let drawings = [(dot, DrawingFormat::Dot), (mermaid, DrawingFormat::Mermaid)].into_iter();
        drawings.filter_map(|(path, language)| Some(Self::create(path?, language))).collect()
    }

    fn create(path: &Path, language: DrawingFormat) -> anyhow::Result<Self> {
        let output = if is_standard_output(path) {
            Output::StandardOutput
        } else {
            let file = File::create(path).with_context(|| cannot_be_written(path))?;
            Output::File(path.to_owned(), file)
        };
        Ok(Self { output, language })
    }

    /// Writes the graph.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(&mut self, graph: &Graph) -> anyhow::Result<()> {
        let text = match self.language {
            DrawingFormat::Dot => graph.to_dot(),
            DrawingFormat::Mermaid => graph.to_mermaid(),
        };
        match &mut self.output {
            Output::StandardOutput => console::print(&text),
            Output::File(path, file) => file
                .write_all(text.as_bytes())
                .with_context(|| DeviceFailure::new(cannot_be_written(path))),
        }
    }

    /// The facts about the drawing.
    pub(super) fn drawn(&self, graph: &Graph) -> DrawnFile {
        let file = match &self.output {
            Output::StandardOutput => "standard output".to_owned(),
            Output::File(path, _) => path.display().to_string(),
        };
        DrawnFile { file, language: self.language, states: graph.states() as u64 }
    }
}

fn cannot_be_written(path: &Path) -> String {
    format!("the drawing cannot be written to {}", path.display())
}
