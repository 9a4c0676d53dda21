//! Colours in printed text.

use std::env::var_os;
use std::ffi::OsString;
use std::io::{IsTerminal, stdout};

/// Whether text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    /// For files and pipes, and for people who want no colours.
    Plain,
    /// For terminals.
    Coloured,
}

/// What a text is, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Good,
    Bad,
    Open,
    Fresh,
    Strong,
}

impl Paint {
    /// Colours only on a terminal that has them, unless `NO_COLOR` is set (<https://no-color.org>).
    pub(crate) fn of_standard_output() -> Self {
        if stdout().is_terminal() { Self::of_terminal(|name| var_os(name)) } else { Self::Plain }
    }

    fn of_terminal(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let is_unwanted = variable("NO_COLOR").is_some_and(|value| !value.is_empty());
        let has_none = variable("TERM").is_some_and(|terminal| terminal == "dumb");
        if is_unwanted || has_none { Self::Plain } else { Self::Coloured }
    }

    /// The text in its colour.
    pub(crate) fn paint(self, tone: Tone, text: &str) -> String {
        let code = match tone {
            Tone::Good => "1;32",
            Tone::Bad => "1;31",
            Tone::Open => "1;33",
            Tone::Fresh => "1;36",
            Tone::Strong => "1",
        };
        match self {
            Self::Plain => text.to_owned(),
            Self::Coloured => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(variables: &[(&str, &str)], expected: Paint) {
        let value = |name: &str| variables.iter().find(|(known, _)| *known == name);
        assert_eq!(Paint::of_terminal(|name| value(name).map(|(_, text)| text.into())), expected);
    }

    #[test]
    fn terminals_have_colours() {
        check(&[], Paint::Coloured);
        check(&[("TERM", "xterm"), ("NO_COLOR", "")], Paint::Coloured);
    }

    #[test]
    fn no_color_means_no_colours() {
        check(&[("TERM", "xterm"), ("NO_COLOR", "1")], Paint::Plain);
    }

    #[test]
    fn a_dumb_terminal_has_no_colours() {
        check(&[("TERM", "dumb")], Paint::Plain);
    }

    #[test]
    fn plain_text_stays_as_it_is() {
        assert_eq!(Paint::Plain.paint(Tone::Bad, "violated"), "violated");
    }

    #[test]
    fn coloured_text_ends_its_colour() {
        assert_eq!(Paint::Coloured.paint(Tone::Bad, "violated"), "\x1b[1;31mviolated\x1b[0m");
    }
}
