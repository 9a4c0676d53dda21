//! Which steps of `cargo xtask test` run.

use std::fmt::Write as _;

use crate::TestStep;

/// Why the arguments of `cargo xtask test` choose no steps.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadSelection {
    /// No step has this name.
    #[error("no step is called `{name}`; there are {known}")]
    UnknownStep {
        /// The name.
        name: String,
        /// The names of all steps.
        known: String,
    },
    /// The arguments have another form.
    #[error("write `--only NAME,NAME` or `--from NAME`, with names of steps")]
    Form,
}

/// The steps that the arguments choose, in their usual order: all of them without arguments, those of
/// `--only browser,docs`, or those from `--from soak` on.
///
/// # Errors
/// If a name is unknown, or the arguments have another form.
pub fn selected(
    steps: Vec<TestStep>,
    arguments: &[impl AsRef<str>],
) -> Result<Vec<TestStep>, BadSelection> {
    let words = arguments.iter().flat_map(|argument| argument.as_ref().split('='));
    match words.collect::<Vec<_>>()[..] {
        [] => Ok(steps),
        ["--only", names] => {
            let names: Vec<&str> = names.split(',').collect();
            names.iter().try_for_each(|name| place(&steps, name).map(drop))?;
            Ok(steps.into_iter().filter(|step| names.contains(&step.name)).collect())
        }
        ["--from", name] => {
            let first = place(&steps, name)?;
            Ok(steps.into_iter().skip(first).collect())
        }
        _ => Err(BadSelection::Form),
    }
}

fn place(steps: &[TestStep], name: &str) -> Result<usize, BadSelection> {
    let names = || steps.iter().map(|step| step.name).collect::<Vec<_>>().join(", ");
    let unknown = || BadSelection::UnknownStep { name: name.to_owned(), known: names() };
    steps.iter().position(|step| step.name == name).ok_or_else(unknown)
}

/// One line for each step: its name and what it does.
pub fn list(steps: &[TestStep]) -> String {
    let width = steps.iter().map(|step| step.name.len()).max().unwrap_or_default();
    let mut lines = String::new();
    for TestStep { name, does, .. } in steps {
        writeln!(lines, "  {name:width$}  {does}").expect("a String takes everything");
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StepOutcome;

    fn steps() -> Vec<TestStep> {
        let step = |name| TestStep { name, does: "passes", run: |_| Ok(StepOutcome::Passed) };
        ["page", "tests", "docs"].map(step).to_vec()
    }

    #[track_caller]
    fn check(arguments: &[&str], expected: &[&str]) {
        let chosen = selected(steps(), arguments).expect("the arguments choose steps");
        let names: Vec<&str> = chosen.iter().map(|step| step.name).collect();
        assert_eq!(names, expected, "{arguments:?}");
    }

    #[track_caller]
    fn refused(arguments: &[&str], expected: &str) {
        let refusal = selected(steps(), arguments).expect_err("the arguments choose nothing");
        assert_eq!(refusal.to_string(), expected, "{arguments:?}");
    }

    #[test]
    fn without_arguments_all_steps_run() {
        check(&[], &["page", "tests", "docs"]);
    }

    #[test]
    fn chosen_steps_run_in_their_usual_order() {
        check(&["--only", "docs"], &["docs"]);
        check(&["--only", "docs,page"], &["page", "docs"]);
        check(&["--only=docs,page"], &["page", "docs"]);
        check(&["--from", "tests"], &["tests", "docs"]);
    }

    #[test]
    fn unknown_names_are_refused_with_the_known_ones() {
        let expected = "no step is called `doc`; there are page, tests, docs";
        refused(&["--only", "page,doc"], expected);
        refused(&["--from", "doc"], expected);
        refused(&["--only", ""], "no step is called ``; there are page, tests, docs");
    }

    #[test]
    fn other_arguments_are_refused_with_the_form() {
        let expected = "write `--only NAME,NAME` or `--from NAME`, with names of steps";
        let others: [&[&str]; 4] =
            [&["twice"], &["--only"], &["--from", "page", "docs"], &["--only", "page", "--from"]];
        for arguments in others {
            refused(arguments, expected);
        }
    }

    #[test]
    fn the_list_has_a_line_for_each_step() {
        assert_eq!(list(&steps()), "  page   passes\n  tests  passes\n  docs   passes\n");
    }
}
