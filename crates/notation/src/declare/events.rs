//! Families of events.

use super::Declarer;
use crate::diagnostic::DiagnosticCode;
use crate::evaluate::{Evaluator, Trouble};
use crate::limits::{Bound, Exceeded};
use crate::resolver::{KnownVariable, Resolver, StaticKind};
use crate::symbols::{EventFamily, EventParameter};
use crate::syntax::{EventDeclaration, FormalParameter};
use crate::values::TextValue;

/// The most combinations of arguments of one family. A condition may leave few of many.
const MOST_COMBINATIONS: usize = 300_000;

impl Declarer<'_> {
    pub(super) fn event(&mut self, event: &EventDeclaration) -> Result<(), Exceeded> {
        let name = &event.name;
        if self.symbols.family_number(&name.text).is_some() {
            let message = format!("the event `{}` is declared already", name.text);
            self.report(DiagnosticCode::DeclaredTwice, name.span, message);
            return Ok(());
        }
        let Some(parameters) = self.event_parameters(&event.parameters) else { return Ok(()) };
        let variables = self.known_variables(&parameters);
        let first = self.symbols.events();
        let (arguments, count) = match &event.condition {
            None => self.all_arguments(&parameters)?,
            Some(condition) => {
                let resolved = Resolver {
                    symbols: &self.symbols,
                    variables: &variables,
                    diagnostics: self.diagnostics,
                }
                .condition(condition);
                let Some(code) = resolved else { return Ok(()) };
                let (all, count) = self.all_arguments(&parameters)?;
                let kept = self.that_meet(&code, &parameters, &all, count)?;
                if kept.1 == 0 && count > 0 {
                    let message = format!("`where` leaves no event `{}`", name.text);
                    self.report(DiagnosticCode::NothingLeft, condition.span, message);
                }
                kept
            }
        };
        self.budget.spend(Bound::Events, count as usize)?;
        self.symbols.families.push(EventFamily {
            name: name.text.clone(),
            span: name.span,
            parameters,
            first,
            count,
            arguments,
            is_full: event.condition.is_none(),
        });
        Ok(())
    }

    /// The parameters of an event; `None` after a mistake.
    fn event_parameters(&mut self, parameters: &[FormalParameter]) -> Option<Vec<EventParameter>> {
        let mut found: Vec<EventParameter> = Vec::new();
        for parameter in parameters {
            let set = self.known_set(parameter.set.as_ref().unwrap_or(&parameter.name))?;
            if found.iter().any(|known| known.name == parameter.name.text) {
                let message = format!(
                    "two parameters are called `{0}`: name one of them, as in `from: {0}`",
                    parameter.name.text
                );
                self.report(DiagnosticCode::DeclaredTwice, parameter.name.span, message);
                return None;
            }
            found.push(EventParameter { name: parameter.name.text.clone(), set });
        }
        Some(found)
    }

    fn known_variables(&self, parameters: &[EventParameter]) -> Vec<KnownVariable> {
        let known = |parameter: &EventParameter| {
            let set = self.symbols.set(parameter.set);
            let ring = set.is_ring.then_some(parameter.set);
            let kind = StaticKind { kind: set.kind.clone(), ring };
            KnownVariable { name: parameter.name.clone(), kind }
        };
        parameters.iter().map(known).collect()
    }

    /// Every combination of arguments, as places in the sets; the last one changes fastest.
    fn all_arguments(
        &mut self,
        parameters: &[EventParameter],
    ) -> Result<(Vec<u32>, u32), Exceeded> {
        let sizes: Vec<usize> =
            parameters.iter().map(|each| self.symbols.set(each.set).members.len()).collect();
        let product = sizes.iter().try_fold(1_usize, |product, size| product.checked_mul(*size));
        let count = product.unwrap_or(usize::MAX);
        if count > MOST_COMBINATIONS {
            return Err(Exceeded::EventCombinations { limit: MOST_COMBINATIONS as u64 });
        }
        let arguments = count.saturating_mul(parameters.len().max(1));
        self.budget.steps(arguments)?;
        self.budget.keep(arguments.saturating_mul(size_of::<u32>()))?;
        let mut arguments = Vec::new();
        for number in 0..count {
            let mut rest = number;
            let start = arguments.len();
            for size in sizes.iter().rev() {
                arguments.push(u32::try_from(rest % size).unwrap_or(u32::MAX));
                rest /= size;
            }
            if let Some(these) = arguments.get_mut(start..) {
                these.reverse();
            }
        }
        Ok((arguments, u32::try_from(count).unwrap_or(u32::MAX)))
    }

    /// The combinations that meet a condition.
    fn that_meet(
        &mut self,
        condition: &crate::code::ConditionCode,
        parameters: &[EventParameter],
        all: &[u32],
        count: u32,
    ) -> Result<(Vec<u32>, u32), Exceeded> {
        let (mut kept, mut number) = (Vec::new(), 0);
        let width = parameters.len();
        for index in 0..count as usize {
            let places = all.get(index * width..(index + 1) * width).unwrap_or(&[]);
            let values: Vec<Option<TextValue>> = places
                .iter()
                .zip(parameters)
                .map(|(place, each)| {
                    self.symbols.set(each.set).members.get(*place as usize).cloned()
                })
                .collect();
            let mut evaluator = Evaluator { symbols: &self.symbols, budget: self.budget };
            let holds = match evaluator.condition(condition, &values) {
                Ok(holds) => holds,
                Err(Trouble::Exceeded(exceeded)) => return Err(exceeded),
                Err(Trouble::NoValueYet(_)) => false,
            };
            if holds {
                kept.extend_from_slice(places);
                number += 1;
            }
        }
        Ok((kept, number))
    }
}
