//! The nodes, clients, links and journal of a run, and their faults.

use game::Generator;
use table::{Action, Announcement, TableSecret};

use crate::client::{Client, Presence, Role};
use crate::journal::Journal;
use crate::message::{Answer, Ask, Message};
use crate::node::{Effect, Node};
use crate::sabotage::Sabotage;
use crate::scenario::{Games, Scenario};
use crate::tally::Tally;

/// A table, its nodes and clients, and the messages between them.
pub(crate) struct World<'a> {
    pub(crate) generator: Generator,
    pub(crate) journal: Journal,
    pub(crate) secret: TableSecret,
    pub(crate) nodes: Vec<Node>,
    /// How far the clock of each node is ahead.
    skews: Vec<u64>,
    pub(crate) clients: Vec<Client>,
    pub(crate) in_flight: Vec<Message>,
    /// Earlier actions to send once more when the run has settled.
    resends: Vec<(usize, Action)>,
    /// The probability of a fault, in eighths.
    severity: u64,
    pub(crate) step: u32,
    pub(crate) now: u64,
    pub(crate) tally: Tally,
    pub(crate) sabotage: Sabotage,
    listener: &'a mut dyn FnMut(&dyn Fn() -> String),
}

/// The steps with faults, usually and in a long run, and the most steps to settle afterwards.
const FAULTY_STEPS: u32 = 1_200;
const MANY_FAULTY_STEPS: u32 = 6_000;
const MAX_CALM_STEPS: u32 = 5_000;

/// The number of actions that each client repeats in the end, and how many are sent at once.
const RESENDS_PER_CLIENT: usize = 24;
const RESENDS_AT_ONCE: usize = 8;

impl<'a> World<'a> {
    /// The world of a seed. The listener receives a description of each step.
    pub(crate) fn new(
        games: &Games,
        seed: u64,
        sabotage: Sabotage,
        listener: &'a mut dyn FnMut(&dyn Fn() -> String),
    ) -> Self {
        let mut generator = Generator::seeded(seed);
        let Scenario { game, first, secret, nodes, clients } =
            Scenario::of(games, &mut generator, sabotage);
        listener(&|| format!("{} on {nodes} nodes for {} clients", first.write(), clients.len()));
        let journal = Journal::begin(game, first);
        let start = |_| {
            let beginning = journal.beginning(&mut generator);
            Node::start(beginning, secret.clone(), sabotage)
        };
        let nodes: Vec<Node> = (0..nodes).map(start).collect();
        let skews = nodes.iter().map(|_| generator.below(50)).collect();
        let (in_flight, tally) = (Vec::new(), Tally::default());
        let (severity, step, now) = (1 + generator.below(8), 0, 1);
        Self {
            generator,
            journal,
            secret,
            nodes,
            skews,
            clients,
            in_flight,
            resends: Vec::new(),
            severity,
            step,
            now,
            tally,
            sabotage,
            listener,
        }
    }

    /// Runs with faults for a while, then without until the run settles, and checks the result.
    pub(crate) fn run(mut self) -> Result<Tally, String> {
        let steps = if self.generator.below(10) == 0 { MANY_FAULTY_STEPS } else { FAULTY_STEPS };
        for step in 0..steps {
            self.step = step;
            self.now += self.generator.below(20);
            self.reconnect_due_clients()?;
            self.faulty_step()?;
        }
        (self.listener)(&|| "no more faults".to_owned());
        for client in 0..self.clients.len() {
            self.connect(client)?;
        }
        self.settle()?;
        (self.listener)(&|| "earlier actions are repeated".to_owned());
        self.resends = self.earlier_actions();
        self.settle()?;
        self.check()
    }

    fn settle(&mut self) -> Result<(), String> {
        for _ in 0..MAX_CALM_STEPS {
            let is_quiet = self.in_flight.is_empty() && self.resends.is_empty();
            if is_quiet && self.is_settled()? {
                return Ok(());
            }
            self.calm_step()?;
        }
        Err("the run does not settle".to_owned())
    }

    /// The last actions that each client sent.
    fn earlier_actions(&self) -> Vec<(usize, Action)> {
        let sent = |(number, client): (usize, &Client)| {
            let last = client.history.iter().rev().take(RESENDS_PER_CLIENT);
            last.map(|action| (number, action.clone())).collect::<Vec<_>>()
        };
        self.clients.iter().enumerate().flat_map(sent).collect()
    }

