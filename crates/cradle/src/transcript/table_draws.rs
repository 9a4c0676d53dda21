//! `cradle replay --log`: checks what chance drew at a table that has ended.

use std::io::{BufRead, BufReader, Read};

use anyhow::{Context, bail};
use table::{Entry, EntryBody, UnfairDraws, check_draws};

use crate::exit_reason::ExitReason;
use crate::quantity::counted;
use crate::{console, names};

/// The most bytes of a log that are read: as many as the longest table has.
const MOST_BYTES: u64 = 64 << 20;

/// Checks the log of a table: entries as JSON, one on each line, or the answer to
/// `GET /api/tables/ID/log`.
pub(super) fn check_log(file: impl Read) -> anyhow::Result<ExitReason> {
    let log = read(file)?;
    let Some(EntryBody::Created { game, .. }) = log.first().map(|entry| &entry.body) else {
        bail!("a log begins with the entry that created the table")
    };
    let (text, reason) = match check_draws(names::game(game)?, &log) {
        Ok(draws) => {
            let draws = counted(draws.into(), "draw follows", "draws follow");
            (format!("{draws} from the seed to which the table was committed."), ExitReason::Fine)
        }
        Err(UnfairDraws::NotRevealed) => {
            let text = "Nothing was checked: the table has not ended, so its seed is secret.";
            (text.to_owned(), ExitReason::CutShort)
        }
        Err(why @ UnfairDraws::Hidden) => {
            (format!("Nothing was checked: {why}."), ExitReason::CutShort)
        }
        Err(why) => (format!("The draws cannot be trusted: {why}."), ExitReason::No),
    };
    console::print(&format!("{}\n", console::visible(&text)))?;
    Ok(reason)
}

fn read(file: impl Read) -> anyhow::Result<Vec<Entry>> {
    let mut log: Vec<Entry> = Vec::new();
    for line in BufReader::new(file.take(MOST_BYTES)).lines() {
        let line = line.context("the log cannot be read")?;
        let entries = match serde_json::from_str::<serde_json::Value>(&line) {
            Ok(serde_json::Value::Object(mut page)) if page.contains_key("entries") => {
                page.remove("entries").unwrap_or_default()
            }
            Ok(entry) => serde_json::Value::Array(vec![entry]),
            Err(error) => bail!("line {} is no JSON: {error}", log.len() + 1),
        };
        for entry in entries.as_array().into_iter().flatten() {
            log.push(Entry::read(&entry.to_string(), log.len() as u64 + 1)?);
        }
    }
    Ok(log)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = r#"{"format":1,"version":1,"at":1,"who":"table","kind":"tied","round":1}"#;

    #[test]
    fn a_log_is_read_line_by_line_and_page_by_page() {
        let second = ENTRY.replace("\"version\":1", "\"version\":2");
        let lines = format!("{ENTRY}\n{second}\n");
        let pages = format!("{{\"version\":2,\"entries\":[{ENTRY},{second}]}}\n");
        for text in [lines, pages] {
            assert_eq!(read(text.as_bytes()).unwrap().len(), 2, "{text}");
        }
        assert!(read(&b"moon"[..]).is_err());
        assert!(read(&b"{\"kind\":\"moon\"}"[..]).is_err());
    }

    #[test]
    fn the_draws_of_a_game_that_hides_something_are_not_checked() {
        let commitment = "0".repeat(64);
        let entry = format!(
            r#"{{"format":1,"version":1,"at":1,"who":"table","kind":"created","game":"kuhn-poker","rules":1,"options":{{}},"commitment":"{commitment}"}}"#
        );
        assert!(matches!(check_log(entry.as_bytes()), Ok(ExitReason::CutShort)));
    }

    #[test]
    fn a_log_that_does_not_begin_with_a_table_is_refused() {
        assert!(check_log(ENTRY.as_bytes()).is_err());
        assert!(check_log(&b""[..]).is_err());
    }
}
