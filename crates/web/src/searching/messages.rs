//! What a page and its worker send each other, as JSON.

use game::{MoveAnalysis, PositionAnalysis, PositionValue, Seat};

use super::{SearchAnswer, SearchMessage, SearchReply, SearchRequest, SearchedGame};
use crate::json::{AsJson, JsonValue};
use crate::puzzle::DailyPuzzle;
use crate::replay::PlyAnalysis;
use crate::session::SavedTable;

impl SearchMessage {
    /// The message as text.
    #[must_use]
    pub fn write(&self) -> String {
        let id = JsonValue::Number(self.id.into());
        JsonValue::object([("id", id), ("request", self.request.to_json())]).write()
    }

    /// Reads a message; `None` if it is none of this version of the page.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let json = JsonValue::read(text)?;
        let request = SearchRequest::of_json(json.get("request"))?;
        Some(Self { id: json.small_number_of("id")?, request })
    }
}

impl SearchReply {
    /// The reply as text.
    #[must_use]
    pub fn write(&self) -> String {
        let id = JsonValue::Number(self.id.into());
        JsonValue::object([("id", id), ("answer", self.answer.to_json())]).write()
    }

    /// Reads a reply; `None` if it is none of this version of the page.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let json = JsonValue::read(text)?;
        let answer = SearchAnswer::of_json(json.get("answer"))?;
        Some(Self { id: json.small_number_of("id")?, answer })
    }
}

/// The name of a kind, and what it holds.
fn kind_of(json: &JsonValue) -> Option<(&str, &JsonValue)> {
    Some((json.get("kind").as_text()?, json.get("about")))
}

fn of_kind(kind: &str, about: JsonValue) -> JsonValue {
    JsonValue::object([("kind", JsonValue::text(kind)), ("about", about)])
}

/// A game with a number.
fn numbered(game: &SearchedGame, number: u64) -> JsonValue {
    JsonValue::object([("game", game.to_json()), ("number", JsonValue::Number(number))])
}

impl AsJson for SearchRequest {
    fn to_json(&self) -> JsonValue {
        match self {
            Self::Turn { table, now } => {
                let table = table.to_json();
                let about = [("table", table), ("number", JsonValue::Number(*now))];
                of_kind("turn", JsonValue::object(about))
            }
            Self::Analysis { game, ply } => of_kind("analysis", numbered(game, (*ply).into())),
            Self::Puzzle { game, day } => of_kind("puzzle", numbered(game, *day)),
            Self::FirstMistake(game) => of_kind("first_mistake", numbered(game, 0)),
            Self::LosingMove { game, seat } => {
                of_kind("losing_move", numbered(game, seat.number().into()))
            }
        }
    }

    fn of_json(json: &JsonValue) -> Option<Self> {
        let (kind, about) = kind_of(json)?;
        let number = about.number_of("number")?;
        if kind == "turn" {
            let table = SavedTable::of_json(about.get("table"))?;
            return Some(Self::Turn { table, now: number });
        }
        let game = SearchedGame::of_json(about.get("game"))?;
        Some(match kind {
            "analysis" => Self::Analysis { game, ply: u32::try_from(number).ok()? },
            "puzzle" => Self::Puzzle { game, day: number },
            "first_mistake" => Self::FirstMistake(game),
            "losing_move" => {
                Self::LosingMove { game, seat: Seat::new(u8::try_from(number).ok()?)? }
            }
            _ => return None,
        })
    }
}

impl AsJson for SearchedGame {
    fn to_json(&self) -> JsonValue {
        JsonValue::object([
            ("name", JsonValue::text(&self.name)),
            ("plies", JsonValue::text(&self.plies)),
            ("positions", JsonValue::Number(self.positions)),
            ("simulations", JsonValue::Number(self.simulations.into())),
        ])
    }

    fn of_json(json: &JsonValue) -> Option<Self> {
        Some(Self {
            name: json.text_of("name")?,
            plies: json.text_of("plies")?,
            positions: json.number_of("positions")?,
            simulations: json.small_number_of("simulations")?,
        })
    }
}

impl AsJson for SearchAnswer {
    fn to_json(&self) -> JsonValue {
        match self {
            Self::Turn(entries) => of_kind("turn", entries.to_json()),
            Self::Analysis(found) => {
                of_kind("analysis", JsonValue::maybe(found.as_ref(), AsJson::to_json))
            }
            Self::Mistake(ply) => {
                of_kind("mistake", JsonValue::maybe(*ply, |ply| JsonValue::Number(ply.into())))
            }
            Self::Puzzle(found) => {
                of_kind("puzzle", JsonValue::maybe(found.as_ref(), AsJson::to_json))
            }
        }
    }

    fn of_json(json: &JsonValue) -> Option<Self> {
        let (kind, about) = kind_of(json)?;
        Some(match kind {
            "turn" => Self::Turn(Vec::of_json(about)?),
            "analysis" => Self::Analysis(PlyAnalysis::of_json(about)),
            "mistake" => Self::Mistake(match about {
                JsonValue::Number(ply) => Some(u32::try_from(*ply).ok()?),
                _ => None,
            }),
            "puzzle" => Self::Puzzle(DailyPuzzle::of_json(about)),
            _ => return None,
        })
    }
}

impl AsJson for DailyPuzzle {
    fn to_json(&self) -> JsonValue {
        JsonValue::object([
            ("plies", JsonValue::text(&self.plies)),
            ("solution", JsonValue::text(&self.solution)),
            ("wins_in", JsonValue::Number(self.wins_in.into())),
        ])
    }

