//! Colours: threads on ink.

use std::ffi::OsStr;

use game::{Piece, Seat};
use ratatui::style::{Color, Modifier, Style};

use crate::paint::Paint;

/// Which colours a terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Palette {
    /// None, or none are wanted.
    Plain,
    /// Its own sixteen.
    Sixteen,
    /// All.
    Rich,
}

/// What something on the screen is, which decides how it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The ground, and what stands on it.
    Page,
    /// The ground beside the board.
    Card,
    /// What stands out.
    Strong,
    /// What stays in the background.
    Soft,
    /// The lines of a board.
    Line,
    /// The lines between its blocks.
    Block,
    /// The first thread, which is X.
    First,
    /// The second thread, which is O.
    Second,
    /// Threads of further seats.
    Further,
    /// What decided the game.
    Win,
    /// Where the cursor is.
    Focus,
    /// What was requested.
    Request,
    /// What is blocked.
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
    /// The colours of a terminal that is painted like this and says this about its colours.
    pub(super) fn of(paint: Paint, colours: Option<&OsStr>) -> Self {
        let has_all = colours.is_some_and(|words| words == "truecolor" || words == "24bit");
        match paint {
            Paint::Plain => Self::Plain,
            Paint::Coloured if has_all => Self::Rich,
            Paint::Coloured => Self::Sixteen,
        }
    }

    /// How something looks.
    pub(super) fn style(self, role: Role) -> Style {
        match self {
            Self::Plain => plain(role),
            Self::Sixteen => sixteen(role),
            Self::Rich => rich(role),
        }
    }

    /// The ground of a cell.
    pub(super) fn ground(self, state: Ground) -> Style {
        match (self, state) {
            (Self::Rich, ground) => Style::new().bg(colour(ground.rgb())),
            (Self::Plain, Ground::Won) => Style::new().add_modifier(Modifier::REVERSED),
            (Self::Sixteen | Self::Plain, _) => Style::new(),
        }
    }
}

/// What the ground of a cell tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ground {
    /// Nothing.
    Quiet,
    /// This may be played, and not all that is free may.
    Open,
    /// This is somebody's territory.
    Of(Seat),
    /// Something happened here last.
    Fresh,
    /// This decided the game.
    Won,
}

impl Ground {
    /// Its colour where there are all colours.
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

impl Role {
    /// The thread of a seat.
    pub(super) fn of_seat(seat: Seat) -> Self {
        match seat {
            Seat::FIRST => Self::First,
            Seat::SECOND => Self::Second,
            _ => Self::Further,
        }
    }

    /// The thread of a piece, which is known by its symbol where it is nobody's.
    pub(super) fn of_piece(piece: &Piece) -> Self {
        match (piece.seat, piece.symbol.as_str()) {
            (Some(seat), _) => Self::of_seat(seat),
            (None, "X") => Self::First,
            (None, "O") => Self::Second,
            (None, _) => Self::Further,
        }
    }

    /// The colour of what stands on the ground, where there are all colours.
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

/// A colour for a terminal that has all of them.
pub(super) fn colour((red, green, blue): Rgb) -> Color {
    Color::Rgb(red, green, blue)
}

fn rich(role: Role) -> Style {
    let style = Style::new().fg(colour(role.rgb()));
    match role {
        Role::Page => style.bg(colour(PAGE)),
        Role::Card => style.bg(colour(CARD)),
        Role::Strong | Role::First | Role::Second | Role::Further | Role::Win => {
            style.add_modifier(Modifier::BOLD)
        }
        _ => style,
    }
}

fn sixteen(role: Role) -> Style {
    let style = Style::new();
    match role {
        Role::Page | Role::Card => style,
        Role::Soft | Role::Line => style.fg(Color::DarkGray),
        Role::Block => style.fg(Color::Gray),
        Role::Strong => style.add_modifier(Modifier::BOLD),
        Role::First => style.fg(Color::LightRed).add_modifier(Modifier::BOLD),
        Role::Second => style.fg(Color::LightBlue).add_modifier(Modifier::BOLD),
        Role::Further => style.fg(Color::LightGreen).add_modifier(Modifier::BOLD),
        Role::Win => style.fg(Color::LightYellow).add_modifier(Modifier::BOLD),
        Role::Focus => style.fg(Color::LightCyan),
        Role::Request => style.fg(Color::Green),
        Role::Refusal => style.fg(Color::Red),
    }
}

fn plain(role: Role) -> Style {
    match role {
        Role::Strong | Role::Focus => Style::new().add_modifier(Modifier::BOLD),
        Role::Win => Style::new().add_modifier(Modifier::REVERSED),
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

    const ROLES: [Role; 13] = [
        Role::Page,
        Role::Card,
        Role::Strong,
        Role::Soft,
        Role::Line,
        Role::Block,
        Role::First,
        Role::Second,
        Role::Further,
        Role::Win,
        Role::Focus,
        Role::Request,
        Role::Refusal,
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
    fn text_can_be_read_on_every_ground_and_lines_be_seen_on_the_page() {
        for role in ROLES.into_iter().filter(|role| *role != Role::Line) {
            for ground in [PAGE, CARD, FRESH, WON, OPEN, OF_FIRST, OF_SECOND, OF_FURTHER] {
                let contrast = contrast(role.rgb(), ground);
                assert!(contrast >= 4.5, "{role:?}: {contrast:.2}");
            }
        }
        assert!(contrast(Role::Line.rgb(), PAGE) >= 3.0);
    }
}
