//! Ids of tables on the command line.
//!
//! One id in 64 begins with a hyphen, and would be taken for a flag. Such an argument is marked before the
//! arguments are parsed.

use std::ffi::OsString;

use server::TableId;

/// The mark of an id.
const MARK: &str = "id:";

/// The arguments of `cradle`, with a mark on each that is the id of a table and begins with a hyphen.
pub(crate) fn marked(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.collect();
    if arguments.get(1).is_some_and(|subcommand| subcommand == "journal") {
        for argument in arguments.iter_mut().skip(2) {
            let is_id = |text: &&str| text.starts_with('-') && text.parse::<TableId>().is_ok();
            if let Some(id) = argument.to_str().filter(is_id) {
                *argument = format!("{MARK}{id}").into();
            }
        }
    }
    arguments
}

/// Reads an id, with the mark or without.
pub(super) fn table_id(text: &str) -> Result<TableId, server::InvalidTableId> {
    text.strip_prefix(MARK).unwrap_or(text).parse()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ids_with_a_hyphen_in_front_are_marked() {
        let words = [
            "cradle",
            "journal",
            "delete",
            "--yes",
            "-_AAAAAAAAAAAAAAAAAAAA",
            "-h",
            "AAAAAAAAAAAAAAAAAAAAAA",
        ];
        let marked = marked(words.iter().map(OsString::from));
        assert_eq!(marked[4], "id:-_AAAAAAAAAAAAAAAAAAAA");
        for place in [0, 1, 2, 3, 5, 6] {
            assert_eq!(marked[place], words[place]);
        }
        let serve = ["cradle", "serve", "-_AAAAAAAAAAAAAAAAAAAA"];
        assert_eq!(super::marked(serve.iter().map(OsString::from)), serve);
    }

    #[test]
    fn an_id_is_read_with_its_mark_and_without() {
        let id = table_id("-_AAAAAAAAAAAAAAAAAAAA").unwrap();
        assert_eq!(table_id("id:-_AAAAAAAAAAAAAAAAAAAA"), Ok(id));
        assert!(table_id("id:").is_err());
    }
}
