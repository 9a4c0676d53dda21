//! A player with a real replica, who misbehaves now and then.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, bail};
use game::{Game, Generator, Refusal, Seat};
use serde_json::{Value, json};
use table::wire::{Accepted, Entries, Welcome};
use table::{Action, ActionBody, ActionId, Entry, Replica, TableState, Update};
use tokio::io::AsyncWriteExt;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::intruder;
use super::ledger::{Finding, Ledger};
use super::world::{Stage, World};
use crate::socket::Socket;

/// How long a player waits for an answer before it sends the same again.
const PATIENCE: Duration = Duration::from_secs(3);

/// How long who has sent garbage may stay: less than who says nothing.
const GARBAGE_PATIENCE: Duration = Duration::from_secs(5);

/// After how many rounds a table is replaced: its log is read again and again.
pub(crate) const MOST_ROUNDS: u32 = 150;

/// The codes that mean that nothing is decided.
const UNDECIDED: [&str; 5] = ["early", "busy", "unavailable", "too_many", "set_aside"];

/// A frame: the ref of the join, the ref, the topic, the event, the payload.
type Frame = (Option<String>, Option<String>, String, String, Value);

/// A player who holds one seat of one table, whatever happens.
#[derive(Debug)]
pub(crate) struct Player {
    world: Rc<World>,
    ledger: Rc<RefCell<Ledger>>,
    /// Whose tokens an intruder has stolen.
    neighbour: Option<Rc<RefCell<Ledger>>>,
    seat: Seat,
    topic: String,
    generator: Generator,
    epoch: Option<String>,
    counter: u64,
    /// What it has sent.
    history: Vec<Action>,
    visit: Visit,
}

/// What belongs to one connection.
#[derive(Debug)]
struct Visit {
    references: BTreeMap<u64, ActionId>,
    next_reference: u64,
    /// When the first action that waits was sent.
    sent: Option<Instant>,
    /// When something may be begun.
    next: Instant,
}

/// What a client does that no good one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mischief {
    Vanish,
    VanishAfterSending,
    Garbage,
    HalfAFrame,
    Replay,
    Intrude,
}

impl Player {
    pub(crate) fn new(
        world: Rc<World>,
        ledger: Rc<RefCell<Ledger>>,
        neighbour: Option<Rc<RefCell<Ledger>>>,
        seat: Seat,
        seed: u64,
    ) -> Self {
        let topic = format!("table:{}", ledger.borrow().table.id);
        Self {
            world,
            ledger,
            neighbour,
            seat,
            topic,
            generator: Generator::seeded(seed),
            epoch: None,
            counter: 0,
            history: Vec::new(),
            visit: Visit::new(),
        }
    }

    /// Plays until all go home, and comes back whenever the connection is lost.
    pub(crate) async fn run(mut self) {
        while !self.is_over() {
            let Some(server) = self.world.server().await else { return };
            // Whatever ends a visit, the player comes back.
            if self.visit(server).await.is_err() {
                sleep(Duration::from_millis(10 + self.generator.below(40))).await;
            }
        }
    }

    fn is_over(&self) -> bool {
        self.world.stage() == Stage::Over || self.ledger.borrow().is_over
    }

    async fn visit(&mut self, server: SocketAddr) -> anyhow::Result<()> {
        self.visit = Visit::new();
        let mut socket = Socket::connect(server).await?;
        self.join(&mut socket).await?;
        let mut stage = self.world.watch_stage();
        while !self.is_over() {
            if let Some(mischief) = self.begin()
                && !self.misbehave(mischief, &mut socket).await?
            {
                return self.abandon(mischief, socket, server).await;
            }
            self.send_what_waits(&mut socket).await?;
            let wake = self.wake();
            tokio::select! {
                text = socket.next() => self.hear(&text?, &mut socket).await?,
                _ = stage.changed() => {}
                () = sleep_until(wake) => {}
            }
        }
        Ok(())
    }

    async fn join(&mut self, socket: &mut Socket) -> anyhow::Result<()> {
        let hello = {
            let ledger = self.ledger.borrow();
            let replica = ledger.replicas[self.seat.index()].as_ref();
            let from = replica.map(|replica| replica.confirmed().version());
            let token = &ledger.table.tokens[self.seat.index()];
            json!({"token": token, "from": from, "epoch": self.epoch})
        };
        socket.send(json!(["1", "1", self.topic, "phx_join", hello]).to_string()).await?;
        let text = timeout(PATIENCE, socket.next()).await.context("nobody answers the join")??;
        let (_, _, _, event, payload): Frame = serde_json::from_str(&text)?;
        if event != "phx_reply" || payload["status"] != "ok" {
            bail!("the join is refused: {text}");
        }
        self.welcome(payload["response"].clone(), socket).await
    }

