//! The rulebook of a game that is written as text.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use bthread::{AnyBThread, Limits, Name};
use game::{
    AnyGame, BGame, Code, Offer, OfferKind, Outcome, Picture, Reason, Refusal, Rulebook,
    RulesError, RulesSize, Seat,
};

use crate::b_threads::{BThreadMaker, ThreadForm};
use crate::built::{BuiltText, BuiltThread, SharedText};
use crate::meaning::{EventMeaning, ResultMeaning};
use crate::syntax::{TextForm, ThreadRoleWord};
use crate::text_board::TextBoard;
use crate::text_event::TextEvent;
use crate::values::TextValue;

/// The rulebook of a game that is written as text.
#[derive(Clone)]
pub struct TextRulebook(Arc<TextRules>);

struct TextRules {
    text: BuiltText,
    /// The name of the game.
    name: String,
    /// For each seat, its moves with their events.
    moves: Vec<Vec<(TextMove, TextEvent)>>,
    /// For each square, the moves that a click on it can mean.
    clicks: Vec<Vec<String>>,
    /// Whether the board remembers who moved last.
    remembers_last: bool,
    /// For each event, what it changes on the board if that is little.
    changes: Vec<BoardChange>,
    limits: Limits,
}

/// A move: the arguments of its event without the seat, as in `b2` or `a4-b3`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TextMove(Arc<str>);

/// A text is no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotAGame {
    /// It is a program.
    #[error("{name} is a program and has no moves: begin with `game` to have some")]
    Program {
        /// The name of the program.
        name: String,
    },
    /// Its b-threads are no game.
    #[error("{name} cannot be played: {error}")]
    Rules {
        /// The name of the game.
        name: String,
        /// Why not.
        error: RulesError,
    },
}

impl BuiltText {
    /// The game, played by its b-threads.
    ///
    /// # Errors
    /// If the text is a program, or its b-threads do not come to rest before the first move.
    pub fn game(&self) -> Result<BGame<TextRulebook>, NotAGame> {
        let name = self.0.name.clone();
        let rulebook = self.rulebook().ok_or_else(|| NotAGame::Program { name: name.clone() })?;
        BGame::new(rulebook).map_err(|error| NotAGame::Rules { name, error })
    }

    /// The game as any game. It is compiled here, with all its players, and in no crate that calls this.
    ///
    /// # Errors
    /// As [`BuiltText::game`].
    pub fn any_game(&self) -> Result<AnyGame, NotAGame> {
        self.game().map(AnyGame::new)
    }

    /// The game under another name, with a table of states that takes at most about `table_bytes`.
    ///
    /// # Errors
    /// As [`BuiltText::game`].
    pub fn any_game_called(&self, name: &str, table_bytes: usize) -> Result<AnyGame, NotAGame> {
        self.any_game_within(name, table_bytes, Limits::default())
    }

    /// The game under another name, with a table of states that takes at most about `table_bytes`, and
    /// with bounds on what follows from one move.
    ///
    /// # Errors
    /// As [`BuiltText::game`].
    pub fn any_game_within(
        &self,
        name: &str,
        table_bytes: usize,
        limits: Limits,
    ) -> Result<AnyGame, NotAGame> {
        let name = name.to_owned();
        if self.form() == TextForm::Program {
            return Err(NotAGame::Program { name });
        }
        let rulebook = TextRulebook::new(self.clone(), name.clone(), limits);
        let game = BGame::within(rulebook, table_bytes);
        game.map(AnyGame::new).map_err(|error| NotAGame::Rules { name, error })
    }

    /// The size of the rules, by which the cost of building the game is known.
    #[must_use]
    pub fn rules_size(&self) -> RulesSize {
        let is_rule = |thread: &&BuiltThread| {
            matches!(thread.role, ThreadRoleWord::Rule | ThreadRoleWord::Chance)
        };
        let rules = || self.threads().iter().filter(is_rule);
        RulesSize {
            events: self.events().len() as u64,
            threads: rules().count() as u64,
            sync_points: rules().map(|thread| thread.table.states.len() as u64).sum(),
            known_bytes: self.0.memory,
        }
    }

    /// The rulebook of a game; `None` if the text is a program.
    #[must_use]
    pub fn rulebook(&self) -> Option<TextRulebook> {
        (self.form() == TextForm::Game)
            .then(|| TextRulebook::new(self.clone(), self.name(), Limits::default()))
    }
}

