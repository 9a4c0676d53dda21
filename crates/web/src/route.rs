//! The addresses of the page.

use std::fmt;

/// A place in the page, as its address names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// The menu.
    Home,
    /// A game against the computer, in this browser.
    Computer,
    /// A game of two people on this screen.
    OneScreen,
    /// A new table for a friend.
    Friend,
    /// A quick match with whoever comes next.
    QuickMatch,
    /// The list of tables to watch or join.
    Watch,
    /// A table on the server.
    Table(String),
    /// An address that the page does not have.
    NotFound,
}

impl Route {
    /// Reads the path of an address.
    pub(crate) fn parse(path: &str) -> Self {
        match path.trim_end_matches('/') {
            "" => Self::Home,
            "/play/computer" => Self::Computer,
            "/play/one-screen" => Self::OneScreen,
            "/play/friend" => Self::Friend,
            "/play/anybody" => Self::QuickMatch,
            "/play/watch" => Self::Watch,
            other => match other.strip_prefix("/t/") {
                Some(id) if is_id(id) => Self::Table(id.to_owned()),
                _ => Self::NotFound,
            },
        }
    }

    /// The title of the document.
    pub(crate) fn title(&self) -> &'static str {
        match self {
            Self::Home => "Cat’s Cradle",
            Self::Computer => "Against the computer · Cat’s Cradle",
            Self::OneScreen => "Two on one screen · Cat’s Cradle",
            Self::Friend | Self::QuickMatch | Self::Table(_) => "Table · Cat’s Cradle",
            Self::Watch => "Watch · Cat’s Cradle",
            Self::NotFound => "Page not found · Cat’s Cradle",
        }
    }
}

fn is_id(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=64).contains(&text.len()) && text.bytes().all(is_plain)
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Home | Self::NotFound => f.write_str("/"),
            Self::Computer => f.write_str("/play/computer"),
            Self::OneScreen => f.write_str("/play/one-screen"),
            Self::Friend => f.write_str("/play/friend"),
            Self::QuickMatch => f.write_str("/play/anybody"),
            Self::Watch => f.write_str("/play/watch"),
            Self::Table(id) => write!(f, "/t/{id}"),
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
            Route::Computer,
            Route::OneScreen,
            Route::Friend,
            Route::QuickMatch,
            Route::Watch,
            Route::Table("aB3_-".to_owned()),
        ];
        for route in routes {
            assert_eq!(Route::parse(&route.to_string()), route);
        }
    }

    #[test]
    fn any_other_address_is_not_found() {
        for path in ["/moon", "/t/", "/t/a/b", "/t/<b>", "/play/dead"] {
            assert_eq!(Route::parse(path), Route::NotFound, "{path}");
        }
    }
}
