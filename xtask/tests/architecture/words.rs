//! How long a page is.

/// A complaint if a page has more than `most` words before the line `end`, or no such line.
pub(crate) fn too_many(page: &str, end: &str, most: usize) -> Vec<String> {
    let Some((beginning, _)) = page.split_once(&format!("\n{end}\n")) else {
        return vec![format!("there is no line `{end}`")];
    };
    let words = beginning.split_whitespace().count();
    let complaint = (words > most).then(|| format!("{words} words before `{end}`, not {most}"));
    complaint.into_iter().collect()
}

#[test]
fn a_page_that_is_short_enough_is_accepted() {
    assert!(too_many("one two\n\n## End\nthree\n", "## End", 2).is_empty());
}

#[test]
fn a_page_that_is_too_long_is_refused() {
    let complaints = too_many("one two three\n## End\n", "## End", 2);
    assert_eq!(complaints, ["3 words before `## End`, not 2"]);
}

#[test]
fn a_page_without_the_line_is_refused() {
    assert_eq!(too_many("one\n", "## End", 2), ["there is no line `## End`"]);
}
