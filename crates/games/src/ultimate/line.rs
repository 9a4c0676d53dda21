//! Three in a line, on a small board and on the big one.

/// All nine places.
pub(super) const ALL: u16 = 0b111_111_111;

/// Rows, columns and diagonals; the place of a number is the bit of that number.
const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

/// The sum over all lines without other marks: 1 for one own mark, 4 for two.
pub(super) fn open_weight(own: u16, other: u16) -> i32 {
    let open = LINES.iter().filter(|line| *line & other == 0);
    open.map(|line| [0, 1, 4, 16][(line & own).count_ones() as usize]).sum()
}

/// One bit for each set of marks: whether three of them are in a line.
const WITH_LINE: [u64; 8] = {
    let mut found = [0; 8];
    let mut marks = 0_u16;
    while marks <= ALL {
        let mut line = 0;
        while line < LINES.len() {
            if marks & LINES[line] == LINES[line] {
                found[marks as usize / 64] |= 1 << (marks % 64);
            }
            line += 1;
        }
        marks += 1;
    }
    found
};

/// Whether three of the marks are in a line.
pub(super) const fn has_line(marks: u16) -> bool {
    WITH_LINE[(marks / 64) as usize] >> (marks % 64) & 1 == 1
}

/// The lines in which all three places are marked.
pub(super) fn full_lines(marks: u16) -> impl Iterator<Item = u16> {
    LINES.into_iter().filter(move |line| marks & line == *line)
}

/// The marks that are in a line of three.
pub(super) fn in_lines(marks: u16) -> u16 {
    full_lines(marks).fold(0, |all, line| all | line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_are_three_rows_three_columns_and_two_diagonals() {
        let is_line = |[a, b, c]: [i8; 3]| {
            let steps = [b / 3 - a / 3, b % 3 - a % 3, c / 3 - b / 3, c % 3 - b % 3];
            steps[..2] == steps[2..]
        };
        for marks in (0..=ALL).filter(|marks| marks.count_ones() == 3) {
            let places: Vec<i8> = (0..9).filter(|place| marks >> place & 1 == 1).collect();
            let expected = is_line([places[0], places[1], places[2]]);
            assert_eq!(has_line(marks), expected, "{marks:#b}");
            assert_eq!(in_lines(marks), if expected { marks } else { 0 });
        }
    }

    #[test]
    fn marks_beside_a_line_are_not_in_it() {
        assert_eq!(in_lines(0b000_010_111), 0b000_000_111);
        assert_eq!(in_lines(0b001_010_111), 0b001_010_111);
        assert_eq!(in_lines(0b000_010_011), 0);
        for marks in 0..=ALL {
            assert_eq!(has_line(marks), in_lines(marks) != 0);
        }
    }
}
