//! Numbers for people.

/// A count with separated thousands: `1,234,567`.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count of things: `1 case`, `2 cases`.
pub(crate) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// A time: `0.42 ms`, `17.3 ms`, `2.50 s`.
pub(crate) fn time(seconds: f64) -> String {
    match seconds {
        ..0.01 => format!("{:.2} ms", seconds * 1e3),
        ..1.0 => format!("{:.1} ms", seconds * 1e3),
        _ => format!("{seconds:.2} s"),
    }
}

/// A size of memory: `5.3 MiB`.
pub(crate) fn memory(bytes: u64) -> String {
    // Tenths of a mebibyte, rounded.
    let tenths = (u128::from(bytes) * 10 + (1 << 19)) >> 20;
    format!("{}.{} MiB", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        let texts = [0, 999, 1_000, 123_456, u64::MAX].map(count);
        assert_eq!(texts, ["0", "999", "1,000", "123,456", "18,446,744,073,709,551,615"]);
    }

    #[test]
    fn one_thing_is_singular() {
        assert_eq!(
            [0, 1, 1_000].map(|n| counted(n, "case", "cases")),
            ["0 cases", "1 case", "1,000 cases"]
        );
    }

    #[test]
    fn short_times_are_in_milliseconds() {
        assert_eq!([0.000_42, 0.017_34, 2.5].map(time), ["0.42 ms", "17.3 ms", "2.50 s"]);
    }

    #[test]
    fn memory_is_in_mebibytes() {
        let texts = [0, 5_557_452, 1 << 30, u64::MAX].map(memory);
        assert_eq!(texts, ["0.0 MiB", "5.3 MiB", "1024.0 MiB", "17592186044416.0 MiB"]);
    }
}
