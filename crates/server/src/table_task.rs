//! The task of one table: it receives requests, lets the journaled table decide, and sends the new
//! entries to the audience.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use channels::JoinAnswer;
use game::{Refusal, Seat, Viewer};
use table::wire::{Accepted, Entries, Hello, Resync, Welcome, codes};
use table::{
    Action, ActionBody, Actor, Announcement, Digest, EntryBody, TableState, TableView, Token,
};
use tokio::time::{Instant, sleep_until};

use crate::audience::Audience;
use crate::gauged_queue::GaugedReceiver;
use crate::journaled_table::{Advance, JournaledTable, LoadError, ReloadNeeded};
use crate::outbox::{Outbox, Outgoing};
use crate::push_reply::{PushReply, payload};
use crate::refusals::refusal;
use crate::remote_audience::TOLD_WITHIN;
use crate::subscriber::{Delivery, Subscriber, SubscriberId};
use crate::table_request::{Attendance, TableRequest};
use crate::tables::Tables;
use crate::work_pool::Payer;
use crate::{TableId, TableStatus};

/// How long a table waits before it retries a write that failed.
pub(crate) const RETRY: Duration = Duration::from_secs(1);

/// The time after which a table looks again whether its clock has ended.
const SOON: Duration = Duration::from_millis(10);

/// The task of one table that is in memory.
pub(crate) struct TableTask<'a> {
    tables: &'a Arc<Tables>,
    id: TableId,
    table: JournaledTable,
    audience: &'a mut Audience,
    /// The address that pays for computers' moves: that of the last action.
    payer: Payer,
    /// The number of free seats that the directory has.
    free_seats: Option<u8>,
    /// The status under which the table is counted, as long as it is in memory.
    counted: CountedStatus<'a>,
}

impl<'a> TableTask<'a> {
    /// Loads a table and sends its subscribers the missed entries.
    pub(crate) async fn load(
        tables: &'a Arc<Tables>,
        payer: Payer,
        id: TableId,
        audience: &'a mut Audience,
    ) -> Result<Self, LoadError> {
        let table = JournaledTable::load(Arc::clone(tables), payer, id).await?;
        let (epoch, version) = (table.live.epoch(), table.state().version());
        let missed = |seat, from| missed(&table, seat, from);
        audience.catch_up(epoch, version, missed, |seat| view(table.state(), seat));
        audience.ask_others();
        let counted = CountedStatus::new(tables, status(free_seats(table.state())));
        Ok(Self { tables, id, table, audience, payer, free_seats: None, counted })
    }

    /// Serves requests until no client needs the table.
    ///
    /// # Errors
    /// If the table must be loaded again.
    pub(crate) async fn serve(
        &mut self,
        mailbox: &mut GaugedReceiver<(Payer, TableRequest)>,
    ) -> Result<(), ReloadNeeded> {
        // When the table is evicted, unless a client needs it before.
        let mut quiet_until = Instant::now() + self.idle_time();
        let mut is_needed = false;
        // It is reset only when it must fire earlier: most requests leave it alone.
        let alarm = sleep_until(quiet_until);
        tokio::pin!(alarm);
        loop {
            let advance = self.settle().await?;
            self.audience.tell_changes();
            self.audience.note_absences(game::all_seats(self.table.state().game()));
            let deadline = self.table.state().deadline();
            let wake = match (advance, deadline) {
                (Advance::NotWritten, _) => Instant::now() + RETRY,
                (_, Some((_, end))) => self.tables.instant_of(end).min(quiet_until),
                (_, None) => quiet_until,
            };
            if wake < alarm.deadline() {
                alarm.as_mut().reset(wake);
            }
            tokio::select! {
                biased;
                chosen = self.table.chosen() => self.table.add_chosen(chosen).await?,
                request = mailbox.recv() => {
                    let Some((payer, request)) = request else { return Ok(()) };
                    if request.is_about_others() {
                        self.handle(payer, request).await?;
                        continue;
                    }
                    let is_deadline = matches!(request, TableRequest::Deadline { .. });
                    self.handle(payer, request).await?;
                    is_needed |= !is_deadline;
                    if !is_needed && self.audience.is_empty() {
                        self.mark_idle();
                        return Ok(());
                    }
                    if !is_deadline {
                        quiet_until = Instant::now() + self.idle_time();
                    }
                }
                () = &mut alarm => {
                    if Instant::now() < wake {
                        alarm.as_mut().reset(wake);
                        continue;
                    }
                    alarm.as_mut().reset(Instant::now() + self.idle_time());
                    if Instant::now() < quiet_until && advance != Advance::NotWritten {
                        // A deadline has passed.
                        continue;
                    }
                    self.audience.remove_disconnected();
                    let is_waiting = advance != Advance::NotWritten;
                    if is_waiting && self.audience.is_empty() {
                        if let Some(end) = self.end_soon() {
                            // It leaves right after that, and not a whole time later.
                            quiet_until = end.max(Instant::now() + SOON);
                            continue;
                        }
                        self.record_deadline().await?;
                        self.mark_idle();
                        return Ok(());
                    }
                    quiet_until = Instant::now() + self.idle_time();
                }
            }
        }
    }

