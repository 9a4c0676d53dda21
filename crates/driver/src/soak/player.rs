//! A player with a real replica, which misbehaves now and then.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, bail};
use game::{Game, Generator, Refusal, Seat};
use serde_json::{Value, json};
use table::wire::codes::is_undecided;
use table::wire::{Accepted, Entries, Welcome};
use table::{Action, ActionBody, ActionId, Entry, Replica, TableState, Update};
use tokio::io::AsyncWriteExt;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::intruder;
use super::ledger::{Ledger, SoakViolation};
use super::shared_state::{Phase, SharedState};
use crate::socket::ClientSocket;

/// How long a player waits for a reply before it sends the same action again.
const TIMEOUT: Duration = Duration::from_secs(3);

/// The time limit for the server to close a connection that sent garbage.
const GARBAGE_TIMEOUT: Duration = Duration::from_secs(5);

/// After this many rounds a table is replaced, because its log is read in every check.
pub(crate) const MAX_ROUNDS: u32 = 150;

/// A frame: join reference, reference, topic, event and payload.
type RawFrame = (Option<String>, Option<String>, String, String, Value);

/// A player of one seat, who always reconnects.
#[derive(Debug)]
pub(crate) struct SoakPlayer {
    shared: Rc<SharedState>,
    ledger: Rc<RefCell<Ledger>>,
    /// The table whose tokens an intruder has stolen.
    neighbour: Option<Rc<RefCell<Ledger>>>,
    seat: Seat,
    topic: String,
    generator: Generator,
    epoch: Option<String>,
    counter: u64,
    /// Actions that were sent.
    history: Vec<Action>,
    session: PlayerSession,
}

/// The state of one connection.
#[derive(Debug)]
struct PlayerSession {
    references: BTreeMap<u64, ActionId>,
    next_reference: u64,
    /// When the pending action was sent.
    sent: Option<Instant>,
    /// When the next action may begin.
    next: Instant,
}

/// What a good client never does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Misbehaviour {
    Vanish,
    VanishAfterSending,
    Garbage,
    HalfAFrame,
    Replay,
    Intrude,
}

impl SoakPlayer {
    pub(crate) fn new(
        shared: Rc<SharedState>,
        ledger: Rc<RefCell<Ledger>>,
        neighbour: Option<Rc<RefCell<Ledger>>>,
        seat: Seat,
        seed: u64,
    ) -> Self {
        let topic = format!("table:{}", ledger.borrow().table.id);
        Self {
            shared,
            ledger,
            neighbour,
            seat,
            topic,
            generator: Generator::seeded(seed),
            epoch: None,
            counter: 0,
            history: Vec::new(),
            session: PlayerSession::new(),
        }
    }

    /// Plays until the soak is over, and reconnects whenever the connection is lost.
    pub(crate) async fn run(mut self) {
        while !self.is_over() {
            let Some(server) = self.shared.server().await else { return };
            // Whatever ends a connection, the player reconnects.
            if self.play(server).await.is_err() {
                sleep(Duration::from_millis(10 + self.generator.below(40))).await;
            }
        }
    }

    fn is_over(&self) -> bool {
        self.shared.phase() == Phase::Over || self.ledger.borrow().is_over
    }

    async fn play(&mut self, server: SocketAddr) -> anyhow::Result<()> {
        self.session = PlayerSession::new();
        let mut socket = ClientSocket::connect(server).await?;
        self.join(&mut socket).await?;
        let mut phase = self.shared.watch_phase();
        while !self.is_over() {
            if let Some(misbehaviour) = self.begin()
                && !self.misbehave(misbehaviour, &mut socket).await?
            {
                return self.abandon(misbehaviour, socket, server).await;
            }
            self.send_pending(&mut socket).await?;
            let wake = self.wake();
            tokio::select! {
                text = socket.next() => self.handle(&text?, &mut socket).await?,
                _ = phase.changed() => {}
                () = sleep_until(wake) => {}
            }
        }
        Ok(())
    }