    fn of_json(json: &JsonValue) -> Option<Self> {
        let (plies, solution) = (json.text_of("plies")?, json.text_of("solution")?);
        Some(Self { plies, solution, wins_in: json.small_number_of("wins_in")? })
    }
}

impl AsJson for PlyAnalysis {
    fn to_json(&self) -> JsonValue {
        let PositionAnalysis { method, value, moves, line } = &self.position;
        JsonValue::object([
            ("method", JsonValue::text(method)),
            ("value", value.to_json()),
            ("moves", moves.to_json()),
            ("line", JsonValue::texts(line)),
            ("is_mistake", JsonValue::maybe(self.is_mistake, JsonValue::Flag)),
        ])
    }

    fn of_json(json: &JsonValue) -> Option<Self> {
        let position = PositionAnalysis {
            method: json.text_of("method")?,
            value: PositionValue::of_json(json.get("value"))?,
            moves: Vec::of_json(json.get("moves"))?,
            line: json.texts_of("line"),
        };
        let is_mistake = match json.get("is_mistake") {
            JsonValue::Flag(is_mistake) => Some(*is_mistake),
            _ => None,
        };
        Some(Self { position, is_mistake })
    }
}

impl AsJson for MoveAnalysis {
    fn to_json(&self) -> JsonValue {
        JsonValue::object([
            ("move", JsonValue::text(&self.chosen)),
            ("value", self.value.to_json()),
            ("visits", JsonValue::maybe(self.visits, |visits| JsonValue::Number(visits.into()))),
            ("probability", JsonValue::maybe(self.probability, fraction)),
        ])
    }

    fn of_json(json: &JsonValue) -> Option<Self> {
        Some(Self {
            chosen: json.text_of("move")?,
            value: PositionValue::of_json(json.get("value"))?,
            visits: json.small_number_of("visits"),
            probability: fraction_of(json, "probability"),
        })
    }
}

impl AsJson for PositionValue {
    fn to_json(&self) -> JsonValue {
        let score = self.score.map(i32::cast_unsigned);
        JsonValue::object([
            ("expected", fraction(self.expected)),
            ("exact", JsonValue::Flag(self.exact)),
            ("plies", JsonValue::maybe(self.plies, |plies| JsonValue::Number(plies.into()))),
            ("score", JsonValue::maybe(score, |score| JsonValue::Number(score.into()))),
        ])
    }

    fn of_json(json: &JsonValue) -> Option<Self> {
        Some(Self {
            expected: fraction_of(json, "expected")?,
            exact: json.flag_of("exact"),
            plies: json.small_number_of("plies"),
            score: json.small_number_of("score").map(u32::cast_signed),
        })
    }
}

/// A fraction, by its bits: the library's way to write and read decimals would make the page larger.
fn fraction(value: f64) -> JsonValue {
    JsonValue::Number(value.to_bits())
}

fn fraction_of(json: &JsonValue, name: &str) -> Option<f64> {
    json.number_of(name).map(f64::from_bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(expected: f64, exact: bool) -> PositionValue {
        let (plies, score) = if exact { (Some(3), Some(-7)) } else { (None, None) };
        PositionValue { expected, exact, plies, score }
    }

    fn game() -> SearchedGame {
        let (name, plies) = ("tic-tac-toe".to_owned(), "a1.b1".to_owned());
        SearchedGame { name, plies, positions: u64::MAX, simulations: 400 }
    }

    #[test]
    fn requests_are_read_as_they_were_written() {
        let requests = [
            SearchRequest::Analysis { game: game(), ply: 2 },
            SearchRequest::Puzzle { game: game(), day: 20_000 },
            SearchRequest::FirstMistake(game()),
            SearchRequest::LosingMove { game: game(), seat: Seat::SECOND },
        ];
        for request in requests {
            let message = SearchMessage { id: 7, request };
            let read = SearchMessage::read(&message.write()).expect("it was written here");
            assert_eq!(format!("{read:?}"), format!("{message:?}"));
        }
    }

    #[test]
    fn answers_are_read_as_they_were_written() {
        let chosen = |chosen: &str, expected, exact| MoveAnalysis {
            chosen: chosen.to_owned(),
            value: value(expected, exact),
            visits: (!exact).then_some(12),
            probability: exact.then_some(1.0 / 3.0),
        };
        let moves = vec![chosen("a1", -0.1, true), chosen("b1", 0.7, false)];
        let (method, line) = ("every position".to_owned(), vec!["a1".to_owned()]);
        let position = PositionAnalysis { method, value: value(1.0, true), moves, line };
        let (plies, solution) = ("a1".to_owned(), "b2".to_owned());
        let puzzle = DailyPuzzle { plies, solution, wins_in: 5 };
        let answers = [
            SearchAnswer::Analysis(Some(PlyAnalysis { position, is_mistake: Some(false) })),
            SearchAnswer::Analysis(None),
            SearchAnswer::Mistake(Some(4)),
            SearchAnswer::Mistake(None),
            SearchAnswer::Puzzle(Some(puzzle)),
            SearchAnswer::Puzzle(None),
            SearchAnswer::Turn(Vec::new()),
        ];
        for answer in answers {
            let reply = SearchReply { id: 7, answer };
            let read = SearchReply::read(&reply.write()).expect("it was written here");
            assert_eq!(format!("{read:?}"), format!("{reply:?}"));
        }
    }

    #[test]
    fn what_is_no_message_is_not_read() {
        let turn = SearchReply { id: 7, answer: SearchAnswer::Turn(Vec::new()) }.write();
        assert!(SearchMessage::read(&turn).is_none() && SearchMessage::read("ready").is_none());
        assert!(SearchReply::read(&turn.replace("turn", "moon")).is_none());
    }
}
