//! A run at a prompt.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind, IsTerminal, StdinLock, Write, stdin};

use notation::{
    PossibleEvent, RunExplanation, RunPace, RunRefusal, RunStatus, RunStep, TextRun, ThreadPart,
};

use super::co_process::violations;
use super::line_editor::{LineEditor, TypedLine};
use super::session::RunSession;
use crate::console::visible;
use crate::input_line::{UnreadableLine, next_line};

/// The longest line that is read, in bytes.
const LONGEST_LINE: u64 = 1 << 16;

/// The most possible events that are listed unless somebody asks for all.
const MOST_LISTED: usize = 12;

const HINT: &str =
    "Write an event or its number, or: why EVENT, possible, threads, undo, save FILE, help, quit.";

const HELP: [&str; 9] = [
    "an event, or its number in the list: lets it happen; spaces do not matter",
    "Tab: completes an event or a command; a second Tab lists what can be meant",
    "Up and Down: earlier lines",
    "why EVENT: which b-threads request it, wait for it and block it",
    "possible: everything that can happen now",
    "threads: what each b-thread does now",
    "undo: takes the last event back, and what followed from it",
    "save FILE: saves the run; the same command with --from FILE goes on there",
    "quit, exit or q: ends",
];

/// The commands that Tab completes.
const COMMANDS: &[&str] = &["help", "possible", "quit", "save ", "threads", "undo", "why "];

const PROMPT: &str = "> ";

/// Where the lines of a prompt come from.
pub(super) enum PromptInput {
    /// A person edits them at a terminal.
    Typed(Box<LineEditor>),
    /// They come as they are. Unless a terminal shows them, they are repeated.
    Plain { input: StdinLock<'static>, is_repeated: bool },
}

/// How a prompt has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PromptEnd {
    /// The person quit, or the input ended.
    Fine,
    /// Ctrl-C was typed into a line.
    Interrupted,
}

