//! The page for players, and the pages that the server has itself.

mod board_picture;
pub(crate) mod built_in;
mod canvas;
mod content;
mod documents;
mod encoding;
mod preview;
mod preview_picture;
mod privacy;

pub(crate) use self::built_in::style;
pub use self::content::Content;
pub use self::documents::Page;
pub(crate) use self::documents::{asset, document_routes, home, not_found};
pub(crate) use self::privacy::privacy;
