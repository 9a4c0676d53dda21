//! The directory in the stream of values.

use axum::body::Bytes;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::directory_index::{DEADLINE, LISTED};
use super::nats_journal::NatsJournal;
use super::state_stream::{ValueChange, table_key};
use crate::TableId;
use crate::journal::{
    BoxFuture, Directory, JournalError, Listing, MAX_TABLES, OpenTable, PairingOffer, PairingTurn,
    PutOutcome, TableStatus,
};

/// The kind of values with records.
pub(super) const RECORD: &str = "record";

/// The key of the table that has a code. A code may have any characters.
fn code_key(code: &str) -> String {
    format!("code.{}", URL_SAFE_NO_PAD.encode(code))
}

/// The key of the turn to pair players of a game.
fn pairing_key(game: &str) -> String {
    format!("pairing.{}", URL_SAFE_NO_PAD.encode(game))
}

fn write_turn(turn: PairingTurn) -> Bytes {
    Bytes::from(serde_json::to_string(&turn).expect("a turn serializes"))
}

fn read(value: &[u8]) -> Result<OpenTable, JournalError> {
    serde_json::from_slice(value).map_err(|error| JournalError::NotRead {
        why: format!("a record of the directory makes no sense: {error}"),
    })
}

fn write(record: &OpenTable) -> Bytes {
    Bytes::from(serde_json::to_string(record).expect("a record serializes"))
}

impl NatsJournal {
    async fn record(&self, table: TableId) -> Result<Option<OpenTable>, JournalError> {
        let value = self.state()?.get(&table_key(table, RECORD)).await?;
        value.as_deref().map(read).transpose()
    }

    /// Changes a record, if there is one; returns it as it was and as it is.
    async fn change_record(
        &self,
        table: TableId,
        change: impl Fn(&mut OpenTable) + Sync,
    ) -> Result<Option<(OpenTable, OpenTable)>, JournalError> {
        let changed = |value: Option<&Bytes>| {
            let Some(value) = value else { return ValueChange::Keep(Ok(None)) };
            let before = match read(value) {
                Ok(before) => before,
                Err(error) => return ValueChange::Keep(Err(error)),
            };
            let mut after = before.clone();
            change(&mut after);
            if after == before {
                return ValueChange::Keep(Ok(Some((before, after))));
            }
            ValueChange::Put(write(&after), Ok(Some((before, after))))
        };
        let (records, _) =
            self.writable_state()?.change(&table_key(table, RECORD), changed).await?;
        let records = records?;
        if let Some((_, after)) = &records {
            self.list(after).await?;
        }
        Ok(records)
    }

    /// Lists a table that is public and not idle.
    async fn list(&self, record: &OpenTable) -> Result<(), JournalError> {
        let key = table_key(record.id, LISTED);
        let is_shown = record.is_listed && record.status != TableStatus::Idle;
        if is_shown {
            self.writable_state()?.put(&key, write(record)).await?;
        } else if record.is_listed {
            self.writable_state()?.remove(&key).await?;
        }
        drop(self.index.set_listed(record.id, is_shown.then(|| record.clone())));
        Ok(())
    }

    /// Makes a code that of a table, unless another table has it.
    async fn claim(&self, code: &str, table: TableId) -> Result<PutOutcome, JournalError> {
        let (key, id) = (code_key(code), Bytes::from(table.to_string()));
        let mut abandoned: Option<Bytes> = None;
        loop {
            let claim = |holder: Option<&Bytes>| match holder {
                Some(holder) if *holder == id => ValueChange::Keep(None),
                Some(holder) if Some(holder) != abandoned.as_ref() => {
                    ValueChange::Keep(Some(holder.clone()))
                }
                _ => ValueChange::Put(id.clone(), None),
            };
            let (holder, _) = self.writable_state()?.change(&key, claim).await?;
            let Some(holder) = holder else { return Ok(PutOutcome::Done) };
            let other = std::str::from_utf8(&holder).ok().and_then(|id| id.parse::<TableId>().ok());
            let record = match other {
                Some(other) => self.record(other).await?,
                None => None,
            };
            if record.is_some_and(|record| record.code == code) {
                return Ok(PutOutcome::CodeTaken);
            }
            // A server has ended before it was done.
            abandoned = Some(holder);
        }
    }

    /// Frees a code that a table no longer has.
    async fn release(&self, code: &str, table: TableId) -> Result<(), JournalError> {
        let id = table.to_string();
        let release = |holder: Option<&Bytes>| match holder {
            Some(holder) if *holder == id.as_bytes() => ValueChange::Remove(()),
            _ => ValueChange::Keep(()),
        };
        self.writable_state()?.change(&code_key(code), release).await?;
        Ok(())
    }

