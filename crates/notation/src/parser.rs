//! The parser: from lines to a syntax tree.
//!
//! - `cursor`: the words of one line, one after the other.
//! - `blocks`: lines that belong to the line above them.
//! - `expression`: values, conditions and sets.
//! - `declarations`, `events`: what stands at the beginning of a line without indentation.
//! - `statements`: what b-threads do.

mod blocks;
mod cursor;
mod declarations;
mod events;
mod expression;
mod statements;

pub(crate) use declarations::parse;
