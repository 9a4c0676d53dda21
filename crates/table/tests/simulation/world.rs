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

/// A table, who serves it, who sits at it, and what is on its way between them.
pub(crate) struct World<'a> {
    pub(crate) generator: Generator,
    pub(crate) journal: Journal,
    pub(crate) secret: TableSecret,
    pub(crate) nodes: Vec<Node>,
    /// How far the clock of each node goes ahead.
    skews: Vec<u64>,
    pub(crate) clients: Vec<Client>,
    pub(crate) flying: Vec<Message>,
    /// What will be sent once more when everything is settled.
    ghosts: Vec<(usize, Action)>,
    /// How often things go wrong, in eighths.
    severity: u64,
    pub(crate) step: u32,
    pub(crate) now: u64,
    pub(crate) tally: Tally,
    pub(crate) sabotage: Sabotage,
    told: &'a mut dyn FnMut(&dyn Fn() -> String),
}

/// How long things go wrong, and how long they may take to settle afterwards.
const ROUGH: u32 = 1_200;
const LONG: u32 = 6_000;
const CALM: u32 = 5_000;

/// How many of its actions each client sends once more in the end, and how many at a time.
const GHOSTS: usize = 24;
const HAUNTING: usize = 8;

impl<'a> World<'a> {
    /// The world of a seed; each step is told to the listener.
    pub(crate) fn new(
        games: &Games,
        seed: u64,
        sabotage: Sabotage,
        told: &'a mut dyn FnMut(&dyn Fn() -> String),
    ) -> Self {
        let mut generator = Generator::seeded(seed);
        let Scenario { game, first, secret, nodes, clients } =
            Scenario::of(games, &mut generator, sabotage);
        told(&|| format!("{} on {nodes} nodes for {} clients", first.write(), clients.len()));
        let journal = Journal::begin(game, first);
        let start = |_| {
            let beginning = journal.beginning(&mut generator);
            Node::start(beginning, secret.clone(), sabotage)
        };
        let nodes: Vec<Node> = (0..nodes).map(start).collect();
        let skews = nodes.iter().map(|_| generator.below(50)).collect();
        let (flying, tally) = (Vec::new(), Tally::default());
        let (severity, step, now) = (1 + generator.below(8), 0, 1);
        Self {
            generator,
            journal,
            secret,
            nodes,
            skews,
            clients,
            flying,
            ghosts: Vec::new(),
            severity,
            step,
            now,
            tally,
            sabotage,
            told,
        }
    }

    /// Lets things go wrong for a while, then lets them settle, and checks what was promised.
    pub(crate) fn run(mut self) -> Result<Tally, String> {
        let steps = if self.generator.below(10) == 0 { LONG } else { ROUGH };
        for step in 0..steps {
            self.step = step;
            self.now += self.generator.below(20);
            self.return_who_must()?;
            self.step_roughly()?;
        }
        (self.told)(&|| "from here on nothing goes wrong".to_owned());
        for client in 0..self.clients.len() {
            self.connect(client)?;
        }
        self.settle()?;
        (self.told)(&|| "everything that was ever sent comes once more".to_owned());
        self.ghosts = self.sent_before();
        self.settle()?;
        self.check()
    }

    fn settle(&mut self) -> Result<(), String> {
        for _ in 0..CALM {
            let is_quiet = self.flying.is_empty() && self.ghosts.is_empty();
            if is_quiet && self.is_settled()? {
                return Ok(());
            }
            self.step_calmly()?;
        }
        Err("it does not settle".to_owned())
    }

    /// Much of what was sent.
    fn sent_before(&self) -> Vec<(usize, Action)> {
        let sent = |(number, client): (usize, &Client)| {
            let last = client.history.iter().rev().take(GHOSTS);
            last.map(|action| (number, action.clone())).collect::<Vec<_>>()
        };
        self.clients.iter().enumerate().flat_map(sent).collect()
    }

    pub(crate) fn tell(&mut self, what: impl Fn() -> String) {
        let step = self.step;
        (self.told)(&|| format!("{step}: {}", what()));
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let chosen = self.generator.below(bound as u64);
        usize::try_from(chosen).expect("it is below the bound")
    }

    pub(crate) fn some_node(&mut self) -> usize {
        self.below(self.nodes.len())
    }

    pub(crate) fn some_client(&mut self) -> usize {
        self.below(self.clients.len())
    }

    pub(crate) fn clock(&self, node: usize) -> u64 {
        self.now + self.skews[node]
    }

    fn step_roughly(&mut self) -> Result<(), String> {
        match self.generator.below(32) {
            0..3 => self.let_somebody_act(),
            3 => {
                let client = self.some_client();
                self.speak(client)
            }
            4 => self.pass_time(),
            5 => self.let_somebody_be_rash(),
            6 if self.is_bad_luck() => self.stop_waiting(),
            7 if self.is_bad_luck() => {
                self.lose();
                Ok(())
            }
            8 if self.is_bad_luck() => self.repeat(),
            9 if self.is_bad_luck() => self.break_something(),
            _ => self.deliver(),
        }
    }

    fn is_bad_luck(&mut self) -> bool {
        self.generator.below(8) < self.severity
    }

