//! What the system knows about this process.

use std::fmt;
use std::fs::{read_dir, read_to_string};
use std::time::{SystemTime, UNIX_EPOCH};

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Unit;

/// Reads the measurements of this process that Linux keeps, under the names that Prometheus'
/// libraries use. Where the system does not report one, it is missing.
#[derive(Debug)]
pub(super) struct ProcessCollector {
    /// In seconds since 1970.
    started_at: f64,
}

/// Linux reports processor time in hundredths of a second, whatever the kernel counts in.
const TICKS_PER_SECOND: f64 = 100.0;

impl ProcessCollector {
    /// The collector of a process that starts now.
    pub(super) fn new() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { started_at: since.as_secs_f64() }
    }
}

impl Collector for ProcessCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let started = ConstGauge::new(self.started_at);
        let help = "When the server was started, in seconds since 1970";
        metric(&mut encoder, "process_start_time", help, Some(&Unit::Seconds), &started)?;
        let status = read_to_string("/proc/self/status").unwrap_or_default();
        for (name, help, field) in [
            ("process_resident_memory", "Memory in use", "VmRSS:"),
            ("process_resident_memory_peak", "The most memory that was in use", "VmHWM:"),
            ("process_virtual_memory", "Address space in use", "VmSize:"),
        ] {
            if let Some(bytes) = bytes_of(&status, field) {
                metric(&mut encoder, name, help, Some(&Unit::Bytes), &ConstGauge::new(bytes))?;
            }
        }
        if let Some(threads) = number_of(&status, "Threads:") {
            let help = "Threads of the process";
            metric(&mut encoder, "process_threads", help, None, &ConstGauge::new(threads))?;
        }
        if let Some(seconds) = cpu_seconds(&read_to_string("/proc/self/stat").unwrap_or_default()) {
            let (help, unit) = ("Processor time in use", Some(&Unit::Seconds));
            metric(&mut encoder, "process_cpu", help, unit, &ConstCounter::new(seconds))?;
        }
        if let Ok(files) = read_dir("/proc/self/fd") {
            let files = i64::try_from(files.count()).unwrap_or(i64::MAX);
            let help = "Open files and sockets";
            metric(&mut encoder, "process_open_fds", help, None, &ConstGauge::new(files))?;
        }
        Ok(())
    }
}

fn metric(
    encoder: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    unit: Option<&Unit>,
    value: &impl EncodeMetric,
) -> fmt::Result {
    value.encode(encoder.encode_descriptor(name, help, unit, value.metric_type())?)
}

/// A number of bytes in Linux's report on a process, which has kibibytes.
fn bytes_of(status: &str, field: &str) -> Option<i64> {
    number_of(status, field)?.checked_mul(1_024)
}

fn number_of(status: &str, field: &str) -> Option<i64> {
    let value = status.lines().find_map(|line| line.strip_prefix(field))?;
    value.split_whitespace().next()?.parse().ok()
}

/// The processor time in `/proc/self/stat`: the 14th and the 15th field. The second one is the name of
/// the program, in parentheses, and may contain spaces.
fn cpu_seconds(stat: &str) -> Option<f64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut times = fields.split_whitespace().skip(11).map(str::parse::<f64>);
    let (user, system) = (times.next()?.ok()?, times.next()?.ok()?);
    Some((user + system) / TICKS_PER_SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reports_of_linux_are_read() {
        let status = "Name:\tcradle\nVmHWM:\t    5420 kB\nVmRSS:\t 5000 kB\nThreads:\t7\n";
        assert_eq!(bytes_of(status, "VmRSS:"), Some(5_120_000));
        assert_eq!(number_of(status, "Threads:"), Some(7));
        assert_eq!(bytes_of(status, "VmSize:"), None);
        let stat = "12 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 150 50 0 0 20 0 7 0 1 2 3";
        assert_eq!(cpu_seconds(stat), Some(2.0));
        assert_eq!(cpu_seconds("12 (a"), None);
    }
}
