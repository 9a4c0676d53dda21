//! A check of the settings for nginx in the docs.

use std::fs;
use std::path::Path;

use crate::apt::{self, AptPrograms};
use crate::command_line::CommandLine;
use crate::{StepOutcome, TaskFailure, Workspace};

/// The page with the settings.
const DOCS: &str = "docs/operations.md";

/// The certificate and its key in the settings.
const CERTIFICATE: &str = "/etc/ssl/play.example.pem";
const KEY: &str = "/etc/ssl/play.example.key";

/// The port in the settings, and one that everybody may use.
const PORT: &str = "listen 443 ssl;";
const FREE_PORT: &str = "listen 127.0.0.1:8443 ssl;";

/// Lets nginx read the settings in the docs.
///
/// # Errors
/// If they have a mistake.
pub(crate) fn check(workspace: &Workspace) -> Result<StepOutcome, TaskFailure> {
    if let Err(why) = install(&workspace.root) {
        return Ok(StepOutcome::CannotRun(why));
    }
    let folder = workspace.target.join("nginx");
    let path = |name: &str| folder.join(name).display().to_string();
    let (certificate, key) = (path("certificate.pem"), path("key.pem"));
    let written = fs::create_dir_all(&folder)
        .and_then(|()| fs::read_to_string(workspace.root.join(DOCS)))
        .map(|docs| whole_settings(&docs, &certificate, &key))
        .and_then(|settings| fs::write(folder.join("nginx.conf"), settings));
    if let Err(error) = written {
        return Err(TaskFailure::Missing(format!("the settings cannot be copied: {error}")));
    }
    let subject = ["-subj", "/CN=play.example", "-keyout", &key, "-out", &certificate];
    let request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"];
    let openssl = [&request[..], &subject].concat();
    CommandLine::new(&workspace.root, "openssl", &openssl).answer().ok_or_else(|| {
        TaskFailure::Missing("openssl made no certificate for nginx to read".to_owned())
    })?;
    let (prefix, settings) = (folder.display().to_string(), path("nginx.conf"));
    let arguments = ["-t", "-q", "-p", &prefix, "-c", &settings];
    CommandLine::new(&workspace.root, "nginx", &arguments).run_without_complaint()?;
    Ok(StepOutcome::Passed)
}

/// Installs Debian's nginx and OpenSSL, unless they are there.
fn install(root: &Path) -> Result<(), String> {
    // They do not know `--version`.
    for (program, version) in [("nginx", "-v"), ("openssl", "version")] {
        if CommandLine::new(root, program, &[version]).answer().is_none() {
            let advice = "install nginx and openssl";
            let package = AptPrograms { programs: &[], packages: &[program], advice };
            apt::install_packages(root, program, package)?;
        }
    }
    Ok(())
}

/// The settings of the docs with what nginx needs around them, for a certificate and a port that exist here.
fn whole_settings(docs: &str, certificate: &str, key: &str) -> String {
    let settings = example(docs).replace(CERTIFICATE, certificate).replace(KEY, key);
    let settings = settings.replace(PORT, FREE_PORT);
    let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("{name}_temp_path {name};\n"))
        .concat();
    format!(
        "pid nginx.pid;\nerror_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n{folders}{settings}}}\n"
    )
}

/// The settings in a page of the docs; nothing if there are none.
fn example(docs: &str) -> &str {
    let begun = docs.split_once("```nginx\n").map(|(_, rest)| rest);
    begun.and_then(|rest| rest.split_once("```")).map(|(example, _)| example).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPERATIONS: &str = include_str!("../../docs/operations.md");

    #[test]
    fn the_settings_of_the_docs_are_found_and_fit_this_machine() {
        let example = example(OPERATIONS);
        for known in [CERTIFICATE, KEY, PORT] {
            assert_eq!(example.matches(known).count(), 1, "{known}");
        }
        let whole = whole_settings(OPERATIONS, "/certificate", "/key");
        assert!(whole.contains("ssl_certificate /certificate;\n"), "{whole}");
        assert!(whole.contains("ssl_certificate_key /key;\n"), "{whole}");
        assert!(whole.contains("proxy_pass http://127.0.0.1:4000;"), "{whole}");
    }
}
