//! Mistakes and warnings, and how they are told.

use std::fmt;

use bthread::sorting::sort_short_by;
use serde::Serialize;

use crate::span::{LineColumn, Span, line_column, line_of};
use crate::suggestion::did_you_mean;

/// A mistake or a warning: what is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// The kind.
    pub code: DiagnosticCode,
    /// The part of the text that is wrong.
    pub span: Span,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
}

/// Whether a text with it can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The text cannot be used.
    Mistake,
    /// The text can be used, but probably does not mean what it says.
    Warning,
}

/// Defines the codes with their texts, so that none is without.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// A kind of mistake or warning. Its text is stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum DiagnosticCode {
            $($(#[$doc])* $name,)*
        }

        impl DiagnosticCode {
            /// All codes.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The code as text, for programs: `unknown-event`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

codes! {
    /// A sentence has no closing quote.
    OpenQuote = "open-quote",
    /// A character means nothing.
    UnknownCharacter = "unknown-character",
    /// Something else is expected here.
    Unexpected = "unexpected",
    /// A line does not begin with a word that can stand there.
    UnknownWord = "unknown-word",
    /// A line is indented where no block can stand, or less than its neighbours.
    Indentation = "indentation",
    /// A block is missing, or there are two.
    Block = "block",
    /// Blocks or brackets are nested too deeply, or an expression is too long.
    TooDeep = "too-deep",
    /// A number is too large.
    LargeNumber = "large-number",
    /// The first line does not say whether it is a game or a program.
    NoBeginning = "no-beginning",
    /// A word that is reserved is used as a name.
    ReservedWord = "reserved-word",
    /// A clause stands twice in a sync point.
    ClauseTwice = "clause-twice",
    /// A branch of `either` does not begin with a sync point.
    EitherWithoutSyncPoint = "either-without-sync-point",
    /// A name is declared twice.
    DeclaredTwice = "declared-twice",
    /// No event has this name.
    UnknownEvent = "unknown-event",
    /// No set has this name.
    UnknownSet = "unknown-set",
    /// No value, variable or parameter has this name.
    UnknownName = "unknown-name",
    /// No seat has this name.
    UnknownSeat = "unknown-seat",
    /// A value has no such part.
    UnknownPart = "unknown-part",
    /// A parameter that was given from outside does not exist, or has no such value.
    UnknownParameter = "unknown-parameter",
    /// Values of different kinds stand where one kind is needed.
    MixedKinds = "mixed-kinds",
    /// A value has another kind than the one that is needed.
    WrongKind = "wrong-kind",
    /// An argument could belong to several parameters of an event.
    AmbiguousArgument = "ambiguous-argument",
    /// An event has fewer parameters than arguments were written.
    TooManyArguments = "too-many-arguments",
    /// Something stands in a program that only a game has, or the other way round.
    OnlyInGames = "only-in-games",
    /// A strategy blocks events.
    StrategyBlocks = "strategy-blocks",
    /// A requirement requests or blocks events.
    RequirementActs = "requirement-acts",
    /// `fail` stands outside of a requirement.
    FailOutside = "fail-outside",
    /// A weight stands outside of chance, or is not a number from 1 to 1000.
    Weight = "weight",
    /// A game has no seats, or no moves.
    IncompleteGame = "incomplete-game",
    /// An event has meanings that do not fit together.
    Meaning = "meaning",
    /// A variable is read before it has a value.
    NoValueYet = "no-value-yet",
    /// A b-thread goes round without a sync point.
    NoSyncPoint = "no-sync-point",
    /// A variable grows without end.
    EndlessValues = "endless-values",
    /// A variable leaves its range before the first sync point.
    LeavesRange = "leaves-range",
    /// The text is too long.
    TooManyBytes = "too-many-bytes",
    /// The sets have too many values.
    TooManyValues = "too-many-values",
    /// There are too many events.
    TooManyEvents = "too-many-events",
    /// There are too many b-threads.
    TooManyBThreads = "too-many-b-threads",
    /// The b-threads have too many states together.
    TooManyStates = "too-many-states",
    /// Building takes too many steps.
    TooManySteps = "too-many-steps",
    /// What is built takes too much memory.
    TooMuchMemory = "too-much-memory",
    /// Nobody requests or offers an event.
    UnusedEvent = "unused-event",
    /// A b-thread can never take its first step.
    NeverStarts = "never-starts",
    /// A rule without a sentence can refuse a move.
    SilentRule = "silent-rule",
    /// An argument is not in the set of its parameter, so that there is no such event.
    OutsideSet = "outside-set",
    /// A condition after `where` leaves nothing.
    NothingLeft = "nothing-left",
    /// A requirement can stop watching.
    StopsWatching = "stops-watching",
}

impl DiagnosticCode {
    /// Whether it is a mistake or a warning.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self {
            Self::UnusedEvent
            | Self::NeverStarts
            | Self::SilentRule
            | Self::OutsideSet
            | Self::NothingLeft
            | Self::StopsWatching => Severity::Warning,
            _ => Severity::Mistake,
        }
    }
}

