//! Draws a board.

use game::{Cell, Grid};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::marks::{FULL, Halves, Shape, Size};
use super::palette::{Ground, Palette, Rgb, Role, colour};
use super::plan::{BoardPlan, Scale};

/// A board as it is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardPicture<'a> {
    /// The cells.
    pub(super) board: &'a Grid,
    /// Where they are.
    pub(super) plan: BoardPlan,
    /// Which one is under the cursor.
    pub(super) cursor: usize,
    /// Which ones have changed last.
    pub(super) fresh: &'a [usize],
    /// Which ones can be played.
    pub(super) open: &'a [usize],
    /// The colours.
    pub(super) palette: Palette,
}

impl BoardPicture<'_> {
    /// Draws it.
    pub(super) fn draw(&self, buffer: &mut Buffer) {
        self.draw_names(buffer);
        if let Scale::Rows(_) = self.plan.scale {
            self.draw_lines(buffer);
        }
        for (place, cell) in self.board.cells.iter().enumerate() {
            self.draw_cell(buffer, place, cell);
        }
        self.draw_cursor(buffer);
    }

    /// The letters of columns above, and the numbers of rows on the left.
    fn draw_names(&self, buffer: &mut Buffer) {
        let columns = usize::from(self.plan.columns());
        let here = (self.cursor % columns, self.cursor / columns);
        let style =
            |is_here: bool| self.palette.style(if is_here { Role::Strong } else { Role::Soft });
        for (column, letter) in (0..columns).zip('a'..='z') {
            let cell = self.plan.cell(column);
            let name = letter.to_string();
            buffer.set_string(cell.x + cell.width / 2, cell.y - 1, name, style(column == here.0));
        }
        for row in 0..usize::from(self.plan.rows()) {
            let cell = self.plan.cell(row * columns);
            let width = usize::from(self.plan.margin()) - 1;
            let name = format!("{:>width$}", row + 1);
            let (x, y) = (cell.x - self.plan.margin(), cell.y + cell.height / 2);
            buffer.set_string(x, y, name, style(row == here.1));
        }
    }

    fn draw_lines(&self, buffer: &mut Buffer) {
        let area = self.plan.area();
        let scale = self.plan.scale;
        for point in area.positions() {
            let across = weight(point.y - area.y, scale.rows(), self.board.block);
            let down = weight(point.x - area.x, scale.columns(), self.board.block);
            let Some((symbol, role)) = line(across, down) else { continue };
            buffer[point].set_symbol(symbol).set_style(self.palette.style(role));
        }
    }

    fn draw_cell(&self, buffer: &mut Buffer, place: usize, cell: &Cell) {
        let area = self.plan.cell(place);
        let ground = match (cell.decides, self.fresh.contains(&place)) {
            (true, _) => Ground::Won,
            (false, true) => Ground::Fresh,
            (false, false) => Ground::Quiet,
        };
        buffer.set_style(area, self.palette.ground(ground));
        if ground == Ground::Fresh && self.palette != Palette::Rich {
            self.draw_sign_of_freshness(buffer, area);
        }
        match &cell.piece {
            Some(piece) => {
                let role = if cell.decides { Role::Win } else { Role::of_piece(piece) };
                match Shape::of(piece).filter(|_| area.height > 1) {
                    Some(shape) => self.draw_shape(buffer, area, shape, role, ground),
                    None => self.draw_symbol(buffer, area, &piece.symbol, role),
                }
            }
            None if self.is_dotted(place) => self.draw_symbol(buffer, area, "·", Role::Soft),
            None => {}
        }
    }

    /// Shows where something happened last without the help of the ground.
    fn draw_sign_of_freshness(&self, buffer: &mut Buffer, area: Rect) {
        if area.height > 1 {
            let (x, y) = (area.right() - 1, area.y + area.height / 2);
            buffer.set_string(x, y, "•", self.palette.style(Role::Focus));
        } else {
            buffer.set_style(area, Style::new().add_modifier(Modifier::UNDERLINED));
        }
    }

    /// Whether a free cell has a dot: where there are no lines, and where lines alone do not show
    /// which cells can be played.
    fn is_dotted(&self, place: usize) -> bool {
        match self.plan.scale {
            Scale::Dense => true,
            Scale::Rows(1) => self.open.contains(&place),
            Scale::Rows(_) => false,
        }
    }

    fn draw_symbol(&self, buffer: &mut Buffer, area: Rect, symbol: &str, role: Role) {
        let (x, y) = (area.x + area.width / 2, area.y + area.height / 2);
        buffer.set_stringn(x, y, symbol, usize::from(area.width), self.palette.style(role));
    }

    fn draw_shape(
        &self,
        buffer: &mut Buffer,
        area: Rect,
        shape: Shape,
        role: Role,
        ground: Ground,
    ) {
        let size = Size { columns: area.width, rows: area.height };
        for point in area.positions() {
            let halves = shape.halves(size, point.x - area.x, point.y - area.y);
            let (symbol, style) = match self.palette {
                Palette::Rich => blended(halves, role.rgb(), ground.rgb()),
                Palette::Sixteen | Palette::Plain => (sharp(halves), self.palette.style(role)),
            };
            if symbol != " " {
                buffer[point].set_symbol(symbol).set_style(style);
            }
        }
    }

    /// Corners around a large cell, brackets around a small one.
    fn draw_cursor(&self, buffer: &mut Buffer) {
        let cell = self.plan.cell(self.cursor);
        let style = self.palette.style(Role::Focus).add_modifier(Modifier::BOLD);
        let (left, right) = (cell.x, cell.right() - 1);
        let (top, bottom) = (cell.y, cell.bottom() - 1);
        let signs = match self.plan.scale {
            Scale::Dense => vec![(left - 1, top, "["), (right + 1, top, "]")],
            Scale::Rows(1) => vec![(left, top, "["), (right, top, "]")],
            Scale::Rows(_) => {
                vec![(left, top, "┏"), (right, top, "┓"), (left, bottom, "┗"), (right, bottom, "┛")]
            }
        };
        for (x, y, sign) in signs {
            buffer.set_string(x, y, sign, style);
        }
    }
}

