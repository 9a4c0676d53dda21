//! Values, conditions, and sets of values and events.

use super::cursor::{Cursor, Parsed};
use crate::diagnostic::DiagnosticCode;
use crate::lexer::LexemeKind;
use crate::syntax::{BinaryOperator, ComparisonSign, Expression, ExpressionKind};
use crate::words::is_reserved;

/// The deepest nesting of brackets, and the most operators on a line: what reads a tree recurses as
/// deep as the tree.
const DEEPEST: u32 = 32;
const MOST_OPERATORS: u32 = 200;

/// How tightly `and` binds, and `not`, which stands between it and comparisons.
const AND: u8 = 3;
const NOT: u8 = 4;

impl Cursor<'_, '_> {
    /// An expression.
    pub(super) fn expression(&mut self) -> Parsed<Expression> {
        let strongest = std::mem::replace(&mut self.strongest, u8::MAX);
        let parsed = self.tighter_than(0);
        self.strongest = strongest;
        parsed
    }

    /// A set of events: sets joined by `or`, `and` and `except`.
    pub(super) fn set_of_events(&mut self) -> Parsed<Expression> {
        let strongest = std::mem::replace(&mut self.strongest, AND);
        let parsed = self.tighter_than(0);
        self.strongest = strongest;
        parsed
    }

