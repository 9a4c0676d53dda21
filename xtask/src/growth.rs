//! `cargo xtask growth`: how the cost of the engine and of the checker grows, as a picture.

mod curves;
mod drawing;

use std::path::Path;

use self::curves::GrowthCurves;
use crate::command_line::CommandLine;
use crate::{TaskFailure, Workspace};

/// The picture.
const PICTURE: &str = "docs/pictures/growth.svg";

/// What the same tasks took before they were mended. That code is gone, so these are not measured
/// again.
const BEFORE: &str = "docs/pictures/growth-before.txt";

/// Runs the benchmarks of growth and draws what they measure.
///
/// # Errors
/// If a benchmark fails, or a file cannot be read or written.
pub fn draw_growth(workspace: &Workspace) -> Result<(), TaskFailure> {
    let before = read(&workspace.root.join(BEFORE))?;
    let mut now = GrowthCurves::default();
    for package in ["bthread", "checker"] {
        let arguments = ["bench", "--package", package, "--bench", "growth"];
        let output = CommandLine::new(&workspace.root, "cargo", &arguments).run_and_read()?;
        now.extend(GrowthCurves::of_benchmark(&output));
    }
    let picture = drawing::picture(&GrowthCurves::of_lines(&before), &now);
    let path = workspace.root.join(PICTURE);
    std::fs::write(&path, picture).map_err(|source| TaskFailure::file(&path, source))?;
    for (task, _) in drawing::TASKS {
        if let Some(exponent) = curves::exponent(&now.of(task)) {
            println!("{task}: n^{exponent:.2}");
        }
    }
    println!("{PICTURE} is drawn.");
    Ok(())
}

fn read(path: &Path) -> Result<String, TaskFailure> {
    std::fs::read_to_string(path).map_err(|source| TaskFailure::file(path, source))
}
