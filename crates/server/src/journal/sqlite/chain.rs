//! A chain of hashes over the entries of a log.

use sha2::{Digest, Sha256};
use table::ActionId;

use crate::TableId;

/// The hash of a log up to an entry: half of the SHA-256 of the entry and the hash before it. `SQLite`
/// has no checksums in its pages, so without this chain a byte that changed on the disk would go
/// unnoticed.
pub(super) type Chain = [u8; 16];

/// The hash of the empty log of a table.
pub(super) fn start(table: TableId) -> Chain {
    half(Sha256::new().chain_update("the log of a table").chain_update(table.bits()))
}

/// The hash of a log with one more entry.
pub(super) fn link(before: &Chain, version: u64, line: &[u8]) -> Chain {
    half(Sha256::new().chain_update(before).chain_update(version.to_le_bytes()).chain_update(line))
}

/// The number under which the entries of an action are indexed. Other actions may have the same.
pub(super) fn action_number(action: &ActionId) -> i64 {
    let digest = half(Sha256::new().chain_update(action.as_str()));
    let (number, _) = digest.split_first_chunk().expect("half a digest has 16 bytes");
    i64::from_le_bytes(*number)
}

fn half(hasher: Sha256) -> Chain {
    let digest: [u8; 32] = hasher.finalize().into();
    let (half, _) = digest.split_first_chunk().expect("the digest has 32 bytes");
    *half
}
