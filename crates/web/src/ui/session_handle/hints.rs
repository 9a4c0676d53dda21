//! What the person asks the worker about the game: hints, values of moves, and where a round was lost.

use game::Game as _;

use super::{SessionHandle, StatusNote};
use crate::language::say;
use crate::replay::{GameReplay, PlyAnalysis};
use crate::route::{ReplayAddress, Route};
use crate::searching::{SearchAnswer, SearchRequest, SearchedGame};
use crate::session::SessionView;
use crate::texts;
use crate::ui::navigator::Navigator;

/// What a move is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MoveValue {
    pub(crate) chosen: String,
    /// The value in two or three words.
    pub(crate) words: String,
    /// Whether no other move is better.
    pub(crate) is_best: bool,
}

impl MoveValue {
    /// The values of all moves of a position.
    pub(crate) fn all(analysis: &PlyAnalysis) -> Vec<Self> {
        let best: Vec<&str> =
            analysis.position.best_moves().map(|best| best.chosen.as_str()).collect();
        let value = |each: &game::MoveAnalysis| Self {
            chosen: each.chosen.clone(),
            words: texts::value(&each.value),
            is_best: best.contains(&each.chosen.as_str()),
        };
        analysis.position.moves.iter().map(value).collect()
    }
}

/// What the analysis of one position may cost: the most positions, and else the simulations of an
/// estimate.
const POSITIONS: u64 = 100_000;
const SIMULATIONS: u32 = 400;

/// The game of these plies, for a worker.
pub(crate) fn searched(name: &str, plies: String) -> SearchedGame {
    let (positions, simulations) = (POSITIONS, SIMULATIONS);
    SearchedGame { name: name.to_owned(), plies, positions, simulations }
}

impl SessionHandle {
    /// The request for an analysis of the present position.
    fn present_analysis(self) -> Option<SearchRequest> {
        self.with_view(|view| {
            let history = view.shown.history();
            let game = searched(&view.shown.game().name(), GameReplay::write(history));
            let ply = u32::try_from(history.len()).unwrap_or(u32::MAX);
            SearchRequest::Analysis { game, ply }
        })
    }

    /// Shows the best move below the status.
    pub(crate) fn show_hint(self) {
        let Some(request) = self.present_analysis() else { return };
        let asked = self.changes.get_untracked();
        self.search(request, move |answer| {
            // A hint for another position would mislead.
            let SearchAnswer::Analysis(found) = answer else { return };
            if self.changes.try_get_untracked() != Some(asked) {
                return;
            }
            let hint = |view: &SessionView<'_>| texts::hint(view.shown, &found.as_ref()?.position);
            let news = self.with_view(hint).flatten();
            let news = news.unwrap_or_else(|| say("There is no hint for this position."));
            self.note.set(StatusNote { news, ..StatusNote::default() });
        });
    }

    /// The plies of the round, as a replay reads them.
    pub(crate) fn plies(self) -> String {
        self.changes.track();
        self.with_view(|view| GameReplay::write(view.shown.history())).unwrap_or_default()
    }

    /// Shows on every free square what happens there, whatever the position; `then` gets the analysis.
    pub(crate) fn show_values(self, then: impl FnOnce(Option<PlyAnalysis>) + 'static) {
        let Some(request) = self.present_analysis() else { return };
        let asked = self.changes.get_untracked();
        self.search(request, move |answer| {
            let SearchAnswer::Analysis(found) = answer else { return };
            if self.changes.try_get_untracked() == Some(asked) {
                self.values.set(found.as_ref().map(MoveValue::all).unwrap_or_default());
                then(found);
            }
        });
    }

    /// Shows on every free square what happens if the person goes there.
    pub(crate) fn show_what_if(self) {
        self.show_values(move |found| {
            if found.is_none() {
                return;
            }
            let sentence = say(
                "Each free square says what happens if you go there and both play on without a \
                                mistake.",
            );
            self.show_news(&sentence);
        });
    }

    /// Goes to the replay of the round, to the move with which the person lost it.
    pub(crate) fn show_losing_move(self) {
        let asked = self.with_view(|view| {
            let state = view.shown;
            let game = searched(&state.game().name(), GameReplay::write(state.history()));
            Some((game, state.in_game(*view.own_seats.first()?)))
        });
        let Some(Some((game, seat))) = asked else { return };
        let (name, plies) = (game.name.clone(), game.plies.clone());
        self.show_news(&say("Looking …"));
        self.search(SearchRequest::LosingMove { game, seat }, move |answer| match answer {
            SearchAnswer::Mistake(Some(ply)) => {
                let ply = Some(ply as usize);
                Navigator::visit(&Route::Replay(ReplayAddress { game: name, plies, ply }));
            }
            _ => self.show_news(&say("No single move lost it.")),
        });
    }
}
