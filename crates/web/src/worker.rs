//! The worker: what takes long, beside the page, so that the page never waits.
//!
//! A page sends a [`WorkerMessage`] and gets [`WorkerReply`]s with the same id: progress from time to
//! time, and at last an answer or a sentence. A worker does one thing after the other. To stop it, a
//! page ends the worker and starts another.

use crate::lab::proof::{ProofReport, ProofRequest};
use crate::lab::{ChosenMove, MoveRequest};

/// A request to the worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerMessage {
    /// The number that every reply to it has.
    pub id: u32,
    /// What to do.
    pub request: WorkerRequest,
}

/// What a worker can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkerRequest {
    /// Check the properties of a text.
    Proof(ProofRequest),
    /// Choose a move.
    Move(MoveRequest),
}

/// A message from the worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerReply {
    /// The number of the request.
    pub id: u32,
    /// What is known now.
    pub answer: WorkerAnswer,
}

/// What a worker knows of a request. Nothing follows after anything but progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkerAnswer {
    /// The number of states that were visited so far.
    Progress(u64),
    /// The result of a proof.
    Proof(ProofReport),
    /// The move.
    Chosen(ChosenMove),
    /// Why there is no result, in one sentence.
    Failed(String),
}

/// Does what a message asks for. `tell` gets every reply, the last one included.
pub fn answer(message: &str, tell: &mut dyn FnMut(&WorkerReply)) {
    let Some(WorkerMessage { id, request }) = WorkerMessage::read(message) else {
        let sentence = "The worker does not understand the page. Reload it.".to_owned();
        return tell(&WorkerReply { id: 0, answer: WorkerAnswer::Failed(sentence) });
    };
    let answer = match request {
        WorkerRequest::Proof(proof) => {
            let progress =
                &mut |states| tell(&WorkerReply { id, answer: WorkerAnswer::Progress(states) });
            match proof.check(progress) {
                Ok(report) => WorkerAnswer::Proof(report),
                Err(sentence) => WorkerAnswer::Failed(sentence),
            }
        }
        WorkerRequest::Move(request) => match request.choose() {
            Ok(chosen) => WorkerAnswer::Chosen(chosen),
            Err(sentence) => WorkerAnswer::Failed(sentence),
        },
    };
    tell(&WorkerReply { id, answer });
}
