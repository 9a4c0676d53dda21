//! The attacks.

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use clap::ValueEnum;
use futures_util::future::join_all;
use game::Generator;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::time::{Instant, sleep_until};

use super::floods::{flood, frames, polls};
use super::malformed_requests::malformed;
use super::stranger::{AttackTarget, Stranger, StrangerOutcome};
use crate::http::metric;

/// What strangers try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AttackKind {
    /// Fill the memory with boards that a perfect player would have to search.
    Boards,
    /// Keep the server busy with building large boards.
    Pairing,
    /// Guess the codes of private tables.
    Codes,
    /// Keep tables in memory with clocks that run for a week.
    Clocks,
    /// Hold connections that never finish a request.
    Connections,
    /// Act for players through a page of another site.
    Sites,
    /// Slow others down with rules of their own: texts that take long to read, and rules whose moves
    /// take long.
    Rules,
    /// Send more requests than the server answers, on connections that stay open and on new ones.
    Flood,
    /// Send more messages on channels than the server handles, at a table where each is sent to many.
    Frames,
    /// The same with long polls, whose posts hold many messages.
    Polls,
    /// Ask what positions are worth, of ever more games.
    Analyses,
    /// Send requests that a program in front of the server may understand differently.
    Malformed,
}

/// The number of addresses that work together, where an attack uses several.
const ADDRESSES: u8 = 4;

/// The number of private tables whose codes are guessed.
const PRIVATE_TABLES: usize = 160;

/// The number of wrong codes that the server may answer within one attack: many more than a person
/// mistypes, far fewer than an attack needs.
const MAX_MISSES: u32 = 100;

impl AttackKind {
    /// All attacks.
    pub(crate) const ALL: [Self; 12] = [
        Self::Boards,
        Self::Pairing,
        Self::Codes,
        Self::Clocks,
        Self::Connections,
        Self::Sites,
        Self::Rules,
        Self::Flood,
        Self::Frames,
        Self::Polls,
        Self::Analyses,
        Self::Malformed,
    ];

    /// Attacks until a time.
    pub(super) async fn run(self, target: AttackTarget) -> StrangerOutcome {
        match self {
            Self::Boards => alone(target, boards).await,
            Self::Pairing => alone(target, pairing).await,
            Self::Codes => codes(target).await,
            Self::Clocks => together(target, clocks).await,
            Self::Connections => alone(target, connections).await,
            Self::Sites => alone(target, sites).await,
            Self::Rules => together(target, rules).await,
            Self::Flood => alone(target, flood).await,
            Self::Frames => alone(target, frames).await,
            Self::Polls => alone(target, polls).await,
            Self::Analyses => together(target, analyses).await,
            Self::Malformed => alone(target, malformed).await,
        }
    }

    /// Checks what is left of the attack after it; returns what should not be there.
    pub(super) async fn remains(self, server: SocketAddr, deadline: Instant) -> Vec<String> {
        if self != Self::Clocks {
            return Vec::new();
        }
        let honest = u64::from(super::honest_players::TABLES);
        loop {
            match metric(server, "live_tables").await {
                Ok(live) if live <= honest => return Vec::new(),
                Ok(live) if Instant::now() >= deadline => {
                    return vec![format!("{live} tables are pinned in memory")];
                }
                Err(error) if Instant::now() >= deadline => return vec![format!("{error:#}")],
                _ => sleep_until(Instant::now() + Duration::from_millis(500)).await,
            }
        }
    }
}

impl fmt::Display for AttackKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Boards => "boards",
            Self::Pairing => "pairing",
            Self::Codes => "codes",
            Self::Clocks => "clocks",
            Self::Connections => "connections",
            Self::Sites => "sites",
            Self::Rules => "rules",
            Self::Flood => "flood",
            Self::Frames => "frames",
            Self::Polls => "polls",
            Self::Analyses => "analyses",
            Self::Malformed => "malformed",
        })
    }
}

/// One stranger attacks.
async fn alone(target: AttackTarget, attack: impl AsyncFn(&Stranger)) -> StrangerOutcome {
    let stranger = Stranger::new(target, 0);
    attack(&stranger).await;
    stranger.into_outcome()
}

/// Several strangers attack from different addresses.
async fn together(target: AttackTarget, attack: impl AsyncFn(&Stranger)) -> StrangerOutcome {
    let strangers: Vec<_> = (0..ADDRESSES).map(|number| Stranger::new(target, number)).collect();
    join_all(strangers.iter().map(async |stranger| attack(stranger).await)).await;
    let outcomes = strangers.into_iter().map(Stranger::into_outcome);
    outcomes.fold(StrangerOutcome::default(), StrangerOutcome::and)
}

