//! Two nodes, two replicas, one journal, and unreliable links.

use std::convert::Infallible;
use std::fmt;

use checker::Model;
use game::{AnyGame, Seat};
use table::{Action, ActionVerdict, AttemptStep, Entry, Replica, TableState};

use crate::client::Client;
use crate::node::{Answer, Node};
use crate::pool::{Memory, Pool, PoolKey};

/// A deliberate mistake that the checker must find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sabotage {
    Nothing,
    AcknowledgeBeforeAppending,
    SkipDeduplication,
    IgnoreConflict,
    KeepRefusedAction,
}

/// The model. A message between a client and a node may arrive at any time, in any order, any
/// number of times, or never: loss, repetition, delay and reordering are unbounded. The same holds
/// between nodes and the journal, except that an answer is never older than its request. Nodes may
/// crash at any time. Only the actions of clients are bounded.
pub(crate) struct TableModel {
    game: AnyGame,
    beginning: Vec<Entry>,
    /// The actions that each client submits, in order.
    pub(crate) wanted: [Vec<Action>; 2],
    sabotage: Sabotage,
    journals: Pool<Log>,
    nodes: Pool<Node>,
    clients: Pool<Client>,
    legal: Memory<bool>,
    client_memory: Memory<u32>,
    node_memory: Memory<(u32, Option<SentVerdict>)>,
}

/// A log.
pub(crate) struct Log(pub(crate) Vec<Entry>);

impl PoolKey for Log {
    fn key(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// A state of the model. Numbers stand for values, and equal values have equal numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct World {
    journal: u32,
    nodes: [u32; 2],
    clients: [u32; 2],
    /// The actions that were sent.
    sent: Vec<usize>,
    /// The verdicts that nodes have sent.
    pub(crate) sent_verdicts: Vec<(usize, SentVerdict)>,
    /// Appends that no node waits for and that may still reach the journal.
    late: Vec<u32>,
}

/// A verdict without its reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum SentVerdict {
    Committed(u64),
    Refused,
}

/// One step. Nodes and clients are numbered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Submit { client: usize, action: String },
    Send { client: usize, action: String },
    Deliver { node: usize, action: String },
    Append { node: usize },
    AppendLate { action: String },
    LearnCommitted { node: usize },
    ReadEntries { node: usize, entries: usize },
    FindAction { node: usize, version: Option<u64> },
    TimeOut { node: usize },
    Crash { node: usize },
    ReceiveEntries { client: usize, version: u64 },
    ReceiveVerdict { client: usize, action: String, sent_verdict: SentVerdict },
}

impl Step {
    /// Whether the step is a fault, on which progress must not depend.
    pub(crate) const fn is_fault(&self) -> bool {
        matches!(self, Self::AppendLate { .. } | Self::TimeOut { .. } | Self::Crash { .. })
    }
}

/// The numbers of the inputs of a node or a client.
const RECEIVE: u32 = 0;
const COMMITTED: u32 = 1;
const TAIL: u32 = 2;
const FOUND: u32 = 3;
const LOST: u32 = 4;
const CRASH: u32 = 5;
const SUBMIT: u32 = 6;
const SEND: u32 = 7;
const ENTRIES: u32 = 8;
const VERDICT: u32 = 9;

type Show<'a> = &'a mut dyn FnMut(&Step, World);

impl TableModel {
    pub(crate) fn new(
        game: AnyGame,
        beginning: Vec<Entry>,
        wanted: [Vec<Action>; 2],
        sabotage: Sabotage,
    ) -> Self {
        let (journals, nodes, clients) = (Pool::new(), Pool::new(), Pool::new());
        let (legal, client_memory, node_memory) = (Memory::new(), Memory::new(), Memory::new());
        Self {
            game,
            beginning,
            wanted,
            sabotage,
            journals,
            nodes,
            clients,
            legal,
            client_memory,
            node_memory,
        }
    }

    /// All actions, by number.
    pub(crate) fn actions(&self) -> impl Iterator<Item = &Action> {
        self.wanted.iter().flatten()
    }

    fn action(&self, number: usize) -> &Action {
        self.actions().nth(number).expect("the action is in the list")
    }

    fn name(&self, number: usize) -> String {
        self.action(number).id.to_string()
    }

    fn number_of(&self, action: &Action) -> usize {
        self.actions().position(|each| each.id == action.id).expect("the action is in the list")
    }

    pub(crate) fn journal(&self, world: &World) -> std::sync::Arc<Log> {
        self.journals.value(world.journal)
    }

    pub(crate) fn client(&self, world: &World, client: usize) -> std::sync::Arc<Client> {
        self.clients.value(world.clients[client])
    }

