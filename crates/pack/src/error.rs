//! Why a page was not packed.

use std::path::PathBuf;

/// Why a page was not packed. What was packed before may be gone.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// A file or a folder cannot be read.
    #[error("{} cannot be read ({source})", path.display())]
    Unreadable {
        /// Which one.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A file or a folder cannot be written.
    #[error("{} cannot be written ({source})", path.display())]
    Unwritable {
        /// Which one.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// wasm-bindgen does not take what the compiler made.
    #[error("wasm-bindgen does not take {}: {why}", path.display())]
    Refused {
        /// The file that it was given.
        path: PathBuf,
        /// What it said.
        why: String,
    },
    /// The page brings JavaScript that would have to be loaded beside it.
    #[error("the page brings JavaScript of its own ({0}), which nothing here packs")]
    Snippets(String),
    /// The folder of the page has something in it that is no file with a name in UTF-8.
    #[error("{} is no file with a name that can be served", .0.display())]
    NoFile(PathBuf),
    /// Nobody has said how files with this ending are served.
    #[error("it is not known how to serve {0}: add its ending to content_type.rs")]
    UnknownType(String),
    /// A file that should be a text is none.
    #[error("{0} is no text in UTF-8")]
    NoText(String),
    /// There is no document.
    #[error("the page has no index.html")]
    NoDocument,
    /// A file names another that is not there.
    #[error("{file} names {{{{{name}}}}}, and there is nothing of that name")]
    UnknownPlaceholder {
        /// The file with the placeholder.
        file: String,
        /// The name in it.
        name: String,
    },
    /// The names of files contain each other.
    #[error("no name can be given to files that name each other: {0}")]
    Cycle(String),
}
