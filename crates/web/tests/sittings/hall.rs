//! A server in the memory of a test: one table, and a wire that the test holds in its hands.

use std::collections::VecDeque;

use channels::{Encoded, Frame, FrameBody, Json, Label, Limits, Sender, Status};
use game::{Code, Reason, Refusal, Seat};
use serde::Serialize;
use serde_json::json;
use table::wire::{Accepted, FromClient, Hello};
use table::{
    Action, Actor, Author, Decision, Entry, EntryBody, Follow, LiveTable, Options, PlayerName,
    State, TableSecret, Token, decide,
};
use web::sitting::{Deed, Effect, Remote, Seen, Told};

/// A table on a server.
pub(crate) struct Hall {
    pub(crate) live: LiveTable,
    tokens: [Token; 2],
    /// What the server says to the next actions instead of deciding them.
    pub(crate) refusals: VecDeque<Refusal>,
    /// How many actions came in, decided or not.
    pub(crate) asked: usize,
}

/// Somebody at the table, with a wire to it.
pub(crate) struct Guest {
    pub(crate) remote: Remote,
    pub(crate) now: u64,
    /// What the socket should do next.
    effects: VecDeque<Effect>,
    pub(crate) is_open: bool,
    join_ref: Option<Label>,
    seat: Option<Seat>,
    /// Whether the server does not know the token that it once gave.
    is_unknown: bool,
}

const NEVER: &str = "this is JSON";

impl Hall {
    /// A table of tic-tac-toe at which Ada and Bob sit.
    pub(crate) fn new() -> Self {
        Self::with(Options::default())
    }

    pub(crate) fn with(options: Options) -> Self {
        Self::of("tic-tac-toe", options)
    }

    pub(crate) fn of(name: &str, options: Options) -> Self {
        let game = games::catalog::game(name).expect("it is in the catalog");
        let secret = TableSecret::new([7; 32]);
        let commitment = secret.commitment();
        let people: Vec<Seat> = [Seat::FIRST, Seat::SECOND]
            .into_iter()
            .filter(|seat| options.computers.get(seat.index()).is_none_or(Option::is_none))
            .collect();
        let created = EntryBody::Created { game: name.to_owned(), rules: 1, options, commitment };
        let state = State::begin(game, &Entry::new(1, 1, Author::Table, created))
            .expect("a table can begin");
        let tokens = [Token::new([1; 16]), Token::new([2; 16])];
        let live = LiveTable::new(state, secret, "first".to_owned());
        let mut hall = Self { live, tokens, refusals: VecDeque::new(), asked: 0 };
        for (seat, name) in people.into_iter().zip(["Ada", "Bob"]) {
            let name = PlayerName::new(name).expect("it is short");
            let token = Some(hall.tokens[seat.index()].digest());
            hall.write(Author::Seat(seat), None, EntryBody::Joined { seat, name, token });
        }
        drop(hall.live.take_news());
        hall
    }

    fn write(&mut self, who: Author, action: Option<table::ActionId>, body: EntryBody) {
        let version = self.live.state().version() + 1;
        let entry = Entry { action, ..Entry::new(version, version, who, body) };
        self.live.follow(&[entry]).expect("it follows");
    }

    /// Decides an action; gives where it is in the log.
    pub(crate) fn act(&mut self, seat: Option<Seat>, action: &Action) -> Result<u64, Refusal> {
        self.asked += 1;
        if let Some(refusal) = self.refusals.pop_front() {
            return Err(refusal);
        }
        let by = seat.map_or(Actor::Stranger, Actor::Seat);
        match decide(self.live.state(), action, by)? {
            Decision::Known(version) => Ok(version),
            Decision::Append(bodies) => {
                let version = self.live.state().version() + 1;
                for body in bodies {
                    self.write(Author::from(seat), Some(action.id.clone()), body);
                }
                Ok(version)
            }
        }
    }

    /// Somebody else moves: the seat that is in turn.
    pub(crate) fn play(&mut self, chosen: &str) {
        let state = self.live.state();
        let seat = state.turn().iter().next().expect("somebody is in turn");
        let (round, ply) = (state.round(), state.ply());
        let body = EntryBody::Played {
            seat,
            round,
            ply,
            chosen: chosen.parse().expect("every text is one"),
            explanation: None,
        };
        self.write(Author::Seat(seat), None, body);
    }

