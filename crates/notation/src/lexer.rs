//! Lines and the words in them.

use crate::diagnostic::{Diagnostic, DiagnosticCode, Diagnostics};
use crate::span::Span;

/// A word, a number, a sentence in quotes, or a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lexeme<'a> {
    pub(crate) kind: LexemeKind,
    pub(crate) text: &'a str,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LexemeKind {
    Word,
    Number,
    /// A sentence, with its quotes.
    Sentence,
    Symbol,
}

/// One line of a text.
#[derive(Clone, Debug)]
pub(crate) struct SourceLine<'a> {
    /// The number of spaces before the first word.
    pub(crate) indent: usize,
    pub(crate) lexemes: Vec<Lexeme<'a>>,
    /// From `#` to the end of the line.
    pub(crate) comment: Option<&'a str>,
    /// The whole line, without spaces at its end.
    pub(crate) span: Span,
}

/// Longer ones first, because the first that matches is taken.
const SYMBOLS: [&str; 20] = [
    "..", "==", "!=", "<=", ">=", "<", ">", "=", "(", ")", "{", "}", ",", ":", ".", "+", "-", "*",
    "/", "?",
];

/// The lines of a text, also the empty ones.
pub(crate) fn lines<'a>(text: &'a str, diagnostics: &mut Diagnostics) -> Vec<SourceLine<'a>> {
    let mut start = 0;
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        lines.push(read_line(line.trim_end(), start, diagnostics));
        start += line.len();
    }
    lines
}

fn read_line<'a>(line: &'a str, start: usize, diagnostics: &mut Diagnostics) -> SourceLine<'a> {
    let words = line.trim_start_matches(' ');
    let indent = line.len() - words.len();
    let mut read = SourceLine {
        indent,
        lexemes: Vec::new(),
        comment: None,
        span: Span::new(start, start + line.len()),
    };
    let mut rest = words;
    while !rest.is_empty() {
        let at = start + line.len() - rest.len();
        if rest.starts_with('#') {
            read.comment = Some(rest);
            break;
        }
        let (length, kind) = next_lexeme(rest);
        let (text, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        let span = Span::new(at, at + text.len());
        match kind {
            Ok(Some(kind)) => read.lexemes.push(Lexeme { kind, text, span }),
            Ok(None) => {}
            Err(code) => diagnostics.push(unreadable(code, text, span)),
        }
        rest = after;
    }
    read
}

/// The length of the next lexeme, and its kind; `None` for a space.
fn next_lexeme(rest: &str) -> (usize, Result<Option<LexemeKind>, DiagnosticCode>) {
    let first = rest.chars().next().unwrap_or(' ');
    let length_while = |test: fn(char) -> bool| rest.find(|c| !test(c)).unwrap_or(rest.len());
    match first {
        ' ' => (1, Ok(None)),
        '"' => match rest.char_indices().skip(1).find(|(_, c)| *c == '"') {
            Some((end, _)) => (end + 1, Ok(Some(LexemeKind::Sentence))),
            None => (rest.len(), Err(DiagnosticCode::OpenQuote)),
        },
        _ if first.is_ascii_digit() => {
            (length_while(|c| c.is_ascii_digit()), Ok(Some(LexemeKind::Number)))
        }
        _ if is_word(first) => (length_while(is_word), Ok(Some(LexemeKind::Word))),
        _ => match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            Some(symbol) => (symbol.len(), Ok(Some(LexemeKind::Symbol))),
            None => (first.len_utf8(), Err(DiagnosticCode::UnknownCharacter)),
        },
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn unreadable(code: DiagnosticCode, text: &str, span: Span) -> Diagnostic {
    let message = match code {
        DiagnosticCode::OpenQuote => "this sentence has no closing quote".to_owned(),
        _ if text == "\t" => "a tab cannot stand here: write spaces".to_owned(),
        _ => format!("the character {text:?} means nothing here"),
    };
    Diagnostic::new(code, span, message)
}
