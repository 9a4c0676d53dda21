//! A table on a server, through connections that come and go.

mod known;

use channels::{
    Client, ClientChannel, ClientEffect, ClientSettings, Encoded, Frame, Json, Label, Limits,
    Payload, PresenceList, PushNumber, Sender, Status,
};
use game::{Refusal, Seat};
use table::wire::{Accepted, Emote, Emoted, FromClient, Hello, LONGEST, Resync};
use table::{Action, ActionId, Entry, RolledBack, Token};

use self::known::{Entries, Known, Welcome};
use super::{Deed, Seen, Told};

/// A table on a server.
///
/// It takes what a socket hears, times on a clock that does not go back, and the person's wishes;
/// it gives what is to be done with the socket. Call [`Remote::tick`] at [`Remote::deadline`].
#[derive(Debug)]
pub struct Remote {
    client: Client,
    channel: ClientChannel,
    token: Option<Token>,
    /// What the actions of this page are called: no other page has this name, not even that of the
    /// same person in another tab.
    name: String,
    actions: u64,
    table: Option<Known>,
    presence: PresenceList,
    connected: Vec<Seat>,
    /// Own actions of an earlier page that were not answered.
    restored: Vec<Action>,
    /// What was sent and not answered, each with what its answer will be about.
    pushes: Vec<(PushNumber, Asked)>,
    /// The action that was sent and not answered on this connection.
    underway: Option<ActionId>,
    /// When an action that was put off is sent again.
    again: Option<u64>,
    trouble: Option<Trouble>,
    told: Vec<Told>,
    /// Whether somebody was told that the server puts the action off that is to be sent.
    is_put_off: bool,
    /// What the clock of the server said when it was last asked.
    time: Option<u64>,
}

/// What an answer will be about.
#[derive(Debug)]
enum Asked {
    Action(ActionId),
    Resync,
}

/// What must be done with the socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Open one, then say [`Remote::opened`] or [`Remote::lost`].
    Connect,
    /// Close it.
    Disconnect,
    /// Send this.
    Send(String),
}

/// Why a table cannot be shown, in this page or at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// There is none.
    NoTable,
    /// The server does not let anybody in now; it is tried again.
    Closed(Refusal),
    /// The server is newer than this page, or older.
    OtherProtocol,
    /// This page does not know the game, or cannot show what hides something.
    UnknownGame(String),
    /// What the server said cannot be.
    Nonsense,
}

/// The codes of answers that decide nothing: the same is sent again later.
const UNDECIDED: [&str; 5] = ["early", "busy", "unavailable", "too_many", "set_aside"];

/// How often a page shows that it is there, in milliseconds: others are told that somebody is away
/// when three heartbeats are missing.
pub const HEARTBEAT: u64 = 5_000;

/// How long an action that was put off waits.
const PATIENCE: u64 = 400;

impl Remote {
    /// A person comes to a table, with the token that holds a seat or without one, and with the
    /// actions of an earlier page that were not answered. `name` is what this page's actions are
    /// called.
    #[must_use]
    pub fn new(
        id: &str,
        token: Option<Token>,
        name: &str,
        restored: Vec<Action>,
        now: u64,
    ) -> (Self, Vec<Effect>) {
        let settings = ClientSettings {
            heartbeat: Some(HEARTBEAT),
            timeout: 6_000,
            ..ClientSettings::default()
        };
        let mut client = Client::new(settings);
        let topic = Label::new(&format!("table:{id}"))
            .unwrap_or_else(|_long| Label::new("table:").expect("it is short"));
        let joined = client.join(topic, hello(token.as_ref(), None), now);
        let (channel, _) = joined.expect("there is room for one channel");
        let mut remote = Self {
            client,
            channel,
            token,
            name: name.to_owned(),
            actions: 0,
            table: None,
            presence: PresenceList::default(),
            connected: Vec::new(),
            restored,
            pushes: Vec::new(),
            underway: None,
            again: None,
            trouble: None,
            told: Vec::new(),
            is_put_off: false,
            time: None,
        };
        let effects = remote.client.connect();
        let effects = remote.perform(effects, now);
        (remote, effects)
    }

