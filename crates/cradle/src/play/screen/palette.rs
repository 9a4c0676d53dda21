//! Colours.

use std::ffi::OsStr;

use game::{Piece, Seat};
use ratatui::style::{Color, Modifier, Style};

use crate::paint::Paint;

/// The colours of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Palette {
    /// None: it has none, or the person wants none.
    Plain,
    /// The sixteen of the terminal.
    Sixteen,
    /// All 24-bit colours.
    Rich,
}

/// What something on the screen is, which decides its style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StyleRole {
    /// The background and plain text.
    Page,
    /// The background beside the board.
    Card,
    /// What stands out.
    Strong,
    /// What stays in the background.
    Soft,
    /// The lines of a board.
    Line,
    /// The lines between its blocks.
    Block,
    /// The first seat, X.
    First,
    /// The second seat, O.
    Second,
    /// Further seats.
    Further,
    /// What decided the game.
    Win,
    /// The cursor.
    Focus,
    /// A request.
    Request,
    /// A refusal.
    Refusal,
}

/// Red, green and blue.
pub(super) type Rgb = (u8, u8, u8);

const PAGE: Rgb = (0x17, 0x15, 0x13);
const CARD: Rgb = (0x21, 0x1e, 0x1b);
const FRESH: Rgb = (0x2c, 0x28, 0x23);
const OPEN: Rgb = (0x1c, 0x33, 0x2a);
const OF_FIRST: Rgb = (0x38, 0x21, 0x1a);
const OF_SECOND: Rgb = (0x20, 0x25, 0x40);
const OF_FURTHER: Rgb = (0x1c, 0x2f, 0x26);
const WON: Rgb = (0x3d, 0x31, 0x17);

impl Palette {
    /// The colours of a terminal whose `COLORTERM` has this value.
    pub(super) fn of(paint: Paint, colours: Option<&OsStr>) -> Self {
        let has_all = colours.is_some_and(|words| words == "truecolor" || words == "24bit");
        match paint {
            Paint::Plain => Self::Plain,
            Paint::Coloured if has_all => Self::Rich,
            Paint::Coloured => Self::Sixteen,
        }
    }

    /// The style of a role.
    pub(super) fn style(self, role: StyleRole) -> Style {
        match self {
            Self::Plain => plain(role),
            Self::Sixteen => sixteen(role),
            Self::Rich => rich(role),
        }
    }

    /// The background of a cell.
    pub(super) fn ground(self, state: CellBackground) -> Style {
        match (self, state) {
            (Self::Rich, ground) => Style::new().bg(colour(ground.rgb())),
            (Self::Plain, CellBackground::Won) => Style::new().add_modifier(Modifier::REVERSED),
            (Self::Sixteen | Self::Plain, _) => Style::new(),
        }
    }
}

/// What the background of a cell shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellBackground {
    /// Nothing.
    Quiet,
    /// The cell can be played, and some free cells cannot.
    Open,
    /// The cell is in the territory of a seat.
    Of(Seat),
    /// The last move was here.
    Fresh,
    /// The cell decided the game.
    Won,
}

impl CellBackground {
    /// The colour on a terminal with 24-bit colours.
    pub(super) fn rgb(self) -> Rgb {
        match self {
            Self::Quiet => PAGE,
            Self::Open => OPEN,
            Self::Of(Seat::FIRST) => OF_FIRST,
            Self::Of(Seat::SECOND) => OF_SECOND,
            Self::Of(_) => OF_FURTHER,
            Self::Fresh => FRESH,
            Self::Won => WON,
        }
    }
}

impl StyleRole {
    /// The role of a seat.
    pub(super) fn of_seat(seat: Seat) -> Self {
        match seat {
            Seat::FIRST => Self::First,
            Seat::SECOND => Self::Second,
            _ => Self::Further,
        }
    }

    /// The role of a piece. A piece that belongs to nobody is known by its symbol.
    pub(super) fn of_piece(piece: &Piece) -> Self {
        match (piece.seat, piece.symbol.as_str()) {
            (Some(seat), _) => Self::of_seat(seat),
            (None, "X") => Self::First,
            (None, "O") => Self::Second,
            (None, _) => Self::Further,
        }
    }

