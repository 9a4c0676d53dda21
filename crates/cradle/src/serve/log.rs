//! The log of a server, on standard error.

mod line_queue;
mod log_format;
mod throttle;
mod throttle_layer;

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::console;
use line_queue::LineQueue;
pub(crate) use log_format::LogFormat;
use throttle::Throttle;
use throttle_layer::{ThrottleLayer, report};

/// The most access lines per second: strangers must not fill the disk. Further ones are counted.
const ACCESS_LINES: u32 = 200;

/// How often suppressed lines are looked for.
const TICK: Duration = Duration::from_millis(500);

/// How long the last lines may take to be written.
const PATIENCE: Duration = Duration::from_secs(1);

/// The running log. When it is dropped, the last lines are written.
pub(super) struct Log {
    queue: LineQueue,
    throttle: Arc<Throttle>,
}

impl Log {
    /// Sends log lines to standard error that are at least as important as `level`.
    pub(super) fn start(level: &str, format: LogFormat) -> anyhow::Result<Self> {
        let level: LevelFilter = level
            .parse()
            .with_context(|| format!("{level:?} is not a log level: try info or warn"))?;
        let throttle = Arc::new(Throttle::new(ACCESS_LINES));
        let reporting = Arc::clone(&throttle);
        let tick = move |lost| {
            if lost > 0 {
                tracing::warn!(lost, "log lines were lost, because they were not read in time");
            }
            report(reporting.due(Instant::now()));
        };
        let queue = LineQueue::start(console::LossyStderr, TICK, tick)?;
        let writer = queue.clone();
        // A line that cannot be formatted is lost: the library would report it in a way that panics.
        let lines = fmt::layer()
            .with_writer(move || writer.clone())
            .log_internal_errors(false)
            .with_ansi(std::env::var_os("NO_COLOR").is_none() && console::is_error_a_terminal());
        let registry = tracing_subscriber::registry();
        let registry = registry.with(level).with(ThrottleLayer(Arc::clone(&throttle)));
        let started = match format {
            LogFormat::Text => registry.with(lines).try_init(),
            LogFormat::Json => {
                registry.with(lines.json().flatten_event(true).with_span_list(false)).try_init()
            }
        };
        started.map_err(|error| anyhow::anyhow!("logging cannot start: {error}"))?;
        Ok(Self { queue, throttle })
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        report(self.throttle.all());
        // After this time the last lines are lost, because nobody reads them.
        self.queue.settle(PATIENCE);
    }
}
