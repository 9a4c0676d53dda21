//! The arguments of `cradle play`, and what it does with them.

use std::env::var_os;
use std::io::{IsTerminal, stdin, stdout};

use clap::Args;
use game::{AnyGame, Game, Seat, seat_name};

use super::participant::Opponent;
use super::screen::{self, Charset, Ending};
use super::session::{PlaySession, Rotation};
use super::{line_mode, text};
use crate::exit_reason::ExitReason;
use crate::interrupt::Interrupt;
use crate::number_argument::number;
use crate::text_file::{is_text, with_parameters};
use crate::{console, names, seed};

/// Play a game against the computer, or against somebody beside you
///
/// On a terminal the game fills the screen, and its last line lists the keys.
/// Elsewhere it reads one move from each line.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = EXIT_CODES, after_long_help = AFTERWORD)]
pub(crate) struct Play {
    /// The game to play, or a .cradle file
    #[arg(value_name = "GAME", default_value = "tic-tac-toe")]
    game: String,

    /// Values for parameters of a file, as in n=9
    #[arg(value_name = "NAME=NUMBER")]
    parameters: Vec<String>,

    /// Your seat in the first round, by name or number
    #[arg(long, value_name = "SEAT")]
    seat: Option<String>,

    /// Your opponent [default: the strongest]
    ///
    ///   human           somebody beside you
    ///   easy fair hard  the levels of the game
    ///   perfect         always a best move, where the game is solved
    ///   bthreads        strategies written as b-threads
    ///   random          any legal move
    ///   heuristic alphabeta:DEPTH expectiminimax:DEPTH mcts:SIMULATIONS
    ///   cfr:ITERATIONS scripted:MOVE/MOVE
    #[arg(long, value_name = "PLAYER", verbatim_doc_comment)]
    against: Option<String>,

    /// Do not swap the seats after each round
    #[arg(long)]
    keep_seats: bool,

    /// Repeat chance and computer moves with this seed
    #[arg(long, value_name = "N", value_parser = number(0, u64::MAX))]
    seed: Option<u64>,

    /// ascii or unicode [default: what the terminal shows]
    #[arg(long, value_name = "CHARSET", hide_possible_values = true)]
    charset: Option<Charset>,
}

const EXIT_CODES: &str = "Exit codes: 0 fine, 2 wrong usage, 3 cut short (by Ctrl-C).";

const AFTERWORD: &str = "\
Exit codes: 0 fine, 2 wrong usage, 3 cut short (by Ctrl-C).

Examples:
  cradle play
  cradle play tic-tac-toe --seat O
  cradle play mnk:15,15,5 --against human
  cradle play pig --seed 7
  echo 'b2' | cradle play";

impl Play {
    /// Plays until the person quits.
    ///
    /// # Errors
    /// If the arguments make no sense, or the terminal fails.
    pub(crate) fn run(&self) -> anyhow::Result<ExitReason> {
        let words = with_parameters(&self.game, &self.parameters)?;
        let game = names::game(&words)?;
        let seat = self.seat.as_deref().map_or(Ok(Seat::FIRST), |seat| names::seat(&game, seat))?;
        let opponent = match self.against.as_deref() {
            Some(name) => Opponent::named(name)?,
            None => Opponent::strongest(&game, seat),
        };
        let rotation = if self.keep_seats { Rotation::Never } else { Rotation::EachRound };
        let seed = self.seed.unwrap_or_else(seed::from_the_clock);
        // The name of a game in a file is not enough to find it again.
        let name = if is_text(&words) { words } else { game.name() };
        let again = self.command_to_repeat(&name, &game, seat, &opponent, seed);
        let goodbye =
            |session: &PlaySession| format!("{}\nTo repeat it: {again}", text::score(session));
        let interrupt = Interrupt::watch("Ctrl-C ended the game before it began.")?;
        let mut session = PlaySession::new(game, seat, opponent, rotation, seed)?;
        let ending = if is_for_screens() {
            // The screen restores the terminal before it ends.
            drop(interrupt);
            let charset = self.charset.unwrap_or_else(|| Charset::of_terminal(|name| var_os(name)));
            screen::run(&mut session, charset)?
        } else {
            let note = |session: &PlaySession| {
                interrupt.say(format!("Ctrl-C ended the game. {}", goodbye(session)));
            };
            line_mode::run(&mut session, note)?;
            Ending::Quit
        };
        console::print(&format!("{}\n", goodbye(&session)))?;
        Ok(match ending {
            Ending::Quit => ExitReason::Fine,
            Ending::Interrupted => ExitReason::CutShort,
        })
    }

    fn command_to_repeat(
        &self,
        name: &str,
        game: &AnyGame,
        seat: Seat,
        opponent: &Opponent,
        seed: u64,
    ) -> String {
        let keep_seats = if self.keep_seats { " --keep-seats" } else { "" };
        format!(
            "cradle play {} --seat {} --against {}{keep_seats} --seed {seed}",
            quoted(name),
            quoted(seat_name(game, seat)),
            quoted(&opponent.to_string())
        )
    }
}

/// A word in the form that a shell reads as one word, with quotes where it needs them.
fn quoted(word: &str) -> String {
    let is_plain = |each: char| each.is_ascii_alphanumeric() || "-_:,./".contains(each);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Whether there is a terminal that can draw a screen.
fn is_for_screens() -> bool {
    let is_dumb = var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    stdin().is_terminal() && stdout().is_terminal() && !is_dumb
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_where_a_shell_would_split_or_expand_them() {
        for word in ["tic-tac-toe", "mnk:6,5,4", "scripted:b2/a1"] {
            assert_eq!(quoted(word), word);
        }
        assert_eq!(quoted("scripted:a1/b c;ls"), "'scripted:a1/b c;ls'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
