//! Places of the protocol: lines from 0, and characters in units of UTF-16.

use lsp_types::{Position, Range};
use notation::Span;

/// The place of a byte.
pub(super) fn position(text: &str, byte: u32) -> Position {
    let before = text.get(..byte as usize).unwrap_or(text);
    let line = before.bytes().filter(|byte| *byte == b'\n').count();
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let character = before.get(start..).unwrap_or_default().encode_utf16().count();
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    Position::new(number(line), number(character))
}

pub(super) fn range(text: &str, span: Span) -> Range {
    Range::new(position(text, span.start), position(text, span.end))
}

/// The byte at a place; the end of the line or of the text if the place lies beyond.
pub(super) fn byte(text: &str, position: Position) -> u32 {
    let mut start = 0;
    for (number, line) in (0..).zip(text.split_inclusive('\n')) {
        if number == position.line {
            let line = line.trim_end_matches(['\n', '\r']);
            let mut units = 0;
            let end = line.char_indices().find(|(_, character)| {
                let is_there = units >= position.character as usize;
                units += character.len_utf16();
                is_there
            });
            start += end.map_or(line.len(), |(at, _)| at);
            break;
        }
        start += line.len();
    }
    u32::try_from(start).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_counted_in_units_of_utf_16() {
        let text = "a😀b\nçd\n";
        for (place, at) in [((0, 0), 0), ((0, 1), 1), ((0, 3), 5), ((0, 4), 6), ((1, 1), 9)] {
            let place = Position::new(place.0, place.1);
            assert_eq!(byte(text, place), at, "{place:?}");
            assert_eq!(position(text, at), place, "{at}");
        }
        assert_eq!(byte(text, Position::new(0, 99)), 6, "the end of the line");
        assert_eq!(byte(text, Position::new(99, 0)), 11, "the end of the text");
    }
}
