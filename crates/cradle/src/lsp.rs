//! `cradle lsp`: a language server for `.cradle` files, which are games and b-programs as text.

mod answers;
mod command;
mod open_texts;
mod text_positions;

pub(crate) use command::LanguageServer;
