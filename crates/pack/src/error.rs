//! Why a page was not packed.

use std::path::PathBuf;

/// Why a page was not packed. The output of an earlier run may be incomplete.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// A file or folder is not readable.
    #[error("cannot read {} ({source})", path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// A file or folder is not writable.
    #[error("cannot write {} ({source})", path.display())]
    Unwritable {
        /// The file or folder.
        path: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// wasm-bindgen does not accept the compiled page.
    #[error("wasm-bindgen does not accept {}: {why}", path.display())]
    Bindgen {
        /// The compiled page.
        path: PathBuf,
        /// The message of wasm-bindgen.
        why: String,
    },
    /// The page contains JavaScript snippets, which would need files of their own.
    #[error("the page contains JavaScript snippets ({0}), which cannot be packed")]
    Snippets(String),
    /// The page's folder contains something other than files with UTF-8 names.
    #[error("{} is not a file with a UTF-8 name", .0.display())]
    NotAFile(PathBuf),
    /// A file has an unknown extension.
    #[error("{0} has an unknown content type: add its extension to content_type.rs")]
    UnknownType(String),
    /// A text file is not UTF-8.
    #[error("{0} is not UTF-8")]
    NotUtf8(String),
    /// The page lacks a document.
    #[error("the page has no {0}")]
    NoDocument(&'static str),
    /// A placeholder names a file that does not exist.
    #[error("{file} contains {{{{{name}}}}}, but there is no such file")]
    UnknownPlaceholder {
        /// The file with the placeholder.
        file: String,
        /// The name in the placeholder.
        name: String,
    },
    /// Files contain each other's names, so that no name can be computed first.
    #[error("these files contain each other's names: {0}")]
    Cycle(String),
}
