//! A table in the memory of a server.

use game::{Game, Seat, Viewer};

use crate::attempt::FoldEntries;
use crate::automatic::{AutomaticError, TableSecret, automatic_entries};
use crate::entry::Entry;
use crate::entry_body::EntryBody;
use crate::rehearsal::{EntryEffects, Rehearsal};
use crate::table_snapshot::TableSnapshot;
use crate::table_state::{FoldError, PreparedEntry, TableState};
use crate::wire::{Entries, MAX_ENTRIES, PROTOCOL, Resync, Welcome};

/// A table in the memory of a server: its state, and the entries that clients have not been sent.
///
/// It keeps the entries of the current round; earlier ones are in the journal.
#[derive(Clone, Debug)]
pub struct LiveTable {
    state: TableState,
    secret: TableSecret,
    epoch: String,
    /// The state at the start of the round, once the round has an entry.
    start: Option<Box<TableSnapshot>>,
    /// The entries since then.
    entries: Vec<Entry>,
    announcements: Vec<Announcement>,
    /// The entries that come next if nobody else appends others, the last one first, and their effects.
    prepared: Vec<(Entry, PreparedEntry)>,
}

/// An entry that clients have not been sent yet.
#[derive(Clone, Debug)]
pub struct Announcement {
    entry: Entry,
    /// The states before and after the entry, if the game has hidden information.
    states: Option<Box<(TableState, TableState)>>,
}

impl LiveTable {
    /// A table in this state, with its secret and the name of its log.
    #[must_use]
    pub fn new(state: TableState, secret: TableSecret, epoch: String) -> Self {
        let (entries, announcements, prepared) = (Vec::new(), Vec::new(), Vec::new());
        Self { state, secret, epoch, start: None, entries, announcements, prepared }
    }

    /// Takes the entries that clients have not been sent, in order.
    pub fn take_announcements(&mut self) -> Vec<Announcement> {
        std::mem::take(&mut self.announcements)
    }

    /// The name of the log.
    #[must_use]
    pub fn epoch(&self) -> &str {
        &self.epoch
    }

    /// The seat that the entry of this version took, if that entry has not been announced yet.
    #[must_use]
    pub fn just_taken(&self, version: u64) -> Option<Seat> {
        let mut entries = self.announcements.iter().map(Announcement::entry);
        match &entries.find(|entry| entry.version == version)?.body {
            EntryBody::Joined { seat, .. } => Some(*seat),
            _ => None,
        }
    }

    /// The state at the start of the round.
    #[must_use]
    pub fn start(&self) -> Option<TableSnapshot> {
        self.start.as_deref().cloned().or_else(|| self.state.snapshot())
    }

    /// The entries that the table adds on its own now; see [`automatic_entries`].
    ///
    /// # Errors
    /// If a computer player cannot continue.
    pub fn automatic_entries(&self, now: u64) -> Result<Vec<Entry>, AutomaticError> {
        automatic_entries(&self.state, &self.secret, now)
    }

    /// Checks entries before they are appended: rules that fail on them fail now, and not whenever
    /// the log is read. Their effects are kept until they are folded.
    ///
    /// # Errors
    /// If the entries do not follow from the log.
    pub fn prepare(&mut self, entries: &[Entry]) -> Result<(), FoldError> {
        let known = self.prepared.iter().rev().map(|(entry, _)| entry);
        if !entries.is_empty() && known.eq(entries) {
            return Ok(());
        }
        if let [entry] = entries {
            self.prepared = vec![(entry.clone(), self.state.prepare(entry)?)];
            return Ok(());
        }
        let mut rehearsal = Rehearsal::of(self.state.clone());
        rehearsal.fold_all(entries)?;
        self.adopt(rehearsal.effects());
        Ok(())
    }

    /// Takes over the effects of entries that were tried out in this state. They count as long as exactly
    /// these entries are folded next.
    pub fn adopt(&mut self, effects: EntryEffects) {
        self.prepared = effects.0;
        self.prepared.reverse();
    }

