//! What an editor wants to know of a text: where names are declared, and what can stand somewhere.
//!
//! It reads words and not the syntax tree, so that it works while a line is being written.

use bthread::sorting::sort_short_by;

use crate::built::BuiltText;
use crate::diagnostic::Diagnostics;
use crate::document::Document;
use crate::lexer::{Lexeme, LexemeKind, SourceLine, lines};
use crate::span::Span;
use crate::words::{
    DECLARATION_WORDS, MEANING_WORDS, RING_PARTS, SQUARE_PARTS, STATEMENT_WORDS, VALUE_WORDS,
};

/// A name that a text declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextDefinition {
    /// The name.
    pub name: String,
    /// What it stands for.
    pub kind: DefinitionKind,
    /// Where it is declared.
    pub span: Span,
    /// The line that declares it, without spaces around it.
    pub declaration: String,
    /// Where it is known; everywhere if there is none.
    scope: Option<Span>,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DefinitionKind {
    /// A game or a program.
    Text,
    /// A number that can be given from outside.
    Parameter,
    /// A set, a ring, a grid, or rows.
    Set,
    /// A member of a set.
    Value,
    /// A family of events.
    Event,
    /// A family of b-threads.
    Thread,
    /// A property.
    Property,
    /// A variable of a b-thread, or a parameter of an event or of a b-thread.
    Variable,
}

impl Document {
    /// The names that the text declares, in its order.
    #[must_use]
    pub fn definitions(&self) -> Vec<TextDefinition> {
        let mut unreported = Diagnostics::unread();
        let lines = lines(self.text(), &mut unreported);
        let mut reader = OutlineReader { text: self.text(), found: Vec::new() };
        for (number, line) in lines.iter().enumerate() {
            if line.indent == 0 && !line.lexemes.is_empty() {
                let below = lines.iter().skip(number + 1);
                let is_below = |line: &&SourceLine<'_>| line.indent > 0 || line.lexemes.is_empty();
                let last = below.take_while(is_below).last().unwrap_or(line);
                reader.declaration(line, Span { start: line.span.start, end: last.span.end });
            } else {
                reader.statement(line);
            }
        }
        reader.found
    }

    /// The definition of the word at a byte; inside of a b-thread, its own names come first.
    #[must_use]
    pub fn definition_at(&self, byte: u32) -> Option<TextDefinition> {
        let (word, span) = self.word_at(byte)?;
        let known = self.definitions().into_iter().filter(|known| known.name == word);
        let known: Vec<TextDefinition> =
            known.filter(|known| known.scope.is_none_or(|scope| scope.holds(span))).collect();
        let own = known.iter().find(|known| known.scope.is_some());
        own.or_else(|| known.first()).cloned()
    }

    /// The word at a byte, or just before it.
    fn word_at(&self, byte: u32) -> Option<(String, Span)> {
        let mut unreported = Diagnostics::unread();
        let lines = lines(self.text(), &mut unreported);
        let words = lines.iter().flat_map(|line| &line.lexemes);
        let mut words = words.filter(|word| word.kind == LexemeKind::Word);
        let word = words.find(|word| word.span.start <= byte && byte <= word.span.end)?;
        Some((word.text.to_owned(), word.span))
    }

    /// The words that can stand at a byte: names that are known there, and words of the notation.
    #[must_use]
    pub fn completions_at(&self, byte: u32) -> Vec<(String, Option<DefinitionKind>)> {
        let before = self.text().get(..byte as usize).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        let word = line.trim_end_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
        if word.ends_with('.') && !word.ends_with("..") {
            return self.parts();
        }
        let is_first = !line.trim_start().contains(char::is_whitespace);
        let words: &[&str] = match (is_first, line.starts_with(' ')) {
            (true, false) => return keywords(&DECLARATION_WORDS),
            (_, true) => &STATEMENT_WORDS,
            (false, false) => &MEANING_WORDS,
        };
        let here = Span { start: byte, end: byte };
        let is_known = |known: &TextDefinition| known.scope.is_none_or(|scope| scope.holds(here));
        let names = self.definitions().into_iter().filter(is_known);
        let is_name = |known: &TextDefinition| {
            !matches!(known.kind, DefinitionKind::Text | DefinitionKind::Property)
        };
        let names = names.filter(is_name).map(|known| (known.name, Some(known.kind)));
        let words = keywords(words).into_iter().chain(keywords(&VALUE_WORDS));
        let mut all: Vec<_> = names.chain(words).collect();
        sort_short_by(&mut all, |one, other| one.0.cmp(&other.0));
        all.dedup_by(|one, other| one.0 == other.0);
        all
    }
}