    pub(crate) fn log_step(&mut self, what: impl Fn() -> String) {
        let step = self.step;
        (self.listener)(&|| format!("{step}: {}", what()));
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let chosen = self.generator.below(bound as u64);
        usize::try_from(chosen).expect("the number is below the bound")
    }

    pub(crate) fn random_node(&mut self) -> usize {
        self.below(self.nodes.len())
    }

    pub(crate) fn random_client(&mut self) -> usize {
        self.below(self.clients.len())
    }

    pub(crate) fn clock(&self, node: usize) -> u64 {
        self.now + self.skews[node]
    }

    fn faulty_step(&mut self) -> Result<(), String> {
        match self.generator.below(32) {
            0..3 => self.let_a_client_act(),
            3 => {
                let client = self.random_client();
                self.resync_and_send(client)
            }
            4 => self.pass_time(),
            5 => self.let_a_client_act_carelessly(),
            6 if self.fault_happens() => self.time_out_a_node(),
            7 if self.fault_happens() => {
                self.lose_message();
                Ok(())
            }
            8 if self.fault_happens() => self.repeat_message(),
            9 if self.fault_happens() => self.crash_or_cut(),
            _ => self.deliver(),
        }
    }

    fn fault_happens(&mut self) -> bool {
        self.generator.below(8) < self.severity
    }

    fn calm_step(&mut self) -> Result<(), String> {
        if self.in_flight.is_empty() {
            for node in 0..self.nodes.len() {
                let now = self.clock(node);
                let effects = self.nodes[node].time_out(now)?;
                self.perform(node, effects)?;
                let effects = self.nodes[node].journal_grew();
                self.perform(node, effects)?;
            }
            for client in 0..self.clients.len() {
                self.resync_and_send(client)?;
            }
            let later = self.resends.len().saturating_sub(RESENDS_AT_ONCE);
            for (client, action) in self.resends.split_off(later) {
                let node = self.random_node();
                self.send(Message::Act { node, client, action })?;
            }
        }
        self.deliver()
    }

    fn let_a_client_act(&mut self) -> Result<(), String> {
        let mut client = self.random_client();
        // Prefer a client whose seat is to move.
        for _ in 0..3 {
            if !self.clients[client].is_to_move() {
                client = self.random_client();
            }
        }
        if matches!(self.clients[client].presence, Presence::Gone(_)) {
            return Ok(());
        }
        self.clients[client].act(&mut self.generator);
        self.send_pending(client)?;
        self.check_client(client)
    }

    /// A careless client sends a random action to a random node.
    fn let_a_client_act_carelessly(&mut self) -> Result<(), String> {
        let node = self.random_node();
        let mut client = self.random_client();
        for _ in 0..3 {
            if self.clients[client].role != Role::Careless {
                client = self.random_client();
            }
        }
        let Some(action) = self.clients[client].act_carelessly(&mut self.generator) else {
            return Ok(());
        };
        self.tally.careless += 1;
        if self.clients[client].has_reused_id(&action) {
            self.journal.allow_reuse(action.id.clone());
        }
        self.send(Message::Act { node, client, action })
    }

    /// A client asks for missing entries and resends its pending action.
    fn resync_and_send(&mut self, client: usize) -> Result<(), String> {
        self.send_hello(client)?;
        self.send_pending(client)
    }

    fn send_hello(&mut self, client: usize) -> Result<(), String> {
        let (node, known) = (self.clients[client].node, self.clients[client].known());
        self.send(Message::Hello { node, client, known })
    }

    /// Sends the pending action to a random node.
    fn send_pending(&mut self, client: usize) -> Result<(), String> {
        let Some(action) = self.clients[client].next_to_send() else { return Ok(()) };
        let node = self.random_node();
        self.send(Message::Act { node, client, action })
    }

    pub(crate) fn send(&mut self, message: Message) -> Result<(), String> {
        let client = message.client().map(|client| &self.clients[client]);
        if client.is_none_or(|client| client.presence == Presence::Connected) {
            self.check_message(&message)?;
            self.in_flight.push(message);
        } else {
            self.tally.lost += 1;
        }
        Ok(())
    }

    /// A random node stops waiting for the journal.
    fn time_out_a_node(&mut self) -> Result<(), String> {
        let node = self.random_node();
        self.log_step(|| format!("node {node} times out"));
        self.tally.unanswered += 1;
        let now = self.clock(node);
        let effects = self.nodes[node].time_out(now)?;
        self.perform(node, effects)
    }

