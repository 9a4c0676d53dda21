//! Parameters, sets, rows and events, in the order of the text.

mod events;
mod lines;
pub(crate) mod sets;

use crate::diagnostic::{Diagnostic, DiagnosticCode, Diagnostics};
use crate::evaluate::{Evaluator, Trouble};
use crate::limits::{Bound, Budget, Exceeded};
use crate::parameters::GivenParameter;
use crate::resolver::{Resolver, StaticKind};
use crate::span::Span;
use crate::symbols::Symbols;
use crate::syntax::{Declaration, Expression, Identifier, SyntaxTree, TextForm};
use crate::values::{TextValue, ValueKind};

/// The most seats of a game.
const MOST_SEATS: usize = game::Seat::MOST as usize;

/// Declares one thing after the other.
pub(crate) struct Declarer<'a> {
    pub(crate) symbols: Symbols,
    pub(crate) budget: &'a mut Budget,
    pub(crate) diagnostics: &'a mut Diagnostics,
    form: TextForm,
}

impl<'a> Declarer<'a> {
    pub(crate) fn new(
        form: TextForm,
        budget: &'a mut Budget,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        Self { symbols: Symbols::default(), budget, diagnostics, form }
    }

    /// Declares everything except b-threads and properties.
    pub(crate) fn declare_all(
        mut self,
        tree: &SyntaxTree,
        given: &[GivenParameter],
    ) -> Result<Symbols, Exceeded> {
        self.symbols.broken.clone_from(&tree.broken);
        self.symbols.later = tree.items.iter().rev().filter_map(name_of).collect();
        for item in &tree.items {
            let name = name_of(item);
            if name.is_some() {
                self.symbols.later.pop();
            }
            match item {
                Declaration::Parameter { name, value } => self.parameter(name, value, given)?,
                Declaration::Seats { names, span } => self.seats(names, *span)?,
                Declaration::Set(set) => self.set(set)?,
                Declaration::Rows { name, columns, rows } => self.rows(name, columns, rows)?,
                Declaration::Event(event) => self.event(event)?,
                Declaration::Place { .. }
                | Declaration::Thread(_)
                | Declaration::Property { .. } => {}
            }
            let broken = name.filter(|name| !self.is_declared(name));
            self.symbols.broken.extend(broken);
        }
        self.check_given(given);
        Ok(self.symbols)
    }

    fn is_declared(&self, name: &str) -> bool {
        crate::resolver::names::constant(&self.symbols, name).is_some()
            || self.symbols.family_number(name).is_some()
    }