    /// How long the table stays in memory without connections. A stranger asks for many tables and connects
    /// to none: such tables leave sooner, and the next request loads them again.
    fn idle_time(&self) -> Duration {
        let idle = Duration::from_millis(self.tables.limits().table_idle.into());
        if self.audience.was_attended() { idle } else { idle / 4 }
    }

    /// When a clock ends, if that is so soon that it is not worth while to evict the table.
    fn end_soon(&self) -> Option<Instant> {
        let end = self.table.state().deadline().map(|(_, end)| self.tables.instant_of(end));
        end.filter(|end| *end < Instant::now() + self.idle_time())
    }

    /// Records the deadline of the table; returns whether that worked. If not, the directory has an
    /// earlier deadline.
    async fn record_deadline(&mut self) -> Result<bool, ReloadNeeded> {
        loop {
            match self.table.record_deadline().await {
                Ok(true) => return Ok(true),
                Ok(false) => {
                    self.table.catch_up().await?;
                    self.broadcast_new();
                }
                Err(error) => {
                    tracing::warn!(table = %self.id.short(), %error, "a deadline was not recorded");
                    return Ok(false);
                }
            }
        }
    }

    /// Forfeits the round if the time is up, and records the next deadline. Returns whether both worked.
    async fn check_deadline(&mut self) -> Result<bool, ReloadNeeded> {
        let advance = self.settle().await?;
        Ok(advance != Advance::NotWritten && self.record_deadline().await?)
    }

    /// Broadcasts new entries and adds automatic ones, until the table waits for a person.
    async fn settle(&mut self) -> Result<Advance, ReloadNeeded> {
        loop {
            self.broadcast_new();
            let advance = self.table.advance(self.payer).await?;
            if advance != Advance::Advanced {
                return Ok(advance);
            }
        }
    }

    /// Broadcasts entries that the audience has not been sent.
    fn broadcast_new(&mut self) {
        let announcements = self.table.live.take_announcements();
        if !announcements.is_empty() {
            self.broadcast(&announcements);
            self.table.save_snapshot();
        }
    }

    /// Reads what other servers have appended, if a token is unknown: its seat may just have been taken there.
    async fn look_up(&mut self, token: Option<Digest>) -> Result<(), ReloadNeeded> {
        let is_unknown = token.is_some_and(|token| self.table.state().holder(token).is_none());
        if is_unknown && self.tables.is_shared() {
            self.table.catch_up().await?;
            self.broadcast_new();
        }
        Ok(())
    }

    /// Reads what other servers have appended, if a client knows a later version than this server.
    async fn look_for(&mut self, known: u64) -> Result<(), ReloadNeeded> {
        if known > self.table.state().version() && self.tables.is_shared() {
            self.table.catch_up().await?;
            self.broadcast_new();
        }
        Ok(())
    }

    /// Reads what other servers have appended, if an action claims a position that this server does not know
    /// yet: only in that position does it know which players are absent.
    async fn look_for_claimed(&mut self, action: &Action) -> Result<(), ReloadNeeded> {
        if self.is_later_claim(action) && self.tables.is_shared() {
            self.table.catch_up().await?;
            self.broadcast_new();
        }
        Ok(())
    }

    /// Whether an action claims a position that comes after the present one.
    fn is_later_claim(&self, action: &Action) -> bool {
        let state = self.table.state();
        matches!(action.body, ActionBody::Claim { round, ply, .. }
            if (round, ply) > (state.round(), state.ply()))
    }