/// Asks for ever more boards with a perfect player, and for the list of games.
async fn boards(stranger: &Stranger) {
    stranger
        .repeat(8, async |number| {
            let game = match number % 3 {
                0 => "wild",
                1 => "misere",
                _ => "mnk",
            };
            let board = board(number / 3, 3..6);
            let wanted = json!({"game": format!("{game}:{board}"), "computers": ["perfect", null]});
            stranger.post("/api/tables", None, &wanted).await;
            stranger.get("/api/games").await;
        })
        .await;
}

/// Asks for quick matches on ever more large boards.
async fn pairing(stranger: &Stranger) {
    stranger
        .repeat(65, async |number| {
            let wanted =
                json!({"game": format!("mnk:{}", board(number, 9..20)), "name": "Mallory"});
            stranger.post("/api/pair", None, &wanted).await;
        })
        .await;
}

/// The parameters of a board. Different numbers have different boards, as long as there are any.
fn board(number: u64, sides: std::ops::Range<u64>) -> String {
    let count = sides.end - sides.start;
    let [columns, rows] = [number % count, number / count % count].map(|side| sides.start + side);
    let line = 3 + number / count / count % columns.min(rows).saturating_sub(2).max(1);
    format!("{columns},{rows},{line}")
}

/// Guesses codes while private tables wait for their second player.
async fn codes(target: AttackTarget) -> StrangerOutcome {
    let Some(example) = open_private_tables(target).await else {
        let findings = vec!["no private table could be opened".to_owned()];
        return StrangerOutcome { findings, ..StrangerOutcome::default() };
    };
    let misses = std::cell::Cell::new(0);
    let mut all = alone(target, async |stranger| {
        let misses = &misses;
        stranger
            .repeat(16, async |number| {
                let code = guess(number, &example);
                match stranger.get(&format!("/api/codes/{code}")).await {
                    Some(answer) if answer.status == 200 => {
                        stranger.find(format!("{code} is the code of a private table"));
                    }
                    Some(answer) if answer.status == 404 => misses.set(misses.get() + 1),
                    _ => {}
                }
            })
            .await;
    })
    .await;
    if misses.get() > MAX_MISSES {
        let tried = misses.get();
        all.findings.push(format!("{tried} codes could be tried from one address"));
    }
    all
}

/// Opens private tables from several addresses; returns one of their codes.
async fn open_private_tables(target: AttackTarget) -> Option<String> {
    let mut example = None;
    for number in 10..10 + ADDRESSES {
        let owner = Stranger::new(target, number);
        for _ in 0..PRIVATE_TABLES / usize::from(ADDRESSES) {
            let wanted = json!({"game": "tic-tac-toe", "name": "Ada"});
            let opened = owner.post("/api/tables", None, &wanted).await;
            example =
                opened.and_then(|table| Some(table.body["code"].as_str()?.to_owned())).or(example);
        }
    }
    example
}

/// A random code of the same form as an example.
fn guess(seed: u64, example: &str) -> String {
    let mut generator = Generator::seeded(seed);
    let mut one_of = |letters: &[u8]| {
        let chosen = generator.below(letters.len() as u64);
        char::from(letters[usize::try_from(chosen).unwrap_or_default()])
    };
    let letter = |letter: char| match letter {
        'a' | 'i' | 'o' | 'u' => one_of(b"aiou"),
        'a'..='z' => one_of(b"bdfghjklmnprstvz"),
        other => other,
    };
    example.chars().map(letter).collect()
}

/// Opens tables with a clock that runs for a week, makes one move at each, and leaves.
async fn clocks(stranger: &Stranger) {
    stranger.repeat(1, async |number| {
        let week = 7 * 24 * 60 * 60 * 1_000;
        let wanted =
            json!({"game": "tic-tac-toe", "name": "Mallory", "clock": {"per_side": week}});
        let Some(table) = stranger.post("/api/tables", None, &wanted).await else { return };
        let Some(id) = table.body["id"].as_str() else { return };
        stranger
            .post(&format!("/api/tables/{id}/seats"), None, &json!({"name": "Trudy"}))
            .await;
        let action = json!({
            "id": format!("stranger:{number}"), "action": "play", "round": 1, "ply": 0, "move": "b2",
        });
        let path = format!("/api/tables/{id}/actions");
        stranger.post(&path, table.body["token"].as_str(), &action).await;
    }).await;
}

/// Holds connections whose requests never end.
async fn connections(stranger: &Stranger) {
    let mut held = Vec::new();
    while Instant::now() < stranger.end() && held.len() < 3_000 {
        let Ok(mut stream) = stranger.connect().await else { break };
        // A server that refuses the connection closes it.
        if stream.write_all(b"GET / HTTP/1.1\r\nhost: ").await.is_ok() {
            held.push(stream);
        }
    }
    sleep_until(stranger.end()).await;
}

