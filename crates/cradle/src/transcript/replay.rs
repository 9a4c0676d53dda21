//! `cradle replay`: a match that was played before.

use std::fs::File;
use std::io::{BufReader, Read, stdin};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use game::{AnyGame, Game, Outcome, Viewer};
use serde::Serialize;

use super::by_seat::BySeat;
use super::line::{Line, result};
use super::reading::lines;
use super::rerun::Rerun;
use crate::answer::Answer;
use crate::{console, names};

/// Show a match again
///
/// Reads what `cradle match` printed, plays it again and checks every line: the
/// positions, that each move was legal, and the result.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
#[command(after_help = "Exit codes: 0 fine, 1 it cannot have been played so, 2 wrong usage,\n\
                        3 it stops before the end.")]
pub(crate) struct Replay {
    /// What `cradle match` printed; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The game, if the transcript does not name it
    #[arg(long, value_name = "GAME")]
    game: Option<String>,

    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
}

/// What came of it, for who reads JSON.
#[derive(Serialize)]
struct Report {
    game: String,
    steps: usize,
    position: String,
    result: Option<BySeat<i32>>,
    wrong: Option<Wrong>,
}

/// The first line that cannot be true.
#[derive(Serialize)]
struct Wrong {
    line: usize,
    why: String,
}

impl Replay {
    pub(crate) fn run(&self) -> anyhow::Result<Answer> {
        let name = self.file.display();
        let lines = lines(BufReader::new(open(&self.file)?));
        let lines = lines.with_context(|| format!("{name} cannot be replayed"))?;
        let (mut rerun, lines) = self.begin(&lines)?;
        self.show(&rerun, None)?;
        let mut wrong = None;
        for (number, line) in lines {
            match rerun.follow(line) {
                Ok(Some(words)) => self.show(&rerun, Some(&words))?,
                Ok(None) => {}
                Err(error) => {
                    wrong = Some(Wrong { line: *number, why: format!("{error:#}") });
                    break;
                }
            }
        }
        self.conclude(&rerun, wrong)
    }

    /// The match at its beginning, and the lines after that.
    fn begin<'a>(
        &self,
        lines: &'a [(usize, Line)],
    ) -> anyhow::Result<(Rerun, &'a [(usize, Line)])> {
        let (named, position, rest) = match lines {
            [] => bail!("{} is empty", self.file.display()),
            [(_, Line::Begin { game, position, .. }), rest @ ..] => {
                (Some(names::game(game)?), Some(position.as_str()), rest)
            }
            all => (None, None, all),
        };
        let given = self.game.as_deref().map(names::game).transpose()?;
        match (&named, &given) {
            (Some(named), Some(given)) if named.name() != given.name() => {
                bail!("the transcript is of {}, and not of {}", named.name(), given.name())
            }
            _ => {}
        }
        let game = named.or(given).context(
            "the transcript does not name its game; say it with --game, as in --game pig",
        )?;
        Ok((Rerun::new(game, position)?, rest))
    }

    fn show(&self, rerun: &Rerun, words: Option<&str>) -> anyhow::Result<()> {
        if self.json {
            return Ok(());
        }
        let (game, position) = (rerun.game(), rerun.again().position());
        // What is over need not be hidden any more.
        let picture = if game.hides() {
            game.text(position)
        } else {
            game.picture(position, Viewer::Spectator).to_string()
        };
        let heading = match words {
            None => rerun.game().name(),
            Some(words) => format!("\n{}. {words}", rerun.again().history().len()),
        };
        console::print(&format!("{heading}\n{picture}\n"))
    }

    fn conclude(&self, rerun: &Rerun, wrong: Option<Wrong>) -> anyhow::Result<Answer> {
        let (game, end) = (rerun.game(), rerun.end());
        let answer = match (&wrong, end) {
            (Some(_), _) => Answer::No,
            (None, None) => Answer::CutShort,
            (None, Some(_)) => Answer::Fine,
        };
        let text = if self.json {
            let report = Report {
                game: game.name(),
                steps: rerun.again().history().len(),
                position: game.text(rerun.again().position()),
                result: end.filter(|_| wrong.is_none()).map(|outcome| result(game, &outcome)),
                wrong,
            };
            serde_json::to_string(&report)?
        } else {
            match (wrong, end) {
                (Some(Wrong { line, why }), _) => format!("line {line} cannot be true: {why}"),
                (None, None) => "the transcript stops before the end".to_owned(),
                (None, Some(outcome)) => in_words(game, &outcome),
            }
        };
        console::print(&format!("{}{text}\n", if self.json { "" } else { "\n" }))?;
        Ok(answer)
    }
}

fn open(path: &Path) -> anyhow::Result<Box<dyn Read>> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(stdin()));
    }
    let file = File::open(path).with_context(|| format!("{} cannot be opened", path.display()))?;
    Ok(Box::new(file))
}

/// How a match ended.
fn in_words(game: &AnyGame, outcome: &Outcome) -> String {
    let winner = outcome.winner().map(|seat| game::seat_name(game, seat));
    let heading = winner.map_or_else(|| "a draw".to_owned(), |winner| format!("{winner} wins"));
    let scores = game.seats().into_iter().zip(outcome.scores());
    let scores: Vec<String> = scores.map(|(seat, score)| format!("{seat} {score}")).collect();
    format!("{heading}: {}", scores.join(", "))
}
