//! The workspace as Cargo describes it.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::TaskFailure;
use crate::command_line::CommandLine;

/// The crates that must be deterministic and compile to WebAssembly.
pub const DETERMINISTIC: [&str; 7] =
    ["bthread", "channels", "checker", "game", "games", "notation", "table"];

/// The packages of the workspace and its folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    /// The folder of the root `Cargo.toml`.
    pub root: PathBuf,
    /// The folder for everything that is built.
    pub target: PathBuf,
    /// The members, in Cargo's order.
    pub packages: Vec<Package>,
}

/// One member of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// The package's name.
    pub name: String,
    /// The folder of its `Cargo.toml`.
    pub folder: PathBuf,
    /// Whether its `Cargo.toml` says `[package.metadata.cradle] deterministic = true`.
    pub deterministic: bool,
    /// The names of its dependencies, development dependencies left out.
    pub dependencies: Vec<String>,
}

/// Why the workspace is not what it should be.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WorkspaceError {
    /// `cargo metadata` did not answer.
    #[error("`cargo metadata` failed; run it by hand to see why")]
    NoAnswer,
    /// The answer of `cargo metadata` does not have the form that we expect.
    #[error("the answer of `cargo metadata` cannot be read: {0} is missing or has another type")]
    Unreadable(&'static str),
    /// A crate that must be deterministic does not say so.
    #[error(
        "`{0}` must be deterministic: add `[package.metadata.cradle] deterministic = true` to its Cargo.toml"
    )]
    Unmarked(String),
}

impl Workspace {
    /// Asks Cargo for the workspace whose root is `root`.
    ///
    /// # Errors
    /// If Cargo does not answer, or its answer cannot be read.
    pub fn read(root: &Path) -> Result<Self, WorkspaceError> {
        let arguments = ["metadata", "--format-version", "1", "--no-deps"];
        let answer = CommandLine::new(root, "cargo", &arguments).answer();
        Self::parse(&answer.ok_or(WorkspaceError::NoAnswer)?)
    }

    /// The workspace that the answer of `cargo metadata --no-deps` describes.
    ///
    /// # Errors
    /// If a field is missing or has another type.
    pub fn parse(metadata: &str) -> Result<Self, WorkspaceError> {
        let unreadable = |_| WorkspaceError::Unreadable("its JSON");
        let metadata: Value = serde_json::from_str(metadata).map_err(unreadable)?;
        Ok(Self {
            root: PathBuf::from(text(&metadata, "workspace_root")?),
            target: PathBuf::from(text(&metadata, "target_directory")?),
            packages: list(&metadata, "packages")?.iter().map(package).collect::<Result<_, _>>()?,
        })
    }

    /// The path of a program that the step `tests` has built.
    ///
    /// # Errors
    /// If it is not built.
    pub(crate) fn tested_program(&self, name: &str) -> Result<String, TaskFailure> {
        let path = self.target.join("debug").join(name);
        if path.exists() {
            return Ok(path.display().to_string());
        }
        let path = path.display();
        let advice = "run `cargo xtask test --only page,tests` first";
        Err(TaskFailure::Missing(format!("{path} is not built: {advice}")))
    }

    /// The names of the deterministic packages.
    ///
    /// # Errors
    /// If a package of [`DETERMINISTIC`] does not carry the mark.
    pub fn deterministic(&self) -> Result<Vec<&str>, WorkspaceError> {
        let mut names = Vec::new();
        for package in &self.packages {
            if package.deterministic {
                names.push(package.name.as_str());
            } else if DETERMINISTIC.contains(&package.name.as_str()) {
                return Err(WorkspaceError::Unmarked(package.name.clone()));
            }
        }
        Ok(names)
    }
}

fn package(metadata: &Value) -> Result<Package, WorkspaceError> {
    let manifest = PathBuf::from(text(metadata, "manifest_path")?);
    Ok(Package {
        name: text(metadata, "name")?.to_owned(),
        folder: manifest.parent().ok_or(WorkspaceError::Unreadable("a folder"))?.to_path_buf(),
        deterministic: metadata["metadata"]["cradle"]["deterministic"] == Value::Bool(true),
        dependencies: dependencies(metadata)?,
    })
}

fn dependencies(package: &Value) -> Result<Vec<String>, WorkspaceError> {
    list(package, "dependencies")?
        .iter()
        .filter(|dependency| dependency["kind"] != "dev")
        .map(|dependency| text(dependency, "name").map(str::to_owned))
        .collect()
}

fn text<'a>(value: &'a Value, key: &'static str) -> Result<&'a str, WorkspaceError> {
    value[key].as_str().ok_or(WorkspaceError::Unreadable(key))
}

fn list<'a>(value: &'a Value, key: &'static str) -> Result<&'a [Value], WorkspaceError> {
    let items = value[key].as_array().ok_or(WorkspaceError::Unreadable(key))?;
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace_of(name: &str, metadata: &str) -> Workspace {
        let answer = format!(
            r#"{{"workspace_root": "/w", "target_directory": "/w/target", "packages": [{{
                "name": "{name}", "manifest_path": "/w/crates/{name}/Cargo.toml", "metadata": {metadata},
                "dependencies": [{{"name": "a", "kind": null}}, {{"name": "b", "kind": "dev"}},
                                 {{"name": "c", "kind": "build"}}]}}]}}"#
        );
        Workspace::parse(&answer).expect("the answer has all fields")
    }

    #[test]
    fn a_package_has_a_name_a_folder_and_its_dependencies_except_development_ones() {
        let workspace = workspace_of("game", r#"{"cradle": {"deterministic": true}}"#);
        let game = Package {
            name: "game".to_owned(),
            folder: PathBuf::from("/w/crates/game"),
            deterministic: true,
            dependencies: vec!["a".to_owned(), "c".to_owned()],
        };
        assert_eq!(workspace.packages, [game]);
    }

    #[test]
    fn a_marked_crate_is_deterministic() {
        let workspace = workspace_of("game", r#"{"cradle": {"deterministic": true}}"#);
        assert_eq!(workspace.deterministic(), Ok(vec!["game"]));
    }

    #[test]
    fn a_crate_that_must_be_deterministic_may_not_lack_the_mark() {
        for metadata in ["null", "{}", r#"{"cradle": {"deterministic": false}}"#] {
            let workspace = workspace_of("game", metadata);
            assert_eq!(workspace.deterministic(), Err(WorkspaceError::Unmarked("game".to_owned())));
        }
    }

    #[test]
    fn another_crate_needs_no_mark() {
        assert_eq!(workspace_of("server", "null").deterministic(), Ok(vec![]));
    }

    #[test]
    fn a_program_that_is_not_built_is_named_with_the_steps_that_build_it() {
        let workspace = workspace_of("server", "null");
        let failure = workspace.tested_program("no-such-program").unwrap_err().to_string();
        assert!(failure.contains("no-such-program is not built: run `cargo xtask"), "{failure}");
    }

    #[test]
    fn an_answer_without_packages_is_unreadable() {
        let answer = r#"{"workspace_root": "/w", "target_directory": "/w/target"}"#;
        assert_eq!(Workspace::parse(answer), Err(WorkspaceError::Unreadable("packages")));
    }

    #[test]
    fn an_answer_that_is_not_json_is_unreadable() {
        assert_eq!(Workspace::parse("error"), Err(WorkspaceError::Unreadable("its JSON")));
    }
}
