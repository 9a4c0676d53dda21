//! Links to the lab: the rules of a game, one of its b-threads, and a game that is played by them.
//!
//! A link names a built-in game (`#game=mnk:6,5,4`) or a table (`#table=ID`). `&thread=SquareTaken` leads to
//! that b-thread, `&plies=a1.b2` puts these plies on the board, and `&round=2` those of a round of the
//! table; `&ply=1` shows the board after that many of them.

/// The text of the folder `games` with the rules of a built-in game, and values for its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameText<'a> {
    /// The name of the file, without `.cradle`.
    pub file: &'static str,
    /// The names of its parameters, with other values than those in the file.
    pub values: Vec<(&'static str, &'a str)>,
}

impl<'a> GameText<'a> {
    /// The text of a built-in game; `None` if it has none with these parameters.
    #[must_use]
    pub fn of(game: &'a str) -> Option<Self> {
        let (name, parameters) = match game.split_once(':') {
            Some((name, parameters)) => (name, Some(parameters)),
            None => (game, None),
        };
        let file = match (name, parameters) {
            ("tic-tac-toe", None) => "tic-tac-toe",
            ("misere", None) => "misere",
            ("wild", None) => "wild",
            ("notakto", None) => "notakto",
            ("connect-four", None) => "connect",
            ("ultimate", None) => "ultimate",
            ("pig", None) => {
                return Some(Self { file: "pig-hold", values: vec![("target", "100")] });
            }
            ("pig", Some(target)) if target.bytes().all(|byte| byte.is_ascii_digit()) => {
                return Some(Self { file: "pig-hold", values: vec![("target", target)] });
            }
            ("mnk", Some(size)) => {
                let names = ["columns", "rows", "length"].into_iter();
                let values: Vec<_> = names.zip(size.split(',')).collect();
                return (values.len() == 3).then_some(Self { file: "mnk", values });
            }
            _ => return None,
        };
        Some(Self { file, values: Vec::new() })
    }

    /// The text of the file with the other values in it.
    #[must_use]
    pub fn filled(&self, text: &str) -> String {
        let line = |line: &str| {
            let value = self.values.iter().find(|(name, _)| {
                let rest = line.strip_prefix("parameter ").and_then(|rest| rest.strip_prefix(name));
                rest.is_some_and(|rest| rest.starts_with(" ="))
            });
            match value {
                Some((name, value)) => format!("parameter {name} = {value}\n"),
                None => format!("{line}\n"),
            }
        };
        text.lines().map(line).collect()
    }
}

/// The link to the rules of a built-in game; `None` if they are not written as text.
#[must_use]
pub fn to_game(game: &str) -> Option<String> {
    GameText::of(game).map(|_text| format!("/lab#game={game}"))
}

/// The link to the text of a b-thread of a built-in game: `SquareTaken(b2)` leads to its family. `None` if
/// the text does without it.
#[must_use]
pub fn to_thread(game: &str, thread: &str) -> Option<String> {
    let text = GameText::of(game)?;
    let family = thread.split_once('(').map_or(thread, |(family, _)| family);
    let family = match (text.file, family) {
        // One family of the text, with the seat as a parameter.
        ("tic-tac-toe", "DetectXWin" | "DetectOWin") => "DetectWin",
        ("mnk", "ExtendLine" | "StopLine" | "DefaultMoves") | ("notakto", "DetectDraw") => {
            return None;
        }
        (_, family) => family,
    };
    Some(format!("/lab#game={game}&thread={family}"))
}

/// The link to the text of a b-thread of a table whose rules are a text.
#[must_use]
pub fn to_table_thread(table: &str, thread: &str) -> String {
    let family = thread.split_once('(').map_or(thread, |(family, _)| family);
    format!("/lab#table={table}&thread={family}")
}

/// The link to a game by these rules, as [`GameReplay::write`](crate::replay::GameReplay::write) writes its
/// plies, after a number of them.
#[must_use]
pub fn to_plies(rules: &str, plies: &str, ply: usize) -> String {
    format!("{rules}&plies={plies}&ply={ply}")
}

/// The link to a round of a table whose rules are a text, after a number of plies.
#[must_use]
pub fn to_round(table: &str, round: u32, ply: u32) -> String {
    format!("/lab#table={table}&round={round}&ply={ply}")
}

