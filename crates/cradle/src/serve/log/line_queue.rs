//! The queue of log lines: a slow reader of the log delays nobody.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// The most lines that wait to be written. Further ones are lost and counted.
const CAPACITY: usize = 4_096;

/// The most bytes of a line. The rest is cut off.
const MAX_LINE: usize = 8_192;

/// A bounded queue to the thread that writes. Writing to it never blocks and never fails.
#[derive(Clone)]
pub(super) struct LineQueue {
    sender: SyncSender<QueuedLine>,
    lost: Arc<AtomicU64>,
}

enum QueuedLine {
    Line(Vec<u8>),
    /// Everything before it is written when this is answered.
    Mark(SyncSender<()>),
}

impl LineQueue {
    /// Starts the thread that writes. In each period it calls `tick` with the number of lines that were
    /// lost since the last call.
    pub(super) fn start(
        output: impl Write + Send + 'static,
        period: Duration,
        tick: impl FnMut(u64) + Send + 'static,
    ) -> io::Result<Self> {
        let (sender, receiver) = sync_channel(CAPACITY);
        let lost = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&lost);
        let run = move || write_lines(&receiver, output, period, &counter, tick);
        thread::Builder::new().name("log".to_owned()).spawn(run)?;
        Ok(Self { sender, lost })
    }

    /// Waits until all lines so far are written, but no longer than this. Returns whether they are.
    pub(super) fn settle(&self, patience: Duration) -> bool {
        let end = Instant::now() + patience;
        let (mark, marked) = sync_channel(1);
        while self.sender.try_send(QueuedLine::Mark(mark.clone())).is_err() {
            if Instant::now() >= end {
                return false;
            }
            thread::sleep(Duration::from_millis(5));
        }
        marked.recv_timeout(end.saturating_duration_since(Instant::now())).is_ok()
    }
}

impl Write for LineQueue {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let line = match bytes.get(..MAX_LINE) {
            Some(begin) => [begin, b"\n"].concat(),
            None => bytes.to_vec(),
        };
        if self.sender.try_send(QueuedLine::Line(line)).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write_lines(
    receiver: &Receiver<QueuedLine>,
    mut output: impl Write,
    period: Duration,
    lost: &AtomicU64,
    mut tick: impl FnMut(u64),
) {
    let mut next_tick = Instant::now() + period;
    loop {
        match receiver.recv_timeout(next_tick.saturating_duration_since(Instant::now())) {
            // A line that cannot be written is lost.
            Ok(QueuedLine::Line(line)) => drop(output.write_all(&line)),
            Ok(QueuedLine::Mark(mark)) => {
                drop(output.flush());
                // The caller may have given up.
                mark.send(()).unwrap_or_default();
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        if Instant::now() >= next_tick {
            tick(lost.swap(0, Ordering::Relaxed));
            next_tick = Instant::now() + period;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// An output that waits for a permission before each write.
    struct SlowOutput {
        permissions: Receiver<()>,
        written: Arc<Mutex<Vec<u8>>>,
    }

    impl Write for SlowOutput {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            // When the test needs no more delays, it drops the sender.
            self.permissions.recv().unwrap_or_default();
            self.written.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_slow_reader_delays_nobody_and_the_lost_lines_are_counted() {
        let (permit, permissions) = sync_channel(0);
        let written = Arc::new(Mutex::new(Vec::new()));
        let output = SlowOutput { permissions, written: Arc::clone(&written) };
        let (report, reported) = sync_channel(100);
        let tick = move |lost| report.try_send(lost).unwrap_or_default();
        let mut queue = LineQueue::start(output, Duration::from_millis(10), tick).unwrap();
        let count = CAPACITY as u64 + 1_000;
        for _ in 0..count {
            queue.write_all(b"line\n").unwrap();
        }
        assert!(!queue.settle(Duration::ZERO));
        drop(permit);
        assert!(queue.settle(Duration::from_secs(30)));
        let written = String::from_utf8(written.lock().unwrap().clone()).unwrap();
        let lines = written.lines().count() as u64;
        let lost: u64 = loop {
            let lost = reported.recv().unwrap();
            if lost > 0 {
                break lost;
            }
        };
        assert_eq!(lines + lost, count);
        assert!((CAPACITY as u64..=CAPACITY as u64 + 1).contains(&lines), "{lines}");
    }

    #[test]
    fn a_long_line_is_cut() {
        let written = Arc::new(Mutex::new(Vec::new()));
        let (permit, permissions) = sync_channel(0);
        drop(permit);
        let output = SlowOutput { permissions, written: Arc::clone(&written) };
        let mut queue = LineQueue::start(output, Duration::from_secs(1), |_| {}).unwrap();
        queue.write_all(&vec![b'x'; 2 * MAX_LINE]).unwrap();
        queue.write_all(b"next\n").unwrap();
        assert!(queue.settle(Duration::from_secs(30)));
        let written = written.lock().unwrap();
        assert_eq!(written.len(), MAX_LINE + 1 + 5);
        assert!(written.ends_with(b"x\nnext\n"));
    }
}
