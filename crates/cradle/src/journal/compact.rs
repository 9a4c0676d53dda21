//! `cradle journal compact`.

use clap::Args;

use super::source::JournalSource;
use crate::console;
use crate::exit_reason::ExitReason;
use crate::quantity::memory;

/// Return the space of deleted tables to the disk
///
/// The file is written anew beside the old one, so the disk needs that much space.
/// A running server answers moves when it is done.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct CompactJournal {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl CompactJournal {
    pub(super) async fn run(&self, source: &JournalSource) -> anyhow::Result<ExitReason> {
        let size = source.compact().await?;
        console::print(&if self.json {
            serde_json::to_string(&size)? + "\n"
        } else {
            format!("The journal had {} and has {} now.\n", memory(size.before), memory(size.after))
        })?;
        Ok(ExitReason::Fine)
    }
}
