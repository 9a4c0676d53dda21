//! `cargo xtask`: the command that builds, tests and serves Cat's Cradle.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use xtask::{Place, Workspace, run, test_steps};

const USAGE: &str = "\
Usage:
  cargo xtask serve   builds everything and serves it; flags go to `cradle serve`
  cargo xtask load    measures how much the server carries; flags go to `driver load`
  cargo xtask soak    plays while faults are injected; flags go to `driver soak`
  cargo xtask test    installs what the tests need and runs all of them";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => test(),
        ["serve", ..] => serve(&arguments[1..]),
        ["load" | "soak", ..] => drive(&arguments),
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
    let run = ["run", "--release", "--package", "cradle", "--", "serve"];
    finish(cargo().args(run).args(arguments))
}

/// Builds the server and its driver as they are measured, and lets one drive the other.
fn drive(arguments: &[String]) -> ExitCode {
    let workspace = match Workspace::read(&root()) {
        Ok(workspace) => workspace,
        Err(error) => {
            eprintln!("Nothing can be built: {error}.");
            return ExitCode::FAILURE;
        }
    };
    let build = ["build", "--release", "--package", "cradle", "--package", "driver"];
    if finish(cargo().args(build)) != ExitCode::SUCCESS {
        return ExitCode::FAILURE;
    }
    let folder = workspace.target.join("release");
    let mut driver = Command::new(folder.join("driver"));
    finish(
        driver
            .args(&arguments[..1])
            .arg("--server")
            .arg(folder.join("cradle"))
            .args(&arguments[1..]),
    )
}

fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// Runs a program to its end.
fn finish(program: &mut Command) -> ExitCode {
    match program.status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{} could not be started: {error}.", program.get_program().display());
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
