//! Questions of one server to another, which are not recorded.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{mpsc, oneshot};

/// A question of another server, and where the answer goes.
#[derive(Debug)]
pub struct ServerQuestion {
    /// The question.
    pub text: String,
    /// Nobody waits any more if sending fails.
    pub answer: oneshot::Sender<String>,
}

/// The questions to one name, as they arrive. No more are asked once it is dropped.
pub type Questions = mpsc::Receiver<ServerQuestion>;

/// The number of questions to one name that wait.
pub(super) const CAPACITY: usize = 16;

/// The names in one process.
#[derive(Clone, Debug, Default)]
pub(super) struct QuestionBoard(Arc<Mutex<HashMap<String, mpsc::Sender<ServerQuestion>>>>);

impl QuestionBoard {
    pub(super) fn answer(&self, name: &str) -> Questions {
        let (sender, questions) = mpsc::channel(CAPACITY);
        let mut names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        names.retain(|_, sender| !sender.is_closed());
        names.insert(name.to_owned(), sender);
        questions
    }

    pub(super) async fn ask(&self, name: &str, text: String) -> Option<String> {
        let sender = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()?;
        let (answer, answered) = oneshot::channel();
        sender.send(ServerQuestion { text, answer }).await.ok()?;
        answered.await.ok()
    }
}
