//! What every journal does for many at once.

use std::sync::Arc;

use server::{Appended, Journal, Subscription};
use table::{Entry, EntryBody};
use tokio::task::JoinSet;

use crate::material::{entries, entry, fill, log, table};

const WRITERS: u64 = 8;
const EACH: u64 = 25;

/// Appends as often as it was told to, whoever comes first; gives the versions that it won.
async fn write(journal: Arc<dyn Journal>, number: u8, writer: u64) -> Vec<u64> {
    let (mut known, mut won) = (0, Vec::new());
    while won.len() < usize::try_from(EACH).expect("it is small") {
        // Two at once, so that all or none shows.
        let new = vec![entry(known + 1, writer), entry(known + 2, writer)];
        match journal.append(table(number), known, new).await.expect("it can be written") {
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

fn writer(entry: &Entry) -> u64 {
    match entry.body {
        EntryBody::Tied { round } => round.into(),
        _ => unreachable!("no other entries are written"),
    }
}

pub(crate) async fn one_of_many_writers_wins_each_version(journal: &Arc<dyn Journal>) {
    let mut writers = JoinSet::new();
    for number in 0..3 {
        for who in 0..WRITERS {
            let journal = Arc::clone(journal);
            writers.spawn(async move { (number, who, write(journal, number, who).await) });
        }
    }
    let won = writers.join_all().await;
    for number in 0..3 {
        let log = log(journal.as_ref(), table(number)).await;
        assert_eq!(log.len() as u64, WRITERS * EACH * 2);
        for (_, who, versions) in won.iter().filter(|(of, _, _)| *of == number) {
            for version in versions {
                let start = usize::try_from(*version).expect("it is small") - 1;
                assert_eq!([&log[start], &log[start + 1]].map(writer), [*who, *who]);
            }
        }
    }
}

/// All entries of a log that will have so many.
async fn watch(mut subscription: Subscription, after: u64, last: u64) -> Vec<Entry> {
    let mut seen = Vec::new();
    while after + (seen.len() as u64) < last {
        let next = subscription.next().await.expect("it can be read");
        assert!(!next.is_empty());
        seen.extend(next);
    }
    seen
}

pub(crate) async fn subscribers_see_all_entries_in_order(journal: &Arc<dyn Journal>) {
    let last = WRITERS * EACH * 2;
    let mut watchers = JoinSet::new();
    for after in [0, 1, last / 2, last - 1] {
        let subscription = journal.subscribe(table(0), 0);
        watchers.spawn(async move { (0, watch(subscription, 0, last).await) });
        // One that begins where the log has not come to yet would be ahead of it: it waits first.
        let (journal, mut before) = (Arc::clone(journal), journal.subscribe(table(0), 0));
        watchers.spawn(async move {
            let mut known = 0;
            while known < after {
                let next = before.next().await.expect("it can be read");
                known += next.len() as u64;
            }
            let subscription = journal.subscribe(table(0), after);
            (after, watch(subscription, after, last).await)
        });
    }
    let mut writers = JoinSet::new();
    (0..WRITERS).for_each(|who| drop(writers.spawn(write(Arc::clone(journal), 0, who))));
    writers.join_all().await;
    let log = log(journal.as_ref(), table(0)).await;
    for (after, seen) in watchers.join_all().await {
        let after = usize::try_from(after).expect("it is small");
        assert_eq!(seen, log[after..]);
    }
}

pub(crate) async fn a_subscription_may_be_dropped_while_it_waits(journal: &Arc<dyn Journal>) {
    fill(journal.as_ref(), table(1), 2).await;
    let (mut subscription, mut seen) = (journal.subscribe(table(1), 0), Vec::new());
    for version in 3..20 {
        // Dropped at the first point at which it waits, whatever it waits for.
        tokio::select! {
            biased;
            next = subscription.next() => seen.extend(next.expect("it can be read")),
            () = std::future::ready(()) => {}
        }
        let appended = journal.append(table(1), version - 1, entries(version..=version)).await;
        assert_eq!(appended, Ok(Appended::Committed));
    }
    while seen.len() < 19 {
        seen.extend(subscription.next().await.expect("it can be read"));
    }
    assert_eq!(seen, entries(1..=19));
}
