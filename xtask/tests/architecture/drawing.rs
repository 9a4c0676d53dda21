//! The arrows of the page's drawing.

use std::collections::BTreeSet;

/// An arrow from the first crate to the second.
pub(crate) type Arrow = (String, String);

/// The arrows of the first fenced drawing of a page.
///
/// # Panics
/// If the page has no drawing, or a line of it leads nowhere.
pub(crate) fn arrows(page: &str) -> BTreeSet<Arrow> {
    let text = page.split("```").nth(1).expect("the page has a drawing");
    Drawing::new(text).arrows()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Left,
    Right,
    Up,
    Down,
}

use Direction::{Down, Left, Right, Up};

impl Direction {
    fn opposite(self) -> Self {
        match self {
            Left => Right,
            Right => Left,
            Up => Down,
            Down => Up,
        }
    }
}

/// A row and a column, counted from 1 so that there is always a cell before.
type Cell = (usize, usize);

fn next((row, column): Cell, direction: Direction) -> Cell {
    match direction {
        Left => (row, column - 1),
        Right => (row, column + 1),
        Up => (row - 1, column),
        Down => (row + 1, column),
    }
}

/// The directions in which a character of a line goes on.
fn exits(character: char) -> &'static [Direction] {
    match character {
        '─' => &[Left, Right],
        '│' => &[Up, Down],
        '┌' => &[Right, Down],
        '┐' => &[Left, Down],
        '└' => &[Up, Right],
        '┘' => &[Up, Left],
        '├' => &[Up, Down, Right],
        '┤' => &[Up, Down, Left],
        '┬' => &[Left, Right, Down],
        '┴' => &[Left, Right, Up],
        '┼' => &[Left, Right, Up, Down],
        _ => &[],
    }
}

/// Where an arrowhead points.
fn head(character: char) -> Option<Direction> {
    match character {
        '◄' => Some(Left),
        '►' => Some(Right),
        '▲' => Some(Up),
        '▼' => Some(Down),
        _ => None,
    }
}

#[derive(Debug)]
struct Word {
    name: String,
    row: usize,
    first: usize,
    last: usize,
}

#[derive(Debug)]
struct Drawing {
    rows: Vec<Vec<char>>,
    words: Vec<Word>,
}

impl Drawing {
    fn new(text: &str) -> Self {
        let rows: Vec<Vec<char>> = text.lines().map(without_remarks).collect();
        let words =
            rows.iter().enumerate().flat_map(|(index, row)| words(index + 1, row)).collect();
        Self { rows, words }
    }

    fn arrows(&self) -> BTreeSet<Arrow> {
        let arrows = self.words.iter().flat_map(|word| self.arrows_from(word));
        arrows.filter(|(_, target)| target != "nothing").collect()
    }

    fn arrows_from(&self, word: &Word) -> Vec<Arrow> {
        let starts = self.starts(word).into_iter();
        let targets = starts.flat_map(|(cell, way)| self.follow(cell, way));
        targets.map(|target| (word.name.clone(), target)).collect()
    }

    fn at(&self, (row, column): Cell) -> char {
        let row = row.checked_sub(1).and_then(|index| self.rows.get(index));
        let cell = column.checked_sub(1).and_then(|index| row?.get(index));
        cell.copied().unwrap_or(' ')
    }

    /// The cells next to a word where a line begins, with the direction in which it leaves.
    fn starts(&self, word: &Word) -> Vec<(Cell, Direction)> {
        let right = (self.skip_spaces((word.row, word.last), Right), Right);
        let left = (self.skip_spaces((word.row, word.first), Left), Left);
        let below = (word.first..=word.last).map(|column| ((word.row + 1, column), Down));
        let above = (word.first..=word.last).map(|column| ((word.row - 1, column), Up));
        let near = below.chain(above).chain([left, right]);
        near.filter(|(cell, way)| exits(self.at(*cell)).contains(&way.opposite())).collect()
    }

