//! The page for players, if the command was built with one.

/// The page that the build script embedded: see `build.rs`.
#[allow(clippy::unnecessary_wraps, reason = "the command can be built without a page")]
pub(super) fn page() -> Option<server::Page> {
    include!(concat!(env!("OUT_DIR"), "/page.rs"))
}
