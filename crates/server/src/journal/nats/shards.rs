//! The subjects of tables, in the order of their ids.
//!
//! A table belongs to one of 256 shards, by the first byte of its id. So a page of a long list needs the
//! subjects of a few shards only.

use super::api::{JetStreamApi, RequestFailure};
use crate::TableId;

/// A stream with at most this number of subjects is listed in one request, whatever the shards of its tables.
const FEW: u64 = 2_000;

/// The shard of a table, as a word of a subject.
pub(super) fn of(table: TableId) -> String {
    word(table.bits()[0])
}

fn word(shard: u8) -> String {
    format!("{shard:02x}")
}

/// The table of a subject.
pub(super) fn id(subject: &str) -> Option<TableId> {
    subject.rsplit('.').find_map(|word| word.parse().ok())
}

/// The ids of tables that have a subject, in order: the first `limit` after the given one.
///
/// The subjects begin and end with these texts, with the shard and the id of a table between them.
pub(super) async fn ids(
    api: &JetStreamApi,
    stream: &str,
    (begin, end): (&str, &str),
    after: Option<TableId>,
    limit: usize,
) -> Result<Vec<TableId>, RequestFailure> {
    let first = after.map_or(0, |after| after.bits()[0]);
    let shards: Vec<String> = if api.subject_count(stream).await? <= FEW {
        vec!["*".to_owned()]
    } else {
        (first..=u8::MAX).map(word).collect()
    };
    let mut ids = Vec::new();
    for shard in shards {
        if ids.len() >= limit {
            break;
        }
        ids.extend(of_shard(api, stream, &format!("{begin}.{shard}.*{end}"), after).await?);
    }
    ids.truncate(limit);
    Ok(ids)
}

/// All ids after the given one with a subject that matches, in order.
async fn of_shard(
    api: &JetStreamApi,
    stream: &str,
    filter: &str,
    after: Option<TableId>,
) -> Result<Vec<TableId>, RequestFailure> {
    let (mut ids, mut offset) = (Vec::new(), 0);
    loop {
        let (subjects, total) = api.subjects(stream, filter, offset).await?;
        offset += subjects.len();
        ids.extend(subjects.iter().filter_map(|subject| id(subject)));
        if subjects.is_empty() || offset >= total {
            ids.retain(|id| after.is_none_or(|after| *id > after));
            ids.sort_unstable();
            return Ok(ids);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_names_its_table() {
        let table = TableId::new(*b"0123456789abcdef");
        assert_eq!(of(table), "30");
        for subject in
            [format!("cradle.log.30.{table}"), format!("c.state.table.30.{table}.record")]
        {
            assert_eq!(id(&subject), Some(table), "{subject}");
        }
        assert_eq!(id("cradle.state.installation"), None);
    }
}
