//! What tables let the workers compute: games, and computers' moves.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use game::{AnyGame, DeclaredGame, StopFlag};
use table::{Entry, FoldEntries as _, Rehearsal, TableSecret, TableState, automatic_entries_until};
use tokio::time::{interval, sleep};

use super::Tables;
use crate::address_buckets::AddressRate;
use crate::fair_queue::QueueLimits;
use crate::game_cache::{FoundGame, NoRoom};
use crate::journaled_table::{ChosenEntries, LoadError};
use crate::rate_limits::Rate;
use crate::table_task::RETRY;
use crate::work_pool::{Payer, WorkLane, WorkRefused};
use crate::{RulesAuthor, RulesDigest};

/// The longest that a computer thinks about a move or an analysis. Its budget of work ends most searches long before;
/// this is for slow machines and large boards.
const COMPUTER_TIME: Duration = Duration::from_secs(5);

/// The cost of folding one entry into a state, in microseconds, about.
const ENTRY_WORK: u64 = 20;

/// The cost of reading rules, in microseconds: what the worst text of a player takes.
const RULES_WORK: u64 = 200_000;

impl Tables {
    /// The game of a table, by the name in its log: from the catalog, or by the text of rules that the
    /// journal keeps.
    pub(crate) async fn game_of_log(
        &self,
        payer: Payer,
        name: &str,
        author: RulesAuthor,
    ) -> Result<AnyGame, LoadError> {
        let unknown = match self.catalog.declared(name) {
            Ok(declared) => return Ok(self.game(payer, declared).await?),
            Err(why) => why,
        };
        let Some(digest) = RulesDigest::named_by(name) else {
            return Err(LoadError::NoGame(unknown));
        };
        if let Some(game) = self.games.get(name, self.monotonic()) {
            return Ok(game);
        }
        let Some(text) = self.journal.rules(digest).await? else {
            return Err(LoadError::NoGame("its rules are not in the journal".to_owned()));
        };
        let declared = self.read_rules(payer, text, author).await?.map_err(LoadError::NoGame)?;
        Ok(self.game(payer, declared).await?)
    }

    /// Lets a worker read a text of rules.
    pub(crate) async fn read_rules(
        &self,
        payer: Payer,
        text: String,
        author: RulesAuthor,
    ) -> Result<Result<DeclaredGame, String>, WorkRefused> {
        let catalog = Arc::clone(&self.catalog);
        self.compute(payer, RULES_WORK, move |_| catalog.read(&text, author)).await
    }

    /// The game that was declared: from memory, or built now. Several who want a game at once wait for
    /// the first one's build.
    pub(crate) async fn game(
        &self,
        payer: Payer,
        declared: DeclaredGame,
    ) -> Result<AnyGame, WorkRefused> {
        let (limits, name) = (self.limits(), declared.name().to_owned());
        let capacity = u64::from(limits.game_cache_kilobytes) << 10;
        let cell = match self.games.find(&name, declared.bytes(), capacity, self.monotonic()) {
            Ok(FoundGame::Game(game)) => return Ok(game),
            Ok(FoundGame::ToBuild(cell)) => cell,
            Err(NoRoom) => return Err(self.counted(WorkRefused::Memory)),
        };
        let table_bytes = limits.game_table_kilobytes as usize * 1_024;
        let work = declared.work();
        let build = || self.compute(payer, work, move |_| declared.build(table_bytes));
        let game = cell.get_or_try_init(build).await?;
        self.games.keep(&name, game, self.monotonic());
        Ok(game.clone())
    }

