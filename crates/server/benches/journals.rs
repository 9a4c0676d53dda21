//! The speed of journals; every benchmark asserts the answer that it times.
//!
//! `taskset -c 0 cargo bench -p server` measures on one core.

use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;
use game::Seat;
use server::{Appended, Journal, MemoryJournal, PreviousStop, Settings, SqliteJournal, TableId};
use table::{ActionId, Author, Entry, EntryBody};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

fn main() {
    divan::main();
}

/// The number of appends of each table in one sample.
const ROUNDS: u64 = 20;

fn runtime() -> Runtime {
    Builder::new_current_thread().build().expect("a runtime starts")
}

fn tables(number: usize) -> Vec<TableId> {
    (0..number).map(|_| TableId::random().expect("the system has random bytes")).collect()
}

/// The entry of a move.
fn entry(version: u64) -> Entry {
    let (seat, chosen) = (Seat::FIRST, "b2".parse().expect("the move text is valid"));
    let body = EntryBody::Played { seat, round: 1, ply: 7, chosen, explanation: None };
    let action = Some(ActionId::new("Zm9vYmFyYmF6cXV1eA", version).expect("the id is valid"));
    Entry { action, ..Entry::new(version, 1_770_000_000_000 + version, Author::Seat(seat), body) }
}

/// Each table appends one entry after the other, and waits for each to be durable.
async fn play(journal: &Arc<dyn Journal>, tables: &[TableId], after: u64) {
    let play = |table: TableId| {
        let journal = Arc::clone(journal);
        tokio::spawn(async move {
            for after in after..after + ROUNDS {
                let appended = journal.append(table, after, vec![entry(after + 1)]).await;
                assert_eq!(appended, Ok(Appended::Committed));
            }
        })
    };
    let tasks: Vec<_> = tables.iter().map(|table| play(*table)).collect();
    for task in tasks {
        task.await.expect("no table fails");
    }
}

fn closed_loop(bencher: Bencher<'_, '_>, number: usize, journal: &Arc<dyn Journal>) {
    let (runtime, tables, mut after) = (runtime(), tables(number), 0);
    bencher.counter(ItemsCount::new(number as u64 * ROUNDS)).bench_local(|| {
        runtime.block_on(play(journal, &tables, after));
        after += ROUNDS;
    });
    let last =
        runtime.block_on(journal.read(tables[0], after, 1)).expect("the journal can be read");
    assert_eq!(last.last_version, after);
}

/// Items are durable appends.
#[divan::bench(args = [1, 50, 500, 2000], sample_count = 20, sample_size = 1)]
fn append_sqlite(bencher: Bencher<'_, '_>, number: usize) {
    let folder = TempDir::new().expect("a temporary folder can be created");
    let opened = SqliteJournal::open(folder.path(), &Settings::default());
    let journal: Arc<dyn Journal> = Arc::new(opened.expect("the journal opens").0);
    closed_loop(bencher, number, &journal);
}

/// Items are durable appends to 500 of `stored` tables that have logs already.
#[divan::bench(args = [5000, 20_000], sample_count = 20, sample_size = 1)]
fn append_sqlite_among(bencher: Bencher<'_, '_>, stored: usize) {
    let (folder, runtime) = (TempDir::new().expect("a temporary folder can be created"), runtime());
    let opened = SqliteJournal::open(folder.path(), &Settings::default());
    let journal: Arc<dyn Journal> = Arc::new(opened.expect("the journal opens").0);
    let all = tables(stored);
    runtime.block_on(store(&journal, &all));
    let active: Vec<TableId> = all.into_iter().step_by(stored / 500).collect();
    let mut after = STORED;
    bencher.counter(ItemsCount::new(500 * ROUNDS)).bench_local(|| {
        runtime.block_on(play(&journal, &active, after));
        after += ROUNDS;
    });
    let last =
        runtime.block_on(journal.read(active[0], after, 1)).expect("the journal can be read");
    assert_eq!(last.last_version, after);
}

/// The number of entries of a stored table.
const STORED: u64 = 20;

async fn store(journal: &Arc<dyn Journal>, tables: &[TableId]) {
    for some in tables.chunks(1000) {
        let store = |table: &TableId| {
            let (journal, table) = (Arc::clone(journal), *table);
            let entries = (1..=STORED).map(entry).collect();
            tokio::spawn(async move { journal.append(table, 0, entries).await })
        };
        let stored: Vec<_> = some.iter().map(store).collect();
        for stored in stored {
            let appended = stored.await.expect("no table fails");
            assert_eq!(appended, Ok(Appended::Committed));
        }
    }
}

/// Opens and closes a journal of `stored` tables; the time must not depend on their number.
#[divan::bench(args = [10, 5000], sample_count = 20, sample_size = 1)]
fn open_sqlite(bencher: Bencher<'_, '_>, stored: usize) {
    let (folder, runtime) = (TempDir::new().expect("a temporary folder can be created"), runtime());
    let open =
        || SqliteJournal::open(folder.path(), &Settings::default()).expect("the journal opens");
    let journal: Arc<dyn Journal> = Arc::new(open().0);
    runtime.block_on(store(&journal, &tables(stored)));
    runtime.block_on(journal.close()).expect("the journal closes");
    drop(journal);
    bencher.bench_local(|| {
        let (journal, report) = open();
        assert_eq!(report.previous_stop, PreviousStop::Clean);
        runtime.block_on(journal.close()).expect("the journal closes");
    });
}

/// Items are appends.
#[divan::bench(args = [500], sample_count = 20, sample_size = 1)]
fn append_memory(bencher: Bencher<'_, '_>, number: usize) {
    let journal: Arc<dyn Journal> =
        Arc::new(MemoryJournal::new().expect("the system has random bytes"));
    closed_loop(bencher, number, &journal);
}

/// Items are entries that are read, verified and parsed.
#[divan::bench(sample_count = 20)]
fn read_sqlite(bencher: Bencher<'_, '_>) {
    let folder = TempDir::new().expect("a temporary folder can be created");
    let opened = SqliteJournal::open(folder.path(), &Settings::default());
    let journal = opened.expect("the journal opens").0;
    let (runtime, table) = (runtime(), TableId::new([7; 16]));
    let entries: Vec<Entry> = (1..=1000).map(entry).collect();
    let appended = runtime.block_on(journal.append(table, 0, entries.clone()));
    assert_eq!(appended, Ok(Appended::Committed));
    bencher.counter(ItemsCount::new(entries.len())).bench_local(|| {
        let tail =
            runtime.block_on(journal.read(table, 0, entries.len())).expect("the log can be read");
        assert_eq!(tail.entries, entries);
    });
}
