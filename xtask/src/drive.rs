//! `cargo xtask load` and `cargo xtask soak`.

use crate::program::Program;
use crate::{Failure, Workspace};

/// Builds the server and its driver as they are measured, and lets one drive the other. The first
/// argument says how; the others are given to the driver.
///
/// # Errors
/// If something cannot be built, or the driver finds fault.
pub fn drive(workspace: &Workspace, arguments: &[String]) -> Result<(), Failure> {
    let build = ["build", "--release", "--package", "cradle", "--package", "driver"];
    Program::new(&workspace.root, "cargo", &build).run()?;
    let program = |name: &str| workspace.target.join("release").join(name).display().to_string();
    let (driver, server) = (program("driver"), program("cradle"));
    let mut given: Vec<&str> = arguments.iter().map(String::as_str).collect();
    given.splice(1..1, ["--server", &server]);
    Program::new(&workspace.root, &driver, &given).run()
}
