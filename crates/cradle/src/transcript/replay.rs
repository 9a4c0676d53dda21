//! `cradle replay`: shows a match again and checks its transcript.

use std::fs::File;
use std::io::{BufReader, Read, stdin};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use game::{AnyGame, Game, Outcome, Viewer};
use serde::Serialize;

use super::by_seat::BySeat;
use super::line::{Beginning, TranscriptLine, result};
use super::match_replay::MatchReplay;
use super::reader::lines;
use crate::exit_reason::ExitReason;
use crate::{console, names};

/// Show a match again
///
/// Reads what `cradle match` printed, plays it again and checks every line: the
/// positions, that each move was legal, and the result. If the transcript names
/// players and a seed, they must choose and draw the same again.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
#[command(
    after_help = "Exit codes: 0 fine, 1 a line cannot be true, 2 wrong usage, 3 cut short (the\n\
                        transcript stops before the end, or cannot be read)."
)]
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

/// The answer as JSON.
#[derive(Serialize)]
struct ReplayReport {
    game: String,
    steps: usize,
    position: Option<String>,
    result: Option<BySeat<i32>>,
    wrong: Option<Contradiction>,
}

/// The first line that cannot be true.
#[derive(Serialize)]
struct Contradiction {
    line: usize,
    why: String,
}

impl Contradiction {
    fn new(line: usize, error: &anyhow::Error) -> Self {
        Self { line, why: format!("{error:#}") }
    }

    fn sentence(&self) -> String {
        format!("line {} cannot be true: {}", self.line, self.why)
    }
}

impl Replay {
    pub(crate) fn run(&self) -> anyhow::Result<ExitReason> {
        let name = self.file.display();
        let lines = lines(BufReader::new(open(&self.file)?));
        let lines = lines.with_context(|| format!("{name} cannot be replayed"))?;
        let given = self.game.as_deref().map(names::game).transpose()?;
        match lines.as_slice() {
            [] => bail!("{name} is empty"),
            [(number, TranscriptLine::Begin(beginning)), rest @ ..] => {
                match begin(beginning, given)? {
                    Ok(replay) => self.follow(replay, rest),
                    Err(error) => self.reject(beginning, Contradiction::new(*number, &error)),
                }
            }
            all => {
                let game = given.context(
                    "the transcript does not name its game; name it with --game, as in --game pig",
                )?;
                self.follow(MatchReplay::new(game), all)
            }
        }
    }

    fn follow(
        &self,
        mut replay: MatchReplay,
        lines: &[(usize, TranscriptLine)],
    ) -> anyhow::Result<ExitReason> {
        self.show(&replay, None)?;
        for (number, line) in lines {
            match replay.follow(line) {
                Ok(Some(words)) => self.show(&replay, Some(&words))?,
                Ok(None) => {}
                Err(error) => {
                    return self.conclude(&replay, Some(Contradiction::new(*number, &error)));
                }
            }
        }
        self.conclude(&replay, None)
    }

    /// The beginning itself cannot be true.
    fn reject(&self, beginning: &Beginning, wrong: Contradiction) -> anyhow::Result<ExitReason> {
        let text = if self.json {
            let (game, steps) = (beginning.game.clone(), 0);
            let (position, result, wrong) = (None, None, Some(wrong));
            serde_json::to_string(&ReplayReport { game, steps, position, result, wrong })?
        } else {
            wrong.sentence()
        };
        console::print(&format!("{text}\n"))?;
        Ok(ExitReason::No)
    }

    fn show(&self, replay: &MatchReplay, words: Option<&str>) -> anyhow::Result<()> {
        if self.json {
            return Ok(());
        }
        let (game, position) = (replay.game(), replay.again().position());
        // The match is over, so nothing needs to stay hidden.
        let picture = if game.hides() {
            game.text(position)
        } else {
            game.picture(position, Viewer::Spectator).to_string()
        };
        let heading = match words {
            None => replay.game().name(),
            Some(words) => format!("\n{}. {words}", replay.again().history().len()),
        };
        console::print(&format!("{heading}\n{picture}\n"))
    }

    fn conclude(
        &self,
        replay: &MatchReplay,
        wrong: Option<Contradiction>,
    ) -> anyhow::Result<ExitReason> {
        let (game, end) = (replay.game(), replay.end());
        let exit_reason = match (&wrong, end) {
            (Some(_), _) => ExitReason::No,
            (None, None) => ExitReason::CutShort,
            (None, Some(_)) => ExitReason::Fine,
        };
        let text = if self.json {
            let report = ReplayReport {
                game: game.name(),
                steps: replay.again().history().len(),
                position: Some(game.text(replay.again().position())),
                result: end.filter(|_| wrong.is_none()).map(|outcome| result(game, &outcome)),
                wrong,
            };
            serde_json::to_string(&report)?
        } else {
            match (wrong, end) {
                (Some(wrong), _) => wrong.sentence(),
                (None, None) => "the transcript stops before the end".to_owned(),
                (None, Some(outcome)) => in_words(game, &outcome),
            }
        };
        console::print(&format!("{}{text}\n", if self.json { "" } else { "\n" }))?;
        Ok(exit_reason)
    }
}

/// The replay of a beginning. The inner error says why the beginning cannot be true.
///
/// # Errors
/// If another game was asked for.
fn begin(
    beginning: &Beginning,
    given: Option<AnyGame>,
) -> anyhow::Result<anyhow::Result<MatchReplay>> {
    let named = match names::game(&beginning.game) {
        Ok(named) => named,
        Err(error) => return Ok(Err(error)),
    };
    if let Some(given) = given.filter(|given| given.name() != named.name()) {
        bail!("the transcript is of {}, not of {}", named.name(), given.name());
    }
    Ok(MatchReplay::from_beginning(named, beginning))
}

fn open(path: &Path) -> anyhow::Result<Box<dyn Read>> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(stdin()));
    }
    let file = File::open(path).with_context(|| format!("{} cannot be opened", path.display()))?;
    Ok(Box::new(file))
}

/// How a match ended, in words.
fn in_words(game: &AnyGame, outcome: &Outcome) -> String {
    let winner = outcome.winner().map(|seat| game::seat_name(game, seat));
    let heading = winner.map_or_else(|| "a draw".to_owned(), |winner| format!("{winner} wins"));
    let scores = game.seats().into_iter().zip(outcome.scores());
    let scores: Vec<String> = scores.map(|(seat, score)| format!("{seat} {score}")).collect();
    format!("{heading}: {}", scores.join(", "))
}