    /// The effect of the next entry, if it is known.
    fn take_prepared(&mut self, entry: &Entry) -> Option<PreparedEntry> {
        let next = self.prepared.pop();
        let known = next.filter(|(prepared, _)| prepared == entry);
        // Another node may have appended a different entry.
        if known.is_none() || self.prepared.is_empty() {
            self.prepared = Vec::new();
        }
        known.map(|(_, effect)| effect)
    }

    fn fold_entry(&mut self, entry: &Entry) -> Result<(), FoldError> {
        let prepared = self.take_prepared(entry);
        let before = self.state.game().hides().then(|| self.state.clone());
        let start = self.start.is_none().then(|| self.state.snapshot()).flatten();
        match prepared {
            Some(prepared) => self.state.apply(entry, prepared),
            None => self.state.fold(entry)?,
        }
        self.entries.push(entry.clone());
        self.start = self.start.take().or_else(|| start.map(Box::new));
        if self.state.is_at_round_start() {
            self.start = None;
            self.entries.clear();
        }
        let states = before.map(|before| Box::new((before, self.state.clone())));
        self.announcements.push(Announcement { entry: entry.clone(), states });
        Ok(())
    }

    /// The reply to a client that joins or resyncs.
    #[must_use]
    pub fn welcome(&self, seat: Option<Seat>, known: &Resync) -> Welcome {
        let viewer = viewer(seat);
        let from = known.from.filter(|_| known.epoch.as_ref() == Some(&self.epoch));
        let version = self.state.version();
        let first = self.entries.first().map_or(version + 1, |entry| entry.version);
        // A client that is ahead knows another log, whatever its epoch is.
        let from = from.filter(|from| (first - 1..=version).contains(from));
        let start = from.is_none().then(|| self.start()).flatten();
        let start = start.filter(|_| !self.state.game().hides());
        Welcome {
            protocol: PROTOCOL,
            rules: self.state.rules(),
            epoch: self.epoch.clone(),
            seat,
            now: None,
            claim_after: None,
            version,
            view: self.state.view(viewer),
            start: start.map(|start| start.visible_to(seat)),
            entries: self.entries_after(from.unwrap_or(first - 1), viewer),
        }
    }

    /// The entries of this round after a version, up to the limit of one message.
    fn entries_after(&self, after: u64, viewer: Viewer) -> Vec<Entry> {
        if !self.state.game().hides() {
            let entries = self.entries.iter().filter(|entry| entry.version > after);
            let visible = entries.map(|entry| self.state.visible_entry(entry, viewer));
            return visible.take(MAX_ENTRIES).collect();
        }
        // The visible part of a move depends on the position before it.
        let start = self.start.as_deref();
        let state =
            start.and_then(|start| TableState::restore(self.state.game().clone(), start).ok());
        let Some(mut state) = state else { return Vec::new() };
        let mut visible = Vec::new();
        for entry in &self.entries {
            if entry.version > after && visible.len() < MAX_ENTRIES {
                visible.push(state.visible_entry(entry, viewer));
            }
            state.fold(entry).expect("the entry was folded before");
        }
        visible
    }
}

impl FoldEntries for LiveTable {
    fn state(&self) -> &TableState {
        &self.state
    }

    fn fold_all(&mut self, entries: &[Entry]) -> Result<(), FoldError> {
        if let [entry] = entries {
            return self.fold_entry(entry);
        }
        let mut next = self.clone();
        entries.iter().try_for_each(|entry| next.fold_entry(entry))?;
        *self = next;
        Ok(())
    }
}

impl Announcement {
    /// The message for the holder of this seat, or for spectators.
    #[must_use]
    pub fn message_for(&self, state: &TableState, seat: Option<Seat>) -> Entries {
        let viewer = viewer(seat);
        match self.states.as_deref() {
            None => Entries { entries: vec![state.visible_entry(&self.entry, viewer)], view: None },
            Some((before, after)) => Entries {
                entries: vec![before.visible_entry(&self.entry, viewer)],
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