    pub(crate) fn report(&mut self, code: DiagnosticCode, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(code, span, message));
    }

    fn parameter(
        &mut self,
        name: &Identifier,
        value: &Expression,
        given: &[GivenParameter],
    ) -> Result<(), Exceeded> {
        let usual = self.constant(value)?;
        if !self.is_new(name) {
            return Ok(());
        }
        let given = given.iter().rev().find(|given| given.name == name.text);
        match (given, usual) {
            (Some(given), _) => self.symbols.parameters.push((name.text.clone(), given.value)),
            (None, Some((TextValue::Number(number), _))) => {
                self.symbols.parameters.push((name.text.clone(), number));
            }
            (None, Some(_)) => {
                self.report(DiagnosticCode::WrongKind, value.span, "a parameter is a number");
            }
            (None, None) => {}
        }
        Ok(())
    }

    /// Reports parameters that were given but do not exist.
    fn check_given(&mut self, given: &[GivenParameter]) {
        for given in given {
            if self.symbols.parameter(&given.name).is_none() {
                let known: Vec<&str> =
                    self.symbols.parameters.iter().map(|(name, _)| &**name).collect();
                let hint = self.diagnostics.hint(&given.name, known.iter().copied());
                let list = match &*known {
                    [] => "there are none".to_owned(),
                    known => format!("there are {}", known.join(", ")),
                };
                let message = format!("no parameter is called `{}`: {list}{hint}", given.name);
                self.report(DiagnosticCode::UnknownParameter, Span::default(), message);
            }
        }
    }

    fn seats(&mut self, names: &[Identifier], span: Span) -> Result<(), Exceeded> {
        if self.form == TextForm::Program {
            let message = "a program has no seats: begin with `game` to have some";
            self.report(DiagnosticCode::OnlyInGames, span, message);
            return Ok(());
        }
        if self.symbols.seats.is_some() {
            self.report(DiagnosticCode::DeclaredTwice, span, "the seats are declared already");
            return Ok(());
        }
        if names.len() > MOST_SEATS {
            let message = format!("a game has at most {MOST_SEATS} seats");
            self.report(DiagnosticCode::IncompleteGame, span, message);
            return Ok(());
        }
        let set = Identifier { text: "seat".to_owned(), span };
        self.symbols.seats = u32::try_from(self.symbols.lists.len()).ok();
        let names = names.iter().map(|name| (name.text.clone(), name.span)).collect();
        self.new_list(&set, names, None, true)
    }

    /// Whether a name of a value, a set or a parameter is free; reports it otherwise.
    pub(crate) fn is_new(&mut self, name: &Identifier) -> bool {
        let is_known = crate::resolver::names::constant(&self.symbols, &name.text)
            .is_some_and(|_| name.text != "nobody");
        if is_known {
            let message = format!("`{}` is declared already", name.text);
            self.report(DiagnosticCode::DeclaredTwice, name.span, message);
        }
        !is_known
    }

    /// The value of an expression without variables; `None` after a mistake.
    pub(crate) fn constant(
        &mut self,
        expression: &Expression,
    ) -> Result<Option<(TextValue, StaticKind)>, Exceeded> {
        let resolved =
            Resolver { symbols: &self.symbols, variables: &[], diagnostics: self.diagnostics }
                .value(expression);
        let Some((code, kind)) = resolved else { return Ok(None) };
        let mut evaluator = Evaluator { symbols: &self.symbols, budget: self.budget };
        match evaluator.value(&code, &[]) {
            Ok(value) => Ok(Some((value, kind))),
            Err(Trouble::Exceeded(exceeded)) => Err(exceeded),
            Err(Trouble::NoValueYet(_)) => Ok(None),
        }
    }

    /// A number from 1 on, such as the size of a grid; `None` after a mistake.
    pub(crate) fn size(&mut self, expression: &Expression) -> Result<Option<u32>, Exceeded> {
        let Some((value, _)) = self.constant(expression)? else { return Ok(None) };
        let size = match value {
            TextValue::Number(number) => u32::try_from(number).ok().filter(|size| *size > 0),
            _ => None,
        };
        if size.is_none() {
            let found = self.symbols.write(&value);
            let message = format!("a number from 1 on is expected here, and not {found}");
            self.report(DiagnosticCode::WrongKind, expression.span, message);
        }
        Ok(size)
    }

    /// Declares a set of new names.
    pub(crate) fn new_list(
        &mut self,
        set: &Identifier,
        names: Vec<(String, Span)>,
        columns: Option<u32>,
        is_ring: bool,
    ) -> Result<(), Exceeded> {
        self.budget.spend(Bound::Values, names.len())?;
        let list = u32::try_from(self.symbols.lists.len()).unwrap_or(u32::MAX);
        let mut members = Vec::new();
        let mut known = Vec::new();
        for (name, span) in names {
            if self.is_new(&Identifier { text: name.clone(), span }) {
                let value =
                    TextValue::Member(list, u32::try_from(members.len()).unwrap_or(u32::MAX));
                members.push(value.clone());
                self.symbols.values.insert(name.clone(), value);
                known.push(name);
            }
        }
        let set_name = set.text.clone();
        self.symbols.lists.push(crate::symbols::NameList {
            set: set_name,
            names: known,
            columns,
            is_ring,
        });
        self.add_set(set, members, ValueKind::Member(list), |set| set.is_ring = is_ring)
    }
}

/// The name that a declaration declares, unless it is a b-thread or a property.
fn name_of(item: &Declaration) -> Option<String> {
    match item {
        Declaration::Parameter { name, .. } | Declaration::Rows { name, .. } => {
            Some(name.text.clone())
        }
        Declaration::Set(set) => Some(set.name.text.clone()),
        Declaration::Event(event) => Some(event.name.text.clone()),
        Declaration::Seats { .. } => Some("seat".to_owned()),
        Declaration::Place { .. } | Declaration::Thread(_) | Declaration::Property { .. } => None,
    }
}
