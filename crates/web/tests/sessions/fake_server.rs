//! A server in memory with one table, and clients whose connection the test controls.

use std::collections::VecDeque;

use channels::{Frame, FrameBody, FrameLimits, Json, ReplyStatus, ShortText};
use game::{Reason, Refusal, Seat};
use serde::Serialize;
use serde_json::json;
use table::wire::{Accepted, FromClient, Hello, Resync, codes};
use table::{
    Action, Actor, Author, Decision, Entry, EntryBody, FoldEntries, Forfeit, LiveTable, Options,
    PlayerName, TableSecret, TableState, Token, decide,
};
use web::session::{
    Intent, Now, RemoteSession, SessionView, SocketCommand, SocketEvent, TableNotice, TableSession,
    Wake,
};

const JSON: &str = "this is JSON";

/// A server with one table.
pub(crate) struct FakeServer {
    pub(crate) table: LiveTable,
    tokens: [Token; 2],
    /// The answers to the next actions, in place of decisions.
    pub(crate) refusals: VecDeque<Refusal>,
    /// The number of actions that arrived.
    pub(crate) action_count: usize,
}

impl FakeServer {
    /// A table of tic-tac-toe with Ada and Bob.
    pub(crate) fn new() -> Self {
        Self::with(Options::default())
    }

    pub(crate) fn with(options: Options) -> Self {
        Self::of("tic-tac-toe", options)
    }

    pub(crate) fn of(name: &str, options: Options) -> Self {
        let game = games::catalog::game(name).expect("the game is in the catalog");
        Self::of_game(name, game, options)
    }

    /// A table with rules that the page does not know.
    pub(crate) fn of_text(name: &str, text: &str, options: Options) -> Self {
        let built = notation::Document::read(text).build(&[]).expect("the text has no mistakes");
        let game = built.any_game_called(name, 1 << 16).expect("the text is a game");
        Self::of_game(name, game, options)
    }

    fn of_game(name: &str, game: game::AnyGame, options: Options) -> Self {
        let secret = TableSecret::new([7; 32]);
        let commitment = secret.commitment();
        let people: Vec<Seat> = [Seat::FIRST, Seat::SECOND]
            .into_iter()
            .filter(|seat| options.computers.get(seat.index()).is_none_or(Option::is_none))
            .collect();
        let created = EntryBody::Created { game: name.to_owned(), rules: 1, options, commitment };
        let first = Entry::new(1, 1, Author::Table, created);
        let state = TableState::begin(game, &first).expect("the first entry creates a table");
        let tokens = [Token::new([1; 16]), Token::new([2; 16])];
        let table = LiveTable::new(state, secret, "first".to_owned());
        let mut server = Self { table, tokens, refusals: VecDeque::new(), action_count: 0 };
        for (seat, name) in people.into_iter().zip(["Ada", "Bob"]) {
            let name = PlayerName::new(name).expect("the name is short");
            let token = Some(server.tokens[seat.index()].digest());
            server.append(Author::Seat(seat), None, EntryBody::Joined { seat, name, token });
        }
        server.drop_announcements();
        server
    }

    fn append(&mut self, author: Author, action: Option<table::ActionId>, body: EntryBody) {
        let version = self.version() + 1;
        let entry = Entry { action, ..Entry::new(version, version, author, body) };
        self.table.fold_all(&[entry]).expect("the entry follows the log");
    }

    /// Decides an action and returns its version in the log.
    pub(crate) fn act(&mut self, seat: Option<Seat>, action: &Action) -> Result<u64, Refusal> {
        self.action_count += 1;
        if let Some(refusal) = self.refusals.pop_front() {
            return Err(refusal);
        }
        let actor = seat.map_or(Actor::Stranger, Actor::Seat);
        match decide(self.table.state(), action, actor)? {
            Decision::Known(version) => Ok(version),
            Decision::Append(bodies) => {
                let version = self.version() + 1;
                for body in bodies {
                    self.append(Author::from(seat), Some(action.id.clone()), body);
                }
                Ok(version)
            }
        }
    }

    /// Makes a move for the seat in turn.
    pub(crate) fn play(&mut self, chosen: &str) {
        let state = self.table.state();
        let seat = state.turn().iter().next().expect("a seat is in turn");
        let (round, ply) = (state.round(), state.ply());
        let chosen = chosen.parse().expect("every text is a move");
        let body = EntryBody::Played { seat, round, ply, chosen, explanation: None };
        self.append(Author::Seat(seat), None, body);
    }

    /// A player starts the next round.
    pub(crate) fn go_to_next_round(&mut self, seat: Seat) {
        let round = self.table.state().round();
        self.append(Author::Seat(seat), None, EntryBody::NextRound { round });
    }

    /// A player runs out of time.
    pub(crate) fn time_out(&mut self, seat: Seat) {
        let (round, why) = (self.table.state().round(), Forfeit::OutOfTime);
        self.append(Author::Table, None, EntryBody::Forfeited { seat, round, why });
    }

