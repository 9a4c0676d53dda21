//! A session line by line, for pipes and dumb terminals.

use std::io::{self, BufRead, ErrorKind, IsTerminal, Write, stdin, stdout};

use anyhow::Context;
use game::{Game, seat_name};

use super::explanation::Explanation;
use super::session::{NextActor, PlayError, PlaySession, has_numbered_cells};
use super::text;
use crate::console::visible;
use crate::exit_reason::DeviceFailure;
use crate::input_line::next_line;
use crate::wrap::{WIDTH, wrapped};

/// The command on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineCommand<'a> {
    Move(&'a str),
    /// Asks why this move is refused.
    WhyNot(&'a str),
    /// Asks why the computer made its last move.
    Why,
    Undo,
    NewRound,
    Resign,
    Quit,
    Help,
    Nothing,
}

/// What to print after a command.
#[derive(Clone, Debug, PartialEq, Eq)]
enum LineReply {
    /// The new events of the round.
    Events,
    /// This sentence and the position: a move was taken back, or a round began.
    Position(String),
    /// These lines: nothing changed.
    Lines(Vec<String>),
    /// Nothing: the session is over.
    End,
}

/// Whether input lines appear in the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InputEcho {
    /// The terminal shows what is typed.
    ByTerminal,
    /// We repeat what a pipe delivers.
    Repeated,
}

const HINT: &str = "Write a move, or: ? (why), ? MOVE (why not), undo, new, resign, help, quit.";

const HELP: [&str; 8] = [
    "a move: makes it; capitals and spaces do not matter",
    "?: why the computer made its last move",
    "? and a move: why it is refused, or that it is allowed",
    "undo: takes back your last move and everything after it",
    "new: begins another round; an unfinished one does not count",
    "resign: gives up this round",
    "help: what the game is, and this list",
    "quit, exit or q: ends",
];

/// Plays with standard input and output until the person quits or the input ends. Notes the session
/// whenever it has changed.
///
/// # Errors
/// If input cannot be read or output cannot be written.
pub(super) fn run(session: &mut PlaySession, note: impl Fn(&PlaySession)) -> anyhow::Result<()> {
    let echo = if stdin().is_terminal() { InputEcho::ByTerminal } else { InputEcho::Repeated };
    match play(session, stdin().lock(), &mut stdout().lock(), echo, note) {
        // A reader that leaves early is no failure.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        played => played.context(DeviceFailure::new("the game was cut short")),
    }
}

fn play(
    session: &mut PlaySession,
    mut input: impl BufRead,
    output: &mut impl Write,
    echo: InputEcho,
    note: impl Fn(&PlaySession),
) -> io::Result<()> {
    note(session);
    writeln!(output, "{}: {}.", session.game().name(), text::pairing(session))?;
    print_lines(&introduction(session), output)?;
    print_progress(session, 0, output)?;
    prompt(session, output)?;
    while let Some(line) = next_line(&mut input, LONGEST_LINE)? {
        if echo == InputEcho::Repeated {
            writeln!(output, "{}", visible(line.as_deref().unwrap_or_default().trim()))?;
        }
        let printed = text::log(session).len();
        let replied = line.map_or_else(
            |unreadable| LineReply::Lines(vec![unreadable.to_string()]),
            |line| reply(session, parse(&line)),
        );
        match replied {
            LineReply::End => return Ok(()),
            LineReply::Events => print_progress(session, printed, output)?,
            LineReply::Position(sentence) => {
                let printed = text::log(session).len();
                writeln!(output, "{sentence}")?;
                print_progress(session, printed, output)?;
            }
            LineReply::Lines(lines) => print_lines(&lines, output)?,
        }
        note(session);
        prompt(session, output)?;
    }
    writeln!(output, "\nThe input has ended.")
}

/// The longest line that is read, in bytes.
const LONGEST_LINE: u64 = 1 << 16;

/// What the game is and how to play it.
fn introduction(session: &PlaySession) -> Vec<String> {
    let summary = text::summary(session).map(str::to_owned);
    summary.into_iter().chain(numbers(session)).chain([HINT.to_owned()]).collect()
}

/// How squares are numbered, if a digit is a move.
fn numbers(session: &PlaySession) -> Option<String> {
    let board = session.picture().board.filter(has_numbered_cells)?;
    let is_move = board.cells.iter().all(|cell| cell.moves.len() == 1);
    let last = board.cells.len().checked_sub(1).filter(|_| is_move)?;
    Some(format!("A digit is a square: 0 to {last}, row by row from the top left."))
}

