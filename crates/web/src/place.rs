//! Where in the page a person is.

use std::fmt;

/// Where in the page a person is, as the address of the page says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The menu.
    Home,
    /// Against a computer player, in this browser.
    Computer,
    /// Two people on this screen.
    OneScreen,
    /// A new table for a friend.
    Friend,
    /// A table with whoever comes.
    Anybody,
    /// The tables that can be watched or joined.
    Watch,
    /// A table on the server.
    Table(String),
    /// Nowhere.
    Unknown,
}

impl Place {
    /// The place that a path names.
    #[must_use]
    pub(crate) fn at(path: &str) -> Self {
        match path.trim_end_matches('/') {
            "" => Self::Home,
            "/play/computer" => Self::Computer,
            "/play/one-screen" => Self::OneScreen,
            "/play/friend" => Self::Friend,
            "/play/anybody" => Self::Anybody,
            "/play/watch" => Self::Watch,
            other => match other.strip_prefix("/t/") {
                Some(id) if is_id(id) => Self::Table(id.to_owned()),
                _ => Self::Unknown,
            },
        }
    }
}

fn is_id(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=64).contains(&text.len()) && text.bytes().all(is_plain)
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Home | Self::Unknown => f.write_str("/"),
            Self::Computer => f.write_str("/play/computer"),
            Self::OneScreen => f.write_str("/play/one-screen"),
            Self::Friend => f.write_str("/play/friend"),
            Self::Anybody => f.write_str("/play/anybody"),
            Self::Watch => f.write_str("/play/watch"),
            Self::Table(id) => write!(f, "/t/{id}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_where_its_address_says() {
        let places = [
            Place::Home,
            Place::Computer,
            Place::OneScreen,
            Place::Friend,
            Place::Anybody,
            Place::Watch,
            Place::Table("aB3_-".to_owned()),
        ];
        for place in places {
            assert_eq!(Place::at(&place.to_string()), place);
        }
        for path in ["/moon", "/t/", "/t/a/b", "/t/<b>", "/play/dead"] {
            assert_eq!(Place::at(path), Place::Unknown, "{path}");
        }
    }
}
