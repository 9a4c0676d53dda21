//! Who is at a table, and what they want.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use channels::{JoinAnswer, Json, PresenceDiff, PresenceTracker, ShortText};
use game::{Game, Seat};
use serde_json::{Map, Value};
use table::wire::{Accepted, Emoted, Entries, Hello, Resync, Welcome};
use table::{Actor, Announcement, Digest, TableState};

use crate::desk::{Desk, Stale};
use crate::guest::{Guest, GuestId, Outbox, Outgoing, Way, topic};
use crate::house::House;
use crate::limits::Limits;
use crate::request::{Attendance, Outcome, Reply, Request, codes, payload, refusal};
use crate::told::{Told, frame, lines};
use crate::{Status, TableId};

/// Who is at a table.
pub(crate) struct Room {
    house: Arc<House>,
    id: TableId,
    topic: ShortText,
    /// Those who came first are first.
    guests: Vec<Guest>,
    /// Whether somebody who holds a seat has been here.
    was_attended: bool,
    presence: PresenceTracker,
    /// What the guests have been told of.
    told: Option<(String, u64)>,
    free_seats: Option<u8>,
}

impl Room {
    pub(crate) fn new(house: &Arc<House>, id: TableId) -> Self {
        Self {
            house: Arc::clone(house),
            id,
            topic: topic(id),
            guests: Vec::new(),
            was_attended: false,
            presence: presence(house),
            told: None,
            free_seats: None,
        }
    }

    /// The table was read again: guests who know less than it does are told, and those who know
    /// something else must begin again.
    pub(crate) fn catch_up(&mut self, desk: &Desk) {
        let (epoch, version) = (desk.live.epoch().to_owned(), desk.state().version());
        match self.told.replace((epoch.clone(), version)) {
            Some((known, from)) if known == epoch && from == version => {}
            Some((known, from)) if known == epoch => self.tell_after(desk, from),
            Some(_) => self.fail_all(),
            None => {}
        }
    }

    /// Tells every guest what came after a version, as far as that can be told.
    fn tell_after(&mut self, desk: &Desk, from: u64) {
        let known = Resync { from: Some(from), epoch: Some(desk.live.epoch().to_owned()) };
        let hides = desk.state().game().hides();
        for place in (0..self.guests.len()).rev() {
            let guest = &self.guests[place];
            let Welcome { start, entries, view, .. } = desk.live.welcome(guest.seat, &known);
            let goes_on = match &guest.way {
                Way::Channel { outbox, .. } if start.is_none() => {
                    let view = hides.then(|| Box::new(view));
                    let entries = Json::written(&Entries { entries, view }.write());
                    let frame = self.frame("entries", entries.into());
                    outbox.send(Outgoing::Frame(frame))
                }
                // Who is in another round must join again.
                Way::Channel { id, outbox, .. } => {
                    outbox.send(Outgoing::Fail(id.channel));
                    false
                }
                // Who does not keep up asks again, from where it was.
                Way::Lines(more) => start.is_none() && more.try_send(lines(&entries)).is_ok(),
            };
            if !goes_on {
                self.remove(place);
            }
        }
    }

    pub(crate) fn fail_all(&mut self) {
        for guest in self.guests.drain(..) {
            if let Way::Channel { id, outbox, .. } = guest.way {
                outbox.send(Outgoing::Fail(id.channel));
            }
        }
        self.presence = presence(&self.house);
    }

