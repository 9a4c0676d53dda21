//! What the screen shows of a table that only the server understands.

use game::Seat;
use table::SeatView;

use super::{
    ActionButton, BoardScreen, PlayerCard, PlayerPresence, RoundPhase, RulesSource, TableScreen,
    TakebackScreen,
};
use crate::language::{RuleSentence, say};
use crate::session::{Intent, RoundEnding, ViewedTable};
use crate::texts::{self, StatusLine};

impl TableScreen {
    /// The screen for a table that the server shows.
    #[must_use]
    pub fn of_viewed(viewed: &ViewedTable) -> Self {
        let view = &viewed.view;
        let legal: Vec<String> = view.legal_moves.iter().map(ToString::to_string).collect();
        let board = board(viewed, &legal);
        let is_on_board =
            |chosen: &&String| board.squares.iter().any(|square| square.moves.contains(chosen));
        let other_moves = legal.iter().filter(|chosen| !is_on_board(chosen)).cloned().collect();
        let phase = phase(viewed);
        Self {
            game: texts::game_title(&view.game),
            game_name: view.game.clone(),
            rules_source: rules_source(viewed),
            board,
            // The author of the rules wrote them, in any language.
            notes: view.picture.notes.iter().cloned().map(RuleSentence::said).collect(),
            other_moves,
            players: seats(viewed).map(|seat| card(viewed, phase, seat)).collect(),
            ties: view.ties as usize,
            round: view.round,
            ply: view.ply,
            status: status(viewed, phase),
            buttons: buttons(viewed, phase),
            phase,
            is_player: viewed.seat.is_some(),
            is_connected: viewed.is_connected,
            deadline: view.deadline,
            takeback: match viewed.ending {
                None => TakebackScreen::of_viewed(view, viewed.seat),
                Some(_) => TakebackScreen::default(),
            },
            claimable: claimable(viewed, phase),
            claim_after: viewed.claim_after,
            has_ended: view.has_ended,
            ..Self::default()
        }
    }
}

/// The other person who has to move.
fn claimable(viewed: &ViewedTable, phase: RoundPhase) -> Option<Seat> {
    let is_person = |seat: &Seat| {
        viewed.view.seats.get(seat.index()).is_some_and(|shown| shown.computer.is_none())
    };
    let own = viewed.seat.filter(|_| phase == RoundPhase::Playing)?;
    let mut others = viewed.view.turn.iter().copied().filter(|seat| *seat != own);
    others.find(is_person)
}

fn rules_source(viewed: &ViewedTable) -> RulesSource {
    match viewed.view.game.contains('@') {
        _ if viewed.view.own_rules => RulesSource::Player,
        true => RulesSource::Text,
        false => RulesSource::BuiltIn,
    }
}

fn seats(viewed: &ViewedTable) -> impl Iterator<Item = Seat> {
    let number = u8::try_from(viewed.view.seats.len()).unwrap_or(u8::MAX);
    (0..number).filter_map(Seat::new)
}

fn board(viewed: &ViewedTable, legal: &[String]) -> BoardScreen {
    let picture = &viewed.view.picture;
    let mut board = BoardScreen::of(picture);
    let Some(grid) = &picture.board else { return board };
    for (square, cell) in board.squares.iter_mut().zip(&grid.cells) {
        square.moves = cell.moves.iter().filter(|chosen| legal.contains(chosen)).cloned().collect();
        // A player's click elsewhere asks the server why not.
        if viewed.seat.is_none() || viewed.view.scores.is_some() || viewed.ending.is_some() {
            square.any_move = None;
        }
    }
    board
}

fn is_free(seat: &SeatView) -> bool {
    seat.name.is_none() && seat.computer.is_none()
}

fn phase(viewed: &ViewedTable) -> RoundPhase {
    match &viewed.view.scores {
        _ if loser(viewed).is_some() => RoundPhase::Won,
        _ if viewed.view.seats.iter().any(is_free) => RoundPhase::WaitingForPlayers,
        None => RoundPhase::Playing,
        Some(_) if winner(viewed).is_some() => RoundPhase::Won,
        Some(_) => RoundPhase::Drawn,
    }
}

/// The seat that has given up.
fn loser(viewed: &ViewedTable) -> Option<Seat> {
    viewed.ending.and_then(RoundEnding::loser)
}

/// The seat with the highest score of a round that is over, or the one that has not given up.
fn winner(viewed: &ViewedTable) -> Option<Seat> {
    if let Some(loser) = loser(viewed) {
        return seats(viewed).find(|seat| *seat != loser);
    }
    let scores = viewed.view.scores.as_ref()?;
    let best = scores.iter().max()?;
    let mut winners = seats(viewed).zip(scores).filter(|(_, score)| *score == best);
    let (winner, _) = winners.next()?;
    winners.next().is_none().then_some(winner)
}