impl Document {
    /// The parts that values of the text can have, and the columns of its rows.
    fn parts(&self) -> Vec<(String, Option<DefinitionKind>)> {
        let mut unreported = Diagnostics::unread();
        let lines = lines(self.text(), &mut unreported);
        let begins = |words: &[&str]| {
            let mut firsts = lines.iter().filter_map(|line| line.lexemes.first());
            firsts.any(|first| words.contains(&first.text))
        };
        let mut parts = Vec::new();
        if begins(&["grid"]) {
            parts.extend(keywords(&SQUARE_PARTS));
        }
        if begins(&["ring", "seats"]) {
            parts.extend(keywords(&RING_PARTS));
        }
        let rows =
            lines.iter().filter(|line| line.lexemes.first().is_some_and(|w| w.text == "rows"));
        for columns in rows.flat_map(|line| formal_names(line.lexemes.get(2..).unwrap_or(&[]))) {
            parts.push((columns.text.to_owned(), Some(DefinitionKind::Variable)));
        }
        parts
    }
}

/// The names in `(seat, from: square)`.
fn formal_names<'l, 'a>(rest: &'l [Lexeme<'a>]) -> impl Iterator<Item = &'l Lexeme<'a>> {
    let is_list = rest.first().is_some_and(|lexeme| lexeme.text == "(");
    let inner = rest.windows(2).take_while(move |pair| is_list && pair[0].text != ")");
    let is_name = |pair: &&[Lexeme<'_>]| {
        pair[1].kind == LexemeKind::Word && matches!(pair[0].text, "(" | ",")
    };
    inner.filter(is_name).map(|pair| &pair[1])
}

fn keywords(words: &[&str]) -> Vec<(String, Option<DefinitionKind>)> {
    words.iter().map(|word| ((*word).to_owned(), None)).collect()
}

/// Reads declarations word by word.
struct OutlineReader<'a> {
    text: &'a str,
    found: Vec<TextDefinition>,
}

