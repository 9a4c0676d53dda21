//! Parameters that are given from outside.

/// A parameter of a text, and its value: `n=9`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenParameter {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: i64,
}

/// A text that is no parameter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no parameter: write a name and a number from 0 to 1000000, as in n=9")]
pub struct NotAParameter {
    /// The text.
    pub text: String,
}

/// The largest value of a parameter.
const LARGEST: i64 = 1_000_000;

impl std::str::FromStr for GivenParameter {
    type Err = NotAParameter;

    fn from_str(text: &str) -> Result<Self, NotAParameter> {
        let read = || {
            let (name, value) = text.split_once('=')?;
            let value: i64 = value.trim().parse().ok()?;
            let is_small = (0..=LARGEST).contains(&value);
            is_small.then(|| Self { name: name.trim().to_owned(), value })
        };
        read().ok_or_else(|| NotAParameter { text: text.to_owned() })
    }
}
