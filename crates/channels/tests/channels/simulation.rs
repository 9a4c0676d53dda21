//! Both ends over a link that is cut and restored at random. Every push is answered or times out
//! exactly once, and in the end the client has joined every channel that it wants.

use std::collections::{BTreeMap, VecDeque};

use channels::{
    Client, ClientChannel, ClientEffect, ClientSettings, Frame, FrameLimits, JoinAnswer, Json,
    PushNumber, ReplyStatus, Server, ServerEffect, ServerSettings,
};
use proptest::prelude::*;

use crate::wire::{has_joined_with, label};

/// A step of the simulation.
#[derive(Clone, Copy, Debug)]
enum Step {
    Join(u8),
    Leave(u8),
    Push(u8),
    ToServer,
    ToClient,
    /// The next frame to the server is lost.
    DropToServer,
    /// The next frame to the client is lost.
    DropToClient,
    Fail(u8),
    Cut,
    Wait(u16),
}

/// Steps over TCP, where frames are lost only together with the link.
fn steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => (0_u8..3).prop_map(Step::Join),
        1 => (0_u8..3).prop_map(Step::Leave),
        6 => (0_u8..3).prop_map(Step::Push),
        12 => Just(Step::ToServer),
        12 => Just(Step::ToClient),
        1 => (0_u8..3).prop_map(Step::Fail),
        1 => Just(Step::Cut),
        4 => (1_u16..12_000).prop_map(Step::Wait),
    ]
}

/// The same steps, and single lost frames.
fn lossy_steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        16 => steps(),
        1 => Just(Step::DropToServer),
        1 => Just(Step::DropToClient),
    ]
}

struct World {
    now: u64,
    client: Client,
    server: Option<Server>,
    to_server: VecDeque<String>,
    to_client: VecDeque<String>,
    wanted: BTreeMap<u8, ClientChannel>,
    served: BTreeMap<String, channels::ServerChannel>,
    is_connecting: bool,
    outcomes: BTreeMap<PushNumber, u32>,
    answered: u32,
}

impl World {
    fn new() -> Self {
        let mut world = Self {
            now: 0,
            client: Client::new(ClientSettings::default()),
            server: None,
            to_server: VecDeque::new(),
            to_client: VecDeque::new(),
            wanted: BTreeMap::new(),
            served: BTreeMap::new(),
            is_connecting: false,
            outcomes: BTreeMap::new(),
            answered: 0,
        };
        let effects = world.client.connect();
        world.follow(effects);
        world
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Join(topic) => self.join(topic),
            Step::Leave(topic) => self.leave(topic),
            Step::Push(topic) => self.push(topic),
            Step::ToServer => self.deliver_to_server(),
            Step::ToClient => self.deliver_to_client(),
            Step::DropToServer => drop(self.to_server.pop_front()),
            Step::DropToClient => drop(self.to_client.pop_front()),
            Step::Fail(topic) => self.fail(topic),
            Step::Cut => self.cut(),
            Step::Wait(milliseconds) => self.wait(u64::from(milliseconds)),
        }
    }

    fn join(&mut self, topic: u8) {
        let name = label(&format!("t:{topic}"));
        let joined = self.client.join(name, Json::empty(), self.now);
        let (channel, effects) = joined.expect("the client is below its limit of channels");
        self.wanted.insert(topic, channel);
        self.follow(effects);
    }

    fn leave(&mut self, topic: u8) {
        let Some(channel) = self.wanted.remove(&topic) else { return };
        let effects = self.client.leave(channel, self.now).expect("the channel is open");
        self.follow(effects);
    }

    fn push(&mut self, topic: u8) {
        let Some(channel) = self.wanted.get(&topic) else { return };
        let pushed = self.client.push(*channel, label("move"), Json::empty(), self.now);
        let (number, effects) = pushed.expect("the client is below its limit of pushes");
        self.outcomes.insert(number, 0);
        self.follow(effects);
    }

    fn fail(&mut self, topic: u8) {
        let channel = self.served.remove(&format!("t:{topic}"));
        let (Some(server), Some(channel)) = (&mut self.server, channel) else { return };
        let effects = server.fail(channel).expect("the server reported every closed channel");
        self.serve(effects);
    }

    fn deliver_to_server(&mut self) {
        let (Some(server), Some(message)) = (&mut self.server, self.to_server.pop_front()) else {
            return;
        };
        let frame = Frame::decode(&message, &FrameLimits::default());
        let effects = server.receive(frame.expect("our client writes frames"), self.now);
        self.serve(effects);
    }

    fn deliver_to_client(&mut self) {
        let Some(message) = self.to_client.pop_front() else { return };
        let frame = Frame::decode(&message, &FrameLimits::default());
        let effects = self.client.receive(frame.expect("our server writes frames"), self.now);
        self.follow(effects);
    }

    fn cut(&mut self) {
        self.is_connecting = false;
        self.hang_up();
        let effects = self.client.lost(self.now);
        self.follow(effects);
    }

    fn hang_up(&mut self) {
        if let Some(mut server) = self.server.take() {
            self.serve(server.disconnected());
        }
        assert!(self.served.is_empty(), "every channel ends with its connection");
        self.to_server.clear();
        self.to_client.clear();
    }

    /// Advances the time, and stops at every deadline.
    fn wait(&mut self, milliseconds: u64) {
        let end = self.now + milliseconds;
        loop {
            let server = self.server.as_ref().and_then(Server::deadline);
            let next = [self.client.deadline(), server].into_iter().flatten().min();
            self.now = next.map_or(end, |next| next.max(self.now)).min(end);
            self.tick();
            if self.now == end {
                return;
            }
        }
    }

    fn tick(&mut self) {
        let effects = self.client.tick(self.now);
        self.follow(effects);
        if let Some(server) = &mut self.server {
            let effects = server.tick(self.now);
            self.serve(effects);
        }
        if std::mem::take(&mut self.is_connecting) {
            self.server = Some(Server::new(ServerSettings::default(), self.now));
            let effects = self.client.opened(self.now);
            self.follow(effects);
        }
    }

    fn follow(&mut self, effects: Vec<ClientEffect>) {
        for effect in effects {
            match effect {
                ClientEffect::Connect => self.is_connecting = true,
                ClientEffect::Disconnect => self.hang_up(),
                ClientEffect::Send(frame) => {
                    let message = frame.encode();
                    self.to_server.push_back(message);
                }
                ClientEffect::Closed { channel } => self.wanted.retain(|_, it| *it != channel),
                ClientEffect::Replied { push, .. } => {
                    self.answered += 1;
                    self.settle(push);
                }
                ClientEffect::TimedOut { push } => self.settle(push),
                _ => {}
            }
        }
    }

    fn settle(&mut self, push: PushNumber) {
        *self.outcomes.get_mut(&push).expect("the push was made") += 1;
    }

    /// The application accepts every join and answers every push.
    fn serve(&mut self, effects: Vec<ServerEffect>) {
        for effect in effects {
            let more = match effect {
                ServerEffect::Send(frame) => {
                    let message = frame.encode();
                    self.to_client.push_back(message);
                    Vec::new()
                }
                ServerEffect::Join { channel, topic, .. } => {
                    self.served.insert(topic.to_string(), channel);
                    let server = self.server.as_mut().expect("a join was received");
                    let answer = JoinAnswer::Welcome(Json::empty());
                    server.answer(channel, answer).expect("the channel is open")
                }
                ServerEffect::Push { reply_to, .. } => {
                    let server = self.server.as_mut().expect("a push was received");
                    let reply_to = reply_to.expect("our client numbers its frames");
                    server
                        .reply(reply_to, ReplyStatus::Ok, Json::empty())
                        .expect("the channel is joined")
                }
                ServerEffect::Left { channel, topic, .. } => {
                    let served = self.served.remove(topic.as_str());
                    assert_eq!(served, Some(channel), "a channel that ends was joined");
                    Vec::new()
                }
                ServerEffect::Disconnect => {
                    self.server = None;
                    self.to_server.clear();
                    self.to_client.clear();
                    let effects = self.client.lost(self.now);
                    self.follow(effects);
                    Vec::new()
                }
            };
            self.serve(more);
        }
    }

    /// Delivers everything for two minutes, in which every timeout ends.
    fn settle_down(&mut self) {
        for _ in 0..1_200 {
            while !self.to_server.is_empty() || !self.to_client.is_empty() {
                self.deliver_to_server();
                self.deliver_to_client();
            }
            self.wait(100);
        }
    }
}

