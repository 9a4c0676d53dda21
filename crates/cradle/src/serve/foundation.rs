//! What a server stands on: a journal, the games, and the page.

use std::fmt;
use std::sync::Arc;

use game::AnyGame;
use games::catalog;
use server::{Catalog, MemoryJournal, PreviousStop, Salvaged, Services, Settings, SqliteJournal};

use super::page;
use super::setup::{JournalKind, Setup};

/// All games of Cat's Cradle.
#[derive(Debug)]
struct AllGames;

impl Catalog for AllGames {
    fn game(&self, name: &str) -> Result<AnyGame, String> {
        catalog::game(name).map_err(|error| error.to_string())
    }

    fn names(&self) -> Vec<String> {
        catalog::CATALOG.iter().map(|listed| listed.example.to_owned()).collect()
    }
}

/// Opens the journal; gives also a sentence about it.
pub(super) fn open(setup: &Setup) -> anyhow::Result<(Services, String)> {
    match &setup.journal {
        JournalKind::Memory => {
            let journal = Arc::new(MemoryJournal::new()?);
            let said = "Moves are kept in memory: they are gone when the server stops.".to_owned();
            Ok((founded(journal), said))
        }
        JournalKind::Sqlite(folder) => {
            let (journal, report) = SqliteJournal::open(folder, &Settings::default())?;
            let mut said = format!("Moves are written to {}.", folder.display());
            if report.previous_stop == PreviousStop::Unclean {
                said +=
                    "\nThe server was not stopped as it should be last time; clients start over.";
            }
            said.extend(report.salvaged.as_ref().map(saved));
            Ok((founded(Arc::new(journal)), said))
        }
    }
}

/// What was saved of a damaged journal.
fn saved(salvaged: &Salvaged) -> String {
    let Salvaged { why, aside, tables, entries, .. } = salvaged;
    format!(
        "\nThe journal was damaged ({why}). {entries} entries of {tables} tables were saved; the \
         damaged file is {}.",
        aside.display()
    )
}

fn founded<J>(journal: Arc<J>) -> Services
where
    J: server::Journal + server::Directory + fmt::Debug + 'static,
{
    let directory: Arc<dyn server::Directory> = Arc::<J>::clone(&journal);
    let page = page::page().map(Arc::new);
    Services { journal, directory, catalog: Arc::new(AllGames), page }
}
