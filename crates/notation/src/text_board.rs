//! What a picture of a game shows.

use std::sync::Arc;

use game::{Grid, GridCell, Picture, Piece, Seat};

use crate::built::{SharedText, TrackedThread};
use crate::thread_table::ENDED;
use crate::values::TextValue;

/// The pieces on the squares, the scores, and the states of rules whose values are shown.
///
/// A board knows no rules: it is recorded from events.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TextBoard {
    squares: BoardSquares,
    /// The last actor, where squares alone do not say whose turn it is.
    last: Option<LastActor>,
    rest: Option<Arc<BoardNotes>>,
}

/// A seat, or chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum LastActor {
    Seat(u8),
    Chance,
}

/// What few games need.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct BoardNotes {
    scores: Vec<i32>,
    tracked: Vec<u32>,
}

/// Small boards need no allocation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum BoardSquares {
    Few([u8; FEW]),
    Many(Box<[u8]>),
}

/// With its tag and the rest of the board, this fills 64 bytes.
const FEW: usize = 47;

impl BoardSquares {
    fn empty(count: usize) -> Self {
        if count <= FEW { Self::Few([0; FEW]) } else { Self::Many(vec![0; count].into()) }
    }

    #[inline]
    fn get(&self, square: u32) -> u8 {
        match self {
            Self::Few(squares) => squares.get(square as usize).copied().unwrap_or(0),
            Self::Many(squares) => squares.get(square as usize).copied().unwrap_or(0),
        }
    }

    #[inline]
    fn put(&mut self, square: u32, piece: u8) {
        let place = match self {
            Self::Few(squares) => squares.get_mut(square as usize),
            Self::Many(squares) => squares.get_mut(square as usize),
        };
        if let Some(place) = place {
            *place = piece;
        }
    }
}

fn has_scores(text: &SharedText) -> bool {
    text.meanings.events.iter().any(|meaning| !meaning.scores.is_empty())
}

impl TextBoard {
    pub(crate) fn empty(text: &SharedText) -> Self {
        let squares = text.meanings.drawn.names.len();
        let scores = has_scores(text);
        let seats =
            text.symbols.seats.map_or(0, |list| text.symbols.lists[list as usize].names.len());
        let rest = Self::has_notes(text).then(|| {
            let scores = vec![0; if scores { seats } else { 0 }];
            Arc::new(BoardNotes { scores, tracked: vec![0; text.tracked.len()] })
        });
        let mut board = Self { squares: BoardSquares::empty(squares), last: None, rest };
        for placed in &text.meanings.placed {
            board.squares.put(placed.square, placed.piece);
        }
        board
    }

    /// Whether boards of a text have more than squares.
    pub(crate) fn has_notes(text: &SharedText) -> bool {
        has_scores(text) || !text.tracked.is_empty()
    }

    #[inline]
    pub(crate) fn put(&mut self, square: u32, piece: u8) {
        self.squares.put(square, piece);
    }

    pub(crate) fn record(&mut self, text: &SharedText, event: u32, remembers_last: bool) {
        let Some(meaning) = text.meanings.events.get(event as usize) else { return };
        for drawn in &meaning.drawn {
            self.squares.put(drawn.square, drawn.piece);
        }
        if remembers_last {
            let drawn = text.drawn.contains(event).then_some(LastActor::Chance);
            self.last = meaning.mover.map(LastActor::Seat).or(drawn).or(self.last);
        }
        if let Some(rest) = &mut self.rest {
            let rest = Arc::make_mut(rest);
            for (seat, points) in &meaning.scores {
                if let Some(score) = rest.scores.get_mut(usize::from(*seat)) {
                    *score = score.saturating_add(*points);
                }
            }
            for (state, tracked) in rest.tracked.iter_mut().zip(&text.tracked) {
                // What was shown last stays on the screen when the rule has ended.
                let next = tracked.table.step(*state, event);
                *state = if next == ENDED { *state } else { next };
            }
        }
    }

    /// The scores, in the order of seats; empty if nothing scores.
    pub(crate) fn scores(&self) -> &[i32] {
        self.rest.as_ref().map_or(&[], |rest| &rest.scores)
    }

