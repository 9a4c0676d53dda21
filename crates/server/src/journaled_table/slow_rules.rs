//! What may take longer than a millisecond at a table: the rules of a player, and playing a round again for a
//! takeback. It runs on a worker, with a copy of the state.

use std::panic::resume_unwind;

use game::{Game, Refusal, Seat, Turn, all_seats};
use table::{
    Action, ActionBody, Actor, Attempt, AttemptStep, Entry, FoldEntries, FoldError,
    MOST_MOVES_TO_REPLAY, Rehearsal,
};
use tokio::time::sleep;

use super::{JournaledTable, ReloadNeeded};
use crate::table_task::RETRY;
use crate::work_pool::{Payer, WorkRefused};

/// The cost of an action at a table whose rules a player wrote, in microseconds: what the worst rules
/// take for a move. Whatever takes longer is owed.
const OWN_RULES_ACTION_WORK: u64 = 2_000;

/// The cost of playing a move of other rules again, in microseconds.
const REPLAYED_MOVE_WORK: u64 = 20;

/// An attempt, and what it asks for.
pub(super) struct AttemptProgress {
    pub(super) attempt: Attempt,
    pub(super) step: AttemptStep,
    /// Why the entries that the attempt wants to append would break the rules.
    pub(super) broken: Option<FoldError>,
}

/// What follows from the answer of the journal to an attempt.
pub(super) enum JournalAnswer {
    /// The next step of the attempt.
    Step(AttemptStep),
    /// Others have appended these entries, from which the next step follows.
    Others(Vec<Entry>),
}

impl JournaledTable {
    /// The work of an action that is decided by a worker, in microseconds; none for an action that is
    /// decided at once.
    pub(crate) fn work_of(&self, action: &Action) -> u64 {
        let state = self.state();
        let replayed = state.history().len().min(MOST_MOVES_TO_REPLAY) as u64;
        match (state.has_own_rules(), &action.body) {
            // Asking leads to an answer.
            (true, ActionBody::AskTakeback { .. } | ActionBody::GrantTakeback { .. }) => {
                OWN_RULES_ACTION_WORK * (1 + replayed)
            }
            (true, _) => OWN_RULES_ACTION_WORK,
            (false, ActionBody::GrantTakeback { .. }) => REPLAYED_MOVE_WORK * (1 + replayed),
            (false, _) => 0,
        }
    }

    /// Begins an attempt: here, or on a worker if work was paid for.
    pub(super) async fn begin_attempt(
        &mut self,
        payer: Payer,
        work: u64,
        action: Action,
        by: Actor,
    ) -> Result<AttemptProgress, Refusal> {
        let now = self.tables.unix_time();
        if work == 0 {
            let (attempt, step) = Attempt::begin(self.state(), action, by, now);
            return Ok(AttemptProgress { attempt, step, broken: None });
        }
        let state = self.state().clone();
        let begin = move || {
            let mut rehearsal = Rehearsal::of(state);
            let (attempt, step) = Attempt::begin(rehearsal.state(), action, by, now);
            let broken = rehearsal.try_step(&step).err();
            (AttemptProgress { attempt, step, broken }, rehearsal.effects())
        };
        match Box::pin(self.tables.decide(payer, work, begin)).await {
            Ok((progress, effects)) => {
                self.live.adopt(effects);
                Ok(progress)
            }
            Err(WorkRefused::Failed) => fail(),
            Err(refused) => Err(refused.into()),
        }
    }

    /// Lets an attempt go on after entries of others: here, or on a worker if work was paid for.
    pub(super) async fn go_on(
        &mut self,
        payer: Payer,
        work: u64,
        mut attempt: Attempt,
        others: Vec<Entry>,
    ) -> Result<AttemptProgress, ReloadNeeded> {
        if work == 0 {
            let step = attempt.conflicted(&mut self.live, &others)?;
            return Ok(AttemptProgress { attempt, step, broken: None });
        }
        let state = self.state().clone();
        let go_on = move || {
            let mut rehearsal = Rehearsal::of(state);
            let step = attempt.conflicted(&mut rehearsal, &others)?;
            let broken = rehearsal.try_step(&step).err();
            let progress = AttemptProgress { attempt, step, broken };
            Ok::<_, FoldError>((progress, rehearsal.effects(), others))
        };
        let (progress, effects, others) = Box::pin(self.compute_patiently(payer, go_on)).await?;
        self.live.adopt(effects);
        self.live.fold_all(&others)?;
        Ok(progress)
    }

    /// Folds entries that others have appended.
    pub(super) async fn fold_found(&mut self, entries: Vec<Entry>) -> Result<(), ReloadNeeded> {
        if !self.state().has_own_rules() || entries.is_empty() {
            return Ok(self.live.fold_all(&entries)?);
        }
        let state = self.state().clone();
        let fold = move || {
            let mut rehearsal = Rehearsal::of(state);
            rehearsal.fold_all(&entries).map(|()| (rehearsal.effects(), entries))
        };
        let (effects, entries) = Box::pin(self.compute_patiently(Payer::Server, fold)).await?;
        self.live.adopt(effects);
        Ok(self.live.fold_all(&entries)?)
    }

    /// Lets a worker compute what must be computed before the table goes on. A full queue is tried again
    /// after a while.
    async fn compute_patiently<T: Send + 'static>(
        &self,
        payer: Payer,
        job: impl FnOnce() -> T + Clone + Send + 'static,
    ) -> T {
        loop {
            match self.tables.decide(payer, 0, job.clone()).await {
                Ok(done) => return done,
                Err(WorkRefused::Failed) => fail(),
                Err(_busy) => sleep(RETRY).await,
            }
        }
    }

    /// Whether a worker must find out what the table adds on its own: a computer player is to move or is
    /// asked to let a move be taken back, or chance draws by the rules of a player.
    pub(super) fn awaits_worker(&self, now: u64) -> bool {
        let state = self.state();
        if !state.is_full() || state.has_ended() {
            return false;
        }
        let is_computer = |seat: Seat| state.level(seat).is_some();
        let is_asked =
            |asker| all_seats(state.game()).iter().any(|seat| seat != asker && is_computer(seat));
        if state.takeback().is_some_and(is_asked) {
            return true;
        }
        let is_in_time = state.deadline().is_none_or(|(_, end)| now < end);
        if !is_in_time || state.outcome().is_some() {
            return false;
        }
        let draws = || matches!(state.game().turn(state.position()), Turn::Chance);
        state.turn().iter().any(|seat| is_computer(seat) && !state.has_sealed(seat))
            || state.has_own_rules() && draws()
    }
}

/// A failure of the rules is a failure of this table.
fn fail() -> ! {
    resume_unwind(Box::new(WorkRefused::Failed))
}