    /// Loses its last entries, as after a backup was restored.
    pub(crate) fn restore(&mut self, moves: &[&str]) {
        let mut earlier = Self::new();
        for chosen in moves {
            earlier.play(chosen);
        }
        let state = earlier.live.state().clone();
        let start = earlier.live.start().expect("a round has begun");
        self.live = LiveTable::new(
            State::restore(state.game().clone(), &start).expect("it was one before"),
            TableSecret::new([7; 32]),
            "second".to_owned(),
        );
        for chosen in moves {
            self.play(chosen);
        }
        drop(self.live.take_news());
    }

    pub(crate) fn version(&self) -> u64 {
        self.live.state().version()
    }

    /// Tells a guest what has happened and was not told.
    pub(crate) fn tell(&mut self, guest: &mut Guest) {
        for news in self.live.take_news() {
            let entries = news.to(self.live.state(), guest.seat);
            guest.hear_event("entries", &entries.write());
        }
    }
}

impl Guest {
    /// Somebody comes, with the token of a seat or without, and is let in.
    pub(crate) fn arrive(hall: &mut Hall, seat: Option<Seat>) -> Self {
        let mut guest = Self::outside(hall, seat, Vec::new());
        guest.open(hall);
        guest
    }

    /// Somebody comes, and the socket is not open yet.
    pub(crate) fn outside(hall: &Hall, seat: Option<Seat>, unanswered: Vec<Action>) -> Self {
        let token = seat.map(|seat| hall.tokens[seat.index()].clone());
        let name = seat.map_or("eve", |seat| ["ada", "bob"][seat.index()]);
        let (remote, effects) = Remote::new("abc", token, name, unanswered, 0);
        let effects = effects.into();
        Self { remote, now: 0, effects, is_open: false, join_ref: None, seat, is_unknown: false }
    }

    /// The socket is opened, and everything that follows from that happens.
    pub(crate) fn open(&mut self, hall: &mut Hall) {
        assert!(self.effects.contains(&Effect::Connect), "nobody wants a connection");
        self.effects.retain(|effect| *effect != Effect::Connect);
        self.is_open = true;
        let effects = self.remote.opened(self.now);
        self.effects.extend(effects);
        self.settle(hall);
    }

    /// The socket is opened, and the server answers the join with something of its own.
    pub(crate) fn open_with(&mut self, hall: &mut Hall, welcome: &serde_json::Value) {
        self.effects.retain(|effect| *effect != Effect::Connect);
        self.is_open = true;
        for effect in self.remote.opened(self.now) {
            let Effect::Send(text) = effect else { continue };
            let frame = Frame::decode_text(&text, &Limits::DEFAULT).expect(NEVER);
            self.reply(&frame, Status::Ok, welcome);
        }
        self.settle(hall);
    }

    /// The server forgets that the token holds a seat, as after a backup was restored.
    pub(crate) fn lose_seat(&mut self) {
        (self.seat, self.is_unknown) = (None, true);
    }

    /// The socket is gone, with everything that was on its way.
    pub(crate) fn cut(&mut self) {
        self.is_open = false;
        self.effects.clear();
        let effects = self.remote.lost(self.now);
        self.effects.extend(effects);
    }

    /// Time passes until a connection is wanted again, and it is opened.
    pub(crate) fn come_back(&mut self, hall: &mut Hall) {
        while !self.effects.contains(&Effect::Connect) {
            self.now = self.remote.deadline().expect("it tries again");
            let effects = self.remote.tick(self.now);
            self.effects.extend(effects);
        }
        self.open(hall);
    }

    /// Time passes until something is due.
    pub(crate) fn wait(&mut self, hall: &mut Hall) {
        self.now = self.remote.deadline().expect("something is due");
        let effects = self.remote.tick(self.now);
        self.effects.extend(effects);
        self.settle(hall);
    }

    pub(crate) fn act(&mut self, deed: Deed) -> Result<(), Refusal> {
        let effects = self.remote.act(deed, self.now)?;
        self.effects.extend(effects);
        Ok(())
    }

