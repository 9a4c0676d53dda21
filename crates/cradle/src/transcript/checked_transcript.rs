//! Checks a transcript from its first line to its last.

use std::io::BufRead;

use anyhow::{Context, anyhow, bail};
use game::{AnyGame, Game, Outcome};
use serde::Serialize;

use super::line::{Beginning, TranscriptLine};
use super::match_replay::{AFTER_THE_END, MatchReplay};
use super::reader::{LastLine, TranscriptLines, lines};
use crate::names::{self, NamedGame, RulesFile};

/// A transcript that was played again.
pub(super) struct CheckedTranscript {
    /// The name of the game, if it is known.
    pub(super) game: Option<String>,
    /// The match as far as the transcript can be true; `None` if its beginning is wrong or missing.
    pub(super) replay: Option<MatchReplay>,
    pub(super) verdict: TranscriptVerdict,
}

/// What a transcript turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TranscriptVerdict {
    /// It is true, and comes to its end.
    True(Outcome),
    /// A line cannot be true.
    Wrong(Contradiction),
    /// It is true as far as it goes, but its end is missing.
    Cut(CutAt),
}

/// Where a transcript stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CutAt {
    /// After a whole line, or before the first one.
    LineBreak,
    /// In the middle of this line.
    Line(usize),
}

/// The first line that cannot be true.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Contradiction {
    pub(super) line: usize,
    pub(super) why: String,
}

impl Contradiction {
    fn new(line: usize, error: &anyhow::Error) -> Self {
        Self { line, why: format!("{error:#}") }
    }
}

/// Plays a transcript again. Calls `show` at the start and after every step, with what happened.
///
/// # Errors
/// If the transcript cannot be read, its game is not known, or another game was given.
pub(super) fn check(
    from: impl BufRead,
    given: Option<NamedGame>,
    mut show: impl FnMut(&MatchReplay, Option<&str>) -> anyhow::Result<()>,
) -> anyhow::Result<CheckedTranscript> {
    let TranscriptLines { lines, last } = lines(from)?;
    let (mut replay, rest) = match lines.as_slice() {
        [] => return Ok(nothing(given.as_ref().map(|given| &given.game), last)),
        [(number, TranscriptLine::Begin(beginning)), rest @ ..] => match begin(beginning, given)? {
            Ok(replay) => (replay, rest),
            Err(error) => return Ok(wrong_beginning(beginning, *number, &error)),
        },
        all => {
            let game = given.context(
                "the transcript does not name its game; name it with --game, as in --game pig",
            )?;
            (MatchReplay::new(game.game), all)
        }
    };
    show(&replay, None)?;
    let verdict = follow(&mut replay, rest, last, show)?;
    Ok(CheckedTranscript { game: Some(replay.game().name()), replay: Some(replay), verdict })
}

fn follow(
    replay: &mut MatchReplay,
    lines: &[(usize, TranscriptLine)],
    last: LastLine,
    mut show: impl FnMut(&MatchReplay, Option<&str>) -> anyhow::Result<()>,
) -> anyhow::Result<TranscriptVerdict> {
    for (place, (number, line)) in (1..).zip(lines) {
        match replay.follow(line) {
            Ok(Some(words)) => show(replay, Some(&words))?,
            Ok(None) => {}
            Err(_) if place == lines.len() && last == LastLine::Unbroken => {
                return Ok(TranscriptVerdict::Cut(CutAt::Line(*number)));
            }
            Err(error) => {
                return Ok(TranscriptVerdict::Wrong(Contradiction::new(*number, &error)));
            }
        }
    }
    Ok(match (replay.end(), last) {
        (Some(_), LastLine::Cut(line)) => {
            TranscriptVerdict::Wrong(Contradiction::new(line, &anyhow!(AFTER_THE_END)))
        }
        (Some(outcome), _) => TranscriptVerdict::True(outcome),
        (None, LastLine::Cut(line)) => TranscriptVerdict::Cut(CutAt::Line(line)),
        (None, _) => TranscriptVerdict::Cut(CutAt::LineBreak),
    })
}

/// A transcript without a whole line.
fn nothing(given: Option<&AnyGame>, last: LastLine) -> CheckedTranscript {
    let cut = match last {
        LastLine::Cut(line) => CutAt::Line(line),
        LastLine::Whole | LastLine::Unbroken => CutAt::LineBreak,
    };
    let verdict = TranscriptVerdict::Cut(cut);
    CheckedTranscript { game: given.map(Game::name), replay: None, verdict }
}

fn wrong_beginning(
    beginning: &Beginning,
    number: usize,
    error: &anyhow::Error,
) -> CheckedTranscript {
    let verdict = TranscriptVerdict::Wrong(Contradiction::new(number, error));
    CheckedTranscript { game: Some(beginning.game.clone()), replay: None, verdict }
}

/// The replay of a beginning. The inner error says why the beginning cannot be true.
///
/// # Errors
/// If another game was asked for, or the file of the rules is needed.
fn begin(
    beginning: &Beginning,
    given: Option<NamedGame>,
) -> anyhow::Result<anyhow::Result<MatchReplay>> {
    if let Some(rules) = &beginning.rules {
        let game = game_of_file(&beginning.game, rules, given)?;
        return Ok(MatchReplay::from_beginning(game, beginning));
    }
    let game = match given.map(|given| given.game) {
        // A game of a file is not in the catalog, or is another one there.
        Some(given) if given.name() == beginning.game => given,
        given => match names::game(&beginning.game) {
            Ok(named) if given.as_ref().is_none_or(|given| given.name() == named.name()) => named,
            Ok(named) => {
                let given = given.map(|given| given.name()).unwrap_or_default();
                bail!("the transcript is of {}, not of {given}", named.name())
            }
            Err(error) => return Ok(Err(error)),
        },
    };
    Ok(MatchReplay::from_beginning(game, beginning))
}

/// The game of a transcript whose rules are in a file. The file is not looked for: a transcript may
/// come from anywhere, and another file may have its name by now.
fn game_of_file(
    name: &str,
    written: &RulesFile,
    given: Option<NamedGame>,
) -> anyhow::Result<AnyGame> {
    let Some(NamedGame { game, rules: Some(rules) }) = given else {
        let file = &written.file;
        bail!("the rules of this match are in a file: name it with --game, as in --game {file}")
    };
    if rules.digest != written.digest {
        let (file, ours, theirs) = (rules.file, rules.digest, &written.digest);
        bail!("{file} has other rules than this match: its digest is {ours}, not {theirs}")
    }
    if game.name() != name {
        bail!("the transcript is of {name}, not of {}", game.name())
    }
    Ok(game)
}

#[cfg(test)]
mod tests;