/// Sends requests as the page of another site could cause them.
async fn sites(stranger: &Stranger) {
    let server = stranger.route.server;
    let body = r#"{"game":"tic-tac-toe"}"#;
    let create = |host: &str, origin: &str| {
        format!(
            "POST /api/tables HTTP/1.1\r\nhost: {host}\r\norigin: {origin}\r\n\
             connection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let upgrade = |host: &str, origin: &str| {
        format!(
            "GET /socket/websocket?vsn=2.0.0 HTTP/1.1\r\nhost: {host}\r\norigin: {origin}\r\n\
             connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
             sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
    };
    let (here, elsewhere) = (server.to_string(), "rebound.example".to_owned());
    // The name of the other site may lead to this server by now.
    let forged = [(&here, "http://elsewhere.example"), (&elsewhere, "http://rebound.example")];
    for (host, origin) in forged {
        for (what, request) in
            [("a table", create(host, origin)), ("a WebSocket", upgrade(host, origin))]
        {
            match stranger.send_raw(&request).await {
                Ok(status) if status >= 400 => {}
                Ok(_) => stranger.find(format!("{origin} could open {what} at {host}")),
                Err(error) => stranger.find(format!("{origin} at {host}: {error:#}")),
            }
        }
    }
    sleep_until(stranger.end()).await;
}

/// Brings hostile rules, plays by them where they are accepted, and asks for the tables again.
async fn rules(stranger: &Stranger) {
    stranger
        .repeat(4, async |number| {
            let wanted = json!({"rules": hostile_rules(number), "name": "Mallory"});
            let Some(table) = stranger.post("/api/tables", None, &wanted).await else { return };
            let Some(id) = table.body["id"].as_str() else { return };
            let path = format!("/api/tables/{id}");
            stranger.post(&format!("{path}/seats"), None, &json!({"name": "Trudy"})).await;
            for ply in 0..50 {
                let action = json!({
                    "id": format!("stranger:{number}-{ply}"), "action": "play",
                    "round": 1, "ply": ply, "move": "go",
                });
                let token = table.body["token"].as_str();
                stranger.post(&format!("{path}/actions"), token, &action).await;
                stranger.get(&path).await;
            }
        })
        .await;
}

/// Ends a round of ever more games, and asks what their first positions are worth.
async fn analyses(stranger: &Stranger) {
    stranger
        .repeat(4, async |number| {
            let game = match number % 2 {
                0 => format!("mnk:{}", board(number / 2, 4..9)),
                _ => format!("wild:{}", board(number / 2, 4..9)),
            };
            let wanted = json!({"game": game, "name": "Mallory"});
            let Some(table) = stranger.post("/api/tables", None, &wanted).await else { return };
            let Some(id) = table.body["id"].as_str() else { return };
            let path = format!("/api/tables/{id}");
            stranger.post(&format!("{path}/seats"), None, &json!({"name": "Trudy"})).await;
            let action = json!({
                "id": format!("stranger:{number}"), "action": "forfeit", "round": 1, "ply": 0,
            });
            let token = table.body["token"].as_str();
            stranger.post(&format!("{path}/actions"), token, &action).await;
            stranger.get(&format!("{path}/analysis?round=1&ply=0")).await;
        })
        .await;
}

/// A text that costs as much as the bounds allow. Different numbers have different texts.
fn hostile_rules(number: u64) -> String {
    let head = format!(
        "game g{number}\nseats X, O\nevent go(seat)  move of seat\nevent won(seat)  win of seat\n\
         event tick\n"
    );
    let rest = match number % 4 {
        // Every b-thread takes part in every event, and a move causes as many as it may.
        0 => {
            "set n = 1..1900\nrule Busy(n)\n  forever: wait for any\n\
             rule Clock\n  forever\n    wait for go(X)\n    10 times: request tick\n"
        }
        // As many states as are allowed.
        1 => {
            "set n = 1..40\nrule Count(n)\n  keep i: 0..900 = 0\n  while i < 900\n    \
             wait for tick\n    i = i + 1\n"
        }
        // As many steps as are allowed: every b-thread compares many values.
        2 => {
            "set n = 1..400\nrule Compare(n)\n  keep i = 0\n  while i < 3000: i = i + 1\n  \
             wait for tick\n"
        }
        // Chance never waits for a player.
        _ => "chance Coin\n  forever: request tick\n",
    };
    head + rest
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn boards_differ_as_long_as_there_are_any() {
        let boards: BTreeSet<_> = (0..121).map(|number| board(number, 9..20)).collect();
        assert_eq!(boards.len(), 121);
        assert!(boards.contains("9,9,3") && boards.contains("19,19,3"));
    }

    #[test]
    fn guesses_look_like_codes() {
        let [one, other] = [1, 2].map(|seed| guess(seed, "bodaki-murosi"));
        assert_ne!(one, other);
        for guess in [one, other] {
            let (first, second) = guess.split_once('-').unwrap();
            for word in [first, second] {
                assert_eq!(word.len(), 6);
                assert!(word.bytes().skip(1).step_by(2).all(|letter| b"aiou".contains(&letter)));
            }
        }
    }
}