    async fn join(&mut self, socket: &mut ClientSocket) -> anyhow::Result<()> {
        let hello = {
            let ledger = self.ledger.borrow();
            let replica = ledger.replicas[self.seat.index()].as_ref();
            let from = replica.map(|replica| replica.confirmed().version());
            let token = &ledger.table.tokens[self.seat.index()];
            json!({"token": token, "from": from, "epoch": self.epoch})
        };
        socket.send(json!(["1", "1", self.topic, "phx_join", hello]).to_string()).await?;
        let text = timeout(TIMEOUT, socket.next())
            .await
            .context("the server did not answer the join")??;
        let (_, _, _, event, payload): RawFrame = serde_json::from_str(&text)?;
        if event != "phx_reply" || payload["status"] != "ok" {
            bail!("the join was refused: {text}");
        }
        self.welcome(payload["response"].clone(), socket).await
    }

    /// Brings the replica up to the state of the table.
    async fn welcome(&mut self, welcome: Value, socket: &mut ClientSocket) -> anyhow::Result<()> {
        let welcome: Welcome = serde_json::from_value(welcome)?;
        if welcome.seat != Some(self.seat) {
            let what = format!("the holder of seat {:?} got seat {:?}", self.seat, welcome.seat);
            self.ledger.borrow_mut().notice(SoakViolation::Intruder { what });
        }
        self.epoch = Some(welcome.epoch.clone());
        let entries = &welcome.entries;
        if welcome.start.is_none() {
            self.receive(entries, socket).await?;
        } else {
            let game = games::catalog::game("tic-tac-toe")?;
            match welcome.state(game) {
                Ok(state) => self.start_over(state, entries),
                Err(error) => self.find_illegal(&error.to_string()),
            }
        }
        let is_behind =
            self.with_replica(|replica| replica.confirmed().version() < welcome.version);
        if is_behind.unwrap_or_default() { self.resync(socket).await } else { Ok(()) }
    }

    fn start_over(&self, state: TableState, entries: &[Entry]) {
        let mut ledger = self.ledger.borrow_mut();
        ledger.receive(entries);
        match &mut ledger.replicas[self.seat.index()] {
            Some(replica) => drop(replica.resync(state)),
            none => *none = Some(Replica::new(state, Some(self.seat))),
        }
    }

    async fn receive(&self, entries: &[Entry], socket: &mut ClientSocket) -> anyhow::Result<()> {
        let update = self.with_replica(|replica| replica.receive(entries));
        match update.context("there is no replica yet")? {
            Ok(Update::Folded { confirmed, .. }) => {
                let mut ledger = self.ledger.borrow_mut();
                ledger.receive(entries);
                let ours =
                    |entry: &&Entry| entry.action.as_ref().is_some_and(|id| confirmed.contains(id));
                for entry in entries.iter().filter(ours) {
                    let id = entry.action.as_ref().expect("a player's entry has an action id");
                    ledger.acknowledge(id, entry.version);
                }
            }
            Ok(Update::Gap { .. }) => self.resync(socket).await?,
            Err(error) => self.find_illegal(&error.to_string()),
        }
        Ok(())
    }

    async fn resync(&self, socket: &mut ClientSocket) -> anyhow::Result<()> {
        let from = self.with_replica(|replica| replica.confirmed().version());
        let known = json!({"from": from, "epoch": self.epoch});
        socket.send(json!(["1", "resync", self.topic, "resync", known]).to_string()).await
    }

    fn with_replica<T>(&self, act: impl FnOnce(&mut Replica) -> T) -> Option<T> {
        self.ledger.borrow_mut().replicas[self.seat.index()].as_mut().map(act)
    }

    fn find_illegal(&self, why: &str) {
        let why = format!("a player received entries that do not follow: {why}");
        self.ledger.borrow_mut().notice(SoakViolation::Illegal { why });
    }