    /// Lets a worker compute something for a request, at most about this many microseconds. The payer
    /// pays for it first.
    pub(crate) async fn compute<T: Send + 'static>(
        &self,
        payer: Payer,
        work: u64,
        job: impl FnOnce(&StopFlag) -> T + Send + 'static,
    ) -> Result<T, WorkRefused> {
        self.pay(payer, work)?;
        let computed =
            self.workers.run(WorkLane::Requests, payer, self.queue_limits(payer), job).await;
        computed.map_err(|refused| self.counted(refused))
    }

    /// As [`Tables::compute`], for a search that might take longer than its work says: it is stopped
    /// after a while, it keeps no other request waiting, and the payer owes the time beyond its work,
    /// also if nobody waits for the result any more.
    pub(crate) async fn analyze<T: Send + 'static>(
        self: &Arc<Self>,
        payer: Payer,
        work: u64,
        job: impl FnOnce(&StopFlag) -> T + Send + 'static,
    ) -> Result<T, WorkRefused> {
        self.pay(payer, work)?;
        let (lane, limits) = (WorkLane::Analyses, self.queue_limits(payer));
        let job = self.charged(payer, work, job);
        let computed = self.workers.run_within(lane, payer, limits, COMPUTER_TIME, job).await;
        computed.map_err(|refused| self.counted(refused))
    }

    /// Lets a worker decide an action that was paid for with this much work, by rules that may take
    /// milliseconds. Nothing that takes longer keeps it waiting. The payer owes the time beyond its work.
    pub(crate) async fn decide<T: Send + 'static>(
        self: &Arc<Self>,
        payer: Payer,
        work: u64,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, WorkRefused> {
        let (lane, limits) = (WorkLane::Actions, self.queue_limits(payer));
        let job = self.charged(payer, work, move |_| job());
        let decided = self.workers.run(lane, payer, limits, job).await;
        decided.map_err(|refused| self.counted(refused))
    }

    /// A job whose payer owes the time beyond the work that was paid for.
    fn charged<T: 'static, J: FnOnce(&StopFlag) -> T + Send + 'static>(
        self: &Arc<Self>,
        payer: Payer,
        work: u64,
        job: J,
    ) -> impl FnOnce(&StopFlag) -> T + Send + use<T, J> {
        let tables = Arc::clone(self);
        move |stop| {
            let started = Instant::now();
            let done = job(stop);
            let taken = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
            tables.owe(payer, taken.saturating_sub(work));
            done
        }
    }

    /// Folds entries into a state or a table: here if they are few and their rules are fast, otherwise on
    /// a worker. By the rules of a player, the payer owes the time that it takes.
    pub(crate) async fn fold<S: Send + 'static>(
        self: &Arc<Self>,
        payer: Payer,
        author: RulesAuthor,
        entries: Vec<Entry>,
        state: S,
        fold: impl FnOnce(S, &[Entry]) -> S + Send + 'static,
    ) -> Result<S, WorkRefused> {
        let work = entries.len() as u64 * ENTRY_WORK;
        let (few, paid) = match author {
            RulesAuthor::Operator => (8, u64::MAX),
            RulesAuthor::Player => (0, work),
        };
        if entries.len() <= few {
            return Ok(fold(state, &entries));
        }
        let job = self.charged(payer, paid, move |_| fold(state, &entries));
        self.compute(payer, work, job).await
    }

    /// Lets a worker find the entries that a table adds on its own. A full queue is tried again after a
    /// while, because the table waits for its computer anyway.
    pub(crate) async fn choose(
        self: Arc<Self>,
        payer: Payer,
        state: TableState,
        secret: TableSecret,
    ) -> Result<ChosenEntries, WorkRefused> {
        loop {
            let (state, secret, now) = (state.clone(), secret.clone(), self.unix_time());
            let job = move |stop: &StopFlag| {
                let entries = automatic_entries_until(stop, &state, &secret, now);
                let mut rehearsal = Rehearsal::of(state);
                let folded = entries.as_ref().map_or(Ok(()), |entries| rehearsal.fold_all(entries));
                ChosenEntries { entries, effects: folded.map(|()| rehearsal.effects()) }
            };
            let limits = self.queue_limits(payer);
            let lane = WorkLane::Computers;
            match self.workers.run_within(lane, payer, limits, COMPUTER_TIME, job).await {
                Err(WorkRefused::Queue | WorkRefused::QueueOfAddress) => sleep(RETRY).await,
                chosen => return chosen,
            }
        }
    }

    /// Lets go of games that no table uses, for ever.
    #[expect(clippy::infinite_loop, reason = "its task is aborted when the server stops")]
    pub(crate) async fn tidy_games(self: Arc<Self>) -> Infallible {
        let mut ticks = interval(Duration::from_secs(5));
        loop {
            ticks.tick().await;
            let limits = self.limits();
            let since = self.monotonic().saturating_sub(limits.game_idle.into());
            self.games.tidy(since, u64::from(limits.game_cache_kilobytes) << 10);
        }
    }

    fn queue_limits(&self, payer: Payer) -> QueueLimits {
        let limits = self.limits();
        let per_key = match payer {
            Payer::Address(_) => limits.work_queue_per_address,
            Payer::Server => limits.work_queue.div_ceil(2),
        };
        QueueLimits { per_key, total: limits.work_queue }
    }

    /// Takes work, in microseconds, from the budget of an address.
    pub(crate) fn pay(&self, payer: Payer, work: u64) -> Result<(), WorkRefused> {
        let Payer::Address(address) = payer else { return Ok(()) };
        let limit = AddressRate { rate: self.work_rate(), addresses: self.limits().addresses };
        let paid = self.work_budgets.take_many(address, work, limit, self.monotonic());
        paid.map_err(|retry| self.counted(WorkRefused::OverBudget(retry)))
    }

    /// Charges a payer for work that was done already.
    fn owe(&self, payer: Payer, work: u64) {
        if let Payer::Address(address) = payer {
            self.work_budgets.owe(address, work, self.work_rate(), self.monotonic());
        }
    }

    /// The work that an address may cause, in microseconds.
    fn work_rate(&self) -> Rate {
        let limits = self.limits();
        let microseconds = |milliseconds: u32| milliseconds.saturating_mul(1_000);
        Rate::per_second(microseconds(limits.work_per_second), microseconds(limits.work_at_once))
    }

    /// Counts a refusal by the name of its limit.
    fn counted(&self, refused: WorkRefused) -> WorkRefused {
        let limit = match refused {
            WorkRefused::OverBudget(_) => "work_per_second",
            WorkRefused::QueueOfAddress => "work_queue_per_address",
            WorkRefused::Queue => "work_queue",
            WorkRefused::Memory => "game_cache_kilobytes",
            WorkRefused::Failed => return refused,
        };
        self.metrics.limited(limit);
        refused
    }
}
