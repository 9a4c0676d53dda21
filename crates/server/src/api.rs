//! The HTTP API: tables as JSON.

pub(crate) mod actions;
pub(crate) mod analysis;
pub(crate) mod analyzed_position;
pub(crate) mod b_threads;
pub(crate) mod bearer;
pub(crate) mod codes;
pub(crate) mod docs;
pub(crate) mod games;
pub(crate) mod json_body;
pub(crate) mod log;
pub(crate) mod operations;
pub(crate) mod pair;
pub(crate) mod query;
pub(crate) mod rules;
pub(crate) mod seats;
pub(crate) mod stream;
pub(crate) mod table_path;
pub(crate) mod tables;
