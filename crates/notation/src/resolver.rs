//! From expressions to code: what names mean, and whether kinds fit.

mod arguments;
pub(crate) mod names;

use crate::code::{ConditionCode, EventCode, EventPattern, ValueCode, ValuePart};
use crate::diagnostic::{DiagnosticCode, Diagnostics};
use crate::span::Span;
use crate::symbols::Symbols;
use crate::syntax::{BinaryOperator, ComparisonSign, Expression, ExpressionKind, Identifier};
use crate::values::{TextValue, ValueKind};
use crate::words::{RING_PARTS, SQUARE_PARTS};

/// What is known of a value before it is computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StaticKind {
    pub(crate) kind: ValueKind,
    /// The ring of numbers that it belongs to.
    pub(crate) ring: Option<u32>,
}

/// A variable that expressions can read.
#[derive(Clone, Debug)]
pub(crate) struct KnownVariable {
    pub(crate) name: String,
    pub(crate) kind: StaticKind,
}

/// Turns expressions into code, and reports what is wrong with them.
pub(crate) struct Resolver<'a> {
    pub(crate) symbols: &'a Symbols,
    pub(crate) variables: &'a [KnownVariable],
    pub(crate) diagnostics: &'a mut Diagnostics,
}

/// Code for a value, and its kind.
pub(crate) type Resolved = (ValueCode, StaticKind);

impl StaticKind {
    pub(crate) fn of(kind: ValueKind) -> Self {
        Self { kind, ring: None }
    }

    pub(crate) const UNKNOWN: Self = Self { kind: ValueKind::Unknown, ring: None };
}

