//! Properties of a text.

use checker::Fraction;

use crate::built::{BuiltThread, ChanceQuantity, TextClaim, TextProperty};
use crate::diagnostic::{DiagnosticCode, Diagnostics};
use crate::evaluate::{Evaluator, Trouble};
use crate::event_bits::EventBits;
use crate::limits::{Budget, Exceeded};
use crate::resolver::Resolver;
use crate::span::LineCounter;
use crate::symbols::Symbols;
use crate::syntax::{
    ClaimSyntax, Declaration, Expression, ExpressionKind, SyntaxTree, ThreadRoleWord,
};
use crate::values::TextValue;

/// The properties, in the order of the text. Those with mistakes are left out.
pub(super) fn read(
    text: &str,
    tree: &SyntaxTree,
    symbols: &Symbols,
    budget: &mut Budget,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<TextProperty>, Exceeded> {
    let mut properties = Vec::new();
    let mut lines = LineCounter::new(text);
    for item in &tree.items {
        let (name, claim) = match item {
            Declaration::Thread(thread) if thread.role == ThreadRoleWord::Require => {
                (&thread.name, Some(TextClaim::Requirement))
            }
            Declaration::Property { name, claim } => {
                let mut reader = ClaimReader { symbols, budget, diagnostics };
                (name, reader.claim(claim)?)
            }
            _ => continue,
        };
        let line = lines.line(name.span.start);
        let name = name.text.clone();
        let sentence = None;
        properties.extend(claim.map(|claim| TextProperty { name, sentence, line, claim }));
    }
    Ok(properties)
}

/// Adds a property for each b-thread that could leave a range it has declared: it never does.
pub(super) fn add_ranges(properties: &mut Vec<TextProperty>, threads: &[BuiltThread]) {
    for thread in threads.iter().filter(|thread| thread.role() != ThreadRoleWord::Require) {
        let name = thread.name().family().to_owned();
        let can_fail = thread.table.states.iter().any(|point| point.violation.is_some());
        if can_fail && properties.iter().all(|known| known.name != name) {
            let line = thread.line();
            let claim = TextClaim::Requirement;
            properties.push(TextProperty { name, sentence: None, line, claim });
        }
    }
}

struct ClaimReader<'a> {
    symbols: &'a Symbols,
    budget: &'a mut Budget,
    diagnostics: &'a mut Diagnostics,
}

impl ClaimReader<'_> {
    fn claim(&mut self, claim: &ClaimSyntax) -> Result<Option<TextClaim>, Exceeded> {
        Ok(match claim {
            ClaimSyntax::Never(set) if self.is_misspelt_stuck(set) => None,
            ClaimSyntax::Never(set) => self.events(set)?.map(TextClaim::Never),
            ClaimSyntax::Can(set) => self.events(set)?.map(TextClaim::Can),
            ClaimSyntax::EndsWith(set) => self.events(set)?.map(TextClaim::EndsWith),
            ClaimSyntax::NeverStuck => Some(TextClaim::NeverStuck),
            ClaimSyntax::NeverStaysAtMust => Some(TextClaim::NeverStaysAtMust),
            ClaimSyntax::Probability { set, comparison, value } => {
                let (set, value) = (self.events(set)?, self.fraction(value, Some(Fraction::ONE))?);
                let (Some(set), Some(value)) = (set, value) else { return Ok(None) };
                let quantity = ChanceQuantity::Probability(set);
                Some(TextClaim::Quantity { quantity, comparison: *comparison, value })
            }
            ClaimSyntax::Expected { counted, until, comparison, value } => {
                let (counted, until) = (self.events(counted)?, self.events(until)?);
                let value = self.fraction(value, None)?;
                let (Some(counted), Some(until), Some(value)) = (counted, until, value) else {
                    return Ok(None);
                };
                let quantity = ChanceQuantity::Expected { counted, until };
                Some(TextClaim::Quantity { quantity, comparison: *comparison, value })
            }
        })
    }

    /// Whether `never stuck` was probably meant; reports it.
    fn is_misspelt_stuck(&mut self, set: &Expression) -> bool {
        let ExpressionKind::Name(name) = &set.kind else { return false };
        let is_known =
            self.symbols.family_number(name).is_some() || self.symbols.broken.contains(name);
        if is_known || self.diagnostics.hint(name, ["stuck"]).is_empty() {
            return false;
        }
        let events = self.symbols.families.iter().map(|each| &*each.name);
        if !self.diagnostics.hint(name, events).is_empty() {
            return false;
        }
        let message = format!("no event is called `{name}`; did you mean `never stuck`?");
        self.diagnostics.report(DiagnosticCode::UnknownEvent, set.span, message);
        true
    }

    fn resolver(&mut self) -> Resolver<'_> {
        Resolver { symbols: self.symbols, variables: &[], diagnostics: self.diagnostics }
    }

    fn events(&mut self, set: &Expression) -> Result<Option<EventBits>, Exceeded> {
        let Some(code) = self.resolver().events(set) else { return Ok(None) };
        let mut evaluator = Evaluator { symbols: self.symbols, budget: self.budget };
        known(evaluator.events(&code, &[]))
    }

    /// A number such as `2/3` or `4`, at most as large as this.
    fn fraction(
        &mut self,
        (above, below): &(Expression, Option<Expression>),
        most: Option<Fraction>,
    ) -> Result<Option<Fraction>, Exceeded> {
        let cases = self.number(above)?;
        let (all, span) = match below {
            Some(below) => (self.number(below)?, above.span.to(below.span)),
            None => (Some(1), above.span),
        };
        let (Some(cases), Some(all)) = (cases, all) else { return Ok(None) };
        let fraction = Fraction::new(cases.into(), all.into());
        let fraction = fraction.filter(|fraction| most.is_none_or(|most| *fraction <= most));
        if fraction.is_none() {
            let message = match most {
                Some(_) => "a probability is from 0 to 1, as in `2/3`",
                None => "nothing can be divided by 0",
            };
            self.diagnostics.report(DiagnosticCode::WrongKind, span, message);
        }
        Ok(fraction)
    }

    fn number(&mut self, number: &Expression) -> Result<Option<u32>, Exceeded> {
        let Some((code, _)) = self.resolver().number(number) else { return Ok(None) };
        let mut evaluator = Evaluator { symbols: self.symbols, budget: self.budget };
        let value = known(evaluator.value(&code, &[]))?;
        Ok(match value {
            Some(TextValue::Number(number)) => u32::try_from(number).ok(),
            _ => None,
        })
    }
}

/// Properties have no variables, so only a bound can be in the way.
fn known<T>(evaluated: Result<T, Trouble>) -> Result<Option<T>, Exceeded> {
    match evaluated {
        Ok(value) => Ok(Some(value)),
        Err(Trouble::Exceeded(exceeded)) => Err(exceeded),
        Err(Trouble::NoValueYet(_)) => Ok(None),
    }
}
