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

use super::ledger::{Finding, Ledger};
use super::player::{MOST_ROUNDS, Player};
use super::reading::{epoch, read_log};
use super::world::{Stage, World};
use crate::http;
use crate::process::{Process, Start};

/// How many requests are made at a time.
const AT_ONCE: usize = 16;

/// How long players may take until all know the same.
const PATIENCE: Duration = Duration::from_secs(10);

/// A server, the tables on it, and their players.
#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) world: Rc<World>,
    start: Start,
    server: Option<Process>,
    /// How much memory the server had before anybody came, in kilobytes.
    pub(crate) fresh: u64,
    tables: Vec<Rc<RefCell<Ledger>>>,
    players: JoinSet<()>,
    pub(crate) generator: Generator,
    /// What must not be, and at which table.
    pub(crate) findings: Vec<(String, Finding)>,
    checks: u64,
}

impl Scene {
    /// Starts a server and lets so many tables begin.
    pub(crate) async fn open(start: Start, tables: usize, seed: u64) -> anyhow::Result<Self> {
        let server = start.start().await?;
        let fresh = server.memory()?;
        let world = Rc::new(World::new());
        world.move_server(Some(server.address));
        let mut scene = Self {
            world,
            start,
            server: Some(server),
            fresh,
            tables: Vec::new(),
            players: JoinSet::new(),
            generator: Generator::seeded(seed),
            findings: Vec::new(),
            checks: 0,
        };
        scene.add(tables).await?;
        Ok(scene)
    }

    /// Lets more tables begin.
    async fn add(&mut self, count: usize) -> anyhow::Result<()> {
        let address = self.address()?;
        let created = stream::iter(0..count).map(|_| http::create_table(address));
        let created: Vec<_> = created.buffered(AT_ONCE).try_collect().await?;
        let ledgers: Vec<_> =
            created.into_iter().map(|table| Rc::new(RefCell::new(Ledger::new(table)))).collect();
        for (place, ledger) in ledgers.iter().enumerate() {
            let neighbour = ledgers.get((place + 1) % ledgers.len());
            for seat in [Seat::FIRST, Seat::SECOND] {
                let neighbour = neighbour.filter(|other| !Rc::ptr_eq(other, ledger)).cloned();
                let (world, seed) = (Rc::clone(&self.world), self.generator.next_bits());
                let player = Player::new(world, Rc::clone(ledger), neighbour, seat, seed);
                self.players.spawn_local(player.run());
            }
        }
        self.tables.extend(ledgers);
        Ok(())
    }

    pub(crate) fn server(&self) -> anyhow::Result<&Process> {
        self.server.as_ref().context("there is no server")
    }

    pub(crate) fn address(&self) -> anyhow::Result<SocketAddr> {
        Ok(self.server()?.address)
    }

    /// Lets everybody play for a while.
    pub(crate) async fn play(&self, time: Duration) {
        sleep(time).await;
    }

    /// Kills the server and starts it again.
    pub(crate) async fn kill(&mut self) -> anyhow::Result<()> {
        let server = self.server.take().context("there is no server")?;
        server.kill().await?;
        self.restart().await
    }

    /// Asks the server to stop and starts it again: nothing can be lost, so clients go on where they
    /// were.
    pub(crate) async fn terminate(&mut self) -> anyhow::Result<()> {
        let before = self.epoch().await;
        let server = self.server.take().context("there is no server")?;
        if let Err(error) = server.terminate().await {
            self.find("", Finding::Other { what: format!("{error:#}") });
        }
        self.restart().await?;
        let what = match (before, self.epoch().await) {
            (Ok(before), Ok(after)) if before == after => return Ok(()),
            (Ok(_), Ok(_)) => {
                "the server was stopped as it should be, and the epoch is another one".to_owned()
            }
            (Err(error), _) | (_, Err(error)) => format!("{error:#}"),
        };
        self.find("", Finding::Other { what });
        Ok(())
    }

