//! The addresses of the page.

use std::fmt;

use crate::language::{say, say_with};
use crate::texts::game_title;

/// The game of addresses that name none.
pub(crate) const USUAL_GAME: &str = "tic-tac-toe";

/// A place in the page, as its address names it. Games have the names of the catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// The menu.
    Home,
    /// What a game is about, and how to play it.
    Game(String),
    /// A game against the computer, in this browser.
    Computer(String),
    /// A game of two people on this screen.
    OneScreen(String),
    /// A game whose moves are tried out, each with its value.
    Analysis(String),
    /// A new table for a friend.
    Friend(String),
    /// A quick match with whoever comes next.
    QuickMatch(String),
    /// A game that is over, after a number of plies.
    Replay(ReplayAddress),
    /// The games that the person has played.
    History,
    /// The list of tables to watch or join.
    Watch,
    /// A table on the server.
    Table(String),
    /// The puzzle of the day.
    Puzzle,
    /// A table on the server, in a frame of another site.
    EmbeddedTable(String),
    /// A game that is over, in a frame of another site.
    EmbeddedReplay(ReplayAddress),
    /// An address that the page does not have.
    NotFound,
}

/// A game that is over, as an address names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReplayAddress {
    /// The game.
    pub(crate) game: String,
    /// Its plies, as [`GameReplay::read`](crate::replay::GameReplay::read) reads them.
    pub(crate) plies: String,
    /// The number of plies after which it is shown; `None` for its end.
    pub(crate) ply: Option<usize>,
}

impl ReplayAddress {
    /// Reads the part of an address after `/play/replay/`.
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('/');
        let (game, plies) = (parts.next().filter(|game| is_game_name(game))?, parts.next()?);
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-:,_.+~".contains(&byte);
        let ply = match parts.next() {
            None => None,
            Some(number) => Some(number.parse().ok()?),
        };
        let is_whole = parts.next().is_none() && !plies.is_empty() && plies.len() <= 4_096;
        let (game, plies) = (game.to_owned(), plies.to_owned());
        (is_whole && plies.bytes().all(is_plain)).then_some(Self { game, plies, ply })
    }
}

impl Route {
    /// Reads the path of an address.
    pub(crate) fn parse(path: &str) -> Self {
        let path = path.trim_end_matches('/');
        if let Some(id) = path.strip_prefix("/t/") {
            return if is_id(id) { Self::Table(id.to_owned()) } else { Self::NotFound };
        }
        if let Some(rest) = path.strip_prefix("/embed") {
            return match Self::parse(rest) {
                Self::Table(id) => Self::EmbeddedTable(id),
                Self::Replay(address) => Self::EmbeddedReplay(address),
                _ => Self::NotFound,
            };
        }
        let Some(rest) = path.strip_prefix("/play/") else {
            return if path.is_empty() { Self::Home } else { Self::NotFound };
        };
        if let Some(replay) = rest.strip_prefix("replay/") {
            return ReplayAddress::parse(replay).map_or(Self::NotFound, Self::Replay);
        }
        let (place, game) = match rest.split_once('/') {
            Some((place, game)) if is_game_name(game) => (place, Some(game.to_owned())),
            Some(_) => return Self::NotFound,
            None => (rest, None),
        };
        let any_game = || game.clone().unwrap_or_else(|| USUAL_GAME.to_owned());
        match (place, &game) {
            ("game", Some(name)) => Self::Game(name.clone()),
            ("computer", _) => Self::Computer(any_game()),
            ("one-screen", _) => Self::OneScreen(any_game()),
            ("analyse", _) => Self::Analysis(any_game()),
            ("friend", _) => Self::Friend(any_game()),
            ("anybody", _) => Self::QuickMatch(any_game()),
            ("watch", None) => Self::Watch,
            ("puzzle", None) => Self::Puzzle,
            ("history", None) => Self::History,
            _ => Self::NotFound,
        }
    }

    /// Whether it is shown in a frame of another site.
    pub(crate) const fn is_embedded(&self) -> bool {
        matches!(self, Self::EmbeddedTable(_) | Self::EmbeddedReplay(_))
    }

    /// The title of the document.
    pub(crate) fn title(&self) -> String {
        match self {
            Self::Home => self.heading(),
            _ => format!("{} · {}", self.heading(), say("Cat’s Cradle")),
        }
    }

    /// The heading of the view.
    pub(crate) fn heading(&self) -> String {
        let about = |sentence: &str, game: &str| say_with(sentence, &[("game", &game_title(game))]);
        match self {
            Self::Home => say("Cat’s Cradle"),
            Self::Game(game) => game_title(game),
            Self::Computer(game) => about("{game} against the computer", game),
            Self::OneScreen(game) => about("{game} on one screen", game),
            Self::Analysis(game) => about("{game}: analysis", game),
            Self::Friend(game) => about("{game} with a friend", game),
            Self::QuickMatch(game) => about("{game}: quick match", game),
            Self::Replay(replay) | Self::EmbeddedReplay(replay) => {
                about("{game}: replay", &replay.game)
            }
            Self::History => say("Your games"),
            Self::Table(_) | Self::EmbeddedTable(_) => say("Table"),
            Self::Puzzle => say("Puzzle of the day"),
            Self::Watch => say("Watch"),
            Self::NotFound => say("Page not found"),
        }
    }
}

