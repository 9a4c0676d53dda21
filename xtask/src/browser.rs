//! The page in a real browser, and how quickly it is there.

use std::path::PathBuf;

use crate::apt::{self, Wanted};
use crate::page::Page;
use crate::program::Program;
use crate::{Failure, Outcome, Workspace, node};

/// Where the tests in JavaScript are.
pub(crate) const FOLDER: &str = "crates/web/tests/browser";

/// Lets a browser play with the page on a real server.
///
/// # Errors
/// If something cannot be built, or the page does what it should not.
pub(crate) fn check(workspace: &Workspace) -> Result<Outcome, Failure> {
    if let Err(why) = install(workspace) {
        return Ok(Outcome::CannotRun(why));
    }
    let page = Page::new(workspace);
    page.build_alone(workspace)?;
    page.with(Program::new(&workspace.root, "cargo", &["build", "--package", "cradle"])).run()?;
    run(workspace, &page, "debug", &["--test"])?;
    Ok(Outcome::Passed)
}

/// Measures how large the page is, and how quickly somebody can play on a slow line with a slow
/// machine.
///
/// # Errors
/// If something is missing or cannot be built, or the page cannot be measured.
pub fn report_page(workspace: &Workspace) -> Result<(), Failure> {
    install(workspace).map_err(Failure::Missing)?;
    let page = Page::new(workspace);
    page.build_alone(workspace)?;
    let build = ["build", "--release", "--package", "cradle"];
    page.with(Program::new(&workspace.root, "cargo", &build)).run()?;
    run(workspace, &page, "release", &["report.mjs"])
}

/// Installs node, the packages of the tests, and a browser.
fn install(workspace: &Workspace) -> Result<(), String> {
    node::install(&workspace.root, &folder(workspace))?;
    if std::env::var_os("CHROMIUM").is_some() {
        return Ok(());
    }
    let chromium = Wanted {
        programs: &["chromium"],
        packages: &["chromium"],
        advice: "install Chromium, or name the program of another one like it with CHROMIUM",
    };
    apt::install(&workspace.root, chromium)
}

/// Runs node with a command of this profile; pictures go to the target folder.
fn run(
    workspace: &Workspace,
    page: &Page,
    profile: &str,
    arguments: &[&str],
) -> Result<(), Failure> {
    let server = workspace.target.join(profile).join("cradle").display().to_string();
    let pictures = workspace.target.join("browser").display().to_string();
    let node = Program::new(&folder(workspace), "node", arguments);
    page.with(node).with("CRADLE", &server).with("PICTURES", &pictures).run()
}

fn folder(workspace: &Workspace) -> PathBuf {
    workspace.root.join(FOLDER)
}
