//! Draws a board.

use game::{Grid, GridCell, Seat};
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Clear, Widget};

use super::marks::{FULL, Halves, Shape, Size};
use super::palette::{Ground, Palette, Rgb, Role, colour};
use super::plan::{BoardPlan, Scale, Weight};

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
        self.draw_lines(buffer);
        for (place, cell) in self.board.cells.iter().enumerate() {
            self.draw_cell(buffer, place, cell);
        }
        for place in self.firsts_of_blocks() {
            self.draw_territory(buffer, place);
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
            let width = usize::from(self.plan.margin()) - 2;
            let name = format!("{:>width$}", row + 1);
            let (x, y) = (cell.x - self.plan.margin(), cell.y + cell.height / 2);
            buffer.set_string(x, y, name, style(row == here.1));
        }
    }

    fn draw_lines(&self, buffer: &mut Buffer) {
        let columns = (0..self.plan.columns()).filter_map(|at| self.plan.line_before_column(at));
        let rows = (0..self.plan.rows()).filter_map(|at| self.plan.line_above_row(at));
        let (columns, rows): (Vec<_>, Vec<_>) = (columns.collect(), rows.collect());
        let weight = |lines: &[(u16, Weight)], here: u16| {
            lines.iter().find(|(at, _)| *at == here).map(|(_, weight)| *weight)
        };
        for point in self.plan.area().positions() {
            let (across, down) = (weight(&rows, point.y), weight(&columns, point.x));
            let Some((symbol, role)) = line(across, down) else { continue };
            buffer[point].set_symbol(symbol).set_style(self.palette.style(role));
        }
    }

    /// The first cell of each block; none where there are no blocks.
    fn firsts_of_blocks(&self) -> impl Iterator<Item = usize> {
        let (columns, block) = (usize::from(self.board.columns), usize::from(self.board.block));
        let is_first = move |place: &usize| {
            let (column, row) = (place % columns, place / columns);
            column.is_multiple_of(block) && row.is_multiple_of(block)
        };
        (0..self.board.cells.len()).filter(move |place| block > 1 && is_first(place))
    }

    /// Draws the mark of who owns a whole block over all of it.
    fn draw_territory(&self, buffer: &mut Buffer, first: usize) {
        let area = self.plan.block(first);
        let is_inside = |place: &usize| area.contains(self.plan.cell(*place).as_position());
        let places = (0..self.board.cells.len()).filter(is_inside);
        let cells: Vec<&GridCell> = places.map(|place| &self.board.cells[place]).collect();
        let Some(owner) = owner(&cells).filter(|_| self.plan.scale != Scale::Dense) else { return };
        let mut pieces = cells.iter().flat_map(|cell| &cell.piece);
        let Some(piece) = pieces.find(|piece| piece.seat == Some(owner)) else { return };
        let (ground, role) = if cells.iter().any(|cell| cell.decides) {
            (Ground::Won, Role::Win)
        } else {
            (Ground::Of(owner), Role::of_piece(piece))
        };
        if let Some(shape) = Shape::of(piece) {
            Clear.render(area, buffer);
            buffer
                .set_style(area, self.palette.style(Role::Page).patch(self.palette.ground(ground)));
            self.draw_shape(buffer, area, shape, role, ground);
        }
    }

    fn draw_cell(&self, buffer: &mut Buffer, place: usize, cell: &GridCell) {
        let area = self.plan.cell(place);
        let ground = self.ground(place, cell);
        buffer.set_style(area, self.palette.ground(ground));
        if ground == Ground::Fresh && self.palette != Palette::Rich && area.height > 1 {
            let (x, y) = (area.right() - 1, area.y + area.height / 2);
            buffer.set_string(x, y, "•", self.palette.style(Role::Focus));
        }
        match &cell.piece {
            Some(piece) => {
                let role = if cell.decides { Role::Win } else { Role::of_piece(piece) };
                if let Some(shape) = Shape::of(piece).filter(|_| area.height > 1) {
                    self.draw_shape(buffer, area, shape, role, ground);
                } else {
                    self.draw_symbol(buffer, area, &piece.symbol, role);
                    self.draw_sign_under_symbol(buffer, area, ground);
                }
            }
            None if self.is_dotted(place) => self.draw_symbol(buffer, area, "·", Role::Soft),
            None => {}
        }
    }

    fn ground(&self, place: usize, cell: &GridCell) -> Ground {
        match cell.owner {
            _ if cell.decides => Ground::Won,
            _ if self.fresh.contains(&place) => Ground::Fresh,
            Some(owner) => Ground::Of(owner),
            None if self.is_restricted() && self.open.contains(&place) => Ground::Open,
            None => Ground::Quiet,
        }
    }

    /// Whether some free cells can be played and some cannot.
    fn is_restricted(&self) -> bool {
        let free = self.board.cells.iter().filter(|cell| cell.piece.is_none()).count();
        !self.open.is_empty() && self.open.len() < free
    }

    /// Shows where something happened last in one row, without the help of the ground.
    fn draw_sign_under_symbol(&self, buffer: &mut Buffer, area: Rect, ground: Ground) {
        if ground == Ground::Fresh && self.palette != Palette::Rich && area.height == 1 {
            let symbol = Rect { x: area.x + area.width / 2, width: 1, ..area };
            buffer.set_style(symbol, Style::new().add_modifier(Modifier::UNDERLINED));
        }
    }

    /// Whether a free cell has a dot: if it can be played and others cannot, and where there are
    /// no lines around it.
    fn is_dotted(&self, place: usize) -> bool {
        match (self.is_restricted(), self.plan.scale) {
            (true, _) => self.open.contains(&place),
            (false, Scale::Dense | Scale::Loose) => true,
            (false, Scale::Rows(_)) => false,
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

    /// A frame on the lines around a cell, brackets where there are no lines.
    fn draw_cursor(&self, buffer: &mut Buffer) {
        let cell = self.plan.cell(self.cursor);
        let style = self.palette.style(Role::Focus).add_modifier(Modifier::BOLD);
        let (left, right) = (cell.x - 1, cell.right());
        match self.plan.scale {
            Scale::Dense => draw_brackets(buffer, cell.y, [left, right], style),
            Scale::Loose => draw_brackets(buffer, cell.y, [left + 1, right - 1], style),
            Scale::Rows(_) => draw_frame(buffer, cell.outer(Margin::new(1, 1)), style),
        }
    }
}

/// Draws brackets that nobody takes for a piece beside them.
fn draw_brackets(buffer: &mut Buffer, y: u16, [left, right]: [u16; 2], style: Style) {
    let style = style.add_modifier(Modifier::REVERSED);
    buffer.set_string(left, y, "[", style);
    buffer.set_string(right, y, "]", style);
}

/// Draws a frame that spares the name of the column.
fn draw_frame(buffer: &mut Buffer, area: Rect, style: Style) {
    for point in area.positions() {
        let is_side = point.x == area.x || point.x == area.right() - 1;
        let symbol = match (point.x == area.x, point.y == area.y, point.y == area.bottom() - 1) {
            (true, true, _) => "┏",
            (true, _, true) => "┗",
            (false, true, _) if is_side => "┓",
            (false, _, true) if is_side => "┛",
            _ if is_side => "┃",
            (false, true, _) | (false, _, true) => "━",
            _ => continue,
        };
        if !buffer[point].symbol().starts_with(char::is_alphanumeric) {
            buffer[point].set_symbol(symbol).set_style(style);
        }
    }
}

/// Whose territory all these cells are, if they are one's.
fn owner(cells: &[&GridCell]) -> Option<Seat> {
    let owner = cells.first()?.owner;
    owner.filter(|_| cells.iter().all(|cell| cell.owner == owner))
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
