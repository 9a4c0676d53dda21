//! Tables over HTTP and JSON.

pub(crate) mod actions;
pub(crate) mod asked;
pub(crate) mod bearer;
pub(crate) mod codes;
pub(crate) mod docs;
pub(crate) mod games;
pub(crate) mod log;
pub(crate) mod named;
pub(crate) mod operations;
pub(crate) mod pair;
pub(crate) mod said;
pub(crate) mod seats;
pub(crate) mod stream;
pub(crate) mod tables;