    pub(crate) async fn handle(&mut self, desk: &mut Desk, request: Request) -> Result<(), Stale> {
        match request {
            Request::Join { guest, household, outbox, hello } => {
                self.join(desk, (guest, household), outbox, &hello);
            }
            Request::Leave { guest } => self.leave(guest),
            Request::ReadAgain => return Err(Stale::Lost),
            Request::Act { guest, action, reply } => {
                return self.act_for(desk, guest, action, reply).await;
            }
            Request::Resync { guest, known, reply } => {
                let seat = self.guests.iter().find(|other| other.is(guest)).map(|other| other.seat);
                if let Some(seat) = seat {
                    reply.send(&Outcome::Ok(self.welcome(desk, seat, &known)));
                }
            }
            Request::Emote { guest, emote } => self.emote(guest, emote),
            Request::Submit { token, action, answer } => {
                let by = token.map_or(Actor::Stranger, Actor::Token);
                let outcome = self.act(desk, action, by).await?;
                drop(answer.send(outcome.map(|(accepted, _)| accepted)));
            }
            Request::Look { token, known, answer } => {
                let seat = seat(desk.state(), token);
                drop(answer.send(seat.map(|seat| self.welcome(desk, seat, &known))));
            }
            Request::Watch { token, household, lines, answer } => {
                let seat = self.let_in(desk.state(), token, household);
                if let Ok(seat) = seat {
                    self.add(Guest { seat, household, way: Way::Lines(lines) });
                }
                drop(answer.send(seat.map(|seat| self.welcome(desk, seat, &Resync::default()))));
            }
            Request::Attendance { answer } => drop(answer.send(self.attendance(desk.state()))),
        }
        Ok(())
    }

    /// Brings an action of a guest into the log, and answers it.
    async fn act_for(
        &mut self,
        desk: &mut Desk,
        guest: GuestId,
        action: table::Action,
        reply: Reply,
    ) -> Result<(), Stale> {
        let Some(place) = self.guests.iter().position(|other| other.is(guest)) else {
            return Ok(());
        };
        let by = self.guests[place].seat.map_or(Actor::Stranger, Actor::Seat);
        let outcome = match self.act(desk, action, by).await {
            Ok(outcome) => outcome,
            Err(stale) => {
                reply.send(&Outcome::<Accepted>::Err(unavailable()));
                return Err(stale);
            }
        };
        if let Ok((_, Some(seat))) = &outcome {
            self.take_seat(place, *seat);
        }
        reply.send(&outcome.map(|(accepted, _)| accepted));
        Ok(())
    }

    /// Brings an action into the log; gives also the seat that it has taken, if it has.
    async fn act(
        &self,
        desk: &mut Desk,
        action: table::Action,
        by: Actor,
    ) -> Result<Outcome<(Accepted, Option<Seat>)>, Stale> {
        let outcome = desk.act(action, by).await?;
        match &outcome {
            Ok(_) => {
                self.house.metrics.accepted.inc();
            }
            Err(refusal) => self.house.metrics.refused(refusal.code().as_str()),
        }
        Ok(outcome.map(|accepted| (accepted, desk.live.just_taken(accepted.version))))
    }

    fn join(
        &mut self,
        desk: &Desk,
        (id, household): (GuestId, IpAddr),
        outbox: Outbox,
        hello: &Hello,
    ) {
        let digest = hello.token.as_ref().map(table::Token::digest);
        let seat = match self.let_in(desk.state(), digest, household) {
            Ok(seat) => seat,
            Err(refusal) => {
                let answer = JoinAnswer::Refuse(payload(&refusal));
                outbox.send(Outgoing::Answer(Box::new((id.channel, answer, Vec::new()))));
                return;
            }
        };
        let known = Resync { from: hello.from, epoch: hello.epoch.clone() };
        let answer = JoinAnswer::Welcome(payload(&self.welcome(desk, seat, &known)));
        let Ok((phx_ref, diff)) = self.presence.track(&presence_key(seat), self.about()) else {
            return;
        };
        let state = self.frame("presence_state", payload(self.presence.state()));
        outbox.send(Outgoing::Answer(Box::new((id.channel, answer, vec![state]))));
        self.tell_presence(&diff);
        self.add(Guest { seat, household, way: Way::Channel { id, outbox, phx_ref } });
        self.update_directory(desk.state());
    }

    /// What is said to who joins or asks, with the time: clocks of clients may be wrong.
    fn welcome(&self, desk: &Desk, seat: Option<Seat>, known: &Resync) -> Welcome {
        Welcome { now: Some(self.house.unix_time()), ..desk.live.welcome(seat, known) }
    }