    /// The epoch of the first table.
    async fn epoch(&self) -> anyhow::Result<String> {
        let first = self.ids().into_iter().next().context("there is a table")?;
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            if let Some(epoch) = epoch(self.address()?, &first).await? {
                return Ok(epoch);
            }
            sleep(Duration::from_millis(50)).await;
        }
        bail!("a table cannot be read")
    }

    /// Stops the server's threads for a while.
    pub(crate) async fn freeze(&self, time: Duration) -> anyhow::Result<()> {
        let server = self.server()?;
        server.signal(Signal::STOP)?;
        sleep(time).await;
        server.signal(Signal::CONT)
    }

    async fn restart(&mut self) -> anyhow::Result<()> {
        self.world.move_server(None);
        sleep(Duration::from_millis(self.generator.below(100))).await;
        let began = Instant::now();
        let server = self.start.start().await?;
        self.fresh = server.memory()?;
        self.world.begin_recovery(began);
        self.world.move_server(Some(server.address));
        self.server = Some(server);
        Ok(())
    }

    /// Waits until something is acknowledged after a start.
    pub(crate) async fn await_recovery(&mut self) {
        let began = Instant::now();
        while self.world.is_recovering() {
            if began.elapsed() > PATIENCE {
                let what = "nothing was acknowledged for too long".to_owned();
                return self.find("", Finding::Other { what });
            }
            sleep(Duration::from_millis(2)).await;
        }
    }

    pub(crate) fn find(&mut self, table: &str, finding: Finding) {
        self.findings.push((table.to_owned(), finding));
    }

    /// Lets the players rest, compares what they know with the logs, and lets them go on.
    pub(crate) async fn check(&mut self) -> anyhow::Result<()> {
        self.checks += 1;
        self.world.enter(Stage::Paused);
        self.settle().await;
        for (ledger, log) in self.tables.iter().zip(self.logs().await?) {
            let findings = match log {
                Ok(log) => ledger.borrow_mut().check(&log),
                Err(error) => vec![Finding::Other { what: format!("{error:#}") }],
            };
            self.findings
                .extend(findings.into_iter().map(|finding| ledger.borrow().about(finding)));
        }
        self.replace_worn_out().await?;
        self.world.enter(Stage::Playing);
        Ok(())
    }

    /// The tables by their names.
    pub(crate) fn ids(&self) -> Vec<String> {
        self.tables.iter().map(|ledger| ledger.borrow().table.id.clone()).collect()
    }

    /// The log of each table, up to the first that cannot be read.
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

    /// Waits until nothing is pending and both players of each table know the same.
    async fn settle(&self) {
        let began = Instant::now();
        while began.elapsed() < PATIENCE
            && !self.tables.iter().all(|each| is_settled(&each.borrow()))
        {
            sleep(Duration::from_millis(10)).await;
        }
    }

    async fn replace_worn_out(&mut self) -> anyhow::Result<()> {
        let before = self.tables.len();
        self.tables.retain(|ledger| {
            let mut ledger = ledger.borrow_mut();
            let rounds = ledger.replicas[0].as_ref().map_or(0, |known| known.confirmed().round());
            ledger.is_over = rounds > MOST_ROUNDS;
            !ledger.is_over
        });
        self.add(before - self.tables.len()).await
    }

    /// All go home; the server stays.
    pub(crate) async fn send_home(&mut self) {
        self.world.enter(Stage::Over);
        while self.players.join_next().await.is_some() {}
        for ledger in &self.tables {
            let noticed = ledger.borrow_mut().take_noticed();
            self.findings.extend(noticed.into_iter().map(|finding| ledger.borrow().about(finding)));
        }
    }

    /// Ends the server, and gives how it was started.
    pub(crate) async fn close(mut self) -> anyhow::Result<Closed> {
        self.send_home().await;
        let server = self.server.take().context("there is no server")?;
        server.kill().await?;
        let tally = self.world.tally.borrow().clone();
        Ok(Closed { tally, findings: self.findings, checks: self.checks })
    }
}

/// What came of a scene.
#[derive(Debug)]
pub(crate) struct Closed {
    pub(crate) tally: super::world::Tally,
    pub(crate) findings: Vec<(String, Finding)>,
    pub(crate) checks: u64,
}

fn is_settled(ledger: &Ledger) -> bool {
    let idle = ledger.replicas.iter().flatten().filter(|replica| replica.pending().len() == 0);
    idle.count() == 2 && ledger.known().len() == 1
}
