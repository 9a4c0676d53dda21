//! `cargo xtask serve` and `cargo xtask install`.

use std::path::PathBuf;
use std::sync::{Mutex, mpsc};
use std::thread::available_parallelism;
use std::time::Duration;

use crate::build_progress::Timer;
use crate::command_line::CommandLine;
use crate::lanes::Work;
use crate::packed_page::PackedPage;
use crate::{TaskFailure, Workspace, lanes};

/// A profile of Cargo for the command, and how long a first build with it takes.
#[derive(Debug, Clone, Copy)]
struct CommandProfile {
    name: &'static str,
    /// How long a first build keeps one core busy, including the time in which crates wait for others.
    work: Duration,
}

/// Compiled fast: twice the five minutes that it took on two cores.
const SERVE: CommandProfile = CommandProfile { name: "serve", work: Duration::from_mins(2 * 5) };

/// Compiled well: twice the six minutes that it took on two cores.
const RELEASE: CommandProfile =
    CommandProfile { name: "release", work: Duration::from_mins(2 * 6) };

/// How long a first build takes on any number of cores: some crates wait for others.
const LONGEST_CHAIN: Duration = Duration::from_mins(2);

/// Builds everything and serves it until it is stopped. The arguments are passed to `cradle serve`.
///
/// # Errors
/// If something cannot be built, or the server fails.
pub fn serve(workspace: &Workspace, arguments: &[String]) -> Result<(), TaskFailure> {
    let timer = SERVE.timer(workspace);
    let page = build_side_by_side(workspace, timer)?;
    let command = [&SERVE_BUILD[..], &["--bins"]].concat();
    let finish: Work<'_> = &|lane| {
        lane.begin("server with the page");
        lane.build(page.with(CommandLine::new(&workspace.root, "cargo", &command)))
    };
    lanes::run(&[finish], timer)?;
    let server = SERVE.command(workspace).display().to_string();
    CommandLine::new(&workspace.root, &server, &with(&["serve"], arguments)).run()
}

/// Builds the server and the tool that packs the page together: what both need is compiled once. Cargo must be
/// told both packages each time, because what they need of a crate depends on all of them.
const SERVE_BUILD: [&str; 7] =
    ["build", "--profile", SERVE.name, "--package", "cradle", "--package", "pack"];

/// Builds the page and, beside it, the tool that packs it and everything that the server depends on.
fn build_side_by_side(workspace: &Workspace, timer: Timer) -> Result<PackedPage, TaskFailure> {
    let page = PackedPage::new(workspace);
    let cargo = |target: &[&str]| {
        CommandLine::new(&workspace.root, "cargo", &[&SERVE_BUILD[..], target].concat())
    };
    let (built, tool) = mpsc::channel();
    let (built, tool) = (Mutex::new(Some(built)), Mutex::new(tool));
    let server: Work<'_> = &|lane| {
        // Dropped if the build fails, so that the other lane does not wait.
        let built = built.lock().ok().and_then(|mut built| built.take());
        lane.begin("packing tool");
        lane.build(cargo(&["--bin", "pack"]))?;
        let tool = workspace.target.join(SERVE.name).join("pack");
        // If nobody listens, the other lane has failed.
        drop(built.map(|built| built.send(tool)));
        lane.begin("server");
        lane.build(cargo(&["--lib"]))
    };
    let browser: Work<'_> = &|lane| {
        PackedPage::compile(workspace, lane)?;
        let tool = tool.lock().ok().and_then(|tool| tool.recv().ok());
        page.pack(workspace, &tool.ok_or(TaskFailure::Stopped)?, lane)
    };
    lanes::run(&[browser, server], timer)?;
    Ok(page)
}

/// Installs the command with the page in it. The arguments are passed to `cargo install`.
///
/// # Errors
/// If something cannot be built, or the command cannot be installed.
pub fn install(workspace: &Workspace, arguments: &[String]) -> Result<(), TaskFailure> {
    let page = build(workspace, RELEASE, RELEASE.timer(workspace))?;
    let install = with(&["install", "--locked", "--path", "crates/cradle"], arguments);
    page.with(CommandLine::new(&workspace.root, "cargo", &install)).run()
}

fn with<'a>(command: &[&'a str], arguments: &'a [String]) -> Vec<&'a str> {
    command.iter().copied().chain(arguments.iter().map(String::as_str)).collect()
}

/// Builds the page and, beside it, everything that the command depends on.
fn build(
    workspace: &Workspace,
    profile: CommandProfile,
    timer: Timer,
) -> Result<PackedPage, TaskFailure> {
    let page = PackedPage::new(workspace);
    let dependencies = ["build", "--profile", profile.name, "--package", "cradle", "--lib"];
    let server: Work<'_> = &|lane| {
        lane.begin("server");
        lane.build(CommandLine::new(&workspace.root, "cargo", &dependencies))
    };
    lanes::run(&[&|lane| page.build(workspace, lane), server], timer)?;
    Ok(page)
}

impl CommandProfile {
    /// The command, whether or not it is built yet.
    fn command(self, workspace: &Workspace) -> PathBuf {
        workspace.target.join(self.name).join("cradle")
    }

    /// Starts to measure the time, and says how long a first build takes.
    fn timer(self, workspace: &Workspace) -> Timer {
        if self.command(workspace).exists() {
            return Timer::start(None);
        }
        let expected = self.first_build();
        println!(
            "Building the page and the server. The first time this takes about {} minutes on this \
             machine; later it takes seconds.",
            expected.as_secs().div_ceil(60)
        );
        Timer::start(Some(expected))
    }

    /// How long a first build takes on this machine.
    fn first_build(self) -> Duration {
        let cores =
            available_parallelism().map_or(1, |cores| u32::try_from(cores.get()).unwrap_or(1));
        LONGEST_CHAIN.max(self.work / cores)
    }
}
