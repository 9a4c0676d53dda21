//! `cargo xtask growth`: how the cost of the engine and of the checker grows, as a picture.

mod curves;
mod drawing;
mod tasks;

use std::path::Path;

use self::curves::GrowthCurves;
use self::tasks::MeasuredGrowth;
use crate::command_line::CommandLine;
use crate::{TaskFailure, Workspace};

/// The picture.
const PICTURE: &str = "docs/pictures/growth.svg";

/// What the same tasks took before they were mended. That code is gone, so these are not measured
/// again.
const BEFORE: &str = "docs/pictures/growth-before.txt";

/// Runs the benchmarks of growth, draws what they measure, and says with which power of n each task
/// grows.
///
/// # Errors
/// If a benchmark fails, a file cannot be read or written, or a task grows faster than expected.
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
    for growth in MeasuredGrowth::of_tasks(&now) {
        println!("{}", growth.line());
    }
    println!("{PICTURE} is drawn.");
    let too_fast = MeasuredGrowth::of_tasks(&now).filter(MeasuredGrowth::is_too_fast);
    let too_fast: Vec<_> = too_fast.map(|growth| growth.task.name).collect();
    if too_fast.is_empty() { Ok(()) } else { Err(TaskFailure::Growth(too_fast.join(", "))) }
}

fn read(path: &Path) -> Result<String, TaskFailure> {
    std::fs::read_to_string(path).map_err(|source| TaskFailure::file(path, source))
}
