//! A table in the memory of a server.

use game::{Game, Seat, Viewer};

use crate::attempt::Follow;
use crate::automatic::{TableSecret, automatic_entries};
use crate::entry::{Entry, EntryBody};
use crate::snapshot::Snapshot;
use crate::state::{FoldError, Foreseen, State};
use crate::wire::{Entries, MOST_ENTRIES, PROTOCOL, Resync, Welcome};

/// A table in the memory of a server: how it stands, and what clients must be told of it.
///
/// It remembers the entries of the round; who needs earlier ones reads the log.
#[derive(Clone, Debug)]
pub struct LiveTable {
    state: State,
    secret: TableSecret,
    epoch: String,
    /// How the round began, once something has happened in it.
    start: Option<Box<Snapshot>>,
    /// What has happened since.
    told: Vec<Entry>,
    news: Vec<Announcement>,
    /// An entry that is being written, and what it will change.
    foreseen: Option<Box<(Entry, Foreseen)>>,
}

/// Something that has just happened.
#[derive(Clone, Debug)]
pub struct Announcement {
    entry: Entry,
    /// How the table stood before and after it, where something is hidden.
    states: Option<Box<(State, State)>>,
}

impl LiveTable {
    /// A table that stands like this, with its secret and what its log is called.
    #[must_use]
    pub fn new(state: State, secret: TableSecret, epoch: String) -> Self {
        let (told, news) = (Vec::new(), Vec::new());
        Self { state, secret, epoch, start: None, told, news, foreseen: None }
    }

    /// What clients must be told, in order; everything is told once.
    pub fn take_news(&mut self) -> Vec<Announcement> {
        std::mem::take(&mut self.news)
    }

    /// What its log is called.
    #[must_use]
    pub fn epoch(&self) -> &str {
        &self.epoch
    }

    /// The seat that was taken by the entry of this version, if that has just happened and was not
    /// told yet.
    #[must_use]
    pub fn just_taken(&self, version: u64) -> Option<Seat> {
        let news = self.news.iter().find(|news| news.entry().version == version)?;
        match &news.entry().body {
            EntryBody::Joined { seat, .. } => Some(*seat),
            _ => None,
        }
    }

    /// How the round began.
    #[must_use]
    pub fn start(&self) -> Option<Snapshot> {
        self.start.as_deref().cloned().or_else(|| self.state.snapshot())
    }

    /// What the table does by itself now; see [`automatic_entries`].
    ///
    /// # Errors
    /// If a computer player cannot go on.
    pub fn automatic_entries(
        &self,
        now: u64,
    ) -> Result<Vec<Entry>, crate::automatic::AutomaticError> {
        automatic_entries(&self.state, &self.secret, now)
    }

    /// Finds out what these entries will change, before they are written: rules that fail on them fail
    /// now, and not whenever the log is read. What one entry changes is not found out once more when
    /// it is taken in.
    ///
    /// # Errors
    /// If they do not follow from those before them.
    pub fn foresee(&mut self, entries: &[Entry]) -> Result<(), FoldError> {
        let [entry] = entries else { return self.state.clone().follow(entries) };
        self.foreseen = Some(Box::new((entry.clone(), self.state.foresee(entry)?)));
        Ok(())
    }

    fn take_in(&mut self, entry: &Entry) -> Result<(), FoldError> {
        // Others may have come first.
        let foreseen = self.foreseen.take().filter(|foreseen| foreseen.0 == *entry);
        let hides = self.state.game().hides();
        let before = hides.then(|| self.state.clone());
        let start = self.start.is_none().then(|| self.state.snapshot()).flatten();
        match foreseen {
            Some(foreseen) => self.state.fulfil(entry, foreseen.1),
            None => self.state.fold(entry)?,
        }
        self.told.push(entry.clone());
        self.start = self.start.take().or_else(|| start.map(Box::new));
        if self.state.snapshot_is_due() {
            self.start = None;
            self.told.clear();
        }
        let states = before.map(|before| Box::new((before, self.state.clone())));
        self.news.push(Announcement { entry: entry.clone(), states });
        Ok(())
    }

    /// What the server says to who joins, or who wants to be told again.
    #[must_use]
    pub fn welcome(&self, seat: Option<Seat>, known: &Resync) -> Welcome {
        let viewer = viewer(seat);
        let from = known.from.filter(|_| known.epoch.as_ref() == Some(&self.epoch));
        let version = self.state.version();
        let first = self.told.first().map_or(version + 1, |entry| entry.version);
        // Who is ahead knows another log, whatever it is called.
        let from = from.filter(|from| (first - 1..=version).contains(from));
        let start = from.is_none().then(|| self.start()).flatten();
        let after = from.unwrap_or(first - 1);
        let entries = self.entries_after(after, viewer);
        Welcome {
            protocol: PROTOCOL,
            rules: self.state.rules(),
            epoch: self.epoch.clone(),
            seat,
            now: None,
            version,
            view: self.state.view(viewer),
            start: start.filter(|_| !self.state.game().hides()).map(|start| start.shown(seat)),
            entries,
        }
    }

    /// The entries of this round that come after a version, or the first of them.
    fn entries_after(&self, after: u64, viewer: Viewer) -> Vec<Entry> {
        let told = self.told.iter().filter(|entry| entry.version > after);
        if !self.state.game().hides() {
            return told.take(MOST_ENTRIES).map(|entry| self.state.shown(entry, viewer)).collect();
        }
        // What somebody sees of a move depends on the position in which it was made.
        let start = self.start.as_deref();
        let state = start.and_then(|start| State::restore(self.state.game().clone(), start).ok());
        let Some(mut state) = state else { return Vec::new() };
        let mut entries = Vec::new();
        for entry in &self.told {
            if entry.version > after && entries.len() < MOST_ENTRIES {
                entries.push(state.shown(entry, viewer));
            }
            state.fold(entry).expect("it was folded before");
        }
        entries
    }
}

impl Follow for LiveTable {
    fn state(&self) -> &State {
        &self.state
    }

    fn follow(&mut self, entries: &[Entry]) -> Result<(), FoldError> {
        if let [entry] = entries {
            return self.take_in(entry);
        }
        let mut next = self.clone();
        entries.iter().try_for_each(|entry| next.take_in(entry))?;
        *self = next;
        Ok(())
    }
}

impl Announcement {
    /// What happened, as who has this seat may see it, or who just looks on.
    #[must_use]
    pub fn to(&self, state: &State, seat: Option<Seat>) -> Entries {
        let viewer = viewer(seat);
        match self.states.as_deref() {
            None => Entries { entries: vec![state.shown(&self.entry, viewer)], view: None },
            Some((before, after)) => Entries {
                entries: vec![before.shown(&self.entry, viewer)],
                view: Some(Box::new(after.view(viewer))),
            },
        }
    }

    /// The entry itself.
    #[must_use]
    pub const fn entry(&self) -> &Entry {
        &self.entry
    }
}

fn viewer(seat: Option<Seat>) -> Viewer {
    seat.map_or(Viewer::Spectator, Viewer::Seat)
}