    /// Begins an action if it is time to; returns a misbehaviour now and then.
    fn begin(&mut self) -> Option<Misbehaviour> {
        let is_idle = self.with_replica(|replica| replica.pending().len() == 0).unwrap_or_default();
        let now = Instant::now();
        if self.shared.phase() != Phase::Playing || !is_idle || now < self.session.next {
            return None;
        }
        self.session.next = now + Duration::from_millis(1 + self.generator.below(60));
        self.counter += 1;
        let client = format!("{}-{}", self.seat.number(), self.topic.len());
        let id = ActionId::new(&client, self.counter).expect("the client id is short");
        let mut generator = self.generator.clone();
        let body =
            self.with_replica(|replica| choose(replica.provisional(), self.seat, &mut generator));
        self.generator = generator;
        // Older servers do not let players resign out of turn, and the checks know the rules of today.
        let is_new = |body: &ActionBody| matches!(body, ActionBody::Forfeit { .. });
        let body = body.flatten();
        let body = body.filter(|body| !(self.shared.has_older_servers() && is_new(body)));
        if let Some(body) = body {
            // An action that the replica refuses is not sent.
            self.with_replica(|replica| drop(replica.submit(Action { id, body })));
        }
        let misbehaviour = [
            Misbehaviour::Vanish,
            Misbehaviour::VanishAfterSending,
            Misbehaviour::Garbage,
            Misbehaviour::HalfAFrame,
            Misbehaviour::Replay,
            Misbehaviour::Replay,
            Misbehaviour::Intrude,
        ];
        let place = usize::try_from(self.generator.below(500)).unwrap_or(usize::MAX);
        misbehaviour.get(place).copied()
    }

    async fn send_pending(&mut self, socket: &mut ClientSocket) -> anyhow::Result<()> {
        if self.session.sent.is_some_and(|sent| sent.elapsed() < TIMEOUT) {
            return Ok(());
        }
        let pending = self.with_replica(Replica::to_send).flatten();
        self.session.sent = pending.as_ref().map(|_| Instant::now());
        if let Some(action) = pending { self.send(&action, socket).await } else { Ok(()) }
    }

    async fn send(&mut self, action: &Action, socket: &mut ClientSocket) -> anyhow::Result<()> {
        self.ledger.borrow_mut().send(self.seat, action);
        if self.history.len() < 64 {
            self.history.push(action.clone());
        } else {
            let place = usize::try_from(self.generator.below(64)).unwrap_or_default();
            self.history[place] = action.clone();
        }
        self.session.next_reference += 1;
        let reference = self.session.next_reference;
        self.session.references.insert(reference, action.id.clone());
        let frame = json!(["1", reference.to_string(), self.topic, "act", action]);
        socket.send(frame.to_string()).await
    }

    fn wake(&self) -> Instant {
        let again = self.session.sent.map(|sent| sent + TIMEOUT);
        let later = Instant::now() + TIMEOUT;
        again
            .unwrap_or_else(|| self.session.next.max(Instant::now() + Duration::from_millis(5)))
            .min(later)
    }

    async fn handle(&mut self, text: &str, socket: &mut ClientSocket) -> anyhow::Result<()> {
        let (_, reference, _, event, payload): RawFrame = serde_json::from_str(text)?;
        match event.as_str() {
            "entries" => {
                let Entries { entries, .. }: Entries = serde_json::from_value(payload)?;
                self.receive(&entries, socket).await?;
            }
            "phx_reply" if reference.as_deref() == Some("resync") => {
                self.welcome(payload["response"].clone(), socket).await?;
            }
            "phx_reply" => self.handle_reply(reference.as_deref(), payload)?,
            "phx_error" | "phx_close" => bail!("the channel has ended"),
            _ => {}
        }
        if self.with_replica(|replica| replica.pending().len() == 0) == Some(true) {
            self.session.sent = None;
        }
        Ok(())
    }

    fn handle_reply(&mut self, reference: Option<&str>, mut payload: Value) -> anyhow::Result<()> {
        let reference = reference.and_then(|text| text.parse().ok());
        let Some(id) = reference.and_then(|it: u64| self.session.references.remove(&it)) else {
            return Ok(());
        };
        let response = payload["response"].take();
        if payload["status"] == "ok" {
            let Accepted { version } = serde_json::from_value(response)?;
            self.ledger.borrow_mut().acknowledge(&id, version);
            self.shared.acknowledged();
            self.with_replica(|replica| drop(replica.committed(&id, version)));
            return Ok(());
        }
        let refusal: Refusal = serde_json::from_value(response)?;
        if is_undecided(refusal.code()) {
            self.shared.counters.borrow_mut().undecided += 1;
            // Send it again in a moment.
            self.session.sent = Some(Instant::now() + Duration::from_millis(200) - TIMEOUT);
            return Ok(());
        }
        self.shared.counters.borrow_mut().refused += 1;
        self.ledger.borrow_mut().refuse(&id);
        if self.ledger.borrow().is_acknowledged(&id) {
            let what = format!("{id} was acknowledged, and then refused: {}", refusal.message());
            self.ledger.borrow_mut().notice(SoakViolation::Other { what });
        }
        self.with_replica(|replica| drop(replica.refused(&id, &refusal)));
        Ok(())
    }

