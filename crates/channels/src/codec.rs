//! Frames as they travel.

mod binary_push;
mod error;
mod text;

pub use binary_push::{BinaryPush, ClientMessage};
pub use error::{DecodeError, FrameField};
