//! The steps of `cargo xtask test`.

use crate::command_line::CommandLine;
use crate::packed_page::PackedPage;
use crate::toolchain::WASM;
use crate::{
    StepOutcome, TaskFailure, TestStep, Workspace, browser, dependencies, haproxy, nats, nginx,
    phoenix, python, systemd, toolchain,
};

/// The steps of `cargo xtask test`, in order.
pub fn test_steps() -> Vec<TestStep> {
    [steps_of_programs(), steps_of_settings(), steps_of_sources()].concat()
}

/// Builds the programs, and tests what they do.
fn steps_of_programs() -> Vec<TestStep> {
    vec![
        step(
            "toolchain",
            "installs rustfmt, Clippy and the wasm32 target if they are missing",
            toolchain::install,
        ),
        step(
            "cargo-deny",
            "installs cargo-deny into the target folder if it is missing (once, one to two minutes)",
            |workspace| Ok(dependencies::install(workspace)),
        ),
        step(
            "nats",
            "installs a NATS server into the target folder if it is missing (installs Python if it can)",
            |workspace| Ok(nats::install(workspace)),
        ),
        step("format", "every file is formatted by rustfmt", format),
        step("page", "the page compiles to WebAssembly and is packed for browsers", page),
        step("lints", "Clippy has no warnings about any target", lints),
        step("tests", "all tests pass, including those of examples and benchmarks", tests),
        step(
            "soak",
            "the server loses nothing while it is killed, stopped, damaged and attacked",
            soak,
        ),
        step(
            "cluster",
            "three servers on three NATS servers lose nothing while these are killed, paused and cut off",
            cluster,
        ),
        step(
            "phoenix",
            "the phoenix client from npm plays whole games on the server (installs node if it can)",
            phoenix::check,
        ),
        step(
            "python",
            "the description of the API is valid, and a client generated from it and the bot of the docs play (installs Python if it can)",
            python::check,
        ),
        step(
            "browser",
            "a browser tests the page on a real server (installs node and Chromium if it can)",
            browser::check,
        ),
    ]
}

/// What programs beside the server say about their settings.
fn steps_of_settings() -> Vec<TestStep> {
    vec![
        step(
            "systemd",
            "systemd accepts the unit and finds it little exposed (installs systemd if it can)",
            systemd::check,
        ),
        step(
            "haproxy",
            "HAProxy accepts the settings for several servers (installs HAProxy if it can)",
            haproxy::check,
        ),
        step(
            "nginx",
            "nginx accepts the settings in the docs (installs nginx if it can)",
            nginx::check,
        ),
    ]
}

/// What is checked without a server.
fn steps_of_sources() -> Vec<TestStep> {
    vec![
        step("doctests", "the examples in the documentation run", doctests),
        step("docs", "the documentation builds without a warning", docs),
        step("fuzz", "the fuzz targets compile; they are not part of the workspace", fuzz),
        step("wasm", "the deterministic crates compile to WebAssembly", wasm),
        step(
            "dependencies",
            "licences, sources and versions of all dependencies satisfy deny.toml",
            dependencies::check,
        ),
        step(
            "advisories",
            "no dependency has a known vulnerability in the local database",
            dependencies::check_advisories,
        ),
    ]
}

const fn step(
    name: &'static str,
    does: &'static str,
    run: fn(&Workspace) -> Result<StepOutcome, TaskFailure>,
) -> TestStep {
    TestStep { name, does, run }
}

fn format(workspace: &Workspace) -> Result<StepOutcome, TaskFailure> {
    cargo(workspace, "fmt --all --check")
}

fn page(workspace: &Workspace) -> Result<StepOutcome, TaskFailure> {
    PackedPage::new(workspace).build_alone(workspace)?;
    Ok(StepOutcome::Passed)
}

fn lints(workspace: &Workspace) -> Result<StepOutcome, TaskFailure> {
    cargo(workspace, "clippy --workspace --all-targets --all-features -- -D warnings")
}

