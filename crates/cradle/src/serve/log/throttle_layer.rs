//! The throttle as a layer of the log.

use std::collections::hash_map::DefaultHasher;
use std::fmt::{self, Write as _};
use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;
use std::time::Instant;

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

use super::throttle::{ErrorKey, Throttle, Unwritten};

/// The name of access lines.
const ACCESS: &str = "access";

/// The name of lines about lines that were not written. They are always written.
const UNWRITTEN: &str = "unwritten";

/// Leaves out lines that the throttle only counts.
pub(super) struct ThrottleLayer(pub(super) Arc<Throttle>);

impl<S: Subscriber> Layer<S> for ThrottleLayer {
    fn event_enabled(&self, event: &Event<'_>, _: Context<'_, S>) -> bool {
        let metadata = event.metadata();
        if metadata.target() == ACCESS {
            return self.0.admits_access(Instant::now());
        }
        let level = *metadata.level();
        if level > Level::WARN || metadata.target() == UNWRITTEN {
            return true;
        }
        let mut fields = ErrorFields::default();
        event.record(&mut fields);
        let mut hasher = DefaultHasher::new();
        fields.error.hash(&mut hasher);
        let key = ErrorKey { place: metadata.callsite(), error: hasher.finish().max(1) };
        self.0.admits_error(key, level, || fields.sentence(), Instant::now())
    }
}

/// Logs how many lines were not written.
pub(super) fn report(unwritten: Vec<Unwritten>) {
    for lines in unwritten {
        match lines {
            Unwritten::Access { count } => {
                tracing::info!(target: UNWRITTEN, count, "more requests and sockets were not logged");
            }
            Unwritten::Repeated { level, message, count } if level == Level::ERROR => {
                tracing::error!(target: UNWRITTEN, count, "repeated: {message}");
            }
            Unwritten::Repeated { message, count, .. } => {
                tracing::warn!(target: UNWRITTEN, count, "repeated: {message}");
            }
        }
    }
}

/// The fields of an event that tell errors apart.
#[derive(Default)]
struct ErrorFields {
    message: String,
    error: String,
}

impl ErrorFields {
    fn sentence(&self) -> String {
        if self.error.is_empty() {
            self.message.clone()
        } else {
            format!("{}: {}", self.message, self.error)
        }
    }

    fn text(&mut self, field: &Field) -> Option<&mut String> {
        match field.name() {
            "message" => Some(&mut self.message),
            "error" => Some(&mut self.error),
            _ => None,
        }
    }
}

impl Visit for ErrorFields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if let Some(text) = self.text(field) {
            write!(text, "{value:?}").expect("writing to a string cannot fail");
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        if let Some(text) = self.text(field) {
            text.push_str(value);
        }
    }
}

#[cfg(test)]
mod tests;