    /// Lets the computer move.
    pub(crate) fn go_on(&mut self) {
        let entries = self.table.automatic_entries(self.version()).expect("the computer can play");
        self.table.fold_all(&entries).expect("automatic entries follow");
    }

    /// Loses its log and continues with these moves, as after a backup was restored.
    pub(crate) fn restore(&mut self, moves: &[&str]) {
        let mut earlier = Self::new();
        for chosen in moves {
            earlier.play(chosen);
        }
        let start = earlier.table.start().expect("a round has begun");
        let game = earlier.table.state().game().clone();
        let state = TableState::restore(game, &start).expect("an earlier state can be restored");
        self.table = LiveTable::new(state, TableSecret::new([7; 32]), "second".to_owned());
        for chosen in moves {
            self.play(chosen);
        }
        self.drop_announcements();
    }

    pub(crate) fn version(&self) -> u64 {
        self.table.state().version()
    }

    /// Broadcasts what has happened to a client.
    pub(crate) fn broadcast(&mut self, client: &mut TestClient) {
        self.broadcast_to(&mut [client]);
    }

    /// Broadcasts what has happened to several clients.
    pub(crate) fn broadcast_to(&mut self, clients: &mut [&mut TestClient]) {
        for announcement in self.table.take_announcements() {
            for client in &mut *clients {
                let entries = announcement.message_for(self.table.state(), client.seat);
                client.receive_event("entries", &entries.write());
            }
        }
    }

    /// Loses what it should have broadcast.
    pub(crate) fn drop_announcements(&mut self) {
        drop(self.table.take_announcements());
    }
}

/// A client at the table, with a socket that the test controls.
pub(crate) struct TestClient {
    pub(crate) session: RemoteSession,
    pub(crate) time: u64,
    /// The socket commands that were not run yet.
    commands: VecDeque<SocketCommand>,
    pub(crate) is_open: bool,
    join_ref: Option<ShortText>,
    seat: Option<Seat>,
    /// Whether the server has forgotten the client's token.
    is_forgotten: bool,
}

impl TestClient {
    /// A client that has joined, with the token of a seat or without one.
    pub(crate) fn connect(server: &mut FakeServer, seat: Option<Seat>) -> Self {
        let mut client = Self::unconnected(server, seat, Vec::new());
        client.open(server);
        client
    }

    /// A client whose socket is not open yet.
    pub(crate) fn unconnected(
        server: &FakeServer,
        seat: Option<Seat>,
        unanswered: Vec<Action>,
    ) -> Self {
        let token = seat.map(|seat| server.tokens[seat.index()].clone());
        let name = seat.map_or("eve", |seat| ["ada", "bob"][seat.index()]);
        let (session, commands) =
            RemoteSession::new("abc", token, name, unanswered, Now::default());
        Self {
            session,
            time: 0,
            commands: commands.into(),
            is_open: false,
            join_ref: None,
            seat,
            is_forgotten: false,
        }
    }

    fn now(&self) -> Now {
        Now { since_1970: self.time, monotonic: self.time }
    }

    fn report(&mut self, event: SocketEvent) {
        let commands = self.session.receive(event, self.now());
        self.commands.extend(commands);
    }

    /// Opens the socket and runs everything that follows.
    pub(crate) fn open(&mut self, server: &mut FakeServer) {
        assert!(self.commands.contains(&SocketCommand::Open), "the session wants no connection");
        self.commands.retain(|command| *command != SocketCommand::Open);
        self.is_open = true;
        self.report(SocketEvent::Opened);
        self.settle(server);
    }

    /// Opens the socket; the server answers the join with this reply.
    pub(crate) fn open_with(&mut self, server: &mut FakeServer, reply: &serde_json::Value) {
        self.is_open = true;
        self.commands.clear();
        for command in self.session.receive(SocketEvent::Opened, self.now()) {
            let SocketCommand::Send(text) = command else { continue };
            let frame = Frame::decode(&text, &FrameLimits::DEFAULT).expect(JSON);
            self.reply(&frame, ReplyStatus::Ok, reply);
        }
        self.settle(server);
    }

    /// The server forgets the client's token, as after a backup was restored.
    pub(crate) fn lose_seat(&mut self) {
        (self.seat, self.is_forgotten) = (None, true);
    }

    /// Closes the socket and loses all frames in transit.
    pub(crate) fn disconnect(&mut self) {
        self.is_open = false;
        self.commands.clear();
        self.report(SocketEvent::Closed);
    }

    /// Waits until the session wants a connection again, and opens it.
    pub(crate) fn reconnect(&mut self, server: &mut FakeServer) {
        while !self.commands.contains(&SocketCommand::Open) {
            self.tick();
        }
        self.open(server);
    }

    /// Waits until the session has something to do, and runs everything that follows.
    pub(crate) fn wait(&mut self, server: &mut FakeServer) {
        self.tick();
        self.settle(server);
    }

