//! The links of a page.

use std::path::Path;

/// A complaint for each link of a page to a file or a heading that does not exist. `find` looks for a
/// path relative to the page: nothing, a folder, or a file with its text.
pub(crate) fn broken(
    path: &Path,
    page: &str,
    find: impl Fn(&str) -> Option<Option<String>>,
) -> Vec<String> {
    let is_broken = |target: &&str| {
        let (file, heading) = target.split_once('#').unwrap_or((target, ""));
        let text = if file.is_empty() { Some(Some(page.to_owned())) } else { find(file) };
        match text {
            None => true,
            Some(None) => !heading.is_empty(),
            Some(Some(text)) => !heading.is_empty() && !has_heading(&text, heading),
        }
    };
    let local = targets(page).into_iter().filter(|target| !target.contains("://"));
    local
        .filter(is_broken)
        .map(|target| format!("{}: {target} leads nowhere", path.display()))
        .collect()
}

/// What the links and pictures of a page lead to.
fn targets(page: &str) -> Vec<&str> {
    // A fence is three backticks, so that its content falls on the odd pieces, as code spans do.
    let prose = page.split('`').step_by(2);
    let links = prose.clone().flat_map(|text| text.split("](").skip(1));
    let links = links.filter_map(|rest| rest.split_once(')'));
    let pictures = prose.flat_map(|text| text.split("src=\"").skip(1));
    let pictures = pictures.filter_map(|rest| rest.split_once('"'));
    links.chain(pictures).map(|(target, _)| target).collect()
}

fn has_heading(page: &str, anchor: &str) -> bool {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| line.trim_start_matches('#').trim()).any(|heading| {
        let kept = |character: &char| character.is_alphanumeric() || matches!(character, ' ' | '-');
        heading.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-") == anchor
    })
}

fn complaints(page: &str) -> Vec<String> {
    broken(Path::new("a.md"), page, |path| match path {
        "b.md" => Some(Some("# How it works\n".to_owned())),
        "crates" => Some(None),
        _ => None,
    })
}

#[test]
fn links_to_files_folders_headings_and_other_sites_are_accepted() {
    let page = "# Top\n[b](b.md) [h](b.md#how-it-works) ![c](crates) [t](#top) [w](https://a.b/c)";
    assert!(complaints(page).is_empty());
}

#[test]
fn links_to_what_does_not_exist_are_refused() {
    let page = "[a](gone.md) <img src=\"gone.png\"> [b](b.md#gone) [c](crates#gone) [d](#gone)";
    let gone = ["gone.md", "b.md#gone", "crates#gone", "#gone", "gone.png"];
    assert_eq!(complaints(page), gone.map(|target| format!("a.md: {target} leads nowhere")));
}

#[test]
fn code_is_no_link() {
    assert!(complaints("`[a](b)`\n```rust\n#[x](y)\n```\n").is_empty());
}
