//! Lengths of time as people write them: `90d`, `36h`, `90m`.

use std::time::Duration;

use anyhow::{Context, bail};

/// The most days: more than anybody keeps anything.
const MOST_DAYS: u64 = 36_500;

/// Reads a length of time in days, hours or minutes.
///
/// # Errors
/// If the text is not a whole number with the letter of its unit.
pub(crate) fn parse(text: &str) -> anyhow::Result<Duration> {
    let minutes = [("d", 24 * 60), ("h", 60), ("m", 1)];
    let found = minutes
        .iter()
        .find_map(|(letter, minutes)| Some((text.strip_suffix(letter)?, *minutes)))
        .and_then(|(number, minutes)| Some((number.parse::<u64>().ok()?, minutes)));
    let (number, minutes) = found.with_context(|| {
        format!("{text:?} is not a time in days, hours or minutes, as in 90d, 36h or 90m")
    })?;
    match number.checked_mul(minutes) {
        Some(minutes) if minutes <= MOST_DAYS * 24 * 60 => Ok(Duration::from_secs(minutes * 60)),
        _ => bail!("{text} is too long: write at most {MOST_DAYS}d"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_hours_and_minutes_are_read() {
        for (text, hours) in [("90d", 90 * 24), ("36h", 36), ("120m", 2), ("0d", 0)] {
            assert_eq!(parse(text).unwrap(), Duration::from_hours(hours), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "d", "90", "-1d", "1.5h", "9 d", "1w", "+d", "9dd", "d9"] {
            let message = parse(text).unwrap_err().to_string();
            assert!(message.ends_with("as in 90d, 36h or 90m"), "{message}");
        }
        for text in ["36501d", "18446744073709551615d"] {
            assert!(parse(text).unwrap_err().to_string().ends_with("at most 36500d"), "{text}");
        }
    }
}
