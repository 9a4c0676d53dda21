//! Checks of the systemd unit.

use std::fs;

use crate::apt::{self, AptPrograms};
use crate::command_line::CommandLine;
use crate::{StepOutcome, TaskFailure, Workspace};

/// The unit, with the place where an installed program is.
const UNIT: &str = "packaging/cradle.service";
const INSTALLED: &str = "/usr/local/bin/cradle";

/// Ten times the exposure that `systemd-analyze security` may find, of 100.
const EXPOSURE: &str = "--threshold=12";

/// Lets systemd verify the unit and rate how exposed it is.
///
/// # Errors
/// If the unit has a mistake or is too exposed.
pub(crate) fn check(workspace: &Workspace) -> Result<StepOutcome, TaskFailure> {
    let systemd = AptPrograms {
        programs: &["systemd-analyze"],
        packages: &["systemd"],
        advice: "install systemd",
    };
    if let Err(why) = apt::install(&workspace.root, systemd) {
        return Ok(StepOutcome::CannotRun(why));
    }
    // The program must exist, so the unit names the one that the tests have built.
    let program = workspace.tested_program("cradle")?;
    let written = workspace.target.join("cradle.service");
    let copied = fs::read_to_string(workspace.root.join(UNIT))
        .and_then(|unit| fs::write(&written, unit.replace(INSTALLED, &program)));
    if let Err(error) = copied {
        return Err(TaskFailure::Missing(format!("{UNIT} cannot be copied: {error}")));
    }
    let unit = written.display().to_string();
    let analyze = |arguments: &[&str]| {
        CommandLine::new(&workspace.root, "systemd-analyze", arguments).run_without_complaint()
    };
    // It ignores unknown keys with a complaint.
    analyze(&["verify", &unit])?;
    analyze(&["security", "--offline=true", EXPOSURE, "--no-pager", &unit])?;
    Ok(StepOutcome::Passed)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_unit_lets_the_server_lower_the_priority_of_what_takes_long() {
        let unit = include_str!("../../packaging/cradle.service");
        let place = |wanted: &str| unit.lines().position(|line| line == wanted);
        let (forbidden, allowed) = (
            place("SystemCallFilter=~@privileged @resources"),
            place("SystemCallFilter=setpriority"),
        );
        assert!(forbidden.is_some() && forbidden < allowed, "the last one counts");
    }
}
