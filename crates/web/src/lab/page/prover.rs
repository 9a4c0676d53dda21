//! The lab's worker: the last question counts.

use std::rc::Rc;

use super::super::proof::ProofRequest;
use crate::browser::BrowserWorker;
use crate::worker::{WorkerAnswer, WorkerMessage, WorkerReply, WorkerRequest};

/// A worker that answers the last question.
pub(super) struct Prover {
    handle: Rc<dyn Fn(u32, WorkerAnswer)>,
    worker: Option<BrowserWorker>,
    /// The number of the last question.
    id: u32,
    /// The question that the worker is busy with, and when it was asked.
    busy: Option<(u32, u64)>,
    /// A question that waits for the worker.
    next: Option<(WorkerMessage, u64)>,
}

/// The milliseconds that an old question may take before the worker is ended for a new one: starting
/// another takes about as long.
pub(super) const PATIENCE: u64 = 100;

impl Prover {
    pub(super) fn new(handle: impl Fn(u32, WorkerAnswer) + 'static) -> Self {
        Self { handle: Rc::new(handle), worker: None, id: 0, busy: None, next: None }
    }

    /// Asks a question; returns whether there is a worker.
    pub(super) fn ask(&mut self, request: ProofRequest, now: u64) -> bool {
        self.id += 1;
        let message = WorkerMessage { id: self.id, request: WorkerRequest::Proof(request) };
        match self.busy {
            // An old question that is nearly done is waited for.
            Some((_, asked)) if now.saturating_sub(asked) < PATIENCE => {
                self.next = Some((message, now));
                true
            }
            Some(_) => {
                self.stop();
                self.send(&message, now)
            }
            None => self.send(&message, now),
        }
    }

    fn send(&mut self, message: &WorkerMessage, now: u64) -> bool {
        if self.worker.is_none() {
            let handle = Rc::clone(&self.handle);
            let hear = move |text: &str| {
                if let Some(WorkerReply { id, answer }) = WorkerReply::read(text) {
                    handle(id, answer);
                }
            };
            // The browser itself reports a program that it cannot load.
            self.worker = BrowserWorker::start(hear, || {});
        }
        let Some(worker) = &self.worker else { return false };
        worker.send(message.write());
        self.busy = Some((message.id, now));
        true
    }

    /// Ends the worker, whatever it does.
    pub(super) fn stop(&mut self) {
        if self.busy.take().is_some() {
            self.worker = None;
        }
        self.next = None;
    }

    /// Ends the worker if a new question still waits for an old one.
    pub(super) fn hurry(&mut self) {
        if let Some((message, since)) = self.next.take() {
            self.stop();
            self.send(&message, since);
        }
    }

    /// A reply has come; returns when its question was asked, if it is the last one.
    pub(super) fn heard(&mut self, id: u32, is_last: bool) -> Option<u64> {
        let (_, asked) = self.busy.filter(|(busy, _)| *busy == id)?;
        if let Some((message, since)) = self.next.take_if(|_| is_last) {
            self.busy = None;
            self.send(&message, since);
            return None;
        }
        if is_last {
            self.busy = None;
        }
        self.next.is_none().then_some(asked)
    }
}
