//! `cargo xtask`: the command that builds, tests and serves Cat's Cradle.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use xtask::{Place, Workspace, run, test_steps};

const USAGE: &str = "\
Usage:
  cargo xtask serve   builds everything and serves it; flags go to `cradle serve`
  cargo xtask test    installs what the tests need and runs all of them";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => test(),
        ["serve", ..] => serve(&arguments[1..]),
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

/// Builds the command as it is served, and becomes it. What comes after `serve` is given to it.
fn serve(arguments: &[String]) -> ExitCode {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let run = ["run", "--release", "--package", "cradle", "--", "serve"];
    match Command::new(cargo).current_dir(root()).args(run).args(arguments).status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("Cargo could not be started: {error}.");
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