    /// Refuses a client that knows a later version than the log has: it knows another log.
    fn check_known(&self, known: u64) -> Result<(), Refusal> {
        let version = self.table.state().version();
        if known <= version {
            return Ok(());
        }
        let why = format!("This log ends with version {version}: ask again without from");
        Err(refusal(codes::EARLY, why))
    }

    async fn handle(&mut self, payer: Payer, request: TableRequest) -> Result<(), ReloadNeeded> {
        match request {
            TableRequest::Join { subscriber, address, outbox, hello } => {
                self.look_up(hello.token.as_ref().map(Token::digest)).await?;
                self.join(subscriber, address, outbox, &hello);
            }
            TableRequest::Leave { subscriber } => self.audience.leave(subscriber),
            TableRequest::Act { subscriber, action, reply } => {
                self.act_for(payer, subscriber, action, reply).await?;
            }
            TableRequest::Resync { subscriber, known, reply } => {
                if let Some(Subscriber { seat, .. }) = self.audience.subscriber(subscriber) {
                    reply.send(&Ok(self.welcome(*seat, &known)));
                }
            }
            TableRequest::Emote { subscriber, emote } => self.audience.emote(subscriber, emote),
            TableRequest::Submit { token, action, answer } => {
                let actor = token.map_or(Actor::Stranger, Actor::Token);
                self.look_for_claimed(&action).await?;
                drop(answer.send(self.act(payer, action, actor).await?));
            }
            TableRequest::View { token, known, answer } => {
                self.look_up(token).await?;
                let seat = seat_of(self.table.state(), token);
                drop(answer.send(seat.map(|seat| self.welcome(seat, &known))));
            }
            TableRequest::Stream { token, from, address, lines, content, answer } => {
                self.look_up(token).await?;
                self.look_for(from).await?;
                let seat = self.check_known(from).and_then(|()| self.admit(token, address));
                if let Ok(seat) = seat {
                    let delivery = Delivery::Lines { lines, content };
                    self.audience.add(Subscriber { seat, address, delivery });
                }
                drop(answer.send(seat.map(|seat| self.welcome(seat, &Resync::default()))));
            }
            TableRequest::Attendance { answer } => drop(answer.send(self.attendance())),
            TableRequest::Deadline { answer } => {
                if self.check_deadline().await? {
                    drop(answer.send(Ok(())));
                }
            }
            TableRequest::Delete(deletion) => {
                if deletion.perform(self.tables, self.id).await {
                    return Err(ReloadNeeded::Deleted);
                }
            }
            TableRequest::Arrived(entries) => self.table.take_over(&entries).await?,
            TableRequest::Heard(notice) => self.audience.hear(notice),
            TableRequest::Asked => self.audience.note_asked(),
            TableRequest::TellAgain => self.audience.tell_again(),
            TableRequest::CatchUp => {
                self.audience.tell_again();
                self.table.catch_up().await?;
            }
            TableRequest::Reload => return Err(ReloadNeeded::Loss),
        }
        Ok(())
    }

    /// Lets a client join the channel of the table.
    fn join(&mut self, id: SubscriberId, address: IpAddr, outbox: Outbox, hello: &Hello) {
        match self.admit(hello.token.as_ref().map(Token::digest), address) {
            Ok(seat) => {
                let known = Resync { from: hello.from, epoch: hello.epoch.clone() };
                let welcome = self.welcome(seat, &known);
                self.audience.join(id, address, outbox, seat, &welcome);
                self.update_directory();
            }
            Err(refusal) => {
                let answer = JoinAnswer::Refuse(payload(&refusal));
                outbox.send(Outgoing::Answer(Box::new((id.channel, answer, Vec::new()))));
            }
        }
    }

    /// The seat of a client that wants to subscribe, or none if it is a spectator.
    fn admit(&mut self, token: Option<Digest>, address: IpAddr) -> Result<Option<Seat>, Refusal> {
        let seat = seat_of(self.table.state(), token)?;
        if seat.is_none() {
            self.audience.admit_spectator(address)?;
        }
        Ok(seat)
    }

