//! The lines of an export.

use serde::{Deserialize, Serialize};
use server::{OpenTable, TableId};
use table::Entry;

/// A line of an export. The first is a start and the last an end; the entries of a table follow it.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
pub(super) enum ExportLine {
    Start {
        /// The format of the export.
        format: u32,
        /// The key of the installation, if it was asked for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<[u8; 32]>,
    },
    Table {
        id: TableId,
        /// The number of entries that follow.
        entries: u64,
        /// The text of its rules, if its game is written as text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rules: Option<String>,
        /// The record in the directory.
        record: Option<OpenTable>,
    },
    Entry {
        entry: Entry,
    },
    End {
        tables: u64,
        entries: u64,
    },
}

/// The format that is written.
pub(super) const FORMAT: u32 = 2;

/// The formats that are read. The first one has no rules.
pub(super) const FORMATS: [u32; 2] = [1, FORMAT];

impl ExportLine {
    pub(super) fn write(&self) -> String {
        let mut line = serde_json::to_string(self).expect("a line serializes");
        line.push('\n');
        line
    }
}
