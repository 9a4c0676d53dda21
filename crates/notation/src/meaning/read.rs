//! Reading what events mean.

use super::{DrawnGrid, DrawnPiece, EventMeaning, Meanings, ResultMeaning, ShownVariable};
use crate::code::ValueCode;
use crate::declare::sets::{LARGEST_GRID, square_name};
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
    Puts(ValueCode, SquareCode),
    Clears(SquareCode),
    Moves(ValueCode, SquareCode, SquareCode),
}

/// A square, and the board on which it is if there are several.
struct SquareCode {
    square: ValueCode,
    board: Option<ValueCode>,
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
        self.meanings.drawn = drawn_grid(symbols, self.meanings.grid, self.meanings.boards);
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
            Meaning::Puts { what, on, board } => {
                let what = self.resolver(variables).value(what).map(|(code, _)| code);
                MeaningCode::Puts(what?, self.square(on, board.as_ref(), variables)?)
            }
            Meaning::Clears(on) => MeaningCode::Clears(self.square(on, None, variables)?),
            Meaning::Moves { what, from, to } => {
                let what = self.resolver(variables).value(what).map(|(code, _)| code);
                let from = self.square(from, None, variables);
                let to = self.square(to, None, variables);
                MeaningCode::Moves(what?, from?, to?)
            }
            Meaning::Shows { variable, of } => {
                let set = match of {
                    None => None,
                    Some(of) => Some(self.shown_set(of, family)?),
                };
                let shown = ShownVariable { variable: variable.text.clone(), set };
                if !self.meanings.shows.contains(&shown) {
                    self.meanings.shows.push(shown);
                }
                return None;
            }
        })
    }

    /// The set of the parameter for whose values a variable is shown.
    fn shown_set(&mut self, of: &Expression, family: &EventFamily) -> Option<u32> {
        let parameter = match &of.kind {
            ExpressionKind::Name(name) => family.parameter(name),
            _ => None,
        };
        let Some(parameter) = parameter else {
            let message = "`shows` names a parameter of the event, as in `shows left of heap`";
            return self.report(DiagnosticCode::Meaning, of.span, message);
        };
        Some(family.parameters[parameter].set)
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

    /// A square of the one grid on which is drawn, or of the grid on each of the boards.
    fn square(
        &mut self,
        square: &Expression,
        board: Option<&Expression>,
        variables: &[KnownVariable],
    ) -> Option<SquareCode> {
        let (code, grid) = self.grid_square(square, variables)?;
        let on_board = board.map(|board| self.grid_square(board, variables));
        let (board_code, boards) = match on_board {
            None => (None, None),
            Some(found) => found.map(|(code, boards)| (Some(code), Some(boards)))?,
        };
        let known = self.meanings.grid.map(|known| (known, self.meanings.boards));
        if known.is_some_and(|known| known != (grid, boards)) {
            let message = "a game is drawn on one grid only";
            return self.report(DiagnosticCode::Meaning, square.span, message);
        }
        if let (Some(boards), Some(board)) = (boards, board)
            && self.is_too_large(grid, boards)
        {
            let message =
                format!("the boards have more than {LARGEST_GRID} columns or rows together");
            return self.report(DiagnosticCode::TooManyValues, board.span, &message);
        }
        (self.meanings.grid, self.meanings.boards) = (Some(grid), boards);
        Some(SquareCode { square: code, board: board_code })
    }

    /// A square, and the number of its grid.
    fn grid_square(
        &mut self,
        square: &Expression,
        variables: &[KnownVariable],
    ) -> Option<(ValueCode, u32)> {
        let (code, kind) = self.resolver(variables).value(square)?;
        match kind.kind {
            ValueKind::Member(list) if self.symbols.lists[list as usize].columns.is_some() => {
                Some((code, list))
            }
            _ => {
                let message = "a square of a grid is expected here";
                self.report(DiagnosticCode::Meaning, square.span, message)
            }
        }
    }

    /// Whether a grid on each square of another one is too large to be drawn.
    fn is_too_large(&self, grid: u32, boards: u32) -> bool {
        let (inner, outer) = (grid_size(self.symbols, grid), grid_size(self.symbols, boards));
        inner.0 * outer.0 > LARGEST_GRID || inner.1 * outer.1 > LARGEST_GRID
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
        self.budget.keep(size_of::<EventMeaning>() + codes.len() * size_of::<DrawnPiece>())?;
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
        self.budget.steps(pieces.len() + value.size())?;
        let place = pieces.iter().position(|known| *known == value).unwrap_or_else(|| {
            pieces.push(value);
            pieces.len() - 1
        });
        Ok(u8::try_from(place + 1).unwrap_or(u8::MAX))
    }

    fn draw(
        &mut self,
        on: &SquareCode,
        piece: u8,
        variables: &Variables,
        meaning: &mut EventMeaning,
    ) -> Result<(), Exceeded> {
        let TextValue::Member(grid, square) = self.value(&on.square, variables)? else {
            return Ok(());
        };
        let square = match &on.board {
            None => Some(square),
            Some(board) => match self.value(board, variables)? {
                TextValue::Member(boards, board) => {
                    let (inner, outer) =
                        (grid_size(self.symbols, grid), grid_size(self.symbols, boards));
                    Some(square_on_board(square, inner, board, outer))
                }
                _ => None,
            },
        };
        meaning.drawn.extend(square.map(|square| DrawnPiece { square, piece }));
        Ok(())
    }

    /// `place fox on a4`
    fn place(&mut self, what: &Expression, on: &Expression) -> Result<(), Exceeded> {
        if self.form == TextForm::Program {
            let message = "only a game is drawn: begin with `game`";
            self.diagnostics.report(DiagnosticCode::OnlyInGames, what.span, message);
            return Ok(());
        }
        if self.meanings.boards.is_some() {
            let message = "`place` draws on one grid, and here are several boards";
            self.diagnostics.report(DiagnosticCode::Meaning, what.span, message);
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
        let mut unreported = Diagnostics::unread();
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
            _ => self.square(squares, None, &[]).map(|found| found.square),
        }
    }
}

/// The columns and rows of a grid.
fn grid_size(symbols: &Symbols, grid: u32) -> (u32, u32) {
    let list = &symbols.lists[grid as usize];
    let columns = list.columns.unwrap_or(1).max(1);
    (columns, u32::try_from(list.names.len()).unwrap_or(u32::MAX) / columns)
}

/// The number of a square of a board in the grid of all boards.
fn square_on_board(square: u32, inner: (u32, u32), board: u32, outer: (u32, u32)) -> u32 {
    let column = board % outer.0 * inner.0 + square % inner.0;
    let row = board / outer.0 * inner.1 + square / inner.0;
    row * inner.0 * outer.0 + column
}

/// The squares that a picture shows.
fn drawn_grid(symbols: &Symbols, grid: Option<u32>, boards: Option<u32>) -> DrawnGrid {
    let Some(grid) = grid else { return DrawnGrid::default() };
    let inner = grid_size(symbols, grid);
    let Some(boards) = boards else {
        let names = symbols.lists[grid as usize].names.clone();
        return DrawnGrid { columns: inner.0, names, block: 1 };
    };
    let outer = grid_size(symbols, boards);
    let (columns, rows) = (inner.0 * outer.0, inner.1 * outer.1);
    let row = |row| (0..columns).map(move |column| square_name(column, row));
    let names = (0..rows).flat_map(row).collect();
    DrawnGrid { columns, names, block: if inner.0 == inner.1 { inner.0 } else { 1 } }
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
