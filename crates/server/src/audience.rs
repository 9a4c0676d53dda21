//! The subscribers of one table, and their messages.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use channels::{JoinAnswer, Json, PresenceDiff, PresenceTracker, ShortText};
use game::{Refusal, Seat, Seats};
use serde_json::{Map, Value};
use table::TableView;
use table::wire::{Emote, Emoted, Entries, Welcome, codes};
use tokio::time::Instant;

use crate::TableId;
use crate::broadcast::{Broadcast, frame};
use crate::journal::{NoticeBody, ServerNotice};
use crate::limits::Limits;
use crate::outbox::{Outbox, Outgoing};
use crate::push_reply::payload;
use crate::refusals::refusal;
use crate::remote_audience::{MAX_TOLD, RemoteAudience, TOLD_WITHIN};
use crate::subscriber::{Delivery, Subscriber, SubscriberId, topic};
use crate::tables::Tables;

/// The subscribers of one table.
pub(crate) struct Audience {
    tables: Arc<Tables>,
    id: TableId,
    topic: ShortText,
    /// The oldest first.
    subscribers: Vec<Subscriber>,
    /// Whether a seat holder has ever subscribed.
    was_attended: bool,
    presence: PresenceTracker,
    remote: RemoteAudience,
    /// The connections that other servers were told of.
    told: Vec<Option<Seat>>,
    /// When other servers were asked last for theirs.
    asked: Option<Instant>,
    /// The limits for which the presence has places.
    limits: Limits,
    /// The epoch and the last version that subscribers were sent.
    sent: Option<(String, u64)>,
    /// The seats without a connection, and since when.
    absences: Vec<(Seat, Instant)>,
}

impl Audience {
    pub(crate) fn new(tables: &Arc<Tables>, id: TableId) -> Self {
        let limits = tables.limits();
        Self {
            tables: Arc::clone(tables),
            id,
            topic: topic(id),
            subscribers: Vec::new(),
            was_attended: false,
            presence: new_presence(tables, limits),
            remote: RemoteAudience::default(),
            told: Vec::new(),
            asked: None,
            limits,
            sent: None,
            absences: Vec::new(),
        }
    }

    /// Notes which of these seats have no connection now, here or at another server.
    pub(crate) fn note_absences(&mut self, seats: Seats) {
        for seat in seats.iter() {
            let is_noted = self.absences.iter().position(|(absent, _)| *absent == seat);
            let is_connected = self.seats().any(|connected| connected == seat);
            match is_noted {
                Some(place) if is_connected => drop(self.absences.swap_remove(place)),
                None if !is_connected => self.absences.push((seat, Instant::now())),
                _ => {}
            }
        }
    }

    /// How long a seat has been without a connection; none if it has one.
    pub(crate) fn absence(&self, seat: Seat) -> Option<Duration> {
        if self.seats().any(|connected| connected == seat) {
            return None;
        }
        let noted = self.absences.iter().find(|(absent, _)| *absent == seat);
        Some(noted.map_or(Duration::ZERO, |(_, since)| since.elapsed()))
    }

    /// Ends all connections of a seat, whose player has gone to another device.
    pub(crate) fn end_connections(&mut self, seat: Seat) {
        while let Some(place) = self.subscribers.iter().position(|other| other.seat == Some(seat)) {
            self.subscribers[place].fail();
            self.remove(place);
        }
    }

    /// Brings subscribers up to date when the table was loaded again. `missed` returns the entries
    /// after a version as a seat may see them, or none if the subscriber must join again.
    pub(crate) fn catch_up(
        &mut self,
        epoch: &str,
        version: u64,
        missed: impl Fn(Option<Seat>, u64) -> Option<Entries>,
        view: impl Fn(Option<Seat>) -> TableView,
    ) {
        match self.sent.replace((epoch.to_owned(), version)) {
            Some((known, from)) if known == epoch && from == version => {}
            Some((known, from)) if known == epoch => {
                self.send_missed(|seat| missed(seat, from), view);
            }
            Some(_) => self.fail_all(),
            None => {}
        }
    }

