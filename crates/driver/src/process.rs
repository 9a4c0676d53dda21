//! The server as a process: launched, measured, signalled.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, bail};
use rustix::process::{Pid, Resource, Rlimit, Signal};
use rustix::thread::CpuSet;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

/// The time limit for a server to start or to stop.
const TIMEOUT: Duration = Duration::from_secs(15);

/// A running program that listens.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    pid: Pid,
    pub(crate) address: SocketAddr,
    /// Kept open, because the program may print until its end.
    _output: Lines<BufReader<ChildStdout>>,
}

/// How to launch a server.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    pub(crate) core: Option<usize>,
    /// The file for its log; without one, the log is dropped.
    pub(crate) log: Option<PathBuf>,
}

impl Launch {
    /// `cradle serve` as strangers find it.
    pub(crate) fn with_default_limits(program: &Path, data: &Path) -> Self {
        Self::of(program, "sqlite", data)
    }

    /// `cradle serve`, with limits high enough that one address can run all players.
    pub(crate) fn server(program: &Path, journal: &str, data: &Path) -> Self {
        let raised = [
            "connections_per_address",
            "channels_per_address",
            "connections",
            "actions_per_second",
            "actions_at_once",
            "joins_per_second",
            "joins_at_once",
            "requests_per_second",
            "requests_at_once",
            "tables_per_minute",
            "tables_at_once",
            "messages_per_second",
            "messages_at_once",
        ];
        let help = known_settings(program);
        // A program that cannot be asked fails when it is launched.
        let is_known = |limit: &&str| help.as_ref().is_none_or(|help| help.contains(*limit));
        let launch = Self::of(program, journal, data);
        let known = raised.into_iter().filter(is_known);
        known.fold(launch, |launch, limit| launch.with_limit(limit, 1_000_000))
    }

    fn of(program: &Path, journal: &str, data: &Path) -> Self {
        let mut arguments: Vec<String> =
            ["serve", "--listen", "127.0.0.1:0", "--log", "warn"].map(str::to_owned).to_vec();
        arguments.extend(["--journal".to_owned(), journal.to_owned()]);
        arguments.extend(["--data".to_owned(), data.display().to_string()]);
        Self { program: program.to_owned(), arguments, core: None, log: None }
    }

    /// The same launch with a limit.
    pub(crate) fn with_limit(mut self, name: &str, value: u32) -> Self {
        self.arguments.extend(["--limit".to_owned(), format!("{name}={value}")]);
        self
    }

    /// The same launch at an address instead of any.
    pub(crate) fn listening(mut self, address: SocketAddr) -> Self {
        let given = self.arguments.iter().position(|argument| argument == "--listen");
        let place = given.expect("every launch says where to listen") + 1;
        self.arguments[place] = address.to_string();
        self
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stdin(Stdio::null()).stdout(Stdio::piped());
        command.kill_on_drop(true);
        command
    }

    /// Launches a server that should fail; returns whether it failed, and what it printed.
    pub(crate) async fn launch_expecting_failure(&self) -> anyhow::Result<(bool, String)> {
        let ended = self.command().stderr(Stdio::piped()).output();
        let ended = timeout(TIMEOUT, ended)
            .await
            .context("the server started although it should fail")??;
        let printed = String::from_utf8_lossy(&ended.stderr).trim().to_owned();
        Ok((!ended.status.success(), printed))
    }

    /// Launches it and waits until it listens.
    pub(crate) async fn launch(&self) -> anyhow::Result<Process> {
        let mut command = self.command();
        let log = self.log.as_ref().map(|path| {
            std::fs::File::options().create(true).append(true).open(path).map(Stdio::from)
        });
        command.stderr(log.transpose()?.unwrap_or_else(Stdio::null));
        let ours = rustix::thread::sched_getaffinity(None)?;
        // A process inherits the cores of the thread that launches it.
        self.core.map_or(Ok(()), pin)?;
        let child = command.spawn();
        rustix::thread::sched_setaffinity(None, &ours)?;
        let child =
            child.with_context(|| format!("{} cannot be launched", self.program.display()))?;
        Process::listening(child).await
    }
}

impl Process {
    async fn listening(mut child: Child) -> anyhow::Result<Self> {
        let pid = child.id().and_then(|pid| Pid::from_raw(pid.try_into().ok()?));
        let pid = pid.context("the server has ended")?;
        let mut output =
            BufReader::new(child.stdout.take().context("the server has no output")?).lines();
        let line =
            timeout(TIMEOUT, output.next_line()).await.context("the server printed nothing")??;
        let address = line.as_deref().and_then(|line| line.rsplit("://").next());
        let Some(Ok(address)) = address.map(str::parse) else {
            bail!("the server did not start: {}", line.unwrap_or_default());
        };
        Ok(Self { child, pid, address, _output: output })
    }

