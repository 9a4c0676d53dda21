//! A table on a server, over connections that come and go.

mod remote_table;
mod shown_by_server;

use ::table::wire::{
    Accepted, Emote, Emoted, Entries, FromClient, FromServer, GameName, Hello, Resync, Welcome,
    codes,
};
use ::table::{Action, ActionBody, ActionId, NotSent, RolledBack, Token};
use channels::{
    Client, ClientChannel, ClientEffect, ClientSettings, Frame, FrameLimits, Json, PresenceList,
    PushNumber, ReplyStatus, ShortText,
};
use game::{Code, Reason, Refusal, Seat};
use serde::de::DeserializeOwned;

use self::remote_table::{Received, RemoteTable};
use self::shown_by_server::{ServerShownTable, is_shown_by_server};
use super::{
    Intent, Now, RoundEnding, SessionError, SessionRecord, SessionView, SocketCommand, SocketEvent,
    TableNotice, TableSession, ViewedTable, Wake,
};
use crate::language::say;
use crate::texts;

/// A session whose table is on a server.
///
/// Own actions appear at once and are sent one at a time, each under an id of its own, so that the
/// server carries none out twice.
#[derive(Debug)]
pub struct RemoteSession {
    table_id: String,
    client: Client,
    channel: ClientChannel,
    token: Option<Token>,
    /// The first half of this page's action ids. No other page has it, not even another tab of the
    /// same person.
    client_id: String,
    action_count: u64,
    table: Option<RemoteTable>,
    /// The table as the server shows it, and the person's seat, if the page cannot follow its log.
    viewed: Option<ServerShownTable>,
    /// The action at such a table that waits for an answer.
    viewed_action: Option<ActionBody>,
    presence: PresenceList,
    connected: Vec<Seat>,
    /// The unanswered actions of the page before a reload.
    restored: Vec<Action>,
    /// The pushes that wait for a reply, and what each was for.
    pushes: Vec<(PushNumber, PushPurpose)>,
    /// The action that was sent on this connection and not answered yet.
    in_flight: Option<ActionId>,
    /// The action that waits for an answer, and when it was sent for the first time.
    awaited: Option<(ActionId, u64)>,
    /// Whether it waits for longer than usual.
    is_delayed: bool,
    /// When to send a postponed action again.
    retry_at: Option<u64>,
    /// Whether the person knows that the action is postponed.
    is_delay_announced: bool,
    error: Option<SessionError>,
    notices: Vec<TableNotice>,
    /// The server's clock minus the clock of this page.
    clock_offset: i64,
    /// How long a player must be without a connection before the round can be claimed, in milliseconds.
    claim_after: Option<u64>,
}

/// What a push was for.
#[derive(Debug)]
enum PushPurpose {
    Act(ActionId),
    Resync,
}

/// The milliseconds between two heartbeats. The server calls a player away after three missing ones.
pub const HEARTBEAT: u64 = 5_000;

/// The milliseconds until a postponed action is sent again.
const RETRY_DELAY: u64 = 400;

/// The milliseconds after which a person is told that an action is not recorded yet.
const USUAL_DELAY: u64 = 2_000;

impl RemoteSession {
    /// Opens a session at a table.
    ///
    /// `token` holds the person's seat, if there is one. `client_id` is the first half of this
    /// page's action ids. `restored` are the unanswered actions of the page before a reload.
    ///
    /// # Panics
    /// Never: a new client has room for one channel.
    #[must_use]
    pub fn new(
        table_id: &str,
        token: Option<Token>,
        client_id: &str,
        restored: Vec<Action>,
        now: Now,
    ) -> (Self, Vec<SocketCommand>) {
        let settings = ClientSettings {
            heartbeat: Some(HEARTBEAT),
            timeout: 6_000,
            ..ClientSettings::default()
        };
        let mut client = Client::new(settings);
        let topic = ShortText::new(&format!("table:{table_id}"))
            .unwrap_or_else(|_too_long| ShortText::new("table:").expect("the topic is short"));
        let joined = client.join(topic, hello(token.as_ref(), None), now.monotonic);
        let (channel, _) = joined.expect("a new client has room for one channel");
        let mut session = Self {
            table_id: table_id.to_owned(),
            client,
            channel,
            token,
            client_id: client_id.to_owned(),
            action_count: 0,
            table: None,
            viewed: None,
            viewed_action: None,
            presence: PresenceList::default(),
            connected: Vec::new(),
            restored,
            pushes: Vec::new(),
            in_flight: None,
            awaited: None,
            is_delayed: false,
            retry_at: None,
            is_delay_announced: false,
            error: None,
            notices: Vec::new(),
            clock_offset: 0,
            claim_after: None,
        };
        let effects = session.client.connect();
        let commands = session.perform_all(effects, now);
        (session, commands)
    }

