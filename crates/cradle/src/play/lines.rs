//! A session line by line, where there is no terminal.

use std::io::{self, BufRead, ErrorKind, IsTerminal, Write, stdin, stdout};

use anyhow::Context;
use game::{Game, seat_name};

use super::explanation::Explanation;
use super::session::{Awaited, Denial, Session};
use super::words;
use crate::wrap::{WIDTH, wrapped};

/// What a line asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish<'a> {
    Move(&'a str),
    /// Why this move is refused.
    WhyNot(&'a str),
    /// Why the computer made its last move.
    Why,
    Undo,
    NewRound,
    Resign,
    Quit,
    Help,
    Nothing,
}

/// What comes of a wish.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    /// Something happened.
    Happened,
    /// Things are as they were once, or at the beginning.
    Anew(String),
    /// Nothing changed, and these are the reasons.
    Said(Vec<String>),
    /// The person has enough.
    End,
}

/// Whether the lines that are read show up where the answers do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Echo {
    /// Who types sees what is typed.
    ByTerminal,
    /// What comes from elsewhere is repeated.
    Repeated,
}

const HINT: &str = "Write a move, or: ? (why), ? MOVE (why not), undo, new, resign, help, quit.";

const HELP: [&str; 8] = [
    "a move: makes it",
    "?: why the computer made its last move",
    "? and a move: why it is not allowed, or that it is",
    "undo: takes your last move back, and all that came after it",
    "new: begins another round; one that is not over is not counted",
    "resign: gives this round up",
    "help: what the game is, and this list",
    "quit: ends",
];

/// Plays with standard input and output until the person has enough, or the input ends.
///
/// # Errors
/// If input cannot be read, or output cannot be written.
pub(super) fn run(session: &mut Session) -> anyhow::Result<()> {
    let echo = if stdin().is_terminal() { Echo::ByTerminal } else { Echo::Repeated };
    match play(session, stdin().lock(), &mut stdout().lock(), echo) {
        // It is no failure if nobody reads to the end.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        played => played.context("the game cannot go on"),
    }
}

fn play(
    session: &mut Session,
    input: impl BufRead,
    output: &mut impl Write,
    echo: Echo,
) -> io::Result<()> {
    writeln!(output, "{}: {}.", session.game().name(), words::pairing(session))?;
    say(&[words::summary(session).unwrap_or_default().to_owned(), HINT.to_owned()], output)?;
    tell_on(session, 0, output)?;
    prompt(session, output)?;
    for line in input.lines() {
        let line = line?;
        if echo == Echo::Repeated {
            writeln!(output, "{}", line.trim())?;
        }
        let told = words::log(session).len();
        match answer(session, wish(&line)) {
            Answer::End => return Ok(()),
            Answer::Happened => tell_on(session, told, output)?,
            Answer::Anew(said) => {
                let told = words::log(session).len();
                writeln!(output, "{said}")?;
                tell_on(session, told, output)?;
            }
            Answer::Said(lines) => say(&lines, output)?,
        }
        prompt(session, output)?;
    }
    writeln!(output, "\nThe input has ended.")
}

fn wish(line: &str) -> Wish<'_> {
    let line = line.trim();
    match line.strip_prefix('?').map(str::trim) {
        Some("") => return Wish::Why,
        Some(words) => return Wish::WhyNot(words),
        None => {}
    }
    match line {
        "" => Wish::Nothing,
        "undo" => Wish::Undo,
        "new" => Wish::NewRound,
        "resign" => Wish::Resign,
        "quit" => Wish::Quit,
        "help" | "h" => Wish::Help,
        words => Wish::Move(words),
    }
}

fn answer(session: &mut Session, wish: Wish<'_>) -> Answer {
    match wish {
        Wish::Quit => Answer::End,
        Wish::Nothing => Answer::Said(Vec::new()),
        Wish::Move(words) => {
            let played = session.play(words);
            happened(session, played)
        }
        Wish::Resign => {
            let resigned = session.resign();
            happened(session, resigned)
        }
        Wish::WhyNot(words) => {
            let why = Explanation::of_refusal(session, words, &[words.to_owned()]);
            Answer::Said(why.unwrap_or_else(|| Explanation::allowed(words)).lines().collect())
        }
        Wish::Why => Answer::Said(why(session)),
        Wish::Help => {
            let summary = words::summary(session).map(str::to_owned);
            Answer::Said(summary.into_iter().chain(HELP.map(str::to_owned)).collect())
        }
        Wish::Undo => match session.undo() {
            Ok(()) => Answer::Anew("Taken back.".to_owned()),
            Err(error) => Answer::Said(vec![format!("{error}.")]),
        },
        Wish::NewRound => {
            session.new_round();
            Answer::Anew(format!("Round {}.", session.round()))
        }
    }
}

fn happened(session: &Session, result: Result<(), Denial>) -> Answer {
    match result {
        Ok(()) => Answer::Happened,
        Err(denial @ Denial::Over(_)) => {
            Answer::Said(vec![format!("{} {GO_ON}", words::denial(session, &denial))])
        }
        Err(denial @ Denial::Refused(_)) => Answer::Said(vec![words::denial(session, &denial)]),
    }
}

/// How to go on after the end of a round.
const GO_ON: &str = "Write new for another round.";

/// That the round is over, if it is, and why the computer made its last move.
fn why(session: &Session) -> Vec<String> {
    let both = [Explanation::of_end(session), Explanation::of_last_choice(session)];
    let lines: Vec<String> = both.iter().flatten().flat_map(Explanation::lines).collect();
    if lines.is_empty() { vec!["The computer has not moved yet.".to_owned()] } else { lines }
}

/// Lets the computer and chance go on; then says what happened after so many entries of the log,
/// and how things stand.
fn tell_on(session: &mut Session, told: usize, output: &mut impl Write) -> io::Result<()> {
    session.settle();
    let log = words::log(session);
    let news: Vec<String> =
        log.iter().skip(told).map(|entry| words::line(session, entry)).collect();
    say(&news, output)?;
    writeln!(output, "\n{}\n", session.picture())?;
    say(&[words::status(session), moves_in_words(session)], output)?;
    if matches!(session.awaited(), Awaited::Nobody(_)) {
        say(&[words::score(session), GO_ON.to_owned()], output)?;
    }
    Ok(())
}

/// The moves of a game in which no board shows them.
fn moves_in_words(session: &Session) -> String {
    let moves: Vec<String> = session.legal_moves().iter().map(ToString::to_string).collect();
    if session.picture().board.is_some() || moves.is_empty() {
        return String::new();
    }
    format!("You may: {}.", moves.join(", "))
}

fn say(lines: &[String], output: &mut impl Write) -> io::Result<()> {
    lines
        .iter()
        .flat_map(|line| wrapped(line, WIDTH))
        .try_for_each(|line| writeln!(output, "{line}"))
}

fn prompt(session: &Session, output: &mut impl Write) -> io::Result<()> {
    write!(output, "{}> ", seat_name(session.game(), session.speaker()))?;
    output.flush()
}

#[cfg(test)]
mod tests;
