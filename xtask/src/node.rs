//! What the tests in JavaScript need.

use std::path::Path;

use crate::apt::{self, AptPrograms};
use crate::command_line::CommandLine;

/// Installs node and npm if they are missing, and exactly the packages of a folder's lock file.
///
/// # Errors
/// A sentence that says what is missing.
pub(crate) fn install(root: &Path, folder: &Path) -> Result<(), String> {
    let node = AptPrograms {
        programs: &["node", "npm"],
        packages: &["nodejs", "npm"],
        advice: "install Node.js 18 or newer with npm",
    };
    apt::install(root, node)?;
    // Without a network everything else can still be tested.
    CommandLine::new(folder, "npm", &["ci"]).run().map_err(|failure| failure.to_string())
}

#[cfg(test)]
mod tests {
    use crate::{browser, phoenix};

    use super::*;

    #[test]
    fn the_lock_files_name_exact_versions_and_no_host() {
        for folder in [phoenix::FOLDER, browser::FOLDER] {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
            let lock = std::fs::read_to_string(folder.join("package-lock.json")).unwrap();
            assert!(!lock.contains("://"), "npm's settings decide where packages come from");
            let wanted = std::fs::read_to_string(folder.join("package.json")).unwrap();
            let wanted: serde_json::Value = serde_json::from_str(&wanted).unwrap();
            for (name, version) in wanted["devDependencies"].as_object().unwrap() {
                let version = version.as_str().unwrap();
                let is_exact = version.starts_with(|first: char| first.is_ascii_digit());
                assert!(is_exact, "{name} {version}");
            }
        }
    }
}
