//! A run that can be taken back.

use std::collections::VecDeque;

use notation::{NotASnapshot, RunRefusal, RunSnapshot, RunStep, TextRun};

/// A run, and its states before the last events that were chosen.
#[derive(Debug)]
pub(super) struct RunSession {
    run: TextRun,
    before: VecDeque<TextRun>,
}

/// The most events that can be taken back.
const MOST_TAKEN_BACK: usize = 1000;

impl RunSession {
    pub(super) fn new(run: TextRun) -> Self {
        Self { run, before: VecDeque::new() }
    }

    pub(super) fn run(&self) -> &TextRun {
        &self.run
    }

    /// Lets the event of this name happen, and what follows automatically.
    pub(super) fn trigger(&mut self, name: &str) -> Result<Vec<RunStep>, RunRefusal> {
        let event = self.run.text().event_called(name)?;
        let before = self.run.clone();
        let steps = self.run.trigger(&event)?;
        self.remember(before);
        Ok(steps)
    }

    fn remember(&mut self, before: TextRun) {
        if self.before.len() == MOST_TAKEN_BACK {
            self.before.pop_front();
        }
        self.before.push_back(before);
    }

    /// Takes the last chosen event back, with what followed. Returns whether there was one.
    pub(super) fn undo(&mut self) -> bool {
        match self.before.pop_back() {
            Some(before) => {
                self.run = before;
                true
            }
            None => false,
        }
    }

    /// Goes on from a snapshot, which can be taken back.
    pub(super) fn restore(&mut self, snapshot: &RunSnapshot) -> Result<(), NotASnapshot> {
        let before = self.run.clone();
        self.run.restore(snapshot)?;
        self.remember(before);
        Ok(())
    }
}