    fn send_missed(
        &mut self,
        missed: impl Fn(Option<Seat>) -> Option<Entries>,
        view: impl Fn(Option<Seat>) -> TableView,
    ) {
        for place in (0..self.subscribers.len()).rev() {
            let subscriber = &self.subscribers[place];
            let seat = subscriber.seat;
            let is_sent = if let Some(entries) = missed(seat) {
                subscriber.send(&mut Broadcast::new(&self.topic, entries, || view(seat)))
            } else {
                subscriber.fail();
                false
            };
            if !is_sent {
                self.remove(place);
            }
        }
    }

    /// Ends all subscriptions: clients must join again.
    pub(crate) fn fail_all(&mut self) {
        for subscriber in self.subscribers.drain(..) {
            subscriber.fail();
        }
        self.presence = new_presence(&self.tables, self.limits);
        self.remote = RemoteAudience::default();
        self.asked = None;
    }

    /// Tells other servers of the connections here, if they have changed.
    pub(crate) fn tell_changes(&mut self) {
        if self.tables.is_shared() {
            let connections = self.connections_to_tell();
            if connections != self.told {
                self.told.clone_from(&connections);
                self.announce(NoticeBody::Present(connections));
            }
        }
    }

    /// Tells other servers of the connections here, forgets servers that have told nothing for long, and asks
    /// again if answers may have been lost.
    pub(crate) fn tell_again(&mut self) {
        self.ask_others_again();
        for diff in self.remote.forget_silent(&mut self.presence) {
            self.broadcast_presence(&diff);
        }
        if !self.told.is_empty() {
            self.announce(NoticeBody::Present(self.told.clone()));
        }
    }

    /// Asks other servers for their connections.
    pub(crate) fn ask_others(&self) {
        if self.tables.is_shared() {
            self.announce(NoticeBody::WhoIsThere);
        }
    }

    /// Asks other servers, if they were not asked or their answers may have been lost.
    pub(crate) fn ask_others_again(&self) {
        if self.asked_without_gap().is_none() {
            self.ask_others();
        }
    }

    /// Notes that the question has reached other servers.
    pub(crate) fn note_asked(&mut self) {
        if self.asked_without_gap().is_none() {
            self.asked = Some(Instant::now());
        }
    }

    /// Whether other servers have told of all of their connections: they were asked, had the time to answer, and
    /// nothing was lost since.
    pub(crate) fn knows_others(&self) -> bool {
        self.asked_without_gap().is_some_and(|asked| asked.elapsed() >= TOLD_WITHIN)
    }

    fn asked_without_gap(&self) -> Option<Instant> {
        self.asked.filter(|asked| self.tables.has_heard_all_since(*asked))
    }

    /// Takes over what another server tells.
    pub(crate) fn hear(&mut self, notice: ServerNotice) {
        match notice.body {
            NoticeBody::Present(seats) => {
                let meta = self.presence_meta();
                self.was_attended |= seats.iter().any(Option::is_some);
                let diffs = self.remote.hear(notice.server, &seats, &mut self.presence, &meta);
                for diff in diffs {
                    self.broadcast_presence(&diff);
                }
            }
            NoticeBody::WhoIsThere => self.tell_again(),
            NoticeBody::Emoted(seat, emote) => self.show_emote(seat, emote),
        }
    }

    /// Whether clients of other servers are connected to the table.
    pub(crate) fn has_remote(&self) -> bool {
        !self.remote.is_empty()
    }

    fn announce(&self, body: NoticeBody) {
        self.tables.announce(self.id, body);
    }

    /// The seat of each connection, spectators last.
    fn connections_to_tell(&self) -> Vec<Option<Seat>> {
        let mut seats: Vec<_> = self.subscribers.iter().map(|subscriber| subscriber.seat).collect();
        seats.sort_unstable_by_key(|seat| seat.map_or(u8::MAX, Seat::number));
        seats.truncate(MAX_TOLD);
        seats
    }

    /// Admits one more spectator from an address, if there is a free place. Spectators never take a place
    /// that a seat holder needs.
    pub(crate) fn admit_spectator(&mut self, address: IpAddr) -> Result<(), Refusal> {
        if self.has_room(address) {
            return Ok(());
        }
        self.remove_disconnected();
        if self.has_room(address) {
            return Ok(());
        }
        self.tables.metrics.limited("spectators_per_table");
        Err(refusal(codes::TOO_MANY, "This table has too many spectators: try again later"))
    }

