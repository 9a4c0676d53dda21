//! The worker that chooses moves, beside the one that proves.

use std::cell::RefCell;
use std::rc::Rc;

use super::super::search::{ChosenMove, MoveRequest};
use super::LabPage;
use crate::browser::BrowserWorker;
use crate::worker::{WorkerAnswer, WorkerMessage, WorkerReply, WorkerRequest};

/// The worker, once it is needed, and the last request with its number.
#[derive(Debug, Default)]
pub(super) struct MoveChooser {
    worker: Option<BrowserWorker>,
    id: u32,
    last: Rc<RefCell<Option<(u32, MoveRequest)>>>,
}

impl MoveChooser {
    /// Asks for a move; returns whether there is a worker. An older request is forgotten.
    pub(super) fn ask(&mut self, page: &Rc<LabPage>, request: MoveRequest) -> bool {
        if self.last.borrow().is_some() {
            // It would be busy with a position that nobody looks at any more.
            self.worker = None;
        }
        if self.worker.is_none() {
            let (page, last) = (Rc::downgrade(page), Rc::clone(&self.last));
            let hear = move |text: &str| {
                let Some(WorkerReply { id, answer }) = WorkerReply::read(text) else { return };
                let asked = last.borrow_mut().take_if(|(asked, _)| *asked == id);
                let (Some((_, request)), Some(page)) = (asked, page.upgrade()) else { return };
                page.change(|lab| lab.hear_move(&request, chosen(answer)));
            };
            self.worker = BrowserWorker::start(hear, || {});
        }
        let Some(worker) = &self.worker else { return false };
        self.id += 1;
        let message = WorkerMessage { id: self.id, request: WorkerRequest::Move(request.clone()) };
        self.last.replace(Some((self.id, request)));
        worker.send(message.write());
        true
    }
}

fn chosen(answer: WorkerAnswer) -> Result<ChosenMove, String> {
    match answer {
        WorkerAnswer::Chosen(chosen) => Ok(chosen),
        WorkerAnswer::Failed(sentence) => Err(sentence),
        WorkerAnswer::Progress(_) | WorkerAnswer::Proof(_) => Err(String::new()),
    }
}
