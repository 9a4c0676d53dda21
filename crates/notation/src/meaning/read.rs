//! Reading what events mean.

use super::{DrawnPiece, EventMeaning, Meanings, ResultMeaning, ShownVariable};
use crate::code::ValueCode;
use crate::diagnostic::{DiagnosticCode, Diagnostics};
use crate::evaluate::{Evaluator, Trouble, Variables};
use crate::limits::{Budget, Exceeded};
use crate::resolver::{KnownVariable, Resolver, StaticKind};
use crate::span::Span;
use crate::symbols::{EventFamily, Symbols};
use crate::syntax::{
    Declaration, EventDeclaration, Expression, ExpressionKind, Meaning, SyntaxTree, TextForm,
};
use crate::values::{TextValue, ValueKind};

/// Reads the meanings of all events.
pub(crate) struct MeaningReader<'a> {
    pub(crate) symbols: &'a Symbols,
    pub(crate) budget: &'a mut Budget,
    pub(crate) diagnostics: &'a mut Diagnostics,
    pub(crate) form: TextForm,
    pub(crate) meanings: Meanings,
}

/// A meaning whose values are code.
enum MeaningCode {
    MoveOf(ValueCode),
    WinOf(ValueCode),
    LossOf(ValueCode),
    Draw,
    MostWins,
    Scores(ValueCode, ValueCode),
    Puts(ValueCode, ValueCode),
    Clears(ValueCode),
    Moves(ValueCode, ValueCode, ValueCode),
}

