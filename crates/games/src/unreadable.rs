//! Texts that cannot be read.

use std::fmt;

/// A text that is not what was expected.
///
/// ```
/// use games::connect_four::Column;
///
/// let unreadable = "z9".parse::<Column>().unwrap_err();
/// assert_eq!(unreadable.to_string(), r#""z9" is not a column: write a to g or 1 to 7"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The text.
    pub text: String,
    /// What was expected, and how to write it.
    pub expected: &'static str,
}

impl Unreadable {
    /// The text, and what was expected instead: `a column: write a to g or 1 to 7`.
    ///
    /// ```
    /// use games::Unreadable;
    ///
    /// let unreadable = Unreadable::new("z9", "a hole: write 1 to 6");
    /// assert_eq!(unreadable.to_string(), r#""z9" is not a hole: write 1 to 6"#);
    /// ```
    #[must_use]
    pub fn new(text: &str, expected: &'static str) -> Self {
        Self { text: text.to_owned(), expected }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not {}", self.text, self.expected)
    }
}

impl std::error::Error for Unreadable {}
