//! The texts that are open in an editor.

use std::collections::BTreeMap;

use lsp_server::{ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, Notification as _,
    PublishDiagnostics,
};
use lsp_types::request::{Completion, Formatting, GotoDefinition, HoverRequest, Request as _};
use lsp_types::{
    CompletionParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DocumentFormattingParams, GotoDefinitionParams, HoverParams,
    PublishDiagnosticsParams, Uri,
};
use notation::Document;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::answers;

/// The open texts, by address.
#[derive(Debug, Default)]
pub(super) struct OpenTexts {
    texts: BTreeMap<String, Document>,
}

/// The most texts that are open at once.
const MOST_OPEN: usize = 1000;

/// Why a request is not answered.
enum Unanswered {
    UnknownMethod,
    /// The parameters are not those of the method.
    BadParameters(serde_json::Error),
}

impl From<serde_json::Error> for Unanswered {
    fn from(error: serde_json::Error) -> Self {
        Self::BadParameters(error)
    }
}

impl OpenTexts {
    /// Follows what happens in the editor. Returns the mistakes of a text that changed.
    pub(super) fn follow(&mut self, notification: Notification) -> Vec<Message> {
        let Notification { method, params } = notification;
        let changed = match &*method {
            DidOpenTextDocument::METHOD => read(params).map(|opened: DidOpenTextDocumentParams| {
                (opened.text_document.uri, Some(opened.text_document.text))
            }),
            DidChangeTextDocument::METHOD => {
                read(params).map(|mut changed: DidChangeTextDocumentParams| {
                    // Each change holds the whole text.
                    let text = changed.content_changes.pop().map(|change| change.text);
                    (changed.text_document.uri, text)
                })
            }
            DidCloseTextDocument::METHOD => read(params)
                .map(|closed: DidCloseTextDocumentParams| (closed.text_document.uri, None)),
            _ => return Vec::new(),
        };
        // There is no answer to a notification that makes no sense.
        changed.map_or_else(|_| Vec::new(), |(uri, text)| self.change(uri, text))
    }

    fn change(&mut self, uri: Uri, text: Option<String>) -> Vec<Message> {
        let key = uri.as_str().to_owned();
        let diagnostics = if let Some(text) = text {
            let document = Document::read(text);
            let diagnostics = answers::diagnostics(&document);
            if self.texts.len() < MOST_OPEN || self.texts.contains_key(&key) {
                self.texts.insert(key, document);
            }
            diagnostics
        } else {
            self.texts.remove(&key);
            Vec::new()
        };
        let told = PublishDiagnosticsParams { uri, diagnostics, version: None };
        vec![Notification::new(PublishDiagnostics::METHOD.to_owned(), told).into()]
    }

    /// Answers a request.
    pub(super) fn answer(&self, request: Request) -> Response {
        let Request { id, method, params } = request;
        match self.answered(&method, params) {
            Ok(answer) => Response::new_ok(id, answer),
            Err(Unanswered::UnknownMethod) => {
                let message = format!("{method} is not known here");
                Response::new_err(id, ErrorCode::MethodNotFound as i32, message)
            }
            Err(Unanswered::BadParameters(error)) => {
                let message = format!("the parameters of {method} make no sense: {error}");
                Response::new_err(id, ErrorCode::InvalidParams as i32, message)
            }
        }
    }

    fn answered(&self, method: &str, params: Value) -> Result<Value, Unanswered> {
        Ok(match method {
            HoverRequest::METHOD => {
                let asked: HoverParams = read(params)?;
                let at = asked.text_document_position_params;
                let found = self.text(&at.text_document.uri);
                write(found.and_then(|text| answers::hover(text, at.position)))?
            }
            GotoDefinition::METHOD => {
                let asked: GotoDefinitionParams = read(params)?;
                let at = asked.text_document_position_params;
                let found = self.text(&at.text_document.uri);
                let uri = at.text_document.uri.clone();
                write(found.and_then(|text| answers::definition(text, at.position, uri)))?
            }
            Completion::METHOD => {
                let asked: CompletionParams = read(params)?;
                let at = asked.text_document_position;
                let found = self.text(&at.text_document.uri);
                write(found.map(|text| answers::completions(text, at.position)))?
            }
            Formatting::METHOD => {
                let asked: DocumentFormattingParams = read(params)?;
                let found = self.text(&asked.text_document.uri);
                write(found.and_then(answers::formatted))?
            }
            _ => return Err(Unanswered::UnknownMethod),
        })
    }

    fn text(&self, uri: &Uri) -> Option<&Document> {
        self.texts.get(uri.as_str())
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, serde_json::Error> {
    serde_json::from_value(params)
}

fn write(answer: impl serde::Serialize) -> Result<Value, serde_json::Error> {
    serde_json::to_value(answer)
}
