//! `cradle replay`: shows a match again and checks its transcript.

use std::fs::File;
use std::io::{BufReader, Read, stdin};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use game::{AnyGame, Game, Outcome, Viewer};
use serde::Serialize;

use super::by_seat::BySeat;
use super::checked_transcript::{
    CheckedTranscript, Contradiction, CutAt, TranscriptVerdict, check,
};
use super::line::result;
use super::match_replay::MatchReplay;
use super::table_draws::check_log;
use crate::console::visible;
use crate::exit_reason::ExitReason;
use crate::interrupt::Interrupt;
use crate::quantity::counted;
use crate::{console, names};

/// Show a match again
///
/// Reads what `cradle match` printed, plays it again and checks everything in it
/// that the rules determine: positions, moves, refusals, the result and the line
/// that won. If it names players and a seed, they must choose, explain and draw
/// the same again. The first line that cannot be true is named.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
#[command(
    after_help = "Exit codes: 0 fine, 1 a line cannot be true, 2 wrong usage (the file cannot be\n\
                        opened, or is no transcript), 3 cut short (the transcript stops before its\n\
                        end, reading fails, or Ctrl-C)."
)]
pub(crate) struct Replay {
    /// What `cradle match` printed; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The game, if the transcript does not name it, or its file
    #[arg(long, value_name = "GAME")]
    game: Option<String>,

    /// FILE is the log of an ended table: check its draws
    #[arg(long, conflicts_with_all = ["game", "json"])]
    log: bool,

    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
}

/// The answer as JSON.
#[derive(Serialize)]
struct ReplayReport {
    game: Option<String>,
    steps: usize,
    position: Option<String>,
    result: Option<BySeat<i32>>,
    wrong: Option<Contradiction>,
}

impl Replay {
    pub(crate) fn run(&self) -> anyhow::Result<ExitReason> {
        if self.log {
            let name = self.file.display();
            return check_log(open(&self.file)?)
                .with_context(|| format!("{name} cannot be checked"));
        }
        let given = self.game.as_deref().map(names::named_game).transpose()?;
        let interrupt = Interrupt::watch("Ctrl-C ended the replay. No line was checked.")?;
        let checked = check(BufReader::new(open(&self.file)?), given, |replay, words| {
            let steps = counted(replay.again().history().len() as u64, "step", "steps");
            interrupt
                .say(format!("Ctrl-C ended the replay after {steps}. The rest was not checked."));
            self.show(replay, words)
        });
        let name = self.file.display();
        let checked = checked.with_context(|| format!("{name} cannot be replayed"))?;
        let text =
            if self.json { serde_json::to_string(&report(&checked))? } else { sentence(&checked) };
        let start = if self.json || checked.replay.is_none() { "" } else { "\n" };
        console::print(&format!("{start}{}\n", visible(&text)))?;
        Ok(match checked.verdict {
            TranscriptVerdict::True(_) => ExitReason::Fine,
            TranscriptVerdict::Wrong(_) => ExitReason::No,
            TranscriptVerdict::Cut(_) => ExitReason::CutShort,
        })
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
        console::print(&format!("{}\n{picture}\n", visible(&heading)))
    }
}

fn report(checked: &CheckedTranscript) -> ReplayReport {
    let replay = checked.replay.as_ref();
    let (result, wrong) = match &checked.verdict {
        TranscriptVerdict::True(outcome) => {
            (replay.map(|replay| result(replay.game(), outcome)), None)
        }
        TranscriptVerdict::Wrong(wrong) => (None, Some(wrong.clone())),
        TranscriptVerdict::Cut(_) => (None, None),
    };
    ReplayReport {
        game: checked.game.clone(),
        steps: replay.map_or(0, |replay| replay.again().history().len()),
        position: replay.map(|replay| replay.game().text(replay.again().position())),
        result,
        wrong,
    }
}

fn sentence(checked: &CheckedTranscript) -> String {
    match &checked.verdict {
        TranscriptVerdict::True(outcome) => {
            let replay = checked.replay.as_ref().expect("a true transcript has a beginning");
            in_words(replay.game(), outcome)
        }
        TranscriptVerdict::Wrong(Contradiction { line, why }) => {
            format!("line {line} cannot be true: {why}")
        }
        TranscriptVerdict::Cut(CutAt::LineBreak) => {
            "the transcript stops before the end".to_owned()
        }
        TranscriptVerdict::Cut(CutAt::Line(line)) => {
            format!("the transcript stops in the middle of line {line}")
        }
    }
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
