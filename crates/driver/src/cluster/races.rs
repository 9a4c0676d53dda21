//! The same through all servers at once.

use std::net::SocketAddr;

use futures_util::future::join_all;
use serde_json::json;

use super::server_cluster::{SIZE, ServerCluster};
use crate::http;
use crate::soak::{SoakViolation, Testbed};

/// The number of players who want to be paired at once.
const STRANGERS: usize = 2 * SIZE;

/// Sends one move through all servers at once, then different moves for the same turn, and then pairs strangers.
pub(super) async fn race(cluster: &ServerCluster, testbed: &mut Testbed) -> anyhow::Result<()> {
    let addresses = cluster.addresses();
    race_moves(&addresses, testbed).await?;
    race_pairing(&addresses, testbed).await
}

async fn race_moves(addresses: &[SocketAddr], testbed: &mut Testbed) -> anyhow::Result<()> {
    let table = http::create_table(addresses[0]).await?;
    let path = format!("/api/tables/{}/actions", table.id);
    let squares = ["a1", "b2", "c3"];
    let send = async |place: usize, ply: usize, id: String, square: &str| {
        let action = json!({"id": id, "action": "play", "round": 1, "ply": ply, "move": square});
        let token = Some(table.tokens[ply].as_str());
        http::post(addresses[place], &path, token, &action).await
    };
    // The same action is answered alike by all.
    let same = join_all((0..SIZE).map(|place| send(place, 0, "race:1".to_owned(), "b1"))).await;
    for answer in same {
        let answer = answer?;
        if answer.status != 200 || answer.body["version"] != 4 {
            let what = format!("a raced action was answered {} {}", answer.status, answer.body);
            testbed.report(&table.id, SoakViolation::Other { what });
        }
    }
    // Of different actions for one turn, one is accepted.
    let others =
        (0..SIZE).map(|place| send(place, 1, format!("race:{}", 2 + place), squares[place]));
    let mut accepted = 0;
    for answer in join_all(others).await {
        accepted += usize::from(answer?.status == 200);
    }
    let log = http::get(addresses[1], &format!("/api/tables/{}/log", table.id), None).await?;
    let length = log.body["entries"].as_array().map_or(0, Vec::len);
    if (accepted, length) != (1, 5) {
        let what = format!(
            "{accepted} of three raced moves were accepted, and the log has {length} entries"
        );
        testbed.report(&table.id, SoakViolation::Other { what });
    }
    Ok(())
}

/// Pairs strangers who come to all servers at once: no two of them may have the same seat, and nobody waits.
async fn race_pairing(addresses: &[SocketAddr], testbed: &mut Testbed) -> anyhow::Result<()> {
    let wanted = json!({"game": "pig", "name": "Ada"});
    let pair = |number: usize| http::post(addresses[number % SIZE], "/api/pair", None, &wanted);
    let mut places = Vec::new();
    for answer in join_all((0..STRANGERS).map(pair)).await {
        let paired = answer?.body;
        places.push((paired["id"].to_string(), paired["seat"].as_u64()));
    }
    places.sort();
    places.dedup();
    let mut tables: Vec<_> = places.iter().map(|(table, _)| table).collect();
    tables.dedup();
    if (places.len(), tables.len()) != (STRANGERS, STRANGERS / 2) {
        let what = format!("{STRANGERS} strangers who came at once have these places: {places:?}");
        testbed.report("", SoakViolation::Other { what });
    }
    Ok(())
}
