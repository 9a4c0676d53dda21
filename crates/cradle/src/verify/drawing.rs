//! States as files for Graphviz and Mermaid.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use checker::Graph;
use serde::Serialize;

use super::verification::Drawn;

/// A file that states are drawn into, opened before the search so that nobody waits in vain.
#[derive(Debug)]
pub(super) struct Drawing {
    path: PathBuf,
    file: File,
    language: Language,
}

/// How a drawing is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Language {
    Dot,
    Mermaid,
}

impl Drawing {
    /// Opens the files that were asked for.
    ///
    /// # Errors
    /// If a file cannot be written, or both are one.
    pub(super) fn open(dot: Option<&Path>, mermaid: Option<&Path>) -> anyhow::Result<Vec<Self>> {
        if dot.is_some() && dot == mermaid {
            bail!("--dot and --mermaid need a file each");
        }
        let asked = [(dot, Language::Dot), (mermaid, Language::Mermaid)].into_iter();
        asked.filter_map(|(path, language)| Some(Self::create(path?, language))).collect()
    }

    fn create(path: &Path, language: Language) -> anyhow::Result<Self> {
        let file = File::create(path).with_context(|| cannot_be_written(path))?;
        Ok(Self { path: path.to_owned(), file, language })
    }

    /// Writes the graph.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn write(&mut self, graph: &Graph) -> anyhow::Result<()> {
        let text = match self.language {
            Language::Dot => graph.to_dot(),
            Language::Mermaid => graph.to_mermaid(),
        };
        self.file.write_all(text.as_bytes()).with_context(|| cannot_be_written(&self.path))
    }

    /// What is in the file.
    pub(super) fn drawn(&self, graph: &Graph) -> Drawn {
        let (file, language) = (self.path.display().to_string(), self.language);
        Drawn { file, language, states: graph.states() as u64 }
    }
}

fn cannot_be_written(path: &Path) -> String {
    format!("the drawing cannot be written to {}", path.display())
}
