//! A text in one form.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::document::Document;
use crate::lexer::{Lexeme, LexemeKind, SourceLine, lines};
use crate::syntax::Declaration;
use crate::words::is_reserved;

/// The longest beginning of an event that the meanings of its neighbours are aligned with.
const LONGEST_ALIGNED: usize = 40;

impl Document {
    /// The text in one form: two spaces for each block, one space between words, at most one empty
    /// line in a row, and the meanings of neighbouring events in one column. Comments are kept.
    ///
    /// # Errors
    /// All mistakes in the form of the text, if there are any.
    pub fn format(&self) -> Result<String, Vec<Diagnostic>> {
        if self.is_malformed() {
            return Err(self.mistakes_of_form());
        }
        let mut formed = Vec::new();
        let meanings = self.meaning_starts();
        let mut indents: Vec<usize> = vec![0];
        let lines = lines(self.text(), &mut Diagnostics::unread());
        for (number, line) in lines.iter().enumerate() {
            // A comment belongs to the line below it, unless it ends a block.
            let shown = lines.iter().skip(number).find(|next| !next.lexemes.is_empty());
            let depth = depth_of(shown.unwrap_or(line), line, &mut indents);
            formed.push(FormedLine::new(line, depth, &meanings));
        }
        align(&mut formed);
        Ok(joined(&formed))
    }

    /// Where the meanings of events begin.
    fn meaning_starts(&self) -> Vec<u32> {
        let starts = self.tree().items.iter().filter_map(|item| match item {
            Declaration::Event(event) => event.meanings_start,
            _ => None,
        });
        starts.collect()
    }
}

/// How many blocks a line is in.
fn depth_of(shown: &SourceLine<'_>, line: &SourceLine<'_>, indents: &mut Vec<usize>) -> usize {
    if line.lexemes.is_empty() {
        let below = if shown.lexemes.is_empty() { 0 } else { shown.indent };
        // At the end of a block, a comment that is written in it stays in it.
        let ends_block = indents.last().is_some_and(|last| below < *last);
        if ends_block && line.indent > below {
            return indents.iter().filter(|indent| **indent <= line.indent).count() - 1;
        }
        return indents.iter().filter(|indent| **indent < below).count();
    }
    while indents.len() > 1 && indents.last().is_some_and(|last| line.indent < *last) {
        indents.pop();
    }
    if indents.last().is_some_and(|last| line.indent > *last) {
        indents.push(line.indent);
    }
    indents.len() - 1
}

/// A line in its form.
struct FormedLine {
    indent: usize,
    words: String,
    /// The meanings, if it declares an event.
    meanings: Option<String>,
    is_event: bool,
    comment: Option<String>,
}

impl FormedLine {
    fn new(line: &SourceLine<'_>, depth: usize, meaning_starts: &[u32]) -> Self {
        let is_event =
            depth == 0 && line.lexemes.first().is_some_and(|first| first.text == "event");
        let start =
            line.lexemes.iter().position(|lexeme| meaning_starts.contains(&lexeme.span.start));
        let (words, meanings) = match start.and_then(|start| line.lexemes.split_at_checked(start)) {
            Some((words, meanings)) => (words, Some(spaced(meanings))),
            None => (&line.lexemes[..], None),
        };
        Self {
            indent: 2 * depth,
            words: spaced(words),
            meanings,
            is_event,
            comment: line.comment.map(|comment| comment.trim_end().to_owned()),
        }
    }

    fn is_empty(&self) -> bool {
        self.words.is_empty() && self.comment.is_none()
    }
}

/// Words with one space between them, except around brackets and points.
fn spaced(lexemes: &[Lexeme<'_>]) -> String {
    let mut text = String::new();
    let mut before: Option<(Lexeme<'_>, bool)> = None;
    // The name of a game may have hyphens.
    let is_header = lexemes.first().is_some_and(|first| matches!(first.text, "game" | "program"));
    for lexeme in lexemes {
        if let Some((last, is_sign)) = before
            && has_space(last, is_sign, *lexeme)
            && !(is_header && (last.text == "-" || lexeme.text == "-"))
        {
            text.push(' ');
        }
        text.push_str(lexeme.text);
        // `-` is a sign if no value stands before it.
        let is_value_before = before.is_some_and(|(last, _)| {
            last.kind == LexemeKind::Word
                || last.kind == LexemeKind::Number
                || matches!(last.text, ")" | "}")
        });
        before = Some((*lexeme, lexeme.text == "-" && !is_value_before));
    }
    text
}

/// Words before which no bracket is a list of arguments, beside those that are reserved.
const BEFORE_BRACKETS: [&str; 6] = ["with", "never", "can", "of", "through", "until"];

/// Whether a space stands between two neighbours.
fn has_space(left: Lexeme<'_>, is_sign: bool, right: Lexeme<'_>) -> bool {
    let is_name = left.kind == LexemeKind::Word
        && !is_reserved(left.text)
        && !BEFORE_BRACKETS.contains(&left.text);
    match (left.text, right.text) {
        ("(" | "{" | "." | "?" | ".." | "/", _) | (_, ")" | "}" | "," | ":" | "." | ".." | "/") => {
            false
        }
        ("-", _) if is_sign => false,
        (_, "(") => !is_name,
        _ => true,
    }
}

/// Puts the meanings of neighbouring events in one column.
fn align(lines: &mut [FormedLine]) {
    let mut start = 0;
    while start < lines.len() {
        let run = lines[start..].iter().take_while(|line| line.is_event).count();
        if let Some(run) = lines.get_mut(start..start + run) {
            align_run(run);
        }
        start += run.max(1);
    }
}

fn align_run(run: &mut [FormedLine]) {
    let length = |line: &FormedLine| line.words.chars().count();
    let short = run.iter().map(length).filter(|length| *length <= LONGEST_ALIGNED);
    let column = short.max().unwrap_or(0);
    for line in run {
        if let Some(meanings) = line.meanings.take() {
            let gap = column.saturating_sub(length(line)) + 2;
            line.words = format!("{}{}{meanings}", line.words, " ".repeat(gap));
        }
    }
}

fn joined(lines: &[FormedLine]) -> String {
    let mut text = String::new();
    let mut is_after_empty = true;
    for line in lines {
        if line.is_empty() {
            if !is_after_empty {
                text.push('\n');
            }
            is_after_empty = true;
            continue;
        }
        is_after_empty = false;
        text.push_str(&" ".repeat(line.indent));
        text.push_str(&line.words);
        if let Some(comment) = &line.comment {
            if !line.words.is_empty() {
                text.push_str("  ");
            }
            text.push_str(comment);
        }
        text.push('\n');
    }
    while text.ends_with("\n\n") {
        text.pop();
    }
    text
}