    fn step_calmly(&mut self) -> Result<(), String> {
        if self.flying.is_empty() {
            for node in 0..self.nodes.len() {
                let now = self.clock(node);
                let effects = self.nodes[node].gave_up_waiting(now)?;
                self.perform(node, effects)?;
                let news = self.nodes[node].hear_news();
                self.perform(node, news)?;
            }
            for client in 0..self.clients.len() {
                self.speak(client)?;
            }
            let later = self.ghosts.len().saturating_sub(HAUNTING);
            for (client, action) in self.ghosts.split_off(later) {
                let node = self.some_node();
                self.send(Message::Act { node, client, action })?;
            }
        }
        self.deliver()
    }

    fn let_somebody_act(&mut self) -> Result<(), String> {
        let mut client = self.some_client();
        // Who is in turn has more to do.
        for _ in 0..3 {
            if !self.clients[client].is_in_turn() {
                client = self.some_client();
            }
        }
        if matches!(self.clients[client].presence, Presence::Gone(_)) {
            return Ok(());
        }
        self.clients[client].act(&mut self.generator);
        self.send_pending(client)?;
        self.check_client(client)
    }

    /// Somebody sends what it likes to any node.
    fn let_somebody_be_rash(&mut self) -> Result<(), String> {
        let node = self.some_node();
        let mut client = self.some_client();
        for _ in 0..3 {
            if self.clients[client].role != Role::Hasty {
                client = self.some_client();
            }
        }
        let Some(action) = self.clients[client].act_rashly(&mut self.generator) else {
            return Ok(());
        };
        self.tally.rash += 1;
        if self.clients[client].has_sent_another(&action) {
            self.journal.excuse(action.id.clone());
        }
        self.send(Message::Act { node, client, action })
    }

    /// A client asks for what it has missed, and sends again what was not answered.
    fn speak(&mut self, client: usize) -> Result<(), String> {
        self.say_hello(client)?;
        self.send_pending(client)
    }

    fn say_hello(&mut self, client: usize) -> Result<(), String> {
        let (node, known) = (self.clients[client].node, self.clients[client].known());
        self.send(Message::Hello { node, client, known })
    }

    /// What is to be done may be asked of any node.
    fn send_pending(&mut self, client: usize) -> Result<(), String> {
        let Some(action) = self.clients[client].next_to_send() else { return Ok(()) };
        let node = self.some_node();
        self.send(Message::Act { node, client, action })
    }

    pub(crate) fn send(&mut self, message: Message) -> Result<(), String> {
        let client = message.client().map(|client| &self.clients[client]);
        if client.is_none_or(|client| client.presence == Presence::Connected) {
            self.check_message(&message)?;
            self.flying.push(message);
        } else {
            self.tally.lost += 1;
        }
        Ok(())
    }

    /// A node waits no longer for an answer of the journal.
    fn stop_waiting(&mut self) -> Result<(), String> {
        let node = self.some_node();
        self.tell(|| format!("node {node} waits no longer"));
        self.tally.unanswered += 1;
        let now = self.clock(node);
        let effects = self.nodes[node].gave_up_waiting(now)?;
        self.perform(node, effects)
    }

    fn pass_time(&mut self) -> Result<(), String> {
        let node = self.some_node();
        let now = self.clock(node);
        let effects = self.nodes[node].go_on(now)?;
        self.perform(node, effects)
    }

    fn return_who_must(&mut self) -> Result<(), String> {
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

    /// A client connects to any node, and sends what was not answered.
    pub(crate) fn connect(&mut self, client: usize) -> Result<(), String> {
        let node = self.some_node();
        self.tell(|| format!("client {client} connects to node {node}"));
        self.clients[client].connect(node);
        self.speak(client)
    }

    /// Any message arrives: none keeps its place.
    fn deliver(&mut self) -> Result<(), String> {
        if self.flying.is_empty() {
            return Ok(());
        }
        let place = self.below(self.flying.len());
        let message = self.flying.swap_remove(place);
        self.tell(|| format!("{message:?}"));
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
                // It may be that nothing is missing but the node itself is behind.
                if self.clients[client].be_welcomed(&welcome)? {
                    self.say_hello(client)?;
                }
                self.check_client(client)
            }
            Message::Entries { client, seat, entries } => {
                if self.clients[client].receive(&entries, seat)? {
                    self.say_hello(client)?;
                }
                self.check_client(client)
            }
            Message::ActionVerdict { client, id, verdict } => {
                if self.journal.is_reused(&id) || !self.clients[client].listens() {
                    return Ok(());
                }
                if self.clients[client].hear(&id, &verdict)? {
                    self.say_hello(client)?;
                }
                self.check_verdict(&id, &verdict)?;
                self.send_pending(client)?;
                self.check_client(client)
            }
            Message::Announcement { node } => {
                let effects = self.nodes[node].hear_news();
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
                Effect::Tell(news) if news.is_empty() => {}
                Effect::Tell(news) => self.tell_news(node, &news)?,
            }
        }
        self.check_node(node)
    }

    fn tell_news(&mut self, node: usize, news: &[Announcement]) -> Result<(), String> {
        for client in 0..self.clients.len() {
            if self.clients[client].node == node {
                let (seat, told) = self.nodes[node].told(news, self.clients[client].token);
                for entries in told {
                    self.send(Message::Entries { client, seat, entries })?;
                }
            }
        }
        Ok(())
    }
}