impl Serialize for DiagnosticCode {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl fmt::Display for DiagnosticCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Diagnostic {
    pub(crate) fn new(code: DiagnosticCode, span: Span, message: impl Into<String>) -> Self {
        Self { code, span, message: message.into() }
    }

    /// Whether it is a mistake or a warning.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Where it begins in the text that it is about.
    #[must_use]
    pub fn place(&self, text: &str) -> LineColumn {
        line_column(text, self.span.start)
    }

    /// Where it ends in the text that it is about.
    #[must_use]
    pub fn end(&self, text: &str) -> LineColumn {
        line_column(text, self.span.end)
    }

    /// The file, the place, the sentence, and the line with the wrong part marked.
    #[must_use]
    pub fn render(&self, file: &str, text: &str) -> String {
        let LineColumn { line, column } = self.place(text);
        let word = match self.severity() {
            Severity::Mistake => "mistake",
            Severity::Warning => "warning",
        };
        let shown = line_of(text, self.span.start);
        let Self { code, message, .. } = self;
        let margin = " ".repeat(line.to_string().len());
        let LineCut { shown, before, marks } =
            LineCut::around(shown, column as usize - 1, self.marked(text).max(1));
        let (before, marks) = (" ".repeat(before), "^".repeat(marks));
        format!(
            "{file}:{line}:{column}: {word} [{code}]: {message}\n\
             {margin} |\n{line} | {shown}\n{margin} | {before}{marks}"
        )
    }

    /// The number of wrong characters on the first wrong line.
    fn marked(&self, text: &str) -> usize {
        let part = text.get(self.span.start as usize..self.span.end as usize).unwrap_or("");
        part.split(['\n', '\r']).next().unwrap_or("").chars().count()
    }
}

/// The most characters of a line that are shown.
const WIDEST: usize = 160;

/// The part of a line that is shown, and what is marked in it, in characters.
struct LineCut {
    shown: String,
    before: usize,
    marks: usize,
}

impl LineCut {
    /// Cuts a long line so that the marks are seen, or at least their beginning.
    fn around(line: &str, before: usize, marks: usize) -> Self {
        let length = line.chars().count();
        if length <= WIDEST {
            return Self { shown: line.to_owned(), before, marks };
        }
        // Room for the dots on both sides; a third of the rest is left before the marks.
        let room = WIDEST - 2;
        let start = before.saturating_sub(room / 3).min(length - room);
        let part: String = line.chars().skip(start).take(room).collect();
        let left = if start > 0 { "…" } else { "" };
        let right = if start + room < length { "…" } else { "" };
        let before = (before - start).min(room - 1) + left.chars().count();
        let shown = format!("{left}{part}{right}");
        Self { marks: marks.min(shown.chars().count() - before).max(1), shown, before }
    }
}

/// The most diagnostics that are kept: a text of noise has thousands, and nobody reads them.
const MOST: usize = 100;

/// The first diagnostics, for which similar words are looked up. For all of them that could take a
/// second.
const MOST_HINTS: usize = 20;

/// Mistakes and warnings that were found so far, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Diagnostics {
    list: Vec<Diagnostic>,
    has_mistake: bool,
    is_unread: bool,
}

impl Diagnostics {
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.has_mistake |= diagnostic.severity() == Severity::Mistake;
        if self.list.len() < MOST && !self.list.contains(&diagnostic) {
            self.list.push(diagnostic);
        }
    }

    pub(crate) fn report(&mut self, code: DiagnosticCode, span: Span, message: impl Into<String>) {
        self.push(Diagnostic::new(code, span, message));
    }

    /// Diagnostics that nobody reads.
    pub(crate) fn unread() -> Self {
        Self { is_unread: true, ..Self::default() }
    }

    /// What was probably meant by a word that is not known: "; did you mean `mark`?", or nothing.
    #[expect(
        single_use_lifetimes,
        reason = "an anonymous lifetime cannot stand in `impl Trait` yet"
    )]
    pub(crate) fn hint<'a>(&self, word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
        let is_wanted = !self.is_unread && self.list.len() < MOST_HINTS;
        if is_wanted { did_you_mean(word, known) } else { String::new() }
    }

    pub(crate) fn has_mistakes(&self) -> bool {
        self.has_mistake
    }

    /// All of them, in the order of the text.
    pub(crate) fn into_list(mut self) -> Vec<Diagnostic> {
        let key = |diagnostic: &Diagnostic| (diagnostic.span, diagnostic.code);
        sort_short_by(&mut self.list, |one, other| key(one).cmp(&key(other)));
        self.list
    }
}
