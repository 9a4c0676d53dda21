//! `cradle match`: players play one game.

use anyhow::{anyhow, bail};
use clap::{Args, ValueEnum};
use game::{
    AnyGame, Game, Generator, Match, MoveExplanation, OnIllegalMove, Player, Seat, all_seats,
};

use super::by_seat::BySeat;
use super::line::Line;
use super::short::short;
use crate::answer::Answer;
use crate::{console, names, seed};

/// Let players play one game
///
/// Prints a line for every move, with the position before it, and the result:
///
///   [  XO O X ]    moves: {"X":6}
///   [X XOOOXXO]    result: {"X":-1,"O":1}
///
/// With --json each line is an object, the first one names the game, and
/// `cradle replay` shows the match again.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
#[command(after_help = "Exit codes: 0 fine, 2 wrong usage, 3 a player cannot go on.")]
pub(crate) struct PlayMatch {
    /// The game, as `cradle games` lists it
    game: String,

    /// One a seat: random, perfect, bthreads, scripted:MOVE/MOVE
    #[arg(value_name = "PLAYER", required = true, num_args = 1..)]
    players: Vec<String>,

    /// The same seed, the same match
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// After an illegal move: loses (the default) or ask-again
    #[arg(long, value_name = "WHAT", default_value = "loses")]
    #[arg(hide_default_value = true, hide_possible_values = true)]
    illegal: Illegal,

    /// Print one JSON object for each line
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Illegal {
    /// It loses
    Loses,
    /// It is asked again
    AskAgain,
}

impl PlayMatch {
    pub(crate) fn run(&self) -> anyhow::Result<Answer> {
        let game = names::game(&self.game)?;
        let seed = self.seed.unwrap_or_else(seed::from_the_clock);
        let mut seeds = Generator::seeded(seed);
        let chance = seeds.next_bits();
        let mut players = self.players(&game, &mut seeds)?;
        if self.seed.is_none() {
            console::mention(&format!("seed {seed}"));
        }
        let policy = match self.illegal {
            Illegal::Loses => OnIllegalMove::Loses,
            Illegal::AskAgain => OnIllegalMove::AskAgain,
        };
        let mut played = Match::new(game.clone(), policy);
        self.print(&game, &self.beginning(&game, seed))?;
        let (mut shown, mut printed) = (0, Ok(()));
        let outcome = played.run(&mut players, chance, |played, whys| {
            if printed.is_ok() {
                printed = self.print_from(played, shown, whys);
            }
            shown = played.events().len();
        });
        printed?;
        self.print_from(&played, shown, &[])?;
        match outcome {
            Ok(_) => Ok(Answer::Fine),
            Err(error) => {
                console::complain(
                    &anyhow!(error).context(format!("{} was broken off", game.name())),
                );
                Ok(Answer::CutShort)
            }
        }
    }

    fn players(
        &self,
        game: &AnyGame,
        seeds: &mut Generator,
    ) -> anyhow::Result<Vec<Box<dyn Player<AnyGame>>>> {
        let (seats, given) = (game.seats().join(" and "), self.players.len());
        if given != game.seats().len() {
            bail!("{} is played by {seats}, but {given} players were given", game.name());
        }
        let players = all_seats(game).iter().zip(&self.players).map(|(seat, words)| {
            if words == "human" {
                bail!("people play with `cradle play {}`", self.game);
            }
            Ok(game.player(&names::player(words)?, seat, seeds.next_bits())?)
        });
        players.collect()
    }

    fn beginning(&self, game: &AnyGame, seed: u64) -> Line {
        let seats = game.seats().into_iter().map(str::to_owned);
        Line::Begin {
            game: game.name(),
            players: BySeat(seats.zip(self.players.iter().cloned()).collect()),
            seed: Some(seed),
            position: game.text(&game.start()),
        }
    }

    /// Prints what happened since so many events.
    fn print_from(
        &self,
        played: &Match<AnyGame>,
        shown: usize,
        whys: &[(Seat, MoveExplanation)],
    ) -> anyhow::Result<()> {
        let lines = played.events()[shown..].iter();
        let mut lines = lines.filter_map(|event| Line::of(played, event, whys));
        lines.try_for_each(|line| self.print(played.game(), &line))
    }

    fn print(&self, game: &AnyGame, line: &Line) -> anyhow::Result<()> {
        let text =
            if self.json { Some(serde_json::to_string(line)?) } else { short(&game.name(), line) };
        text.map_or(Ok(()), |text| console::print(&(text + "\n")))
    }
}
