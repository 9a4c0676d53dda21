//! Texts of rules in the stream of values.
//!
//! A text is the value of its digest. Each table that names it has a value of its own, so that a text can leave
//! with the last of them.

use async_nats::HeaderMap;
use axum::body::Bytes;

use super::api::{PublishFailure, RequestFailure};
use super::state_stream::{REMOVED_FOR, StateStream, ValueChange};
use crate::TableId;
use crate::journal::{JournalError, MAX_RULES_BYTES, NotWritten, RulesDigest};

/// Stands before each text, because a value without bytes is none.
const MARK: &str = "\n";

/// Keeps a text, unless it is kept already.
pub(super) async fn keep(state: &StateStream, text: &str) -> Result<RulesDigest, JournalError> {
    if text.len() > MAX_RULES_BYTES {
        return Err(NotWritten::RulesTooLong.into());
    }
    let (digest, new) = (RulesDigest::of(text), Bytes::from(format!("{MARK}{text}")));
    let keep = |value: Option<&Bytes>| match value {
        Some(_) => ValueChange::Keep(()),
        None => ValueChange::Put(new.clone(), ()),
    };
    state.change(&text_key(digest), keep).await?;
    Ok(digest)
}

/// The text with a digest, if it is kept.
pub(super) async fn text(
    state: &StateStream,
    digest: RulesDigest,
) -> Result<Option<String>, JournalError> {
    let Some(value) = state.get(&text_key(digest)).await? else { return Ok(None) };
    let text = std::str::from_utf8(&value).ok().and_then(|value| value.strip_prefix(MARK));
    match text.filter(|text| RulesDigest::of(text) == digest) {
        Some(text) => Ok(Some(text.to_owned())),
        None => Err(JournalError::NotRead { why: format!("the rules {digest} were changed") }),
    }
}

/// Records that a new table names a text, before the first entry of the table is written.
///
/// The text is written again after that, so that a server that is about to remove it notices. If the table is
/// not written in the end, the text stays.
pub(super) async fn assign(
    state: &StateStream,
    digest: RulesDigest,
    table: TableId,
) -> Result<(), JournalError> {
    let name = name_key(&digest.to_string(), &table.to_string());
    state.put(&name, Bytes::from_static(b"1")).await?;
    let touch = |value: Option<&Bytes>| match value {
        Some(value) => ValueChange::Put(value.clone(), true),
        None => ValueChange::Keep(false),
    };
    if state.change(&text_key(digest), touch).await?.0 {
        return Ok(());
    }
    state.remove(&name).await?;
    Err(NotWritten::NoRules.into())
}

/// Records that a table was deleted, and removes the text that it named if no other table names it.
pub(super) async fn release(state: &StateStream, table: TableId) -> Result<(), JournalError> {
    let filter = state.subject(&name_key("*", &table.to_string()));
    let (subjects, _) = state.api.subjects(&state.name, &filter, 0).await?;
    for subject in subjects {
        let digest = subject.rsplit('.').nth(1).and_then(|word| word.parse::<RulesDigest>().ok());
        let Some(digest) = digest else { continue };
        state.remove(&name_key(&digest.to_string(), &table.to_string())).await?;
        let text = state.subject(&text_key(digest));
        let Some(last) = state.api.last(&state.name, &text).await? else { continue };
        if !is_named(state, digest).await? {
            remove_unchanged(state, &text, last.sequence).await?;
        }
    }
    Ok(())
}

/// Whether a table names a text, as the leader knows it.
async fn is_named(state: &StateStream, digest: RulesDigest) -> Result<bool, RequestFailure> {
    let (filter, mut from) = (state.subject(&name_key(&digest.to_string(), "*")), 1);
    while let Some(message) = state.api.next(&state.name, &filter, from).await? {
        if !message.payload.is_empty() {
            return Ok(true);
        }
        from = message.sequence + 1;
    }
    Ok(false)
}

/// Removes a value unless it was written again after a sequence: then a new table names it.
async fn remove_unchanged(
    state: &StateStream,
    subject: &str,
    sequence: u64,
) -> Result<(), JournalError> {
    let mut headers = HeaderMap::new();
    headers.insert("Nats-Expected-Last-Subject-Sequence", sequence.to_string());
    headers.insert("Nats-TTL", REMOVED_FOR);
    match state.api.publish(subject, headers, Bytes::new()).await {
        Ok(_) | Err(PublishFailure::Conflict) => Ok(()),
        Err(PublishFailure::NotWritten(failure) | PublishFailure::Unknown(failure)) => {
            Err(JournalError::Unknown { why: failure.to_string() })
        }
    }
}

fn text_key(digest: RulesDigest) -> String {
    format!("rules.{digest}")
}

/// The key that says that a table names a text.
fn name_key(digest: &str, table: &str) -> String {
    format!("named-rules.{digest}.{table}")
}
