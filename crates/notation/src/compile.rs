//! From the statements of a b-thread to its code.
//!
//! - `variables`: which variables a b-thread has, and their kinds.
//! - `flow`: statements become instructions.
//! - `liveness`: which variables may still be read.

mod flow;
mod liveness;
mod variables;

use crate::code::{ConditionCode, ThreadCode};
use crate::diagnostic::{DiagnosticCode, Diagnostics};
use crate::resolver::{KnownVariable, Resolver, StaticKind};
use crate::symbols::Symbols;
use crate::syntax::ThreadDeclaration;

/// The code of a family of b-threads.
#[derive(Clone, Debug)]
pub(crate) struct FamilyCode {
    /// The sets of the parameters.
    pub(crate) sets: Vec<u32>,
    pub(crate) condition: Option<ConditionCode>,
    pub(crate) code: ThreadCode,
}

/// The most variables of a b-thread: each has a bit.
pub(crate) const MOST_VARIABLES: usize = 60;

/// Compiles a b-thread; `None` after a mistake.
pub(crate) fn compile(
    thread: &ThreadDeclaration,
    symbols: &Symbols,
    diagnostics: &mut Diagnostics,
) -> Option<FamilyCode> {
    let (sets, parameters) = parameters(thread, symbols, diagnostics)?;
    let condition = match &thread.condition {
        None => None,
        Some(condition) => {
            let mut resolver = Resolver { symbols, variables: &parameters, diagnostics };
            Some(resolver.condition(condition)?)
        }
    };
    let known = variables::find(thread, symbols, parameters, diagnostics)?;
    let code = flow::compile(thread, symbols, &known, sets.len(), diagnostics)?;
    Some(FamilyCode { sets, condition, code })
}

/// The sets of the parameters, and the parameters as variables.
fn parameters(
    thread: &ThreadDeclaration,
    symbols: &Symbols,
    diagnostics: &mut Diagnostics,
) -> Option<(Vec<u32>, Vec<KnownVariable>)> {
    let (mut sets, mut known): (Vec<u32>, Vec<KnownVariable>) = (Vec::new(), Vec::new());
    for parameter in &thread.parameters {
        let set = parameter.set.as_ref().unwrap_or(&parameter.name);
        let Some(number) = symbols.set_number(&set.text) else {
            if symbols.broken.contains(&set.text) {
                return None;
            }
            let hint = diagnostics.hint(&set.text, symbols.sets.iter().map(|set| &*set.name));
            let message = format!("no set is called `{}`{hint}", set.text);
            diagnostics.report(DiagnosticCode::UnknownSet, set.span, message);
            return None;
        };
        if known.iter().any(|known| known.name == parameter.name.text) {
            let message = format!("two parameters are called `{}`", parameter.name.text);
            diagnostics.report(DiagnosticCode::DeclaredTwice, parameter.name.span, message);
            return None;
        }
        let set = symbols.set(number);
        let kind = StaticKind { kind: set.kind.clone(), ring: set.is_ring.then_some(number) };
        known.push(KnownVariable { name: parameter.name.text.clone(), kind });
        sets.push(number);
    }
    Some((sets, known))
}