    pub(crate) fn play(&mut self, chosen: &str) -> Result<(), Refusal> {
        self.act(Deed::play(chosen))
    }

    /// The server takes in what was sent and answers, until nothing is on its way.
    pub(crate) fn settle(&mut self, hall: &mut Hall) {
        while let Some(effect) = self.effects.pop_front() {
            match effect {
                Effect::Send(text) if self.is_open => self.serve(hall, &text),
                Effect::Send(_) => {}
                Effect::Disconnect => self.is_open = false,
                Effect::Connect => {
                    self.effects.push_back(Effect::Connect);
                    return;
                }
            }
        }
    }

    fn serve(&mut self, hall: &mut Hall, text: &str) {
        let frame = Frame::decode_text(text, &Limits::DEFAULT).expect(NEVER);
        let FrameBody::Event { event, payload } = &frame.body else { unreachable!("{text}") };
        let channels::Payload::Json(payload) = payload else { unreachable!("{text}") };
        match event.as_str() {
            "heartbeat" => self.reply(&frame, Status::Ok, &json!({})),
            "phx_leave" => {}
            "phx_join" => {
                self.join_ref.clone_from(&frame.join_ref);
                let hello = Hello::read(payload.as_str()).expect(NEVER);
                if self.is_unknown && hello.token.is_some() {
                    let why = Reason::new(Code::new("bad_token"), "It holds no seat".to_owned());
                    self.reply(&frame, Status::Error, &Refusal::from(why));
                    return;
                }
                let known = table::wire::Resync { from: hello.from, epoch: hello.epoch };
                let welcome = hall.live.welcome(self.seat, &known);
                self.reply(&frame, Status::Ok, &welcome);
            }
            other => match FromClient::read(other, payload.as_str()).expect(NEVER) {
                FromClient::Act(action) => match hall.act(self.seat, &action) {
                    Ok(version) => {
                        hall.tell(self);
                        self.reply(&frame, Status::Ok, &Accepted { version });
                    }
                    Err(refusal) => self.reply(&frame, Status::Error, &refusal),
                },
                FromClient::Resync(known) => {
                    let welcome = hall.live.welcome(self.seat, &known);
                    self.reply(&frame, Status::Ok, &welcome);
                }
                FromClient::Emote(_) => {}
            },
        }
    }

    fn reply(&mut self, to: &Frame, status: Status, response: &impl Serialize) {
        let response = Json::of(response).expect(NEVER).into();
        let body = FrameBody::Reply { status, response };
        self.hear(&Frame {
            join_ref: to.join_ref.clone(),
            reference: to.reference.clone(),
            topic: to.topic.clone(),
            body,
        });
    }

    /// Hears an event of the table.
    pub(crate) fn hear_event(&mut self, event: &str, payload: &str) {
        let payload = Json::parse(payload, &Limits::FROM_SERVER).expect(NEVER).into();
        let body = FrameBody::Event { event: Label::new(event).expect("it is short"), payload };
        let topic = Label::new("table:abc").expect("it is short");
        self.hear(&Frame { join_ref: self.join_ref.clone(), reference: None, topic, body });
    }

    fn hear(&mut self, frame: &Frame) {
        if !self.is_open {
            return;
        }
        let Ok(Encoded::Text(text)) = frame.encode(Sender::Server) else { unreachable!("{NEVER}") };
        let effects = self.remote.heard(&text, self.now);
        self.effects.extend(effects);
    }

    pub(crate) fn seen(&self) -> Seen<'_> {
        self.remote.seen().expect("the table is known")
    }

    /// The position as it is shown.
    pub(crate) fn board(&self) -> String {
        let state = self.seen().shown;
        game::Game::text(state.game(), state.position())
    }

    /// The sentences that the person is told.
    pub(crate) fn told(&mut self) -> Vec<String> {
        let told = self.remote.take_told().into_iter();
        told.map(|told| match told {
            Told::Refused(refusal) => format!("refused: {refusal}"),
            Told::Happened(news) => news,
            Told::Emoted(seat, emote) => format!("{}: {emote:?}", seat.number()),
        })
        .collect()
    }
}
