//! A client that tries wrong tokens, and none.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use anyhow::Context;
use game::{Generator, Seat};
use serde_json::{Value, json};
use table::{Action, ActionId};
use tokio::time::timeout;

use super::ledger::{Ledger, SoakViolation};
use super::player::choose;
use crate::http;
use crate::socket::ClientSocket;

/// The time limit for a reply.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Tries to act at a table with a guessed token, with a stolen one of another table, and with none.
pub(crate) async fn intrude(
    server: SocketAddr,
    victim: &Rc<RefCell<Ledger>>,
    neighbour: &Rc<RefCell<Ledger>>,
    seed: u64,
) -> anyhow::Result<()> {
    let mut generator = Generator::seeded(seed);
    let guessed = format!("{:016x}{:016x}", generator.next_bits(), generator.next_bits());
    let stolen = neighbour.borrow().table.tokens[0].clone();
    let topic = format!("table:{}", victim.borrow().table.id);
    for token in [&guessed, &stolen] {
        let mut socket = ClientSocket::connect(server).await?;
        let answer =
            push(&mut socket, &json!(["1", "1", topic, "phx_join", {"token": token}])).await?;
        if answer["status"] == "ok" {
            let what = format!("a client joined {topic} with a token of another table");
            victim.borrow_mut().notice(SoakViolation::Intruder { what });
        }
    }
    let Some(action) = action_of(victim, &mut generator) else { return Ok(()) };
    let mut socket = ClientSocket::connect(server).await?;
    push(&mut socket, &json!(["1", "1", topic, "phx_join", {}])).await?;
    let answer = push(&mut socket, &json!(["1", "2", topic, "act", action])).await?;
    let path = format!("/api/tables/{}/actions", victim.borrow().table.id);
    let posted = http::post(server, &path, Some(&stolen), &serde_json::to_value(&action)?).await?;
    if answer["status"] == "ok" || posted.status < 400 {
        let what = format!("{} was accepted from a client without a seat", action.id);
        victim.borrow_mut().notice(SoakViolation::Intruder { what });
    }
    Ok(())
}

/// An action that the player in turn could send.
fn action_of(victim: &Rc<RefCell<Ledger>>, generator: &mut Generator) -> Option<Action> {
    let victim = victim.borrow();
    let state = victim.replicas[0].as_ref()?.confirmed();
    let seat = state.turn().iter().next().unwrap_or(Seat::FIRST);
    let id = ActionId::new("intruder", generator.next_bits()).expect("the client id is short");
    Some(Action { id, body: choose(state, seat, generator)? })
}

/// Sends a frame; returns the payload of its reply.
async fn push(socket: &mut ClientSocket, frame: &Value) -> anyhow::Result<Value> {
    socket.send(frame.to_string()).await?;
    let answered = async {
        loop {
            let answer: Value = serde_json::from_str(&socket.next().await?)?;
            if answer[3] == "phx_reply" && answer[1] == frame[1] {
                return Ok::<_, anyhow::Error>(answer[4].clone());
            }
        }
    };
    timeout(TIMEOUT, answered).await.context("the server did not reply")?
}