fn run(steps: &[Step]) -> World {
    let mut world = World::new();
    for step in steps {
        world.step(*step);
    }
    world.settle_down();
    world
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn pushes_are_settled_once_and_channels_joined_again(
        steps in prop::collection::vec(steps(), 0..120)
    ) {
        let world = run(&steps);
        prop_assert!(world.outcomes.values().all(|count| *count == 1), "{:?}", world.outcomes);
        let wanted: Vec<_> = world.wanted.keys().map(|topic| format!("t:{topic}")).collect();
        let served: Vec<_> = world.served.keys().cloned().collect();
        prop_assert_eq!(&wanted, &served);
        for channel in world.wanted.values() {
            prop_assert!(world.client.has_joined(*channel));
        }
        for (topic, channel) in &world.wanted {
            let server = world.server.as_ref().expect("everybody is connected in the end");
            let join_ref = world.client.join_ref(*channel).expect("the client has joined");
            let has_joined = has_joined_with(server, &format!("t:{topic}"), join_ref.as_str());
            prop_assert!(has_joined);
        }
    }

    #[test]
    fn pushes_are_settled_once_even_if_frames_are_lost(
        steps in prop::collection::vec(lossy_steps(), 0..120)
    ) {
        let world = run(&steps);
        prop_assert!(world.outcomes.values().all(|count| *count == 1), "{:?}", world.outcomes);
    }
}

#[test]
fn without_cuts_every_push_is_answered() {
    let mut steps = vec![Step::Wait(1), Step::Join(0)];
    steps.extend([Step::Push(0), Step::ToServer, Step::ToClient].repeat(50));
    let world = run(&steps);
    assert_eq!((world.outcomes.len(), world.answered), (50, 50));
}

#[test]
fn a_push_in_flight_when_the_connection_is_cut_times_out() {
    let steps = [Step::Wait(1), Step::Join(0), Step::ToServer, Step::ToClient, Step::Push(0)];
    let answered = |cut: &[Step]| run(&[&steps, cut].concat()).answered;
    assert_eq!(answered(&[]), 1);
    assert_eq!(answered(&[Step::Cut]), 0);
    assert_eq!(answered(&[Step::ToServer, Step::Cut]), 0);
    assert_eq!(answered(&[Step::ToServer, Step::ToClient, Step::Cut]), 1);
}