impl OutlineReader<'_> {
    fn add(&mut self, word: &Lexeme<'_>, kind: DefinitionKind, scope: Option<Span>) {
        let line = crate::span::line_of(self.text, word.span.start).trim().to_owned();
        let (name, span) = (word.text.to_owned(), word.span);
        self.found.push(TextDefinition { name, kind, span, declaration: line, scope });
    }

    /// A line without indentation, whose block ends where the scope does.
    fn declaration(&mut self, line: &SourceLine<'_>, scope: Span) {
        let [first, name, rest @ ..] = &*line.lexemes else { return };
        let kind = match first.text {
            "game" | "program" => DefinitionKind::Text,
            "parameter" => DefinitionKind::Parameter,
            "set" | "ring" | "grid" | "rows" => DefinitionKind::Set,
            "event" => DefinitionKind::Event,
            "require" if is_property(rest) => DefinitionKind::Property,
            "rule" | "strategy" | "chance" | "thread" | "world" | "require" => {
                DefinitionKind::Thread
            }
            "seats" => return self.members(&line.lexemes[1..]),
            _ => return,
        };
        if name.kind == LexemeKind::Word {
            self.add(name, kind, None);
        }
        match kind {
            DefinitionKind::Event | DefinitionKind::Thread => {
                self.formal_parameters(rest, scope);
                self.variables(rest, scope);
            }
            DefinitionKind::Set if first.text != "grid" && first.text != "rows" => {
                self.members(rest);
            }
            _ => {}
        }
    }

    /// A line of a block: what a b-thread keeps and remembers.
    fn statement(&mut self, line: &SourceLine<'_>) {
        let scope = self.found.iter().rev().find(|known| known.scope.is_none());
        let Some(kind) = scope.map(|owner| owner.kind) else { return };
        if kind != DefinitionKind::Thread {
            return;
        }
        let start = scope.map_or(0, |owner| owner.span.start);
        let end = block_end(self.text, line.span.end);
        self.variables(&line.lexemes, Span { start, end });
    }

    /// `(seat, from: square)`
    fn formal_parameters(&mut self, rest: &[Lexeme<'_>], scope: Span) {
        for name in formal_names(rest) {
            self.add(name, DefinitionKind::Variable, Some(scope));
        }
    }

    /// `keep left` and `?n`
    fn variables(&mut self, words: &[Lexeme<'_>], scope: Span) {
        for pair in words.windows(2) {
            let [before, word] = pair else { continue };
            let declares = matches!(before.text, "keep" | "?") && word.kind == LexemeKind::Word;
            let is_known = |known: &TextDefinition| {
                known.name == word.text && known.scope.is_some_and(|scope| scope.holds(word.span))
            };
            if declares && !self.found.iter().any(is_known) {
                self.add(word, DefinitionKind::Variable, Some(scope));
            }
        }
    }

    /// Names with commas between them that are not known yet.
    fn members(&mut self, words: &[Lexeme<'_>]) {
        let words = words.iter().filter(|word| word.text != "=" && word.text != ",");
        let words: Vec<&Lexeme<'_>> = words.collect();
        if words.iter().any(|word| word.kind != LexemeKind::Word) {
            return;
        }
        for word in words {
            if !self.found.iter().any(|known| known.name == word.text) {
                self.add(word, DefinitionKind::Value, None);
            }
        }
    }
}

/// Whether what follows the name of a requirement is a claim and no block.
fn is_property(rest: &[Lexeme<'_>]) -> bool {
    let claim = rest.iter().skip_while(|word| word.text != ":").nth(1);
    claim.is_some_and(|word| matches!(word.text, "never" | "can" | "ends" | "probability"))
}

/// The byte before the next line without indentation.
fn block_end(text: &str, byte: u32) -> u32 {
    let rest = text.get(byte as usize..).unwrap_or_default();
    let mut end = byte as usize;
    for line in rest.split_inclusive('\n') {
        let is_next = end > byte as usize && line.starts_with(|first: char| !first.is_whitespace());
        if is_next && !line.starts_with('#') {
            break;
        }
        end += line.len();
    }
    u32::try_from(end).unwrap_or(u32::MAX)
}

impl Span {
    /// Whether another part lies in this one.
    fn holds(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

impl BuiltText {
    /// What a name stands for, in words: the events of a family, its b-threads, the members of a set.
    #[must_use]
    pub fn about(&self, name: &str, kind: DefinitionKind) -> Option<String> {
        let symbols = &self.0.symbols;
        match kind {
            DefinitionKind::Event => {
                let family = &symbols.families[symbols.family_number(name)?];
                let events = family.first..family.first + family.count;
                let names = events.map(|event| self.0.names.name(event).to_owned());
                Some(listed("event", "events", names.collect()))
            }
            DefinitionKind::Thread => {
                let members = self.threads().iter().filter(|thread| thread.name.family() == name);
                let names = members.map(|thread| thread.name.to_string());
                Some(listed("b-thread", "b-threads", names.collect()))
            }
            DefinitionKind::Set => {
                let set = symbols.set(symbols.set_number(name)?);
                let names = set.members.iter().map(|member| symbols.write(member));
                Some(listed("value", "values", names.collect()))
            }
            DefinitionKind::Parameter => Some(format!("now {}", symbols.parameter(name)?)),
            DefinitionKind::Value => {
                let value = symbols.values.get(name)?;
                let sets = symbols.sets.iter().filter(|set| set.place(value).is_some());
                let sets = sets.map(|set| set.name.clone());
                Some(format!("a value of {}", sets.collect::<Vec<_>>().join(", ")))
            }
            DefinitionKind::Text => self.summary().map(str::to_owned),
            DefinitionKind::Property | DefinitionKind::Variable => None,
        }
    }
}

/// The most names that are listed.
const MOST_LISTED: usize = 12;

fn listed(one: &str, several: &str, names: Vec<String>) -> String {
    let count = names.len();
    let word = if count == 1 { one } else { several };
    let rest = if count > MOST_LISTED { ", …" } else { "" };
    let shown = names.into_iter().take(MOST_LISTED).collect::<Vec<_>>().join(", ");
    format!("{count} {word}: {shown}{rest}")
}