    /// Answers an action of a subscriber.
    async fn act_for(
        &mut self,
        payer: Payer,
        id: SubscriberId,
        action: Action,
        reply: PushReply,
    ) -> Result<(), ReloadNeeded> {
        let outcome = match self.act_if_connected(payer, id, action).await {
            Ok(Some(outcome)) => outcome,
            Ok(None) => return Ok(()),
            Err(reason) => {
                reply.send(&Err::<Accepted, _>(unavailable()));
                return Err(reason);
            }
        };
        if let Ok(accepted) = &outcome
            && let Some(seat) = self.table.live.just_taken(accepted.version)
        {
            self.audience.take_seat(id, seat);
        }
        reply.send(&outcome);
        Ok(())
    }

    /// Brings an action of a subscriber into the log; none if it is not connected any more.
    async fn act_if_connected(
        &mut self,
        payer: Payer,
        id: SubscriberId,
        action: Action,
    ) -> Result<Option<Result<Accepted, Refusal>>, ReloadNeeded> {
        // This may end the connection, if another device has the seat by now.
        self.look_for_claimed(&action).await?;
        let Some(Subscriber { seat, .. }) = self.audience.subscriber(id) else { return Ok(None) };
        let actor = seat.map_or(Actor::Stranger, Actor::Seat);
        self.act(payer, action, actor).await.map(Some)
    }

    /// Brings an action into the log, and counts it.
    async fn act(
        &mut self,
        payer: Payer,
        action: Action,
        actor: Actor,
    ) -> Result<Result<Accepted, Refusal>, ReloadNeeded> {
        let work = self.table.work_of(&action);
        let paid = if work == 0 { Ok(()) } else { self.tables.pay(payer, work) };
        let paid = paid.map_err(Refusal::from);
        let outcome = match paid.and_then(|()| self.check_claim(&action)) {
            Ok(()) => self.table.act(payer, work, action, actor).await?,
            Err(refused) => Err(refused),
        };
        match &outcome {
            Ok(_) => {
                self.payer = payer;
                self.tables.metrics.accepted.inc();
            }
            // Players choose the codes of their rules, and could fill the memory with them.
            Err(_) if self.table.state().has_own_rules() => {
                self.tables.metrics.refused("own_rules");
            }
            Err(refusal) => self.tables.metrics.refused(refusal.code().as_str()),
        }
        Ok(outcome)
    }

    /// Refuses a claim for this position if the player is not absent, or has not had the time to move. A
    /// claim for an earlier position is left to the table, which may have recorded it already. One for a
    /// later position must not reach the table, which would read what comes before that and accept it.
    fn check_claim(&self, action: &Action) -> Result<(), Refusal> {
        let state = self.table.state();
        let ActionBody::Claim { seat, round, ply } = action.body else { return Ok(()) };
        if self.is_later_claim(action) {
            return Err(refusal(codes::EARLY, "This claim is meant for a later position"));
        }
        if (round, ply) < (state.round(), state.ply()) {
            return Ok(());
        }
        let has_left = state.occupant(seat).is_some_and(|occupant| !occupant.is_here);
        let mut patience = Duration::from_millis(self.tables.limits().claim_after.into());
        if has_left {
            // A player who has left and came back may be connected to another server.
            patience =
                if self.tables.is_shared() { patience.min(TOLD_WITHIN) } else { Duration::ZERO };
        }
        // A player without a connection may play by requests alone, and has as much time for each move.
        let waited = self.tables.unix_time().saturating_sub(state.at());
        let absence = self.audience.absence(seat);
        let why = match absence.map(|absence| absence.min(Duration::from_millis(waited))) {
            Some(_) if self.tables.is_shared() && !self.audience.knows_others() => {
                self.audience.ask_others_again();
                "This server has to ask the others whether the other player is connected: try again in a moment"
                    .to_owned()
            }
            Some(absence) if absence >= patience => return Ok(()),
            Some(absence) => {
                let seconds = patience.saturating_sub(absence).as_secs() + 1;
                format!("The other player may come back: you can claim the round in {seconds} s")
            }
            None => "The other player is connected: wait for the move".to_owned(),
        };
        Err(refusal(codes::NOT_ABSENT, why))
    }

    /// The welcome of a client, with the time: the clock of the client may be wrong.
    fn welcome(&self, seat: Option<Seat>, known: &Resync) -> Welcome {
        Welcome {
            now: Some(self.tables.unix_time()),
            claim_after: Some(self.tables.limits().claim_after.into()),
            ..self.table.live.welcome(seat, known)
        }
    }

