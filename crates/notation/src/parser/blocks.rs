//! Lines that belong to the line above them.

use crate::diagnostic::{DiagnosticCode, Diagnostics};
use crate::lexer::SourceLine;

/// A line and the lines that are indented below it.
pub(super) struct LineBlock<'a> {
    pub(super) line: &'a SourceLine<'a>,
    pub(super) below: Vec<Self>,
}

/// The deepest nesting of blocks.
pub(super) const DEEPEST: usize = 24;

impl LineBlock<'_> {
    /// The first word of the line.
    pub(super) fn first(&self) -> &str {
        self.line.lexemes.first().map_or("", |lexeme| lexeme.text)
    }
}

/// Arranges lines in blocks. Lines without words are left out.
pub(super) fn arrange<'a>(
    lines: &'a [SourceLine<'a>],
    diagnostics: &mut Diagnostics,
) -> Vec<LineBlock<'a>> {
    // The blocks that are open, each with the indentation of its lines.
    let mut open: Vec<(usize, Vec<LineBlock<'a>>)> = vec![(0, Vec::new())];
    for line in lines.iter().filter(|line| !line.lexemes.is_empty()) {
        while open.len() > 1 && open.last().is_some_and(|(indent, _)| line.indent < *indent) {
            close(&mut open);
        }
        let indent = open.last().map_or(0, |(indent, _)| *indent);
        let above = open.last().and_then(|(_, lines)| lines.last());
        let (has_above, has_block) =
            (above.is_some(), above.is_some_and(|above| !above.below.is_empty()));
        let is_deep = open.len() > DEEPEST;
        if line.indent != indent && (!has_above || has_block || is_deep) {
            report(line, is_deep, diagnostics);
        }
        if line.indent > indent && has_above && !is_deep {
            open.push((line.indent, Vec::new()));
        }
        if let Some((_, block)) = open.last_mut() {
            block.push(LineBlock { line, below: Vec::new() });
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    open.pop().map(|(_, block)| block).unwrap_or_default()
}

/// Moves the innermost block below the line that it belongs to.
fn close(open: &mut Vec<(usize, Vec<LineBlock<'_>>)>) {
    if let Some((_, block)) = open.pop()
        && let Some(above) = open.last_mut().and_then(|(_, lines)| lines.last_mut())
    {
        above.below.extend(block);
    }
}

fn report(line: &SourceLine<'_>, is_deep: bool, diagnostics: &mut Diagnostics) {
    let Some(first) = line.lexemes.first() else { return };
    if is_deep {
        let message = format!("blocks are nested at most {DEEPEST} deep");
        diagnostics.report(DiagnosticCode::TooDeep, first.span, message);
    } else {
        let message = "this line is not indented like the lines above it";
        diagnostics.report(DiagnosticCode::Indentation, first.span, message);
    }
}
