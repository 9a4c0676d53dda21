//! Everything there is, and what goes wrong with it.

use std::fmt;

use game::{AnyGame, Game, Generator, Seat};
use table::{Body, Digest, Entry, Options, PlayerName, State, Verdict, Who};

use crate::client::Client;
use crate::message::{Answer, Ask, Message};
use crate::node::{Effect, Node};

/// What is broken on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sabotage {
    Nothing,
    AcknowledgeFirst,
    BroadcastFirst,
    IgnoreConflicts,
    ForgetIds,
    KeepRefused,
}

/// What happened in a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) faults: u64,
    pub(crate) acknowledged: u64,
    pub(crate) refused: u64,
    pub(crate) rolled_back: u64,
}

pub(crate) struct World {
    game: AnyGame,
    generator: Generator,
    journal: Vec<Entry>,
    nodes: Vec<Node>,
    clients: Vec<Client>,
    flying: Vec<Message>,
    sabotage: Sabotage,
    tally: Tally,
}

/// How long things go wrong, and how long they may take to settle afterwards.
const ROUGH: u32 = 400;
const CALM: u32 = 5_000;

fn entry(version: u64, body: Body) -> Entry {
    Entry::new(version, 0, Who::Table, body)
}

/// The log of a table at which both seats are taken.
fn beginning(game: &AnyGame) -> Vec<Entry> {
    let (options, commitment) = (Options::default(), Digest::of(b"seed"));
    let created = Body::Created { game: game.name(), rules: 1, options, commitment };
    let joined = |seat: Seat| {
        let name = PlayerName::new("somebody").expect("it is a name");
        Body::Joined { seat, name, token: Some(Digest::of(&[seat.number()])) }
    };
    vec![entry(1, created), entry(2, joined(Seat::FIRST)), entry(3, joined(Seat::SECOND))]
}

impl World {
    pub(crate) fn new(game: AnyGame, seed: u64, sabotage: Sabotage) -> Self {
        let mut generator = Generator::seeded(seed);
        let journal = beginning(&game);
        let state = State::after(game.clone(), &journal).expect("it is in order");
        let nodes = (0..=generator.below(3)).map(|_| Node::start(&game, &journal, sabotage));
        let nodes = nodes.collect();
        let seats = [Some(Seat::FIRST), Some(Seat::SECOND), Some(Seat::FIRST), None];
        let clients = seats.into_iter().zip(["one", "two", "tab", "looker"]);
        let clients = clients.map(|(seat, name)| Client::new(state.clone(), seat, name, sabotage));
        let clients = clients.collect();
        let (flying, tally) = (Vec::new(), Tally::default());
        Self { game, generator, journal, nodes, clients, flying, sabotage, tally }
    }

    /// Lets things go wrong for a while, then lets them settle, and checks what was promised.
    pub(crate) fn run(mut self) -> Result<Tally, String> {
        for _ in 0..ROUGH {
            self.step_roughly()?;
        }
        for _ in 0..CALM {
            if self.flying.is_empty() && self.is_settled() {
                break;
            }
            self.step_calmly()?;
        }
        self.check()
    }

    fn below(&mut self, bound: usize) -> usize {
        let chosen = self.generator.below(bound as u64);
        usize::try_from(chosen).expect("it is below the bound")
    }

    fn step_roughly(&mut self) -> Result<(), String> {
        match self.generator.below(20) {
            0..4 => self.let_somebody_act(),
            4..6 => self.resend(),
            6 => self.crash(),
            7 => {
                let node = self.below(self.nodes.len());
                let effects = self.nodes[node].gave_up_waiting();
                self.tally.faults += 1;
                self.perform(node, effects);
            }
            8 => self.lose(),
            9 => self.repeat(),
            _ => return self.deliver(),
        }
        Ok(())
    }

    fn step_calmly(&mut self) -> Result<(), String> {
        if self.flying.is_empty() {
            for node in 0..self.nodes.len() {
                let effects = self.nodes[node].gave_up_waiting();
                self.perform(node, effects);
            }
            for client in 0..self.clients.len() {
                self.say_hello(client);
                self.send_pending(client);
            }
        }
        self.deliver()
    }

    fn let_somebody_act(&mut self) {
        let client = self.below(self.clients.len());
        self.clients[client].act(&mut self.generator);
        self.send_pending(client);
    }

    fn resend(&mut self) {
        let client = self.below(self.clients.len());
        self.say_hello(client);
        self.send_pending(client);
    }

    fn say_hello(&mut self, client: usize) {
        let from = self.clients[client].replica.confirmed().version();
        let node = self.below(self.nodes.len());
        self.flying.push(Message::Hello { node, client, from });
    }

    fn send_pending(&mut self, client: usize) {
        if let Some(action) = self.clients[client].replica.to_send() {
            let node = self.below(self.nodes.len());
            self.flying.push(Message::Act { node, client, action });
        }
    }

    fn crash(&mut self) {
        let node = self.below(self.nodes.len());
        self.nodes[node].start_again(&self.game, &self.journal);
        self.tally.faults += 1;
    }

