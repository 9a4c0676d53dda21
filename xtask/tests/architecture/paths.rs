//! The paths that a page names in backticks.

const EXTENSIONS: [&str; 5] = [".lock", ".md", ".rs", ".sh", ".toml"];

/// A complaint for each path in backticks that does not exist.
pub(crate) fn missing(page: &str, exists: impl Fn(&str) -> bool) -> Vec<String> {
    code_spans(page)
        .into_iter()
        .filter(|span| is_path(span) && !exists(span))
        .map(|path| format!("`{path}` is named but does not exist"))
        .collect()
}

// A fence is three backticks, so that its content falls on the even pieces, as prose does, as long as
// it holds no backtick of its own.
fn code_spans(page: &str) -> Vec<&str> {
    page.split('`').skip(1).step_by(2).collect()
}

fn is_path(span: &str) -> bool {
    let is_file = EXTENSIONS.iter().any(|extension| span.ends_with(extension));
    let is_word = !span.contains(char::is_whitespace) && !span.contains("::");
    is_word && !span.starts_with('/') && (is_file || span.contains('/') || span == "crates")
}

#[test]
fn a_path_that_exists_is_accepted() {
    assert!(missing("see `crates/bthread` and `.ci/run`", |_| true).is_empty());
}

#[test]
fn a_path_that_does_not_exist_is_refused() {
    let complaints =
        missing("see `crates/gone`, `Gone.toml` and `crates`", |path| path == "crates");
    assert_eq!(
        complaints,
        ["`crates/gone` is named but does not exist", "`Gone.toml` is named but does not exist"]
    );
}

#[test]
fn names_commands_and_fences_are_not_paths() {
    let page = "`bthread`, `cargo run/x`, `games::a/b`, `/api/tables`\n```\na/b\n```\n`Result`";
    assert!(missing(page, |_| false).is_empty());
}
