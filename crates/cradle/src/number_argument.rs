//! Numbers as arguments.

use std::fmt::Display;
use std::str::FromStr;

/// A parser for whole numbers in a range, whose refusal says what to write.
pub(crate) fn number<N>(
    least: N,
    most: N,
) -> impl Fn(&str) -> Result<N, String> + Clone + Send + Sync + 'static
where
    N: FromStr + PartialOrd + Copy + Display + Send + Sync + 'static,
{
    move |words| {
        let read = words.parse().ok().filter(|number| (least..=most).contains(number));
        read.ok_or_else(|| format!("write a whole number from {least} to {most}"))
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_in_the_range_are_read() {
        assert_eq!(["1", "7", "256"].map(number(1_u16, 256)), [Ok(1), Ok(7), Ok(256)]);
    }

    #[test]
    fn other_words_are_answered_with_what_to_write() {
        for words in ["", "0", "257", "-1", "1.5", "ten", "99999999999999999999"] {
            let expected = Err("write a whole number from 1 to 256".to_owned());
            assert_eq!(number(1_u16, 256)(words), expected, "{words}");
        }
    }
}
