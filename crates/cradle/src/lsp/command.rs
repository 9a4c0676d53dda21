//! The loop of the language server.

use anyhow::Context;
use clap::Args;
use lsp_server::{Connection, Message};
use lsp_types::{
    CompletionOptions, HoverProviderCapability, OneOf, ServerCapabilities,
    TextDocumentSyncCapability, TextDocumentSyncKind,
};
use serde_json::json;

use super::open_texts::OpenTexts;
use crate::exit_reason::{DeviceFailure, ExitReason};

/// Answer an editor about games and programs as text
///
/// Speaks the Language Server Protocol on standard input and output: mistakes and
/// warnings while you write, what a name stands for and where it is declared,
/// words that can stand somewhere, and formatting. An editor starts it.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
#[command(after_help = "Exit codes: 0 fine, 2 wrong usage, 3 cut short.")]
pub(crate) struct LanguageServer;

impl LanguageServer {
    /// Answers until the editor says goodbye.
    ///
    /// # Errors
    /// If the editor does not speak the protocol, or leaves without a goodbye.
    #[expect(clippy::unused_self, reason = "every subcommand runs like this")]
    pub(crate) fn run(&self) -> anyhow::Result<ExitReason> {
        let (connection, threads) = Connection::stdio();
        let served = serve(&connection);
        // The thread that writes ends when nobody can send any more.
        drop(connection);
        let joined = threads.join();
        served?;
        joined.context(DeviceFailure::new("the editor cannot be answered"))?;
        Ok(ExitReason::Fine)
    }
}

fn serve(connection: &Connection) -> anyhow::Result<()> {
    let failed = || DeviceFailure::new("the editor did not speak the Language Server Protocol");
    let (id, _) = connection.initialize_start().with_context(failed)?;
    let server = json!({
        "capabilities": capabilities(),
        "serverInfo": { "name": "cradle", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, server).with_context(failed)?;
    let mut texts = OpenTexts::default();
    for message in &connection.receiver {
        let answers = match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request).with_context(failed)? {
                    return Ok(());
                }
                vec![texts.answer(request).into()]
            }
            Message::Notification(notification) => texts.follow(notification),
            Message::Response(_) => Vec::new(),
        };
        for answer in answers {
            connection.sender.send(answer).with_context(failed)?;
        }
    }
    Ok(())
}

fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::FULL)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        completion_provider: Some(CompletionOptions::default()),
        document_formatting_provider: Some(OneOf::Left(true)),
        ..ServerCapabilities::default()
    }
}
