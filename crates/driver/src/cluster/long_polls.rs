//! A round over long polls, while each server dies once.

use std::ops::RangeInclusive;

use serde_json::json;

use super::poll_client::PollClient;
use super::server_cluster::{SIZE, ServerCluster};
use crate::http;
use crate::soak::{SoakViolation, Testbed, read_as};

/// The moves of a drawn game.
const DRAW: [&str; 9] = ["a1", "b2", "c3", "b1", "b3", "a3", "c1", "c2", "a2"];

/// The length of a log with both seats taken.
const SEATED: u64 = 3;

/// How many sessions a client begins: at least another one, because the server of the first one is killed, and
/// not one whenever a request reaches another server.
const SESSIONS: RangeInclusive<u32> = 2..=20;

/// Plays a round over long polls: a balancer sends each request to any server, and every server is killed once.
/// The two players must be answered and be shown every entry in order.
pub(super) async fn play_over_long_polls(
    cluster: &mut ServerCluster,
    testbed: &mut Testbed,
) -> anyhow::Result<()> {
    let entrance = testbed.address()?;
    let table = http::create_table(entrance).await?;
    let mut players = [0, 1].map(|seat| PollClient::new(entrance, table.clone(), seat));
    let mut wrong = Vec::new();
    for (ply, (version, square)) in (SEATED + 1..).zip(DRAW).enumerate() {
        let dying = ply.checked_sub(2).filter(|number| *number < SIZE);
        if let Some(number) = dying {
            cluster.kill_node(number).await?;
        }
        let id = format!("poll:{ply}");
        let action = json!({"id": id, "action": "play", "round": 1, "ply": ply, "move": square});
        match players[ply % 2].act(&action).await {
            Ok(found) if found == version => {}
            Ok(found) => wrong.push(format!("{id} was answered with {found}, not {version}")),
            Err(error) => wrong.push(format!("{id}: {error:#}")),
        }
        if let Some(number) = dying {
            cluster.start_node(number).await?;
        }
    }
    let log = read_as(entrance, &table.id, None).await?;
    for player in &mut players {
        if let Err(error) = player.await_version(SEATED + DRAW.len() as u64).await {
            wrong.push(format!("{error:#}"));
        }
        if !player.agrees_with(&log) {
            wrong.push(
                "a client of long polls was shown an entry that is not in the log".to_owned(),
            );
        }
        let sessions = player.sessions;
        if !SESSIONS.contains(&sessions) {
            wrong.push(format!("a client of long polls has begun {sessions} sessions"));
        }
    }
    for what in wrong {
        testbed.report(&table.id, SoakViolation::Other { what });
    }
    Ok(())
}
