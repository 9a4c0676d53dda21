//! The parts of a text that an editor colours.

use crate::diagnostic::Diagnostics;
use crate::document::Document;
use crate::lexer::{Lexeme, LexemeKind, SourceLine, lines};
use crate::span::Span;
use crate::words::{DECLARATION_WORDS, MEANING_WORDS, STATEMENT_WORDS, VALUE_WORDS};

/// A part of a text that an editor colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: HighlightKind,
}

/// What a coloured part of a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HighlightKind {
    /// A word of the notation.
    Keyword,
    /// The name that a line declares.
    Declared,
    /// A family of events.
    Event,
    /// A sentence in quotes.
    Sentence,
    /// A number.
    Number,
    /// From `#` to the end of the line.
    Comment,
}

impl Document {
    /// The parts that an editor colours, in the order of the text. They need no correct text.
    #[must_use]
    pub fn highlights(&self) -> Vec<Highlight> {
        let lines = lines(self.text(), &mut Diagnostics::unread());
        let declares_event = |line: &SourceLine<'_>| match &*line.lexemes {
            [first, name, ..] if line.indent == 0 && first.text == "event" => {
                Some(name.text.to_owned())
            }
            _ => None,
        };
        let events: Vec<String> = lines.iter().filter_map(declares_event).collect();
        let mut found = Vec::new();
        for line in &lines {
            for (place, lexeme) in line.lexemes.iter().enumerate() {
                let kind = kind(line, place, lexeme, &events);
                found.extend(kind.map(|kind| Highlight { span: lexeme.span, kind }));
            }
            if let Some(comment) = line.comment {
                let end = line.span.end;
                let length = u32::try_from(comment.len()).unwrap_or(u32::MAX);
                let span = Span { start: end.saturating_sub(length), end };
                found.push(Highlight { span, kind: HighlightKind::Comment });
            }
        }
        found
    }
}

fn kind(
    line: &SourceLine<'_>,
    place: usize,
    lexeme: &Lexeme<'_>,
    events: &[String],
) -> Option<HighlightKind> {
    let is_top = line.indent == 0;
    let first = line.lexemes.first().map_or("", |first| first.text);
    match lexeme.kind {
        LexemeKind::Sentence => Some(HighlightKind::Sentence),
        LexemeKind::Number => Some(HighlightKind::Number),
        LexemeKind::Symbol => None,
        LexemeKind::Word if is_top && place == 0 => {
            DECLARATION_WORDS.contains(&lexeme.text).then_some(HighlightKind::Keyword)
        }
        LexemeKind::Word if is_top && place == 1 && first != "place" && first != "seats" => {
            Some(HighlightKind::Declared)
        }
        LexemeKind::Word if events.iter().any(|event| event == lexeme.text) => {
            Some(HighlightKind::Event)
        }
        LexemeKind::Word => {
            let words = || MEANING_WORDS.iter().chain(&VALUE_WORDS);
            let is_meaning = is_top && words().any(|word| *word == lexeme.text);
            let is_known =
                is_meaning || lexeme.text == "nobody" || STATEMENT_WORDS.contains(&lexeme.text);
            is_known.then_some(HighlightKind::Keyword)
        }
    }
}