    /// Sends every subscriber the new entries, as its seat may see them.
    fn broadcast(&mut self, announcements: &[Announcement]) {
        for announcement in announcements {
            if let EntryBody::SeatMoved { seat, .. } = announcement.entry().body {
                self.audience.end_connections(seat);
            }
        }
        let (state, sends_views) = (self.table.state(), self.table.sends_views);
        let entries = |seat| {
            let mut all = Entries { entries: Vec::with_capacity(announcements.len()), view: None };
            for announcement in announcements {
                let Entries { entries, view } = announcement.message_for(state, seat);
                all.entries.extend(entries);
                all.view = view;
            }
            if sends_views && all.view.is_none() {
                all.view = Some(Box::new(view(state, seat)));
            }
            all
        };
        self.audience.broadcast(state.version(), entries, |seat| view(state, seat));
        self.update_directory();
    }

    /// Whether a seat holder is connected. A seat holder who has left the table does not count,
    /// connected or not.
    fn attendance(&self) -> Attendance {
        let state = self.table.state();
        let has_left = |seat| state.occupant(seat).is_some_and(|occupant| !occupant.is_here);
        if self.audience.seats().any(|seat| !has_left(seat)) {
            Attendance::Present
        } else if self.audience.was_attended() || game::all_seats(state.game()).iter().any(has_left)
        {
            Attendance::Over
        } else {
            Attendance::NotYet
        }
    }

    fn update_directory(&mut self) {
        let free = free_seats(self.table.state());
        if self.free_seats.replace(free) != Some(free) {
            let status = status(free);
            self.counted.set(status);
            self.tables.seats_changed(self.id, free, status);
        }
    }

    /// Marks the table as idle in the directory, so that it is not listed, unless another server needs it.
    fn mark_idle(&mut self) {
        self.free_seats = None;
        self.audience.tell_changes();
        if self.audience.has_remote() {
            return;
        }
        let free = free_seats(self.table.state());
        self.tables.seats_changed(self.id, free, TableStatus::Idle);
    }
}

/// The table as the holder of a seat may see it, or a spectator.
fn view(state: &TableState, seat: Option<Seat>) -> TableView {
    state.view(seat.map_or(Viewer::Spectator, Viewer::Seat))
}

/// The entries after a version, as a seat may see them; none if the subscriber must join again
/// because another round has begun, or because another device may have its seat.
fn missed(table: &JournaledTable, seat: Option<Seat>, from: u64) -> Option<Entries> {
    let occupant = seat.and_then(|seat| table.state().occupant(seat));
    if occupant.is_some_and(|occupant| occupant.since > from) {
        return None;
    }
    let known = Resync { from: Some(from), epoch: Some(table.live.epoch().to_owned()) };
    let Welcome { start, entries, view, .. } = table.live.welcome(seat, &known);
    let view = table.sends_views.then(|| Box::new(view));
    start.is_none().then_some(Entries { entries, view })
}

/// The seat that a token holds; none for a spectator, who has no token.
fn seat_of(state: &TableState, token: Option<Digest>) -> Result<Option<Seat>, Refusal> {
    let Some(token) = token else { return Ok(None) };
    match state.holder(token) {
        Some(seat) => Ok(Some(seat)),
        None => Err(refusal(codes::BAD_TOKEN, "This token holds no seat at this table")),
    }
}

/// The status of a table in memory with this number of free seats.
const fn status(free: u8) -> TableStatus {
    if free == 0 { TableStatus::Playing } else { TableStatus::Waiting }
}

/// The status under which a table is counted.
struct CountedStatus<'a> {
    tables: &'a Tables,
    status: TableStatus,
}

impl<'a> CountedStatus<'a> {
    fn new(tables: &'a Tables, status: TableStatus) -> Self {
        tables.metrics.tables_with(status).inc();
        Self { tables, status }
    }

    fn set(&mut self, status: TableStatus) {
        *self = Self::new(self.tables, status);
    }
}

impl Drop for CountedStatus<'_> {
    fn drop(&mut self) {
        self.tables.metrics.tables_with(self.status).dec();
    }
}

fn free_seats(state: &TableState) -> u8 {
    let free = game::all_seats(state.game()).iter().filter(|seat| state.is_free(*seat));
    u8::try_from(free.count()).unwrap_or(u8::MAX)
}

fn unavailable() -> Refusal {
    let why = "The server does not know yet whether this was recorded: send it again";
    refusal(codes::UNAVAILABLE, why)
}
