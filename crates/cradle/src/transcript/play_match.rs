//! `cradle match`: players play one game.

use anyhow::{anyhow, bail};
use clap::{Args, ValueEnum};
use game::{AnyGame, Game, Match, MoveExplanation, OnIllegalMove, Seat};

use super::by_seat::BySeat;
use super::line::{Beginning, TranscriptLine};
use super::players::MatchPlayers;
use super::short_form::short_form;
use crate::exit_reason::ExitReason;
use crate::interrupt::Interrupt;
use crate::names::{NamedGame, RulesFile};
use crate::number_argument::number;
use crate::quantity::counted;
use crate::{console, names, seed};

/// Let players play one game
///
/// Prints a line for every move, with the position before it, and the result:
///
///   [  XO O X ]    moves: {"X":6}
///   [X XOOOXXO]    result: {"X":-1,"O":1}
///
/// With --json each line is an object, the first one names the game, and
/// `cradle replay` shows the match again; if the rules are in a file, it needs
/// the file: `cradle replay MATCH --game FILE`. With --result it prints only
/// {"X":-1,"O":1}.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
#[command(after_help = "Players: random, easy, fair, hard, perfect, bthreads, heuristic,\n\
                        alphabeta:DEPTH, expectiminimax:DEPTH, mcts:SIMULATIONS,\n\
                        cfr:ITERATIONS, scripted:MOVE/MOVE.\n\n\
                        Exit codes: 0 fine, 2 wrong usage, 3 cut short (by Ctrl-C, a player that\n\
                        cannot go on, 100,000 moves without an end, or an output that cannot be\n\
                        written).")]
pub(crate) struct PlayMatch {
    /// The game, as `cradle games` lists it, or a .cradle file
    game: String,

    /// The players, one for each seat
    #[arg(value_name = "PLAYER", required = true, num_args = 1..)]
    players: Vec<String>,

    /// The same seed, the same match
    #[arg(long, value_name = "N", value_parser = number(0, u64::MAX))]
    seed: Option<u64>,

    /// After an illegal move: loses (the default) or ask-again
    #[arg(long, value_name = "WHAT", default_value = "loses")]
    #[arg(hide_default_value = true, hide_possible_values = true)]
    illegal: IllegalMove,

    /// Print one JSON object for each line
    #[arg(long)]
    json: bool,

    /// Print the result alone
    #[arg(long)]
    result: bool,
}

/// What happens to a player after an illegal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum IllegalMove {
    /// The player loses
    Loses,
    /// The player is asked again
    AskAgain,
}

/// Prints one line.
type OnLine<'a> = &'a mut dyn FnMut(&str) -> anyhow::Result<()>;

impl PlayMatch {
    pub(crate) fn run(&self) -> anyhow::Result<ExitReason> {
        self.play(&mut |line| console::print(&format!("{line}\n")))
    }

    pub(super) fn play(&self, out: OnLine<'_>) -> anyhow::Result<ExitReason> {
        let NamedGame { game, rules } = names::named_game(&self.game)?;
        self.check_players(&game)?;
        let seed = self.seed.unwrap_or_else(seed::from_the_clock);
        let _interrupt = Interrupt::watch("Ctrl-C ended the match before its result.")?;
        let MatchPlayers { mut players, chance } = MatchPlayers::new(&game, &self.players, seed)?;
        if self.seed.is_none() {
            console::mention(&format!("seed {seed}"))?;
        }
        let policy = match self.illegal {
            IllegalMove::Loses => OnIllegalMove::Loses,
            IllegalMove::AskAgain => OnIllegalMove::AskAgain,
        };
        let mut played = Match::new(game.clone(), policy);
        self.print(&game, &self.beginning(&game, rules, seed), out)?;
        let (mut shown, mut printed) = (0, Ok(()));
        let outcome = played.run(&mut players, chance, |played, explanations| {
            if printed.is_ok() {
                printed = self.print_from(played, shown, explanations, out);
            }
            shown = played.events().len();
        });
        printed?;
        self.print_from(&played, shown, &[], out)?;
        match outcome {
            Ok(_) => Ok(ExitReason::Fine),
            Err(error) => {
                let context = format!("{} was cut short", game.name());
                console::complain(&anyhow!(error).context(context));
                Ok(ExitReason::CutShort)
            }
        }
    }

    fn check_players(&self, game: &AnyGame) -> anyhow::Result<()> {
        let (seats, given) = (game.seats().join(" and "), self.players.len());
        if given != game.seats().len() {
            let given = counted(given as u64, "player was", "players were");
            bail!("{} is played by {seats}, but {given} given", game.name());
        }
        if self.players.iter().any(|words| words == "human") {
            bail!("people play with `cradle play {}`", self.game);
        }
        Ok(())
    }

    fn beginning(&self, game: &AnyGame, rules: Option<RulesFile>, seed: u64) -> TranscriptLine {
        let seats = game.seats().into_iter().map(str::to_owned);
        TranscriptLine::Begin(Beginning {
            game: game.name(),
            rules,
            players: BySeat(seats.zip(self.players.iter().cloned()).collect()),
            seed: Some(seed),
            position: game.text(&game.start()),
        })
    }

    /// Prints the events from number `shown` on.
    fn print_from(
        &self,
        played: &Match<AnyGame>,
        shown: usize,
        explanations: &[(Seat, MoveExplanation)],
        out: OnLine<'_>,
    ) -> anyhow::Result<()> {
        let events = played.events()[shown..].iter();
        let mut lines = events.filter_map(|event| TranscriptLine::of(played, event, explanations));
        lines.try_for_each(|line| self.print(played.game(), &line, out))
    }

    fn print(&self, game: &AnyGame, line: &TranscriptLine, out: OnLine<'_>) -> anyhow::Result<()> {
        let text = match (line, self.result, self.json) {
            (TranscriptLine::End { result, .. }, true, false) => {
                Some(serde_json::to_string(result)?)
            }
            (TranscriptLine::End { .. }, true, true) | (_, false, true) => {
                Some(serde_json::to_string(line)?)
            }
            (_, true, _) => None,
            (_, false, false) => short_form(&game.name(), line),
        };
        text.map_or(Ok(()), |text| out(&text))
    }
}
