//! A server, the tables on it, and their players.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, bail};
use futures_util::{StreamExt, TryStreamExt, stream};
use game::{Generator, Seat};
use rustix::process::Signal;
use table::Entry;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::ledger::{Ledger, SoakViolation};
use super::log_reader::{epoch, read_log};
use super::player::{MAX_ROUNDS, SoakPlayer};
use super::shared_state::{Counters, Phase, SharedState};
use crate::http::{self, NewTable};
use crate::process::{Launch, Process};

/// The number of concurrent requests.
const AT_ONCE: usize = 16;

/// The time limit for players to agree.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A server, the tables on it, and their players.
#[derive(Debug)]
pub(crate) struct Testbed {
    pub(crate) shared: Rc<SharedState>,
    /// How to launch the server, unless others do.
    launch: Option<Launch>,
    server: Option<Process>,
    /// Where players connect, if that is not the server itself.
    entrance: Option<SocketAddr>,
    /// The memory of the server right after its launch, in kilobytes.
    pub(crate) initial_memory: u64,
    tables: Vec<Rc<RefCell<Ledger>>>,
    players: JoinSet<()>,
    pub(crate) generator: Generator,
    /// Each violation, with the id of its table.
    pub(crate) violations: Vec<(String, SoakViolation)>,
    checks: u64,
}

impl Testbed {
    /// Launches a server and creates tables with players.
    pub(crate) async fn open(launch: Launch, tables: usize, seed: u64) -> anyhow::Result<Self> {
        let server = launch.launch().await?;
        let mut testbed = Self::new(seed);
        testbed.initial_memory = server.allocated()?;
        testbed.shared.set_server(Some(server.address));
        (testbed.launch, testbed.server) = (Some(launch), Some(server));
        testbed.add(tables).await?;
        Ok(testbed)
    }

    /// Creates tables with players on servers that others launch, behind one address.
    pub(crate) async fn over(
        entrance: SocketAddr,
        tables: usize,
        seed: u64,
    ) -> anyhow::Result<Self> {
        let mut testbed = Self::new(seed);
        testbed.entrance = Some(entrance);
        testbed.shared.set_server(Some(entrance));
        testbed.add(tables).await?;
        Ok(testbed)
    }

    fn new(seed: u64) -> Self {
        Self {
            shared: Rc::new(SharedState::new()),
            launch: None,
            server: None,
            entrance: None,
            initial_memory: 0,
            tables: Vec::new(),
            players: JoinSet::new(),
            generator: Generator::seeded(seed),
            violations: Vec::new(),
            checks: 0,
        }
    }

    /// Creates more tables with players.
    async fn add(&mut self, count: usize) -> anyhow::Result<()> {
        let address = self.address()?;
        let created = stream::iter(0..count).map(|_| create_table(address));
        let created: Vec<_> = created.buffered(AT_ONCE).try_collect().await?;
        let ledgers: Vec<_> =
            created.into_iter().map(|table| Rc::new(RefCell::new(Ledger::new(table)))).collect();
        for (place, ledger) in ledgers.iter().enumerate() {
            let neighbour = ledgers.get((place + 1) % ledgers.len());
            for seat in [Seat::FIRST, Seat::SECOND] {
                let neighbour = neighbour.filter(|other| !Rc::ptr_eq(other, ledger)).cloned();
                let (shared, seed) = (Rc::clone(&self.shared), self.generator.next_bits());
                let player = SoakPlayer::new(shared, Rc::clone(ledger), neighbour, seat, seed);
                self.players.spawn_local(player.run());
            }
        }
        self.tables.extend(ledgers);
        Ok(())
    }

    pub(crate) fn server(&self) -> anyhow::Result<&Process> {
        self.server.as_ref().context("the server is not running")
    }

    pub(crate) fn address(&self) -> anyhow::Result<SocketAddr> {
        self.entrance.map_or_else(|| Ok(self.server()?.address), Ok)
    }

    /// Lets the players play for a while.
    pub(crate) async fn play(&self, time: Duration) {
        sleep(time).await;
    }

    /// Kills the server and launches it again.
    pub(crate) async fn kill(&mut self) -> anyhow::Result<()> {
        let server = self.server.take().context("the server is not running")?;
        server.kill().await?;
        self.restart().await
    }

    /// Terminates the server properly and launches it again. The epoch must not change, because nothing
    /// can be lost.
    pub(crate) async fn terminate(&mut self) -> anyhow::Result<()> {
        let before = self.epoch().await;
        let server = self.server.take().context("the server is not running")?;
        if let Err(error) = server.terminate().await {
            self.report("", SoakViolation::Other { what: format!("{error:#}") });
        }
        self.restart().await?;
        let what = match (before, self.epoch().await) {
            (Ok(before), Ok(after)) if before == after => return Ok(()),
            (Ok(_), Ok(_)) => {
                "the epoch changed although the server was stopped properly".to_owned()
            }
            (Err(error), _) | (_, Err(error)) => format!("{error:#}"),
        };
        self.report("", SoakViolation::Other { what });
        Ok(())
    }

    /// The epoch of the first table.
    async fn epoch(&self) -> anyhow::Result<String> {
        let first = self.ids().into_iter().next().context("there is no table")?;
        let began = Instant::now();
        while began.elapsed() < TIMEOUT {
            if let Some(epoch) = epoch(self.address()?, &first).await? {
                return Ok(epoch);
            }
            sleep(Duration::from_millis(50)).await;
        }
        bail!("a table cannot be read")
    }

    /// Freezes the server for a while.
    pub(crate) async fn freeze(&self, time: Duration) -> anyhow::Result<()> {
        let server = self.server()?;
        server.signal(Signal::STOP)?;
        sleep(time).await;
        server.signal(Signal::CONT)
    }

