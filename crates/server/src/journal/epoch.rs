//! Epochs of logs.

/// A random epoch of 53 bits, different from all others for practical purposes.
pub(super) fn random_epoch() -> Result<u64, getrandom::Error> {
    Ok(getrandom::u64()? >> 11)
}
