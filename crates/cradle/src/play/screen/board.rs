//! Draws a board.

use game::{Grid, GridCell, Seat};
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Clear, Widget};

use super::charset::Charset;
use super::layout::{BoardLayout, CellScale, LineWeight};
use super::marks::{FULL, HalfCoverage, MarkShape, MarkSize};
use super::palette::{CellBackground, Palette, Rgb, StyleRole, colour};

/// A board as it is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardPicture<'a> {
    /// The cells.
    pub(super) board: &'a Grid,
    /// Where they are.
    pub(super) layout: BoardLayout,
    /// The number of the cell under the cursor.
    pub(super) cursor: usize,
    /// The numbers of the cells that changed last.
    pub(super) fresh: &'a [usize],
    /// The numbers of the cells that can be played.
    pub(super) open: &'a [usize],
    /// The colours.
    pub(super) palette: Palette,
    /// The characters.
    pub(super) charset: Charset,
}

impl BoardPicture<'_> {
    /// Draws the board.
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
        let columns = usize::from(self.layout.columns());
        let here = (self.cursor % columns, self.cursor / columns);
        let style = |is_here: bool| {
            self.palette.style(if is_here { StyleRole::Strong } else { StyleRole::Soft })
        };
        for (column, letter) in (0..columns).zip('a'..='z') {
            let cell = self.layout.cell(column);
            let name = letter.to_string();
            buffer.set_string(cell.x + cell.width / 2, cell.y - 1, name, style(column == here.0));
        }
        for row in 0..usize::from(self.layout.rows()) {
            let cell = self.layout.cell(row * columns);
            let width = usize::from(self.layout.margin()) - 2;
            let name = format!("{:>width$}", row + 1);
            let (x, y) = (cell.x - self.layout.margin(), cell.y + cell.height / 2);
            buffer.set_string(x, y, name, style(row == here.1));
        }
    }

    fn draw_lines(&self, buffer: &mut Buffer) {
        let columns =
            (0..self.layout.columns()).filter_map(|at| self.layout.line_before_column(at));
        let rows = (0..self.layout.rows()).filter_map(|at| self.layout.line_above_row(at));
        let (columns, rows): (Vec<_>, Vec<_>) = (columns.collect(), rows.collect());
        let weight = |lines: &[(u16, LineWeight)], here: u16| {
            lines.iter().find(|(at, _)| *at == here).map(|(_, weight)| *weight)
        };
        for point in self.layout.area().positions() {
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

    /// Draws the mark of a block's owner over the whole block.
    fn draw_territory(&self, buffer: &mut Buffer, first: usize) {
        let area = self.layout.block(first);
        let is_inside = |place: &usize| area.contains(self.layout.cell(*place).as_position());
        let places = (0..self.board.cells.len()).filter(is_inside);
        let cells: Vec<&GridCell> = places.map(|place| &self.board.cells[place]).collect();
        let Some(owner) = owner(&cells).filter(|_| self.layout.scale != CellScale::Dense) else {
            return;
        };
        let mut pieces = cells.iter().flat_map(|cell| &cell.piece);
        let Some(piece) = pieces.find(|piece| piece.seat == Some(owner)) else { return };
        let (ground, role) = if cells.iter().any(|cell| cell.decides) {
            (CellBackground::Won, StyleRole::Win)
        } else {
            (CellBackground::Of(owner), StyleRole::of_piece(piece))
        };
        if let Some(shape) = MarkShape::of(piece) {
            Clear.render(area, buffer);
            buffer.set_style(
                area,
                self.palette.style(StyleRole::Page).patch(self.palette.ground(ground)),
            );
            self.draw_shape(buffer, area, shape, role, ground);
        }
    }

    fn draw_cell(&self, buffer: &mut Buffer, place: usize, cell: &GridCell) {
        let area = self.layout.cell(place);
        let ground = self.ground(place, cell);
        buffer.set_style(area, self.palette.ground(ground));
        if ground == CellBackground::Fresh && self.palette != Palette::Rich && area.height > 1 {
            let (x, y) = (area.right() - 1, area.y + area.height / 2);
            buffer.set_string(x, y, "•", self.palette.style(StyleRole::Focus));
        }
        match &cell.piece {
            Some(piece) => {
                let role = if cell.decides { StyleRole::Win } else { StyleRole::of_piece(piece) };
                if let Some(shape) = MarkShape::of(piece).filter(|_| area.height >= self.least()) {
                    self.draw_shape(buffer, area, shape, role, ground);
                } else {
                    self.draw_symbol(buffer, area, &piece.symbol, role);
                    self.draw_sign_under_symbol(buffer, area, ground);
                }
            }
            None if self.is_dotted(place) => self.draw_symbol(buffer, area, "·", StyleRole::Soft),
            None => {}
        }
    }

    /// The smallest height of a mark that is larger than a letter. In ASCII it needs three rows.
    fn least(&self) -> u16 {
        match self.charset {
            Charset::Unicode => 2,
            Charset::Ascii => 3,
        }
    }

    fn ground(&self, place: usize, cell: &GridCell) -> CellBackground {
        match cell.owner {
            _ if cell.decides => CellBackground::Won,
            _ if self.fresh.contains(&place) => CellBackground::Fresh,
            Some(owner) => CellBackground::Of(owner),
            None if self.is_restricted() && self.open.contains(&place) => CellBackground::Open,
            None => CellBackground::Quiet,
        }
    }

    /// Whether some free cells can be played and some cannot.
    fn is_restricted(&self) -> bool {
        let free = self.board.cells.iter().filter(|cell| cell.piece.is_none()).count();
        !self.open.is_empty() && self.open.len() < free
    }

    /// Underlines the last move in a cell of one row, where no background can show it.
    fn draw_sign_under_symbol(&self, buffer: &mut Buffer, area: Rect, ground: CellBackground) {
        if ground == CellBackground::Fresh && self.palette != Palette::Rich && area.height == 1 {
            let symbol = Rect { x: area.x + area.width / 2, width: 1, ..area };
            buffer.set_style(symbol, Style::new().add_modifier(Modifier::UNDERLINED));
        }
    }

    /// Whether a free cell has a dot: it can be played and others cannot, or no lines surround it.
    fn is_dotted(&self, place: usize) -> bool {
        match (self.is_restricted(), self.layout.scale) {
            (true, _) => self.open.contains(&place),
            (false, CellScale::Dense | CellScale::Loose) => true,
            (false, CellScale::Rows(_)) => false,
        }
    }

    fn draw_symbol(&self, buffer: &mut Buffer, area: Rect, symbol: &str, role: StyleRole) {
        let (x, y) = (area.x + area.width / 2, area.y + area.height / 2);
        buffer.set_stringn(x, y, symbol, usize::from(area.width), self.palette.style(role));
    }

    fn draw_shape(
        &self,
        buffer: &mut Buffer,
        area: Rect,
        shape: MarkShape,
        role: StyleRole,
        ground: CellBackground,
    ) {
        let size = MarkSize { columns: area.width, rows: area.height };
        for point in area.positions() {
            let halves = shape.halves(size, point.x - area.x, point.y - area.y);
            let (symbol, style) = match (self.charset, self.palette) {
                (Charset::Ascii, palette) => (lettered(shape, halves), palette.style(role)),
                (Charset::Unicode, Palette::Rich) => blended(halves, role.rgb(), ground.rgb()),
                (Charset::Unicode, palette) => (sharp(halves), palette.style(role)),
            };
            if symbol != " " {
                buffer[point].set_symbol(symbol).set_style(style);
            }
        }
    }

    /// Draws a frame on the lines around a cell; brackets where there are no lines.
    fn draw_cursor(&self, buffer: &mut Buffer) {
        let cell = self.layout.cell(self.cursor);
        let style = self.palette.style(StyleRole::Focus).add_modifier(Modifier::BOLD);
        let (left, right) = (cell.x - 1, cell.right());
        match self.layout.scale {
            CellScale::Dense => draw_brackets(buffer, cell.y, [left, right], style),
            CellScale::Loose => draw_brackets(buffer, cell.y, [left + 1, right - 1], style),
            CellScale::Rows(_) => {
                draw_frame(buffer, cell.outer(Margin::new(1, 1)), style, self.charset);
            }
        }
    }
}

/// Draws brackets in reverse, so that they do not look like pieces.
fn draw_brackets(buffer: &mut Buffer, y: u16, [left, right]: [u16; 2], style: Style) {
    let style = style.add_modifier(Modifier::REVERSED);
    buffer.set_string(left, y, "[", style);
    buffer.set_string(right, y, "]", style);
}

/// Draws a frame that leaves the name of the column visible.
fn draw_frame(buffer: &mut Buffer, area: Rect, style: Style, charset: Charset) {
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
        // In ASCII, the frame must differ from the lines of the board.
        let symbol = if charset == Charset::Ascii { "#" } else { symbol };
        if !buffer[point].symbol().starts_with(char::is_alphanumeric) {
            buffer[point].set_symbol(symbol).set_style(style);
        }
    }
}

