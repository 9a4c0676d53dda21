//! `cradle analyze`: what a position is worth, and each of its moves.

use anyhow::{Context, anyhow, bail};
use clap::Args;
use game::{
    AnalysisBudget, AnyGame, AnyPosition, CannotAnalyze, Game, PositionAnalysis, PositionValue,
    StopFlag, Turn, Viewer, seat_name,
};
use serde::Serialize;

use crate::exit_reason::ExitReason;
use crate::interrupt::Interrupt;
use crate::number_argument::number;
use crate::wrap::{WIDTH, wrapped};
use crate::{console, names};

/// Tell what a position is worth, and each of its moves
///
/// The value is exact, with the number of plies to the end, where the game is
/// small or has a solver: Connect Four, Pig, k in a row. Elsewhere it is an
/// estimate, which is marked as such. Where it takes too long to find out how
/// soon somebody wins, the answer says so.
///
/// MOVES lead to the position, and what chance draws is one of them. A word that
/// is no move is read character by character, so 44455 is a position of Connect
/// Four. Its score is 22 minus the number of stones that the winner will have
/// played, negative for a loss.
///
/// Ctrl-C ends a long search, and an estimate is printed instead.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
#[command(after_help = "Exit codes: 0 fine, 2 wrong usage, 3 cut short (by Ctrl-C).")]
pub(crate) struct Analyze {
    /// The game, as `cradle games` lists it, or a .cradle file
    game: String,

    /// The moves from the start
    #[arg(value_name = "MOVES")]
    moves: Vec<String>,

    /// The most positions that a solver visits
    #[arg(long, value_name = "N", default_value = "200000000", value_parser = number(1, u64::MAX))]
    positions: u64,

    /// The simulations of an estimate
    #[arg(long, value_name = "N", default_value = "10000", value_parser = number(1_u32, 1_000_000))]
    simulations: u32,

    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
}

/// An analysis as JSON.
#[derive(Serialize)]
struct AnalysisReport<'a> {
    game: String,
    position: String,
    seat: &'a str,
    #[serde(flatten)]
    analysis: &'a PositionAnalysis,
}

impl Analyze {
    pub(crate) fn run(&self) -> anyhow::Result<ExitReason> {
        let game = names::game(&self.game)?;
        let position = position_after(&game, &self.moves)?;
        let stop = StopFlag::default();
        let words = "Ctrl-C ended the analysis before its result.";
        let _interrupt = Interrupt::stop(stop.clone(), words)?;
        let (analysis, is_whole) = self.analysis(&game, &position, &stop)?;
        let seat = game.turn(&position).seats().iter().next();
        let seat = seat.map_or("nobody", |seat| seat_name(&game, seat));
        let text = if self.json {
            let (name, text) = (game.name(), game.text(&position));
            let report = AnalysisReport { game: name, position: text, seat, analysis: &analysis };
            serde_json::to_string_pretty(&report)? + "\n"
        } else {
            let board = game.picture(&position, Viewer::Spectator);
            format!("{board}\n\n{}", written(seat, &analysis))
        };
        console::print(&text)?;
        if is_whole {
            return Ok(ExitReason::Fine);
        }
        console::mention("Ctrl-C ended the search early: this is an estimate.")?;
        Ok(ExitReason::CutShort)
    }

    /// The analysis, and whether it was not cut short.
    fn analysis(
        &self,
        game: &AnyGame,
        position: &AnyPosition,
        stop: &StopFlag,
    ) -> Result<(PositionAnalysis, bool), CannotAnalyze> {
        let budget = AnalysisBudget { positions: self.positions, simulations: self.simulations };
        match game.analyze(position, budget, stop) {
            Err(CannotAnalyze::Stopped) => {
                let usual = AnalysisBudget::default().simulations;
                let quick =
                    AnalysisBudget { positions: 0, simulations: self.simulations.min(usual) };
                // The next Ctrl-C ends the process.
                let found = game.analyze(position, quick, &StopFlag::default())?;
                let is_exact = found.value.exact;
                Ok((found, is_exact))
            }
            found => Ok((found?, true)),
        }
    }
}

/// The position after these words, each a move, a draw of chance, or several of them without spaces.
fn position_after(game: &AnyGame, words: &[String]) -> anyhow::Result<AnyPosition> {
    let mut position = game.start();
    let parts = words.iter().flat_map(|word| word.split_whitespace());
    for (number, word) in (1..).zip(parts) {
        let refused = || format!("word {number} of the moves, {word:?}, leads nowhere");
        let mut next = position.clone();
        let whole = step(game, &mut next, word);
        if let Err(refusal) = whole {
            next = position.clone();
            let letters = word.chars().count() > 1;
            let each = word.chars().try_for_each(|one| step(game, &mut next, &one.to_string()));
            match each {
                Ok(()) if letters => {}
                Err(_) if letters && !is_readable(game, word) => {
                    each.with_context(refused)?;
                }
                _ => return Err(refusal).with_context(refused),
            }
        }
        position = next;
    }
    Ok(position)
}

fn is_readable(game: &AnyGame, word: &str) -> bool {
    game.read_move(word).is_ok()
}

/// Makes a move, or lets chance draw.
fn step(game: &AnyGame, position: &mut AnyPosition, word: &str) -> anyhow::Result<()> {
    match game.turn(position) {
        Turn::Over(_) => bail!("the game is over before it"),
        Turn::Chance => {
            let drawn = game.read_chance(word).map_err(|refusal| anyhow!(refusal))?;
            Ok(game.advance_chance(position, &drawn).map_err(|refusal| anyhow!(refusal))?)
        }
        Turn::One(seat) => {
            let chosen = game.read_move(word).map_err(|refusal| anyhow!(refusal))?;
            Ok(game.advance(position, seat, chosen).map_err(|refusal| anyhow!(refusal))?)
        }
        Turn::Several(_) => bail!("seats choose at once there, which MOVES cannot say"),
    }
}

/// `a win in 3 plies`, `a win, how soon is not known`.
fn value_text(value: PositionValue) -> String {
    let unknown = if value.lacks_distance() { ", how soon is not known" } else { "" };
    format!("{value}{unknown}")
}

/// The value and a line for each move, best first.
fn written(seat: &str, analysis: &PositionAnalysis) -> String {
    let PositionAnalysis { method, value, moves, line } = analysis;
    let kind = if value.exact { "exact" } else { "estimate" };
    let value = value_text(*value);
    let mut text = format!("{seat} to move: {value} ({kind}, by {method})\n");
    if !line.is_empty() {
        let line = format!("best line: {}", line.join(" "));
        text.push_str(&wrapped(&line, WIDTH).join("\n"));
        text.push('\n');
    }
    let mut moves: Vec<_> = moves.iter().collect();
    // Equally good moves keep the order of the game.
    moves.sort_by(|a, b| b.value.compare(&a.value));
    let width = moves.iter().map(|each| each.chosen.chars().count()).max().unwrap_or(0).max(4);
    text.push('\n');
    for each in moves {
        let score = each.value.score.map(|score| format!("  score {score:+}"));
        let visits = each.visits.map(|visits| format!("  {visits} visits"));
        let probability = each.probability.map(|share| format!("  played {:.1} %", 100.0 * share));
        let line = format!(
            "  {:<width$}  {:<18}{}{}{}",
            each.chosen,
            value_text(each.value),
            score.unwrap_or_default(),
            visits.unwrap_or_default(),
            probability.unwrap_or_default(),
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