    /// Misbehaves; returns whether the connection stays open.
    async fn misbehave(
        &mut self,
        misbehaviour: Misbehaviour,
        socket: &mut ClientSocket,
    ) -> anyhow::Result<bool> {
        match misbehaviour {
            Misbehaviour::Replay => {
                let place = usize::try_from(self.generator.below(64)).unwrap_or_default();
                if let Some(old) = self.history.get(place).cloned() {
                    self.shared.count_fault("old action replayed");
                    self.send(&old, socket).await?;
                }
                Ok(true)
            }
            Misbehaviour::VanishAfterSending => {
                self.send_pending(socket).await?;
                Ok(false)
            }
            Misbehaviour::Vanish
            | Misbehaviour::Garbage
            | Misbehaviour::HalfAFrame
            | Misbehaviour::Intrude => Ok(false),
        }
    }

    /// Ends the connection in a way that a good client never does.
    async fn abandon(
        &mut self,
        misbehaviour: Misbehaviour,
        mut socket: ClientSocket,
        server: SocketAddr,
    ) -> anyhow::Result<()> {
        match misbehaviour {
            Misbehaviour::Garbage => {
                self.shared.count_fault("garbage sent");
                let length = usize::try_from(self.generator.below(200)).unwrap_or_default();
                let text: String = (0..length)
                    .map(|_| {
                        char::from(32 + u8::try_from(self.generator.below(90)).unwrap_or_default())
                    })
                    .collect();
                socket.send(text).await?;
                let closed = async { while socket.next().await.is_ok() {} };
                if timeout(GARBAGE_TIMEOUT, closed).await.is_err() {
                    let what = "a text that is not a frame did not end its connection".to_owned();
                    self.ledger.borrow_mut().notice(SoakViolation::Other { what });
                }
            }
            Misbehaviour::HalfAFrame => {
                self.shared.count_fault("half a frame sent, then nothing");
                let mut stream = socket.into_stream();
                // The header of a text of 300 bytes, and its first byte.
                stream.write_all(&[0x81, 0xfe, 0x01, 0x2c, 1, 2, 3, 4, b'[']).await?;
                // The server must end this connection.
                tokio::task::spawn_local(async move {
                    tokio::io::copy(&mut stream, &mut tokio::io::sink()).await
                });
            }
            Misbehaviour::Intrude => {
                self.shared.count_fault("stolen or guessed token tried");
                if let Some(neighbour) = &self.neighbour {
                    let seed = self.generator.next_bits();
                    intruder::intrude(server, &self.ledger, neighbour, seed).await?;
                }
            }
            Misbehaviour::Vanish | Misbehaviour::VanishAfterSending | Misbehaviour::Replay => {
                self.shared.count_fault("client vanished");
                drop(socket);
            }
        }
        Ok(())
    }
}

impl PlayerSession {
    fn new() -> Self {
        Self { references: BTreeMap::new(), next_reference: 1, sent: None, next: Instant::now() }
    }
}

/// The next action of a player, if there is one.
pub(crate) fn choose(
    state: &TableState,
    seat: Seat,
    generator: &mut Generator,
) -> Option<ActionBody> {
    let (round, ply) = (state.round(), state.ply());
    if round > MAX_ROUNDS {
        return None;
    }
    let is_in_turn = state.turn().contains(seat);
    if state.outcome().is_some() {
        // Sometimes both players begin the next round, and one of them is late.
        let begins = is_in_turn || generator.below(8) == 0;
        return begins.then_some(ActionBody::NextRound { round, ply });
    }
    match generator.below(60) {
        0 => return Some(ActionBody::Forfeit { round, ply }),
        1 => return Some(ActionBody::Tie { round, ply }),
        _ if !is_in_turn => return None,
        _ => {}
    }
    let mut legal = state.game().legal_moves(state.position(), state.in_game(seat));
    let place = generator.below(legal.len().try_into().unwrap_or_default());
    let chosen = legal.nth(usize::try_from(place).unwrap_or_default())?;
    Some(ActionBody::Play { round, ply, chosen })
}