    /// The text colour on a terminal with 24-bit colours.
    pub(super) fn rgb(self) -> Rgb {
        match self {
            Self::Page | Self::Card | Self::Strong => (0xf1, 0xeb, 0xe2),
            Self::Soft => (0xa8, 0x9f, 0x93),
            Self::Line => (0x7a, 0x6f, 0x62),
            Self::Block => (0xc4, 0xb6, 0xa2),
            Self::First => (0xff, 0x8a, 0x6b),
            Self::Second => (0x93, 0xaa, 0xff),
            Self::Further | Self::Request => (0x6f, 0xcf, 0x9f),
            Self::Win => (0xf0, 0xbd, 0x52),
            Self::Focus => (0x7d, 0xb8, 0xff),
            Self::Refusal => (0xff, 0x8f, 0x88),
        }
    }
}

/// A 24-bit colour.
pub(super) fn colour((red, green, blue): Rgb) -> Color {
    Color::Rgb(red, green, blue)
}

fn rich(role: StyleRole) -> Style {
    let style = Style::new().fg(colour(role.rgb()));
    match role {
        StyleRole::Page => style.bg(colour(PAGE)),
        StyleRole::Card => style.bg(colour(CARD)),
        StyleRole::Strong
        | StyleRole::First
        | StyleRole::Second
        | StyleRole::Further
        | StyleRole::Win => style.add_modifier(Modifier::BOLD),
        _ => style,
    }
}

fn sixteen(role: StyleRole) -> Style {
    let style = Style::new();
    match role {
        StyleRole::Page | StyleRole::Card => style,
        StyleRole::Soft | StyleRole::Line => style.fg(Color::DarkGray),
        StyleRole::Block => style.fg(Color::Gray),
        StyleRole::Strong => style.add_modifier(Modifier::BOLD),
        StyleRole::First => style.fg(Color::LightRed).add_modifier(Modifier::BOLD),
        StyleRole::Second => style.fg(Color::LightBlue).add_modifier(Modifier::BOLD),
        StyleRole::Further => style.fg(Color::LightGreen).add_modifier(Modifier::BOLD),
        StyleRole::Win => style.fg(Color::LightYellow).add_modifier(Modifier::BOLD),
        StyleRole::Focus => style.fg(Color::LightCyan),
        StyleRole::Request => style.fg(Color::Green),
        StyleRole::Refusal => style.fg(Color::Red),
    }
}

fn plain(role: StyleRole) -> Style {
    match role {
        StyleRole::Strong | StyleRole::Focus => Style::new().add_modifier(Modifier::BOLD),
        StyleRole::Win => Style::new().add_modifier(Modifier::REVERSED),
        _ => Style::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_has_the_colours_that_it_names() {
        let of = |paint, words: Option<&str>| Palette::of(paint, words.map(OsStr::new));
        assert_eq!(of(Paint::Coloured, Some("truecolor")), Palette::Rich);
        assert_eq!(of(Paint::Coloured, Some("24bit")), Palette::Rich);
        assert_eq!(of(Paint::Coloured, None), Palette::Sixteen);
        assert_eq!(of(Paint::Plain, Some("truecolor")), Palette::Plain);
    }

    const ROLES: [StyleRole; 13] = [
        StyleRole::Page,
        StyleRole::Card,
        StyleRole::Strong,
        StyleRole::Soft,
        StyleRole::Line,
        StyleRole::Block,
        StyleRole::First,
        StyleRole::Second,
        StyleRole::Further,
        StyleRole::Win,
        StyleRole::Focus,
        StyleRole::Request,
        StyleRole::Refusal,
    ];

    #[test]
    fn without_colours_nothing_is_coloured() {
        for role in ROLES {
            let style = Palette::Plain.style(role);
            assert_eq!((style.fg, style.bg), (None, None), "{role:?}");
        }
    }

    /// Relative luminance, as the Web Content Accessibility Guidelines define it.
    fn luminance((red, green, blue): Rgb) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    fn contrast(front: Rgb, ground: Rgb) -> f64 {
        let (a, b) = (luminance(front) + 0.05, luminance(ground) + 0.05);
        a.max(b) / a.min(b)
    }

    #[test]
    fn text_can_be_read_on_every_background_and_lines_on_the_page() {
        for role in ROLES.into_iter().filter(|role| *role != StyleRole::Line) {
            for ground in [PAGE, CARD, FRESH, WON, OPEN, OF_FIRST, OF_SECOND, OF_FURTHER] {
                let contrast = contrast(role.rgb(), ground);
                assert!(contrast >= 4.5, "{role:?}: {contrast:.2}");
            }
        }
        assert!(contrast(StyleRole::Line.rgb(), PAGE) >= 3.0);
    }
}