    fn pass_time(&mut self) -> Result<(), String> {
        let node = self.random_node();
        let now = self.clock(node);
        let effects = self.nodes[node].advance(now)?;
        self.perform(node, effects)
    }

    fn reconnect_due_clients(&mut self) -> Result<(), String> {
        for client in 0..self.clients.len() {
            match self.clients[client].presence {
                Presence::Cut(until) | Presence::Gone(until) if until <= self.step => {
                    self.connect(client)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Connects a client to a random node and resends its pending action.
    pub(crate) fn connect(&mut self, client: usize) -> Result<(), String> {
        let node = self.random_node();
        self.log_step(|| format!("client {client} connects to node {node}"));
        self.clients[client].connect(node);
        self.resync_and_send(client)
    }

    /// Delivers a random message, so that the order is arbitrary.
    fn deliver(&mut self) -> Result<(), String> {
        if self.in_flight.is_empty() {
            return Ok(());
        }
        let place = self.below(self.in_flight.len());
        let message = self.in_flight.swap_remove(place);
        self.log_step(|| format!("{message:?}"));
        match message {
            Message::Act { node, client, action } => {
                let (token, now) = (self.clients[client].token, self.clock(node));
                let effects = self.nodes[node].receive(client, action, token, now)?;
                self.perform(node, effects)
            }
            Message::Hello { node, client, known } => {
                let token = self.clients[client].token;
                let welcome = Box::new(self.nodes[node].welcome(token, &known));
                self.send(Message::Welcome { client, welcome })
            }
            Message::Welcome { client, welcome } => {
                // Entries may seem to be missing only because the node is behind.
                if self.clients[client].receive_welcome(&welcome)? {
                    self.send_hello(client)?;
                }
                self.check_client(client)
            }
            Message::Entries { client, seat, entries } => {
                if self.clients[client].receive(&entries, seat)? {
                    self.send_hello(client)?;
                }
                self.check_client(client)
            }
            Message::ActionVerdict { client, id, verdict } => {
                if self.journal.is_reused(&id) || !self.clients[client].accepts_verdicts() {
                    return Ok(());
                }
                if self.clients[client].receive_verdict(&id, &verdict)? {
                    self.send_hello(client)?;
                }
                self.check_verdict(&id, &verdict)?;
                self.send_pending(client)?;
                self.check_client(client)
            }
            Message::Announcement { node } => {
                let effects = self.nodes[node].journal_grew();
                self.perform(node, effects)
            }
            Message::Ask { node, number, ask } => self.ask_journal(node, number, ask),
            Message::Answer { node, number, answer } => {
                let now = self.clock(node);
                let effects = self.nodes[node].answered(number, answer, now)?;
                self.perform(node, effects)
            }
        }
    }

    fn ask_journal(&mut self, node: usize, number: u64, ask: Ask) -> Result<(), String> {
        let before = self.journal.entries().len();
        let answer = self.journal.answer(ask)?;
        self.tally.conflicts += u64::from(matches!(answer, Answer::Conflict(_)));
        self.send(Message::Answer { node, number, answer })?;
        if self.journal.entries().len() > before {
            for other in (0..self.nodes.len()).filter(|other| *other != node) {
                self.send(Message::Announcement { node: other })?;
            }
        }
        Ok(())
    }

    pub(crate) fn perform(&mut self, node: usize, effects: Vec<Effect>) -> Result<(), String> {
        for effect in effects {
            match effect {
                Effect::Ask { number, ask } => self.send(Message::Ask { node, number, ask })?,
                Effect::Answer { client, id, verdict } => {
                    self.send(Message::ActionVerdict { client, id, verdict })?;
                }
                Effect::Broadcast(announcements) if announcements.is_empty() => {}
                Effect::Broadcast(announcements) => self.broadcast(node, &announcements)?,
            }
        }
        self.check_node(node)
    }

    fn broadcast(&mut self, node: usize, announcements: &[Announcement]) -> Result<(), String> {
        for client in 0..self.clients.len() {
            if self.clients[client].node == node {
                let (seat, messages) =
                    self.nodes[node].messages_for(announcements, self.clients[client].token);
                for entries in messages {
                    self.send(Message::Entries { client, seat, entries })?;
                }
            }
        }
        Ok(())
    }
}