    /// An expression whose operators bind tighter than this.
    fn tighter_than(&mut self, least: u8) -> Parsed<Expression> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let message = format!("brackets are nested at most {DEEPEST} deep");
            return self.fail(DiagnosticCode::TooDeep, message);
        }
        let mut left = self.prefixed()?;
        let strongest = self.strongest;
        let is_meant = |strength: u8| strength > least && strength <= strongest;
        while let Some((operator, strength, words)) =
            self.operator().filter(|next| is_meant(next.1))
        {
            self.operators += 1;
            if self.operators > MOST_OPERATORS {
                let message = format!("a line has at most {MOST_OPERATORS} operators");
                return self.fail(DiagnosticCode::TooDeep, message);
            }
            (0..words).for_each(|_| self.skip());
            let right = self.tighter_than(strength)?;
            let span = left.span.to(right.span);
            let kind = ExpressionKind::Binary(operator, Box::new(left), Box::new(right));
            left = Expression { kind, span };
        }
        self.depth -= 1;
        Ok(left)
    }

    /// The operator that is next, how tightly it binds, and its number of words.
    fn operator(&self) -> Option<(BinaryOperator, u8, usize)> {
        let next = self.peek_at(0);
        if let Some(sign) = ComparisonSign::of(next) {
            return Some((BinaryOperator::Compare(sign), 5, 1));
        }
        Some(match next {
            "or" => (BinaryOperator::Or, 1, 1),
            "except" => (BinaryOperator::Except, 2, 1),
            "and" => (BinaryOperator::And, AND, 1),
            "in" => (BinaryOperator::In, 5, 1),
            "not" if self.peek_at(1) == "in" => (BinaryOperator::NotIn, 5, 2),
            ".." => (BinaryOperator::Range, 6, 1),
            "+" => (BinaryOperator::Plus, 7, 1),
            "-" => (BinaryOperator::Minus, 7, 1),
            "*" => (BinaryOperator::Times, 8, 1),
            _ => return None,
        })
    }

    fn prefixed(&mut self) -> Parsed<Expression> {
        let start = self.span();
        if self.take("not") {
            let inner = self.tighter_than(NOT)?;
            let span = start.to(inner.span);
            return Ok(Expression { kind: ExpressionKind::Not(Box::new(inner)), span });
        }
        if self.take("-") {
            let inner = self.parts()?;
            let span = start.to(inner.span);
            return Ok(Expression { kind: ExpressionKind::Negative(Box::new(inner)), span });
        }
        self.parts()
    }

    /// A value and its parts: `s.up.left`.
    pub(super) fn parts(&mut self) -> Parsed<Expression> {
        let mut whole = self.primary()?;
        while self.take(".") {
            self.operators += 1;
            if self.operators > MOST_OPERATORS {
                let message = format!("a line has at most {MOST_OPERATORS} operators");
                return self.fail(DiagnosticCode::TooDeep, message);
            }
            let part = self.name("a part such as `up` or `next`")?;
            let span = whole.span.to(part.span);
            whole = Expression { kind: ExpressionKind::Part(Box::new(whole), part), span };
        }
        Ok(whole)
    }

    fn primary(&mut self) -> Parsed<Expression> {
        let Some(lexeme) = self.peek() else { return self.unexpected("a value or a set") };
        let start = lexeme.span;
        let kind = match (lexeme.kind, lexeme.text) {
            (LexemeKind::Number, _) => self.number()?,
            (LexemeKind::Symbol, "(") => return self.bracketed(),
            (LexemeKind::Symbol, "{") => self.braces()?,
            (LexemeKind::Symbol, "?") => {
                self.skip();
                ExpressionKind::Capture(self.name("a name after `?`")?)
            }
            (LexemeKind::Word, "_") => {
                self.skip();
                ExpressionKind::Anything
            }
            (LexemeKind::Word, "any") => {
                self.skip();
                ExpressionKind::AnyEvent
            }
            (LexemeKind::Word, word) if !is_reserved(word) => self.word()?,
            _ => return self.unexpected("a value or a set"),
        };
        Ok(Expression { kind, span: start.to(self.last_span()) })
    }

    fn number(&mut self) -> Parsed<ExpressionKind> {
        // Small enough that no sum or product of a few of them is out of range.
        match self.peek_at(0).parse().ok().filter(|number| *number <= 1_000_000_i64) {
            Some(number) => {
                self.skip();
                Ok(ExpressionKind::Number(number))
            }
            None => self.fail(DiagnosticCode::LargeNumber, "numbers go up to 1000000"),
        }
    }

    fn bracketed(&mut self) -> Parsed<Expression> {
        let start = self.span();
        self.expect("(")?;
        let mut inner = self.tighter_than(0)?;
        self.expect(")")?;
        inner.span = start.to(self.last_span());
        Ok(inner)
    }

    fn braces(&mut self) -> Parsed<ExpressionKind> {
        self.expect("{")?;
        let mut members = Vec::new();
        while !self.take("}") {
            members.push(self.parts()?);
            self.take(",");
        }
        Ok(ExpressionKind::Braces(members))
    }

    /// A name, an event with arguments, or lines.
    fn word(&mut self) -> Parsed<ExpressionKind> {
        match (self.peek_at(0), self.peek_at(1), self.peek_at(2)) {
            ("lines", "through", _) => return self.lines_through(),
            ("lines", "of", _) | ("straight", "lines", "of") => return self.lines(),
            _ => {}
        }
        let name = self.name("a name")?;
        if !self.take("(") {
            return Ok(ExpressionKind::Name(name.text));
        }
        let mut arguments = Vec::new();
        while !self.take(")") {
            arguments.push(self.expression()?);
            self.expect_comma_or_end()?;
        }
        Ok(ExpressionKind::Call(name, arguments))
    }

    fn lines(&mut self) -> Parsed<ExpressionKind> {
        let is_straight = self.take("straight");
        self.expect("lines")?;
        self.expect("of")?;
        let length = Box::new(self.parts()?);
        self.expect("in")?;
        let set = self.name("the set of the lines")?;
        Ok(ExpressionKind::Lines { is_straight, length, set })
    }

    fn lines_through(&mut self) -> Parsed<ExpressionKind> {
        self.skip();
        self.expect("through")?;
        let through = Box::new(self.parts()?);
        self.expect("and")?;
        let and = Box::new(self.parts()?);
        Ok(ExpressionKind::LinesThrough(through, and))
    }
}