    pub(crate) fn node(&self, world: &World, node: usize) -> std::sync::Arc<Node> {
        self.nodes.value(world.nodes[node])
    }

    pub(crate) fn is_legal(&self, world: &World) -> bool {
        self.legal.of([world.journal, 0, 0, 0], || {
            TableState::after(self.game.clone(), &self.journal(world).0).is_ok()
        })
    }

    /// Whether every action is answered, and every node and client knows the whole log.
    pub(crate) fn is_settled(&self, world: &World) -> bool {
        let journal = self.journal(world);
        (0..2).all(|number| {
            let client = self.client(world, number);
            client.tried == self.wanted[number].len()
                && client.replica.pending().len() == 0
                && client.log == journal.0
                && self.node(world, number).work.is_none()
        })
    }

    /// The world after an input to a node. The input determines the result.
    fn after_node(
        &self,
        world: &World,
        number: usize,
        (kind, first, second): (u32, u32, usize),
        happen: impl FnOnce(&mut Node) -> Option<ActionVerdict>,
    ) -> World {
        let before = self.node(world, number);
        let numbers = [world.nodes[number], kind, first, small(second)];
        let (node, sent_verdict) = self.node_memory.of(numbers, || {
            let mut node = (*before).clone();
            let sent_verdict = happen(&mut node).as_ref().and_then(SentVerdict::of);
            (self.nodes.number(node), sent_verdict)
        });
        let mut next = world.clone();
        next.nodes[number] = node;
        let after = self.nodes.value(node);
        // An action is done when its verdict is sent.
        let action = before.work.as_ref().map(|work| work.action);
        let received = usize::try_from(first).ok().filter(|_| kind == RECEIVE);
        let action = action.or(received);
        if let (Some(action), Some(sent_verdict)) = (action, sent_verdict) {
            send_verdict(&mut next, action, sent_verdict);
        }
        if let Some(work) = &after.work
            && let AttemptStep::Append { after, .. } = &work.progress
            && self.sabotage == Sabotage::AcknowledgeBeforeAppending
        {
            send_verdict(&mut next, work.action, SentVerdict::Committed(after + 1));
        }
        next
    }

    /// The world after an input to a client. The input determines the result.
    fn after_client(
        &self,
        world: &World,
        number: usize,
        (kind, first, second): (u32, u32, usize),
        happen: impl FnOnce(&mut Client),
    ) -> World {
        let numbers = [world.clients[number], kind, first, small(second)];
        let client = self.client_memory.of(numbers, || {
            let mut client = (*self.client(world, number)).clone();
            happen(&mut client);
            self.clients.number(client)
        });
        let mut next = world.clone();
        next.clients[number] = client;
        next
    }

    fn client_steps(&self, world: &World, number: usize, show: Show<'_>) {
        let client = self.client(world, number);
        if let Some(action) = self.wanted[number].get(client.tried) {
            let input = (SUBMIT, 0, number);
            let next =
                self.after_client(world, number, input, |client| client.submit(action.clone()));
            show(&Step::Submit { client: number, action: action.id.to_string() }, next);
        }
        if let Some(pending) = client.replica.pending().next() {
            let place = self.number_of(&pending.action);
            if !world.sent.contains(&place) {
                let input = (SEND, 0, 0);
                let mut next = self.after_client(world, number, input, |client| {
                    client.replica.to_send().expect("an action is pending");
                });
                next.sent.push(place);
                next.sent.sort_unstable();
                show(&Step::Send { client: number, action: self.name(place) }, next);
            }
        }
        self.receiving_steps(world, number, &client, show);
    }

    fn receiving_steps(&self, world: &World, number: usize, client: &Client, show: Show<'_>) {
        let longest = (0..2).max_by_key(|node| self.node(world, *node).log.len());
        let longest = longest.expect("the list is not empty");
        let node = self.node(world, longest);
        let known = client.log.len();
        for end in known + 1..=node.log.len() {
            let input = (ENTRIES, world.nodes[longest], end);
            let next = self.after_client(world, number, input, |client| {
                client.receive(&node.log[known..end]);
            });
            show(&Step::ReceiveEntries { client: number, version: end as u64 }, next);
        }
        for (place, sent_verdict) in &world.sent_verdicts {
            let id = &self.action(*place).id;
            let is_own = self.wanted[number].iter().any(|each| each.id == *id);
            if is_own && !client.verdicts.iter().any(|(known, _)| known == id) {
                let input = (VERDICT, sent_verdict.number(), *place);
                let next = self.after_client(world, number, input, |client| {
                    client.receive_verdict(id, &sent_verdict.verdict(), self.sabotage);
                });
                let action = id.to_string();
                show(
                    &Step::ReceiveVerdict { client: number, action, sent_verdict: *sent_verdict },
                    next,
                );
            }
        }
    }

