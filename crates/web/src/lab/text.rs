//! The text in the lab, with its mistakes and its b-threads.

use notation::{BuildLimits, BuiltText, Diagnostic, Document, Severity, ThreadRoleWord};

/// A text, what is wrong with it, and what it says.
#[derive(Clone, Debug)]
pub struct LabText {
    document: Document,
    built: Option<BuiltText>,
    diagnostics: Vec<Diagnostic>,
}

/// A family of b-threads, or a property: what a switch beside the text is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchedFamily {
    /// The name.
    pub name: String,
    /// The line of its declaration, counted from 1.
    pub line: u32,
    /// The last line of its block.
    pub last_line: u32,
    /// Its b-threads; none if it is a property.
    pub members: Vec<String>,
    /// What it is for; `None` if it is a property.
    pub role: Option<ThreadRoleWord>,
}

/// The most bytes of a text in the lab, as on a server.
const MOST_BYTES: u64 = 64 * 1024;

impl LabText {
    /// Reads a text.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let limits = BuildLimits { bytes: MOST_BYTES, ..BuildLimits::default() };
        let document = Document::read_within(text, limits);
        let (built, diagnostics) = match document.build(&[]) {
            Ok(built) => {
                let warnings = built.warnings().to_vec();
                (Some(built), warnings)
            }
            Err(diagnostics) => (None, diagnostics),
        };
        Self { document, built, diagnostics }
    }

    /// The text as it is written.
    #[must_use]
    pub fn source(&self) -> &str {
        self.document.text()
    }

    /// The text as it was read.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// What the text says; `None` if it has a mistake.
    #[must_use]
    pub fn built(&self) -> Option<&BuiltText> {
        self.built.as_ref()
    }

    /// The mistakes and warnings, in the order of the text.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The number of mistakes; warnings are none.
    #[must_use]
    pub fn mistakes(&self) -> usize {
        let is_mistake = |each: &&Diagnostic| each.severity() == Severity::Mistake;
        self.diagnostics.iter().filter(is_mistake).count()
    }

    /// The name on the first line, as far as it can be read.
    #[must_use]
    pub fn name(&self) -> String {
        let mut words = self
            .source()
            .lines()
            .find(|line| line.starts_with("game ") || line.starts_with("program "))
            .unwrap_or_default()
            .split_whitespace()
            .skip(1);
        words.next().unwrap_or("text").to_owned()
    }

    /// The families and properties, in the order of the text.
    #[must_use]
    pub fn families(&self) -> Vec<SwitchedFamily> {
        let Some(built) = &self.built else { return Vec::new() };
        let mut families: Vec<SwitchedFamily> = Vec::new();
        for thread in built.threads() {
            let (name, line) = (thread.name().family().to_owned(), thread.line());
            let member = thread.name().to_string();
            match families.iter_mut().find(|family| family.line == line) {
                Some(family) => family.members.push(member),
                None => families.push(SwitchedFamily {
                    name,
                    line,
                    last_line: line,
                    members: vec![member],
                    role: Some(thread.role()),
                }),
            }
        }
        for property in built.properties() {
            let (name, line) = (property.name().to_owned(), property.line());
            if !families.iter().any(|family| family.line == line) {
                // B-threads are in the order of the text, and properties are put between them.
                let place = families.partition_point(|family| family.line < line);
                let (last_line, members) = (line, Vec::new());
                let family = SwitchedFamily { name, line, last_line, members, role: None };
                families.insert(place, family);
            }
        }
        let lines: Vec<&str> = self.source().lines().collect();
        for family in &mut families {
            family.last_line = last_line(&lines, family.line);
        }
        families
    }

    /// The names among these that a family, a member or a property has.
    #[must_use]
    pub fn known(&self, names: &[String]) -> Vec<String> {
        let families = self.families();
        let is_known = |name: &&String| {
            families.iter().any(|family| family.name == **name || family.members.contains(name))
        };
        names.iter().filter(is_known).cloned().collect()
    }
}

/// The last line of the block that a line begins.
fn last_line(lines: &[&str], first: u32) -> u32 {
    let mut last = first;
    for (number, line) in (first + 1..).zip(lines.iter().skip(first as usize)) {
        if line.starts_with(' ') {
            last = number;
        } else if !line.trim().is_empty() {
            break;
        }
    }
    last
}
