//! The secrets of tables.

use sha2::{Digest as _, Sha256};
use table::TableSecret;

use crate::TableId;

/// The secret of a table. It is derived from the key of the installation, so that every node knows it.
#[must_use]
pub fn table_secret(key: &[u8; 32], id: TableId) -> TableSecret {
    let digest = Sha256::new().chain_update(key).chain_update(b"table").chain_update(id.bits());
    TableSecret::new(digest.finalize().into())
}
