//! What the screen shows of a table, as values.

mod board;
mod match_score;
mod player;
mod takeback;
mod viewed;

use game::{Game, Seat, Viewer};

use crate::language::{RuleSentence, say_rule};
use crate::replay::GameReplay;
use crate::session::{Intent, SessionView};
use crate::texts::{self, StatusLine};

pub use board::{BoardBlock, BoardScreen, BoardSquare};
pub use match_score::{MatchScore, ROUNDS_TO_WIN};
pub use player::{PlayerCard, PlayerPresence};
pub use takeback::TakebackScreen;

/// What the screen shows of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the screen")]
pub struct TableScreen {
    /// The title of the game.
    pub game: String,
    /// The name of the game, with its parameters.
    pub game_name: String,
    /// Where its rules come from.
    pub rules_source: RulesSource,
    /// The board.
    pub board: BoardScreen,
    /// Lines beside the board.
    pub notes: Vec<RuleSentence>,
    /// Legal moves that belong to no square.
    pub other_moves: Vec<String>,
    /// What a menu calls the moves whose text says too little.
    pub move_labels: Vec<(String, String)>,
    /// The players, in the order of seats.
    pub players: Vec<PlayerCard>,
    /// The number of tied rounds.
    pub ties: usize,
    /// The round, from 1; 0 while a seat is free.
    pub round: u32,
    /// The number of moves in the round.
    pub ply: u32,
    /// One sentence that says what happens next.
    pub status: StatusLine,
    /// The last move, for screen readers.
    pub last_move: String,
    /// Why the computer made the last move, in one sentence; empty if a person made it.
    pub because: RuleSentence,
    /// Whether the board shows an earlier position of the round.
    pub is_past: bool,
    /// What the person can do about taking a move back.
    pub takeback: TakebackScreen,
    /// The seat whose round the person could claim if its player were absent.
    pub claimable: Option<Seat>,
    /// How long that player must be without a connection, in milliseconds.
    pub claim_after: Option<u64>,
    /// Whether a player has ended the table.
    pub has_ended: bool,
    /// Whether chance has drawn in the round, and everybody may know what.
    pub has_drawn: bool,
    /// The buttons for everything but moves.
    pub buttons: Vec<ActionButton>,
    /// The plies of a round that is over, as [`GameReplay::read`] reads them; `None` if it goes on, or if
    /// the game hides something.
    pub replay: Option<String>,
    /// How far the round is.
    pub phase: RoundPhase,
    /// Whether the person may ask for a hint: in turn, and against computers alone.
    pub can_hint: bool,
    /// Whether this person plays.
    pub is_player: bool,
    /// Whether the server can be reached.
    pub is_connected: bool,
    /// The time limit in words; `None` without a clock.
    pub clock: Option<String>,
    /// The seat whose time runs out first, and when, in milliseconds since 1970.
    pub deadline: Option<(Seat, u64)>,
}

/// Where the rules of a game come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RulesSource {
    /// The page knows them.
    #[default]
    BuiltIn,
    /// They are a text that the server offers.
    Text,
    /// They are a text that the player who created the table wrote.
    Player,
}

/// How far a round is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RoundPhase {
    /// A seat is free.
    #[default]
    WaitingForPlayers,
    /// The players are playing.
    Playing,
    /// One player has won.
    Won,
    /// Nobody has won, and nobody can any more.
    Drawn,
}

/// A button for something other than a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionButton {
    /// What it does.
    pub intent: Intent,
    /// Its label.
    pub label: String,
    /// Whether it is the natural next step.
    pub is_primary: bool,
}

impl TableScreen {
    /// The screen with the board as it was after `step` moves of the round; nothing can be played
    /// there.
    #[must_use]
    pub fn at(view: &SessionView<'_>, step: usize) -> Self {
        let screen = Self::new(view);
        if step >= view.shown.history().len() {
            return screen;
        }
        let board = BoardScreen::after(view, step);
        Self { board, other_moves: Vec::new(), is_past: true, ..screen }
    }

    /// Whether the person has lost the round that is shown, and it can be looked at again.
    #[must_use]
    pub fn can_ask_why_lost(&self) -> bool {
        let own = self.players.iter().filter(|player| player.is_own).count();
        let winner = self.players.iter().find(|player| player.has_won);
        self.replay.is_some() && own == 1 && winner.is_some_and(|winner| !winner.is_own)
    }