/// The owner of all these cells, if they have the same one.
fn owner(cells: &[&GridCell]) -> Option<Seat> {
    let owner = cells.first()?.owner;
    owner.filter(|_| cells.iter().all(|cell| cell.owner == owner))
}

/// The symbol where a horizontal and a vertical line meet, or where one of them passes.
fn line(across: Option<LineWeight>, down: Option<LineWeight>) -> Option<(&'static str, StyleRole)> {
    use LineWeight::{Heavy, Light};
    Some(match (across, down) {
        (None, None) => return None,
        (Some(Light), None) => ("─", StyleRole::Line),
        (None, Some(Light)) => ("│", StyleRole::Line),
        (Some(Light), Some(Light)) => ("┼", StyleRole::Line),
        (Some(Heavy), None) => ("━", StyleRole::Block),
        (None, Some(Heavy)) => ("┃", StyleRole::Block),
        (Some(Heavy), Some(Light)) => ("┿", StyleRole::Block),
        (Some(Light), Some(Heavy)) => ("╂", StyleRole::Block),
        (Some(Heavy), Some(Heavy)) => ("╋", StyleRole::Block),
    })
}

/// A character for two halves, each either covered or not.
fn sharp(halves: HalfCoverage) -> &'static str {
    match halves.map(|half| half > FULL / 2) {
        [true, true] => "█",
        [true, false] => "▀",
        [false, true] => "▄",
        [false, false] => " ",
    }
}

/// A letter where a mark covers at least half of a character.
fn lettered(shape: MarkShape, halves: HalfCoverage) -> &'static str {
    let covered: u8 = halves.iter().sum();
    if covered >= FULL { shape.letter() } else { " " }
}

/// A character for two halves, with mixed colours where they are partly covered.
fn blended(halves: HalfCoverage, front: Rgb, ground: Rgb) -> (&'static str, Style) {
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
