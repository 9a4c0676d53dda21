//! `cargo xtask serve` and `cargo xtask install`.

use crate::page::{Page, say};
use crate::program::Program;
use crate::{Failure, Workspace};

/// Builds everything as it is served, and serves it until it is stopped. The arguments are given to
/// `cradle serve`.
///
/// # Errors
/// If something cannot be built, or the server fails.
pub fn serve(workspace: &Workspace, arguments: &[String]) -> Result<(), Failure> {
    let run = ["run", "--release", "--package", "cradle", "--", "serve"];
    let arguments: Vec<&str> =
        run.into_iter().chain(arguments.iter().map(String::as_str)).collect();
    with_page(workspace, "The server is built and started", &arguments)
}

/// Installs the command with the page in it. The arguments are given to `cargo install`.
///
/// # Errors
/// If something cannot be built, or the command cannot be installed.
pub fn install(workspace: &Workspace, arguments: &[String]) -> Result<(), Failure> {
    let install = ["install", "--locked", "--path", "crates/cradle"];
    let arguments: Vec<&str> =
        install.into_iter().chain(arguments.iter().map(String::as_str)).collect();
    with_page(workspace, "The command is built and installed", &arguments)
}

/// Lets Cargo do something with a command that has the page in it.
fn with_page(workspace: &Workspace, what: &str, arguments: &[&str]) -> Result<(), Failure> {
    let page = Page::build(workspace)?;
    let built = workspace.target.join("release").join("cradle");
    say(what, "five minutes or so", &built);
    page.with(Program::new(&workspace.root, "cargo", arguments)).run()
}
