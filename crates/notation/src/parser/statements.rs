//! What b-threads do.

use super::blocks::{DEEPEST, LineBlock};
use super::cursor::{Cursor, Parsed};
use crate::diagnostic::{DiagnosticCode, Diagnostics};
use crate::lexer::LexemeKind;
use crate::syntax::{
    Expression, ExpressionKind, RequestSyntax, Statement, StatementKind, SyncSyntax,
};

/// The words with which a statement begins.
pub(super) const STATEMENT_STARTS: [&str; 13] = [
    "request",
    "wait",
    "block",
    "interrupt",
    "otherwise",
    "must",
    "forever",
    "while",
    "if",
    "either",
    "keep",
    "fail",
    "else",
];

/// The words with which a clause of a sync point begins.
const CLAUSES: [&str; 6] = ["request", "wait", "block", "interrupt", "otherwise", "must"];

/// Whether a line that begins with these two words is a statement, or meant as one.
pub(super) fn begins_statement(first: &str, second: &str) -> bool {
    first.is_empty() || second == "=" || STATEMENT_STARTS.contains(&first)
}

/// The statements of a block. Those with mistakes are left out.
pub(super) fn statements(
    blocks: &[LineBlock<'_>],
    diagnostics: &mut Diagnostics,
    depth: usize,
) -> Vec<Statement> {
    let mut statements = Vec::new();
    let mut at = 0;
    while let Some(block) = blocks.get(at) {
        let mut cursor = Cursor::new(block.line, diagnostics);
        let (parsed, next) = statement(&mut cursor, blocks, at, depth);
        statements.extend(parsed);
        at = next;
    }
    statements
}

/// The block of a line: after a colon on the same line, or below it.
pub(super) fn inline_or_below(
    cursor: &mut Cursor<'_, '_>,
    below: &[LineBlock<'_>],
) -> Parsed<Vec<Statement>> {
    block_of(cursor, below, 0)
}

fn block_of(
    cursor: &mut Cursor<'_, '_>,
    below: &[LineBlock<'_>],
    depth: usize,
) -> Parsed<Vec<Statement>> {
    if depth > 2 * DEEPEST {
        return cursor.fail(DiagnosticCode::TooDeep, "blocks are nested too deeply");
    }
    if !cursor.take(":") {
        cursor.expect_end()?;
        if below.is_empty() {
            let message = "the block is missing: indent it below, or write it after a colon";
            return cursor.fail(DiagnosticCode::Block, message);
        }
        return Ok(statements(below, cursor.diagnostics, depth + 1));
    }
    if let Some(extra) = below.first() {
        let mut extra = Cursor::new(extra.line, cursor.diagnostics);
        let message = "the block of the line above stands after its colon already";
        return extra.fail(DiagnosticCode::Block, message);
    }
    // Nothing follows a statement on the same line, so it has neither a block below nor an `else`.
    let (parsed, _) = statement(cursor, &[], 0, depth + 1);
    Ok(parsed.into_iter().collect())
}

/// The statement at a place, and the place after it.
fn statement(
    cursor: &mut Cursor<'_, '_>,
    blocks: &[LineBlock<'_>],
    at: usize,
    depth: usize,
) -> (Option<Statement>, usize) {
    let below = blocks.get(at).map_or(&[][..], |block| &block.below);
    let start = cursor.span();
    let mut next = at + 1;
    let word = cursor.peek_at(0);
    let kind = match word {
        "if" => if_statement(cursor, blocks, &mut next, below, depth),
        "either" => either(cursor, blocks, &mut next, below, depth),
        "forever" => {
            cursor.skip();
            block_of(cursor, below, depth).map(StatementKind::Forever)
        }
        "while" => {
            cursor.skip();
            let condition = cursor.expression();
            condition.and_then(|condition| {
                Ok(StatementKind::While(condition, block_of(cursor, below, depth)?))
            })
        }
        _ => simple(cursor, below, depth),
    };
    let span = start.to(cursor.last_span());
    (kind.ok().map(|kind| Statement { kind, span }), next)
}

/// A statement that is neither `if` nor `either` nor a loop with a word of its own.
fn simple(
    cursor: &mut Cursor<'_, '_>,
    below: &[LineBlock<'_>],
    depth: usize,
) -> Parsed<StatementKind> {
    let word = cursor.peek_at(0);
    let is_assignment = cursor.peek_at(1) == "=";
    let kind = match word {
        "keep" => keep(cursor)?,
        "fail" => {
            cursor.skip();
            let Some(sentence) = cursor.sentence() else {
                return cursor.unexpected("a sentence in quotes");
            };
            StatementKind::Fail(sentence)
        }
        _ if CLAUSES.contains(&word) => StatementKind::Sync(cursor.sync_point()?),
        _ if is_assignment => {
            let name = cursor.name("a variable")?;
            cursor.expect("=")?;
            StatementKind::Assign { name, value: cursor.expression()? }
        }
        _ => return times(cursor, below, depth),
    };
    cursor.expect_end()?;
    match below.first() {
        None => Ok(kind),
        Some(below) => Cursor::new(below.line, cursor.diagnostics)
            .fail(DiagnosticCode::Indentation, "nothing can be indented below the line above"),
    }
}

fn keep(cursor: &mut Cursor<'_, '_>) -> Parsed<StatementKind> {
    cursor.skip();
    let name = cursor.name("a variable")?;
    let set = if cursor.take(":") { Some(cursor.expression()?) } else { None };
    cursor.expect("=")?;
    Ok(StatementKind::Keep { name, set, value: cursor.expression()? })
}

/// `3 times: request hot`
fn times(
    cursor: &mut Cursor<'_, '_>,
    below: &[LineBlock<'_>],
    depth: usize,
) -> Parsed<StatementKind> {
    let word = cursor.peek();
    if !cursor.has_ahead("times") {
        let word = word.map_or("", |lexeme| lexeme.text);
        let hint = cursor.diagnostics.hint(word, STATEMENT_STARTS);
        let message = format!("`{word}` does not begin a statement{hint}");
        if below.is_empty() || depth > 2 * DEEPEST {
            return cursor.fail(DiagnosticCode::UnknownWord, message);
        }
        // The block below may have mistakes of its own, which are told at once.
        let span = cursor.span();
        cursor.diagnostics.report(DiagnosticCode::UnknownWord, span, message);
        let once = Expression { kind: ExpressionKind::Number(1), span };
        return Ok(StatementKind::Times(once, statements(below, cursor.diagnostics, depth + 1)));
    }
    let count = cursor.expression()?;
    cursor.expect("times")?;
    Ok(StatementKind::Times(count, block_of(cursor, below, depth)?))
}

fn if_statement(
    cursor: &mut Cursor<'_, '_>,
    blocks: &[LineBlock<'_>],
    next: &mut usize,
    below: &[LineBlock<'_>],
    depth: usize,
) -> Parsed<StatementKind> {
    cursor.skip();
    let condition = cursor.expression();
    let then = condition.and_then(|condition| Ok((condition, block_of(cursor, below, depth)?)));
    let mut otherwise = Vec::new();
    if let Some(block) = blocks.get(*next).filter(|block| block.first() == "else") {
        let mut line = Cursor::new(block.line, cursor.diagnostics);
        line.skip();
        if line.is_at("if") && depth < DEEPEST {
            let (parsed, after) = statement(&mut line, blocks, *next, depth + 1);
            otherwise.extend(parsed);
            *next = after;
        } else {
            *next += 1;
            otherwise = block_of(&mut line, &block.below, depth).unwrap_or_default();
        }
    }
    then.map(|(condition, then)| StatementKind::If { condition, then, otherwise })
}

fn either(
    cursor: &mut Cursor<'_, '_>,
    blocks: &[LineBlock<'_>],
    next: &mut usize,
    below: &[LineBlock<'_>],
    depth: usize,
) -> Parsed<StatementKind> {
    cursor.skip();
    let mut branches = vec![block_of(cursor, below, depth)];
    while let Some(block) = blocks.get(*next).filter(|block| block.first() == "or") {
        let mut line = Cursor::new(block.line, cursor.diagnostics);
        line.skip();
        branches.push(block_of(&mut line, &block.below, depth));
        *next += 1;
    }
    Ok(StatementKind::Either(branches.into_iter().collect::<Parsed<_>>()?))
}

impl Cursor<'_, '_> {
    /// `must request a, wait for b or c, block d`
    fn sync_point(&mut self) -> Parsed<SyncSyntax> {
        let mut point = SyncSyntax { is_hot: self.take("must"), ..SyncSyntax::default() };
        loop {
            self.clause(&mut point)?;
            if self.is_at_end() {
                return Ok(point);
            }
            self.expect(",")?;
        }
    }

    fn clause(&mut self, point: &mut SyncSyntax) -> Parsed<()> {
        let (word, span) = (self.peek_at(0), self.span());
        let is_taken = match word {
            "request" => !point.requests.is_empty(),
            "wait" => point.waits.is_some(),
            "block" => point.blocks.is_some(),
            "interrupt" => point.interrupts.is_some(),
            "otherwise" => point.otherwise.is_some(),
            "must" => return self.unexpected("`must` only at the beginning of the line"),
            _ => {
                return self
                    .unexpected("`request`, `wait for`, `block`, `interrupt` or `otherwise`");
            }
        };
        if is_taken {
            let message = format!("`{word}` stands twice: join sets with `or`");
            self.diagnostics.report(DiagnosticCode::ClauseTwice, span, message);
        }
        self.skip();
        match word {
            "request" => point.requests = self.requests()?,
            "wait" => {
                self.expect("for")?;
                point.waits = Some(self.set_of_events()?);
            }
            "block" => point.blocks = Some(self.set_of_events()?),
            "interrupt" => point.interrupts = Some(self.set_of_events()?),
            _ => point.otherwise = Some(self.set_of_events()?),
        }
        Ok(())
    }

    /// A list of sets, each with a weight if it has one.
    fn requests(&mut self) -> Parsed<Vec<RequestSyntax>> {
        let mut requests = Vec::new();
        loop {
            let set = self.set_of_events()?;
            let is_weight = self.peek().is_some_and(|next| {
                next.kind == LexemeKind::Number || next.kind == LexemeKind::Word
            });
            let weight = if is_weight { Some(self.parts()?) } else { None };
            requests.push(RequestSyntax { set, weight });
            let is_last = !self.is_at(",") || CLAUSES.contains(&self.peek_at(1));
            if is_last {
                return Ok(requests);
            }
            self.skip();
        }
    }
}
