//! A text as it was read.

use crate::build::build;
use crate::built::BuiltText;
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::lexer::lines;
use crate::limits::{Bound, Budget, BuildLimits, Exceeded};
use crate::parameters::GivenParameter;
use crate::parser::parse;
use crate::span::Span;
use crate::syntax::SyntaxTree;

/// A text in the notation: what it says, and what is wrong with it.
#[derive(Clone, Debug)]
pub struct Document {
    text: String,
    tree: SyntaxTree,
    diagnostics: Diagnostics,
    limits: BuildLimits,
}

impl Document {
    /// Reads a text with the usual bounds.
    pub fn read(text: impl Into<String>) -> Self {
        Self::read_within(text, BuildLimits::default())
    }

    /// Reads a text with these bounds.
    pub fn read_within(text: impl Into<String>, limits: BuildLimits) -> Self {
        let mut text = text.into();
        // Some editors write a byte order mark before a text. It is no part of it.
        if text.starts_with('\u{feff}') {
            text.remove(0);
        }
        let mut diagnostics = Diagnostics::default();
        let tree = if text.len() as u64 > limits.bytes {
            let exceeded = Exceeded::Total { bound: Bound::Bytes, limit: limits.bytes };
            diagnostics.report(exceeded.code(), Span::default(), exceeded.sentence());
            SyntaxTree::default()
        } else {
            parse(&lines(&text, &mut diagnostics), &mut diagnostics)
        };
        Self { text, tree, diagnostics, limits }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn tree(&self) -> &SyntaxTree {
        &self.tree
    }

    /// The mistakes in the form of the text, in its order.
    pub(crate) fn mistakes_of_form(&self) -> Vec<Diagnostic> {
        self.diagnostics.clone().into_list()
    }

    /// All mistakes and warnings, in the order of the text, with these parameters.
    #[must_use]
    pub fn check(&self, given: &[GivenParameter]) -> Vec<Diagnostic> {
        match self.build(given) {
            Ok(built) => built.warnings().to_vec(),
            Err(diagnostics) => diagnostics,
        }
    }

    /// The events, b-threads and properties of the text, with these parameters.
    ///
    /// # Errors
    /// All mistakes and warnings, if there is a mistake.
    pub fn build(&self, given: &[GivenParameter]) -> Result<BuiltText, Vec<Diagnostic>> {
        let mut diagnostics = self.diagnostics.clone();
        let is_too_long = self.text.len() as u64 > self.limits.bytes;
        let built = if is_too_long {
            None
        } else {
            let mut budget = Budget::new(self.limits);
            build(&self.text, &self.tree, given, &mut budget, &mut diagnostics)
        };
        built.ok_or_else(|| diagnostics.into_list())
    }

    /// Whether the text has a mistake in its form.
    #[must_use]
    pub fn is_malformed(&self) -> bool {
        let mistakes = self.mistakes_of_form();
        mistakes.iter().any(|diagnostic| diagnostic.severity() == Severity::Mistake)
    }
}
