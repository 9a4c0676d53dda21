//! Lines that a person types at a terminal, completed by Tab and kept as a history.

use std::env;
use std::io::{self, IsTerminal, stdin, stdout};

use notation::TextRun;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

/// Reads lines from the terminal of this process.
///
/// `rustyline` knows the keys of other prompts (history, search, deleting words, Ctrl-Z), also for
/// wide characters and narrow windows. The full screen of `cradle play` has nothing of that kind.
pub(super) struct LineEditor {
    editor: Editor<PromptWords, MemHistory>,
}

/// What a person has done at the prompt.
pub(super) enum TypedLine {
    Line(String),
    /// Ctrl-D on an empty line.
    End,
    /// Ctrl-C.
    Interrupt,
}

/// The words that Tab completes.
#[derive(Default)]
pub(super) struct PromptWords {
    commands: &'static [&'static str],
    /// The events that can happen now.
    possible: Vec<String>,
    /// All events.
    events: Vec<String>,
}

/// The most lines that are remembered.
const MOST_REMEMBERED: usize = 1000;

/// Terminals that cannot move their cursor.
const WITHOUT_CURSOR: [&str; 3] = ["dumb", "cons25", "emacs"];

impl LineEditor {
    /// An editor, if a person sits at a terminal on which a line can be edited.
    ///
    /// # Errors
    /// If the terminal cannot be used.
    pub(super) fn at_terminal() -> io::Result<Option<Self>> {
        let kind = env::var("TERM").unwrap_or_default();
        let is_plain = WITHOUT_CURSOR.iter().any(|plain| kind.eq_ignore_ascii_case(plain));
        if is_plain || !stdin().is_terminal() || !stdout().is_terminal() {
            return Ok(None);
        }
        // A pasted line break is an Enter, as without an editor.
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .bracketed_paste(false)
            .auto_add_history(true)
            .max_history_size(MOST_REMEMBERED)
            .map_err(failure)?
            .build();
        let history = MemHistory::with_config(&config);
        let mut editor = Editor::with_history(config, history).map_err(failure)?;
        editor.set_helper(Some(PromptWords::default()));
        Ok(Some(Self { editor }))
    }

    /// The next line. Tab completes these commands, and the events of a run.
    ///
    /// # Errors
    /// If the terminal fails.
    pub(super) fn next_line(
        &mut self,
        prompt: &str,
        commands: &'static [&'static str],
        run: &TextRun,
    ) -> io::Result<TypedLine> {
        let possible = run.possible().iter().map(|each| each.event.to_string()).collect();
        let events = run.text().events().map(|event| event.to_string()).collect();
        self.editor.set_helper(Some(PromptWords { commands, possible, events }));
        match self.editor.readline(prompt) {
            Ok(line) => Ok(TypedLine::Line(line)),
            Err(ReadlineError::Eof) => Ok(TypedLine::End),
            Err(ReadlineError::Interrupted) => Ok(TypedLine::Interrupt),
            Err(error) => Err(failure(error)),
        }
    }
}

fn failure(error: ReadlineError) -> io::Error {
    match error {
        ReadlineError::Io(error) => error,
        other => io::Error::other(other),
    }
}

impl PromptWords {
    /// The place in a line from which it is completed, and what can stand there.
    fn completions(&self, begun: &str) -> (usize, Vec<String>) {
        let written = begun.trim_start();
        if let Some(event) = written.strip_prefix("why ") {
            let event = event.trim_start();
            return (begun.len() - event.len(), fitting(&self.events, event));
        }
        let mut found = fitting(&self.possible, written);
        let commands = self.commands.iter().filter(|command| command.starts_with(written));
        found.extend(commands.map(|command| (*command).to_owned()));
        (begun.len() - written.len(), found)
    }
}

/// The events that begin like this. Spaces do not matter.
fn fitting(events: &[String], begun: &str) -> Vec<String> {
    let is_letter = |character: &char| !character.is_whitespace();
    let begins = |event: &&String| {
        let mut letters = event.chars().filter(is_letter);
        begun.chars().filter(is_letter).all(|letter| letters.next() == Some(letter))
    };
    events.iter().filter(begins).cloned().collect()
}

impl Completer for PromptWords {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.completions(line.get(..position).unwrap_or(line)))
    }
}

impl Hinter for PromptWords {
    type Hint = String;
}

impl Highlighter for PromptWords {}

impl Validator for PromptWords {}

impl Helper for PromptWords {}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(begun: &str, start: usize, expected: &[&str]) {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let possible = words(&["pick(1, 1)", "pick(1, 2)", "think"]);
        let events = words(&["pick(1, 1)", "pick(1, 2)", "release(1, 1)", "think"]);
        let known = PromptWords { commands: &["threads", "why "], possible, events };
        assert_eq!(known.completions(begun), (start, words(expected)));
    }

    #[test]
    fn what_can_happen_now_and_commands_are_completed() {
        check("", 0, &["pick(1, 1)", "pick(1, 2)", "think", "threads", "why "]);
        check("th", 0, &["think", "threads"]);
        check("  thr", 2, &["threads"]);
        check("release", 0, &[]);
    }

    #[test]
    fn spaces_within_an_event_do_not_matter() {
        check("pick(1,2", 0, &["pick(1, 2)"]);
        check("pick( 1 , 1", 0, &["pick(1, 1)"]);
        check("pick(1, 2) ", 0, &["pick(1, 2)"]);
    }

    #[test]
    fn any_event_can_be_asked_about() {
        check("why rel", 4, &["release(1, 1)"]);
        check("why  pick(1,2", 5, &["pick(1, 2)"]);
        check("why x", 4, &[]);
    }
}
