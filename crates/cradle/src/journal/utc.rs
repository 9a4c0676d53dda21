//! Times for people.

/// A time in milliseconds since 1970 as `2026-11-16 14:05:09`, in UTC.
pub(super) fn utc(milliseconds: u64) -> String {
    let seconds = milliseconds / 1_000;
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
}

/// The date of a day since 1970, by Howard Hinnant's `civil_from_days`: years begin in March, so that the
/// day that a leap year adds is the last one.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01 00:00:00"),
            (951_782_399, "2000-02-28 23:59:59"),
            (951_782_400, "2000-02-29 00:00:00"),
            (1_709_210_096, "2024-02-29 12:34:56"),
            (1_709_251_200, "2024-03-01 00:00:00"),
            (4_107_542_400, "2100-03-01 00:00:00"),
            (1_798_761_599, "2026-12-31 23:59:59"),
        ] {
            assert_eq!(utc(seconds * 1_000), expected);
        }
    }
}
