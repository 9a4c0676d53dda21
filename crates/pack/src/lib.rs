//! Makes of the page what a browser loads.
//!
//! [`pack`] takes the page as the compiler leaves it and the files that belong to it. It adds what
//! WebAssembly needs of JavaScript, gives each file a name that changes with its contents, compresses
//! it, and writes a [`Manifest`] from which a server learns what there is.

mod bindgen;
mod compressed;
mod content_type;
mod error;
mod folder;
mod hash;
mod manifest;
mod packing;
mod placeholders;

pub use error::PackError;
pub use manifest::{Entry, MANIFEST, Manifest, Stored};
pub use packing::{Job, pack};
