//! Which argument of an event belongs to which parameter.

use super::Resolver;
use crate::code::{ArgumentCode, ValueCode};
use crate::diagnostic::DiagnosticCode;
use crate::span::Span;
use crate::symbols::EventFamily;
use crate::syntax::{BinaryOperator, Expression, ExpressionKind};
use crate::values::{TextValue, ValueKind};

/// Where an argument belongs.
enum Target {
    /// Anywhere.
    Anywhere,
    /// To the parameter of this number.
    Parameter(usize),
    /// To a parameter that takes values of this kind.
    Kind(ValueKind),
}

impl Resolver<'_> {
    /// The arguments of an event, each with the number of its parameter.
    pub(super) fn arguments(
        &mut self,
        family: usize,
        arguments: &[Expression],
        span: Span,
    ) -> Option<Vec<(usize, ArgumentCode)>> {
        let symbols = self.symbols;
        let family = &symbols.families[family];
        let count = family.parameters.len();
        if arguments.len() > count {
            let (name, given) = (&family.name, arguments.len());
            let message = format!("`{name}` has {given} arguments here, but only {count} declared");
            return self.report(DiagnosticCode::TooManyArguments, span, message);
        }
        let is_by_position = arguments.len() == count;
        let mut placed: Vec<Option<(usize, ArgumentCode)>> = Vec::new();
        for (position, argument) in arguments.iter().enumerate() {
            let resolved = self.argument(family, argument);
            placed.push(resolved.and_then(|(code, target)| {
                let place = if is_by_position {
                    self.at_position(family, position, &target, argument.span)
                } else {
                    self.by_kind(family, &target, argument)
                };
                place.map(|place| (place, code))
            }));
        }
        let placed = placed.into_iter().collect::<Option<Vec<_>>>()?;
        for (index, (place, _)) in placed.iter().enumerate() {
            if placed.iter().take(index).any(|(other, _)| other == place) {
                let name = &family.parameters[*place].name;
                let message = format!("two arguments belong to the parameter `{name}`");
                let span = arguments[index].span;
                return self.report(DiagnosticCode::AmbiguousArgument, span, message);
            }
        }
        self.expect_equal_kinds(family, &placed, arguments)?;
        self.warn_outside_sets(family, &placed, arguments);
        Some(placed)
    }

    /// Warns about arguments that no event of the family has.
    fn warn_outside_sets(
        &mut self,
        family: &EventFamily,
        placed: &[(usize, ArgumentCode)],
        arguments: &[Expression],
    ) {
        for ((place, argument), written) in placed.iter().zip(arguments) {
            let ArgumentCode::Is(ValueCode::Constant(value)) = argument else { continue };
            let set = self.symbols.set(family.parameters[*place].set);
            let is_in = |value: &TextValue| set.place(value).is_some();
            if value.members().is_empty() || is_in(value) || value.members().iter().any(is_in) {
                continue;
            }
            let (value, name) = (self.symbols.write(value), &set.name);
            let message =
                format!("{value} is not in `{name}`, so there is no such event `{}`", family.name);
            self.diagnostics.report(DiagnosticCode::OutsideSet, written.span, message);
        }
    }

    /// Two arguments that one variable remembers must be equal, so they are of one kind.
    fn expect_equal_kinds(
        &mut self,
        family: &EventFamily,
        placed: &[(usize, ArgumentCode)],
        arguments: &[Expression],
    ) -> Option<()> {
        let symbols = self.symbols;
        let kind = |place: usize| &symbols.set(family.parameters[place].set).kind;
        for (index, (place, argument)) in placed.iter().enumerate() {
            let ArgumentCode::Capture(variable) = argument else { continue };
            let is_same =
                |other: &ArgumentCode| matches!(other, ArgumentCode::Capture(v) if v == variable);
            let first = placed[..index].iter().find(|(_, other)| is_same(other));
            if let Some((first, _)) = first {
                self.expect_kind(kind(*place), kind(*first), arguments[index].span)?;
            }
        }
        Some(())
    }

    fn argument(
        &mut self,
        family: &EventFamily,
        argument: &Expression,
    ) -> Option<(ArgumentCode, Target)> {
        Some(match &argument.kind {
            ExpressionKind::Anything => (ArgumentCode::Anything, Target::Anywhere),
            ExpressionKind::Capture(name) => {
                let variables = &mut self.variables.iter();
                let Some(place) = variables.position(|variable| variable.name == name.text) else {
                    let message = "`?` remembers a value only in a sync point of a b-thread";
                    return self.report(DiagnosticCode::UnknownName, name.span, message);
                };
                (ArgumentCode::Capture(place), Target::Anywhere)
            }
            ExpressionKind::Not(inner) => {
                let (value, kind) = self.value(inner)?;
                (ArgumentCode::IsNot(value), Target::Kind(kind.kind))
            }
            ExpressionKind::Binary(
                operator
                @ (BinaryOperator::Compare(_) | BinaryOperator::In | BinaryOperator::NotIn),
                left,
                right,
            ) => self.named_argument(family, *operator, left, right)?,
            _ => {
                let (value, kind) = self.value(argument)?;
                (ArgumentCode::Is(value), Target::Kind(kind.kind))
            }
        })
    }

    /// `count > left`: a condition on the parameter `count`.
    fn named_argument(
        &mut self,
        family: &EventFamily,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
    ) -> Option<(ArgumentCode, Target)> {
        let name = match &left.kind {
            ExpressionKind::Name(name) => name.as_str(),
            _ => "",
        };
        let Some(place) = family.parameter(name) else {
            let known = family.parameters.iter().map(|parameter| &*parameter.name);
            let hint = self.diagnostics.hint(name, known);
            let message = format!(
                "a condition among arguments begins with a parameter of `{}`{hint}",
                family.name
            );
            return self.report(DiagnosticCode::UnknownName, left.span, message);
        };
        let (value, kind): (ValueCode, _) = self.value(right)?;
        let expected = self.symbols.set(family.parameters[place].set).kind.clone();
        let code = if let BinaryOperator::Compare(sign) = operator {
            self.expect_kind(&kind.kind, &expected, right.span)?;
            ArgumentCode::Compares(sign, value)
        } else {
            self.expect_kind(&kind.kind, &expected.set_of(), right.span)?;
            match operator {
                BinaryOperator::In => ArgumentCode::Is(value),
                _ => ArgumentCode::IsNot(value),
            }
        };
        Some((code, Target::Parameter(place)))
    }

    fn at_position(
        &mut self,
        family: &EventFamily,
        position: usize,
        target: &Target,
        span: Span,
    ) -> Option<usize> {
        let parameter = &family.parameters[position];
        match target {
            Target::Anywhere => {}
            Target::Parameter(place) if *place == position => {}
            Target::Kind(kind) if self.takes(parameter.set, kind) => {}
            Target::Parameter(_) => {
                let message = format!("this is the place of the parameter `{}`", parameter.name);
                return self.report(DiagnosticCode::AmbiguousArgument, span, message);
            }
            Target::Kind(kind) => {
                let expected = self.symbols.set(parameter.set).kind.clone();
                let kind = kind.clone();
                return self.expect_kind(&kind, &expected, span).map(|()| position);
            }
        }
        Some(position)
    }

    /// Whether a parameter with this set takes a value of this kind, or any of a set of them.
    fn takes(&self, set: u32, kind: &ValueKind) -> bool {
        let expected = &self.symbols.set(set).kind;
        let is_member = |kind: &ValueKind| expected.with(kind).is_some();
        is_member(kind) || kind.member().is_some_and(is_member)
    }

    /// The one parameter that takes the argument.
    fn by_kind(
        &mut self,
        family: &EventFamily,
        target: &Target,
        argument: &Expression,
    ) -> Option<usize> {
        let span = argument.span;
        let kind = match target {
            Target::Parameter(place) => return Some(*place),
            Target::Kind(kind) => kind,
            Target::Anywhere => {
                let count = family.parameters.len();
                let message = format!(
                    "`_` and `?` need their place: write all {count} arguments of `{}`",
                    family.name
                );
                return self.report(DiagnosticCode::AmbiguousArgument, span, message);
            }
        };
        let takers: Vec<usize> = (0..family.parameters.len())
            .filter(|place| self.takes(family.parameters[*place].set, kind))
            .collect();
        match &*takers {
            [place] => Some(*place),
            [] => {
                let what = self.symbols.describe(kind);
                let message = format!("no parameter of `{}` takes {what}", family.name);
                self.report(DiagnosticCode::WrongKind, span, message)
            }
            several => {
                let names: Vec<String> = several
                    .iter()
                    .map(|place| format!("`{}`", family.parameters[*place].name))
                    .collect();
                let message = format!(
                    "this could be {}: write all {} arguments of `{}`, with `_` for any",
                    names.join(" or "),
                    family.parameters.len(),
                    family.name
                );
                self.report(DiagnosticCode::AmbiguousArgument, span, message)
            }
        }
    }
}
