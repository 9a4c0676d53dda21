//! Concurrent writers.

use std::sync::Arc;

use server::{Appended, Journal};
use table::{Entry, EntryBody};
use tokio::task::JoinSet;

use crate::fixtures::{entry, log, table};

const WRITERS: u64 = 8;
const EACH: u64 = 25;

/// Appends until `EACH` appends were committed; returns their first versions.
async fn write(journal: Arc<dyn Journal>, number: u8, writer: u64) -> Vec<u64> {
    let (mut known, mut won) = (0, Vec::new());
    while won.len() < usize::try_from(EACH).expect("the number fits") {
        // Two entries at once, to see that an append is atomic.
        let new = vec![entry(known + 1, writer), entry(known + 2, writer)];
        match journal.append(table(number), known, new).await.expect("the journal accepts writes") {
            Appended::Committed => {
                won.push(known + 1);
                known += 2;
            }
            Appended::Conflict(missing) => {
                let first = missing.first().map(|entry| entry.version);
                assert_eq!(first, Some(known + 1));
                known = missing.last().map_or(known, |entry| entry.version);
            }
        }
    }
    won
}

fn writer_of(entry: &Entry) -> u64 {
    match entry.body {
        EntryBody::Tied { round } => round.into(),
        _ => unreachable!("no other entries are written"),
    }
}

pub(crate) async fn one_of_many_writers_wins_each_version(journal: &Arc<dyn Journal>) {
    let mut writers = JoinSet::new();
    for number in 0..3 {
        for writer in 0..WRITERS {
            let journal = Arc::clone(journal);
            writers.spawn(async move { (number, writer, write(journal, number, writer).await) });
        }
    }
    let won = writers.join_all().await;
    for number in 0..3 {
        let log = log(journal.as_ref(), table(number)).await;
        assert_eq!(log.len() as u64, WRITERS * EACH * 2);
        for (_, writer, versions) in won.iter().filter(|(of, _, _)| *of == number) {
            for version in versions {
                let start = usize::try_from(*version).expect("the number fits") - 1;
                assert_eq!([&log[start], &log[start + 1]].map(writer_of), [*writer, *writer]);
            }
        }
    }
}
