//! What stands at the beginning of a line without indentation.

use super::blocks::{LineBlock, arrange};
use super::cursor::{Cursor, Parsed};
use super::statements::{STATEMENT_STARTS, begins_statement, inline_or_below, statements};
use crate::diagnostic::{DiagnosticCode, Diagnostics};
use crate::lexer::SourceLine;
use crate::span::Span;
use crate::syntax::{
    ClaimSyntax, ComparisonSign, Declaration, Expression, Header, Identifier, SetDeclaration,
    SetForm, SyntaxTree, TextForm, ThreadDeclaration, ThreadRoleWord,
};
use crate::words::DECLARATION_WORDS;

/// The syntax tree of a text. Lines with mistakes are left out of it.
pub(crate) fn parse(lines: &[SourceLine<'_>], diagnostics: &mut Diagnostics) -> SyntaxTree {
    let blocks = arrange(lines, diagnostics);
    let mut tree = SyntaxTree { form: form(&blocks), ..SyntaxTree::default() };
    for (index, block) in blocks.iter().enumerate() {
        let is_header = matches!(block.first(), "game" | "program");
        if index == 0 && !is_header {
            let span = block.line.lexemes.first().map_or_else(Span::default, |first| first.span);
            let message = "a text begins with `game NAME` or `program NAME`";
            diagnostics.report(DiagnosticCode::NoBeginning, span, message);
        }
        if is_header {
            tree.header = {
                let found = header(block, index, diagnostics).ok();
                tree.header.take().or(found)
            };
        } else if let Ok(declaration) = declaration(block, diagnostics) {
            tree.items.push(declaration);
        } else {
            tree.broken.extend(block.line.lexemes.get(1).map(|name| name.text.to_owned()));
        }
    }
    if blocks.is_empty() {
        let message = "the text is empty: it begins with `game NAME` or `program NAME`";
        diagnostics.report(DiagnosticCode::NoBeginning, Span::default(), message);
    }
    tree
}

/// Whether a text is meant as a game, also if its first line has a mistake or is missing: a seat is
/// then no second mistake.
fn form(blocks: &[LineBlock<'_>]) -> TextForm {
    let is_game = match blocks.first().map(LineBlock::first) {
        Some("program") => false,
        Some("game") => true,
        _ => blocks.iter().any(|block| block.first() == "seats"),
    };
    if is_game { TextForm::Game } else { TextForm::Program }
}

/// `game tic-tac-toe "Three in a row"`
fn header(block: &LineBlock<'_>, index: usize, diagnostics: &mut Diagnostics) -> Parsed<Header> {
    let mut cursor = Cursor::new(block.line, diagnostics);
    if index > 0 {
        let message = "`game` and `program` stand only at the beginning";
        return cursor.fail(DiagnosticCode::NoBeginning, message);
    }
    cursor.skip();
    let mut name = cursor.name("the name")?;
    while cursor.take("-") {
        let part = cursor.span();
        let Some(next) = cursor.peek() else { return cursor.unexpected("the rest of the name") };
        cursor.skip();
        name =
            Identifier { text: format!("{}-{}", name.text, next.text), span: name.span.to(part) };
    }
    let summary = cursor.sentence();
    cursor.expect_end()?;
    no_block(block, diagnostics)?;
    Ok(Header { name, summary })
}

fn no_block(block: &LineBlock<'_>, diagnostics: &mut Diagnostics) -> Parsed<()> {
    match block.below.first() {
        None => Ok(()),
        Some(below) => Cursor::new(below.line, diagnostics)
            .fail(DiagnosticCode::Indentation, "nothing can be indented below the line above"),
    }
}

fn declaration(block: &LineBlock<'_>, diagnostics: &mut Diagnostics) -> Parsed<Declaration> {
    let mut cursor = Cursor::new(block.line, diagnostics);
    let word = block.first();
    let role = match word {
        "rule" => ThreadRoleWord::Rule,
        "strategy" => ThreadRoleWord::Strategy,
        "chance" => ThreadRoleWord::Chance,
        "thread" => ThreadRoleWord::Thread,
        "world" => ThreadRoleWord::World,
        "require" => ThreadRoleWord::Require,
        _ => return plain_declaration(block, diagnostics),
    };
    cursor.skip();
    thread(role, cursor, block)
}

/// A declaration that is no b-thread.
fn plain_declaration(block: &LineBlock<'_>, diagnostics: &mut Diagnostics) -> Parsed<Declaration> {
    let mut cursor = Cursor::new(block.line, diagnostics);
    let word = block.first();
    let [_game, _program, words @ ..] = DECLARATION_WORDS;
    if !words.contains(&word) {
        let hint = cursor.diagnostics.hint(word, words.iter().copied());
        let message = format!("no line begins with `{word}`{hint}");
        return cursor.fail(DiagnosticCode::UnknownWord, message);
    }
    let start = cursor.span();
    cursor.skip();
    let declared = match word {
        "parameter" => {
            let name = cursor.name("the name of the parameter")?;
            cursor.expect("=")?;
            Declaration::Parameter { name, value: cursor.expression()? }
        }
        "seats" => {
            let names = cursor.names("the name of a seat")?;
            Declaration::Seats { names, span: start.to(cursor.last_span()) }
        }
        "set" | "ring" | "grid" => set(word, &mut cursor)?,
        "event" => cursor.event()?,
        "place" => {
            let what = cursor.parts()?;
            Declaration::Place { what, on: cursor.after("on")? }
        }
        _ => return rows(cursor, block),
    };
    cursor.expect_end()?;
    no_block(block, diagnostics)?;
    Ok(declared)
}

/// `set heap = a, b, c`, `ring place = 1..n` or `grid square = 3 x 3`
fn set(word: &str, cursor: &mut Cursor<'_, '_>) -> Parsed<Declaration> {
    let name = cursor.name("the name of the set")?;
    cursor.expect("=")?;
    if word == "grid" {
        let columns = cursor.expression()?;
        cursor.expect("x")?;
        let form = SetForm::Grid { columns, rows: cursor.expression()? };
        return Ok(Declaration::Set(SetDeclaration { name, form }));
    }
    let mut members = vec![cursor.expression()?];
    while cursor.take(",") {
        members.push(cursor.expression()?);
    }
    let form = if word == "ring" { SetForm::Ring(members) } else { SetForm::Listed(members) };
    Ok(Declaration::Set(SetDeclaration { name, form }))
}

/// `rows fork(xs: set of square, corner: square)`, and one row per line below.
fn rows(mut cursor: Cursor<'_, '_>, block: &LineBlock<'_>) -> Parsed<Declaration> {
    let name = cursor.name("the name of the rows")?;
    let columns = cursor.formal_parameters()?;
    cursor.expect_end()?;
    if columns.is_empty() {
        return cursor.unexpected("the columns in brackets");
    }
    let mut rows = Vec::new();
    for line in &block.below {
        let mut cells = Cursor::new(line.line, cursor.diagnostics);
        let mut row = Vec::new();
        while !cells.is_at_end() {
            row.push(cells.parts()?);
            cells.take(",");
        }
        if row.len() != columns.len() {
            let message = format!("a row of `{}` has {} values", name.text, columns.len());
            return cells.fail(DiagnosticCode::Unexpected, message);
        }
        no_block(line, cursor.diagnostics)?;
        rows.push(row);
    }
    Ok(Declaration::Rows { name, columns, rows })
}

/// A b-thread, or a property.
fn thread(
    role: ThreadRoleWord,
    mut cursor: Cursor<'_, '_>,
    block: &LineBlock<'_>,
) -> Parsed<Declaration> {
    let name = cursor.name("the name of the b-thread")?;
    let parameters = cursor.formal_parameters()?;
    let mut thread = ThreadDeclaration {
        span: name.span,
        role,
        name,
        parameters,
        condition: None,
        seat: None,
        sentence: None,
        code: None,
        body: Vec::new(),
    };
    while !cursor.is_at_end() && !cursor.is_at(":") {
        thread_detail(&mut thread, &mut cursor)?;
    }
    if role == ThreadRoleWord::Require
        && cursor.is_at(":")
        && let Some(claim) = claim(&mut cursor)?
    {
        cursor.expect_end()?;
        no_block(block, cursor.diagnostics)?;
        return Ok(Declaration::Property { name: thread.name, claim });
    }
    if cursor.is_at(":") {
        thread.body = inline_or_below(&mut cursor, &block.below)?;
    } else if block.below.is_empty() {
        let message = format!("`{}` does nothing: its block is missing", thread.name.text);
        return cursor.fail(DiagnosticCode::Block, message);
    } else {
        thread.body = statements(&block.below, cursor.diagnostics, 0);
    }
    Ok(Declaration::Thread(thread))
}

fn thread_detail(thread: &mut ThreadDeclaration, cursor: &mut Cursor<'_, '_>) -> Parsed<()> {
    if cursor.take("where") {
        thread.condition = Some(cursor.expression()?);
    } else if cursor.take("for") {
        thread.seat = Some(cursor.name("the name of a seat")?);
    } else if let Some(sentence) = cursor.sentence() {
        thread.sentence = Some(sentence);
    } else if thread.sentence.is_some() && thread.code.is_none() {
        thread.code = Some(cursor.name("a code")?);
    } else {
        return cursor.unexpected("`where`, `for`, a sentence in quotes, or a block");
    }
    Ok(())
}

/// What a property claims; `None` if a statement of a requirement comes next.
fn claim(cursor: &mut Cursor<'_, '_>) -> Parsed<Option<ClaimSyntax>> {
    let words = [1, 2, 3, 4].map(|ahead| cursor.peek_at(ahead));
    let skipped = match words {
        ["never", "stays", "at", "must"] => 5,
        ["expected", "number", "of", _] => 4,
        ["never", "stuck", ..] | ["ends", "with", ..] | ["probability", "of", ..] => 3,
        ["never" | "can", ..] => 2,
        _ => return misspelt_claim(cursor, words).map(|()| None),
    };
    (0..skipped).for_each(|_| cursor.skip());
    Ok(Some(match words {
        ["never", "stuck", ..] => ClaimSyntax::NeverStuck,
        ["never", "stays", "at", "must"] => ClaimSyntax::NeverStaysAtMust,
        ["never", ..] => ClaimSyntax::Never(cursor.expression()?),
        ["can", ..] => ClaimSyntax::Can(cursor.expression()?),
        ["ends", ..] => ClaimSyntax::EndsWith(cursor.expression()?),
        ["expected", ..] => expected(cursor)?,
        _ => probability(cursor)?,
    }))
}

/// Reports words after the colon of a requirement that are neither a claim nor a statement.
fn misspelt_claim(cursor: &mut Cursor<'_, '_>, words: [&str; 4]) -> Parsed<()> {
    let [first, second, ..] = words;
    let rest_of_claim = match words {
        ["ends", ..] => "with",
        ["probability", ..] | ["expected", "number", ..] => "of",
        ["expected", ..] => "number",
        _ if begins_statement(first, second) || cursor.has_ahead("times") => return Ok(()),
        _ => {
            cursor.skip();
            let known = CLAIM_WORDS.into_iter().chain(STATEMENT_STARTS);
            let hint = cursor.diagnostics.hint(first, known);
            let message = format!("`{first}` begins neither a claim nor a statement{hint}");
            return cursor.fail(DiagnosticCode::UnknownWord, message);
        }
    };
    let read = if rest_of_claim == "of" && first == "expected" { 3 } else { 2 };
    (0..read).for_each(|_| cursor.skip());
    cursor.unexpected(&format!("`{rest_of_claim}`"))
}

/// The words with which a claim begins.
const CLAIM_WORDS: [&str; 5] = ["never", "can", "ends", "probability", "expected"];

/// `car == 2/3`
fn probability(cursor: &mut Cursor<'_, '_>) -> Parsed<ClaimSyntax> {
    let set = cursor.set_of_events()?;
    let (comparison, value) = compared_number(cursor)?;
    Ok(ClaimSyntax::Probability { set, comparison, value })
}

/// `flip until done <= 11/3`
fn expected(cursor: &mut Cursor<'_, '_>) -> Parsed<ClaimSyntax> {
    let counted = cursor.set_of_events()?;
    cursor.expect("until")?;
    let until = cursor.set_of_events()?;
    let (comparison, value) = compared_number(cursor)?;
    Ok(ClaimSyntax::Expected { counted, until, comparison, value })
}

/// `== 2/3`, `<= 4`
fn compared_number(
    cursor: &mut Cursor<'_, '_>,
) -> Parsed<(ComparisonSign, (Expression, Option<Expression>))> {
    use ComparisonSign::{Equal, GreaterOrEqual, LessOrEqual};

    let comparison = ComparisonSign::of(cursor.peek_at(0));
    let Some(comparison @ (Equal | LessOrEqual | GreaterOrEqual)) = comparison else {
        return cursor.unexpected("`==`, `<=` or `>=`");
    };
    cursor.skip();
    let above = cursor.parts()?;
    let below = if cursor.take("/") { Some(cursor.parts()?) } else { None };
    Ok((comparison, (above, below)))
}
