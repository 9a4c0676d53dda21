//! `cargo xtask load`, `soak`, `attack` and `cluster`.

use crate::command_line::CommandLine;
use crate::packed_page::PackedPage;
use crate::{TaskFailure, Workspace, haproxy, nats};

/// Builds the server and the driver with the profile `release`, and runs the driver against the
/// server, which has the page if people are to open it. The arguments are passed to the driver; the
/// first one is its subcommand.
///
/// # Errors
/// If a build fails, or the driver finds a fault.
pub fn drive(workspace: &Workspace, arguments: &[String]) -> Result<(), TaskFailure> {
    build(workspace, is_for_people(arguments))?;
    let program = |name: &str| workspace.target.join("release").join(name).display().to_string();
    let (driver, server) = (program("driver"), program("cradle"));
    let mut given: Vec<&str> = arguments.iter().map(String::as_str).collect();
    given.splice(1..1, ["--server", &server]);
    let nats = if given.contains(&"--cluster") || given.first() == Some(&"cluster") {
        nats::program(workspace).map_err(TaskFailure::Missing)?.display().to_string()
    } else {
        String::new()
    };
    if wants_haproxy(&given) {
        haproxy::install(workspace).map_err(TaskFailure::Missing)?;
    }
    if !nats.is_empty() {
        given.splice(1..1, ["--nats", &nats]);
    }
    CommandLine::new(&workspace.root, &driver, &given).run()
}

/// Whether people open the page of the server.
fn is_for_people(arguments: &[String]) -> bool {
    arguments.first().is_some_and(|subcommand| subcommand == "cluster")
}

fn build(workspace: &Workspace, with_page: bool) -> Result<(), TaskFailure> {
    let build = ["build", "--release", "--package", "cradle", "--package", "driver"];
    let build = CommandLine::new(&workspace.root, "cargo", &build);
    if !with_page {
        return build.run();
    }
    println!(
        "Building the page, the server and the driver. The first time this takes some minutes."
    );
    let page = PackedPage::new(workspace);
    page.build_alone(workspace)?;
    page.with(build).run()
}

/// Whether `HAProxy` is wanted, and not a certain program.
fn wants_haproxy(arguments: &[&str]) -> bool {
    let flag = arguments.iter().position(|argument| *argument == "--haproxy");
    let program = flag.map(|place| arguments.get(place + 1));
    program.is_some_and(|program| program.is_none_or(|program| program.starts_with('-')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_built_for_people_and_not_for_measurements() {
        let is_it = |line: &str| {
            let words: Vec<_> = line.split(' ').map(str::to_owned).collect();
            is_for_people(&words)
        };
        assert!(is_it("cluster --haproxy"));
        for line in ["load --cluster", "soak --cluster --minutes 10", "attack"] {
            assert!(!is_it(line), "{line}");
        }
    }

    #[test]
    fn haproxy_is_installed_only_if_no_program_is_named() {
        for wanting in [&["cluster", "--haproxy"][..], &["soak", "--haproxy", "--cluster"]] {
            assert!(wants_haproxy(wanting), "{wanting:?}");
        }
        for other in [&["cluster"][..], &["soak", "--haproxy", "/opt/haproxy", "--cluster"]] {
            assert!(!wants_haproxy(other), "{other:?}");
        }
    }
}