impl MeaningReader<'_> {
    pub(crate) fn read(mut self, tree: &SyntaxTree) -> Result<Meanings, Exceeded> {
        let symbols = self.symbols;
        let declared = |family: &EventFamily| {
            tree.items.iter().find_map(|item| match item {
                Declaration::Event(event) if event.name.span == family.span => Some(event),
                _ => None,
            })
        };
        for family in &symbols.families {
            let event = declared(family);
            let mover = event.and_then(|event| mover(event, family));
            self.meanings.movers.push(mover);
            let codes = event.map(|event| self.codes(event, family)).unwrap_or_default();
            for number in family.first..family.first + family.count {
                let meaning = self.event(family, number, &codes)?;
                self.meanings.events.push(meaning);
            }
        }
        for item in &tree.items {
            if let Declaration::Place { what, on } = item {
                self.place(what, on)?;
            }
        }
        Ok(self.meanings)
    }

    fn report<T>(&mut self, code: DiagnosticCode, span: Span, message: &str) -> Option<T> {
        self.diagnostics.report(code, span, message);
        None
    }

    /// The meanings of a family, without those that have mistakes.
    fn codes(&mut self, event: &EventDeclaration, family: &EventFamily) -> Vec<MeaningCode> {
        let variables: Vec<KnownVariable> = family
            .parameters
            .iter()
            .map(|parameter| KnownVariable {
                name: parameter.name.clone(),
                kind: StaticKind::of(self.symbols.set(parameter.set).kind.clone()),
            })
            .collect();
        let codes: Vec<MeaningCode> = event
            .meanings
            .iter()
            .filter_map(|(meaning, span)| self.code(meaning, *span, &variables, family))
            .collect();
        let is_move = |code: &MeaningCode| matches!(code, MeaningCode::MoveOf(_));
        let is_result = |code: &MeaningCode| {
            use MeaningCode::{Draw, LossOf, MostWins, WinOf};
            matches!(code, WinOf(_) | LossOf(_) | Draw | MostWins)
        };
        let count =
            |test: &dyn Fn(&MeaningCode) -> bool| codes.iter().filter(|code| test(code)).count();
        if count(&is_move) + count(&is_result) > 1 {
            let message = "an event is one move, or one result";
            self.diagnostics.report(DiagnosticCode::Meaning, event.name.span, message);
        }
        codes
    }

    fn code(
        &mut self,
        meaning: &Meaning,
        span: Span,
        variables: &[KnownVariable],
        family: &EventFamily,
    ) -> Option<MeaningCode> {
        if self.form == TextForm::Program {
            let message = "only events of a game have meanings: begin with `game` to have some";
            return self.report(DiagnosticCode::OnlyInGames, span, message);
        }
        Some(match meaning {
            Meaning::MoveOf(seat) => MeaningCode::MoveOf(self.seat(seat, variables)?),
            Meaning::WinOf(seat) => MeaningCode::WinOf(self.seat(seat, variables)?),
            Meaning::LossOf(seat) => MeaningCode::LossOf(self.seat(seat, variables)?),
            Meaning::Draw => MeaningCode::Draw,
            Meaning::MostWins => MeaningCode::MostWins,
            Meaning::Scores { points, seat } => {
                let points = self.resolver(variables).number(points).map(|(code, _)| code);
                MeaningCode::Scores(points?, self.seat(seat, variables)?)
            }
            Meaning::Puts { what, on } => {
                let what = self.resolver(variables).value(what).map(|(code, _)| code);
                MeaningCode::Puts(what?, self.square(on, variables)?)
            }
            Meaning::Clears(on) => MeaningCode::Clears(self.square(on, variables)?),
            Meaning::Moves { what, from, to } => {
                let what = self.resolver(variables).value(what).map(|(code, _)| code);
                let (from, to) = (self.square(from, variables), self.square(to, variables));
                MeaningCode::Moves(what?, from?, to?)
            }
            Meaning::Shows { variable, of } => {
                let parameter = match &of.kind {
                    ExpressionKind::Name(name) => family.parameter(name),
                    _ => None,
                };
                let Some(parameter) = parameter else {
                    let message =
                        "`shows` names a parameter of the event, as in `shows left of heap`";
                    return self.report(DiagnosticCode::Meaning, of.span, message);
                };
                let set = family.parameters[parameter].set;
                let shown = ShownVariable { variable: variable.text.clone(), set };
                if !self.meanings.shows.contains(&shown) {
                    self.meanings.shows.push(shown);
                }
                return None;
            }
        })
    }

    fn resolver<'b>(&'b mut self, variables: &'b [KnownVariable]) -> Resolver<'b> {
        Resolver { symbols: self.symbols, variables, diagnostics: self.diagnostics }
    }

    fn seat(&mut self, seat: &Expression, variables: &[KnownVariable]) -> Option<ValueCode> {
        let Some(list) = self.symbols.seats else {
            return self.report(DiagnosticCode::IncompleteGame, seat.span, "the game has no seats");
        };
        let mut resolver = self.resolver(variables);
        let (code, kind) = resolver.value(seat)?;
        resolver.expect_kind(&kind.kind, &ValueKind::Member(list), seat.span)?;
        Some(code)
    }

    /// A square of the one grid on which is drawn.
    fn square(&mut self, square: &Expression, variables: &[KnownVariable]) -> Option<ValueCode> {
        let (code, kind) = self.resolver(variables).value(square)?;
        let grid = match kind.kind {
            ValueKind::Member(list) if self.symbols.lists[list as usize].columns.is_some() => list,
            _ => {
                let message = "a square of a grid is expected here";
                return self.report(DiagnosticCode::Meaning, square.span, message);
            }
        };
        if *self.meanings.grid.get_or_insert(grid) != grid {
            let message = "a game is drawn on one grid only";
            return self.report(DiagnosticCode::Meaning, square.span, message);
        }
        Some(code)
    }

    fn event(
        &mut self,
        family: &EventFamily,
        number: u32,
        codes: &[MeaningCode],
    ) -> Result<EventMeaning, Exceeded> {
        let arguments = 0..family.parameters.len();
        let variables: Variables = arguments
            .map(|parameter| Some(self.symbols.argument(family, number, parameter)))
            .collect();
        let mut meaning = EventMeaning::default();
        for code in codes {
            self.add(code, &variables, &mut meaning)?;
        }
        Ok(meaning)
    }

    fn add(
        &mut self,
        code: &MeaningCode,
        variables: &Variables,
        meaning: &mut EventMeaning,
    ) -> Result<(), Exceeded> {
        match code {
            MeaningCode::MoveOf(seat) => meaning.mover = self.seat_number(seat, variables)?,
            MeaningCode::WinOf(seat) => {
                meaning.result = self.seat_number(seat, variables)?.map(ResultMeaning::Win);
            }
            MeaningCode::LossOf(seat) => {
                meaning.result = self.seat_number(seat, variables)?.map(ResultMeaning::Loss);
            }
            MeaningCode::Draw => meaning.result = Some(ResultMeaning::Draw),
            MeaningCode::MostWins => meaning.result = Some(ResultMeaning::MostWins),
            MeaningCode::Scores(points, seat) => {
                let points = match self.value(points, variables)? {
                    TextValue::Number(points) => i32::try_from(points).unwrap_or(i32::MAX),
                    _ => 0,
                };
                meaning
                    .scores
                    .extend(self.seat_number(seat, variables)?.map(|seat| (seat, points)));
            }
            MeaningCode::Puts(what, on) => {
                let piece = self.piece(what, variables)?;
                self.draw(on, piece, variables, meaning)?;
            }
            MeaningCode::Clears(on) => self.draw(on, 0, variables, meaning)?,
            MeaningCode::Moves(what, from, to) => {
                let piece = self.piece(what, variables)?;
                self.draw(from, 0, variables, meaning)?;
                self.draw(to, piece, variables, meaning)?;
            }
        }
        Ok(())
    }

    fn value(&mut self, code: &ValueCode, variables: &Variables) -> Result<TextValue, Exceeded> {
        let mut evaluator = Evaluator { symbols: self.symbols, budget: self.budget };
        match evaluator.value(code, variables) {
            Ok(value) => Ok(value),
            Err(Trouble::Exceeded(exceeded)) => Err(exceeded),
            // Parameters of events always have values.
            Err(Trouble::NoValueYet(_)) => Ok(TextValue::Missing),
        }
    }

    fn seat_number(
        &mut self,
        code: &ValueCode,
        variables: &Variables,
    ) -> Result<Option<u8>, Exceeded> {
        Ok(self.symbols.seat(&self.value(code, variables)?))
    }

    /// The number of a piece.
    fn piece(&mut self, code: &ValueCode, variables: &Variables) -> Result<u8, Exceeded> {
        let value = self.value(code, variables)?;
        let pieces = &mut self.meanings.pieces;
        let place = pieces.iter().position(|known| *known == value).unwrap_or_else(|| {
            pieces.push(value);
            pieces.len() - 1
        });
        Ok(u8::try_from(place + 1).unwrap_or(u8::MAX))
    }

    fn draw(
        &mut self,
        on: &ValueCode,
        piece: u8,
        variables: &Variables,
        meaning: &mut EventMeaning,
    ) -> Result<(), Exceeded> {
        if let TextValue::Member(_, square) = self.value(on, variables)? {
            meaning.drawn.push(DrawnPiece { square, piece });
        }
        Ok(())
    }

    /// `place fox on a4`
    fn place(&mut self, what: &Expression, on: &Expression) -> Result<(), Exceeded> {
        if self.form == TextForm::Program {
            let message = "only a game is drawn: begin with `game`";
            self.diagnostics.report(DiagnosticCode::OnlyInGames, what.span, message);
            return Ok(());
        }
        let what = self.resolver(&[]).value(what).map(|(code, _)| code);
        let (Some(what), Some(on)) = (what, self.squares(on)) else { return Ok(()) };
        let piece = self.piece(&what, &Vec::new())?;
        for square in self.value(&on, &Vec::new())?.members() {
            if let TextValue::Member(_, square) = square {
                self.meanings.placed.push(DrawnPiece { square: *square, piece });
            }
        }
        Ok(())
    }

    /// A square, or a set of squares.
    fn squares(&mut self, squares: &Expression) -> Option<ValueCode> {
        let mut unreported = Diagnostics::default();
        let mut resolver =
            Resolver { symbols: self.symbols, variables: &[], diagnostics: &mut unreported };
        match resolver.value(squares) {
            Some((code, StaticKind { kind: ValueKind::SetOf(member), .. })) => match *member {
                ValueKind::Member(list)
                    if *self.meanings.grid.get_or_insert(list) == list
                        && self.symbols.lists[list as usize].columns.is_some() =>
                {
                    Some(code)
                }
                _ => {
                    let message = "squares of the drawn grid are expected here";
                    self.report(DiagnosticCode::Meaning, squares.span, message)
                }
            },
            _ => self.square(squares, &[]),
        }
    }
}

/// The parameter that is the seat that moves.
fn mover(event: &EventDeclaration, family: &EventFamily) -> Option<usize> {
    event.meanings.iter().find_map(|(meaning, _)| match meaning {
        Meaning::MoveOf(Expression { kind: ExpressionKind::Name(name), .. }) => {
            family.parameter(name)
        }
        _ => None,
    })
}