    /// Who took a seat has it from now on, on this channel as well, and is known by it.
    fn take_seat(&mut self, place: usize, seat: Seat) {
        let about = self.about();
        self.was_attended = true;
        let guest = &mut self.guests[place];
        let before = guest.seat.replace(seat);
        let Way::Channel { phx_ref, .. } = &mut guest.way else { return };
        if before == Some(seat) {
            return;
        }
        let left = self.presence.untrack(&presence_key(before), phx_ref);
        let came = self.presence.track(&presence_key(Some(seat)), about);
        let came = came.map(|(new, diff)| {
            *phx_ref = new;
            diff
        });
        for diff in left.into_iter().chain(came) {
            self.tell_presence(&diff);
        }
        self.make_room(seat);
    }

    /// Whether somebody who holds a seat is here; who has said goodbye is not, connected or not.
    fn attendance(&self, state: &TableState) -> Attendance {
        let has_left = |seat| state.occupant(seat).is_some_and(|occupant| !occupant.is_here);
        let is_here = |guest: &Guest| guest.seat.is_some_and(|seat| !has_left(seat));
        if self.guests.iter().any(|guest| is_here(guest) && !guest.is_gone()) {
            Attendance::Now
        } else if self.was_attended || game::all_seats(state.game()).iter().any(has_left) {
            Attendance::Over
        } else {
            Attendance::NotYet
        }
    }

    /// What is said of somebody who is here.
    fn about(&self) -> Map<String, Value> {
        let mut about = Map::new();
        about.insert("since".to_owned(), Value::from(self.house.unix_time()));
        about
    }

    /// The seat of who wants to come in. Those who look on cannot keep out who holds one.
    fn let_in(
        &mut self,
        state: &TableState,
        token: Option<Digest>,
        household: IpAddr,
    ) -> Outcome<Option<Seat>> {
        let seat = seat(state, token)?;
        if seat.is_some() || self.has_room(household) {
            return Ok(seat);
        }
        self.sweep();
        if self.has_room(household) {
            return Ok(seat);
        }
        self.house.metrics.limited("guests_per_table");
        Err(refusal(codes::TOO_MANY, "Too many look on at this table already: try again later"))
    }

    /// Whether one more from there may look on: half of the places are for others.
    fn has_room(&self, household: IpAddr) -> bool {
        let most = self.house.limits.guests_per_table as usize;
        let (mut all, mut near) = (0, 0);
        for guest in self.guests.iter().filter(|guest| guest.seat.is_none()) {
            all += 1;
            near += usize::from(guest.household == household);
        }
        all < most && near < most.div_ceil(2)
    }

    fn add(&mut self, guest: Guest) {
        let seat = guest.seat;
        self.guests.push(guest);
        if let Some(seat) = seat {
            self.was_attended = true;
            self.make_room(seat);
        }
    }

    /// Who holds a seat has a few tabs, not a thousand: beyond that the oldest must come back.
    fn make_room(&mut self, seat: Seat) {
        let most = self.house.limits.guests_per_seat.max(1) as usize;
        if self.held(seat) > most {
            self.sweep();
        }
        while self.held(seat) > most
            && let Some(oldest) = self.guests.iter().position(|guest| guest.seat == Some(seat))
        {
            self.house.metrics.limited("guests_per_seat");
            if let Way::Channel { id, outbox, .. } = &self.guests[oldest].way {
                outbox.send(Outgoing::Fail(id.channel));
            }
            self.remove(oldest);
        }
    }

    /// How many connections who holds this seat has here.
    fn held(&self, seat: Seat) -> usize {
        self.guests.iter().filter(|guest| guest.seat == Some(seat)).count()
    }

    fn leave(&mut self, id: GuestId) {
        if let Some(place) = self.guests.iter().position(|guest| guest.is(id)) {
            self.remove(place);
        }
    }

    /// Whether nobody is here.
    pub(crate) fn is_empty(&self) -> bool {
        self.guests.is_empty()
    }

    /// Whoever is gone without a word is gone for the others as well.
    pub(crate) fn sweep(&mut self) {
        while let Some(place) = self.guests.iter().position(Guest::is_gone) {
            self.remove(place);
        }
    }

    fn remove(&mut self, place: usize) {
        let guest = self.guests.remove(place);
        if let Way::Channel { phx_ref, .. } = &guest.way
            && let Ok(diff) = self.presence.untrack(&presence_key(guest.seat), phx_ref)
        {
            self.tell_presence(&diff);
        }
    }

