//! The server's end of a long poll.

use super::{GONE, NO_CONTENT, OK, PollAnswer, PollToken};

/// The server's end of a long poll: the messages for the client, and whether a request waits for
/// them.
#[derive(Clone, Debug)]
pub struct PollSession {
    settings: PollSettings,
    token: PollToken,
    outbox: Vec<String>,
    waiting_since: Option<u64>,
    polled_at: u64,
}

/// The limits of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PollSettings {
    /// The milliseconds that a request waits for messages.
    pub window: u64,
    /// The most messages that wait for a request.
    pub outbox: u32,
    /// The most messages in one answer.
    pub batch: u32,
}

impl Default for PollSettings {
    /// The 10 seconds of Phoenix, 256 messages, 100 in an answer.
    fn default() -> Self {
        Self { window: 10_000, outbox: 256, batch: 100 }
    }
}

/// The client does not fetch its messages. The last one was dropped: end the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the client of the long poll does not fetch its messages; the last one was dropped")]
pub struct OutboxFull;

impl PollSession {
    /// Starts a session with a new token, and answers the request that had no known one.
    pub fn open(settings: PollSettings, token: PollToken, now: u64) -> (Self, PollAnswer) {
        let outbox = Vec::new();
        let session = Self { settings, token, outbox, waiting_since: None, polled_at: now };
        let answer = session.answer(GONE, Vec::new());
        (session, answer)
    }

    /// Notes a request for messages, which waits until [`PollSession::flush`] or
    /// [`PollSession::tick`] answers it.
    ///
    /// A client has one request at a time: if an earlier one still waits, its connection is lost,
    /// and this one replaces it.
    pub const fn poll(&mut self, now: u64) {
        self.polled_at = now;
        self.waiting_since = Some(now);
    }

    /// Queues a frame for the client until the next [`PollSession::flush`].
    ///
    /// # Errors
    ///
    /// If too many messages wait.
    pub fn send(&mut self, text: String) -> Result<(), OutboxFull> {
        if self.outbox.len() >= self.settings.outbox as usize {
            return Err(OutboxFull);
        }
        self.outbox.push(text);
        Ok(())
    }

    /// Answers the waiting request, if there is one and there are messages.
    ///
    /// This is a separate step, so that messages that belong together are sent together.
    pub fn flush(&mut self) -> Option<PollAnswer> {
        if self.outbox.is_empty() {
            return None;
        }
        self.waiting_since.take()?;
        let count = self.outbox.len().min(self.settings.batch as usize);
        let messages = self.outbox.drain(..count).collect();
        Some(self.answer(OK, messages))
    }

    /// Answers a request that has waited long enough.
    pub fn tick(&mut self, now: u64) -> Option<PollAnswer> {
        if self.deadline().is_none_or(|deadline| now < deadline) {
            return None;
        }
        self.waiting_since = None;
        // The client was connected until now, no matter when its request came.
        self.polled_at = now;
        Some(self.answer(NO_CONTENT, Vec::new()))
    }

    /// When [`PollSession::tick`] will answer the waiting request.
    pub fn deadline(&self) -> Option<u64> {
        Some(self.waiting_since?.saturating_add(self.settings.window))
    }

    /// Whether the client has been absent long enough to end the session.
    pub const fn is_abandoned(&self, now: u64) -> bool {
        let patience = self.settings.window.saturating_mul(2);
        self.waiting_since.is_none() && now >= self.polled_at.saturating_add(patience)
    }

    fn answer(&self, status: u16, messages: Vec<String>) -> PollAnswer {
        PollAnswer { messages: Some(messages), status, token: Some(self.token.clone()) }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    const SETTINGS: PollSettings = PollSettings { window: 100, outbox: 3, batch: 2 };

    fn session() -> PollSession {
        PollSession::open(SETTINGS, PollToken::new("T"), 0).0
    }

    fn check(answer: Option<PollAnswer>, expected: &Expect) {
        expected.assert_eq(&answer.map_or_else(|| "waits".to_owned(), |answer| answer.encode()));
    }

    #[test]
    fn a_new_session_is_announced_with_its_token() {
        let (_, answer) = PollSession::open(SETTINGS, PollToken::new("T"), 0);
        check(Some(answer), &expect![[r#"{"messages":[],"status":410,"token":"T"}"#]]);
    }

    #[test]
    fn a_request_waits_for_a_message() {
        let mut session = session();
        session.poll(0);
        check(session.flush(), &expect!["waits"]);
        session.send("[]".to_owned()).unwrap();
        check(session.flush(), &expect![[r#"{"messages":["[]"],"status":200,"token":"T"}"#]]);
    }

    #[test]
    fn messages_wait_for_a_request() {
        let mut session = session();
        for text in ["1", "2", "3"] {
            session.send(text.to_owned()).unwrap();
        }
        check(session.flush(), &expect!["waits"]);
        session.poll(0);
        check(session.flush(), &expect![[r#"{"messages":["1","2"],"status":200,"token":"T"}"#]]);
        check(session.flush(), &expect!["waits"]);
        session.poll(0);
        check(session.flush(), &expect![[r#"{"messages":["3"],"status":200,"token":"T"}"#]]);
    }

    #[test]
    fn too_many_messages_are_refused() {
        let mut session = session();
        for _ in 0..3 {
            session.send(String::new()).unwrap();
        }
        assert_eq!(session.send(String::new()), Err(OutboxFull));
    }

    #[test]
    fn a_request_does_not_wait_for_ever() {
        let mut session = session();
        assert_eq!(session.deadline(), None);
        session.poll(50);
        check(session.tick(149), &expect!["waits"]);
        check(session.tick(150), &expect![[r#"{"messages":[],"status":204,"token":"T"}"#]]);
        check(session.tick(999), &expect!["waits"]);
    }

    #[test]
    fn the_session_of_an_absent_client_ends() {
        let mut session = session();
        assert!(!session.is_abandoned(199));
        assert!(session.is_abandoned(200));
        session.poll(199);
        assert!(!session.is_abandoned(999), "it waits for us");
    }
}