    /// What is known of the table; nothing before the server has said something.
    #[must_use]
    pub fn seen(&self) -> Option<Seen<'_>> {
        let table = self.table.as_ref()?;
        Some(Seen {
            shown: table.replica.provisional(),
            confirmed: table.replica.confirmed(),
            own: &table.own,
            underway: table.underway.as_deref(),
            reasons: &table.reasons,
            connected: Some(&self.connected),
            is_connected: self.client.has_joined(self.channel),
        })
    }

    /// Why it cannot be shown, if it cannot.
    #[must_use]
    pub const fn trouble(&self) -> Option<&Trouble> {
        self.trouble.as_ref()
    }

    /// The own actions that nobody has answered, to be kept until then.
    #[must_use]
    pub fn unanswered(&self) -> Vec<Action> {
        let replica = self.table.as_ref().map(|table| table.replica.pending());
        let pending = replica.into_iter().flatten().map(|pending| pending.action.clone());
        self.restored.iter().cloned().chain(pending).collect()
    }

    /// What the clock of the server has just said, once.
    pub const fn take_time(&mut self) -> Option<u64> {
        self.time.take()
    }

    /// What the person should be told, once.
    pub fn take_told(&mut self) -> Vec<Told> {
        std::mem::take(&mut self.told)
    }

    /// Does something, as soon as the server can be heard.
    ///
    /// # Errors
    /// If that is refused on the table as it is shown; nothing has changed then.
    pub fn act(&mut self, deed: Deed, now: u64) -> Result<Vec<Effect>, Refusal> {
        let Some(body) = self.seen().map(|seen| seen.body(deed)) else { return Ok(Vec::new()) };
        self.actions += 1;
        let id = ActionId::new(&self.name, self.actions).expect("pages have short names");
        let table = self.table.as_mut().expect("it was seen");
        match table.replica.submit(Action { id, body }) {
            Ok(()) => Ok(self.go_on(now)),
            Err(table::NotSent::Refused(refusal)) => Err(refusal),
            Err(other) => {
                Err(game::Reason::new(game::Code::new("not_sent"), other.to_string()).into())
            }
        }
    }

    /// Says something to the others.
    pub fn emote(&mut self, emote: Emote, now: u64) -> Vec<Effect> {
        self.push(&FromClient::Emote(Emoted { emote, seat: None }), None, now)
    }

    /// Learns that a socket is open.
    pub fn opened(&mut self, now: u64) -> Vec<Effect> {
        let effects = self.client.opened(now);
        self.perform(effects, now)
    }

    /// Learns that the socket is gone.
    pub fn lost(&mut self, now: u64) -> Vec<Effect> {
        let effects = self.client.lost(now);
        self.perform(effects, now)
    }

    /// Takes in what a socket has heard.
    pub fn heard(&mut self, text: &str, now: u64) -> Vec<Effect> {
        let Ok(frame) = Frame::decode_text(text, &Limits::FROM_SERVER) else {
            self.trouble = Some(Trouble::Nonsense);
            return Vec::new();
        };
        let effects = self.client.receive(frame, now);
        self.perform(effects, now)
    }

    /// Tries again at once: the person looks at the page, or the network is back.
    pub fn hurry(&mut self, now: u64) -> Vec<Effect> {
        let effects = self.client.hurry();
        self.perform(effects, now)
    }

    /// Does what is due.
    pub fn tick(&mut self, now: u64) -> Vec<Effect> {
        let effects = self.client.tick(now);
        let mut effects = self.perform(effects, now);
        if self.again.is_some_and(|again| again <= now) {
            self.again = None;
            effects.extend(self.go_on(now));
        }
        effects
    }

    /// When something will be due.
    #[must_use]
    pub fn deadline(&self) -> Option<u64> {
        self.client.deadline().into_iter().chain(self.again).min()
    }

    /// Leaves for good.
    pub fn close(&mut self, now: u64) -> Vec<Effect> {
        let effects = self.client.disconnect();
        self.perform(effects, now)
    }

    fn perform(&mut self, effects: Vec<ClientEffect>, now: u64) -> Vec<Effect> {
        let mut done = Vec::new();
        for effect in effects {
            done.extend(self.perform_one(effect, now));
        }
        done
    }

    fn perform_one(&mut self, effect: ClientEffect, now: u64) -> Vec<Effect> {
        match effect {
            ClientEffect::Connect => vec![Effect::Connect],
            ClientEffect::Disconnect => vec![Effect::Disconnect],
            ClientEffect::Send(frame) => match frame.encode(Sender::Client) {
                Ok(Encoded::Text(text)) => vec![Effect::Send(text)],
                Ok(Encoded::Binary(_)) | Err(_) => unreachable!("our payloads are JSON"),
            },
            ClientEffect::Joined { response, .. } => {
                self.underway = None;
                self.trouble = None;
                self.read(&response, |remote, welcome: Welcome| remote.welcome(&welcome, now))
            }
            ClientEffect::Refused { response, .. } if is_unmatched(&response) => {
                self.trouble = Some(Trouble::NoTable);
                self.close(now)
            }
            ClientEffect::Refused { response, .. } => {
                self.read(&response, |remote, refusal: Refusal| remote.not_let_in(refusal, now))
            }
            ClientEffect::Happened { event, payload, .. } => self.happened(&event, &payload, now),
            ClientEffect::Replied { push, status, response } => {
                let Some(asked) = self.asked(push) else { return Vec::new() };
                self.answered(&asked, status, &response, now)
            }
            ClientEffect::TimedOut { push } => match self.asked(push) {
                Some(Asked::Action(id)) if self.underway.as_ref() == Some(&id) => {
                    self.underway = None;
                    self.go_on(now)
                }
                Some(Asked::Resync) => self.resync(now),
                _ => Vec::new(),
            },
            ClientEffect::Failed { .. } | ClientEffect::JoinTimedOut { .. } => {
                self.underway = None;
                Vec::new()
            }
            ClientEffect::Closed { .. } => Vec::new(),
        }
    }

    /// What a push was about that is answered now, or never.
    fn asked(&mut self, push: PushNumber) -> Option<Asked> {
        let place = self.pushes.iter().position(|(number, _)| *number == push)?;
        Some(self.pushes.swap_remove(place).1)
    }

    /// Reads a payload and goes on with it.
    fn read<T: serde::de::DeserializeOwned>(
        &mut self,
        payload: &Payload,
        go_on: impl FnOnce(&mut Self, T) -> Vec<Effect>,
    ) -> Vec<Effect> {
        let Ok(read) = payload.read() else {
            self.trouble = Some(Trouble::Nonsense);
            return Vec::new();
        };
        go_on(self, read)
    }

    fn not_let_in(&mut self, refusal: Refusal, now: u64) -> Vec<Effect> {
        if refusal.code().as_str() == "bad_token" {
            // As after a backup was restored. Who has no seat can still look on, and sit down again.
            self.token = None;
            self.prepare();
            self.told.push(Told::Happened("You have no seat here.".to_owned()));
            return Vec::new();
        }
        let is_final = matches!(refusal.code().as_str(), "no_table" | "not_found");
        self.trouble = Some(if is_final { Trouble::NoTable } else { Trouble::Closed(refusal) });
        if is_final { self.close(now) } else { Vec::new() }
    }

    fn welcome(&mut self, welcome: &Welcome, now: u64) -> Vec<Effect> {
        self.time = welcome.now;
        match self.start_from(welcome) {
            Ok(()) => {}
            Err(trouble) => {
                self.trouble = Some(trouble);
                return self.close(now);
            }
        }
        let is_behind = self.version().is_some_and(|version| version < welcome.version);
        let mut effects = if is_behind { self.resync(now) } else { Vec::new() };
        for action in std::mem::take(&mut self.restored) {
            let submitted = self.table.as_mut().map(|table| table.replica.submit(action));
            // What was answered before is not sent again, and nobody has to be told.
            if let Some(Err(table::NotSent::Refused(refusal))) = submitted {
                self.told.push(Told::Refused(refusal));
            }
        }
        effects.extend(self.go_on(now));
        effects
    }

    fn start_from(&mut self, welcome: &Welcome) -> Result<(), Trouble> {
        if !welcome.is_understood() {
            return Err(Trouble::OtherProtocol);
        }
        match (&welcome.start, &mut self.table) {
            // Where something is hidden there is no beginning from which a page could go on.
            (None, None) => return Err(welcome.game().err().unwrap_or(Trouble::Nonsense)),
            (None, Some(table)) => {
                table.take_in(&welcome.entries, &mut self.told)?;
                let rolled_back = table.sit(welcome);
                self.tell(rolled_back);
            }
            (Some(start), Some(table)) => {
                let rolled_back = table.start_over(welcome, start)?;
                self.tell(rolled_back);
            }
            (Some(start), None) => self.table = Some(Known::new(welcome, start)?),
        }
        Ok(())
    }

    /// Takes in entries; gives whether some are missing before them.
    fn take_in(&mut self, entries: &[Entry]) -> Result<bool, Trouble> {
        self.table.as_mut().map_or(Ok(false), |table| table.take_in(entries, &mut self.told))
    }

    fn happened(&mut self, event: &Label, payload: &Payload, now: u64) -> Vec<Effect> {
        let Some(text) = json(payload) else { return Vec::new() };
        match event.as_str() {
            "presence_state" | "presence_diff" => {
                self.note_presence(event.as_str(), text);
                Vec::new()
            }
            "entries" => {
                let Ok(Entries { entries }) = serde_json::from_str(text) else { return Vec::new() };
                match self.take_in(&entries) {
                    Ok(true) => self.resync(now),
                    Ok(false) => self.go_on(now),
                    // It is asked for from the beginning.
                    Err(_trouble) => self.resync_from(None, now),
                }
            }
            "emote" => {
                let Ok(Emoted { emote, seat }) = serde_json::from_str(text) else {
                    return Vec::new();
                };
                self.told.extend(seat.map(|seat| Told::Emoted(seat, emote)));
                Vec::new()
            }
            // A newer server may say what this page does not know.
            _unknown => Vec::new(),
        }
    }

    fn note_presence(&mut self, event: &str, text: &str) {
        let Some(join) = self.client.join_ref(self.channel).cloned() else { return };
        if event == "presence_state" {
            if let Ok(state) = serde_json::from_str(text) {
                drop(self.presence.sync_state(&state, &join));
            }
        } else if let Ok(diff) = serde_json::from_str(text) {
            drop(self.presence.sync_diff(diff, &join));
        }
        let seats = self.presence.present().keys().filter_map(|key| key.parse().ok());
        self.connected = seats.filter_map(|number: u8| Seat::new(number)).collect();
    }

    fn answered(
        &mut self,
        asked: &Asked,
        status: Status,
        response: &Payload,
        now: u64,
    ) -> Vec<Effect> {
        match (asked, status) {
            (Asked::Resync, Status::Ok) => {
                self.read(response, |remote, welcome: Welcome| remote.welcome(&welcome, now))
            }
            (Asked::Resync, Status::Error) => Vec::new(),
            (Asked::Action(id), Status::Ok) => self.read(response, |remote, accepted: Accepted| {
                remote.answered_action(id);
                remote.is_put_off = false;
                let rolled_back = remote
                    .table
                    .as_mut()
                    .map(|table| table.replica.committed(id, accepted.version));
                remote.tell(rolled_back.into_iter().flatten());
                remote.go_on(now)
            }),
            (Asked::Action(id), Status::Error) => {
                self.read(response, |remote, refusal: Refusal| {
                    remote.answered_action(id);
                    if UNDECIDED.contains(&refusal.code().as_str()) {
                        remote.again = Some(now + PATIENCE);
                        remote.put_off(&refusal);
                        return Vec::new();
                    }
                    let rolled_back =
                        remote.table.as_mut().map(|table| table.replica.refused(id, &refusal));
                    remote.tell(rolled_back.into_iter().flatten());
                    remote.go_on(now)
                })
            }
        }
    }

    /// The person is told once why an action waits, and not each time that it is tried again.
    fn put_off(&mut self, refusal: &Refusal) {
        // Others pass before anybody has read of them.
        let is_serious = refusal.code().as_str() == "unavailable";
        if is_serious && !std::mem::replace(&mut self.is_put_off, true) {
            let why = format!("{}. It is tried again by itself.", refusal.message());
            self.told.push(Told::Happened(why));
        }
    }

    fn answered_action(&mut self, id: &ActionId) {
        self.underway.take_if(|underway| underway == id);
    }

    fn tell(&mut self, rolled_back: impl IntoIterator<Item = RolledBack>) {
        self.told.extend(rolled_back.into_iter().map(Told::from));
    }

    /// Sends what waits, and prepares for the next join.
    fn go_on(&mut self, now: u64) -> Vec<Effect> {
        let Some(table) = &mut self.table else { return Vec::new() };
        table.note_underway();
        self.prepare();
        if self.underway.is_some() || self.again.is_some() || !self.client.has_joined(self.channel)
        {
            return Vec::new();
        }
        let action = self.table.as_mut().and_then(|table| table.replica.to_send());
        let Some(action) = action else { return Vec::new() };
        self.underway = Some(action.id.clone());
        let id = action.id.clone();
        self.push(&FromClient::Act(action), Some(Asked::Action(id)), now)
    }

    /// Prepares for the next join.
    fn prepare(&mut self) {
        let known = self.table.as_ref();
        let known = known.map(|known| (known.replica.confirmed().version(), known.epoch.clone()));
        let hello = hello(self.token.as_ref(), known);
        self.client.rejoin_with(self.channel, hello).unwrap_or_default();
    }

    fn version(&self) -> Option<u64> {
        self.table.as_ref().map(|table| table.replica.confirmed().version())
    }

    fn resync(&mut self, now: u64) -> Vec<Effect> {
        self.resync_from(self.version(), now)
    }

    fn resync_from(&mut self, from: Option<u64>, now: u64) -> Vec<Effect> {
        let epoch = self.table.as_ref().map(|table| table.epoch.clone());
        self.push(&FromClient::Resync(Resync { from, epoch }), Some(Asked::Resync), now)
    }

    fn push(&mut self, message: &FromClient, asked: Option<Asked>, now: u64) -> Vec<Effect> {
        let event = Label::new(message.event()).expect("it is short");
        let payload = Json::of(message).expect("it holds texts and numbers");
        // The server would refuse what is longer than any message.
        if payload.as_str().len() > LONGEST {
            return Vec::new();
        }
        match self.client.push(self.channel, event, payload.into(), now) {
            Ok((number, effects)) => {
                self.pushes.extend(asked.map(|asked| (number, asked)));
                self.perform(effects, now)
            }
            Err(_ended) => Vec::new(),
        }
    }
}

/// Whether the server knows nothing that could be called like that: a link that was cut off.
fn is_unmatched(response: &Payload) -> bool {
    let reason = response.read::<std::collections::BTreeMap<String, String>>().ok();
    reason.is_some_and(|read| read.get("reason").is_some_and(|why| why == "unmatched topic"))
}

fn hello(token: Option<&Token>, known: Option<(u64, String)>) -> Payload {
    let (from, epoch) = known.unzip();
    let hello = Hello { token: token.cloned(), from, epoch };
    Json::of(&hello).expect("it holds texts and numbers").into()
}

fn json(payload: &Payload) -> Option<&str> {
    match payload {
        Payload::Json(json) => Some(json.as_str()),
        Payload::Binary(_) => None,
    }
}
