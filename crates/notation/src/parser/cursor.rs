//! The words of one line, one after the other.

use crate::diagnostic::{DiagnosticCode, Diagnostics};
use crate::lexer::{Lexeme, LexemeKind, SourceLine};
use crate::span::Span;
use crate::syntax::{Identifier, Sentence};
use crate::words::is_reserved;

/// A mistake was reported, and the rest of the line is skipped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Skipped;

/// What was parsed, or nothing because of a mistake.
pub(super) type Parsed<T> = Result<T, Skipped>;

/// Reads the words of one line from left to right.
pub(super) struct Cursor<'a, 'd> {
    lexemes: &'a [Lexeme<'a>],
    at: usize,
    end: Span,
    pub(super) depth: u32,
    pub(super) operators: u32,
    /// How tightly the operators of the present expression bind at most.
    pub(super) strongest: u8,
    pub(super) diagnostics: &'d mut Diagnostics,
}

impl<'a, 'd> Cursor<'a, 'd> {
    pub(super) fn new(line: &'a SourceLine<'a>, diagnostics: &'d mut Diagnostics) -> Self {
        let end = Span { start: line.span.end, end: line.span.end };
        let end =
            line.lexemes.last().map_or(end, |last| Span { start: last.span.end, ..last.span });
        Self {
            lexemes: &line.lexemes,
            at: 0,
            end,
            depth: 0,
            operators: 0,
            strongest: u8::MAX,
            diagnostics,
        }
    }

    pub(super) fn peek(&self) -> Option<Lexeme<'a>> {
        self.lexemes.get(self.at).copied()
    }

    pub(super) fn peek_at(&self, ahead: usize) -> &'a str {
        self.lexemes.get(self.at + ahead).map_or("", |lexeme| lexeme.text)
    }

    /// Whether the next word or symbol is this one.
    pub(super) fn is_at(&self, text: &str) -> bool {
        self.peek_at(0) == text
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.lexemes.len()
    }

    /// Whether this word stands anywhere in the rest of the line.
    pub(super) fn has_ahead(&self, word: &str) -> bool {
        self.lexemes.iter().skip(self.at).any(|lexeme| lexeme.text == word)
    }

    /// The place of the next word.
    pub(super) fn span(&self) -> Span {
        self.peek().map_or(self.end, |lexeme| lexeme.span)
    }

    /// The place of the last word that was read.
    pub(super) fn last_span(&self) -> Span {
        let last = self.at.checked_sub(1).and_then(|at| self.lexemes.get(at));
        last.map_or(self.end, |lexeme| lexeme.span)
    }

    pub(super) fn skip(&mut self) {
        self.at += 1;
    }

    /// Takes the next word or symbol if it is this one.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let is_it = self.is_at(text);
        self.at += usize::from(is_it);
        is_it
    }

    pub(super) fn expect(&mut self, text: &str) -> Parsed<()> {
        if self.take(text) { Ok(()) } else { self.unexpected(&format!("`{text}`")) }
    }

    /// Takes a comma, unless a list in brackets ends here.
    pub(super) fn expect_comma_or_end(&mut self) -> Parsed<()> {
        if self.is_at(")") || self.take(",") { Ok(()) } else { self.unexpected("`,` or `)`") }
    }

    /// Reports that something else is expected here.
    pub(super) fn unexpected<T>(&mut self, expected: &str) -> Parsed<T> {
        let found = match self.peek() {
            Some(lexeme) => format!("`{}`", lexeme.text),
            None => "the end of the line".to_owned(),
        };
        self.fail(DiagnosticCode::Unexpected, format!("expected {expected}, but found {found}"))
    }

    pub(super) fn fail<T>(
        &mut self,
        code: DiagnosticCode,
        message: impl Into<String>,
    ) -> Parsed<T> {
        let span = self.span();
        self.diagnostics.report(code, span, message);
        Err(Skipped)
    }

    /// Reports whatever is left of the line.
    pub(super) fn expect_end(&mut self) -> Parsed<()> {
        if self.is_at_end() { Ok(()) } else { self.unexpected("the end of the line") }
    }

    /// A name that is not reserved.
    pub(super) fn name(&mut self, what: &str) -> Parsed<Identifier> {
        match self.peek() {
            Some(Lexeme { kind: LexemeKind::Word, text, span }) => {
                if is_reserved(text) {
                    let message = format!("`{text}` is a word of sync points: choose another name");
                    return self.fail(DiagnosticCode::ReservedWord, message);
                }
                self.skip();
                Ok(Identifier { text: text.to_owned(), span })
            }
            _ => self.unexpected(what),
        }
    }

    /// Names with commas between them.
    pub(super) fn names(&mut self, what: &str) -> Parsed<Vec<Identifier>> {
        let mut names = vec![self.name(what)?];
        while self.take(",") {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    /// A sentence in quotes, if one is next.
    pub(super) fn sentence(&mut self) -> Option<Sentence> {
        let lexeme = self.peek().filter(|next| next.kind == LexemeKind::Sentence)?;
        self.skip();
        Some(Sentence { text: lexeme.text.trim_matches('"').to_owned() })
    }
}
