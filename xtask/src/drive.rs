//! `cargo xtask load`, `soak`, `attack` and `cluster`.

use crate::command_line::CommandLine;
use crate::{TaskFailure, Workspace, nats};

/// Builds the server and the driver with the profile `release`, and runs the driver against the
/// server. The arguments are passed to the driver; the first one is its subcommand.
///
/// # Errors
/// If a build fails, or the driver finds a fault.
pub fn drive(workspace: &Workspace, arguments: &[String]) -> Result<(), TaskFailure> {
    let build = ["build", "--release", "--package", "cradle", "--package", "driver"];
    CommandLine::new(&workspace.root, "cargo", &build).run()?;
    let program = |name: &str| workspace.target.join("release").join(name).display().to_string();
    let (driver, server) = (program("driver"), program("cradle"));
    let mut given: Vec<&str> = arguments.iter().map(String::as_str).collect();
    given.splice(1..1, ["--server", &server]);
    let nats = if given.contains(&"--cluster") || given.first() == Some(&"cluster") {
        nats::program(workspace).map_err(TaskFailure::Missing)?.display().to_string()
    } else {
        String::new()
    };
    if !nats.is_empty() {
        given.splice(1..1, ["--nats", &nats]);
    }
    CommandLine::new(&workspace.root, &driver, &given).run()
}
