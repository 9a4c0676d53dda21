//! A game as a table has played it: its plies become events.

use game::{Rulebook, Seat};
use notation::{BuiltText, EventWish, TextEvent};

use super::{LabGame, MOST_AUTOMATIC, MOST_EVENTS, SeatControl, controls_of, without_strategies};

impl LabGame {
    /// The game of these plies, and the number of them that the text allows. A ply is a move (`b2`), moves
    /// at once (`1+2`) or what chance drew (`~4`). The position after `ply` of them is looked at.
    ///
    /// Strategies take part if they would have played the same; otherwise people did.
    #[must_use]
    pub fn of_plies(text: &BuiltText, plies: &[&str], ply: usize) -> Option<(Self, usize)> {
        let usual = controls_of(text);
        let people = vec![SeatControl::Person; usual.len()];
        let by_strategies = Self::played(text, usual, plies, ply)?;
        if by_strategies.1 == plies.len() {
            return Some(by_strategies);
        }
        let text = without_strategies(text, &people);
        Self::played(&text, people, plies, ply)
    }

    fn played(
        text: &BuiltText,
        controls: Vec<SeatControl>,
        plies: &[&str],
        ply: usize,
    ) -> Option<(Self, usize)> {
        let mut game = Self::at_rest(text, 1).ok()?;
        game.controls = controls;
        game.obey_rules();
        let (mut shown, mut count) = (game.at, 0);
        for words in plies {
            let is_played = match words.strip_prefix('~') {
                Some(drawn) => game.play_drawn(drawn),
                None => words.split('+').all(|word| game.play_move(word)),
            };
            if !is_played || game.at >= MOST_EVENTS {
                break;
            }
            game.obey_rules();
            count += 1;
            shown = if count <= ply { game.at } else { shown };
        }
        game.go_to(shown);
        Some((game, count))
    }

    /// Lets rules act, which no ply names.
    fn obey_rules(&mut self) {
        for _ in 0..MOST_AUTOMATIC {
            let possible = self.possible();
            let is_rule = |wish: &EventWish| {
                let EventWish::Thread(name) = wish else { return false };
                let thread = self.text.thread(name);
                self.is_own(wish) && thread.is_some_and(|thread| thread.seat().is_none())
            };
            let event = possible.iter().find(|each| each.wanted_by.iter().any(is_rule));
            let Some(event) = event.map(|each| each.event.clone()) else { return };
            if self.happen(&event).is_err() {
                return;
            }
        }
    }

    /// Plays what chance drew, which has the name of its event, or of its value alone: `~4` is
    /// `comes(4)`.
    fn play_drawn(&mut self, drawn: &str) -> bool {
        let possible = self.possible().into_iter().map(|possible| possible.event);
        let is_drawn = |event: &TextEvent| {
            let value = event.as_str().split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
            plain(event.as_str()) == plain(drawn) || value == Some(drawn)
        };
        let event = possible.into_iter().find(is_drawn);
        event.is_some_and(|event| self.happen(&event).is_ok())
    }

    /// Plays the move of this name. A part of a name will do if only one possible move begins with it: a
    /// column, where discs fall.
    fn play_move(&mut self, word: &str) -> bool {
        let Some(rulebook) = &self.rulebook else { return false };
        let (word, possible) = (plain(word), self.possible());
        let is_possible = |event: &TextEvent| possible.iter().any(|each| each.event == *event);
        let seats = (0..).filter_map(Seat::new).take(self.text.seats().len());
        let moves = seats.flat_map(|seat| rulebook.moves(seat));
        let moves: Vec<(String, TextEvent)> = moves
            .filter(|(_, event)| is_possible(event))
            .map(|(chosen, event)| (plain(&chosen.to_string()), event))
            .collect();
        let mut beginning = moves.iter().filter(|(name, _)| name.starts_with(&word));
        let only = beginning.next().filter(|_| beginning.next().is_none());
        let found = moves.iter().find(|(name, _)| *name == word).or(only);
        let event = found.map(|(_, event)| event.clone());
        event.is_some_and(|event| self.happen(&event).is_ok())
    }
}

/// A name without what different writers put between its words.
fn plain(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).collect()
}