    /// The own actions that nobody has answered, oldest first.
    #[must_use]
    pub fn unanswered(&self) -> Vec<Action> {
        let replica = self.table.as_ref().map(|table| table.replica.pending());
        let pending = replica.into_iter().flatten().map(|pending| pending.action.clone());
        self.restored.iter().cloned().chain(pending).collect()
    }

    fn perform_all(&mut self, effects: Vec<ClientEffect>, now: Now) -> Vec<SocketCommand> {
        effects.into_iter().flat_map(|effect| self.perform(effect, now)).collect()
    }

    fn perform(&mut self, effect: ClientEffect, now: Now) -> Vec<SocketCommand> {
        match effect {
            ClientEffect::Connect => vec![SocketCommand::Open],
            ClientEffect::Disconnect => vec![SocketCommand::Close],
            ClientEffect::Send(frame) => vec![SocketCommand::Send(frame.encode())],
            ClientEffect::Joined { response, .. } => {
                self.in_flight = None;
                self.error = None;
                self.read_welcome(&response, now)
            }
            ClientEffect::Refused { response, .. } if is_unmatched(&response) => {
                self.fail(SessionError::NoTable, now)
            }
            ClientEffect::Refused { response, .. } => {
                self.read(&response, |session, refusal| session.join_refused(refusal, now))
            }
            ClientEffect::Happened { event, payload, .. } => {
                self.handle_event(event.as_str(), &payload, now)
            }
            ClientEffect::Replied { push, status, response } => match self.take_push(push) {
                Some(purpose) => self.handle_reply(&purpose, status, &response, now),
                None => Vec::new(),
            },
            ClientEffect::TimedOut { push } => match self.take_push(push) {
                Some(PushPurpose::Act(id)) if self.in_flight.as_ref() == Some(&id) => {
                    self.in_flight = None;
                    self.send_next(now)
                }
                Some(PushPurpose::Resync) => self.resync(now),
                _ => Vec::new(),
            },
            ClientEffect::Failed { .. } | ClientEffect::JoinTimedOut { .. } => {
                self.in_flight = None;
                Vec::new()
            }
            ClientEffect::Closed { .. } => Vec::new(),
        }
    }

    /// Stops with an error that no retry would cure.
    fn fail(&mut self, error: SessionError, now: Now) -> Vec<SocketCommand> {
        self.error = Some(error);
        let effects = self.client.disconnect();
        self.perform_all(effects, now)
    }

    fn take_push(&mut self, push: PushNumber) -> Option<PushPurpose> {
        let index = self.pushes.iter().position(|(number, _)| *number == push)?;
        Some(self.pushes.swap_remove(index).1)
    }

    /// Reads a payload and hands it on.
    fn read<T: DeserializeOwned>(
        &mut self,
        payload: &Json,
        handle: impl FnOnce(&mut Self, T) -> Vec<SocketCommand>,
    ) -> Vec<SocketCommand> {
        let Ok(read) = payload.read() else {
            self.error = Some(SessionError::Unreadable);
            return Vec::new();
        };
        handle(self, read)
    }

    fn join_refused(&mut self, refusal: Refusal, now: Now) -> Vec<SocketCommand> {
        if codes::is_missing(refusal.code()) {
            return self.fail(SessionError::NoTable, now);
        }
        if *refusal.code() == codes::BAD_TOKEN {
            // As after a backup was restored: the person can still watch, and take a seat again.
            self.token = None;
            self.prepare_rejoin();
            let offered = |table: &RemoteTable| {
                table.own_seats.iter().any(|seat| table.replica.confirmed().is_offered(*seat))
            };
            let has_moved = self.table.as_ref().is_some_and(offered);
            let news = if has_moved {
                say("Your seat is on another device now. Here you watch.")
            } else {
                say("You have no seat here.")
            };
            self.notices.push(TableNotice::News(news));
        } else {
            self.error = Some(SessionError::Unavailable(refusal));
        }
        Vec::new()
    }

    /// Reads the server's description of the table: as a log to follow, or as the server shows it.
    fn read_welcome(&mut self, response: &Json, now: Now) -> Vec<SocketCommand> {
        if self.table.is_none() && is_shown_by_server(response) {
            return self.read(response, |session, welcome| session.welcome_to_viewed(welcome, now));
        }
        self.read(response, |session, welcome| session.welcome(&welcome, now))
    }