    /// Whether one more spectator from this address fits: half of the places are kept for others.
    fn has_room(&self, address: IpAddr) -> bool {
        let limit = self.limits.spectators_per_table as usize;
        let (mut all, mut near) = (0, 0);
        for spectator in self.subscribers.iter().filter(|subscriber| subscriber.seat.is_none()) {
            all += 1;
            near += usize::from(spectator.address == address);
        }
        all < limit && near < limit.div_ceil(2)
    }

    /// Adds a client that joins the channel, and announces it to the others.
    pub(crate) fn join(
        &mut self,
        id: SubscriberId,
        address: IpAddr,
        outbox: Outbox,
        seat: Option<Seat>,
        welcome: &Welcome,
    ) {
        let Ok((phx_ref, diff)) = self.presence.track(&presence_key(seat), self.presence_meta())
        else {
            return;
        };
        let state = self.frame("presence_state", payload(self.presence.state()));
        let answer = JoinAnswer::Welcome(payload(welcome));
        outbox.send(Outgoing::Answer(Box::new((id.channel, answer, vec![state]))));
        self.broadcast_presence(&diff);
        self.add(Subscriber { seat, address, delivery: Delivery::Channel { id, outbox, phx_ref } });
    }

    pub(crate) fn add(&mut self, subscriber: Subscriber) {
        let seat = subscriber.seat;
        self.subscribers.push(subscriber);
        if let Some(seat) = seat {
            self.was_attended = true;
            self.limit_connections(seat);
        }
    }

    pub(crate) fn leave(&mut self, id: SubscriberId) {
        if let Some(place) = self.place(id) {
            self.remove(place);
        }
    }

    /// The subscriber with this id, unless its subscription has ended.
    pub(crate) fn subscriber(&self, id: SubscriberId) -> Option<&Subscriber> {
        self.place(id).map(|place| &self.subscribers[place])
    }

