//! `cargo xtask`: the command that builds, tests and serves Cat's Cradle.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use xtask::{
    TaskFailure, TestHost, TestStep, Workspace, compare_benchmarks, compare_runs, draw_growth,
    drive, install, list, report_page, run, selected, serve, take_pictures, test_steps,
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
  cargo xtask compare COMMIT [FILTER]
                            measures the benchmarks of that commit and of this tree side by side
  cargo xtask agreement [N] runs N random programs in every way, 80,000 unless N is given
  cargo xtask page-report   measures the size of the page and how soon somebody can play
  cargo xtask pictures      takes the screenshots for the docs
  cargo xtask test          installs what the tests need and runs all of them;
                            `cargo xtask test --help` says how to run some

Flags are passed on to `cradle serve`, `cargo install`, `driver load`,
`driver soak`, `driver cluster` and `driver attack`.";

const TEST_USAGE: &str = "\
Usage:
  cargo xtask test                       runs all steps
  cargo xtask test --only browser,docs   runs the named steps
  cargo xtask test --from soak           runs the named step and all after it

A step that fails does not stop the others; all failures are listed at the end. The steps
after `tests` test the command that `tests` has built, with the page that `page` has built:
after a change name these two as well.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test", "help" | "--help" | "-h"] => help(&test_help()),
        ["test", ..] => test(&arguments[1..]),
        ["serve", ..] => act(|workspace| serve(workspace, &arguments[1..])),
        ["install", ..] => act(|workspace| install(workspace, &arguments[1..])),
        ["growth"] => act(draw_growth),
        ["compare", commit] => act(|workspace| compare_benchmarks(workspace, commit, None)),
        ["compare", commit, filter] => {
            act(|workspace| compare_benchmarks(workspace, commit, Some(filter)))
        }
        ["agreement"] => act(|workspace| compare_runs(workspace, None)),
        ["agreement", programs] if programs.parse::<u64>().is_ok() => {
            act(|workspace| compare_runs(workspace, Some(programs)))
        }
        ["page-report"] => act(report_page),
        ["pictures"] => act(take_pictures),
        ["load" | "soak" | "attack" | "cluster", ..] => {
            act(|workspace| drive(workspace, &arguments))
        }
        ["help" | "--help" | "-h"] => help(USAGE),
        [] => usage(),
        [unknown, ..] => {
            eprintln!(
                "`cargo xtask {unknown}` is not a command, or does not take these arguments."
            );
            usage()
        }
    }
}

fn test(arguments: &[String]) -> ExitCode {
    let steps = match selected(test_steps(), arguments) {
        Ok(steps) => steps,
        Err(refusal) => {
            eprintln!("Nothing was tested: {refusal}.");
            return ExitCode::from(2);
        }
    };
    match passes(&steps, &mut stdout()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("The tests could not be run: {error}.");
            ExitCode::FAILURE
        }
    }
}

fn passes(steps: &[TestStep], out: &mut impl Write) -> Result<bool, Box<dyn std::error::Error>> {
    let workspace = Workspace::read(&root())?;
    let report = run(steps, &workspace, TestHost::of_this_process(), out)?;
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

fn help(text: &str) -> ExitCode {
    println!("{text}");
    ExitCode::SUCCESS
}

fn test_help() -> String {
    let steps = list(&test_steps());
    format!("{TEST_USAGE}\n\nSteps, in order:\n{}", steps.trim_end())
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
