//! Marks that are larger than a letter, drawn in half characters.

use game::Piece;

/// A shape that can be drawn in any size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkShape {
    /// X.
    Cross,
    /// O.
    Ring,
}

/// A size in characters. Each character is two pixels, one above the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MarkSize {
    pub(super) columns: u16,
    pub(super) rows: u16,
}

/// How much of the upper and the lower half of a character a shape covers, from 0 to [`FULL`].
pub(super) type HalfCoverage = [u8; 2];

/// The coverage of a whole pixel: the number of its samples.
pub(super) const FULL: u8 = 16;

/// The length of a pixel's side.
const PIXEL: i32 = 8;

/// Bitmaps for two rows of characters, in which no shape fits: a number for each row of pixels.
const SMALL_CROSS: [u8; 4] = [0b101, 0b010, 0b010, 0b101];
const SMALL_RING: [u8; 4] = [0b111, 0b101, 0b101, 0b111];

impl MarkShape {
    /// The shape of a piece, if it has one.
    pub(super) fn of(piece: &Piece) -> Option<Self> {
        match piece.symbol.as_str() {
            "X" => Some(Self::Cross),
            "O" => Some(Self::Ring),
            _ => None,
        }
    }

    /// The letter of the mark.
    pub(super) fn letter(self) -> &'static str {
        match self {
            Self::Cross => "X",
            Self::Ring => "O",
        }
    }

    /// How much of a character the shape covers when it fills an area of this size.
    pub(super) fn halves(self, size: MarkSize, column: u16, row: u16) -> HalfCoverage {
        [2 * row, 2 * row + 1].map(|pixel_row| {
            if size.rows == 2 {
                self.small(size, column, pixel_row)
            } else {
                self.large(size, column, pixel_row)
            }
        })
    }

    fn small(self, size: MarkSize, column: u16, pixel_row: u16) -> u8 {
        let bits = match self {
            Self::Cross => SMALL_CROSS,
            Self::Ring => SMALL_RING,
        };
        let bit = column.checked_sub((size.columns - 3) / 2).filter(|bit| *bit < 3);
        let row = bits[usize::from(pixel_row)];
        bit.map_or(0, |bit| (row >> bit & 1) * FULL)
    }

    /// Counts the samples of a pixel that are inside.
    fn large(self, size: MarkSize, column: u16, pixel_row: u16) -> u8 {
        let (columns, rows) = (i32::from(size.columns), i32::from(size.rows));
        let (left, top) = (i32::from(column) * PIXEL, i32::from(pixel_row) * PIXEL);
        let radii = radii(rows);
        let is_inside = |index: &i32| {
            let (x, y) = (left + index % 4 * 2 + 1, top + index / 4 * 2 + 1);
            self.contains(radii, x - columns * PIXEL / 2, y - rows * PIXEL)
        };
        let inside = (0..16).filter(is_inside).count();
        u8::try_from(inside).expect("sixteen samples are counted")
    }

    /// Whether a point is inside; the origin is the middle.
    fn contains(self, (across, down, thickness): (i32, i32, i32), x: i32, y: i32) -> bool {
        let is_in_ellipse = |a: i32, b: i32| (x * b).pow(2) + (y * a).pow(2) <= (a * b).pow(2);
        match self {
            Self::Ring => {
                is_in_ellipse(across, down) && !is_in_ellipse(across - thickness, down - thickness)
            }
            Self::Cross => {
                let is_near = |other: i32| {
                    4 * other.pow(2) <= thickness.pow(2) * (across.pow(2) + down.pow(2))
                };
                let is_in_box = x.abs() <= across && y.abs() <= down;
                is_in_box && (is_near(x * down - y * across) || is_near(x * down + y * across))
            }
        }
    }
}

/// The horizontal and the vertical radius of a shape, and the thickness of its stroke.
fn radii(rows: i32) -> (i32, i32, i32) {
    let margin = if rows > 3 { PIXEL } else { 0 };
    let down = rows * PIXEL - margin;
    // Cells have an odd number of columns, so half a pixel more is symmetric.
    (down + PIXEL / 2, down, (rows * PIXEL * 2 / 5).max(12))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(shape: MarkShape, columns: u16, rows: u16, expected: &Expect) {
        let size = MarkSize { columns, rows };
        let letter = |halves: HalfCoverage| match halves.map(|half| half > FULL / 2) {
            [true, true] => '█',
            [true, false] => '▀',
            [false, true] => '▄',
            [false, false] => '.',
        };
        let line =
            |row| (0..columns).map(|column| letter(shape.halves(size, column, row))).collect();
        expected.assert_eq(&(0..rows).map(line).collect::<Vec<String>>().join("\n"));
    }

    #[test]
    fn shapes_fill_their_area() {
        check(
            MarkShape::Cross,
            13,
            5,
            &expect![[r#"
            ..▄▄.....▄▄..
            ..▀██▄▄▄██▀..
            ....█████....
            ..▄██▀▀▀██▄..
            ..▀▀.....▀▀.."#]],
        );
        check(
            MarkShape::Ring,
            13,
            5,
            &expect![[r#"
            ....▄▄▄▄▄....
            ..▄██▀▀▀██▄..
            ..██.....██..
            ..▀██▄▄▄██▀..
            ....▀▀▀▀▀...."#]],
        );
        check(
            MarkShape::Cross,
            9,
            3,
            &expect![[r#"
            .▀█▄.▄█▀.
            ...███...
            .▄█▀.▀█▄."#]],
        );
        check(
            MarkShape::Ring,
            9,
            3,
            &expect![[r#"
            ..▄█▀█▄..
            .██...██.
            ..▀█▄█▀.."#]],
        );
    }

    #[test]
    fn small_shapes_can_be_told_apart() {
        check(
            MarkShape::Cross,
            5,
            2,
            &expect![[r#"
            .▀▄▀.
            .▄▀▄."#]],
        );
        check(
            MarkShape::Ring,
            5,
            2,
            &expect![[r#"
            .█▀█.
            .█▄█."#]],
        );
    }

    #[test]
    fn only_x_and_o_have_shapes() {
        let shape = |symbol: &str| MarkShape::of(&Piece { symbol: symbol.to_owned(), seat: None });
        assert_eq!(
            ["X", "O", "K"].map(shape),
            [Some(MarkShape::Cross), Some(MarkShape::Ring), None]
        );
    }
}