impl Resolver<'_> {
    pub(crate) fn report<T>(
        &mut self,
        code: DiagnosticCode,
        span: Span,
        message: impl Into<String>,
    ) -> Option<T> {
        self.diagnostics.report(code, span, message);
        None
    }

    /// The code of a value.
    pub(crate) fn value(&mut self, expression: &Expression) -> Option<Resolved> {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Number(number) => {
                let value = ValueCode::Constant(TextValue::Number(*number));
                Some((value, StaticKind::of(ValueKind::Number)))
            }
            ExpressionKind::Name(name) => self.name(name, span),
            ExpressionKind::Part(whole, part) => self.part(whole, part),
            ExpressionKind::Braces(members) => self.braces(members, span),
            ExpressionKind::Negative(inner) => {
                let zero = ValueCode::Constant(TextValue::Number(0));
                let (inner, kind) = self.number(inner)?;
                Some((ValueCode::Difference(Box::new(zero), Box::new(inner)), kind))
            }
            ExpressionKind::Binary(operator, one, other) => {
                self.binary(*operator, one, other, span)
            }
            ExpressionKind::Lines { .. } => {
                let message = "lines are written only in the declaration of a set";
                self.report(DiagnosticCode::WrongKind, span, message)
            }
            ExpressionKind::LinesThrough(through, and) => self.lines_through(through, and, span),
            ExpressionKind::Anything
            | ExpressionKind::AnyEvent
            | ExpressionKind::Capture(_)
            | ExpressionKind::Call(..)
            | ExpressionKind::Not(_) => {
                self.report(DiagnosticCode::WrongKind, span, "a value is expected here")
            }
        }
    }

    fn braces(&mut self, members: &[Expression], span: Span) -> Option<Resolved> {
        let mut kind = ValueKind::Unknown;
        let mut codes = Vec::new();
        for member in members {
            let (code, found) = self.value(member)?;
            let Some(both) = kind.with(&found.kind) else {
                return self.mixed(&kind, &found.kind, span);
            };
            kind = both;
            codes.push(code);
        }
        Some((ValueCode::Braces(codes), StaticKind::of(kind.set_of())))
    }

    pub(crate) fn mixed<T>(&mut self, one: &ValueKind, other: &ValueKind, span: Span) -> Option<T> {
        let (one, other) = (self.symbols.describe(one), self.symbols.describe(other));
        let message = format!("{one} and {other} stand together here: use values of one kind");
        self.report(DiagnosticCode::MixedKinds, span, message)
    }

    /// A value that must be a number.
    pub(crate) fn number(&mut self, expression: &Expression) -> Option<Resolved> {
        let (code, kind) = self.value(expression)?;
        self.expect_kind(&kind.kind, &ValueKind::Number, expression.span)?;
        Some((code, kind))
    }

    pub(crate) fn expect_kind(
        &mut self,
        found: &ValueKind,
        expected: &ValueKind,
        span: Span,
    ) -> Option<()> {
        if found.with(expected).is_some() {
            return Some(());
        }
        let (expected, found) = (self.symbols.describe(expected), self.symbols.describe(found));
        let message = format!("{expected} is expected here, but this is {found}");
        self.report(DiagnosticCode::WrongKind, span, message)
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        one: &Expression,
        other: &Expression,
        span: Span,
    ) -> Option<Resolved> {
        match operator {
            BinaryOperator::Plus | BinaryOperator::Minus | BinaryOperator::Times => {
                let (one, other) = (self.number(one), self.number(other));
                let (one, other) = (Box::new(one?.0), Box::new(other?.0));
                let code = match operator {
                    BinaryOperator::Plus => ValueCode::Sum(one, other),
                    BinaryOperator::Minus => ValueCode::Difference(one, other),
                    _ => ValueCode::Product(one, other),
                };
                Some((code, StaticKind::of(ValueKind::Number)))
            }
            BinaryOperator::Range => {
                let (one, other) = (self.number(one), self.number(other));
                let code = ValueCode::Range(Box::new(one?.0), Box::new(other?.0));
                Some((code, StaticKind::of(ValueKind::Number.set_of())))
            }
            BinaryOperator::Or | BinaryOperator::And | BinaryOperator::Except => {
                let (one, other) = (self.set(one), self.set(other));
                let ((one, kind), (other, same)) = (one?, other?);
                let Some(kind) = kind.with(&same) else { return self.mixed(&kind, &same, span) };
                let (one, other) = (Box::new(one), Box::new(other));
                let code = match operator {
                    BinaryOperator::Or => ValueCode::Union(one, other),
                    BinaryOperator::And => ValueCode::Intersection(one, other),
                    _ => ValueCode::Without(one, other),
                };
                Some((code, StaticKind::of(kind.set_of())))
            }
            BinaryOperator::Compare(_) | BinaryOperator::In | BinaryOperator::NotIn => self.report(
                DiagnosticCode::WrongKind,
                span,
                "a value is expected here, but this is a condition",
            ),
        }
    }

    /// A set, or a value that stands for the set of itself; and the kind of its members.
    fn set(&mut self, expression: &Expression) -> Option<(ValueCode, ValueKind)> {
        let (code, StaticKind { kind, .. }) = self.value(expression)?;
        Some(match kind {
            ValueKind::SetOf(member) => (code, *member),
            kind => (code, kind),
        })
    }

    fn lines_through(
        &mut self,
        through: &Expression,
        and: &Expression,
        span: Span,
    ) -> Option<Resolved> {
        let lines: Vec<usize> =
            (0..self.symbols.sets.len()).filter(|set| self.symbols.sets[*set].is_lines).collect();
        let called = lines.iter().find(|set| self.symbols.sets[**set].name == "line");
        let lines = match (called, &*lines) {
            (Some(set), _) | (None, [set]) => u32::try_from(*set).ok()?,
            (None, _) => {
                let message = "`lines through` needs one set of lines: declare `set line = lines of 3 in square`";
                return self.report(DiagnosticCode::UnknownSet, span, message);
            }
        };
        let kind = self.symbols.set(lines).kind.clone();
        let square = kind.member().cloned().unwrap_or(ValueKind::Unknown);
        let (one, found) = self.value(through)?;
        self.expect_kind(&found.kind, &square, through.span)?;
        let (other, found) = self.set(and)?;
        self.expect_kind(&found, &square, and.span)?;
        let code = ValueCode::LinesThrough(Box::new(one), Box::new(other), lines);
        Some((code, StaticKind::of(kind)))
    }

    /// The code of a condition.
    pub(crate) fn condition(&mut self, expression: &Expression) -> Option<ConditionCode> {
        match &expression.kind {
            ExpressionKind::Not(inner) => {
                Some(ConditionCode::Not(Box::new(self.condition(inner)?)))
            }
            ExpressionKind::Binary(operator, one, other) => match operator {
                BinaryOperator::And => {
                    let (one, other) = (self.condition(one), self.condition(other));
                    Some(ConditionCode::And(Box::new(one?), Box::new(other?)))
                }
                BinaryOperator::Or => {
                    let (one, other) = (self.condition(one), self.condition(other));
                    Some(ConditionCode::Or(Box::new(one?), Box::new(other?)))
                }
                BinaryOperator::Compare(sign) => {
                    self.comparison(*sign, one, other, expression.span)
                }
                BinaryOperator::In => self.membership(one, other),
                BinaryOperator::NotIn => {
                    Some(ConditionCode::Not(Box::new(self.membership(one, other)?)))
                }
                _ => self.presence(expression),
            },
            _ => self.presence(expression),
        }
    }

    /// A value as a condition: that there is one. Only a part of a value that is missing, or a variable
    /// that remembers one, can be a set that is not there.
    fn presence(&mut self, expression: &Expression) -> Option<ConditionCode> {
        let (code, kind) = self.value(expression)?;
        let can_be_missing = matches!(code, ValueCode::Part(..) | ValueCode::Variable(_));
        if matches!(kind.kind, ValueKind::SetOf(_)) && !can_be_missing {
            let message = "a set is no condition: write `in` before it, as in `x in {1 2}`";
            return self.report(DiagnosticCode::WrongKind, expression.span, message);
        }
        Some(ConditionCode::Present(code))
    }

    fn comparison(
        &mut self,
        sign: ComparisonSign,
        one: &Expression,
        other: &Expression,
        span: Span,
    ) -> Option<ConditionCode> {
        let (left, right) = (self.value(one), self.value(other));
        let ((left, left_kind), (right, right_kind)) = (left?, right?);
        let Some(kind) = left_kind.kind.with(&right_kind.kind) else {
            return self.mixed(&left_kind.kind, &right_kind.kind, span);
        };
        let is_about_order = !matches!(sign, ComparisonSign::Equal | ComparisonSign::NotEqual);
        if is_about_order && matches!(kind, ValueKind::SetOf(_) | ValueKind::Row(_)) {
            let message = format!("{} has no order", self.symbols.describe(&kind));
            return self.report(DiagnosticCode::WrongKind, span, message);
        }
        Some(ConditionCode::Compare(sign, left, right))
    }

    fn membership(&mut self, value: &Expression, set: &Expression) -> Option<ConditionCode> {
        let (code, members) = (self.value(value), self.value(set));
        let ((code, kind), (members, found)) = (code?, members?);
        self.expect_kind(&found.kind, &kind.kind.set_of(), set.span)?;
        Some(ConditionCode::In(code, members))
    }

    /// The code of a set of events.
    pub(crate) fn events(&mut self, expression: &Expression) -> Option<EventCode> {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::AnyEvent => Some(EventCode::Any),
            ExpressionKind::Name(name) => {
                let family = self.family(name, span)?;
                Some(EventCode::Family(EventPattern { family, arguments: Vec::new() }))
            }
            ExpressionKind::Call(name, arguments) => {
                let family = self.family(&name.text, name.span)?;
                let arguments = self.arguments(family, arguments, span)?;
                Some(EventCode::Family(EventPattern { family, arguments }))
            }
            ExpressionKind::Binary(operator, one, other) => {
                let (one, other) = (self.events(one), self.events(other));
                let (one, other) = (Box::new(one?), Box::new(other?));
                match operator {
                    BinaryOperator::Or => Some(EventCode::Or(one, other)),
                    BinaryOperator::And => Some(EventCode::And(one, other)),
                    BinaryOperator::Except => Some(EventCode::Except(one, other)),
                    _ => self.no_events(span),
                }
            }
            _ => self.no_events(span),
        }
    }

    fn no_events<T>(&mut self, span: Span) -> Option<T> {
        let message = "a set of events is expected here, such as `mark(X)` or `any`";
        self.report(DiagnosticCode::WrongKind, span, message)
    }

    fn family(&mut self, name: &str, span: Span) -> Option<usize> {
        self.symbols.family_number(name).or_else(|| {
            if self.symbols.broken.iter().any(|broken| broken == name) {
                return None;
            }
            let known = self.symbols.families.iter().map(|family| &*family.name);
            let message =
                format!("no event is called `{name}`{}", self.diagnostics.hint(name, known));
            self.report(DiagnosticCode::UnknownEvent, span, message)
        })
    }

    /// `square.up`, `seat.next`, `fork.corner`
    fn part(&mut self, whole: &Expression, part: &Identifier) -> Option<Resolved> {
        let (code, kind) = self.value(whole)?;
        let Some((found, result)) = self.part_of(&kind, &part.text) else {
            let known = self.parts_of(&kind);
            let hint = self.diagnostics.hint(&part.text, known.iter().map(String::as_str));
            let what = self.symbols.describe(&kind.kind);
            let message = format!("{what} has no part `{}`{hint}", part.text);
            return self.report(DiagnosticCode::UnknownPart, part.span, message);
        };
        Some((ValueCode::Part(Box::new(code), found), result))
    }

    fn parts_of(&self, kind: &StaticKind) -> Vec<String> {
        let words = SQUARE_PARTS.into_iter().chain(RING_PARTS).map(str::to_owned);
        let fields = match kind.kind {
            ValueKind::Row(table) => {
                let columns = &self.symbols.tables[table as usize].columns;
                columns.iter().map(|(name, _)| name.clone()).collect()
            }
            _ => Vec::new(),
        };
        let all = words.chain(fields);
        all.filter(|name| self.part_of(kind, name).is_some()).collect()
    }

    fn part_of(&self, whole: &StaticKind, part: &str) -> Option<(ValuePart, StaticKind)> {
        let same = whole.clone();
        let set = StaticKind::of(whole.kind.clone().set_of());
        let number = StaticKind::of(ValueKind::Number);
        match (&whole.kind, part) {
            (ValueKind::Row(table), name) => {
                let columns = &self.symbols.tables[*table as usize].columns;
                let place = columns.iter().position(|(column, _)| column == name)?;
                Some((ValuePart::Field(place), StaticKind::of(columns[place].1.clone())))
            }
            (ValueKind::Number, "next") => Some((ValuePart::NextIn(whole.ring?), same)),
            (ValueKind::Number, "previous") => Some((ValuePart::PreviousIn(whole.ring?), same)),
            (ValueKind::Member(list), name) => {
                let list = &self.symbols.lists[*list as usize];
                Some(match name {
                    "next" if list.is_ring => (ValuePart::Next, same),
                    "previous" if list.is_ring => (ValuePart::Previous, same),
                    _ if list.columns.is_none() => return None,
                    "up" => (ValuePart::Up, same),
                    "down" => (ValuePart::Down, same),
                    "left" => (ValuePart::Left, same),
                    "right" => (ValuePart::Right, same),
                    "row" => (ValuePart::Row, number),
                    "column" => (ValuePart::Column, number),
                    "neighbours" => (ValuePart::Neighbours, set),
                    "diagonals" => (ValuePart::Diagonals, set),
                    _ => return None,
                })
            }
            _ => None,
        }
    }
}