fn tests(workspace: &Workspace) -> Result<StepOutcome, TaskFailure> {
    let nextest = CommandLine::new(&workspace.root, "cargo", &["nextest", "--version"]).answer();
    let runner = if nextest.is_some() { "nextest run" } else { "test" };
    let line = format!("{runner} --workspace --all-targets --all-features --no-fail-fast");
    cargo(workspace, &line)
}

// The programs that the tests have built: any other selection of packages would have other features,
// and be built again.
fn soak(workspace: &Workspace) -> Result<StepOutcome, TaskFailure> {
    let [driver, server] =
        [workspace.tested_program("driver")?, workspace.tested_program("cradle")?];
    let arguments = ["soak", "--server", &server, "--seconds", "20", "--tables", "60"];
    CommandLine::new(&workspace.root, &driver, &arguments).run()?;
    Ok(StepOutcome::Passed)
}

fn cluster(workspace: &Workspace) -> Result<StepOutcome, TaskFailure> {
    let nats = match nats::program(workspace) {
        Ok(nats) => nats.display().to_string(),
        Err(why) => return Ok(StepOutcome::CannotRun(why)),
    };
    let [driver, server] =
        [workspace.tested_program("driver")?, workspace.tested_program("cradle")?];
    let arguments = [
        "soak",
        "--cluster",
        "--server",
        &server,
        "--nats",
        &nats,
        "--seconds",
        "60",
        "--tables",
        "30",
        "--hold",
        "tied",
    ];
    CommandLine::new(&workspace.root, &driver, &arguments).run()?;
    Ok(StepOutcome::Passed)
}

// A step of their own: neither nextest nor `cargo test --all-targets` runs them.
fn doctests(workspace: &Workspace) -> Result<StepOutcome, TaskFailure> {
    cargo(workspace, "test --doc --workspace --all-features")
}

fn docs(workspace: &Workspace) -> Result<StepOutcome, TaskFailure> {
    let arguments = ["doc", "--workspace", "--no-deps", "--all-features"];
    let doc = CommandLine::new(&workspace.root, "cargo", &arguments);
    PackedPage::new(workspace).with(doc).with("RUSTDOCFLAGS", "-D warnings").run()?;
    Ok(StepOutcome::Passed)
}

// Without libFuzzer itself, which would need a C++ compiler.
fn fuzz(workspace: &Workspace) -> Result<StepOutcome, TaskFailure> {
    let folder = workspace.target.join("fuzz").display().to_string();
    let (manifest, bare) = ("fuzz/Cargo.toml", "--no-default-features");
    let arguments =
        ["check", "--locked", bare, "--manifest-path", manifest, "--target-dir", &folder];
    CommandLine::new(&workspace.root, "cargo", &arguments).run()?;
    Ok(StepOutcome::Passed)
}

// `build`, not `check`: some errors appear only when code is generated.
fn wasm(workspace: &Workspace) -> Result<StepOutcome, TaskFailure> {
    let names = workspace.deterministic()?;
    let packages = names.iter().map(|name| format!(" --package {name}"));
    let line = format!("build --lib --all-features --target {WASM}");
    let line = line + &packages.collect::<String>();
    let arguments: Vec<&str> = line.split_whitespace().collect();
    // Nothing runs this code.
    let build = CommandLine::new(&workspace.root, "cargo", &arguments);
    build.with("CARGO_PROFILE_DEV_OPT_LEVEL", "0").run()?;
    Ok(StepOutcome::Passed)
}

/// Runs Cargo with the words of a line as its arguments, always with the page, so that no step builds
/// the command again.
fn cargo(workspace: &Workspace, line: &str) -> Result<StepOutcome, TaskFailure> {
    let arguments: Vec<&str> = line.split_whitespace().collect();
    let cargo = CommandLine::new(&workspace.root, "cargo", &arguments);
    PackedPage::new(workspace).with(cargo).run()?;
    Ok(StepOutcome::Passed)
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
            Err(TaskFailure::Workspace(WorkspaceError::Unmarked(name))) if name == "checker"
        ));
    }
}