    fn lose(&mut self) {
        if !self.flying.is_empty() {
            let place = self.below(self.flying.len());
            self.flying.swap_remove(place);
            self.tally.faults += 1;
        }
    }

    fn repeat(&mut self) {
        if !self.flying.is_empty() && self.flying.len() < 200 {
            let place = self.below(self.flying.len());
            self.flying.push(self.flying[place].clone());
            self.tally.faults += 1;
        }
    }

    /// Any message arrives: none keeps its place.
    fn deliver(&mut self) -> Result<(), String> {
        if self.flying.is_empty() {
            return Ok(());
        }
        let place = self.below(self.flying.len());
        match self.flying.swap_remove(place) {
            Message::Act { node, client, action } => {
                let by = self.clients[client].actor();
                let effects = self.nodes[node].receive(client, action, by);
                self.perform(node, effects);
            }
            Message::Hello { node, client, from } => {
                let entries = self.nodes[node].after(from);
                self.flying.push(Message::Entries { client, entries });
            }
            Message::Entries { client, entries } => {
                let missing = self.clients[client].receive(&entries)?;
                if missing.is_some() {
                    self.say_hello(client);
                }
            }
            Message::Verdict { client, id, verdict } => {
                if self.clients[client].hear(id, verdict)?.is_some() {
                    self.say_hello(client);
                }
            }
            Message::Ask { node, number, ask } => {
                let answer = self.ask_journal(ask);
                self.flying.push(Message::Answer { node, number, answer });
            }
            Message::Answer { node, number, answer } => {
                let effects = self.nodes[node].answered(number, answer);
                self.perform(node, effects);
            }
        }
        Ok(())
    }

    fn ask_journal(&mut self, ask: Ask) -> Answer {
        let after = |version: u64| usize::try_from(version).expect("there are few");
        match ask {
            Ask::Append { after: version, .. }
                if after(version) < self.journal.len()
                    && self.sabotage == Sabotage::IgnoreConflicts =>
            {
                Answer::Committed
            }
            Ask::Append { after: version, .. } if after(version) < self.journal.len() => {
                Answer::Tail(self.journal[after(version)..].to_vec())
            }
            Ask::Append { entries, .. } => {
                self.journal.extend(entries);
                Answer::Committed
            }
            Ask::Read { after: version } => Answer::Tail(self.journal[after(version)..].to_vec()),
            Ask::Find { id } => {
                let found = self.journal.iter().find(|entry| entry.action.as_ref() == Some(&id));
                Answer::Found(found.map(|entry| entry.version))
            }
        }
    }

    fn perform(&mut self, node: usize, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Ask { number, ask } => self.flying.push(Message::Ask { node, number, ask }),
                Effect::Answer { client, id, verdict } => {
                    self.flying.push(Message::Verdict { client, id, verdict });
                }
                Effect::Broadcast(entries) if entries.is_empty() => {}
                Effect::Broadcast(entries) => {
                    for client in 0..self.clients.len() {
                        let entries = entries.clone();
                        self.flying.push(Message::Entries { client, entries });
                    }
                }
            }
        }
    }

    fn is_settled(&self) -> bool {
        let last = self.journal.len() as u64;
        self.clients.iter().all(|client| {
            client.replica.pending().len() == 0 && client.replica.confirmed().version() == last
        })
    }

    fn check(mut self) -> Result<Tally, String> {
        if !self.is_settled() {
            return Err("it does not settle".to_owned());
        }
        let whole = State::after(self.game.clone(), &self.journal);
        let whole = whole.map_err(|error| format!("the log is wrong: {error}"))?;
        for client in &self.clients {
            let shown = client.replica.provisional();
            if shown.position() != whole.position() || shown.losers() != whole.losers() {
                return Err("a replica differs from the log".to_owned());
            }
            for (id, verdict) in &client.verdicts {
                self.tally.acknowledged += u64::from(matches!(verdict, Verdict::Committed(_)));
                self.tally.refused += u64::from(matches!(verdict, Verdict::Refused(_)));
                let places = self.journal.iter().filter(|entry| entry.action.as_ref() == Some(id));
                let versions: Vec<u64> = places.map(|entry| entry.version).collect();
                let is_true = match verdict {
                    Verdict::Committed(version) => versions == [*version],
                    Verdict::Refused(_) | Verdict::Busy => versions.is_empty(),
                };
                if !is_true {
                    return Err(format!(
                        "{id} is at {versions:?}, but its client heard {verdict:?}"
                    ));
                }
            }
            self.tally.rolled_back += client.rolled_back;
        }
        Ok(self.tally)
    }
}

impl Tally {
    pub(crate) fn add(&mut self, other: &Self) {
        self.faults += other.faults;
        self.acknowledged += other.acknowledged;
        self.refused += other.refused;
        self.rolled_back += other.rolled_back;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { faults, acknowledged, refused, rolled_back } = self;
        write!(
            f,
            "{faults} faults injected, {acknowledged} actions acknowledged, {refused} refused, \
             {rolled_back} rolled back"
        )
    }
}