    /// The rows from the top, then the notes.
    pub(crate) fn text(&self, text: &SharedText) -> String {
        let mut parts = Vec::new();
        if text.meanings.grid.is_some() {
            let grid = &text.meanings.drawn;
            let columns = grid.columns.max(1);
            let rows = u32::try_from(grid.names.len()).unwrap_or(0) / columns;
            let letter =
                |square| symbol(text, self.squares.get(square)).unwrap_or_else(|| ".".to_owned());
            let row =
                |row: u32| (0..columns).map(|column| letter(row * columns + column)).collect();
            parts.push((0..rows).map(row).collect::<Vec<String>>().join(" "));
        }
        parts.extend(self.notes(text));
        match self.last {
            None => {}
            Some(LastActor::Chance) => parts.push("chance drew".to_owned()),
            Some(LastActor::Seat(seat)) => {
                parts.extend(seat_name(text, seat).map(|name| format!("{name} moved")));
            }
        }
        parts.join("; ")
    }

    /// The values of rules that are shown, and the scores.
    fn notes(&self, text: &SharedText) -> Vec<String> {
        let Some(rest) = &self.rest else { return Vec::new() };
        let mut notes: Vec<String> = rest
            .tracked
            .iter()
            .zip(&text.tracked)
            .map(|(state, tracked)| note(text, tracked, *state))
            .collect();
        for (seat, score) in (0..).zip(&rest.scores) {
            notes.extend(seat_name(text, seat).map(|name| format!("{name}: {score}")));
        }
        notes
    }

    /// The board as it looks on a screen. `moves` has the moves that a click on each square can mean.
    pub(crate) fn picture(&self, text: &SharedText, moves: &[Vec<String>]) -> Picture {
        let notes = self.notes(text);
        if text.meanings.grid.is_none() {
            return Picture::in_words(notes);
        }
        let grid = &text.meanings.drawn;
        let cell = |(square, name): (u32, &String)| {
            let piece = self.squares.get(square);
            let seat = piece_value(text, piece).and_then(|value| text.symbols.seat(value));
            let moves = moves.get(square as usize).cloned().unwrap_or_default();
            GridCell {
                name: name.clone(),
                piece: symbol(text, piece)
                    .map(|symbol| Piece { symbol, seat: seat.and_then(Seat::new) }),
                moves,
                decides: false,
                owner: None,
            }
        };
        let small = |number: u32| u8::try_from(number).unwrap_or(1);
        let cells = (0..).zip(&grid.names).map(cell).collect();
        let picture =
            Picture::of(Grid { columns: small(grid.columns), cells, block: small(grid.block) });
        notes.into_iter().fold(picture, Picture::with_note)
    }
}

/// `a: left 3`
fn note(text: &SharedText, tracked: &TrackedThread, state: u32) -> String {
    let values = tracked.variables.iter().map(|(name, variable)| {
        let point = tracked.table.states.get(state as usize);
        let value = point.and_then(|point| point.variables.get(*variable).cloned().flatten());
        let value = value.map_or_else(|| "nothing".to_owned(), |value| text.symbols.write(&value));
        format!("{name} {value}")
    });
    format!("{}: {}", tracked.label, values.collect::<Vec<_>>().join(", "))
}

fn seat_name(text: &SharedText, seat: u8) -> Option<&str> {
    let list = &text.symbols.lists[text.symbols.seats? as usize];
    list.names.get(usize::from(seat)).map(String::as_str)
}

fn piece_value(text: &SharedText, piece: u8) -> Option<&TextValue> {
    text.meanings.pieces.get(usize::from(piece).checked_sub(1)?)
}

/// How a piece is written: one letter, unless two pieces begin with the same one.
fn symbol(text: &SharedText, piece: u8) -> Option<String> {
    let name = text.symbols.write(piece_value(text, piece)?);
    let first = name.chars().next()?;
    let alike =
        text.meanings.pieces.iter().filter(|value| text.symbols.write(value).starts_with(first));
    Some(if alike.count() > 1 { name } else { first.to_string() })
}
