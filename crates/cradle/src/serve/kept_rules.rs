//! Games that are written as text, as a server keeps them.
//!
//! A table names its game with the digest of the text, as in `nim@0f3a…`. Every text that a server has
//! offered is kept in the folder of the journal under its digest, so that a table keeps its rules when
//! the file of its game changes.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use game::{AnyGame, DeclaredGame, RulesSize, Seats};
use notation::{BuiltText, Document, TextForm};
use sha2::{Digest, Sha256};

use crate::exit_reason::DeviceFailure;
use crate::text_file::TextFile;

/// The games of a folder, and those that tables still name.
#[derive(Debug, Default)]
pub(super) struct KeptRules {
    /// By name and digest.
    games: BTreeMap<String, KeptGame>,
    /// The games of the folder, by name alone, with their names and digests.
    offered: BTreeMap<String, String>,
}

/// A text, and what must be known of its game before it is built.
#[derive(Debug)]
struct KeptGame {
    text: Arc<str>,
    seats: Vec<String>,
    strategies: Seats,
    size: RulesSize,
}

/// The folder of the texts in the folder of a journal.
const FOLDER: &str = "rules";

/// The most texts that are kept: all of them are read at the start.
const MOST_KEPT: usize = 1000;

impl KeptRules {
    /// Reads the texts that are kept beside a journal, and then the games of a folder, which are kept
    /// from now on.
    ///
    /// # Errors
    /// If a text of the folder has mistakes or cannot be played, if two have the same name, or if a file
    /// cannot be read or written.
    pub(super) fn open(journal: Option<&Path>, games: Option<&Path>) -> anyhow::Result<Self> {
        let kept = journal.map(|journal| journal.join(FOLDER));
        let mut rules = Self::default();
        if let Some(folder) = &kept {
            rules.read_kept(folder)?;
        }
        if let Some(folder) = games {
            rules.read_offered(folder, kept.as_deref())?;
        }
        Ok(rules)
    }

    /// Reads what was kept earlier. A text that cannot be read any more is left out: its tables say so
    /// when they are opened.
    fn read_kept(&mut self, folder: &Path) -> anyhow::Result<()> {
        for path in texts_in(folder)? {
            let file = TextFile::read(&path)?;
            let text = file.document.text();
            let is_whole = path.file_stem().is_some_and(|name| *name == *digest(text));
            if let Some(built) = file.document.build(&[]).ok().filter(|_| is_whole) {
                self.add(&built, text)?;
            } else {
                tracing::warn!(file = file.name, "the rules of old tables are unreadable");
            }
        }
        Ok(())
    }

    fn read_offered(&mut self, folder: &Path, kept: Option<&Path>) -> anyhow::Result<()> {
        if !folder.is_dir() {
            bail!("{} is no folder of games", folder.display());
        }
        for path in texts_in(folder)? {
            let file = TextFile::read(&path)?;
            let built = file.document.build(&[]);
            let built = built.map_err(|mistakes| file.refusal(&mistakes))?;
            if built.form() == TextForm::Program {
                tracing::info!(file = file.name, "a program is no game and is not offered");
                continue;
            }
            let text = file.document.text();
            let named = self.add(&built, text).with_context(|| file.name.clone())?;
            if self.offered.insert(built.name(), named).is_some() {
                bail!("two files of {} call their game {}", folder.display(), built.name());
            }
            if let Some(kept) = kept {
                keep(kept, text)?;
            }
        }
        Ok(())
    }

    /// Adds a game, and returns its name with its digest.
    fn add(&mut self, built: &BuiltText, text: &str) -> anyhow::Result<String> {
        let named = format!("{}@{}", built.name(), digest(text));
        if !self.games.contains_key(&named) {
            // A game whose b-threads never stop is refused now, and not when somebody plays it.
            built.any_game_called(&named, LEAST_TABLE_BYTES)?;
            if self.games.len() >= MOST_KEPT {
                bail!("more than {MOST_KEPT} texts are kept in {FOLDER}: move old ones away");
            }
            let strategies = built.threads().iter().filter_map(notation::BuiltThread::seat);
            let game = KeptGame {
                text: text.into(),
                seats: built.seats().into_iter().map(str::to_owned).collect(),
                strategies: strategies.fold(Seats::NONE, Seats::with),
                size: built.rules_size(),
            };
            self.games.insert(named.clone(), game);
        }
        Ok(named)
    }

    /// The game of this name: with a digest, or as the folder has it now.
    pub(super) fn declared(&self, name: &str) -> Option<DeclaredGame> {
        let named = self.offered.get(name).map_or(name, String::as_str);
        let game = self.games.get(named)?;
        let seats: Vec<&str> = game.seats.iter().map(String::as_str).collect();
        let (text, called) = (Arc::clone(&game.text), named.to_owned());
        let build = move |table_bytes| built(&text, &called, table_bytes);
        let declared = DeclaredGame::of_rules(named.to_owned(), &seats, game.size, build);
        Some(declared.with_strategies(game.strategies))
    }

    /// The names of the games of the folder, with their digests.
    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        self.offered.values()
    }
}

/// The memory for the states of a game that is only built to see that it can be.
const LEAST_TABLE_BYTES: usize = 1 << 16;

fn built(text: &str, name: &str, table_bytes: usize) -> AnyGame {
    let built = Document::read(text).build(&[]).expect("the text was built at the start");
    built.any_game_called(name, table_bytes).expect("the game was built at the start")
}

/// The first half of the SHA-256 of a text: nobody finds two texts with the same one.
fn digest(text: &str) -> String {
    let whole: [u8; 32] = Sha256::digest(text.as_bytes()).into();
    let half = whole.first_chunk().copied().map_or(0, u128::from_be_bytes);
    format!("{half:032x}")
}

/// The texts in a folder, in order; none if it does not exist.
fn texts_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let failed = || format!("{} cannot be read", folder.display());
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.with_context(failed)?,
    };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.with_context(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "cradle") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Keeps a text under its digest, durably and once.
fn keep(folder: &Path, text: &str) -> anyhow::Result<()> {
    let path = folder.join(format!("{}.cradle", digest(text)));
    if path.exists() {
        return Ok(());
    }
    let written = || -> std::io::Result<()> {
        DirBuilder::new().recursive(true).create(folder)?;
        let beside = path.with_extension("new");
        let mut file = File::create(&beside)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, &path)?;
        File::open(folder)?.sync_all()
    };
    written().with_context(|| {
        DeviceFailure::new(format!("the rules cannot be kept in {}", folder.display()))
    })
}

/// The game of this name and digest, if its text is kept in the folder of a journal.
pub(crate) fn game(journal: &Path, named: &str) -> Option<AnyGame> {
    let (_, digest) = named.rsplit_once('@')?;
    let is_digest = digest.len() == 32 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
    let path = journal.join(FOLDER).join(format!("{digest}.cradle"));
    let file = TextFile::read(&path).ok().filter(|_| is_digest)?;
    let built = file.document.build(&[]).ok()?;
    built.any_game_called(named, USUAL_TABLE_BYTES).ok()
}

/// The memory for the states of a game that one command looks at.
const USUAL_TABLE_BYTES: usize = 16 << 20;

/// Copies all kept texts from one journal's folder to another one.
///
/// # Errors
/// If a file cannot be read or written.
pub(crate) fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    for path in texts_in(&from.join(FOLDER))? {
        let failed = || format!("{} cannot be read", path.display());
        let text = fs::read_to_string(&path).with_context(failed)?;
        keep(&to.join(FOLDER), &text)?;
    }
    Ok(())
}