    async fn restart(&mut self) -> anyhow::Result<()> {
        self.shared.set_server(None);
        sleep(Duration::from_millis(self.generator.below(100))).await;
        let began = Instant::now();
        let launch = self.launch.as_ref().context("others launch the servers")?;
        let server = launch.launch().await?;
        self.initial_memory = server.allocated()?;
        self.shared.begin_recovery(began);
        self.shared.set_server(Some(server.address));
        self.server = Some(server);
        Ok(())
    }

    /// Waits until the server acknowledges an action after its launch.
    pub(crate) async fn await_recovery(&mut self) {
        self.await_recovery_within(TIMEOUT).await;
    }

    /// The same, with a limit.
    pub(crate) async fn await_recovery_within(&mut self, limit: Duration) {
        let began = Instant::now();
        while self.shared.is_recovering() {
            if began.elapsed() > limit {
                let what = "no action was acknowledged for too long".to_owned();
                return self.report("", SoakViolation::Other { what });
            }
            sleep(Duration::from_millis(2)).await;
        }
    }

    /// The number of actions that were first sent after a moment, and of those that were acknowledged.
    pub(crate) fn actions_after(&self, moment: Instant) -> [usize; 2] {
        let tables =
            self.tables.iter().map(|ledger| ledger.borrow().actions_after(moment.into_std()));
        tables.fold([0, 0], |[sent, acknowledged], next| [sent + next[0], acknowledged + next[1]])
    }

    pub(crate) fn report(&mut self, table: &str, violation: SoakViolation) {
        self.violations.push((table.to_owned(), violation));
    }

    /// Pauses the players, compares their replicas with the logs, and lets them play on.
    pub(crate) async fn check(&mut self) -> anyhow::Result<()> {
        self.checks += 1;
        self.shared.enter(Phase::Paused);
        self.settle().await;
        for (ledger, log) in self.tables.iter().zip(self.logs().await?) {
            let violations = match log {
                Ok(log) => ledger.borrow_mut().check(&log),
                Err(error) => vec![SoakViolation::Other { what: format!("{error:#}") }],
            };
            self.violations
                .extend(violations.into_iter().map(|violation| ledger.borrow().about(violation)));
        }
        self.replace_finished().await?;
        self.shared.enter(Phase::Playing);
        Ok(())
    }

    /// The ids of the tables.
    pub(crate) fn ids(&self) -> Vec<String> {
        self.tables.iter().map(|ledger| ledger.borrow().table.id.clone()).collect()
    }

    /// The log of each table, up to the first unreadable one.
    async fn logs(&self) -> anyhow::Result<Vec<anyhow::Result<Vec<Entry>>>> {
        let address = self.address()?;
        let tables: Vec<_> =
            self.tables.iter().map(|ledger| ledger.borrow().table.clone()).collect();
        let reading =
            stream::iter(tables).map(|table| async move { read_log(address, &table).await });
        let mut reading = reading.buffered(AT_ONCE);
        let mut logs = Vec::new();
        while let Some(log) = reading.next().await {
            logs.push(log);
            if logs.last().is_some_and(Result::is_err) {
                break;
            }
        }
        Ok(logs)
    }

    /// Waits until no action is pending and both players of each table have the same version.
    async fn settle(&self) {
        let began = Instant::now();
        while began.elapsed() < TIMEOUT
            && !self.tables.iter().all(|each| is_settled(&each.borrow()))
        {
            sleep(Duration::from_millis(10)).await;
        }
    }

    async fn replace_finished(&mut self) -> anyhow::Result<()> {
        let before = self.tables.len();
        self.tables.retain(|ledger| {
            let mut ledger = ledger.borrow_mut();
            let rounds = ledger.replicas[0].as_ref().map_or(0, |known| known.confirmed().round());
            ledger.is_over = rounds > MAX_ROUNDS;
            !ledger.is_over
        });
        self.add(before - self.tables.len()).await
    }

    /// Lets all players leave. The server stays.
    pub(crate) async fn end_players(&mut self) {
        self.shared.enter(Phase::Over);
        while self.players.join_next().await.is_some() {}
        for ledger in &self.tables {
            let noticed = ledger.borrow_mut().take_noticed();
            self.violations
                .extend(noticed.into_iter().map(|violation| ledger.borrow().about(violation)));
        }
    }

    /// Ends the players and the server; returns the results.
    pub(crate) async fn close(mut self) -> anyhow::Result<SoakResult> {
        self.end_players().await;
        if let Some(server) = self.server.take() {
            server.kill().await?;
        }
        let counters = self.shared.counters.borrow().clone();
        Ok(SoakResult { counters, violations: self.violations, checks: self.checks })
    }
}

/// The results of a testbed.
#[derive(Debug)]
pub(crate) struct SoakResult {
    pub(crate) counters: Counters,
    pub(crate) violations: Vec<(String, SoakViolation)>,
    pub(crate) checks: u64,
}

/// Creates a table; tries again while the server has a reason to refuse everybody for a moment, as after the
/// election of a leader.
async fn create_table(server: SocketAddr) -> anyhow::Result<NewTable> {
    let began = Instant::now();
    loop {
        match http::create_table(server).await {
            Err(_) if began.elapsed() < TIMEOUT => sleep(Duration::from_millis(200)).await,
            result => return result,
        }
    }
}

fn is_settled(ledger: &Ledger) -> bool {
    let idle = ledger.replicas.iter().flatten().filter(|replica| replica.pending().len() == 0);
    idle.count() == 2 && ledger.versions().len() == 1
}
