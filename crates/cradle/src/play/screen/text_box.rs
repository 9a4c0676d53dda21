//! Text that may need more lines than it has room for.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::palette::{Palette, StyleRole};

/// Lines of text in an area of the screen. If the area is too small, the text scrolls.
#[derive(Clone, Debug)]
pub(super) struct TextBox<'a> {
    pub(super) area: Rect,
    pub(super) lines: Vec<Line<'a>>,
}

/// Stand for lines that do not fit.
const MORE_ABOVE: &str = "… PgUp";
const MORE_BELOW: &str = "… PgDn";

impl TextBox<'_> {
    /// How many lines do not fit: the text scrolls by at most this number.
    pub(super) fn hidden_lines(&self) -> usize {
        self.lines.len().saturating_sub(self.room())
    }

    /// How many lines fit.
    pub(super) fn room(&self) -> usize {
        usize::from(self.area.height)
    }

    /// Draws the lines that fit, from line `scroll` on.
    pub(super) fn draw(mut self, buffer: &mut Buffer, scroll: usize, palette: Palette) {
        let (hidden, room) = (self.hidden_lines(), self.room());
        let first = scroll.min(hidden);
        let more = |words| Line::styled(words, palette.style(StyleRole::Soft));
        if first > 0 {
            self.lines[first] = more(MORE_ABOVE);
        }
        if first < hidden && room > 0 {
            self.lines[first + room - 1] = more(MORE_BELOW);
        }
        for (line, row) in self.lines.into_iter().skip(first).zip(self.area.rows()) {
            line.render(row, buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six numbered lines on four rows, scrolled by this many lines.
    fn shown(scroll: usize) -> Vec<String> {
        let area = Rect::new(0, 0, 6, 4);
        let lines = (1..=6).map(|number| Line::from(number.to_string())).collect();
        let mut buffer = Buffer::empty(area);
        TextBox { area, lines }.draw(&mut buffer, scroll, Palette::Plain);
        let row = |y| (0..6).map(|x| buffer[(x, y)].symbol()).collect::<String>();
        (0..4).map(|y| row(y).trim_end().to_owned()).collect()
    }

    #[test]
    fn text_that_does_not_fit_scrolls_to_its_end_and_no_further() {
        assert_eq!(shown(0), ["1", "2", "3", "… PgDn"]);
        assert_eq!(shown(1), ["… PgUp", "3", "4", "… PgDn"]);
        assert_eq!(shown(2), ["… PgUp", "4", "5", "6"]);
        assert_eq!(shown(99), shown(2));
    }

    #[test]
    fn text_that_fits_does_not_scroll() {
        let area = Rect::new(0, 0, 6, 4);
        let text = TextBox { area, lines: vec![Line::from("1"); 4] };
        assert_eq!(text.hidden_lines(), 0);
        let mut buffer = Buffer::empty(area);
        text.draw(&mut buffer, 3, Palette::Plain);
        assert_eq!(buffer[(0, 0)].symbol(), "1");
    }
}
