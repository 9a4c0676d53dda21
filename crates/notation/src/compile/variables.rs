//! The variables of a b-thread, and their kinds.

use super::MOST_VARIABLES;
use crate::diagnostic::{DiagnosticCode, Diagnostics};
use crate::resolver::{KnownVariable, Resolver, StaticKind};
use crate::symbols::Symbols;
use crate::syntax::{
    Expression, ExpressionKind, Identifier, Statement, StatementKind, SyncSyntax, ThreadDeclaration,
};
use crate::values::ValueKind;

/// Where a variable gets a value.
enum Definition<'a> {
    /// From an expression.
    Value(&'a Identifier, &'a Expression),
    /// From a set that is declared as its range.
    Range(&'a Identifier, &'a Expression),
    /// From the argument of an event.
    Capture(&'a Identifier, StaticKind),
}

/// The variables of a b-thread, its parameters first.
pub(super) fn find(
    thread: &ThreadDeclaration,
    symbols: &Symbols,
    parameters: Vec<KnownVariable>,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<KnownVariable>> {
    let mut definitions = Vec::new();
    collect(&thread.body, symbols, &mut definitions);
    let fixed = parameters.len();
    let mut known = parameters;
    for definition in &definitions {
        let name = definition.name();
        if !known.iter().any(|variable| variable.name == name.text) {
            known.push(KnownVariable { name: name.text.clone(), kind: StaticKind::UNKNOWN });
        }
        if known.iter().take(fixed).any(|parameter| parameter.name == name.text) {
            let message = format!("`{}` is a parameter, which never changes", name.text);
            diagnostics.report(DiagnosticCode::DeclaredTwice, name.span, message);
            return None;
        }
    }
    if known.len() > MOST_VARIABLES {
        let message = format!("a b-thread has at most {MOST_VARIABLES} variables");
        diagnostics.report(DiagnosticCode::TooManyValues, thread.span, message);
        return None;
    }
    // Each round learns the kinds of variables that depend on those learnt before.
    while learn(&definitions, symbols, &mut known) {}
    Some(known)
}

/// Learns kinds that were unknown, and says whether there were any.
fn learn(definitions: &[Definition<'_>], symbols: &Symbols, known: &mut [KnownVariable]) -> bool {
    let mut has_learnt = false;
    for definition in definitions {
        let name = &definition.name().text;
        let Some(place) = known.iter().position(|variable| variable.name == *name) else {
            continue;
        };
        if known[place].kind.kind != ValueKind::Unknown {
            continue;
        }
        let found = definition.kind(symbols, known);
        if found.kind != ValueKind::Unknown {
            known[place].kind = found;
            has_learnt = true;
        }
    }
    has_learnt
}

impl Definition<'_> {
    fn name(&self) -> &Identifier {
        match self {
            Self::Value(name, _) | Self::Range(name, _) | Self::Capture(name, _) => name,
        }
    }

    fn kind(&self, symbols: &Symbols, variables: &[KnownVariable]) -> StaticKind {
        // Mistakes are reported when the statements are compiled.
        let mut unreported = Diagnostics::unread();
        let mut resolver = Resolver { symbols, variables, diagnostics: &mut unreported };
        match self {
            Self::Capture(_, kind) => kind.clone(),
            Self::Value(_, value) => {
                resolver.value(value).map_or(StaticKind::UNKNOWN, |(_, kind)| kind)
            }
            Self::Range(_, set) => {
                let ring = match &set.kind {
                    ExpressionKind::Name(name) => symbols.set_number(name),
                    _ => None,
                };
                let ring = ring.filter(|set| symbols.set(*set).is_ring);
                let kind = resolver.value(set).map(|(_, kind)| kind.kind);
                let member = kind.as_ref().and_then(ValueKind::member).cloned();
                StaticKind { kind: member.unwrap_or(ValueKind::Unknown), ring }
            }
        }
    }
}

fn collect<'a>(
    statements: &'a [Statement],
    symbols: &Symbols,
    definitions: &mut Vec<Definition<'a>>,
) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Sync(point) => collect_captures(point, symbols, definitions),
            StatementKind::Forever(body)
            | StatementKind::Times(_, body)
            | StatementKind::While(_, body) => collect(body, symbols, definitions),
            StatementKind::If { then, otherwise, .. } => {
                collect(then, symbols, definitions);
                collect(otherwise, symbols, definitions);
            }
            StatementKind::Either(branches) => {
                for branch in branches {
                    collect(branch, symbols, definitions);
                }
            }
            StatementKind::Keep { name, set, value } => {
                definitions.extend(set.as_ref().map(|set| Definition::Range(name, set)));
                definitions.push(Definition::Value(name, value));
            }
            StatementKind::Assign { .. } | StatementKind::Fail(_) => {}
        }
    }
    // What is only assigned was never kept, and has no kind of its own; what is kept without a
    // kind (`keep on = nobody`) gets it from assignments.
    for statement in statements {
        if let StatementKind::Assign { name, value } = &statement.kind
            && definitions.iter().any(|known| known.name().text == name.text)
        {
            definitions.push(Definition::Value(name, value));
        }
    }
}

fn collect_captures<'a>(
    point: &'a SyncSyntax,
    symbols: &Symbols,
    definitions: &mut Vec<Definition<'a>>,
) {
    let requests = point.requests.iter().map(|request| &request.set);
    let sets = requests.chain(&point.waits).chain(&point.otherwise);
    sets.for_each(|set| captures(set, symbols, definitions));
}

fn captures<'a>(
    expression: &'a Expression,
    symbols: &Symbols,
    definitions: &mut Vec<Definition<'a>>,
) {
    match &expression.kind {
        ExpressionKind::Binary(_, one, other) => {
            captures(one, symbols, definitions);
            captures(other, symbols, definitions);
        }
        ExpressionKind::Call(name, arguments) => {
            let family = symbols.family_number(&name.text).map(|family| &symbols.families[family]);
            for (position, argument) in arguments.iter().enumerate() {
                if let ExpressionKind::Capture(name) = &argument.kind {
                    let parameter = family.and_then(|family| family.parameters.get(position));
                    let kind = parameter.map_or(StaticKind::UNKNOWN, |parameter| {
                        let set = symbols.set(parameter.set);
                        let ring = set.is_ring.then_some(parameter.set);
                        StaticKind { kind: set.kind.clone(), ring }
                    });
                    definitions.push(Definition::Capture(name, kind));
                }
            }
        }
        _ => {}
    }
}
