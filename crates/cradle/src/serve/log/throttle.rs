//! Which log lines are written and which are only counted.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tracing::Level;
use tracing::callsite::Identifier;

/// Equal warnings and errors are written once in this time; the others are counted.
const REPEAT_TIME: Duration = Duration::from_secs(10);

/// The access lines of this time share a budget.
const ACCESS_TIME: Duration = Duration::from_secs(1);

/// The most errors that are told apart. Beyond, those from one place in the code count as equal.
const MAX_KEYS: usize = 256;

/// Decides which lines are written. A full disk fails every request, and a stranger can send many: the
/// log stays short and still says how often it happened.
pub(super) struct Throttle(Mutex<ThrottleState>);

struct ThrottleState {
    access_lines: u32,
    /// When the current second of access lines began, and how many came in it.
    access: Option<(Instant, u64)>,
    errors: HashMap<ErrorKey, Suppressed>,
}

/// Which errors are equal: those from the same place in the code with the same text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ErrorKey {
    pub(super) place: Identifier,
    /// A hash of the text of the error; 0 for all texts of a place.
    pub(super) error: u64,
}

struct Suppressed {
    since: Instant,
    count: u64,
    level: Level,
    message: String,
}

/// Lines that were counted and not written.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unwritten {
    /// Equal warnings or errors.
    Repeated { level: Level, message: String, count: u64 },
    /// Access lines.
    Access { count: u64 },
}

impl Throttle {
    pub(super) fn new(access_lines: u32) -> Self {
        Self(Mutex::new(ThrottleState { access_lines, access: None, errors: HashMap::new() }))
    }

    /// Whether an access line is written.
    pub(super) fn admits_access(&self, now: Instant) -> bool {
        let mut state = self.lock();
        let limit = u64::from(state.access_lines);
        let (_, count) = state.access.get_or_insert((now, 0));
        *count += 1;
        *count <= limit
    }

    /// Whether a warning or an error is written.
    pub(super) fn admits_error(
        &self,
        key: ErrorKey,
        level: Level,
        message: impl FnOnce() -> String,
        now: Instant,
    ) -> bool {
        let mut state = self.lock();
        let is_known = state.errors.contains_key(&key);
        let is_full = state.errors.len() >= MAX_KEYS;
        let key = if is_known || !is_full { key } else { ErrorKey { error: 0, ..key } };
        if let Some(suppressed) = state.errors.get_mut(&key) {
            suppressed.count += 1;
            return false;
        }
        let suppressed = Suppressed { since: now, count: 0, level, message: message() };
        state.errors.insert(key, suppressed);
        true
    }

    /// The lines whose time is over, to be reported now.
    pub(super) fn due(&self, now: Instant) -> Vec<Unwritten> {
        self.take(|since, time| now.saturating_duration_since(since) >= time, now)
    }

    /// All lines that were not written so far.
    pub(super) fn all(&self) -> Vec<Unwritten> {
        self.take(|_, _| true, Instant::now())
    }

    fn take(&self, is_over: impl Fn(Instant, Duration) -> bool, now: Instant) -> Vec<Unwritten> {
        let mut state = self.lock();
        let mut unwritten = Vec::new();
        if let Some((since, count)) = state.access
            && is_over(since, ACCESS_TIME)
        {
            state.access = None;
            let count = count.saturating_sub(state.access_lines.into());
            unwritten.extend((count > 0).then_some(Unwritten::Access { count }));
        }
        state.errors.retain(|_, suppressed| {
            let Suppressed { since, count, level, message } = suppressed;
            if !is_over(*since, REPEAT_TIME) {
                return true;
            }
            if *count == 0 {
                return false;
            }
            let (level, message, count) = (*level, message.clone(), std::mem::take(count));
            unwritten.push(Unwritten::Repeated { level, message, count });
            // As long as the error goes on, only its number is reported.
            *since = now;
            true
        });
        unwritten
    }

    fn lock(&self) -> MutexGuard<'_, ThrottleState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
