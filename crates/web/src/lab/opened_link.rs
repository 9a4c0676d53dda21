//! What a link opens: a text, the rules of a game or a table, one of its b-threads, and a game by them.

use super::EXAMPLES;
use super::game::LabGame;
use super::html::filled;
use super::share::{LinkError, from_link};
use super::state::{Lab, LabEffect};
use super::words::LabWords;
use crate::rules_link::{GameText, RulesLink};

/// The text that a link opens first, and what is said about it.
pub(super) fn first_text(
    fragment: &str,
    link: &RulesLink,
    words: &LabWords,
) -> (String, Option<&'static str>) {
    let first = || EXAMPLES.first().map_or("", |example| example.text).to_owned();
    match from_link(fragment) {
        Some(Ok(text)) => (text, None),
        Some(Err(LinkError::Unreadable)) => (first(), Some(words.link_unreadable)),
        Some(Err(LinkError::TooLong)) => (first(), Some(words.link_too_long)),
        None => match link.game.as_deref() {
            Some(game) => match text_of(game) {
                Some(text) => (text, None),
                None => (first(), Some(words.game_without_text)),
            },
            None => (first(), None),
        },
    }
}

/// The rules of a built-in game.
fn text_of(game: &str) -> Option<String> {
    let text = GameText::of(game)?;
    let example = EXAMPLES.iter().find(|example| example.name == text.file)?;
    Some(text.filled(example.text))
}

impl Lab {
    /// Does what the link asks for once its text is open.
    pub(super) fn follow(&mut self, link: &RulesLink) -> Vec<LabEffect> {
        let plies: Vec<&str> = link.plies.iter().flat_map(|plies| plies.split('.')).collect();
        let mut effects = self.show_plies(&plies, link.ply);
        effects.extend(link.thread.iter().flat_map(|thread| self.show_thread(thread)));
        effects
    }

    /// Puts the plies of a game on the board.
    pub(super) fn show_plies(&mut self, plies: &[&str], ply: Option<usize>) -> Vec<LabEffect> {
        let Some(text) = self.switched().filter(|_| !plies.is_empty()) else { return Vec::new() };
        let Some((game, count)) = LabGame::of_plies(&text, plies, ply.unwrap_or(plies.len()))
        else {
            return Vec::new();
        };
        self.show_game(game);
        if count == plies.len() {
            return Vec::new();
        }
        let told = filled(self.words().not_all_plies, &[("count", &count), ("all", &plies.len())]);
        vec![LabEffect::Announce(told)]
    }

    /// Selects the name of a b-thread in the text.
    pub(super) fn show_thread(&self, thread: &str) -> Vec<LabEffect> {
        let name = thread.split('(').next().unwrap_or(thread);
        let family = self.text().families().into_iter().find(|family| family.name == name);
        let Some(family) = family else {
            let told = filled(self.words().no_such_thread, &[("name", &name)]);
            return vec![LabEffect::Announce(told)];
        };
        let source = self.text().source();
        let lines = source.split_inclusive('\n').take(family.line as usize - 1);
        let start: usize = lines.map(str::len).sum();
        let after = source.get(start..).unwrap_or_default();
        let start = start + after.find(name).unwrap_or(0);
        let byte = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        vec![LabEffect::Select(byte(start), byte(start + name.len()))]
    }

    /// The rules of a table with the plies of the round that the link names, or why there are none.
    pub fn hear_rules(&mut self, answer: Result<(String, Vec<String>), String>) -> Vec<LabEffect> {
        let (text, plies) = match answer {
            Ok(answer) => answer,
            Err(sentence) => return vec![LabEffect::Announce(sentence)],
        };
        let link = self.link.clone();
        let mut effects = self.open_text(&text);
        self.link.table.clone_from(&link.table);
        let plies: Vec<&str> = plies.iter().map(String::as_str).collect();
        effects.extend(self.show_plies(&plies, link.ply));
        effects.extend(link.thread.iter().flat_map(|thread| self.show_thread(thread)));
        effects
    }
}
