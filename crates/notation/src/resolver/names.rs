//! What names mean.

use super::{Resolved, Resolver, StaticKind};
use crate::code::ValueCode;
use crate::diagnostic::DiagnosticCode;
use crate::span::Span;
use crate::symbols::Symbols;
use crate::values::{TextValue, ValueKind};

/// The word for a missing value.
const NOBODY: &str = "nobody";

/// What follows where a name is used above its declaration.
pub(crate) const BELOW: &str = " yet: its declaration stands further below; move it up";

impl Resolver<'_> {
    /// A variable, a parameter, a value, or a set.
    pub(super) fn name(&mut self, name: &str, span: Span) -> Option<Resolved> {
        if let Some(place) = self.variables.iter().position(|variable| variable.name == name) {
            return Some((ValueCode::Variable(place), self.variables[place].kind.clone()));
        }
        if let Some(known) = constant(self.symbols, name) {
            return Some(known);
        }
        if self.symbols.broken.iter().any(|broken| broken == name) {
            return None;
        }
        let message = format!("nothing is called `{name}`{}", self.similar(name));
        self.report(DiagnosticCode::UnknownName, span, message)
    }

    fn similar(&self, name: &str) -> String {
        if self.symbols.later.iter().any(|later| later == name) {
            return BELOW.to_owned();
        }
        let variables = self.variables.iter().map(|variable| &*variable.name);
        let sets = self.symbols.sets.iter().map(|set| &*set.name);
        let parameters = self.symbols.parameters.iter().map(|(name, _)| &**name);
        let lists = self.symbols.lists.iter().flat_map(|list| &list.names).map(|name| &**name);
        self.diagnostics.hint(name, variables.chain(sets).chain(parameters).chain(lists))
    }
}

/// What a name means outside of b-threads.
pub(crate) fn constant(symbols: &Symbols, name: &str) -> Option<Resolved> {
    if let Some(number) = symbols.parameter(name) {
        let code = ValueCode::Constant(TextValue::Number(number));
        return Some((code, StaticKind::of(ValueKind::Number)));
    }
    if let Some(value) = symbols.values.get(name) {
        let kind = match value {
            TextValue::Member(list, _) => ValueKind::Member(*list),
            _ => ValueKind::Unknown,
        };
        return Some((ValueCode::Constant(value.clone()), StaticKind::of(kind)));
    }
    if let Some(number) = symbols.set_number(name) {
        let set = symbols.set(number);
        let kind = StaticKind::of(set.kind.clone().set_of());
        return Some((ValueCode::Constant(set.value()), kind));
    }
    (name == NOBODY).then_some((ValueCode::Constant(TextValue::Missing), StaticKind::UNKNOWN))
}