impl TextRulebook {
    fn new(text: BuiltText, name: String, limits: Limits) -> Self {
        let shared = &text.0;
        let families = shared.meanings.movers.iter().zip(&shared.symbols.families);
        let is_only_family =
            families.filter(|(mover, family)| mover.is_some() && family.count > 0).count() == 1;
        let mut moves = vec![Vec::new(); text.seats().len()];
        let mut clicks = vec![Vec::new(); shared.meanings.drawn.names.len()];
        for (number, meaning) in (0..).zip(&shared.meanings.events) {
            let Some(seat) = meaning.mover else { continue };
            let chosen = move_text(&text, number, is_only_family);
            for drawn in meaning.drawn.iter().filter(|drawn| drawn.piece != 0) {
                if let Some(texts) = clicks.get_mut(drawn.square as usize)
                    && !texts.contains(&chosen)
                {
                    texts.push(chosen.clone());
                }
            }
            if let Some(moves) = moves.get_mut(usize::from(seat)) {
                moves.push((TextMove(chosen.into()), text.event(number)));
            }
        }
        let only_puts = |meaning: &EventMeaning| {
            meaning.mover.is_none() || matches!(&*meaning.drawn, [drawn] if drawn.piece != 0)
        };
        let remembers_last = !shared.meanings.events.iter().all(only_puts);
        let changes = board_changes(shared, remembers_last);
        Self(Arc::new(TextRules { text, name, moves, clicks, remembers_last, changes, limits }))
    }

    fn threads(&self, is_meant: impl Fn(&BuiltThread) -> bool) -> Vec<AnyBThread<TextEvent>> {
        let mut maker = BThreadMaker::new(&self.0.text.0.names);
        let meant = self.0.text.threads().iter().filter(|thread| is_meant(thread));
        meant
            .map(|thread| {
                maker.thread(thread.name.clone(), thread.role, &thread.table, ThreadForm::Played)
            })
            .collect()
    }
}

/// What an event changes on the board. Most change one square, and to look that up in the meaning of
/// the event would take as long as all else that a move does.
#[derive(Clone, Copy)]
enum BoardChange {
    Nothing,
    Piece { square: u16, piece: u8 },
    More,
}

fn board_changes(text: &SharedText, remembers_last: bool) -> Vec<BoardChange> {
    let is_noted = remembers_last || TextBoard::has_notes(text);
    let change = |meaning: &EventMeaning| match &*meaning.drawn {
        _ if is_noted => BoardChange::More,
        [] => BoardChange::Nothing,
        [drawn] => match u16::try_from(drawn.square) {
            Ok(square) => BoardChange::Piece { square, piece: drawn.piece },
            Err(_) => BoardChange::More,
        },
        _ => BoardChange::More,
    };
    text.meanings.events.iter().map(change).collect()
}

/// The text of a move: the arguments of its event without the seat, after the name of the event if
/// other events are moves as well.
fn move_text(text: &BuiltText, event: u32, is_only_family: bool) -> String {
    let symbols = &text.0.symbols;
    let families = symbols.families.iter().zip(&text.0.meanings.movers);
    let Some((family, mover)) = families.into_iter().find(|(family, _)| family.has(event)) else {
        return String::new();
    };
    let arguments = (0..family.parameters.len()).filter(|place| Some(*place) != *mover);
    let mut words: Vec<String> = arguments
        .map(|place| symbols.write(&symbols.argument(family, event, place)))
        .map(|word| word.trim_matches(['{', '}']).replace(' ', "-"))
        .collect();
    if !is_only_family || words.is_empty() {
        words.insert(0, family.name.clone());
    }
    words.join("-")
}

impl Rulebook for TextRulebook {
    type Event = TextEvent;
    type Move = TextMove;
    type Board = TextBoard;

    fn name(&self) -> String {
        self.0.name.clone()
    }

    fn seats(&self) -> Vec<&str> {
        self.0.text.seats()
    }

    fn rules(&self) -> Vec<AnyBThread<TextEvent>> {
        let mut rules = self.threads(|thread| thread.role == ThreadRoleWord::Rule);
        rules.extend(self.threads(|thread| thread.role == ThreadRoleWord::Chance));
        rules
    }

    fn moves(&self, seat: Seat) -> Vec<(TextMove, TextEvent)> {
        self.0.moves.get(seat.index()).cloned().unwrap_or_default()
    }

    fn results(&self) -> Vec<(TextEvent, Outcome)> {
        let seats = self.0.text.seats().len();
        let outcome = |result: ResultMeaning| {
            let scores: Vec<i32> = (0..seats)
                .map(|seat| match result {
                    ResultMeaning::Win(winner) => {
                        if usize::from(winner) == seat {
                            1
                        } else {
                            -1
                        }
                    }
                    ResultMeaning::Loss(loser) => {
                        if usize::from(loser) == seat {
                            -1
                        } else {
                            1
                        }
                    }
                    ResultMeaning::Draw | ResultMeaning::MostWins => 0,
                })
                .collect();
            Outcome::scored(&scores)
        };
        let results = (0..).zip(&self.0.text.0.meanings.events);
        results
            .filter_map(|(event, meaning)| {
                Some((self.0.text.event(event), outcome(meaning.result?)))
            })
            .collect()
    }

    fn other_events(&self) -> Vec<TextEvent> {
        // The first mention of an event decides its number, so all events are listed in order.
        self.0.text.events().collect()
    }