/// How heavy a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weight {
    Light,
    Heavy,
}

/// The line that is so far from the edge of a board, if there is one.
fn weight(distance: u16, cell: u16, block: u8) -> Option<Weight> {
    let (number, rest) = ((distance + 1) / (cell + 1), (distance + 1) % (cell + 1));
    let is_heavy = block > 1 && number.is_multiple_of(block.into());
    (rest == 0).then_some(if is_heavy { Weight::Heavy } else { Weight::Light })
}

/// What is drawn where a line across and a line down meet, or one of them passes.
fn line(across: Option<Weight>, down: Option<Weight>) -> Option<(&'static str, Role)> {
    use Weight::{Heavy, Light};
    Some(match (across, down) {
        (None, None) => return None,
        (Some(Light), None) => ("─", Role::Line),
        (None, Some(Light)) => ("│", Role::Line),
        (Some(Light), Some(Light)) => ("┼", Role::Line),
        (Some(Heavy), None) => ("━", Role::Block),
        (None, Some(Heavy)) => ("┃", Role::Block),
        (Some(Heavy), Some(Light)) => ("┿", Role::Block),
        (Some(Light), Some(Heavy)) => ("╂", Role::Block),
        (Some(Heavy), Some(Heavy)) => ("╋", Role::Block),
    })
}

/// The halves of a character, each either covered or not.
fn sharp(halves: Halves) -> &'static str {
    match halves.map(|half| half > FULL / 2) {
        [true, true] => "█",
        [true, false] => "▀",
        [false, true] => "▄",
        [false, false] => " ",
    }
}

/// The halves of a character, with mixed colours where they are covered in part.
fn blended(halves: Halves, front: Rgb, ground: Rgb) -> (&'static str, Style) {
    let [upper, lower] = halves.map(|half| colour(mixed(half, front, ground)));
    match halves {
        [0, 0] => (" ", Style::new()),
        [_, 0] => ("▀", Style::new().fg(upper)),
        [0, _] => ("▄", Style::new().fg(lower)),
        [FULL, FULL] => ("█", Style::new().fg(upper)),
        [_, _] => ("▀", Style::new().fg(upper).bg(lower)),
    }
}

fn mixed(cover: u8, front: Rgb, ground: Rgb) -> Rgb {
    let mix = |front: u8, ground: u8| {
        let (front, ground) = (u16::from(front), u16::from(ground));
        let (cover, full) = (u16::from(cover), u16::from(FULL));
        u8::try_from((front * cover + ground * (full - cover)) / full).expect("a mean of two bytes")
    };
    (mix(front.0, ground.0), mix(front.1, ground.1), mix(front.2, ground.2))
}
