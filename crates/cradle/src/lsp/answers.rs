//! What the language server says about one text.

use lsp_types::{
    CompletionItem, CompletionItemKind, Diagnostic, DiagnosticSeverity, GotoDefinitionResponse,
    Hover, HoverContents, Location, MarkupContent, MarkupKind, NumberOrString, Position, Range,
    TextEdit, Uri,
};
use notation::{DefinitionKind, Document, Severity};

use super::text_positions::{byte, position, range};

/// The mistakes and warnings of a text.
pub(super) fn diagnostics(document: &Document) -> Vec<Diagnostic> {
    let told = document.check(&[]).into_iter().map(|each| Diagnostic {
        range: range(document.text(), each.span),
        severity: Some(match each.severity() {
            Severity::Mistake => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(each.code.as_str().to_owned())),
        source: Some("cradle".to_owned()),
        message: each.message,
        ..Diagnostic::default()
    });
    told.collect()
}

/// What the name at a place stands for.
pub(super) fn hover(document: &Document, at: Position) -> Option<Hover> {
    let found = document.definition_at(byte(document.text(), at))?;
    let about = document.build(&[]).ok().and_then(|built| built.about(&found.name, found.kind));
    let about = about.map_or_else(String::new, |about| format!("\n\n{about}"));
    let value = format!("```cradle\n{}\n```{about}", found.declaration);
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: None })
}

/// Where the name at a place is declared.
pub(super) fn definition(
    document: &Document,
    at: Position,
    uri: Uri,
) -> Option<GotoDefinitionResponse> {
    let found = document.definition_at(byte(document.text(), at))?;
    let range = range(document.text(), found.span);
    Some(GotoDefinitionResponse::Scalar(Location { uri, range }))
}

/// The words that can stand at a place.
pub(super) fn completions(document: &Document, at: Position) -> Vec<CompletionItem> {
    let words = document.completions_at(byte(document.text(), at));
    let item = |(label, kind): (String, Option<DefinitionKind>)| CompletionItem {
        label,
        kind: Some(completion_kind(kind)),
        ..CompletionItem::default()
    };
    words.into_iter().map(item).collect()
}

fn completion_kind(kind: Option<DefinitionKind>) -> CompletionItemKind {
    match kind {
        None => CompletionItemKind::KEYWORD,
        Some(DefinitionKind::Parameter | DefinitionKind::Variable) => CompletionItemKind::VARIABLE,
        Some(DefinitionKind::Set) => CompletionItemKind::ENUM,
        Some(DefinitionKind::Value) => CompletionItemKind::ENUM_MEMBER,
        Some(DefinitionKind::Event) => CompletionItemKind::EVENT,
        Some(DefinitionKind::Thread | DefinitionKind::Property | DefinitionKind::Text) => {
            CompletionItemKind::FUNCTION
        }
    }
}

/// The change that puts a text in form; nothing if it is malformed.
pub(super) fn formatted(document: &Document) -> Option<Vec<TextEdit>> {
    let new_text = document.format().ok()?;
    if new_text == document.text() {
        return Some(Vec::new());
    }
    let end = position(document.text(), u32::try_from(document.text().len()).unwrap_or(u32::MAX));
    Some(vec![TextEdit { range: Range::new(Position::new(0, 0), end), new_text }])
}