    fn emote(&self, id: GuestId, emote: table::wire::Emote) {
        let seat = self.guests.iter().find(|guest| guest.is(id)).and_then(|guest| guest.seat);
        // Who looks on does not disturb.
        if seat.is_some() {
            let frame = self.frame("emote", payload(&Emoted { emote, seat }));
            self.send_all(&frame);
        }
    }

    fn tell_presence(&self, diff: &PresenceDiff) {
        let frame = self.frame("presence_diff", payload(diff));
        self.send_all(&frame);
    }

    fn send_all(&self, frame: &Utf8Bytes) {
        for guest in &self.guests {
            if let Way::Channel { outbox, .. } = &guest.way {
                outbox.send(Outgoing::Frame(frame.clone()));
            }
        }
    }

    /// Tells every guest what happened, as it may see it; each form is written once.
    pub(crate) fn tell(&mut self, state: &TableState, news: &[Announcement]) {
        let mut written: Vec<(Option<Seat>, Told<'_>)> = Vec::new();
        let (topic, guests) = (&self.topic, &mut self.guests);
        guests.retain(|guest| {
            let place = written.iter().position(|(seat, _)| *seat == guest.seat);
            let place = place.unwrap_or_else(|| {
                written.push((guest.seat, Told::new(topic, state, news, guest.seat)));
                written.len() - 1
            });
            let told = &mut written[place].1;
            match &guest.way {
                // Who is gone is still to be untracked.
                Way::Channel { outbox, .. } => {
                    outbox.send(Outgoing::Frame(told.frame()));
                    true
                }
                // Who does not keep up asks again, from where it was.
                Way::Lines(lines) => lines.try_send(told.lines()).is_ok(),
            }
        });
        if let Some((_, version)) = &mut self.told {
            *version = state.version();
        }
        self.sweep();
        self.update_directory(state);
    }

    /// The directory knows how many seats are free.
    fn update_directory(&mut self, state: &TableState) {
        let free = free_seats(state);
        if self.free_seats.replace(free) != Some(free) {
            let status = if free == 0 { Status::Playing } else { Status::Waiting };
            self.house.seats_changed(self.id, free, status);
        }
    }

    /// A table that nobody attends is not offered to others.
    pub(crate) fn nobody_is_there(&mut self, state: &TableState) {
        self.free_seats = None;
        self.house.seats_changed(self.id, free_seats(state), Status::Idle);
    }

    fn frame(&self, event: &str, payload: Json) -> Utf8Bytes {
        frame(&self.topic, event, payload)
    }
}

fn free_seats(state: &TableState) -> u8 {
    let free = game::all_seats(state.game()).iter().filter(|seat| state.is_free(*seat));
    u8::try_from(free.count()).unwrap_or(u8::MAX)
}

fn unavailable() -> game::Refusal {
    let why = "The server does not know yet whether this was written down: try again";
    refusal(codes::UNAVAILABLE, why)
}

/// Whose token this is; who has none looks on.
fn seat(state: &TableState, token: Option<Digest>) -> Outcome<Option<Seat>> {
    match token {
        None => Ok(None),
        Some(token) => match state.holder(token) {
            Some(seat) => Ok(Some(seat)),
            None => Err(refusal(codes::BAD_TOKEN, "This token holds no seat at this table")),
        },
    }
}

/// Nobody is here yet; there is room for all that may look on, and for all that may hold seats.
fn presence(house: &House) -> PresenceTracker {
    let Limits { guests_per_table, guests_per_seat, .. } = house.limits;
    let seated = guests_per_seat.max(1).saturating_add(1).saturating_mul(u8::MAX.into());
    let prefix = format!("{:x}-", house.monotonic());
    PresenceTracker::new(&prefix, guests_per_table.saturating_add(seated))
}

/// Players are known by their seats; who looks on is one of many.
fn presence_key(seat: Option<Seat>) -> String {
    seat.map_or_else(|| "watching".to_owned(), |seat| seat.number().to_string())
}
