//! What becomes of appends whose answers are lost, and of leaders that are behind.

mod scripted_nats;

use std::sync::Arc;

use tokio::sync::watch;

use self::scripted_nats::Exchange::{
    Append, AppendConflicts, AppendLost, AppendRaces, Last, LastAlways, LastFails, LastIsOurs,
};
use self::scripted_nats::{Exchange, ScriptedNats, entry};
use super::*;

const TABLE: TableId = TableId::new([0; 16]);

/// A stream of logs on a server of NATS that answers like this, after entry 3 of a log was seen with a sequence.
async fn on(seen: Option<u64>, script: &[Exchange]) -> (LogStream, ScriptedNats) {
    let nats = ScriptedNats::start(script).await;
    let client = async_nats::connect(nats.address.to_string()).await.unwrap();
    let logs = LogStream::new(
        JetStreamApi::new(client, watch::channel(0).1),
        "c_logs".to_owned(),
        "c".to_owned(),
    );
    if let Some(sequence) = seen {
        logs.heads.put(TABLE, LogHead { sequence, version: 3, ..LogHead::default() });
    }
    (logs, nats)
}

/// Appends entry 4; all that is expected must happen.
async fn append(seen: Option<u64>, script: &[Exchange]) -> Result<Appended, JournalError> {
    let (logs, nats) = on(seen, script).await;
    let appended = logs.append(TABLE, 3, &[entry(4).write()]).await;
    drop(logs);
    let rest = nats.rest().await;
    assert!(rest.iter().all(|rest| matches!(rest, LastAlways(..))), "{rest:?} did not happen");
    appended
}

#[tokio::test]
async fn an_append_is_committed_when_it_is_answered() {
    assert_eq!(append(Some(30), &[Append(40)]).await, Ok(Appended::Committed));
    assert_eq!(append(None, &[Last(30, 3), Append(40)]).await, Ok(Appended::Committed));
}

#[tokio::test]
async fn an_append_that_is_too_late_learns_what_came_first() {
    for conflict in [AppendConflicts, AppendRaces] {
        let script = [conflict.clone(), Last(40, 4), Last(40, 4)];
        assert_eq!(append(Some(30), &script).await, Ok(Appended::Conflict(vec![entry(4)])));
        // What came first was refused in the end.
        let appended = append(Some(30), &[conflict, Last(30, 3), Append(40)]).await;
        assert_eq!(appended, Ok(Appended::Committed));
    }
}

#[tokio::test]
async fn an_append_that_races_with_one_that_is_committed_later_loses() {
    let script = [AppendRaces, Last(30, 3), AppendRaces, Last(40, 4), Last(40, 4)];
    assert_eq!(append(Some(30), &script).await, Ok(Appended::Conflict(vec![entry(4)])));
}

#[tokio::test]
async fn a_leader_that_does_not_know_the_whole_log_yet_is_asked_again_before_something_is_written()
{
    let appended = append(None, &[Last(20, 2), Last(30, 3), Append(40)]).await;
    assert_eq!(appended, Ok(Appended::Committed));
    let appended = append(None, &[LastAlways(20, 2)]).await;
    assert_eq!(appended, Err(NotWritten::Ahead { last: 2 }.into()));
}

#[tokio::test]
async fn an_append_whose_answer_was_lost_is_found_in_the_log() {
    for conflict in [AppendConflicts, AppendRaces] {
        let script = [AppendLost, conflict.clone(), LastIsOurs(40), LastIsOurs(40)];
        assert_eq!(append(Some(30), &script).await, Ok(Appended::Committed));
        let script = [AppendLost, conflict, Last(40, 4), Last(40, 4)];
        assert_eq!(append(Some(30), &script).await, Ok(Appended::Conflict(vec![entry(4)])));
    }
}

#[tokio::test]
async fn an_append_is_called_unwritten_only_if_no_answer_was_lost() {
    let script = [AppendLost, AppendConflicts, Last(40, 4), LastFails];
    let appended = append(Some(30), &script).await;
    assert!(matches!(appended, Err(JournalError::Unknown { .. })), "{appended:?}");
    let appended = append(Some(30), &script[1..]).await;
    assert!(matches!(appended, Err(JournalError::NotWritten(_))), "{appended:?}");
}

#[tokio::test]
async fn a_leader_that_has_forgotten_what_it_said_is_not_believed() {
    let appended = append(Some(30), &[AppendConflicts, Last(40, 4), LastAlways(30, 3)]).await;
    assert!(
        matches!(&appended, Err(JournalError::NotWritten(NotWritten::Failed { why })) if why.contains("behind")),
        "{appended:?}"
    );
    let (logs, _nats) = on(Some(30), &[LastAlways(20, 2)]).await;
    let found = logs.find(TABLE, &ActionId::new("ada", 1).unwrap()).await;
    assert!(
        matches!(&found, Err(JournalError::NotRead { why }) if why.contains("behind")),
        "{found:?}"
    );
}

#[tokio::test]
async fn a_server_without_a_connection_gives_up_in_time() {
    let nats = ScriptedNats::start(&[]).await;
    // The queue of the client is full after one message.
    let options = async_nats::ConnectOptions::new().client_capacity(1);
    let client = options.connect(nats.address.to_string()).await.unwrap();
    nats.stop();
    let logs = LogStream::new(
        JetStreamApi::new(client, watch::channel(0).1),
        "c_logs".to_owned(),
        "c".to_owned(),
    );
    let logs = Arc::new(logs);
    let mut reading = tokio::task::JoinSet::new();
    for _ in 0..3 {
        let logs = Arc::clone(&logs);
        reading.spawn(async move { logs.head(TABLE).await });
    }
    let read = tokio::time::timeout(2 * READ_PATIENCE, reading.join_all()).await;
    for read in read.expect("it gives up in time") {
        assert!(matches!(read, Err(JournalError::NotRead { .. })), "{read:?}");
    }
}
