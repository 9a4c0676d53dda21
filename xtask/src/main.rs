//! `cargo xtask`: the command that builds, tests and serves Cat's Cradle.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use xtask::{
    TaskFailure, TestHost, Workspace, compare_runs, draw_growth, drive, install, report_page, run,
    serve, take_pictures, test_steps,
};

const USAGE: &str = "\
Usage:
  cargo xtask serve         builds everything, including the page, and serves it
  cargo xtask install       installs the command `cradle`, including the page
  cargo xtask load          measures the throughput of the server
  cargo xtask soak          plays on the server while faults are injected
  cargo xtask cluster       runs three servers on three NATS servers behind a balancer
  cargo xtask attack        attacks the server while honest players play
  cargo xtask growth        measures how cost grows, and draws docs/pictures/growth.svg
  cargo xtask agreement [N] runs N random programs in every way, 80,000 unless N is given
  cargo xtask page-report   measures the size of the page and how soon somebody can play
  cargo xtask pictures      takes the screenshots for the docs
  cargo xtask test          installs what the tests need and runs all of them

Flags are passed on to `cradle serve`, `cargo install`, `driver load`,
`driver soak`, `driver cluster` and `driver attack`.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => test(),
        ["serve", ..] => act(|workspace| serve(workspace, &arguments[1..])),
        ["install", ..] => act(|workspace| install(workspace, &arguments[1..])),
        ["growth"] => act(draw_growth),
        ["agreement"] => act(|workspace| compare_runs(workspace, None)),
        ["agreement", programs] if programs.parse::<u64>().is_ok() => {
            act(|workspace| compare_runs(workspace, Some(programs)))
        }
        ["page-report"] => act(report_page),
        ["pictures"] => act(take_pictures),
        ["load" | "soak" | "attack" | "cluster", ..] => {
            act(|workspace| drive(workspace, &arguments))
        }
        ["help" | "--help" | "-h"] => help(),
        [] => usage(),
        [unknown, ..] => {
            eprintln!(
                "`cargo xtask {unknown}` is not a command, or does not take these arguments."
            );
            usage()
        }
    }
}

fn test() -> ExitCode {
    match passes(&mut stdout()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("The tests could not be run: {error}.");
            ExitCode::FAILURE
        }
    }
}

fn passes(out: &mut impl Write) -> Result<bool, Box<dyn std::error::Error>> {
    let workspace = Workspace::read(&root())?;
    let report = run(&test_steps(), &workspace, TestHost::of_this_process(), out)?;
    write!(out, "{report}")?;
    Ok(report.is_success())
}

/// Runs a command on the workspace, and prints why it failed.
fn act(action: impl FnOnce(&Workspace) -> Result<(), TaskFailure>) -> ExitCode {
    let workspace = Workspace::read(&root()).map_err(TaskFailure::from);
    match workspace.and_then(|workspace| action(&workspace)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("Stopped: {failure}.");
            ExitCode::FAILURE
        }
    }
}

fn help() -> ExitCode {
    println!("{USAGE}");
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask is a folder of the workspace")
        .to_path_buf()
}
