//! `cargo xtask serve`.

use crate::page::Page;
use crate::program::Program;
use crate::{Failure, Workspace};

/// Builds everything as it is served, and serves it until it is stopped. The arguments are given to
/// `cradle serve`.
///
/// # Errors
/// If something cannot be built, or the server fails.
pub fn serve(workspace: &Workspace, arguments: &[String]) -> Result<(), Failure> {
    let page = Page::build(workspace)?;
    println!("The server is built and started; the first time that takes five minutes or so.");
    let run = ["run", "--release", "--package", "cradle", "--", "serve"];
    let arguments: Vec<&str> =
        run.into_iter().chain(arguments.iter().map(String::as_str)).collect();
    page.with(Program::new(&workspace.root, "cargo", &arguments)).run()
}
