//! Declarations of events and what they mean.

use super::cursor::{Cursor, Parsed};
use crate::syntax::{
    Declaration, EventDeclaration, Expression, FormalParameter, Identifier, Meaning,
};

impl Cursor<'_, '_> {
    /// `event mark(seat, square)  move of seat, puts seat on square`
    pub(super) fn event(&mut self) -> Parsed<Declaration> {
        let name = self.name("the name of the event")?;
        let parameters = self.formal_parameters()?;
        let condition = if self.take("where") { Some(self.expression()?) } else { None };
        let meanings_start = (!self.is_at_end()).then(|| self.span().start);
        let mut meanings = Vec::new();
        while !self.is_at_end() {
            let start = self.span();
            let meaning = self.meaning()?;
            meanings.push((meaning, start.to(self.last_span())));
            if !self.is_at_end() {
                self.expect(",")?;
            }
        }
        let event = EventDeclaration { name, parameters, condition, meanings, meanings_start };
        Ok(Declaration::Event(event))
    }

    /// `(seat, from: square)`, or nothing.
    pub(super) fn formal_parameters(&mut self) -> Parsed<Vec<FormalParameter>> {
        let mut parameters = Vec::new();
        if !self.take("(") {
            return Ok(parameters);
        }
        while !self.take(")") {
            parameters.push(self.formal_parameter()?);
            self.expect_comma_or_end()?;
        }
        Ok(parameters)
    }

    fn formal_parameter(&mut self) -> Parsed<FormalParameter> {
        let name = self.name("a parameter")?;
        let (mut set, mut is_set_of) = (None, false);
        if self.take(":") {
            is_set_of = self.is_at("set") && self.peek_at(1) == "of";
            if is_set_of {
                self.skip();
                self.skip();
            }
            set = Some(self.name("the set of the parameter")?);
        }
        Ok(FormalParameter { name, set, is_set_of })
    }

    fn meaning(&mut self) -> Parsed<Meaning> {
        let word = self.peek_at(0);
        let known = ["move", "win", "loss", "draw", "most", "scores", "puts", "clears", "moves"];
        if !known.contains(&word) && word != "shows" {
            return self.unexpected(
                "what the event means: `move of`, `win of`, `loss of`, `draw`, `most wins`, \
                 `scores`, `puts`, `clears`, `moves` or `shows`",
            );
        }
        self.skip();
        match word {
            "move" => Ok(Meaning::MoveOf(self.after("of")?)),
            "win" => Ok(Meaning::WinOf(self.after("of")?)),
            "loss" => Ok(Meaning::LossOf(self.after("of")?)),
            "draw" => Ok(Meaning::Draw),
            "most" => self.expect("wins").map(|()| Meaning::MostWins),
            "scores" => {
                let points = self.parts()?;
                Ok(Meaning::Scores { points, seat: self.after("for")? })
            }
            "puts" => {
                let what = self.parts()?;
                let on = self.after("on")?;
                let board = if self.take("in") { Some(self.parts()?) } else { None };
                Ok(Meaning::Puts { what, on, board })
            }
            "clears" => Ok(Meaning::Clears(self.parts()?)),
            "moves" => {
                let what = self.parts()?;
                let from = self.after("from")?;
                Ok(Meaning::Moves { what, from, to: self.after("to")? })
            }
            _ => {
                let variable: Identifier = self.name("a variable of a rule")?;
                let of = if self.is_at("of") { Some(self.after("of")?) } else { None };
                Ok(Meaning::Shows { variable, of })
            }
        }
    }

    /// A value after this word.
    pub(super) fn after(&mut self, word: &str) -> Parsed<Expression> {
        self.expect(word)?;
        self.parts()
    }
}