    /// The seats of all connected subscribers, here and at other servers, spectators left out.
    pub(crate) fn seats(&self) -> impl Iterator<Item = Seat> + '_ {
        let connected = self.subscribers.iter().filter(|subscriber| !subscriber.is_disconnected());
        connected.filter_map(|subscriber| subscriber.seat).chain(self.remote.seats())
    }

    /// Whether a seat holder has ever subscribed.
    pub(crate) const fn was_attended(&self) -> bool {
        self.was_attended
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.subscribers.is_empty()
    }

    /// Records the seat that a subscriber has just taken, also in its presence.
    pub(crate) fn take_seat(&mut self, id: SubscriberId, seat: Seat) {
        let Some(place) = self.place(id) else { return };
        let meta = self.presence_meta();
        self.was_attended = true;
        let subscriber = &mut self.subscribers[place];
        let before = subscriber.seat.replace(seat);
        let Delivery::Channel { phx_ref, .. } = &mut subscriber.delivery else { return };
        if before == Some(seat) {
            return;
        }
        let left = self.presence.untrack(&presence_key(before), phx_ref);
        let joined = self.presence.track(&presence_key(Some(seat)), meta);
        let joined = joined.map(|(new, diff)| {
            *phx_ref = new;
            diff
        });
        for diff in left.into_iter().chain(joined) {
            self.broadcast_presence(&diff);
        }
        self.limit_connections(seat);
    }

    /// Keeps a seat holder within its limit of connections: the oldest ones must join again.
    fn limit_connections(&mut self, seat: Seat) {
        let limit = self.limits.connections_per_seat.max(1) as usize;
        if self.connections(seat) > limit {
            self.remove_disconnected();
        }
        while self.connections(seat) > limit
            && let Some(oldest) = self.subscribers.iter().position(|other| other.seat == Some(seat))
        {
            self.tables.metrics.limited("connections_per_seat");
            self.subscribers[oldest].fail();
            self.remove(oldest);
        }
    }

    fn connections(&self, seat: Seat) -> usize {
        self.subscribers.iter().filter(|subscriber| subscriber.seat == Some(seat)).count()
    }

    /// Removes subscribers whose connection is gone.
    pub(crate) fn remove_disconnected(&mut self) {
        while let Some(place) = self.subscribers.iter().position(Subscriber::is_disconnected) {
            self.remove(place);
        }
    }

    fn remove(&mut self, place: usize) {
        let subscriber = self.subscribers.remove(place);
        if let Delivery::Channel { phx_ref, .. } = &subscriber.delivery
            && let Ok(diff) = self.presence.untrack(&presence_key(subscriber.seat), phx_ref)
        {
            self.broadcast_presence(&diff);
        }
    }

    /// Sends an emote to all. Spectators cannot emote.
    pub(crate) fn emote(&self, id: SubscriberId, emote: Emote) {
        if let Some(seat) = self.subscriber(id).and_then(|subscriber| subscriber.seat) {
            self.show_emote(seat, emote);
            if self.tables.is_shared() {
                self.announce(NoticeBody::Emoted(seat, emote));
            }
        }
    }

    fn show_emote(&self, seat: Seat, emote: Emote) {
        let frame = self.frame("emote", payload(&Emoted { emote, seat: Some(seat) }));
        self.send_frame(&frame);
    }

    /// Sends every subscriber the new entries and, if it wants it, the table after them, as its seat may
    /// see them: `entries` and `view` return them. Each form is encoded once.
    pub(crate) fn broadcast(
        &mut self,
        version: u64,
        entries: impl Fn(Option<Seat>) -> Entries,
        view: impl Fn(Option<Seat>) -> TableView,
    ) {
        let view = &view;
        let mut encoded: Vec<(Option<Seat>, Broadcast<'_, _>)> = Vec::new();
        let (topic, subscribers) = (&self.topic, &mut self.subscribers);
        subscribers.retain(|subscriber| {
            let seat = subscriber.seat;
            let place = encoded.iter().position(|(other, _)| *other == seat);
            let place = place.unwrap_or_else(|| {
                encoded.push((seat, Broadcast::new(topic, entries(seat), move || view(seat))));
                encoded.len() - 1
            });
            // A channel stays for now: its presence must be untracked when it is removed.
            let is_sent = subscriber.send(&mut encoded[place].1);
            is_sent || matches!(subscriber.delivery, Delivery::Channel { .. })
        });
        if let Some((_, sent)) = &mut self.sent {
            *sent = version;
        }
        self.remove_disconnected();
    }

    fn broadcast_presence(&self, diff: &PresenceDiff) {
        let frame = self.frame("presence_diff", payload(diff));
        self.send_frame(&frame);
    }

    fn send_frame(&self, frame: &Utf8Bytes) {
        for subscriber in &self.subscribers {
            if let Delivery::Channel { outbox, .. } = &subscriber.delivery {
                outbox.send(Outgoing::Frame(frame.clone()));
            }
        }
    }

    fn place(&self, id: SubscriberId) -> Option<usize> {
        self.subscribers.iter().position(|subscriber| subscriber.is(id))
    }

    /// The presence fields of a connection.
    fn presence_meta(&self) -> Map<String, Value> {
        let mut meta = Map::new();
        meta.insert("since".to_owned(), Value::from(self.tables.unix_time()));
        meta
    }

    fn frame(&self, event: &str, payload: Json) -> Utf8Bytes {
        frame(&self.topic, event, payload)
    }
}

/// An empty presence with places for all spectators and all connections of seat holders.
fn new_presence(tables: &Tables, limits: Limits) -> PresenceTracker {
    let Limits { spectators_per_table, connections_per_seat, .. } = limits;
    let seated = connections_per_seat.max(1).saturating_add(1).saturating_mul(u8::MAX.into());
    let prefix = format!("{:x}-", tables.monotonic());
    PresenceTracker::new(&prefix, spectators_per_table.saturating_add(seated))
}

/// The presence key: the number of the seat, or one key for all spectators.
pub(crate) fn presence_key(seat: Option<Seat>) -> String {
    seat.map_or_else(|| "watching".to_owned(), |seat| seat.number().to_string())
}
