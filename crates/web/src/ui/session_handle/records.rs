//! What the browser keeps of a table: the table itself, a line about it, and rounds that are over.

use reactive_graph::traits::WithValue as _;

use super::SessionHandle;
use crate::browser::now;
use crate::language::say;
use crate::screen::{PlayerCard, RoundPhase, TableScreen};
use crate::session::SessionRecord;
use crate::storage::{self, LocalTable, PlayedGame};
use crate::texts;

impl SessionHandle {
    /// Keeps a round that has just ended among the person's games.
    pub(super) fn remember_end(self, screen: Option<&TableScreen>) {
        let was_over = self
            .screen
            .with_untracked(|before| before.as_ref().is_none_or(|before| before.replay.is_some()));
        // What is only tried out, such as a puzzle, is no game that was played.
        let is_stored = || self.session.with_value(|session| session.record().is_some());
        let ended = screen.filter(|screen| screen.is_player && !was_over && is_stored());
        let Some((screen, plies)) = ended.and_then(|screen| Some((screen, screen.replay.clone()?)))
        else {
            return;
        };
        let others = screen.players.iter().filter(|player| !player.is_own);
        let against: Vec<String> = others.map(name_with_level).collect();
        storage::save_game(PlayedGame {
            game: screen.game_name.clone(),
            against: against.join(", "),
            result: texts::personal_result(screen),
            plies,
            at: now().since_1970,
        });
    }

    /// Stores what must survive a reload.
    pub(super) fn save(self) {
        match self.session.with_value(|session| session.record()).filter(|_| self.is_kept) {
            Some(SessionRecord::Local(table)) => {
                storage::save_table(&table);
                if let Some(Some((summary, is_turn))) = self.screen_now(summary) {
                    let (game, computers) =
                        (table.game().to_owned(), table.options().computers.clone());
                    storage::list_local_table(LocalTable { game, computers, summary, is_turn });
                }
            }
            Some(SessionRecord::Remote { table, unanswered }) => {
                storage::save_unanswered(&table, unanswered);
                if let Some(Some((summary, is_turn))) = self.screen_now(summary) {
                    storage::save_summary(&table, &summary, is_turn);
                }
                let has_begun =
                    |screen: &TableScreen| screen.phase != RoundPhase::WaitingForPlayers;
                if self.screen_now(has_begun) == Some(true) {
                    storage::end_pairing(&table);
                }
            }
            None => {}
        }
    }
}

/// One line about a table for the list on the home page, and whether the person is in turn; `None` for
/// a spectator.
fn summary(screen: &TableScreen) -> Option<(String, bool)> {
    if !screen.is_player {
        return None;
    }
    let (own, others): (Vec<&PlayerCard>, Vec<&PlayerCard>) =
        screen.players.iter().partition(|player| player.is_own);
    let wins = |players: &[&PlayerCard]| players.iter().map(|player| player.wins).sum::<usize>();
    let line = match others.as_slice() {
        [] => format!("{} · {}", screen.game, say("on one screen")),
        others => {
            let names: Vec<String> = others.iter().map(|player| name_with_level(player)).collect();
            format!("{} · {} · {} : {}", screen.game, names.join(", "), wins(&own), wins(others))
        }
    };
    let is_turn = own.iter().any(|player| player.is_in_turn);
    Some((line, is_turn && !others.is_empty()))
}

fn name_with_level(player: &PlayerCard) -> String {
    match &player.level {
        Some(level) => format!("{} ({level})", player.name),
        None => player.name.clone(),
    }
}
