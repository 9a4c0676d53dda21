//! What ties each entry to all that came before it.

use sha2::{Digest, Sha256};
use table::ActionId;

use crate::TableId;

/// What stands for a log up to some entry: half of a SHA-256 over the entry and what stands for the
/// log before it. SQLite has no checksums in its pages, so that without this a byte that changed on
/// the disk would be read as if it had been written.
pub(super) type Chain = [u8; 16];

/// What stands for the empty log of a table.
pub(super) fn start(table: TableId) -> Chain {
    half(Sha256::new().chain_update("the log of a table").chain_update(table.bits()))
}

/// What stands for a log with one more entry.
pub(super) fn link(before: &Chain, version: u64, line: &[u8]) -> Chain {
    half(Sha256::new().chain_update(before).chain_update(version.to_le_bytes()).chain_update(line))
}

/// The number under which the entries of an action are looked up; others may have it as well.
pub(super) fn action_number(action: &ActionId) -> i64 {
    let digest = half(Sha256::new().chain_update(action.as_str()));
    let (number, _) = digest.split_first_chunk().expect("there are 16 bytes");
    i64::from_le_bytes(*number)
}

fn half(hasher: Sha256) -> Chain {
    let digest: [u8; 32] = hasher.finalize().into();
    let (half, _) = digest.split_first_chunk().expect("there are 32 bytes");
    *half
}