    async fn put_record(&self, table: OpenTable) -> Result<PutOutcome, JournalError> {
        if self.claim(&table.code, table.id).await? == PutOutcome::CodeTaken {
            return Ok(PutOutcome::CodeTaken);
        }
        let put = |value: Option<&Bytes>| ValueChange::Put(write(&table), value.cloned());
        let (before, _) = self.writable_state()?.change(&table_key(table.id, RECORD), put).await?;
        let before = before.and_then(|before| read(&before).ok());
        if let Some(before) = before.filter(|before| before.code != table.code) {
            self.release(&before.code, table.id).await?;
        }
        self.list(&table).await?;
        Ok(PutOutcome::Done)
    }

    async fn record_with_code(
        &self,
        code: &str,
        now: u64,
    ) -> Result<Option<OpenTable>, JournalError> {
        let Some(id) = self.state()?.get(&code_key(code)).await? else { return Ok(None) };
        let id = std::str::from_utf8(&id).ok().and_then(|id| id.parse::<TableId>().ok());
        let Some(id) = id else { return Ok(None) };
        let record = self.record(id).await?;
        Ok(record.filter(|record| record.code == code && record.has_valid_code(now)))
    }

    async fn replace_code(
        &self,
        table: TableId,
        code: &str,
        until: u64,
    ) -> Result<PutOutcome, JournalError> {
        if self.record(table).await?.is_none() {
            return Ok(PutOutcome::Done);
        }
        if self.claim(code, table).await? == PutOutcome::CodeTaken {
            return Ok(PutOutcome::CodeTaken);
        }
        let change = |record: &mut OpenTable| {
            (record.code, record.code_until) = (code.to_owned(), until);
        };
        match self.change_record(table, change).await? {
            Some((before, _)) if before.code != code => self.release(&before.code, table).await?,
            Some(_) => {}
            None => self.release(code, table).await?,
        }
        Ok(PutOutcome::Done)
    }

    async fn page_of_records(
        &self,
        after: Option<TableId>,
        limit: usize,
    ) -> Result<Vec<OpenTable>, JournalError> {
        let (limit, mut after) = (limit.min(MAX_TABLES), after);
        // A page of records that were removed is not the end.
        while limit > 0
            && let Some((values, last)) = self.state()?.page(RECORD, after, limit).await?
        {
            if !values.is_empty() {
                return values.iter().map(|value| read(&value.payload)).collect();
            }
            after = Some(last);
        }
        Ok(Vec::new())
    }

    /// Listed tables, also idle ones. It looks at all records.
    async fn all_listed(&self, listing: Listing) -> Result<Vec<OpenTable>, JournalError> {
        let (mut tables, mut last) = (Vec::new(), None);
        loop {
            let page = self.page_of_records(last, MAX_TABLES).await?;
            let Some(end) = page.last() else { break };
            last = Some(end.id);
            tables.extend(page.into_iter().filter(|table| {
                let has_status = listing.status.is_none_or(|status| status == table.status);
                let comes_after = listing.after.is_none_or(|after| table.sort_key() < after);
                table.is_listed && has_status && comes_after
            }));
        }
        tables.sort_by_key(|table| std::cmp::Reverse(table.sort_key()));
        tables.truncate(listing.limit.min(Listing::MAX));
        Ok(tables)
    }

    async fn record_deadline(
        &self,
        table: TableId,
        deadline: Option<u64>,
    ) -> Result<(), JournalError> {
        let (state, key) = (self.writable_state()?, table_key(table, DEADLINE));
        let deadline = match deadline {
            Some(_) if self.record(table).await?.is_none() => None,
            deadline => deadline,
        };
        match deadline {
            Some(deadline) => state.put(&key, Bytes::from(deadline.to_string())).await?,
            None => state.remove(&key).await?,
        };
        self.index.set_deadline(table, deadline);
        Ok(())
    }

    /// Records a deadline, unless an earlier one is recorded.
    async fn record_earlier_deadline(
        &self,
        table: TableId,
        deadline: u64,
    ) -> Result<(), JournalError> {
        if self.index.deadline(table).is_some_and(|recorded| recorded <= deadline)
            || self.record(table).await?.is_none()
        {
            return Ok(());
        }
        let earlier = |value: Option<&Bytes>| {
            let recorded = value.and_then(|value| serde_json::from_slice::<u64>(value).ok());
            match recorded.filter(|recorded| *recorded <= deadline) {
                Some(recorded) => ValueChange::Keep(recorded),
                None => ValueChange::Put(Bytes::from(deadline.to_string()), deadline),
            }
        };
        let changed = self.writable_state()?.change(&table_key(table, DEADLINE), earlier).await?;
        self.index.set_deadline(table, Some(changed.0));
        Ok(())
    }

