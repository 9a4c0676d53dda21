//! The services of a server: a journal, the games and the page.

use std::fmt;
use std::sync::Arc;

use game::DeclaredGame;
use games::catalog::{self, CatalogError};
use server::{
    Catalog, GameDescription, MemoryJournal, NatsJournal, NatsOpenError, OpenError, PreviousStop,
    RulesAuthor, Salvaged, Services, Settings, SqliteJournal,
};

use crate::exit_reason::DeviceFailure;

use super::page;
use super::settings::{JournalKind, ServeSettings};
use super::text_games::{self, TextGames};

/// The games of the catalog, and those that are written as text.
#[derive(Debug)]
struct AllGames {
    texts: TextGames,
}

impl Catalog for AllGames {
    fn declared(&self, name: &str) -> Result<DeclaredGame, String> {
        match catalog::declared(name) {
            Err(CatalogError::UnknownGame { .. }) => self.text(name),
            declared => declared.map_err(|error| error.to_string()),
        }
    }

    fn names(&self) -> Vec<String> {
        let listed = catalog::CATALOG.iter().map(|listed| listed.example.to_owned());
        listed.chain(self.texts.names().cloned()).collect()
    }

    fn description(&self, name: &str) -> Option<GameDescription> {
        let plain = name.split(':').next().unwrap_or(name);
        let listed = catalog::CATALOG.iter().find(|listed| listed.name == plain)?;
        Some(GameDescription { title: catalog::title(name), summary: listed.summary.to_owned() })
    }

    fn rules(&self, name: &str) -> Option<Arc<str>> {
        self.texts.text(name)
    }

    fn read(&self, text: &str, author: RulesAuthor) -> Result<DeclaredGame, String> {
        text_games::read(text, author)
    }
}

impl AllGames {
    fn text(&self, name: &str) -> Result<DeclaredGame, String> {
        self.texts.declared(name).ok_or_else(|| {
            let shown: String = name.chars().take(80).collect();
            format!("no game is called {shown:?}; there are {}", self.names().join(", "))
        })
    }
}

/// Opens the services. Also returns a few sentences about the journal.
pub(super) async fn open(settings: &ServeSettings) -> anyhow::Result<(Services, String)> {
    let games = settings.games.as_deref();
    let games = TextGames::read(games)?;
    match &settings.journal {
        JournalKind::Memory => {
            let journal = Arc::new(MemoryJournal::new()?);
            let about = "Moves are kept in memory and lost when the server stops.".to_owned();
            Ok((services(journal, games), about))
        }
        JournalKind::Sqlite(folder) => {
            let (journal, report) =
                SqliteJournal::open(folder, &Settings::default()).map_err(not_opened)?;
            let mut about = format!("Moves are written to {}.", folder.display());
            if report.previous_stop == PreviousStop::Unclean {
                about += "\nThe server was not shut down cleanly last time; clients load everything again.";
            }
            about.extend(report.salvaged.as_ref().map(salvage));
            Ok((services(Arc::new(journal), games), about))
        }
        JournalKind::Nats(settings) => {
            let journal = NatsJournal::open(settings).await.map_err(not_reached)?;
            let about = match settings.replicas {
                1 => "one NATS server keeps each of them: a disk that fails loses them".to_owned(),
                replicas => format!("{replicas} NATS servers keep each of them"),
            };
            let about = format!("Moves are written to {}; {about}.", settings.address);
            Ok((services(Arc::new(journal), games), about))
        }
    }
}

/// Only a file that cannot be used is the fault of the arguments; a cluster without a leader is not.
fn not_reached(error: NatsOpenError) -> anyhow::Error {
    if error.is_wrong_setting() {
        return error.into();
    }
    anyhow::Error::new(error).context(DeviceFailure::new("the server cannot start"))
}

/// Only a folder that cannot be used is the fault of the arguments; a full disk is not.
fn not_opened(error: OpenError) -> anyhow::Error {
    if error.is_wrong_folder() {
        return error.into();
    }
    anyhow::Error::new(error).context(DeviceFailure::new("the server cannot start"))
}

/// What was saved from a damaged journal.
fn salvage(salvaged: &Salvaged) -> String {
    let Salvaged { why, aside, tables, entries, .. } = salvaged;
    format!(
        "\nThe journal was damaged ({why}). {entries} entries of {tables} tables were saved; the \
         damaged file is {}.",
        aside.display()
    )
}

fn services<J>(journal: Arc<J>, texts: TextGames) -> Services
where
    J: server::Journal + server::Directory + fmt::Debug + 'static,
{
    let directory: Arc<dyn server::Directory> = Arc::<J>::clone(&journal);
    let page = page::page().map(Arc::new);
    Services { journal, directory, catalog: Arc::new(AllGames { texts }), page }
}