    fn node_steps(&self, world: &World, number: usize, show: Show<'_>) {
        let node = self.node(world, number);
        let journal = self.journal(world);
        let length = journal.0.len();
        if node.work.is_some() {
            self.answer_steps(world, number, &node, show);
        } else {
            for place in &world.sent {
                let input = (RECEIVE, small(*place), length);
                let next = self.after_node(world, number, input, |node| {
                    node.receive(*place, self.action(*place).clone(), length)
                });
                show(&Step::Deliver { node: number, action: self.name(*place) }, next);
            }
        }
        let left = self.abandoned(world, &node);
        let crashed = self.after_node(&left, number, (CRASH, world.journal, 0), |node| {
            *node = Node::start(&self.game, &journal.0, self.sabotage);
            None
        });
        if crashed != *world {
            show(&Step::Crash { node: number }, crashed);
        }
    }

    fn answer_steps(&self, world: &World, number: usize, node: &Node, show: Show<'_>) {
        let Some(work) = &node.work else { return };
        let journal = self.journal(world);
        let length = journal.0.len();
        let answered = |input: (u32, u32, usize), answer: Answer| {
            self.after_node(world, number, input, |node| {
                node.receive_answer(answer, length, self.sabotage)
            })
        };
        match &work.progress {
            AttemptStep::Append { after, .. } => {
                if work.is_appended {
                    let next = answered((COMMITTED, 0, length), Answer::Committed);
                    show(&Step::LearnCommitted { node: number }, next);
                }
                let after = usize::try_from(*after).expect("the number fits");
                for end in after + 1..=length {
                    let tail = journal.0[after..end].to_vec();
                    let step = Step::ReadEntries { node: number, entries: tail.len() };
                    let is_ignored = self.sabotage == Sabotage::IgnoreConflict;
                    let answer = if is_ignored { Answer::Committed } else { Answer::Tail(tail) };
                    show(&step, answered((TAIL, world.journal, end), answer));
                }
                self.waiting_steps(world, number, node, show);
            }
            AttemptStep::Read { after } => {
                let after = usize::try_from(*after).expect("the number fits");
                for end in work.asked_at..=length {
                    let tail = journal.0[after..end].to_vec();
                    let step = Step::ReadEntries { node: number, entries: tail.len() };
                    show(&step, answered((TAIL, world.journal, end), Answer::Tail(tail)));
                }
            }
            AttemptStep::Find { id } => {
                for end in work.asked_at..=length {
                    let mut log = journal.0[..end].iter();
                    let found = log.find(|entry| entry.action.as_ref() == Some(id));
                    let version = found.map(|entry| entry.version);
                    let step = Step::FindAction { node: number, version };
                    show(
                        &step,
                        answered((FOUND, world.journal, end), Answer::Found(found.cloned())),
                    );
                }
            }
            AttemptStep::Done(_) => {}
        }
    }

    /// The steps while a node waits for its entries to be appended.
    fn waiting_steps(&self, world: &World, number: usize, node: &Node, show: Show<'_>) {
        if let Some(next) = self.appended(world, number, node) {
            show(&Step::Append { node: number }, next);
        }
        let length = self.journal(world).0.len();
        let left = self.abandoned(world, node);
        let next = self.after_node(&left, number, (LOST, 0, length), |node| {
            node.time_out(length);
            None
        });
        show(&Step::TimeOut { node: number }, next);
    }

    /// The world after the journal has appended the entries of a node; none if there is a conflict.
    fn appended(&self, world: &World, number: usize, node: &Node) -> Option<World> {
        let mut next = node.clone();
        let work = next.work.as_mut().filter(|work| !work.is_appended)?;
        work.is_appended = true;
        let AttemptStep::Append { after, entries } = &work.progress else { return None };
        let mut world = self.with_journal(world, *after, &entries.clone())?;
        world.nodes[number] = self.nodes.number(next);
        Some(world)
    }

    fn with_journal(&self, world: &World, after: u64, entries: &[Entry]) -> Option<World> {
        let journal = self.journal(world);
        if journal.0.len() as u64 != after {
            return None;
        }
        let longer = journal.0.iter().chain(entries).cloned().collect();
        let mut next = world.clone();
        next.journal = self.journals.number(Log(longer));
        // The other late appends are in conflict now.
        next.late.clear();
        Some(next)
    }