fn card(viewed: &ViewedTable, phase: RoundPhase, seat: Seat) -> PlayerCard {
    let shown = &viewed.view.seats[seat.index()];
    let is_own = viewed.seat == Some(seat);
    let is_connected = is_own || viewed.connected.contains(&seat);
    let presence = match &shown.computer {
        Some(_) => PlayerPresence::Computer,
        None if shown.name.is_none() => PlayerPresence::Free,
        // A player who left may be back without having said so.
        None if !shown.is_here && !is_connected => PlayerPresence::Left,
        None if is_own && !viewed.is_connected => PlayerPresence::Offline,
        None if is_connected => PlayerPresence::Here,
        None => PlayerPresence::Away,
    };
    let name = match presence {
        PlayerPresence::Free => say("Nobody yet"),
        PlayerPresence::Computer => say("Computer"),
        _ if is_own => say("You"),
        _ => name(viewed, seat),
    };
    let level = shown.computer.as_ref().and_then(|level| level.parse().ok());
    PlayerCard {
        seat,
        in_game: seat,
        name,
        symbol: String::new(),
        presence,
        is_in_turn: phase == RoundPhase::Playing && viewed.view.turn.contains(&seat),
        is_own,
        wins: viewed.view.wins.get(seat.index()).map_or(0, |wins| *wins as usize),
        has_won: winner(viewed) == Some(seat),
        level: level.as_ref().map(texts::level),
    }
}

fn name(viewed: &ViewedTable, seat: Seat) -> String {
    let shown = viewed.view.seats.get(seat.index());
    let name = shown.and_then(|shown| shown.name.clone());
    name.unwrap_or_else(|| say("The computer"))
}

fn status(viewed: &ViewedTable, phase: RoundPhase) -> StatusLine {
    match viewed.ending {
        None => status_now(viewed, phase),
        Some(RoundEnding::Ready(ready)) => {
            let mut line = status_now(viewed, phase);
            if let Some(seat) = ready {
                line.rest.extend([" ", &texts::is_ready(&name(viewed, seat))]);
            }
            line
        }
        Some(ending) => gave_up(viewed, ending),
    }
}

/// How a player has given up, and who wins.
fn gave_up(viewed: &ViewedTable, ending: RoundEnding) -> StatusLine {
    let loser = ending.loser().unwrap_or(Seat::FIRST);
    let is_own = |seat: Seat| viewed.seat == Some(seat);
    let said = texts::gave_up(ending, is_own(loser), &name(viewed, loser));
    let mut line = StatusLine::about(loser, &said);
    if let Some(winner) = winner(viewed) {
        let wins = texts::wins_round(is_own(winner), &name(viewed, winner));
        line.rest.extend([" ", &wins]);
    }
    line
}

fn status_now(viewed: &ViewedTable, phase: RoundPhase) -> StatusLine {
    if let Some(pending) = &viewed.pending {
        let seat = viewed.seat.unwrap_or(Seat::FIRST);
        return StatusLine::about(seat, &texts::on_its_way(&texts::action(pending)));
    }
    match (phase, winner(viewed)) {
        (RoundPhase::WaitingForPlayers, _) => texts::waiting(viewed.seat.is_some()),
        (RoundPhase::Won, Some(seat)) if viewed.seat == Some(seat) => {
            StatusLine::about(seat, &say("[You won] this round."))
        }
        (RoundPhase::Won, Some(seat)) => {
            StatusLine::about(seat, &texts::won_round(&name(viewed, seat)))
        }
        (RoundPhase::Playing, _) => turn(viewed),
        _ => StatusLine::plain(say("Nobody wins this round.")),
    }
}

fn turn(viewed: &ViewedTable) -> StatusLine {
    let view = &viewed.view;
    let mut waiting = view.turn.iter().filter(|seat| !view.sealed.contains(seat));
    match waiting.next() {
        None => StatusLine::plain(""),
        Some(seat) if viewed.seat == Some(*seat) => StatusLine::about(*seat, &texts::own_turn()),
        Some(seat) => StatusLine::about(*seat, &texts::turn_of(&name(viewed, *seat))),
    }
}

fn buttons(viewed: &ViewedTable, phase: RoundPhase) -> Vec<ActionButton> {
    if viewed.seat.is_none() {
        return Vec::new();
    }
    match phase {
        // Also when others are in turn.
        RoundPhase::Playing => {
            let intent = Intent::Forfeit;
            vec![ActionButton { intent, label: texts::resign(), is_primary: false }]
        }
        RoundPhase::Won | RoundPhase::Drawn => {
            let intent = Intent::NextRound;
            vec![ActionButton { intent, label: texts::next_round(), is_primary: true }]
        }
        RoundPhase::WaitingForPlayers => Vec::new(),
    }
}