    /// Its number in the system.
    pub(crate) fn id(&self) -> u32 {
        self.pid.as_raw_nonzero().get().unsigned_abs()
    }

    /// Kills it, as a power cut would.
    pub(crate) async fn kill(mut self) -> anyhow::Result<()> {
        Ok(self.child.kill().await?)
    }

    /// Terminates it properly, and waits until it has stopped.
    pub(crate) async fn terminate(mut self) -> anyhow::Result<()> {
        self.signal(Signal::TERM)?;
        let status = timeout(TIMEOUT, self.child.wait()).await;
        let status = status.context("the server does not stop on SIGTERM")??;
        if !status.success() {
            bail!("the server stopped with {status}");
        }
        Ok(())
    }

    pub(crate) fn signal(&self, signal: Signal) -> anyhow::Result<()> {
        Ok(rustix::process::kill_process(self.pid, signal)?)
    }

    /// The CPU time of all its threads.
    pub(crate) fn cpu(&self) -> anyhow::Result<Duration> {
        processor_time(self.id())
    }

    /// Its resident memory, in kilobytes.
    pub(crate) fn memory(&self) -> anyhow::Result<u64> {
        resident_memory(self.id())
    }

    /// The part of its memory that it has allocated, in kilobytes: without its program, of which more and
    /// more is loaded while it runs.
    pub(crate) fn allocated(&self) -> anyhow::Result<u64> {
        kilobytes(self.id(), "RssAnon:")
    }
}

/// The resident memory of a process, by its number in the system, in kilobytes.
pub(crate) fn resident_memory(process: u32) -> anyhow::Result<u64> {
    kilobytes(process, "VmRSS:")
}

fn kilobytes(process: u32, name: &str) -> anyhow::Result<u64> {
    let status = read_of_process(process, "status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.split_whitespace().next());
    Ok(number.context("the system does not report its memory")?.parse()?)
}

/// The CPU time of all threads of a process, by its number in the system.
pub(crate) fn processor_time(process: u32) -> anyhow::Result<Duration> {
    let stat = read_of_process(process, "stat")?;
    // The name of the program may contain spaces; a parenthesis ends it.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<u64> =
        fields.split_whitespace().skip(11).take(2).map(str::parse).collect::<Result<_, _>>()?;
    let ticks = rustix::param::clock_ticks_per_second();
    Ok(Duration::from_micros(fields.iter().sum::<u64>() * 1_000_000 / ticks))
}

fn read_of_process(process: u32, file: &str) -> anyhow::Result<String> {
    let path = format!("/proc/{process}/{file}");
    std::fs::read_to_string(&path).with_context(|| format!("{path} cannot be read"))
}

/// The settings that a server knows, as its help lists them: an older one refuses limits that it does not know.
fn known_settings(program: &Path) -> Option<String> {
    let help = std::process::Command::new(program).args(["serve", "--help"]).output().ok()?;
    String::from_utf8(help.stdout).ok()
}

/// Pins this thread and the processes that it launches to one core.
pub(crate) fn pin(core: usize) -> anyhow::Result<()> {
    let mut cores = CpuSet::new();
    cores.set(core);
    rustix::thread::sched_setaffinity(None, &cores)
        .with_context(|| format!("there is no core {core}"))
}

/// The cores of the server and of this program: one each, if the system has both.
pub(crate) fn separate_cores(server: usize, driver: usize) -> (Option<usize>, Option<usize>) {
    let available = std::thread::available_parallelism().map_or(1, usize::from);
    if available > server.max(driver) { (Some(server), Some(driver)) } else { (None, None) }
}

/// Raises the limit of open files to `wanted`, if the system allows it; returns the new limit.
pub(crate) fn raise_open_files(wanted: u64) -> u64 {
    let now = rustix::process::getrlimit(Resource::Nofile);
    let [current, maximum] = [now.current, now.maximum].map(|limit| limit.unwrap_or(u64::MAX));
    if current >= wanted {
        return current;
    }
    for highest in [maximum.max(wanted), maximum] {
        let raised = Rlimit { current: Some(wanted.min(highest)), maximum: Some(highest) };
        if rustix::process::setrlimit(Resource::Nofile, raised).is_ok() {
            return wanted.min(highest);
        }
    }
    current
}
