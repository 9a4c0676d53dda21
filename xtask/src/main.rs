//! `cargo xtask`: the command that builds, tests and serves Cat's Cradle.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use xtask::{Failure, Place, Workspace, drive, install, report_page, run, serve, test_steps};

const USAGE: &str = "\
Usage:
  cargo xtask serve         builds everything, the page too, and serves it; flags go to `cradle serve`
  cargo xtask install       installs the command `cradle` with the page; flags go to `cargo install`
  cargo xtask load          measures how much the server carries; flags go to `driver load`
  cargo xtask soak          plays while faults are injected; flags go to `driver soak`
  cargo xtask page-report   measures how large the page is and how quickly it is there
  cargo xtask test          installs what the tests need and runs all of them";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => test(),
        ["serve", ..] => act(|workspace| serve(workspace, &arguments[1..])),
        ["install", ..] => act(|workspace| install(workspace, &arguments[1..])),
        ["page-report"] => act(report_page),
        ["load" | "soak", ..] => act(|workspace| drive(workspace, &arguments)),
        ["help" | "--help" | "-h"] => help(),
        [] => usage(),
        [unknown, ..] => {
            eprintln!("`cargo xtask` does not know `{unknown}` like that.");
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
    let report = run(&test_steps(), &workspace, Place::of_this_process(), out)?;
    write!(out, "{report}")?;
    Ok(report.is_success())
}

/// Does something with the workspace, and says why if it cannot be done.
fn act(action: impl FnOnce(&Workspace) -> Result<(), Failure>) -> ExitCode {
    let workspace = Workspace::read(&root()).map_err(Failure::from);
    match workspace.and_then(|workspace| action(&workspace)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("This is as far as it goes: {failure}.");
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