    /// Takes in how the table stands.
    async fn welcome(&mut self, welcome: Value, socket: &mut Socket) -> anyhow::Result<()> {
        let welcome: Welcome = serde_json::from_value(welcome)?;
        if welcome.seat != Some(self.seat) {
            let what = format!("who holds seat {:?} was given {:?}", self.seat, welcome.seat);
            self.ledger.borrow_mut().notice(Finding::Intruder { what });
        }
        self.epoch = Some(welcome.epoch.clone());
        let entries = &welcome.entries;
        if welcome.start.is_none() {
            self.take_in(entries, socket).await?;
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
        ledger.show(entries);
        match &mut ledger.replicas[self.seat.index()] {
            Some(replica) => drop(replica.resync(state)),
            none => *none = Some(Replica::new(state, Some(self.seat))),
        }
    }

    async fn take_in(&self, entries: &[Entry], socket: &mut Socket) -> anyhow::Result<()> {
        let update = self.with_replica(|replica| replica.receive(entries));
        match update.context("nothing is known yet")? {
            Ok(Update::Folded { confirmed, .. }) => {
                let mut ledger = self.ledger.borrow_mut();
                ledger.show(entries);
                let ours =
                    |entry: &&Entry| entry.action.as_ref().is_some_and(|id| confirmed.contains(id));
                for entry in entries.iter().filter(ours) {
                    let id = entry.action.as_ref().expect("it has one");
                    ledger.acknowledge(id, entry.version);
                }
            }
            Ok(Update::Gap { .. }) => self.resync(socket).await?,
            Err(error) => self.find_illegal(&error.to_string()),
        }
        Ok(())
    }

    async fn resync(&self, socket: &mut Socket) -> anyhow::Result<()> {
        let from = self.with_replica(|replica| replica.confirmed().version());
        let known = json!({"from": from, "epoch": self.epoch});
        socket.send(json!(["1", "resync", self.topic, "resync", known]).to_string()).await
    }

    fn with_replica<T>(&self, act: impl FnOnce(&mut Replica) -> T) -> Option<T> {
        self.ledger.borrow_mut().replicas[self.seat.index()].as_mut().map(act)
    }

    fn find_illegal(&self, why: &str) {
        let why = format!("a player was sent what does not follow: {why}");
        self.ledger.borrow_mut().notice(Finding::Illegal { why });
    }

    /// Begins something if it is time to; gives what shall be done instead now and then.
    fn begin(&mut self) -> Option<Mischief> {
        let is_idle = self.with_replica(|replica| replica.pending().len() == 0).unwrap_or_default();
        let now = Instant::now();
        if self.world.stage() != Stage::Playing || !is_idle || now < self.visit.next {
            return None;
        }
        self.visit.next = now + Duration::from_millis(1 + self.generator.below(60));
        self.counter += 1;
        let client = format!("{}-{}", self.seat.number(), self.topic.len());
        let id = ActionId::new(&client, self.counter).expect("it is short");
        let mut generator = self.generator.clone();
        let body =
            self.with_replica(|replica| choose(replica.provisional(), self.seat, &mut generator));
        self.generator = generator;
        if let Some(body) = body.flatten() {
            // What is refused here is not sent.
            self.with_replica(|replica| drop(replica.submit(Action { id, body })));
        }
        let mischief = [
            Mischief::Vanish,
            Mischief::VanishAfterSending,
            Mischief::Garbage,
            Mischief::HalfAFrame,
            Mischief::Replay,
            Mischief::Replay,
            Mischief::Intrude,
        ];
        let place = usize::try_from(self.generator.below(500)).unwrap_or(usize::MAX);
        mischief.get(place).copied()
    }

    async fn send_what_waits(&mut self, socket: &mut Socket) -> anyhow::Result<()> {
        if self.visit.sent.is_some_and(|sent| sent.elapsed() < PATIENCE) {
            return Ok(());
        }
        let waits = self.with_replica(Replica::to_send).flatten();
        self.visit.sent = waits.as_ref().map(|_| Instant::now());
        if let Some(action) = waits { self.send(&action, socket).await } else { Ok(()) }
    }

    async fn send(&mut self, action: &Action, socket: &mut Socket) -> anyhow::Result<()> {
        self.ledger.borrow_mut().send(self.seat, action);
        if self.history.len() < 64 {
            self.history.push(action.clone());
        } else {
            let place = usize::try_from(self.generator.below(64)).unwrap_or_default();
            self.history[place] = action.clone();
        }
        self.visit.next_reference += 1;
        let reference = self.visit.next_reference;
        self.visit.references.insert(reference, action.id.clone());
        let frame = json!(["1", reference.to_string(), self.topic, "act", action]);
        socket.send(frame.to_string()).await
    }

    fn wake(&self) -> Instant {
        let again = self.visit.sent.map(|sent| sent + PATIENCE);
        let later = Instant::now() + PATIENCE;
        again
            .unwrap_or_else(|| self.visit.next.max(Instant::now() + Duration::from_millis(5)))
            .min(later)
    }

    async fn hear(&mut self, text: &str, socket: &mut Socket) -> anyhow::Result<()> {
        let (_, reference, _, event, payload): Frame = serde_json::from_str(text)?;
        match event.as_str() {
            "entries" => {
                let Entries { entries, .. }: Entries = serde_json::from_value(payload)?;
                self.take_in(&entries, socket).await?;
            }
            "phx_reply" if reference.as_deref() == Some("resync") => {
                self.welcome(payload["response"].clone(), socket).await?;
            }
            "phx_reply" => self.hear_answer(reference.as_deref(), payload)?,
            "phx_error" | "phx_close" => bail!("the channel has ended"),
            _ => {}
        }
        if self.with_replica(|replica| replica.pending().len() == 0) == Some(true) {
            self.visit.sent = None;
        }
        Ok(())
    }

    fn hear_answer(&mut self, reference: Option<&str>, mut payload: Value) -> anyhow::Result<()> {
        let reference = reference.and_then(|text| text.parse().ok());
        let Some(id) = reference.and_then(|it: u64| self.visit.references.remove(&it)) else {
            return Ok(());
        };
        let response = payload["response"].take();
        if payload["status"] == "ok" {
            let Accepted { version } = serde_json::from_value(response)?;
            self.ledger.borrow_mut().acknowledge(&id, version);
            self.world.acknowledged();
            self.with_replica(|replica| drop(replica.committed(&id, version)));
            return Ok(());
        }
        let refusal: Refusal = serde_json::from_value(response)?;
        if UNDECIDED.contains(&refusal.code().as_str()) {
            self.world.tally.borrow_mut().undecided += 1;
            // It is sent again in a moment.
            self.visit.sent = Some(Instant::now() + Duration::from_millis(200) - PATIENCE);
            return Ok(());
        }
        self.world.tally.borrow_mut().refused += 1;
        if self.ledger.borrow().is_acknowledged(&id) {
            let what = format!("{id} was acknowledged, and then refused: {}", refusal.message());
            self.ledger.borrow_mut().notice(Finding::Other { what });
        }
        self.with_replica(|replica| drop(replica.refused(&id, &refusal)));
        Ok(())
    }

    /// Does what no good client does; gives whether the visit goes on.
    async fn misbehave(&mut self, mischief: Mischief, socket: &mut Socket) -> anyhow::Result<bool> {
        match mischief {
            Mischief::Replay => {
                let place = usize::try_from(self.generator.below(64)).unwrap_or_default();
                if let Some(old) = self.history.get(place).cloned() {
                    self.world.count("old action replayed");
                    self.send(&old, socket).await?;
                }
                Ok(true)
            }
            Mischief::VanishAfterSending => {
                self.send_what_waits(socket).await?;
                Ok(false)
            }
            Mischief::Vanish | Mischief::Garbage | Mischief::HalfAFrame | Mischief::Intrude => {
                Ok(false)
            }
        }
    }

    /// Ends a visit in a way that no good client does.
    async fn abandon(
        &mut self,
        mischief: Mischief,
        mut socket: Socket,
        server: SocketAddr,
    ) -> anyhow::Result<()> {
        match mischief {
            Mischief::Garbage => {
                self.world.count("garbage sent");
                let length = usize::try_from(self.generator.below(200)).unwrap_or_default();
                let text: String = (0..length)
                    .map(|_| {
                        char::from(32 + u8::try_from(self.generator.below(90)).unwrap_or_default())
                    })
                    .collect();
                socket.send(text).await?;
                let closed = async { while socket.next().await.is_ok() {} };
                if timeout(GARBAGE_PATIENCE, closed).await.is_err() {
                    let what = "a text that is no frame did not end its connection".to_owned();
                    self.ledger.borrow_mut().notice(Finding::Other { what });
                }
            }
            Mischief::HalfAFrame => {
                self.world.count("half a frame sent, then nothing");
                let mut stream = socket.into_stream();
                // The head of a text of 300 bytes, and the first of them.
                stream.write_all(&[0x81, 0xfe, 0x01, 0x2c, 1, 2, 3, 4, b'[']).await?;
                // It is for the server to end this.
                tokio::task::spawn_local(async move {
                    tokio::io::copy(&mut stream, &mut tokio::io::sink()).await
                });
            }
            Mischief::Intrude => {
                self.world.count("stolen or guessed token tried");
                if let Some(neighbour) = &self.neighbour {
                    let seed = self.generator.next_bits();
                    intruder::intrude(server, &self.ledger, neighbour, seed).await?;
                }
            }
            Mischief::Vanish | Mischief::VanishAfterSending | Mischief::Replay => {
                self.world.count("client vanished");
                drop(socket);
            }
        }
        Ok(())
    }
}

impl Visit {
    fn new() -> Self {
        Self { references: BTreeMap::new(), next_reference: 1, sent: None, next: Instant::now() }
    }
}

/// What a player does next, if it does something.
pub(crate) fn choose(
    state: &TableState,
    seat: Seat,
    generator: &mut Generator,
) -> Option<ActionBody> {
    let (round, ply) = (state.round(), state.ply());
    if round > MOST_ROUNDS {
        return None;
    }
    let is_in_turn = state.turn().contains(seat);
    if state.outcome().is_some() {
        // Both may go on at once: one of them is late.
        let goes_on = is_in_turn || generator.below(8) == 0;
        return goes_on.then_some(ActionBody::NextRound { round, ply });
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