    /// The world in which the node no longer waits for its request.
    fn abandoned(&self, world: &World, node: &Node) -> World {
        let mut next = world.clone();
        if let Some(work) = &node.work
            && let AttemptStep::Append { after, entries } = &work.progress
            && !work.is_appended
            && self.journal(world).0.len() as u64 == *after
        {
            let late = self.journals.number(Log(entries.clone()));
            if !next.late.contains(&late) {
                next.late.push(late);
                next.late.sort_unstable();
            }
        }
        next
    }

    fn late_steps(&self, world: &World, show: Show<'_>) {
        for late in &world.late {
            let entries = self.journals.value(*late);
            let first = entries.0.first().expect("an append has entries");
            if let Some(next) = self.with_journal(world, first.version - 1, &entries.0) {
                let action = first.action.as_ref().map(ToString::to_string).unwrap_or_default();
                show(&Step::AppendLate { action }, next);
            }
        }
    }
}

fn send_verdict(world: &mut World, action: usize, sent_verdict: SentVerdict) {
    if !world.sent_verdicts.contains(&(action, sent_verdict)) {
        world.sent_verdicts.push((action, sent_verdict));
        world.sent_verdicts.sort_unstable();
    }
}

fn small(number: usize) -> u32 {
    u32::try_from(number).expect("the number fits")
}

impl SentVerdict {
    fn of(verdict: &ActionVerdict) -> Option<Self> {
        match verdict {
            ActionVerdict::Committed(version) => Some(Self::Committed(*version)),
            ActionVerdict::Refused(_) => Some(Self::Refused),
            ActionVerdict::NotYet(_) => None,
        }
    }

    /// A full verdict. A replica does not read its reasons.
    fn verdict(self) -> ActionVerdict {
        match self {
            Self::Committed(version) => ActionVerdict::Committed(version),
            Self::Refused => {
                ActionVerdict::Refused(game::Refusal::new(game::Reason::not_your_turn()))
            }
        }
    }

    fn number(self) -> u32 {
        match self {
            Self::Committed(version) => u32::try_from(version).expect("the number fits"),
            Self::Refused => 0,
        }
    }
}

impl Model for TableModel {
    type State = World;
    type Action = Step;
    type Error = Infallible;

    fn start(&self) -> World {
        let state =
            TableState::after(self.game.clone(), &self.beginning).expect("the log is valid");
        let replica = Replica::new(state, Some(Seat::FIRST));
        let log = self.beginning.clone();
        let client = Client { replica, log: log.clone(), tried: 0, verdicts: Vec::new() };
        let node = Node::start(&self.game, &log, self.sabotage);
        World {
            journal: self.journals.number(Log(log)),
            nodes: [self.nodes.number(node); 2],
            clients: [self.clients.number(client); 2],
            sent: Vec::new(),
            sent_verdicts: Vec::new(),
            late: Vec::new(),
        }
    }

    fn successors(
        &self,
        world: &World,
        show: &mut dyn FnMut(&Step, World),
    ) -> Result<(), Infallible> {
        for number in 0..2 {
            self.client_steps(world, number, show);
        }
        for number in 0..2 {
            self.node_steps(world, number, show);
        }
        self.late_steps(world, show);
        Ok(())
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Submit { client, action } => write!(f, "client {client} submits {action}"),
            Self::Send { client, action } => write!(f, "client {client} sends {action}"),
            Self::Deliver { node, action } => write!(f, "node {node} receives {action}"),
            Self::Append { node } => write!(f, "the journal appends the entries of node {node}"),
            Self::AppendLate { action } => write!(f, "the journal appends {action} late"),
            Self::LearnCommitted { node } => write!(f, "node {node} learns that it is appended"),
            Self::ReadEntries { node, entries: 1 } => write!(f, "node {node} reads one entry"),
            Self::ReadEntries { node, entries } => write!(f, "node {node} reads {entries} entries"),
            Self::FindAction { node, version: Some(version) } => {
                write!(f, "node {node} finds it at {version}")
            }
            Self::FindAction { node, version: None } => {
                write!(f, "node {node} does not find it")
            }
            Self::TimeOut { node } => write!(f, "node {node} times out"),
            Self::Crash { node } => write!(f, "node {node} crashes"),
            Self::ReceiveEntries { client, version } => {
                write!(f, "client {client} receives entries up to {version}")
            }
            Self::ReceiveVerdict { client, action, sent_verdict } => match sent_verdict {
                SentVerdict::Committed(version) => {
                    write!(f, "client {client} learns that {action} is at {version}")
                }
                SentVerdict::Refused => {
                    write!(f, "client {client} learns that {action} is refused")
                }
            },
        }
    }
}
