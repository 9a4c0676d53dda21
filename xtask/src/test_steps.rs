//! The steps of `cargo xtask test`.

use crate::program::Program;
use crate::toolchain::WASM;
use crate::{Failure, Outcome, Step, Workspace, browser, dependencies, phoenix, toolchain};

/// Everything that `cargo xtask test` does, in order.
pub fn test_steps() -> Vec<Step> {
    vec![
        Step {
            name: "toolchain",
            does: "installs rustfmt, clippy and the wasm32 target where they are missing",
            run: toolchain::install,
        },
        Step {
            name: "cargo-deny",
            does: "installs cargo-deny into the target folder where it is missing (once, one to two minutes)",
            run: |workspace| Ok(dependencies::install(workspace)),
        },
        Step { name: "format", does: "every file is formatted as rustfmt does it", run: format },
        Step { name: "lints", does: "Clippy has nothing to say about any target", run: lints },
        Step {
            name: "tests",
            does: "all tests pass, also those of examples and benchmarks",
            run: tests,
        },
        Step {
            name: "soak",
            does: "the server loses nothing while it is killed, stopped and damaged for 20 seconds",
            run: soak,
        },
        Step {
            name: "phoenix",
            does: "the phoenix client of npm plays whole games against the server (installs node where it can)",
            run: phoenix::check,
        },
        Step {
            name: "browser",
            does: "a browser plays with the page on a real server (installs node and Chromium where it can)",
            run: browser::check,
        },
        Step { name: "doctests", does: "the examples in the documentation run", run: doctests },
        Step { name: "docs", does: "the documentation builds without a warning", run: docs },
        Step {
            name: "fuzz",
            does: "the fuzz targets compile, which nothing else in the workspace needs",
            run: fuzz,
        },
        Step { name: "wasm", does: "the deterministic crates compile to WebAssembly", run: wasm },
        Step {
            name: "dependencies",
            does: "licences, sources and versions of all dependencies are as deny.toml wants them",
            run: dependencies::check,
        },
        Step {
            name: "advisories",
            does: "no dependency has a known vulnerability, as far as the database at hand knows",
            run: dependencies::check_advisories,
        },
    ]
}

fn format(workspace: &Workspace) -> Result<Outcome, Failure> {
    cargo(workspace, "fmt --all --check")
}

fn lints(workspace: &Workspace) -> Result<Outcome, Failure> {
    cargo(workspace, "clippy --workspace --all-targets --all-features -- -D warnings")
}

fn tests(workspace: &Workspace) -> Result<Outcome, Failure> {
    let nextest = Program::new(&workspace.root, "cargo", &["nextest", "--version"]).answer();
    let runner = if nextest.is_some() { "nextest run" } else { "test" };
    let line = format!("{runner} --workspace --all-targets --all-features --no-fail-fast");
    cargo(workspace, &line)
}

// The programs are those that the tests were run with.
fn soak(workspace: &Workspace) -> Result<Outcome, Failure> {
    cargo(workspace, "build --all-features --package cradle --package driver")?;
    let program = |name: &str| workspace.target.join("debug").join(name).display().to_string();
    let (driver, server) = (program("driver"), program("cradle"));
    let arguments = ["soak", "--server", &server, "--seconds", "20", "--tables", "60"];
    Program::new(&workspace.root, &driver, &arguments).run()?;
    Ok(Outcome::Passed)
}

// Apart from the other tests: nextest does not run them, and `cargo test --all-targets` leaves them out.
fn doctests(workspace: &Workspace) -> Result<Outcome, Failure> {
    cargo(workspace, "test --doc --workspace --all-features")
}

fn docs(workspace: &Workspace) -> Result<Outcome, Failure> {
    let arguments = ["doc", "--workspace", "--no-deps", "--all-features"];
    Program::new(&workspace.root, "cargo", &arguments).with("RUSTDOCFLAGS", "-D warnings").run()?;
    Ok(Outcome::Passed)
}

// Without libFuzzer itself, which is C++ and would take a compiler of its own.
fn fuzz(workspace: &Workspace) -> Result<Outcome, Failure> {
    let folder = workspace.target.join("fuzz").display().to_string();
    let (manifest, bare) = ("fuzz/Cargo.toml", "--no-default-features");
    let arguments =
        ["check", "--locked", bare, "--manifest-path", manifest, "--target-dir", &folder];
    Program::new(&workspace.root, "cargo", &arguments).run()?;
    Ok(Outcome::Passed)
}

// `build` and not `check`: some errors appear only when code is generated.
fn wasm(workspace: &Workspace) -> Result<Outcome, Failure> {
    let names = workspace.deterministic()?;
    let packages = names.iter().map(|name| format!(" --package {name}"));
    let line = format!("build --lib --all-features --target {WASM}");
    cargo(workspace, &(line + &packages.collect::<String>()))
}

/// Runs Cargo with the words of a line as its arguments.
fn cargo(workspace: &Workspace, line: &str) -> Result<Outcome, Failure> {
    let arguments: Vec<&str> = line.split_whitespace().collect();
    Program::new(&workspace.root, "cargo", &arguments).run()?;
    Ok(Outcome::Passed)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::PathBuf;

    use super::*;
    use crate::{Package, WorkspaceError};

    #[test]
    fn no_two_steps_have_the_same_name() {
        let names: BTreeSet<_> = test_steps().iter().map(|step| step.name).collect();
        assert_eq!(names.len(), test_steps().len());
    }

    #[test]
    fn a_forgotten_mark_fails_the_wasm_step() {
        let forgotten = Package {
            name: "checker".to_owned(),
            folder: PathBuf::new(),
            deterministic: false,
            dependencies: Vec::new(),
        };
        let workspace =
            Workspace { root: PathBuf::new(), target: PathBuf::new(), packages: vec![forgotten] };
        assert!(matches!(
            wasm(&workspace),
            Err(Failure::Workspace(WorkspaceError::Unmarked(name))) if name == "checker"
        ));
    }
}