    fn skip_spaces(&self, cell: Cell, direction: Direction) -> Cell {
        let width = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut cell = next(cell, direction);
        while self.at(cell) == ' ' && (1..=width).contains(&cell.1) {
            cell = next(cell, direction);
        }
        cell
    }

    /// The words at the heads of the line that is entered at `cell` in the direction `way`.
    fn follow(&self, cell: Cell, way: Direction) -> Vec<String> {
        let character = self.at(cell);
        if head(character) == Some(way) {
            return self.targets(cell, way);
        }
        let ways = exits(character);
        assert!(ways.contains(&way.opposite()), "a line ends at {cell:?} without an arrowhead");
        let onward = ways.iter().filter(|exit| **exit != way.opposite());
        onward.flat_map(|exit| self.follow(next(cell, *exit), *exit)).collect()
    }

    /// The word that an arrowhead points at, and those that follow it after commas.
    fn targets(&self, head: Cell, way: Direction) -> Vec<String> {
        let mut cell = match way {
            Left | Right => self.skip_spaces(head, way),
            Up | Down => next(head, way),
        };
        let mut targets = Vec::new();
        while let Some(word) = self.word_at(cell) {
            targets.push(word.name.clone());
            cell = next((word.row, word.last), Right);
            if way != Right || self.at(cell) != ',' {
                break;
            }
            cell = self.skip_spaces(cell, Right);
        }
        assert!(!targets.is_empty(), "the arrowhead at {head:?} points at nothing");
        targets
    }

    fn word_at(&self, (row, column): Cell) -> Option<&Word> {
        self.words.iter().find(|word| word.row == row && (word.first..=word.last).contains(&column))
    }
}

/// The characters of a line, with spaces in place of what stands in parentheses.
fn without_remarks(line: &str) -> Vec<char> {
    let mut depth = 0_u32;
    let mut blank = |character| {
        depth += u32::from(character == '(');
        let shown = if depth > 0 { ' ' } else { character };
        depth -= u32::from(character == ')');
        shown
    };
    line.chars().map(&mut blank).collect()
}

fn words(row: usize, characters: &[char]) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for (index, character) in characters.iter().enumerate() {
        let column = index + 1;
        match words.last_mut() {
            _ if !character.is_ascii_alphanumeric() => {}
            Some(word) if word.last + 1 == column => {
                word.last = column;
                word.name.push(*character);
            }
            _ => words.push(Word { name: character.to_string(), row, first: column, last: column }),
        }
    }
    words
}

fn check(drawing: &str, expected: &[&str]) {
    let page = format!("# A page\n```\n{drawing}\n```\n");
    let found: Vec<String> =
        arrows(&page).iter().map(|(from, to)| format!("{from} > {to}")).collect();
    assert_eq!(found, expected);
}

#[test]
fn an_arrow_leads_from_a_word_to_a_word() {
    check("a ──► b", &["a > b"]);
    check("b ◄── a", &["a > b"]);
    check("a (the first) ──► b (the second)", &["a > b"]);
}

#[test]
fn an_arrow_goes_round_corners_and_branches() {
    check("    ┌► b\na ──┼► c\n    └► d", &["a > b", "a > c", "a > d"]);
    check("     b\n     ▲\na ───┘", &["a > b"]);
    check("a ──► b\n└───► c", &["a > b", "a > c"]);
}

#[test]
fn one_head_may_point_at_several_words() {
    check("a ─► b, c, d", &["a > b", "a > c", "a > d"]);
}

#[test]
fn an_arrow_to_nothing_is_none() {
    check("a ─► nothing of these", &[]);
}

#[test]
fn words_without_a_line_between_them_are_not_joined() {
    check("a b\nc   d", &[]);
}

#[test]
#[should_panic(expected = "without an arrowhead")]
fn a_line_without_an_arrowhead_is_refused() {
    check("a ──── b", &[]);
}

#[test]
#[should_panic(expected = "points at nothing")]
fn an_arrowhead_that_points_at_nothing_is_refused() {
    check("a ──►", &[]);
}
