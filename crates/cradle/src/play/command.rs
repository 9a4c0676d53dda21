//! The arguments of `cradle play`, and what is done with them.

use std::env::var_os;
use std::io::{IsTerminal, stdin, stdout};

use clap::Args;
use game::{Game, Seat, seat_name};

use super::session::Session;
use super::sitter::Opponent;
use super::{lines, screen, words};
use crate::answer::Answer;
use crate::{console, names, seed};

/// Play a game against the computer, or against somebody beside you
///
/// On a terminal the game fills the screen, and its last line names the keys.
/// Elsewhere it reads a move from each line, and says what it understands.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_long_help = AFTERWORD)]
pub(crate) struct Play {
    /// The game to play
    #[arg(value_name = "GAME", default_value = "tic-tac-toe")]
    game: String,

    /// Your seat, by its name or number [default: the first]
    #[arg(long, value_name = "SEAT")]
    seat: Option<String>,

    /// Who plays against you [default: the strongest]
    ///
    ///   human     somebody beside you
    ///   random    any legal move
    ///   perfect   never a worse move than the best one
    ///   bthreads  strategies that are written as b-threads
    ///   scripted:MOVE/MOVE
    #[arg(long, value_name = "PLAYER", verbatim_doc_comment)]
    against: Option<String>,

    /// Repeat what chance and the computer did with this seed
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

const AFTERWORD: &str = "\
Examples:
  cradle play
  cradle play tic-tac-toe --seat O
  cradle play mnk:15,15,5 --against human
  cradle play pig --seed 7
  echo 'b2' | cradle play";

impl Play {
    /// Plays until the person has enough.
    ///
    /// # Errors
    /// If the arguments make no sense, or the terminal fails.
    pub(crate) fn run(&self) -> anyhow::Result<Answer> {
        let game = names::game(&self.game)?;
        let seat = self.seat.as_deref().map_or(Ok(Seat::FIRST), |seat| names::seat(&game, seat))?;
        let opponent = match self.against.as_deref() {
            Some(name) => Opponent::named(name)?,
            None => Opponent::strongest(&game, seat),
        };
        let seed = self.seed.unwrap_or_else(seed::from_the_clock);
        let again = format!(
            "cradle play {} --seat {} --against {} --seed {seed}",
            quoted(&game.name()),
            quoted(seat_name(&game, seat)),
            quoted(&opponent.to_string())
        );
        let mut session = Session::new(game, seat, &opponent, seed)?;
        if is_for_screens() {
            screen::run(&mut session)?;
        } else {
            lines::run(&mut session)?;
        }
        console::print(&format!("{}\nTo repeat it: {again}\n", words::score(&session)))?;
        Ok(Answer::Fine)
    }
}

/// A word as a shell takes it, with quotes where it would make something else of it.
fn quoted(word: &str) -> String {
    let is_plain = |each: char| each.is_ascii_alphanumeric() || "-_:,./".contains(each);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Whether there is a terminal that can be drawn on.
fn is_for_screens() -> bool {
    let is_dumb = var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    stdin().is_terminal() && stdout().is_terminal() && !is_dumb
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_where_a_shell_would_make_something_else_of_them() {
        for word in ["tic-tac-toe", "mnk:6,5,4", "scripted:b2/a1"] {
            assert_eq!(quoted(word), word);
        }
        assert_eq!(quoted("scripted:a1/b c;ls"), "'scripted:a1/b c;ls'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
