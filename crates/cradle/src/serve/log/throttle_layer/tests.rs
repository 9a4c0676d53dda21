use std::io;
use std::sync::Mutex;
use std::time::Duration;

use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt as _;

use super::*;

/// A log in memory.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs with a log in memory, and returns its lines as JSON.
fn logged(access_lines: u32, run: impl FnOnce(&Throttle)) -> Vec<serde_json::Value> {
    let throttle = Arc::new(Throttle::new(access_lines));
    let lines = Lines::default();
    let writer = lines.clone();
    let layer = fmt::layer().with_writer(move || writer.clone()).json().flatten_event(true);
    let registry = tracing_subscriber::registry();
    let log = registry.with(ThrottleLayer(Arc::clone(&throttle))).with(layer);
    tracing::subscriber::with_default(log, || run(&throttle));
    let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn counts(lines: &[serde_json::Value]) -> u64 {
    lines.iter().filter_map(|line| line["count"].as_u64()).sum()
}

fn later(seconds: u64) -> Instant {
    Instant::now() + Duration::from_secs(seconds)
}

#[test]
fn ten_thousand_equal_errors_are_few_lines_and_the_count_is_exact() {
    let lines = logged(0, |throttle| {
        for table in 0..10_000 {
            if table == 7_000 {
                report(throttle.due(later(11)));
            }
            tracing::error!(table, error = "the disk is full", "a batch was not written");
        }
        report(throttle.all());
        report(throttle.all());
    });
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert_eq!(lines[0]["message"], "a batch was not written");
    assert_eq!(lines[1]["message"], "repeated: a batch was not written: the disk is full");
    assert_eq!((&lines[1]["count"], &lines[1]["level"]), (&6_999.into(), &"ERROR".into()));
    assert_eq!(counts(&lines) + 1, 10_000);
}

#[test]
fn different_errors_of_one_place_are_different_lines_up_to_a_bound() {
    let lines = logged(0, |throttle| {
        for number in 0..2_000 {
            tracing::warn!(error = format!("problem {number}"), "it failed");
        }
        report(throttle.all());
    });
    assert!(lines.len() < 300, "{}", lines.len());
    let written = lines.iter().filter(|line| line["count"].is_null()).count() as u64;
    assert_eq!(written + counts(&lines), 2_000);
}

#[test]
fn an_error_that_comes_back_after_a_while_is_written_again() {
    let lines = logged(0, |throttle| {
        for seconds in [0, 11, 22] {
            assert_eq!(throttle.due(later(seconds)), []);
            tracing::warn!("it failed");
        }
    });
    assert_eq!(lines.len(), 3, "{lines:?}");
}

#[test]
fn a_burst_of_access_lines_is_bounded_and_counted() {
    let lines = logged(100, |throttle| {
        for request in 0..5_000 {
            tracing::info!(target: "access", request, "request");
        }
        report(throttle.due(later(2)));
        tracing::info!(target: "access", request = 5_000, "request");
        report(throttle.all());
    });
    assert_eq!(lines.len(), 100 + 1 + 1, "{lines:?}");
    assert_eq!(counts(&lines), 4_900);
}

#[test]
fn other_lines_are_always_written() {
    let lines = logged(0, |_| (0..50).for_each(|number| tracing::info!(number, "old tables")));
    assert_eq!(lines.len(), 50);
}
