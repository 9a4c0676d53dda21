//! Games that are written as text, as a server offers them.
//!
//! A table names its game with the digest of the text, as in `nim@0f3a…`, and the journal keeps the text
//! under its digest: a table keeps its rules when the file of its game changes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use bthread::Limits;
use game::{AnyGame, DeclaredGame, Seats, StopFlag};
use notation::{BuildLimits, BuiltText, Document, NotAGame, TextForm, ThreadRoleWord};
use server::{MAX_RULES_BYTES, RulesAuthor, RulesDigest};

use crate::text_file::TextFile;

/// The games of a folder, by name.
#[derive(Debug, Default)]
pub(super) struct TextGames(BTreeMap<String, OfferedText>);

/// A text of the folder.
#[derive(Debug)]
struct OfferedText {
    /// The name of the game, with the digest of the text.
    named: String,
    text: Arc<str>,
    built: BuiltText,
    /// The number of its positions, if it can be solved.
    positions: Option<u64>,
}

impl TextGames {
    /// Reads the games of a folder, if there is one.
    ///
    /// # Errors
    /// If a text has mistakes, is too long or cannot be played, if two games have the same name, or if a
    /// file cannot be read.
    pub(super) fn read(folder: Option<&Path>) -> anyhow::Result<Self> {
        let mut games = Self::default();
        let Some(folder) = folder else { return Ok(games) };
        for path in texts_in(folder)? {
            let file = TextFile::read(&path)?;
            let built = file.document.build(&[]);
            let built = built.map_err(|mistakes| file.refusal(&mistakes))?;
            if built.form() == TextForm::Program {
                tracing::info!(file = file.name, "a program is no game and is not offered");
                continue;
            }
            let text = file.document.text();
            if text.len() > MAX_RULES_BYTES {
                bail!(
                    "{} has {} bytes, and a server offers texts of at most {MAX_RULES_BYTES}",
                    file.name,
                    text.len()
                );
            }
            let named = RulesDigest::of(text).name(&built.name());
            let game = built.any_game_within(&named, SOLVED_TABLE_BYTES, Limits::default());
            let positions = positions_of(&game.with_context(|| file.name.clone())?);
            let name = built.name();
            let offered = OfferedText { named, text: text.into(), built, positions };
            if games.0.insert(name.clone(), offered).is_some() {
                bail!("two files of {} call their game {name}", folder.display());
            }
        }
        Ok(games)
    }

    /// The game of this name, with the digest of its text or without.
    fn find(&self, name: &str) -> Option<&OfferedText> {
        let (short, is_whole) = match name.rsplit_once('@') {
            Some((short, _)) => (short, true),
            None => (name, false),
        };
        self.0.get(short).filter(|offered| !is_whole || offered.named == name)
    }

    /// The game of this name.
    pub(super) fn declared(&self, name: &str) -> Option<DeclaredGame> {
        let offered = self.find(name)?;
        let declared = declare(offered.built.clone(), offered.named.clone(), Limits::default());
        Some(match offered.positions {
            Some(positions) => declared.with_positions(positions),
            None => declared,
        })
    }

    /// The text of the game of this name.
    pub(super) fn text(&self, name: &str) -> Option<Arc<str>> {
        self.find(name).map(|offered| Arc::clone(&offered.text))
    }

    /// The names of the games, with the digests of their texts.
    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        self.0.values().map(|offered| &offered.named)
    }
}

/// The memory for the states of a game that is only built to see that it can be.
const LEAST_TABLE_BYTES: usize = 1 << 16;

/// Checks that a game can be built: one whose b-threads never stop is refused before anybody plays it.
fn playable(built: &BuiltText, named: &str, limits: Limits) -> Result<AnyGame, NotAGame> {
    built.any_game_within(named, LEAST_TABLE_BYTES, limits)
}

/// The bytes of the table of a game that is solved: as many as it has at a table (`game_table_kilobytes`).
/// With much fewer its positions could not be told apart.
const SOLVED_TABLE_BYTES: usize = 4 << 20;

/// The most positions that are visited when a server starts, to find out whether a game can be solved.
/// Tic-tac-toe has fewer.
const MOST_POSITIONS: usize = 6_000;

/// The number of positions of a game that can be solved; `None` if it cannot, or has many.
///
/// Only texts of the operator are tried: a move by the rules of a stranger may take milliseconds.
fn positions_of(game: &AnyGame) -> Option<u64> {
    let count = game.count_positions(&StopFlag::default(), MOST_POSITIONS).ok()?;
    u64::try_from(count).ok()
}