/// What a link to the lab opens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RulesLink {
    /// The built-in game.
    pub game: Option<String>,
    /// The table.
    pub table: Option<String>,
    /// The family of the b-thread.
    pub thread: Option<String>,
    /// The plies.
    pub plies: Option<String>,
    /// The round of the table.
    pub round: Option<u32>,
    /// The number of plies before the position that is shown; `None` for all.
    pub ply: Option<usize>,
}

impl RulesLink {
    /// Reads the fragment of an address, with or without `#`. What it does not know it ignores.
    #[must_use]
    pub fn read(fragment: &str) -> Self {
        let mut link = Self::default();
        for part in fragment.trim_start_matches('#').split('&').take(MOST_PARTS) {
            let Some((name, value)) = part.split_once('=').filter(|(_, value)| is_plain(value))
            else {
                continue;
            };
            let text = || Some(value.to_owned());
            match name {
                "game" => link.game = text(),
                "table" if is_id(value) => link.table = text(),
                "thread" => link.thread = text(),
                "plies" => link.plies = text(),
                "round" => link.round = value.parse().ok(),
                "ply" => link.ply = value.parse().ok(),
                _ => {}
            }
        }
        link
    }
}

/// The most parts of a link that are read, and the longest id of a table and value.
const MOST_PARTS: usize = 8;
const LONGEST_ID: usize = 64;
const LONGEST_VALUE: usize = 4_096;

fn is_id(value: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    value.len() <= LONGEST_ID && value.bytes().all(is_plain)
}

fn is_plain(value: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_:,.+~@".contains(&byte);
    (1..=LONGEST_VALUE).contains(&value.len()) && value.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_read_as_it_was_written() {
        let link = to_game("mnk:6,5,4").expect("its rules are a text");
        let link = to_plies(&link, "a1.b2", 1);
        let read = RulesLink::read(link.strip_prefix("/lab").unwrap());
        assert_eq!(read.game.as_deref(), Some("mnk:6,5,4"));
        let thread = to_thread("mnk:6,5,4", "SquareTaken(b2)").unwrap();
        let thread = RulesLink::read(thread.strip_prefix("/lab").unwrap()).thread;
        assert_eq!(thread.as_deref(), Some("SquareTaken"));
        assert_eq!(to_thread("mnk:6,5,4", "StopLine(1)"), None, "its text has no strategies");
        assert_eq!((read.plies.as_deref(), read.ply), (Some("a1.b2"), Some(1)));
        let round = RulesLink::read(to_round("aB3_-", 2, 7).strip_prefix("/lab").unwrap());
        assert_eq!((round.table.as_deref(), round.round), (Some("aB3_-"), Some(2)));
        assert_eq!(round.ply, Some(7));
        let own = to_table_thread("aB3_-", "Bridge(X, {a1 a2})");
        let own = RulesLink::read(own.strip_prefix("/lab").unwrap());
        assert_eq!((own.table.as_deref(), own.thread.as_deref()), (Some("aB3_-"), Some("Bridge")));
    }

    #[test]
    fn what_is_no_part_of_a_link_is_ignored() {
        let long = format!("#table={}", "a".repeat(65));
        for fragment in ["", "#moon", "#table=", "#table=<b>", "#game=a%20b", "#ply=x", &long] {
            assert_eq!(RulesLink::read(fragment), RulesLink::default(), "{fragment}");
        }
    }

    #[test]
    fn games_without_a_text_have_no_link() {
        for game in [
            "kuhn-poker",
            "odds-and-evens",
            "pig:50,difference",
            "misere:4,4,3",
            "mnk:6,5",
            "nim@12",
        ] {
            assert_eq!(to_game(game), None, "{game}");
        }
    }

    #[test]
    fn parameters_of_a_game_are_those_of_its_text() {
        let text = GameText::of("mnk:4,3,3").unwrap();
        let filled =
            text.filled("game mnk\nparameter columns = 6\nparameter rows = 5\nseats X, O\n");
        assert_eq!(filled, "game mnk\nparameter columns = 4\nparameter rows = 3\nseats X, O\n");
        for (game, target) in [("pig", "100"), ("pig:50", "50")] {
            let filled = GameText::of(game).unwrap().filled("parameter target = 10\n");
            assert_eq!(filled, format!("parameter target = {target}\n"));
        }
    }
}
