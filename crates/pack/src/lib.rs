//! Packs the compiled page for browsers.
//!
//! [`pack`] takes the compiled page and the files that belong to it. It generates the JavaScript that
//! loads the WebAssembly, gives each file a name that changes with its contents, compresses it, and
//! writes a [`Manifest`] of everything for the server.

mod bindgen;
mod compression;
mod content_type;
mod error;
mod folder;
mod hash;
mod manifest;
mod packing;
mod placeholders;
mod short_names;

pub use error::PackError;
pub use manifest::{MANIFEST, Manifest, ManifestEntry, StoredFile};
pub use packing::{PackJob, pack};
