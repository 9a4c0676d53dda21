//! B-programs and games as text: reading, checking, formatting and building them.
//!
//! ```
//! use bthread::Event;
//! use checker::Verdict;
//! use notation::{Document, ModelOptions, SearchLimits};
//!
//! let text = "\
//! program hot-and-cold \"Hot and cold water, by turns\"
//!
//! event hot
//! event cold
//!
//! thread AddHot: 3 times: request hot
//! thread AddCold: 3 times: request cold
//! thread Interleave
//!   forever
//!     wait for hot, block cold
//!     wait for cold, block hot
//!
//! require ColdLast: ends with cold
//! ";
//! let built = Document::read(text).build(&[]).unwrap();
//! let model = built.model(&ModelOptions::default())?;
//! let report = model.verify(built.properties(), SearchLimits::default())?;
//! assert_eq!((report.states, report.verdict()), (7, Verdict::Holds));
//!
//! let wrong = Document::read(text.replace("request hot", "request hott"));
//! let mistakes = wrong.check(&[]);
//! assert_eq!(mistakes[0].message, "no event is called `hott`; did you mean `hot`?");
//! # Ok::<(), notation::NotAModel>(())
//! ```
//!
//! `docs/notation.md` describes the notation for people who write in it.
//!
//! # What is here
//!
//! - [`Document`]: a text that was read, with its mistakes ([`Diagnostic`]). It can be formatted,
//!   and built with values for its parameters.
//! - [`BuiltText`]: its events ([`TextEvent`]), b-threads and properties. A game has a
//!   [`TextRulebook`], so everything that works with games works with it; every text has a
//!   [`TextModel`] for the checker.
//! - [`TextRun`]: a text that runs event by event, with explanations and snapshots, for people and
//!   other programs.
//! - [`BuildLimits`]: what a text may ask for. A stranger's text is safe to open: reading and
//!   building it never panics, and stops at a bound.
//!
//! # How it works
//!
//! The lexer and the parser are written by hand. The notation is made of lines, so a mistake spoils
//! one line, and the parser goes on with the next one: that is all the recovery it needs. Parser
//! libraries would add more code to the page than the parser has, and their messages would have to
//! be replaced.
//!
//! Every b-thread is explored alone, for each combination of its parameters: its states are its
//! sync points with the values that it may still read. A b-thread whose states follow one another
//! becomes a script, exactly as if it was written in Rust; any other becomes a state with a table.

mod b_threads;
mod build;
mod built;
mod code;
mod compile;
mod declare;
mod diagnostic;
mod document;
mod evaluate;
mod event_bits;
mod explore;
mod format;
mod highlight;
mod lexer;
mod limits;
mod meaning;
mod outline;
mod parameters;
mod parser;
mod resolver;
mod span;
mod suggestion;
mod symbols;
mod syntax;
mod text_board;
mod text_event;
mod text_model;
mod text_rulebook;
mod text_run;
mod thread_table;
mod values;
mod verify;
mod weave;
mod words;
mod world_histories;

pub use built::{BuiltText, BuiltThread, TextProperty};
pub use diagnostic::{Diagnostic, DiagnosticCode, Severity};
pub use document::Document;
pub use highlight::{Highlight, HighlightKind};
pub use limits::BuildLimits;
pub use outline::{DefinitionKind, TextDefinition};
pub use parameters::{GivenParameter, NotAParameter};
pub use span::{LineColumn, Span};
pub use syntax::{TextForm, ThreadRoleWord};
pub use text_board::TextBoard;
pub use text_event::{TextEvent, TextEventKind};
pub use text_model::{ModelOptions, NotAModel, TextModel};
pub use text_rulebook::{NotAGame, TextMove, TextRulebook};
pub use text_run::{
    EventWish, NotASnapshot, PossibleEvent, RunExplanation, RunPace, RunRefusal, RunSnapshot,
    RunStatus, RunStep, TextRun, ThreadPart, ThreadPlace, ThreadSet,
};
pub use verify::{SearchLimits, VerifyProgress};
pub use weave::{WeaveForm, WeaveWords, escaped, weave};
pub use words::{DECLARATION_WORDS, MEANING_WORDS, STATEMENT_WORDS, VALUE_WORDS};