    /// Lets time pass.
    pub(crate) fn wait_for(&mut self, milliseconds: u64, server: &mut FakeServer) {
        let end = self.time + milliseconds;
        while matches!(self.session.wake(), Some(Wake::At(time)) if time <= end) {
            self.wait(server);
        }
    }

    fn tick(&mut self) {
        let Some(Wake::At(time)) = self.session.wake() else {
            unreachable!("it waits for nothing")
        };
        self.time = time;
        let commands = self.session.tick(self.now());
        self.commands.extend(commands);
    }

    pub(crate) fn act(&mut self, intent: Intent) -> Result<(), Refusal> {
        let commands = self.session.act(intent, self.now())?;
        self.commands.extend(commands);
        Ok(())
    }

    pub(crate) fn play(&mut self, chosen: &str) -> Result<(), Refusal> {
        self.act(Intent::play(chosen))
    }

    /// Lets the server answer until no frame is in transit.
    pub(crate) fn settle(&mut self, server: &mut FakeServer) {
        while let Some(command) = self.commands.pop_front() {
            match command {
                SocketCommand::Send(text) if self.is_open => self.serve(server, &text),
                SocketCommand::Send(_) => {}
                SocketCommand::Close => self.is_open = false,
                SocketCommand::Open => {
                    self.commands.push_back(SocketCommand::Open);
                    return;
                }
            }
        }
    }

    fn serve(&mut self, server: &mut FakeServer, text: &str) {
        let frame = Frame::decode(text, &FrameLimits::DEFAULT).expect(JSON);
        let FrameBody::Event { event, payload } = &frame.body else { unreachable!("{text}") };
        match event.as_str() {
            "heartbeat" => self.reply(&frame, ReplyStatus::Ok, &json!({})),
            "phx_leave" => {}
            "phx_join" => {
                self.join_ref.clone_from(&frame.join_ref);
                let hello = Hello::read(payload.as_str()).expect(JSON);
                if self.is_forgotten && hello.token.is_some() {
                    let reason = Reason::new(codes::BAD_TOKEN, "It holds no seat".to_owned());
                    self.reply(&frame, ReplyStatus::Error, &Refusal::from(reason));
                    return;
                }
                let known = Resync { from: hello.from, epoch: hello.epoch };
                let welcome = server.table.welcome(self.seat, &known);
                self.reply(&frame, ReplyStatus::Ok, &welcome);
            }
            other => match FromClient::read(other, payload.as_str()).expect(JSON) {
                FromClient::Act(action) => match server.act(self.seat, &action) {
                    Ok(version) => {
                        server.broadcast(self);
                        self.reply(&frame, ReplyStatus::Ok, &Accepted { version });
                    }
                    Err(refusal) => self.reply(&frame, ReplyStatus::Error, &refusal),
                },
                FromClient::Resync(known) => {
                    let welcome = server.table.welcome(self.seat, &known);
                    self.reply(&frame, ReplyStatus::Ok, &welcome);
                }
                FromClient::Emote(_) => {}
            },
        }
    }

    fn reply(&mut self, to: &Frame, status: ReplyStatus, response: &impl Serialize) {
        let response = Json::of(response).expect(JSON);
        self.receive_frame(&Frame {
            join_ref: to.join_ref.clone(),
            reference: to.reference.clone(),
            topic: to.topic.clone(),
            body: FrameBody::Reply { status, response },
        });
    }

    /// Receives an event of the table.
    pub(crate) fn receive_event(&mut self, event: &str, payload: &str) {
        let payload = Json::parse(payload, &FrameLimits::FROM_SERVER).expect(JSON);
        let body =
            FrameBody::Event { event: ShortText::new(event).expect("the event is short"), payload };
        let topic = ShortText::new("table:abc").expect("the topic is short");
        self.receive_frame(&Frame {
            join_ref: self.join_ref.clone(),
            reference: None,
            topic,
            body,
        });
    }

    fn receive_frame(&mut self, frame: &Frame) {
        let text = frame.encode();
        self.receive_text(&text);
    }

    pub(crate) fn receive_text(&mut self, text: &str) {
        if self.is_open {
            self.report(SocketEvent::Received(text.to_owned()));
        }
    }

    pub(crate) fn view(&self) -> SessionView<'_> {
        self.session.view().expect("the table is known")
    }

    /// The position as it is shown.
    pub(crate) fn board(&self) -> String {
        let state = self.view().shown;
        game::Game::text(state.game(), state.position())
    }

    /// The action that waits for an answer, in words.
    pub(crate) fn pending(&self) -> Option<String> {
        self.view().pending.map(web::texts::action)
    }

    /// The notices since the last call, in words.
    pub(crate) fn notices(&mut self) -> Vec<String> {
        let notices = self.session.take_notices().into_iter();
        notices
            .map(|notice| match notice {
                TableNotice::Refused(refusal) => format!("refused: {refusal}"),
                TableNotice::News(news) => news,
                TableNotice::Emote(seat, emote) => format!("{}: {emote:?}", seat.number()),
            })
            .collect()
    }
}
