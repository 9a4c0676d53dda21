//! Everything there is, and what goes wrong with it.

use game::Generator;
use table::{Secret, Verdict, own_entries};

use crate::client::{Client, Presence, is_same};
use crate::journal::Journal;
use crate::message::{Answer, Ask, Message};
use crate::node::{Effect, Node};
use crate::sabotage::Sabotage;
use crate::scenario::{Games, Scenario};
use crate::tally::Tally;

/// A table, who serves it, who sits at it, and what is on its way between them.
pub(crate) struct World<'a> {
    generator: Generator,
    journal: Journal,
    secret: Secret,
    nodes: Vec<Node>,
    /// How far the clock of each node goes ahead.
    skews: Vec<u64>,
    clients: Vec<Client>,
    flying: Vec<Message>,
    /// How often things go wrong, in eighths.
    severity: u64,
    step: u32,
    now: u64,
    tally: Tally,
    told: &'a mut dyn FnMut(&dyn Fn() -> String),
}

/// How long things go wrong, and how long they may take to settle afterwards.
const ROUGH: u32 = 1_200;
const LONG: u32 = 6_000;
const CALM: u32 = 5_000;

/// How many messages are on their way at most before none is repeated.
const CROWD: usize = 100;

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
        let start =
            |_| Node::start(journal.state().clone(), journal.entries(), secret.clone(), sabotage);
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
            severity,
            step,
            now,
            tally,
            told,
        }
    }

    /// Lets things go wrong for a while, then lets them settle, and checks what was promised.
    pub(crate) fn run(mut self) -> Result<Tally, String> {
        let steps = if self.generator.below(10) == 0 { LONG } else { ROUGH };
        for step in 0..steps {
            self.step = step;
            self.now += self.generator.below(20);
            self.return_who_must();
            self.step_roughly()?;
        }
        (self.told)(&|| "from here on nothing goes wrong".to_owned());
        for client in 0..self.clients.len() {
            self.connect(client);
        }
        for _ in 0..CALM {
            if self.flying.is_empty() && self.is_settled()? {
                break;
            }
            self.step_calmly()?;
        }
        self.check()
    }

    fn tell(&mut self, what: impl Fn() -> String) {
        let step = self.step;
        (self.told)(&|| format!("{step}: {}", what()));
    }

    fn below(&mut self, bound: usize) -> usize {
        let chosen = self.generator.below(bound as u64);
        usize::try_from(chosen).expect("it is below the bound")
    }

    fn some_node(&mut self) -> usize {
        self.below(self.nodes.len())
    }

    fn some_client(&mut self) -> usize {
        self.below(self.clients.len())
    }

    fn clock(&self, node: usize) -> u64 {
        self.now + self.skews[node]
    }

    fn step_roughly(&mut self) -> Result<(), String> {
        match self.generator.below(32) {
            0..3 => return self.let_somebody_act(),
            3 => {
                let client = self.some_client();
                self.speak(client);
            }
            4 => return self.pass_time(),
            5 if self.is_bad_luck() => return self.stop_waiting(),
            6 if self.is_bad_luck() => self.lose(),
            7 if self.is_bad_luck() => self.repeat(),
            8 if self.is_bad_luck() => return self.break_something(),
            _ => return self.deliver(),
        }
        Ok(())
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
                self.speak(client);
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
        self.send_pending(client);
        self.check_client(client)
    }

    /// A client asks for what it has missed, and sends again what was not answered.
    fn speak(&mut self, client: usize) {
        self.say_hello(client);
        self.send_pending(client);
    }

    fn say_hello(&mut self, client: usize) {
        let (node, from) = (self.clients[client].node, self.clients[client].last_known());
        self.send(Message::Hello { node, client, from });
    }

    /// What is to be done may be asked of any node.
    fn send_pending(&mut self, client: usize) {
        if matches!(self.clients[client].presence, Presence::Gone(_)) {
            return;
        }
        if let Some(action) = self.clients[client].next_to_send() {
            let node = self.some_node();
            self.send(Message::Act { node, client, action });
        }
    }

    fn send(&mut self, message: Message) {
        let client = message.client().map(|client| &self.clients[client]);
        if client.is_none_or(|client| client.presence == Presence::Connected) {
            self.flying.push(message);
        } else {
            self.tally.lost += 1;
        }
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

    fn lose(&mut self) {
        if !self.flying.is_empty() {
            let place = self.below(self.flying.len());
            let lost = self.flying.swap_remove(place);
            self.tell(|| format!("lost: {lost:?}"));
            self.tally.lost += 1;
        }
    }

    fn repeat(&mut self) {
        if !self.flying.is_empty() && self.flying.len() < CROWD {
            let place = self.below(self.flying.len());
            let again = self.flying[place].clone();
            self.tell(|| format!("twice: {again:?}"));
            self.flying.push(again);
            self.tally.repeated += 1;
        }
    }

    /// A node crashes, a link is cut, or a client goes away.
    fn break_something(&mut self) -> Result<(), String> {
        let (client, node) = (self.some_client(), self.some_node());
        let longest = if self.generator.below(8) == 0 { 3_000 } else { 100 };
        let until = self.step + 1 + u32::try_from(self.below(longest)).expect("it is small");
        match self.generator.below(4) {
            0 => self.silence(client, Presence::Cut(until)),
            1 => self.silence(client, Presence::Gone(until)),
            _ => {
                self.tell(|| format!("node {node} crashes"));
                self.tally.crashed += 1;
                self.nodes[node].start_again(self.journal.state().clone(), self.journal.entries());
            }
        }
        self.check_node(node)
    }

    fn silence(&mut self, client: usize, presence: Presence) {
        if self.clients[client].presence != Presence::Connected {
            return;
        }
        self.tell(|| format!("client {client}: {presence:?}"));
        self.clients[client].presence = presence;
        let before = self.flying.len();
        self.flying.retain(|message| message.client() != Some(client));
        self.tally.lost += (before - self.flying.len()) as u64;
        match presence {
            Presence::Gone(_) => {
                self.tally.gone += 1;
                if self.generator.below(2) == 0 {
                    self.clients[client].start_over();
                }
            }
            _ => self.tally.cut += 1,
        }
    }

    fn return_who_must(&mut self) {
        for client in 0..self.clients.len() {
            match self.clients[client].presence {
                Presence::Cut(until) | Presence::Gone(until) if until <= self.step => {
                    self.connect(client);
                }
                _ => {}
            }
        }
    }

    /// A client connects to any node, and sends what was not answered.
    fn connect(&mut self, client: usize) {
        let node = self.some_node();
        self.tell(|| format!("client {client} connects to node {node}"));
        self.clients[client].presence = Presence::Connected;
        self.clients[client].node = node;
        self.speak(client);
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
            Message::Hello { node, client, from } => {
                let token = self.clients[client].token;
                let entries = self.nodes[node].after(from, token);
                let seat = self.nodes[node].seat_of(token);
                self.send(Message::Welcome { client, seat, entries });
                Ok(())
            }
            Message::Welcome { client, seat, entries } => {
                // It may be that nothing is missing but the node itself is behind.
                self.clients[client].receive(&entries, seat).map(drop)?;
                self.check_client(client)
            }
            Message::Entries { client, entries } => {
                if self.clients[client].receive(&entries, None)? {
                    self.say_hello(client);
                }
                self.check_client(client)
            }
            Message::Verdict { client, id, verdict } => {
                if self.clients[client].hear(&id, &verdict)? {
                    self.say_hello(client);
                }
                self.check_verdict(&id, &verdict)?;
                self.send_pending(client);
                self.check_client(client)
            }
            Message::News { node } => {
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
        self.send(Message::Answer { node, number, answer });
        if self.journal.entries().len() > before {
            for other in (0..self.nodes.len()).filter(|other| *other != node) {
                self.send(Message::News { node: other });
            }
        }
        Ok(())
    }

    fn perform(&mut self, node: usize, effects: Vec<Effect>) -> Result<(), String> {
        for effect in effects {
            match effect {
                Effect::Ask { number, ask } => self.send(Message::Ask { node, number, ask }),
                Effect::Answer { client, id, verdict } => {
                    self.send(Message::Verdict { client, id, verdict });
                }
                Effect::Broadcast(entries) if entries.is_empty() => {}
                Effect::Broadcast(entries) => {
                    for client in 0..self.clients.len() {
                        if self.clients[client].node == node {
                            let token = self.clients[client].token;
                            let entries = self.nodes[node].shown(&entries, token);
                            self.send(Message::Entries { client, entries });
                        }
                    }
                }
            }
        }
        self.check_node(node)
    }

    /// Whether everything that was sent is answered, everybody knows everything, and the table has
    /// nothing to do by itself.
    fn is_settled(&self) -> Result<bool, String> {
        let last = self.journal.state().version();
        let now = (0..self.nodes.len()).map(|node| self.clock(node)).max().unwrap_or(self.now);
        let own = own_entries(self.journal.state(), &self.secret, now);
        let own = own.map_err(|error| error.to_string())?;
        let knows_all =
            |client: &Client| client.is_settled() && client.replica.confirmed().version() == last;
        Ok(own.is_empty() && self.clients.iter().all(knows_all))
    }

    fn check_node(&self, node: usize) -> Result<(), String> {
        let state = &self.nodes[node].state;
        match self.journal.state_at(state.version()) {
            Some(truth) if is_same(state, truth) => Ok(()),
            _ => Err(format!("node {node} is not where the log is")),
        }
    }

    /// A replica is where the log is at its version, and shows its own actions on top of that.
    fn check_client(&self, client: usize) -> Result<(), String> {
        let replica = &self.clients[client].replica;
        let version = replica.confirmed().version();
        match self.journal.state_at(version) {
            Some(truth) if is_same(replica.confirmed(), truth) => {}
            Some(_) => return Err(format!("replica {client} differs at version {version}")),
            None => return Err(format!("replica {client} knows version {version} too early")),
        }
        let shown = self.clients[client].check_shown();
        shown.map_err(|broken| format!("replica {client}: {broken}"))
    }

    /// A verdict is true when it is heard: for a refusal that is for ever.
    fn check_verdict(&self, id: &table::ActionId, verdict: &Verdict) -> Result<(), String> {
        let place = self.journal.place(id);
        let is_true = match verdict {
            Verdict::Committed(version) => place == Some(*version),
            Verdict::Refused(_) => place.is_none(),
            Verdict::NotYet(_) => true,
        };
        if is_true {
            return Ok(());
        }
        Err(format!("{id} is at {place:?}, but its client heard {verdict:?}"))
    }

    fn check(mut self) -> Result<Tally, String> {
        if !self.is_settled()? {
            return Err("it does not settle".to_owned());
        }
        for client in 0..self.clients.len() {
            self.check_client(client)?;
            let shown = self.clients[client].replica.provisional();
            let viewer = self.clients[client].viewer();
            if shown.view(viewer) != self.journal.state().view(viewer) {
                return Err(format!("replica {client} looks otherwise than the log"));
            }
            for (id, verdict) in self.clients[client].verdicts()? {
                self.check_verdict(id, verdict)?;
                self.tally.acknowledged += u64::from(matches!(verdict, Verdict::Committed(_)));
                self.tally.refused += u64::from(matches!(verdict, Verdict::Refused(_)));
            }
            self.tally.rolled_back += self.clients[client].rolled_back;
        }
        let entries = self.journal.entries();
        self.tally.entries += entries.len() as u64;
        let is_own = |entry: &&table::Entry| entry.action.is_none() && entry.version > 1;
        self.tally.own += entries.iter().filter(is_own).count() as u64;
        Ok(self.tally)
    }
}