    /// The screen for a view of a table.
    #[must_use]
    pub fn new(view: &SessionView<'_>) -> Self {
        let state = view.shown;
        let viewer = view.acting_seat().map_or(Viewer::Spectator, Viewer::Seat);
        let table = state.view(viewer);
        let legal = table.legal_moves.iter().map(ToString::to_string);
        let legal: Vec<String> = legal.filter(|_| view.ending.is_none()).collect();
        let board = BoardScreen::new(view, viewer, &table.picture, &legal);
        let is_on_board =
            |chosen: &&String| board.squares.iter().any(|square| square.moves.contains(chosen));
        let other_moves = legal.iter().filter(|chosen| !is_on_board(chosen)).cloned().collect();
        let label = |chosen: &game::MoveText| {
            let label = Game::label(state.game(), chosen);
            let label = say_rule(&label);
            (label != chosen.as_str()).then(|| (chosen.to_string(), label))
        };
        let move_labels = table.legal_moves.iter().filter_map(label).collect();
        let phase = RoundPhase::of(view);
        let score = MatchScore::new(view);
        let seats = game::all_seats(state.game());
        Self {
            game: texts::game_title(&table.game),
            game_name: table.game,
            rules_source: RulesSource::BuiltIn,
            board,
            notes: table
                .picture
                .notes
                .iter()
                .map(|note| RuleSentence::new(note))
                .chain(texts::last_draw(view).map(RuleSentence::said))
                .collect(),
            other_moves,
            move_labels,
            players: seats.iter().map(|seat| PlayerCard::new(view, phase, &score, seat)).collect(),
            ties: state.ties(),
            round: state.round(),
            // Takebacks are no moves.
            ply: u32::try_from(state.history().len()).unwrap_or(u32::MAX),
            status: texts::status(view),
            last_move: texts::last_move(view).unwrap_or_default(),
            because: texts::because(view).unwrap_or_default(),
            is_past: false,
            takeback: TakebackScreen::of(view),
            claimable: claimable(view),
            claim_after: view.claim_after,
            has_ended: state.has_ended(),
            has_drawn: has_drawn(state),
            buttons: buttons(view, &score),
            replay: (view.is_over() && !state.game().hides() && !state.history().is_empty())
                .then(|| GameReplay::write(state.history())),
            phase,
            can_hint: can_hint(view),
            is_player: !view.own_seats.is_empty(),
            is_connected: view.is_connected,
            clock: state.clock().map(texts::clock),
            deadline: state.deadline().filter(|_| view.ending.is_none()),
        }
    }
}

impl RoundPhase {
    fn of(view: &SessionView<'_>) -> Self {
        match view.shown.outcome() {
            _ if !view.shown.is_full() => Self::WaitingForPlayers,
            None if view.ending.is_some() => Self::Won,
            None => Self::Playing,
            Some(outcome) if outcome.is_draw() => Self::Drawn,
            Some(_) => Self::Won,
        }
    }
}

/// The other person who has to move.
fn claimable(view: &SessionView<'_>) -> Option<Seat> {
    let turn = view.shown.turn();
    let mut others = turn.iter().filter(|seat| !view.own_seats.contains(seat));
    others.find(|seat| view.ending.is_none() && view.refusal(Intent::Claim(*seat)).is_none())
}

fn has_drawn(state: &table::TableState) -> bool {
    let is_draw = |ply: &game::Ply<_, _>| matches!(ply, game::Ply::Chance(_));
    !state.game().hides() && state.history().iter().any(is_draw)
}

/// Hints are fair only where no other person plays.
fn can_hint(view: &SessionView<'_>) -> bool {
    let state = view.shown;
    let [own] = view.own_seats else { return false };
    let against_computers = game::all_seats(state.game())
        .iter()
        .all(|seat| seat == *own || state.level(seat).is_some());
    let is_in_turn = !view.is_over() && state.is_full() && state.turn().contains(*own);
    against_computers && is_in_turn && state.turn().len() == 1
}

/// The buttons whose actions the table would accept.
fn buttons(view: &SessionView<'_>, score: &MatchScore) -> Vec<ActionButton> {
    if !view.is_over() {
        let resign =
            ActionButton { intent: Intent::Forfeit, label: texts::resign(), is_primary: false };
        let can_resign = view.refusal(Intent::Forfeit).is_none();
        return Vec::from_iter(can_resign.then_some(resign));
    }
    if view.shown.has_ended() {
        return Vec::new();
    }
    // Conceding and agreeing on a tie are formalities: the next round records the same.
    let label = if score.winner.is_some() { texts::rematch() } else { texts::next_round() };
    let next = ActionButton { intent: Intent::NextRound, label, is_primary: true };
    // The next round has begun already; the button shows it.
    let is_held = view.ending.is_some();
    let can_go_on = is_held || view.refusal(Intent::NextRound).is_none();
    Vec::from_iter(can_go_on.then_some(next))
}