fn parse(line: &str) -> LineCommand<'_> {
    let line = line.trim();
    match line.strip_prefix('?').map(str::trim) {
        Some("") => return LineCommand::Why,
        Some(words) => return LineCommand::WhyNot(words),
        None => {}
    }
    match line.to_ascii_lowercase().as_str() {
        "" => LineCommand::Nothing,
        "undo" => LineCommand::Undo,
        "new" => LineCommand::NewRound,
        "resign" => LineCommand::Resign,
        words if text::is_quit(words) => LineCommand::Quit,
        "help" | "h" => LineCommand::Help,
        _ => LineCommand::Move(line),
    }
}

fn reply(session: &mut PlaySession, command: LineCommand<'_>) -> LineReply {
    match command {
        LineCommand::Quit => LineReply::End,
        LineCommand::Nothing => LineReply::Lines(Vec::new()),
        LineCommand::Move(words) => {
            let played = session.play(words);
            events_or_refusal(session, played)
        }
        LineCommand::Resign => {
            let resigned = session.resign();
            events_or_refusal(session, resigned)
        }
        LineCommand::WhyNot(words) => {
            let refusal = Explanation::of_refusal(session, words, &[words.to_owned()]);
            let explanation = refusal.unwrap_or_else(|| Explanation::allowed(words));
            LineReply::Lines(explanation.lines().collect())
        }
        LineCommand::Why => LineReply::Lines(explanations(session)),
        LineCommand::Help => {
            let summary = text::summary(session).map(str::to_owned);
            let lines = HELP.map(str::to_owned).into_iter().chain(numbers(session));
            LineReply::Lines(summary.into_iter().chain(lines).collect())
        }
        LineCommand::Undo => match session.undo() {
            Ok(()) => LineReply::Position("Taken back.".to_owned()),
            Err(error) => LineReply::Lines(vec![format!("{error}.")]),
        },
        LineCommand::NewRound => {
            let change = session.new_round();
            LineReply::Position(text::new_round(session, change))
        }
    }
}

fn events_or_refusal(session: &PlaySession, result: Result<(), PlayError>) -> LineReply {
    match result {
        Ok(()) => LineReply::Events,
        Err(error @ PlayError::Over(_)) => {
            LineReply::Lines(vec![format!("{} {NEXT_ROUND}", text::refusal(session, &error))])
        }
        Err(error @ PlayError::Refused(_)) => {
            LineReply::Lines(vec![text::refusal(session, &error)])
        }
    }
}

/// How to play on after the end of a round.
const NEXT_ROUND: &str = "Write new for another round.";

/// How the round ended, if it is over, and why the computer made its last move.
fn explanations(session: &PlaySession) -> Vec<String> {
    let both = [Explanation::of_end(session), Explanation::of_last_computer_move(session)];
    let lines: Vec<String> = both.iter().flatten().flat_map(Explanation::lines).collect();
    if lines.is_empty() { vec!["The computer has not moved yet.".to_owned()] } else { lines }
}

/// Lets the computer and chance act. Then prints the log after its first `printed` lines, the
/// position and who is to move.
fn print_progress(
    session: &mut PlaySession,
    printed: usize,
    output: &mut impl Write,
) -> io::Result<()> {
    session.settle();
    let log = text::log(session);
    let news: Vec<String> =
        log.iter().skip(printed).map(|line| text::line(session, line)).collect();
    print_lines(&news, output)?;
    writeln!(output, "\n{}\n", session.picture())?;
    print_lines(&[text::status(session), listed_moves(session)], output)?;
    if matches!(session.next_actor(), NextActor::Nobody(_)) {
        print_lines(&[text::score(session), NEXT_ROUND.to_owned()], output)?;
    }
    Ok(())
}

/// The legal moves of a game without a board.
fn listed_moves(session: &PlaySession) -> String {
    let moves: Vec<String> = session.legal_moves().iter().map(ToString::to_string).collect();
    if session.picture().board.is_some() || moves.is_empty() {
        return String::new();
    }
    format!("You may: {}.", moves.join(", "))
}

fn print_lines(lines: &[String], output: &mut impl Write) -> io::Result<()> {
    lines
        .iter()
        .flat_map(|line| wrapped(&visible(line), WIDTH))
        .try_for_each(|line| writeln!(output, "{line}"))
}

fn prompt(session: &PlaySession, output: &mut impl Write) -> io::Result<()> {
    write!(output, "{}> ", seat_name(session.game(), session.speaker()))?;
    output.flush()
}

#[cfg(test)]
mod tests;