/// Declares a game that can be built.
fn declare(built: BuiltText, named: String, limits: Limits) -> DeclaredGame {
    let strategies = built.threads().iter().filter_map(notation::BuiltThread::seat);
    let (strategies, size) = (strategies.fold(Seats::NONE, Seats::with), built.rules_size());
    let (seats, called) = (built.clone(), named.clone());
    let build = move |table_bytes| {
        built.any_game_within(&called, table_bytes, limits).expect("it was built before")
    };
    let has_chance = seats.threads().iter().any(|thread| thread.role() == ThreadRoleWord::Chance);
    let declared = DeclaredGame::of_rules(named, &seats.seats(), size, build)
        .with_strategies(strategies)
        .with_summary(seats.summary().map(str::to_owned), seats.grid());
    if has_chance { declared.with_chance() } else { declared }
}

/// Reads the text of a game.
///
/// # Errors
/// The mistakes of the text, or why it is no game that can be played.
pub(super) fn read(text: &str, author: RulesAuthor) -> Result<DeclaredGame, String> {
    let (bounds, limits) = (build_limits(author), Limits::default());
    let (built, named) = built(text, bounds)?;
    let limits = match author {
        RulesAuthor::Operator => limits,
        RulesAuthor::Player => {
            check_lengths(&built)?;
            Limits { steps: steps_per_move(&built), ..limits }
        }
    };
    playable(&built, &named, limits).map_err(|error| error.to_string())?;
    Ok(declare(built, named, limits))
}

/// The bounds of a text.
fn build_limits(author: RulesAuthor) -> BuildLimits {
    match author {
        RulesAuthor::Operator => BuildLimits::default(),
        RulesAuthor::Player => {
            BuildLimits { bytes: MAX_RULES_BYTES as u64, ..BuildLimits::of_strangers() }
        }
    }
}

/// The most bytes of the names of all events that a player's text may have together: a table shows the
/// names of all legal moves at once.
const MOST_NAME_BYTES: usize = 64 << 10;

/// The longest sentence of a rule, in bytes: a refusal may have many.
const LONGEST_SENTENCE: usize = 200;

/// Checks that what a table shows of a player's rules is short.
fn check_lengths(built: &BuiltText) -> Result<(), String> {
    let names: usize = built.events().map(|event| event.to_string().len()).sum();
    if names > MOST_NAME_BYTES {
        return Err(format!(
            "the names of all events have {names} bytes together, and at a table at most \
             {MOST_NAME_BYTES}: choose shorter names"
        ));
    }
    let sentences = built.threads().iter().filter_map(notation::BuiltThread::sentence);
    match sentences.map(str::len).find(|length| *length > LONGEST_SENTENCE) {
        Some(length) => Err(format!(
            "a sentence of a rule has {length} bytes, and at a table at most {LONGEST_SENTENCE}"
        )),
        None => Ok(()),
    }
}

/// The most events that follow from one move by a player's rules. Each may concern all b-threads, so a
/// move takes at most a few milliseconds.
fn steps_per_move(built: &BuiltText) -> u64 {
    const WORK: u64 = 20_000;
    (WORK / (built.threads().len() as u64).max(1)).clamp(16, 1_000)
}

/// A text with its name.
fn built(text: &str, bounds: BuildLimits) -> Result<(BuiltText, String), String> {
    let document = Document::read_within(text, bounds);
    let built = document.build(&[]).map_err(|mistakes| {
        let shown = mistakes.iter().map(|mistake| mistake.render("rules", text));
        shown.collect::<Vec<_>>().join("\n")
    })?;
    let named = RulesDigest::of(text).name(&built.name());
    Ok((built, named))
}

/// The memory for the states of a game that one command looks at.
const USUAL_TABLE_BYTES: usize = 16 << 20;

/// The game of a text that a journal keeps.
///
/// # Errors
/// Why there is none.
pub(crate) fn game(text: &str) -> Result<AnyGame, String> {
    let (built, named) = built(text, BuildLimits::default())?;
    built.any_game_called(&named, USUAL_TABLE_BYTES).map_err(|error| error.to_string())
}

/// The texts in a folder, in order.
fn texts_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        bail!("{} is no folder of games", folder.display());
    }
    let failed = || format!("{} cannot be read", folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).with_context(failed)? {
        let path = entry.with_context(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "cradle") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use game::{PlayerKind, Seat};

    use super::*;

    #[test]
    fn perfect_is_offered_for_texts_with_few_positions_and_for_no_others() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
        let games = TextGames::read(Some(&folder)).unwrap();
        let check = |name: &str| {
            let declared = games.declared(name).expect("the folder has this game");
            declared.check_player(&PlayerKind::Perfect, Seat::FIRST)
        };
        assert_eq!(check("nim"), Ok(()));
        assert_eq!(check("pig"), Ok(()));
        let refused = check("connect").unwrap_err();
        assert_eq!(refused.reason, "it may have more than 20000 positions");
    }
}
