//! Sets, rings, grids and rows.

use super::Declarer;
use super::lines::lines_of;
use crate::diagnostic::DiagnosticCode;
use crate::limits::{Bound, Exceeded};
use crate::resolver::names::{BELOW, constant};
use crate::symbols::{NamedSet, RowTable};
use crate::syntax::{
    Expression, ExpressionKind, FormalParameter, Identifier, SetDeclaration, SetForm,
};
use crate::values::{TextValue, ValueKind};

/// The most columns and rows of a grid, so that a square fits into a move.
pub(crate) const LARGEST_GRID: u32 = 100;

impl Declarer<'_> {
    pub(super) fn set(&mut self, set: &SetDeclaration) -> Result<(), Exceeded> {
        if !self.is_new(&set.name) {
            return Ok(());
        }
        match &set.form {
            SetForm::Grid { columns, rows } => self.grid(&set.name, columns, rows),
            SetForm::Listed(members) => self.listed(&set.name, members, false),
            SetForm::Ring(members) => self.listed(&set.name, members, true),
        }
    }

    fn grid(
        &mut self,
        name: &Identifier,
        columns: &Expression,
        rows: &Expression,
    ) -> Result<(), Exceeded> {
        let (Some(width), Some(height)) = (self.size(columns)?, self.size(rows)?) else {
            return Ok(());
        };
        if width > LARGEST_GRID || height > LARGEST_GRID {
            let message = format!("a grid has at most {LARGEST_GRID} columns and rows");
            self.report(DiagnosticCode::TooManyValues, columns.span.to(rows.span), message);
            return Ok(());
        }
        let square = |row: u32, column: u32| (square_name(column, row), name.span);
        let squares = (0..height).flat_map(|row| (0..width).map(move |column| square(row, column)));
        let squares = squares.collect();
        self.new_list(name, squares, Some(width), false)
    }

    /// A set of new names, or of known values.
    fn listed(
        &mut self,
        name: &Identifier,
        members: &[Expression],
        is_ring: bool,
    ) -> Result<(), Exceeded> {
        let new_name = |member: &Expression| match &member.kind {
            ExpressionKind::Name(name) if constant(&self.symbols, name).is_none() => {
                Some((name.clone(), member.span))
            }
            _ => None,
        };
        let new_names: Option<Vec<_>> = members.iter().map(new_name).collect();
        if let Some(names) = new_names {
            return self.new_list(name, names, None, is_ring);
        }
        let (mut values, mut kind) = (Vec::new(), ValueKind::Unknown);
        let mut is_lines = false;
        for member in members {
            is_lines |= matches!(member.kind, ExpressionKind::Lines { .. });
            let Some((found, found_kind)) = self.members(member)? else { return Ok(()) };
            let Some(both) = kind.with(&found_kind) else {
                let (one, other) =
                    (self.symbols.describe(&kind), self.symbols.describe(&found_kind));
                let message = format!("{one} and {other} stand together: a set has one kind");
                self.report(DiagnosticCode::MixedKinds, member.span, message);
                return Ok(());
            };
            kind = both;
            values.extend(found);
        }
        self.budget.spend(Bound::Values, values.len())?;
        let mut seen = rustc_hash::FxHashSet::default();
        values.retain(|value| seen.insert(value.clone()));
        self.add_set(name, values, kind, |set| {
            set.is_ring = is_ring;
            set.is_lines = is_lines;
        })
    }

    /// The values that a member of a declaration stands for, and their kind.
    fn members(
        &mut self,
        member: &Expression,
    ) -> Result<Option<(Vec<TextValue>, ValueKind)>, Exceeded> {
        if let ExpressionKind::Lines { is_straight, length, set } = &member.kind {
            return self.lines(*is_straight, length, set);
        }
        let Some((value, kind)) = self.constant(member)? else { return Ok(None) };
        let is_one = matches!(member.kind, ExpressionKind::Braces(_));
        Ok(Some(match kind.kind {
            ValueKind::SetOf(inner) if !is_one => {
                // In the order of the declaration, where a set is named.
                let named = match &member.kind {
                    ExpressionKind::Name(name) => self.symbols.set_number(name),
                    _ => None,
                };
                let members = match named {
                    Some(set) => self.symbols.set(set).members.to_vec(),
                    None => value.members().to_vec(),
                };
                (members, *inner)
            }
            kind => (vec![value], kind),
        }))
    }

    fn lines(
        &mut self,
        is_straight: bool,
        length: &Expression,
        set: &Identifier,
    ) -> Result<Option<(Vec<TextValue>, ValueKind)>, Exceeded> {
        let length = self.size(length)?;
        let Some(number) = self.known_set(set) else { return Ok(None) };
        let squares = self.symbols.set(number).clone();
        let columns = match squares.kind {
            ValueKind::Member(list) => self.symbols.lists[list as usize].columns,
            _ => None,
        };
        let (Some(columns), Some(length)) = (columns, length) else {
            if columns.is_none() {
                let message = format!("`{}` is no grid, so it has no lines", set.text);
                self.report(DiagnosticCode::WrongKind, set.span, message);
            }
            return Ok(None);
        };
        let lines = lines_of(&squares, columns, length, is_straight, self.budget)?;
        Ok(Some((lines, squares.kind.set_of())))
    }

    /// The number of a set; reports that there is none.
    pub(crate) fn known_set(&mut self, name: &Identifier) -> Option<u32> {
        let known = self.symbols.set_number(&name.text);
        if known.is_none() && !self.symbols.broken.contains(&name.text) {
            let sets = self.symbols.sets.iter().map(|set| &*set.name);
            let hint = if self.symbols.later.contains(&name.text) {
                BELOW.to_owned()
            } else {
                self.diagnostics.hint(&name.text, sets)
            };
            let message = format!("no set is called `{}`{hint}", name.text);
            self.report(DiagnosticCode::UnknownSet, name.span, message);
        }
        known
    }

    pub(super) fn add_set(
        &mut self,
        name: &Identifier,
        members: Vec<TextValue>,
        kind: ValueKind,
        adjust: impl FnOnce(&mut NamedSet),
    ) -> Result<(), Exceeded> {
        let values = members.iter().map(TextValue::size).sum::<usize>();
        self.budget.steps(values)?;
        // In the list, in the index and in the set as a value; members of members are shared.
        let listed = members.len() * (4 * size_of::<TextValue>() + 16);
        self.budget.keep(listed + values * size_of::<TextValue>())?;
        let mut set = NamedSet::new(name.text.clone(), members, kind);
        adjust(&mut set);
        self.symbols.sets.push(set);
        Ok(())
    }

    pub(super) fn rows(
        &mut self,
        name: &Identifier,
        columns: &[FormalParameter],
        rows: &[Vec<Expression>],
    ) -> Result<(), Exceeded> {
        if !self.is_new(name) {
            return Ok(());
        }
        let mut kinds = Vec::new();
        for column in columns {
            let set = column.set.as_ref().unwrap_or(&column.name);
            let Some(number) = self.known_set(set) else { return Ok(()) };
            let kind = self.symbols.set(number).kind.clone();
            let kind = if column.is_set_of { kind.set_of() } else { kind };
            kinds.push((column.name.text.clone(), kind));
        }
        let mut table = RowTable { columns: kinds, rows: Vec::new() };
        self.budget.spend(Bound::Values, rows.len() * columns.len())?;
        for row in rows {
            let Some(row) = self.row(row, &table)? else { return Ok(()) };
            table.rows.push(row);
        }
        let number = u32::try_from(self.symbols.tables.len()).unwrap_or(u32::MAX);
        let count = u32::try_from(table.rows.len()).unwrap_or(u32::MAX);
        self.symbols.tables.push(table);
        let members = (0..count).map(|row| TextValue::Row(number, row)).collect();
        self.add_set(name, members, ValueKind::Row(number), |_| ())
    }

    fn row(
        &mut self,
        row: &[Expression],
        table: &RowTable,
    ) -> Result<Option<Vec<TextValue>>, Exceeded> {
        let mut values = Vec::new();
        for (cell, (_, kind)) in row.iter().zip(&table.columns) {
            let Some((value, found)) = self.constant(cell)? else { return Ok(None) };
            if found.kind.with(kind).is_none() {
                let expected = self.symbols.describe(kind);
                let found = self.symbols.describe(&found.kind);
                let message = format!("{expected} is expected here, but this is {found}");
                self.report(DiagnosticCode::WrongKind, cell.span, message);
                return Ok(None);
            }
            self.budget.keep(value.size() * size_of::<TextValue>())?;
            values.push(value);
        }
        Ok(Some(values))
    }
}

/// The name of a square: the letters of its column, and the number of its row from the top.
pub(crate) fn square_name(column: u32, row: u32) -> String {
    let letter = |number: u32| char::from(b'a' + u8::try_from(number % 26).unwrap_or(0));
    let letters: String = match column / 26 {
        0 => letter(column).to_string(),
        first => [letter(first - 1), letter(column)].iter().collect(),
    };
    format!("{letters}{}", row + 1)
}