    /// A rule that leaves the range of a variable is broken.
    fn can_break(&self) -> bool {
        let is_played = |thread: &&BuiltThread| {
            matches!(thread.role, ThreadRoleWord::Rule | ThreadRoleWord::Chance)
        };
        let mut played = self.0.text.threads().iter().filter(is_played);
        played.any(|thread| thread.table.states.iter().any(|point| point.violation.is_some()))
    }

    fn limits(&self) -> Limits {
        self.0.limits
    }

    fn bytes(&self) -> usize {
        // The other half is that of the b-threads as they are played.
        usize::try_from(self.0.text.0.memory / 2).unwrap_or(usize::MAX)
    }

    fn offers(&self) -> Vec<Offer<TextEvent>> {
        let text = &self.0.text;
        let maker = BThreadMaker::new(&text.0.names);
        let mut offers = Vec::new();
        for thread in text.threads() {
            for point in &thread.table.states {
                if thread.role == ThreadRoleWord::Chance && !point.requests.is_empty() {
                    let weighted = |(event, weight): &(u32, u32)| (text.event(*event), *weight);
                    let events = point.requests.iter().map(weighted).collect();
                    offers.push(Offer { set: maker.drawn(point), kind: OfferKind::Chance, events });
                }
                if thread.role == ThreadRoleWord::Rule || thread.role == ThreadRoleWord::Chance {
                    let kind = match thread.role {
                        ThreadRoleWord::Chance => OfferKind::ChanceOtherwise,
                        _ => OfferKind::Otherwise,
                    };
                    offers.extend(point.otherwise.iter().map(|set| Offer {
                        set: maker.otherwise(set, thread.role),
                        kind,
                        events: set.bits.iter().map(|event| (text.event(event), 1)).collect(),
                    }));
                }
            }
        }
        offers
    }

    fn outcome(&self, board: &TextBoard, result: &TextEvent, listed: Outcome) -> Outcome {
        let meaning = self.0.text.0.meanings.events.get(result.number() as usize);
        let do_scores_decide =
            meaning.is_some_and(|meaning| meaning.result == Some(ResultMeaning::MostWins));
        if do_scores_decide && !board.scores().is_empty() {
            return Outcome::scored(board.scores());
        }
        listed
    }

    fn empty_board(&self) -> TextBoard {
        TextBoard::empty(&self.0.text.0)
    }

    #[inline]
    fn record(&self, board: &mut TextBoard, event: &TextEvent) {
        match self.0.changes.get(event.number() as usize) {
            Some(BoardChange::Nothing) => {}
            Some(BoardChange::Piece { square, piece }) => board.put(u32::from(*square), *piece),
            _ => board.record(&self.0.text.0, event.number(), self.0.remembers_last),
        }
    }

    fn text(&self, board: &TextBoard) -> String {
        board.text(&self.0.text.0)
    }

    /// A text shows what its author wants to show.
    fn tells_all(&self) -> bool {
        false
    }

    fn picture(&self, board: &TextBoard) -> Picture {
        board.picture(&self.0.text.0, &self.0.clicks)
    }

    fn reason(&self, thread: &Name) -> Reason {
        let known = self.0.text.thread(thread);
        let sentence = known.and_then(|known| known.sentence.as_deref());
        let code = known.and_then(|known| known.code.as_deref());
        let code = code.map_or(Code::ILLEGAL_MOVE, |code| Code::from(code.to_owned()));
        match sentence {
            Some(sentence) => Reason::new(code, sentence),
            None => Reason::new(code, format!("{thread} does not allow it")),
        }
    }

    /// The squares of the line that the b-thread is about.
    fn line(&self, requested_by: &Name) -> Option<String> {
        let thread = self.0.text.thread(requested_by)?;
        let line = thread.arguments.iter().find_map(|argument| match argument {
            TextValue::Set(squares) => Some(squares),
            _ => None,
        })?;
        Some(self.0.text.0.symbols.write_all(line, ","))
    }

    fn read(&self, text: &str) -> Result<TextMove, Refusal> {
        let words = text.split(['-', ',', ' ', '(', ')']).filter(|word| !word.is_empty());
        let joined = words.collect::<Vec<_>>().join("-");
        let all = || self.0.moves.iter().flatten().map(|(chosen, _)| chosen);
        let is_it = |chosen: &&TextMove| *chosen.0 == *joined;
        let is_it_in_other_letters = |chosen: &&TextMove| chosen.0.eq_ignore_ascii_case(&joined);
        let found = all().find(is_it).or_else(|| all().find(is_it_in_other_letters));
        found.cloned().ok_or_else(|| {
            let example = all().next().map_or(String::new(), |first| format!(", as in {first}"));
            let message = format!("{text:?} is no move of {}{example}", self.name());
            Reason::out_of_bounds(message).into()
        })
    }

    fn strategies(&self, seat: Seat) -> Vec<AnyBThread<TextEvent>> {
        self.threads(|thread| thread.role == ThreadRoleWord::Strategy && thread.seat == Some(seat))
    }
}

impl FromStr for TextMove {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.into()))
    }
}

impl fmt::Display for TextMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for TextRulebook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TextRulebook").field(&self.0.text.name()).finish()
    }
}
