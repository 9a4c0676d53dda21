//! Breaks text into lines.

/// The columns of every usual terminal.
pub(crate) const WIDTH: usize = 80;

const NO_BREAK: &str = "\u{a0}";

/// The words with spaces at which [`wrapped`] does not break.
pub(crate) fn together(words: &str) -> String {
    words.replace(' ', NO_BREAK)
}

/// The text in lines of at most this width, broken between words. A longer word has its own line.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if length(line) + 1 + length(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.into_iter().map(|line| line.replace(NO_BREAK, " ")).collect()
}

/// The number of columns of a text.
pub(crate) fn length(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_broken_between_words() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("one two three", 6), ["one", "two", "three"]);
    }

    #[test]
    fn a_long_word_has_its_own_line() {
        assert_eq!(wrapped("a PreventAnotherXFork b", 5), ["a", "PreventAnotherXFork", "b"]);
    }

    #[test]
    fn words_can_be_kept_together() {
        let text = format!("one {}", together("two three"));
        assert_eq!(wrapped(&text, 9), ["one", "two three"]);
        assert_eq!(wrapped(&text, 7), ["one", "two three"]);
    }

    #[test]
    fn no_text_is_no_line() {
        assert!(wrapped("", 5).is_empty());
    }
}
