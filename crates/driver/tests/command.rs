//! The driver as a command.

use std::process::Command;

#[test]
fn the_help_names_what_the_driver_does() {
    let output = Command::new(env!("CARGO_BIN_EXE_driver")).arg("--help").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    for name in ["load", "soak", "attack", "cluster"] {
        assert!(help.lines().any(|line| line.trim_start().starts_with(name)), "{help}");
    }
}
