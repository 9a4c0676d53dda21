//! The page in a real browser: its tests and its measurements.

use std::path::PathBuf;

use crate::apt::{self, AptPrograms};
use crate::command_line::CommandLine;
use crate::packed_page::PackedPage;
use crate::{StepOutcome, TaskFailure, Workspace, nats, node};

/// The folder of the tests.
pub(crate) const FOLDER: &str = "crates/web/tests/browser";

/// Tests the page in a browser, on the server that the tests have built.
///
/// # Errors
/// If a test fails.
pub(crate) fn check(workspace: &Workspace) -> Result<StepOutcome, TaskFailure> {
    if let Err(why) = install(workspace) {
        return Ok(StepOutcome::CannotRun(why));
    }
    let (page, server) = (PackedPage::new(workspace), workspace.tested_program("cradle")?);
    let node = node_against(workspace, &page, &server, &["--test"]);
    // Without a NATS server everything else is still tested.
    let nats = match nats::program(workspace) {
        Ok(nats) => nats.display().to_string(),
        Err(why) => {
            node.run()?;
            return Ok(StepOutcome::CannotRun(why));
        }
    };
    let driver = workspace.tested_program("driver")?;
    node.with("DRIVER", &driver).with("NATS", &nats).run()?;
    Ok(StepOutcome::Passed)
}

/// Measures the size of the page, and how soon somebody with a slow connection and a slow machine can
/// play.
///
/// # Errors
/// If a program is missing, a build fails or the page cannot be measured.
pub fn report_page(workspace: &Workspace) -> Result<(), TaskFailure> {
    let page = built(workspace)?;
    run(workspace, &page, &released(workspace), &["report.mjs"])
}

/// Takes the screenshots for the docs.
///
/// # Errors
/// If a program is missing, a build fails or the page does not look as expected.
pub fn take_pictures(workspace: &Workspace) -> Result<(), TaskFailure> {
    let page = built(workspace)?;
    let folder = workspace.root.join("docs/pictures").display().to_string();
    run(workspace, &page, &released(workspace), &["pictures.mjs", &folder])
}

/// The command as it is served.
fn released(workspace: &Workspace) -> String {
    workspace.target.join("release").join("cradle").display().to_string()
}

/// Installs what a browser needs and builds the command with the page.
fn built(workspace: &Workspace) -> Result<PackedPage, TaskFailure> {
    install(workspace).map_err(TaskFailure::Missing)?;
    let page = PackedPage::new(workspace);
    page.build_alone(workspace)?;
    let build = ["build", "--release", "--package", "cradle"];
    page.with(CommandLine::new(&workspace.root, "cargo", &build)).run()?;
    Ok(page)
}

/// Installs node, the packages of the tests, and a browser.
fn install(workspace: &Workspace) -> Result<(), String> {
    node::install(&workspace.root, &folder(workspace))?;
    install_fonts(workspace)?;
    if std::env::var_os("CHROMIUM").is_some() {
        return Ok(());
    }
    let chromium = AptPrograms {
        programs: &["chromium"],
        packages: &["chromium"],
        advice: "install Chromium, or set CHROMIUM to the path of a similar browser",
    };
    apt::install(&workspace.root, chromium)
}

/// The languages of the page whose letters a machine may lack, each with a small package that has them.
const FONTS: [(&str, &str); 2] = [("ja", "fonts-vlgothic"), ("ar", "fonts-hosny-amiri")];

/// Installs letters for the languages of the page, so that tests and pictures show no empty boxes.
fn install_fonts(workspace: &Workspace) -> Result<(), String> {
    let root = &workspace.root;
    let advice = "install fonts for Japanese and Arabic";
    apt::install(root, AptPrograms { programs: &["fc-list"], packages: &["fontconfig"], advice })?;
    for (language, package) in FONTS {
        let fonts = CommandLine::new(root, "fc-list", &[&format!(":lang={language}")]).answer();
        if fonts.is_none_or(|fonts| fonts.trim().is_empty()) {
            let wanted = AptPrograms { programs: &[], packages: &[package], advice };
            apt::install_packages(root, &format!("A font for the language {language}"), wanted)?;
        }
    }
    Ok(())
}

/// Runs node against this command.
fn run(
    workspace: &Workspace,
    page: &PackedPage,
    server: &str,
    arguments: &[&str],
) -> Result<(), TaskFailure> {
    node_against(workspace, page, server, arguments).run()
}

/// Node against this command; screenshots go to the target folder.
fn node_against(
    workspace: &Workspace,
    page: &PackedPage,
    server: &str,
    arguments: &[&str],
) -> CommandLine {
    let pictures = workspace.target.join("browser").display().to_string();
    let node = CommandLine::new(&folder(workspace), "node", arguments);
    page.with(node).with("CRADLE", server).with("PICTURES", &pictures)
}

fn folder(workspace: &Workspace) -> PathBuf {
    workspace.root.join(FOLDER)
}
