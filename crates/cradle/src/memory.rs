//! The memory of the process.

use std::fs::read_to_string;

/// The peak memory of this process in bytes, where the system reports it.
pub(crate) fn peak() -> Option<u64> {
    peak_of(&read_to_string("/proc/self/status").ok()?)
}

/// The peak in Linux's report on a process.
fn peak_of(status: &str) -> Option<u64> {
    let value = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = value.trim().strip_suffix("kB")?.trim_end().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read_from_the_report_of_linux() {
        let status = "Name:\tcradle\nVmPeak:\t    9000 kB\nVmHWM:\t    5420 kB\nVmRSS:\t 5000 kB\n";
        assert_eq!(peak_of(status), Some(5420 * 1024));
    }

    #[test]
    fn without_a_report_the_peak_is_unknown() {
        for status in ["", "Name:\tcradle\n", "VmHWM:\t\n", "VmHWM:\t many kB\n"] {
            assert_eq!(peak_of(status), None, "{status}");
        }
    }
}
