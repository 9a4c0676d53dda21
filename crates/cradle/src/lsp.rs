//! `cradle lsp`: a language server for games and programs as text.

mod answers;
mod command;
mod positions;
mod workspace;

pub(crate) use command::LanguageServer;