    fn welcome(&mut self, welcome: &Welcome<GameName>, now: Now) -> Vec<SocketCommand> {
        if let Some(server_time) = welcome.now {
            self.clock_offset = server_time.cast_signed() - now.since_1970.cast_signed();
        }
        self.claim_after = welcome.claim_after.or(self.claim_after);
        match RemoteTable::update(&mut self.table, welcome, &mut self.notices, now) {
            Ok(rolled_back) => self.report(rolled_back),
            Err(error) => return self.fail(error, now),
        }
        let is_behind = self.version().is_some_and(|version| version < welcome.version);
        let mut commands = if is_behind { self.resync(now) } else { Vec::new() };
        for action in std::mem::take(&mut self.restored) {
            let submitted = self.table.as_mut().map(|table| table.replica.submit(action));
            // An action that was answered before the reload needs no notice.
            if let Some(Err(NotSent::Refused(refusal))) = submitted {
                self.notices.push(TableNotice::Refused(refusal));
            }
        }
        commands.extend(self.send_next(now));
        commands
    }

    fn handle_event(&mut self, event: &str, json: &Json, now: Now) -> Vec<SocketCommand> {
        if event.starts_with("presence_") {
            self.update_presence(event, json.as_str());
            return Vec::new();
        }
        if event == "entries" && self.viewed.is_some() {
            return self.view_entries(json, now);
        }
        match FromServer::<GameName>::read(event, json.as_str()) {
            Ok(FromServer::Entries(Entries { entries, .. })) => {
                let Some(table) = &mut self.table else { return Vec::new() };
                match table.receive(&entries, &mut self.notices, now) {
                    Ok(Received::Folded) => self.send_next(now),
                    Ok(Received::Gap) => self.resync(now),
                    // The entries contradict what is here: start over.
                    Err(_contradiction) => self.resync_from(None, now),
                }
            }
            Ok(FromServer::Emote(Emoted { emote, seat })) => {
                self.notices.extend(seat.map(|seat| TableNotice::Emote(seat, emote)));
                Vec::new()
            }
            // A newer server may send more than this page knows.
            Err(_unknown) => Vec::new(),
        }
    }

    fn update_presence(&mut self, event: &str, text: &str) {
        let Some(join) = self.client.join_ref(self.channel).cloned() else { return };
        if event == "presence_state" {
            if let Ok(state) = serde_json::from_str(text) {
                self.presence.sync_state(&state, &join);
            }
        } else if let Ok(diff) = serde_json::from_str(text) {
            // A list that still waits for its state stays as it is.
            self.presence.sync_diff(diff, &join).unwrap_or_default();
        }
        let seats = self.presence.present().keys().filter_map(|key| key.parse().ok());
        self.connected = seats.filter_map(|number: u8| Seat::new(number)).collect();
    }

    fn handle_reply(
        &mut self,
        purpose: &PushPurpose,
        status: ReplyStatus,
        response: &Json,
        now: Now,
    ) -> Vec<SocketCommand> {
        match (purpose, status) {
            (PushPurpose::Resync, ReplyStatus::Ok) => self.read_welcome(response, now),
            (PushPurpose::Resync, ReplyStatus::Error) => Vec::new(),
            (PushPurpose::Act(id), ReplyStatus::Ok) => {
                self.read(response, |session, accepted| session.accepted(id, accepted, now))
            }
            (PushPurpose::Act(id), ReplyStatus::Error) => {
                self.read(response, |session, refusal| session.refused(id, &refusal, now))
            }
        }
    }

    fn accepted(&mut self, id: &ActionId, accepted: Accepted, now: Now) -> Vec<SocketCommand> {
        self.viewed_action = None;
        self.in_flight.take_if(|in_flight| in_flight == id);
        self.is_delay_announced = false;
        self.answered(id);
        if let Some(table) = &mut self.table {
            let rolled_back = table.replica.committed(id, accepted.version);
            self.report(rolled_back);
        }
        self.send_next(now)
    }

    fn refused(&mut self, id: &ActionId, refusal: &Refusal, now: Now) -> Vec<SocketCommand> {
        self.in_flight.take_if(|in_flight| in_flight == id);
        if self.viewed_action.take().is_some() {
            let marked =
                self.viewed.as_ref().map(|table| ViewedTable::marked(&table.view, refusal));
            self.notices.push(TableNotice::Refused(marked.unwrap_or_else(|| refusal.clone())));
            return Vec::new();
        }
        if codes::is_undecided(refusal.code()) {
            self.postpone(refusal, now);
            return Vec::new();
        }
        self.answered(id);
        if let Some(table) = &mut self.table {
            let rolled_back = table.replica.refused(id, refusal);
            self.report(rolled_back);
        }
        self.send_next(now)
    }

