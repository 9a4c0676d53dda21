//! The entries of the glossary: `| word | one sentence | types |`.

use std::path::PathBuf;

/// One row of the glossary.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct GlossaryEntry {
    word: String,
    meaning: String,
    types: Vec<String>,
}

/// The rows of the table whose first column is `word`.
///
/// # Panics
/// If a row has not the three columns word, meaning, types.
pub(crate) fn entries(page: &str) -> Vec<GlossaryEntry> {
    let table = page.lines().skip_while(|line| !line.starts_with("| word |"));
    table.skip(2).take_while(|line| line.starts_with('|')).map(entry).collect()
}

fn entry(line: &str) -> GlossaryEntry {
    let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
    let [word, meaning, types]: [&str; 3] = cells.try_into().expect("the table has three columns");
    let types = types.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    GlossaryEntry { word: word.to_owned(), meaning: meaning.to_owned(), types }
}

/// A complaint for each fault of the glossary's form.
pub(crate) fn faults(entries: &[GlossaryEntry], most: usize) -> Vec<String> {
    let count = entries.len();
    let count = (count == 0 || count > most).then(|| format!("{count} entries, not 1 to {most}"));
    let key = |entry: &GlossaryEntry| entry.word.to_lowercase();
    let unsorted = entries.windows(2).filter(|pair| key(&pair[0]) >= key(&pair[1]));
    let unsorted = unsorted.map(|pair| format!("`{}` is not in order", pair[1].word));
    let is_sentence =
        |text: &str| text.ends_with('.') && !text.trim_end_matches('.').contains(". ");
    let long = entries.iter().filter(|entry| !is_sentence(&entry.meaning));
    let long = long.map(|entry| format!("`{}` is not explained in one sentence", entry.word));
    count.into_iter().chain(unsorted).chain(long).collect()
}

/// A complaint for each type, as in `table::Replica`, that no source defines.
pub(crate) fn missing_types(
    entries: &[GlossaryEntry],
    sources: &[(PathBuf, String)],
) -> Vec<String> {
    let is_defined = |path: &str| {
        let name = path.rsplit("::").next().unwrap_or(path);
        let definition = ["struct", "enum", "trait", "type"].map(|kind| format!("{kind} {name}"));
        sources.iter().flat_map(|(_, source)| source.lines()).any(|line| {
            let item =
                line.trim_start().trim_start_matches("pub ").trim_start_matches("pub(crate) ");
            definition.iter().any(|definition| {
                let rest = item.strip_prefix(definition);
                rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
            })
        })
    };
    let types = entries.iter().flat_map(|entry| &entry.types);
    let missing = types.filter(|name| !is_defined(name));
    missing.map(|name| format!("the glossary names `{name}`, which does not exist")).collect()
}

const PAGE: &str = "\
# Words

| word | meaning | types |
|---|---|---|
| entry | One line of a log. | `table::Entry` |
| seat | A place at a table. | |
";

#[test]
fn an_entry_has_a_word_a_meaning_and_types() {
    let entry = GlossaryEntry {
        word: "entry".to_owned(),
        meaning: "One line of a log.".to_owned(),
        types: vec!["table::Entry".to_owned()],
    };
    let entries = entries(PAGE);
    assert_eq!((entries.len(), &entries[0]), (2, &entry));
    assert!(faults(&entries, 2).is_empty());
}

#[test]
fn a_glossary_that_is_too_long_unsorted_or_wordy_is_refused() {
    let page = PAGE.replace("entry", "table").replace("of a log.", "of a log. It is short.");
    assert_eq!(
        faults(&entries(&page), 1),
        [
            "2 entries, not 1 to 1",
            "`seat` is not in order",
            "`table` is not explained in one sentence"
        ]
    );
    assert_eq!(faults(&[], 1), ["0 entries, not 1 to 1"]);
}

#[test]
fn a_type_that_exists_is_accepted() {
    for source in ["pub struct Entry<'a> {", "    pub(crate) enum Entry {", "trait Entry: Sized {"]
    {
        assert!(
            missing_types(&entries(PAGE), &[(PathBuf::new(), source.to_owned())]).is_empty(),
            "{source}"
        );
    }
}

#[test]
fn a_type_that_does_not_exist_is_refused() {
    let complaint = "the glossary names `table::Entry`, which does not exist";
    for source in ["struct EntryBody;", "// struct Entry", ""] {
        assert_eq!(
            missing_types(&entries(PAGE), &[(PathBuf::new(), source.to_owned())]),
            [complaint],
            "{source}"
        );
    }
}
