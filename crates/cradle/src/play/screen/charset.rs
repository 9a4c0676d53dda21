//! The characters that a terminal can show.

use std::ffi::OsString;

use clap::ValueEnum;
use ratatui::buffer::Buffer;

/// The characters that a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::play) enum Charset {
    Ascii,
    Unicode,
}

impl Charset {
    /// Unicode if the locale is UTF-8, except on the Linux console, whose font lacks our marks.
    pub(in crate::play) fn of_terminal(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let is_set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let locale = is_set("LC_ALL").or_else(|| is_set("LC_CTYPE")).or_else(|| is_set("LANG"));
        let locale = locale.unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let is_utf8 = locale.contains("utf-8") || locale.contains("utf8");
        let is_linux_console = is_set("TERM").is_some_and(|terminal| terminal == "linux");
        if is_utf8 && !is_linux_console { Self::Unicode } else { Self::Ascii }
    }

    /// Replaces the characters that the terminal cannot show.
    pub(super) fn restrict(self, buffer: &mut Buffer) {
        if self == Self::Unicode {
            return;
        }
        for cell in buffer.content.iter_mut().filter(|cell| !cell.symbol().is_ascii()) {
            let symbol = ascii(cell.symbol());
            cell.set_symbol(symbol);
        }
    }
}

/// The ASCII character nearest to a symbol.
fn ascii(symbol: &str) -> &'static str {
    match symbol {
        "─" => "-",
        "━" => "=",
        "│" | "▌" | "▏" => "|",
        "┃" => "H",
        "┼" | "╂" | "┿" | "╋" | "┏" | "┓" | "┗" | "┛" | "╭" | "╮" | "╰" | "╯" => {
            "+"
        }
        "█" | "▀" | "▄" => "#",
        "•" => "*",
        "·" | "…" => ".",
        "←" => "<",
        "↑" => "^",
        "↓" => "v",
        "▸" | "→" => ">",
        "×" => "x",
        _ => "?",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(variables: &[(&str, &str)], expected: Charset) {
        let value = |name: &str| variables.iter().find(|(known, _)| *known == name);
        let found = Charset::of_terminal(|name| value(name).map(|(_, text)| text.into()));
        assert_eq!(found, expected, "{variables:?}");
    }

    #[test]
    fn a_utf8_locale_means_unicode() {
        check(&[("LANG", "en_GB.UTF-8"), ("TERM", "xterm-256color")], Charset::Unicode);
        check(&[("LANG", "C"), ("LC_CTYPE", "C.utf8")], Charset::Unicode);
        check(&[("LANG", "C"), ("LC_ALL", ""), ("LC_CTYPE", "C.UTF-8")], Charset::Unicode);
    }

    #[test]
    fn any_other_locale_means_ascii() {
        check(&[], Charset::Ascii);
        check(&[("LANG", "de_DE.ISO-8859-1")], Charset::Ascii);
        check(&[("LANG", "en_GB.UTF-8"), ("LC_ALL", "C")], Charset::Ascii);
    }

    #[test]
    fn the_linux_console_means_ascii() {
        check(&[("LANG", "en_GB.UTF-8"), ("TERM", "linux")], Charset::Ascii);
    }
}