    /// The action is answered for good.
    fn answered(&mut self, id: &ActionId) {
        if self.awaited.take_if(|(awaited, _)| awaited == id).is_some() {
            self.is_delayed = false;
        }
    }

    /// Sends the action again later. The person hears once why it takes so long.
    fn postpone(&mut self, refusal: &Refusal, now: Now) {
        self.retry_at = Some(now.monotonic + RETRY_DELAY);
        // Other delays are over before anybody could read about them.
        let is_long = *refusal.code() == codes::UNAVAILABLE;
        if is_long && !std::mem::replace(&mut self.is_delay_announced, true) {
            let news = texts::retrying(refusal);
            self.notices.push(TableNotice::News(news));
        }
    }

    fn report(&mut self, rolled_back: Vec<RolledBack>) {
        if let Some(table) = &mut self.table {
            table.hold.check(table.replica.provisional().round());
        }
        self.notices.extend(rolled_back.into_iter().map(TableNotice::from));
    }

    /// Sends the next action that waits, if nothing is in its way.
    fn send_next(&mut self, now: Now) -> Vec<SocketCommand> {
        self.prepare_rejoin();
        let is_blocked = self.in_flight.is_some() || self.retry_at.is_some();
        if is_blocked || !self.client.has_joined(self.channel) {
            return Vec::new();
        }
        let action = self.table.as_mut().and_then(|table| table.replica.to_send());
        let Some(action) = action else { return Vec::new() };
        let id = action.id.clone();
        self.in_flight = Some(id.clone());
        if self.awaited.as_ref().is_none_or(|(awaited, _)| *awaited != id) {
            (self.awaited, self.is_delayed) = (Some((id.clone(), now.monotonic)), false);
        }
        self.push(&FromClient::Act(action), Some(PushPurpose::Act(id)), now)
    }

    /// Makes the next join ask for what is missing here.
    fn prepare_rejoin(&mut self) {
        let hello = hello(self.token.as_ref(), self.table.as_ref());
        self.client.rejoin_with(self.channel, hello).unwrap_or_default();
    }

    fn version(&self) -> Option<u64> {
        self.table.as_ref().map(RemoteTable::version)
    }

    fn resync(&mut self, now: Now) -> Vec<SocketCommand> {
        self.resync_from(self.version(), now)
    }

    fn resync_from(&mut self, from: Option<u64>, now: Now) -> Vec<SocketCommand> {
        let epoch = self.table.as_ref().map(|table| table.epoch.clone());
        self.push(&FromClient::Resync(Resync { from, epoch }), Some(PushPurpose::Resync), now)
    }

    fn push(
        &mut self,
        message: &FromClient,
        purpose: Option<PushPurpose>,
        now: Now,
    ) -> Vec<SocketCommand> {
        let event = ShortText::new(message.event()).expect("the names of events are short");
        let payload = Json::of(message).expect("a message holds texts and numbers");
        let Ok((number, effects)) = self.client.push(self.channel, event, payload, now.monotonic)
        else {
            return Vec::new();
        };
        self.pushes.extend(purpose.map(|purpose| (number, purpose)));
        self.perform_all(effects, now)
    }
}