    /// Removes everything that the directory has about a table; returns whether there was something.
    pub(super) async fn forget(&self, table: TableId) -> Result<bool, JournalError> {
        let state = self.writable_state()?;
        let remove = |value: Option<&Bytes>| match value {
            None => ValueChange::Keep(None),
            Some(value) => ValueChange::Remove(Some(value.clone())),
        };
        let (record, _) = state.change(&table_key(table, RECORD), remove).await?;
        for kind in [LISTED, DEADLINE] {
            state.remove(&table_key(table, kind)).await?;
        }
        drop(self.index.set_listed(table, None));
        self.index.set_deadline(table, None);
        if let Some(Ok(record)) = record.as_deref().map(read) {
            self.release(&record.code, table).await?;
        }
        Ok(record.is_some())
    }
}

impl Directory for NatsJournal {
    fn put(&self, table: OpenTable) -> BoxFuture<'_, Result<PutOutcome, JournalError>> {
        Box::pin(self.put_record(table))
    }

    fn by_id(&self, table: TableId) -> BoxFuture<'_, Result<Option<OpenTable>, JournalError>> {
        Box::pin(self.record(table))
    }

    fn by_code(
        &self,
        code: &str,
        now: u64,
    ) -> BoxFuture<'_, Result<Option<OpenTable>, JournalError>> {
        let code = code.to_owned();
        Box::pin(async move { self.record_with_code(&code, now).await })
    }

    fn set_code(
        &self,
        table: TableId,
        code: &str,
        until: u64,
    ) -> BoxFuture<'_, Result<PutOutcome, JournalError>> {
        let code = code.to_owned();
        Box::pin(async move { self.replace_code(table, &code, until).await })
    }

    fn listed(&self, listing: Listing) -> BoxFuture<'_, Result<Vec<OpenTable>, JournalError>> {
        Box::pin(async move {
            match listing.status {
                Some(TableStatus::Waiting | TableStatus::Playing) => {
                    self.state().map(|_| self.index.listed(&listing))
                }
                Some(TableStatus::Idle) | None => self.all_listed(listing).await,
            }
        })
    }

    fn records(
        &self,
        after: Option<TableId>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<OpenTable>, JournalError>> {
        Box::pin(self.page_of_records(after, limit))
    }

    fn seats(
        &self,
        table: TableId,
        free: u8,
        status: TableStatus,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        Box::pin(async move {
            let change = |record: &mut OpenTable| {
                (record.free_seats, record.status) = (free, status);
            };
            self.change_record(table, change).await.map(drop)
        })
    }

    fn set_deadline(
        &self,
        table: TableId,
        deadline: Option<u64>,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        Box::pin(self.record_deadline(table, deadline))
    }

    fn expect_deadline(
        &self,
        table: TableId,
        deadline: u64,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        Box::pin(self.record_earlier_deadline(table, deadline))
    }

    fn begin_pairing(
        &self,
        game: &str,
        until: u64,
        now: u64,
    ) -> BoxFuture<'_, Result<Option<PairingTurn>, JournalError>> {
        let key = pairing_key(game);
        Box::pin(async move {
            let begin = |value: Option<&Bytes>| {
                let turn = value.and_then(|value| serde_json::from_slice(value).ok());
                let mut turn: PairingTurn = turn.unwrap_or_default();
                match turn.begin(until, now) {
                    None => ValueChange::Keep(None),
                    Some(mine) => ValueChange::Put(write_turn(turn), Some(mine)),
                }
            };
            Ok(self.writable_state()?.change(&key, begin).await?.0)
        })
    }

    fn end_pairing(
        &self,
        game: &str,
        offer: Option<PairingOffer>,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        let key = pairing_key(game);
        Box::pin(async move {
            let state = self.writable_state()?;
            match offer {
                None => state.remove(&key).await?,
                Some(_) => state.put(&key, write_turn(PairingTurn { until: 0, offer })).await?,
            };
            Ok(())
        })
    }

    fn deadlines(&self) -> BoxFuture<'_, Result<Vec<(u64, TableId)>, JournalError>> {
        Box::pin(async move { self.state().map(|_| self.index.deadlines()) })
    }
}