/// The command on a line.
enum PromptCommand<'a> {
    Nothing,
    Quit,
    Help,
    Possible,
    Threads,
    Undo,
    Why(&'a str),
    Save(&'a str),
    /// Lists the events that begin like this.
    Complete(&'a str),
    Event(&'a str),
}

impl PromptInput {
    /// The input of this process.
    pub(super) fn of_process() -> io::Result<Self> {
        if let Some(editor) = LineEditor::at_terminal()? {
            return Ok(Self::Typed(Box::new(editor)));
        }
        let input = stdin().lock();
        let is_repeated = !input.is_terminal();
        Ok(Self::Plain { input, is_repeated })
    }

    /// Shows the prompt and reads a line.
    fn next(&mut self, run: &TextRun, output: &mut impl Write) -> io::Result<PromptLine> {
        match self {
            Self::Typed(editor) => Ok(match editor.next_line(PROMPT, COMMANDS, run)? {
                TypedLine::Line(line) => PromptLine::Line(Ok(line)),
                TypedLine::End => PromptLine::End,
                TypedLine::Interrupt => PromptLine::Interrupt,
            }),
            Self::Plain { input, is_repeated } => {
                write!(output, "{PROMPT}")?;
                output.flush()?;
                let Some(line) = next_line(input, LONGEST_LINE)? else {
                    writeln!(output)?;
                    return Ok(PromptLine::End);
                };
                if *is_repeated {
                    let shown = line.as_deref().unwrap_or_default().trim();
                    writeln!(output, "{}", visible(shown))?;
                }
                Ok(PromptLine::Line(line))
            }
        }
    }
}

/// What comes from the input.
enum PromptLine {
    Line(Result<String, UnreadableLine>),
    End,
    Interrupt,
}

/// Runs with this input and output until the person quits or the input ends.
pub(super) fn serve(
    session: &mut RunSession,
    pace: RunPace,
    opening: &[RunStep],
    mut input: PromptInput,
    output: &mut impl Write,
) -> io::Result<PromptEnd> {
    write_lines(&introduction(session.run(), pace), output)?;
    write_lines(&happened(opening), output)?;
    write_lines(&situation(session.run()), output)?;
    output.flush()?;
    loop {
        let line = match input.next(session.run(), output)? {
            PromptLine::Line(line) => line,
            PromptLine::Interrupt => return Ok(PromptEnd::Interrupted),
            PromptLine::End => {
                writeln!(output, "The input has ended.")?;
                return Ok(PromptEnd::Fine);
            }
        };
        let lines = match &line {
            Err(unreadable) => vec![unreadable.to_string()],
            Ok(line) => match parse(line) {
                PromptCommand::Quit => return Ok(PromptEnd::Fine),
                command => reply(session, &command),
            },
        };
        write_lines(&lines, output)?;
        output.flush()?;
    }
}

fn write_lines(lines: &[String], output: &mut impl Write) -> io::Result<()> {
    lines.iter().try_for_each(|line| writeln!(output, "{}", visible(line)))
}

fn introduction(run: &TextRun, pace: RunPace) -> Vec<String> {
    let text = run.text();
    let summary = text.summary().map(|summary| format!(": {summary}"));
    let first = format!("{}{}.", text.name(), summary.unwrap_or_default());
    let who = match pace {
        RunPace::Steps => "Nothing happens automatically: you choose every event.",
        RunPace::Supersteps => "B-threads act by themselves; you act for everybody else.",
    };
    vec![first, who.to_owned(), HINT.to_owned()]
}

fn parse(line: &str) -> PromptCommand<'_> {
    if let Some(begun) = line.trim_end_matches(['\n', '\r']).strip_suffix('\t') {
        return PromptCommand::Complete(begun.trim());
    }
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    match (word, rest) {
        ("", _) => PromptCommand::Nothing,
        ("quit" | "exit" | "q", "") => PromptCommand::Quit,
        ("help" | "h" | "?", "") => PromptCommand::Help,
        ("possible", "") => PromptCommand::Possible,
        ("threads", "") => PromptCommand::Threads,
        ("undo", "") => PromptCommand::Undo,
        ("why", event) if !event.is_empty() => PromptCommand::Why(event),
        ("save", file) if !file.is_empty() => PromptCommand::Save(file),
        _ => PromptCommand::Event(line),
    }
}

fn reply(session: &mut RunSession, command: &PromptCommand<'_>) -> Vec<String> {
    match command {
        PromptCommand::Nothing | PromptCommand::Quit => Vec::new(),
        PromptCommand::Help => HELP.map(str::to_owned).into(),
        PromptCommand::Possible => listed(&session.run().possible(), usize::MAX),
        PromptCommand::Threads => threads(session.run()),
        PromptCommand::Undo if session.undo() => {
            [vec!["Taken back.".to_owned()], situation(session.run())].concat()
        }
        PromptCommand::Undo => vec!["There is nothing to take back.".to_owned()],
        PromptCommand::Why(event) => why(session.run(), event),
        PromptCommand::Save(file) => vec![save(session.run(), file)],
        PromptCommand::Complete(begun) => completed(session.run(), begun),
        PromptCommand::Event(words) => event(session, words),
    }
}

/// Lets an event happen that is written out or has this number in the list.
fn event(session: &mut RunSession, words: &str) -> Vec<String> {
    let listed = words.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let possible = session.run().possible();
    let name = listed.and_then(|number| possible.get(number)).map(|each| each.event.to_string());
    match session.trigger(name.as_deref().unwrap_or(words)) {
        Ok(steps) => [happened(&steps), situation(session.run())].concat(),
        Err(refusal) => {
            let unknown = matches!(refusal, RunRefusal::UnknownEvent { .. });
            let advice = unknown.then(|| "Write help for all commands.".to_owned());
            let first = format!("{} Nothing changed.", sentence(&refusal.to_string()));
            std::iter::once(first).chain(advice).collect()
        }
    }
}

/// The text as a sentence. A capital would change the name of an event.
fn sentence(text: &str) -> String {
    let text = match text.strip_prefix("no event") {
        Some(rest) => format!("No event{rest}"),
        None => text.to_owned(),
    };
    if text.ends_with('?') { text } else { text + "." }
}

/// What happened, one line for each event.
fn happened(steps: &[RunStep]) -> Vec<String> {
    let line = |step: &RunStep| {
        let who = |part| step.who(part).map(ToString::to_string).collect::<Vec<_>>();
        let requested = who(ThreadPart::Requested);
        let by = match (&*requested, &step.seat) {
            ([], Some(seat)) => format!(", a move of {seat}"),
            ([], None) => String::new(),
            (names, _) => format!(", requested by {}", names.join(", ")),
        };
        let ended = who(ThreadPart::Interrupted);
        let ended =
            if ended.is_empty() { String::new() } else { format!(", ends {}", ended.join(", ")) };
        format!("* {}{by}{ended}", step.event)
    };
    steps.iter().map(line).collect()
}

/// What is possible now, or why nothing is.
fn situation(run: &TextRun) -> Vec<String> {
    let mut lines: Vec<String> =
        violations(run).into_iter().map(|violation| format!("Violated: {violation}")).collect();
    lines.extend(run.outcome().map(|outcome| format!("The game is over: {outcome}.")));
    match run.status() {
        RunStatus::Open | RunStatus::Over => lines.extend(listed(&run.possible(), MOST_LISTED)),
        RunStatus::Ended => lines.push("Nothing is requested any more: it has ended.".to_owned()),
        RunStatus::Stuck => {
            lines.push("It is stuck: everything that is requested is blocked.".to_owned());
            lines.extend(blocked(run).into_iter().take(MOST_LISTED));
        }
    }
    lines
}

/// The blocked requests, each with the b-threads that block it.
fn blocked(run: &TextRun) -> Vec<String> {
    let requested = run.text().events().map(|event| run.explain(&event));
    let requested = requested.filter(|explanation| !explanation.requested_by.is_empty());
    let line = |explanation: RunExplanation| {
        let RunExplanation { event, requested_by, blocked_by, .. } = explanation;
        let blockers: Vec<String> = blocked_by.iter().map(ToString::to_string).collect();
        let wanted = requested_by.join(", ");
        format!("  {event}, requested by {wanted}: blocked by {}", blockers.join(", "))
    };
    requested.map(line).collect()
}

fn listed(possible: &[PossibleEvent], most: usize) -> Vec<String> {
    let line = |(number, each): (usize, &PossibleEvent)| {
        let wanted: Vec<String> = each.wanted_by.iter().map(ToString::to_string).collect();
        format!("{number:>3} {}, wanted by {}", each.event, wanted.join(", "))
    };
    let mut lines: Vec<String> = (1..).zip(possible).take(most).map(line).collect();
    let rest = possible.len().saturating_sub(most);
    lines.extend((rest > 0).then(|| format!("    and {rest} more: write possible for all")));
    lines
}

fn threads(run: &TextRun) -> Vec<String> {
    let line = |(thread, does): (&notation::BuiltThread, String)| {
        format!("{} (line {}): {does}", thread.name(), thread.line())
    };
    run.threads().map(line).collect()
}

fn why(run: &TextRun, name: &str) -> Vec<String> {
    match run.text().event_called(name) {
        Ok(event) => {
            let explanation = run.explain(&event);
            let can = run.possible().iter().any(|possible| possible.event == event);
            let can = if can { "can happen now" } else { "cannot happen now" };
            let lines = explanation.to_string();
            let lines = lines.lines().map(|line| format!("  {line}"));
            std::iter::once(format!("{event} {can}:")).chain(lines).collect()
        }
        Err(refusal) => vec![sentence(&refusal.to_string())],
    }
}

/// The possible events that begin like this.
fn completed(run: &TextRun, begun: &str) -> Vec<String> {
    let possible = run.possible();
    let names = possible.iter().map(|each| each.event.to_string());
    let fitting: Vec<String> = names.filter(|name| name.starts_with(begun)).collect();
    if fitting.is_empty() {
        return vec![format!("Nothing that can happen now begins with {begun:?}.")];
    }
    vec![fitting.join("  ")]
}

/// Saves the run in a new file.
fn save(run: &TextRun, path: &str) -> String {
    let written = || -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        serde_json::to_writer(&mut file, &run.snapshot())?;
        file.write_all(b"\n")?;
        file.sync_all()
    };
    match written() {
        Ok(()) => format!("Saved in {path}."),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            format!("{path} exists already and was not changed: choose another name.")
        }
        Err(error) => format!("{path} cannot be written: {error}. The run goes on."),
    }
}