impl TableSession for RemoteSession {
    fn view(&self) -> Option<SessionView<'_>> {
        let table = self.table.as_ref()?;
        let view = SessionView {
            shown: table.replica.provisional(),
            confirmed: table.replica.confirmed(),
            own_seats: &table.own_seats,
            pending: table.pending(),
            is_delayed: self.is_delayed,
            explanations: table.explanations.known(),
            connected: Some(&self.connected),
            is_connected: self.client.has_joined(self.channel),
            claim_after: self.claim_after,
            ending: None,
        };
        Some(view.held_at(table.hold.finished()))
    }

    /// Shows the action at once and sends it as soon as the server can be reached.
    fn act(&mut self, intent: Intent, now: Now) -> Result<Vec<SocketCommand>, Refusal> {
        let Some(table) = &mut self.table else { return Ok(self.act_at_viewed(intent, now)) };
        if table.hold.go_on() {
            return Ok(Vec::new());
        }
        let Some(view) = self.view() else { return Ok(Vec::new()) };
        let seat = view.acting_seat();
        let ending = match &intent {
            Intent::Claim(absent) => Some(RoundEnding::Absent(*absent)),
            _ => seat.map(RoundEnding::Resigned),
        };
        let (body, before) = (view.action(intent), view.shown.clone());
        self.action_count += 1;
        let id = ActionId::new(&self.client_id, self.action_count).expect("client ids are short");
        let table = self.table.as_mut().expect("it has a view");
        match table.replica.submit(Action { id, body }) {
            Ok(()) => {
                let has_ended = table.replica.provisional().round() != before.round();
                match ending {
                    Some(ending) if has_ended && before.outcome().is_none() => {
                        table.hold_ended(&before, ending, now);
                    }
                    _ if has_ended => table.hold.leave(before.round()),
                    _ => {}
                }
                Ok(self.send_next(now))
            }
            Err(NotSent::Refused(refusal)) => Err(refusal),
            Err(other) => Err(Reason::new(Code::new("not_sent"), other.to_string()).into()),
        }
    }

    fn emote(&mut self, emote: Emote, now: Now) -> Vec<SocketCommand> {
        self.push(&FromClient::Emote(Emoted { emote, seat: None }), None, now)
    }

    fn receive(&mut self, event: SocketEvent, now: Now) -> Vec<SocketCommand> {
        let effects = match event {
            SocketEvent::Opened => self.client.opened(now.monotonic),
            SocketEvent::Closed => self.client.lost(now.monotonic),
            SocketEvent::Received(text) => {
                let Ok(frame) = Frame::decode(&text, &FrameLimits::FROM_SERVER) else {
                    self.error = Some(SessionError::Unreadable);
                    return Vec::new();
                };
                self.client.receive(frame, now.monotonic)
            }
        };
        self.perform_all(effects, now)
    }

    fn reconnect(&mut self, now: Now) -> Vec<SocketCommand> {
        let effects = self.client.hurry();
        self.perform_all(effects, now)
    }

    fn tick(&mut self, now: Now) -> Vec<SocketCommand> {
        let is_late = |(_, sent): &(ActionId, u64)| sent + USUAL_DELAY <= now.monotonic;
        self.is_delayed = self.awaited.as_ref().is_some_and(is_late);
        let effects = self.client.tick(now.monotonic);
        let mut commands = self.perform_all(effects, now);
        if let Some(table) = &mut self.table {
            table.hold.tick(now.monotonic);
        }
        if let Some(table) = &mut self.viewed {
            table.tick(now.monotonic);
        }
        if self.retry_at.take_if(|retry_at| *retry_at <= now.monotonic).is_some() {
            commands.extend(self.send_next(now));
        }
        commands
    }

    fn wake(&self) -> Option<Wake> {
        let hold = self.table.as_ref().and_then(|table| table.hold.until());
        let hold = hold.or_else(|| self.viewed.as_ref()?.until());
        let awaited = self.awaited.as_ref().filter(|_| !self.is_delayed);
        let late = awaited.map(|(_, sent)| sent + USUAL_DELAY);
        let due = self.client.deadline().into_iter().chain(self.retry_at).chain(hold).chain(late);
        due.min().map(Wake::At)
    }

    fn take_notices(&mut self) -> Vec<TableNotice> {
        std::mem::take(&mut self.notices)
    }

    fn viewed(&self) -> Option<ViewedTable> {
        let table = self.viewed.as_ref()?;
        let (view, ending) = table.shown();
        Some(ViewedTable {
            view: view.clone(),
            seat: table.seat,
            ending,
            pending: self.viewed_action.clone(),
            connected: self.connected.clone(),
            claim_after: self.claim_after,
            is_connected: self.client.has_joined(self.channel),
        })
    }

    fn error(&self) -> Option<&SessionError> {
        self.error.as_ref()
    }

    fn record(&self) -> Option<SessionRecord> {
        let (table, actions) = (self.table_id.clone(), self.unanswered());
        let unanswered = if actions.is_empty() {
            String::new()
        } else {
            serde_json::to_string(&actions).expect("actions are plain data")
        };
        Some(SessionRecord::Remote { table, unanswered })
    }

    fn table_time(&self, now: Now) -> u64 {
        now.since_1970.saturating_add_signed(self.clock_offset)
    }
}

/// Whether the server has no such topic: the link was cut off.
fn is_unmatched(response: &Json) -> bool {
    let fields = response.read::<std::collections::BTreeMap<String, String>>().ok();
    fields.is_some_and(|fields| fields.get("reason").is_some_and(|why| why == "unmatched topic"))
}

/// The payload of a join.
fn hello(token: Option<&Token>, table: Option<&RemoteTable>) -> Json {
    let (from, epoch) = table.map(|table| (table.version(), table.epoch.clone())).unzip();
    let hello = Hello { token: token.cloned(), from, epoch };
    Json::of(&hello).expect("it holds texts and numbers")
}