/// Whether pages of other sites may show the document at this path in a frame, also where there is nothing.
pub(crate) fn is_framed_path(path: &str) -> bool {
    path.strip_prefix("/embed").is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a text can be the name of a game, with its parameters.
fn is_game_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-:,_@".contains(&byte);
    (1..=128).contains(&text.len()) && text.bytes().all(is_plain)
}

fn is_id(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=64).contains(&text.len()) && text.bytes().all(is_plain)
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (place, game) = match self {
            Self::Home | Self::NotFound => return f.write_str("/"),
            Self::Watch => return f.write_str("/play/watch"),
            Self::History => return f.write_str("/play/history"),
            Self::Table(id) => return write!(f, "/t/{id}"),
            Self::Puzzle => return f.write_str("/play/puzzle"),
            Self::EmbeddedTable(id) => return write!(f, "/embed/t/{id}"),
            Self::EmbeddedReplay(address) => {
                return write!(f, "/embed{}", Self::Replay(address.clone()));
            }
            Self::Replay(ReplayAddress { game, plies, ply }) => {
                write!(f, "/play/replay/{game}/{plies}")?;
                return ply.map_or(Ok(()), |ply| write!(f, "/{ply}"));
            }
            Self::Game(game) => return write!(f, "/play/game/{game}"),
            Self::Computer(game) => ("computer", game),
            Self::OneScreen(game) => ("one-screen", game),
            Self::Analysis(game) => ("analyse", game),
            Self::Friend(game) => ("friend", game),
            Self::QuickMatch(game) => ("anybody", game),
        };
        match game.as_str() {
            USUAL_GAME => write!(f, "/play/{place}"),
            game => write!(f, "/play/{place}/{game}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_is_read_from_its_own_address() {
        let routes = [
            Route::Home,
            Route::Game(USUAL_GAME.to_owned()),
            Route::Computer(USUAL_GAME.to_owned()),
            Route::Computer("mnk:6,5,4".to_owned()),
            Route::OneScreen("connect-four".to_owned()),
            Route::Analysis(USUAL_GAME.to_owned()),
            Route::Analysis("connect-four".to_owned()),
            Route::Friend(USUAL_GAME.to_owned()),
            Route::QuickMatch("ultimate".to_owned()),
            Route::Replay(ReplayAddress {
                game: "pig".to_owned(),
                plies: "roll.~4".to_owned(),
                ply: None,
            }),
            Route::Replay(ReplayAddress {
                game: USUAL_GAME.to_owned(),
                plies: "a1.b2".to_owned(),
                ply: Some(1),
            }),
            Route::History,
            Route::Watch,
            Route::Table("aB3_-".to_owned()),
            Route::Puzzle,
            Route::EmbeddedTable("aB3_-".to_owned()),
            Route::EmbeddedReplay(ReplayAddress {
                game: USUAL_GAME.to_owned(),
                plies: "a1.b2".to_owned(),
                ply: Some(1),
            }),
        ];
        for route in routes {
            assert_eq!(Route::parse(&route.to_string()), route);
        }
    }

    #[test]
    fn every_view_has_a_title_of_its_own() {
        let title = |path: &str| Route::parse(path).title();
        assert_eq!(title("/"), "Cat’s Cradle");
        assert_eq!(title("/play/computer"), "Tic-tac-toe against the computer · Cat’s Cradle");
        assert_eq!(title("/play/one-screen/pig"), "Pig on one screen · Cat’s Cradle");
        assert_eq!(title("/play/analyse"), "Tic-tac-toe: analysis · Cat’s Cradle");
        assert_eq!(title("/play/dead"), "Page not found · Cat’s Cradle");
        assert_eq!(title("/play/puzzle"), "Puzzle of the day · Cat’s Cradle");
    }

    #[test]
    fn only_tables_and_replays_are_embedded() {
        assert!(Route::parse("/embed/t/a").is_embedded());
        assert!(Route::parse("/embed/play/replay/pig/roll").is_embedded());
        assert!(!Route::parse("/t/a").is_embedded());
    }

    #[test]
    fn every_address_that_begins_with_embed_is_in_a_frame_and_no_other() {
        for path in ["/embed", "/embed/", "/embed/t/a", "/embed/moon", "/embed/play/computer"] {
            assert!(is_framed_path(path), "{path}");
        }
        for path in ["/", "/t/embed", "/t/a", "/embedded", "/play/replay/pig/roll"] {
            assert!(!is_framed_path(path), "{path}");
        }
    }

    #[test]
    fn any_other_address_is_not_found() {
        for path in [
            "/moon",
            "/t/",
            "/t/a/b",
            "/t/<b>",
            "/play/dead",
            "/play/game",
            "/play/watch/pig",
            "/embed",
            "/embed/play/computer",
            "/embed/embed/t/a",
            "/play/replay/pig",
            "/play/replay/pig/roll/x",
            "/play/replay/pig/<b>",
            "/play/computer/a/b",
            "/play/computer/<b>",
        ] {
            assert_eq!(Route::parse(path), Route::NotFound, "{path}");
        }
    }
}
