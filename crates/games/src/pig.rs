//! Pig: roll a die as often as you dare, and hold before it shows a one.
//!
//! Who rolls 2 to 6 adds it to the total of the turn and goes on. Who rolls a 1 loses that total,
//! and the turn; who holds adds it to the score, and the turn passes too. Who holds with enough to
//! reach the target wins.
//!
//! ```
//! use game::{Game, Seat};
//! use games::pig::{Die, Move, Pig};
//!
//! let game = Pig::default();
//! let mut position = game.start();
//! game.advance(&mut position, Seat::FIRST, Move::Roll)?;
//! game.advance_chance(&mut position, &Die::Five)?;
//! game.advance(&mut position, Seat::FIRST, Move::Hold)?;
//! assert_eq!(game.text(&position), "A has 5, B has 0; B has rolled 0 in this turn");
//! # Ok::<(), game::Refusal>(())
//! ```

use std::fmt;
use std::str::FromStr;

use game::{Code, Game, Outcome, Picture, Probability, Reason, Seat, Turn, Viewer};

use crate::unreadable::Unreadable;

/// Pig, and how many points win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pig {
    target: u16,
}

/// The scores, and how far the turn has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    scores: [u32; 2],
    /// What the seat in turn has rolled and can still lose.
    total: u32,
    state: State,
}

/// Who must act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    /// The seat chooses.
    Choosing(Seat),
    /// The seat has let the die roll.
    Rolling(Seat),
    /// The seat has reached the target.
    WonBy(Seat),
}

/// What a seat can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Let the die roll.
    Roll,
    /// Keep what was rolled in this turn.
    Hold,
}

/// What a die can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Die {
    /// Nothing is added, and the turn is lost.
    One,
    /// Two points.
    Two,
    /// Three points.
    Three,
    /// Four points.
    Four,
    /// Five points.
    Five,
    /// Six points.
    Six,
}

/// Nobody can play for this many points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchTarget {
    /// What was asked for.
    pub target: u32,
}

const NAMES: [&str; 2] = ["A", "B"];
const USUAL_TARGET: u16 = 100;

impl Pig {
    /// A seat held before it had rolled anything in this turn.
    pub const NOTHING_TO_HOLD: Code = Code::new("nothing_to_hold");

    /// What can be played for.
    pub const TARGETS: std::ops::RangeInclusive<u16> = 1..=1000;

    /// The game in which so many points win.
    ///
    /// # Errors
    /// If they are not one of [`Pig::TARGETS`].
    ///
    /// ```
    /// use game::Game;
    /// use games::pig::Pig;
    ///
    /// assert_eq!(Pig::new(50)?.name(), "pig:50");
    /// assert_eq!(Pig::default().name(), "pig");
    /// assert!(Pig::new(0).is_err());
    /// # Ok::<(), games::pig::NoSuchTarget>(())
    /// ```
    pub fn new(target: u32) -> Result<Self, NoSuchTarget> {
        let known = u16::try_from(target).ok().filter(|target| Self::TARGETS.contains(target));
        known.map(|target| Self { target }).ok_or(NoSuchTarget { target })
    }

    /// How many points win.
    #[must_use]
    pub const fn target(&self) -> u16 {
        self.target
    }
}

/// A hundred points win.
impl Default for Pig {
    fn default() -> Self {
        Self { target: USUAL_TARGET }
    }
}

impl Position {
    /// What a seat has kept; 0 if it is not there.
    #[must_use]
    pub fn score(&self, seat: Seat) -> u32 {
        self.scores.get(seat.index()).copied().unwrap_or(0)
    }

    /// What the seat in turn has rolled and can still lose.
    #[must_use]
    pub const fn total(&self) -> u32 {
        self.total
    }

    fn pass(&mut self, from: Seat) {
        self.total = 0;
        self.state = State::Choosing(from.opponent());
    }

    fn hold(&mut self, seat: Seat, target: u32) {
        let score = &mut self.scores[seat.index()];
        *score += self.total;
        let has_won = *score >= target;
        self.pass(seat);
        if has_won {
            self.state = State::WonBy(seat);
        }
    }

    fn roll(&mut self, seat: Seat, die: Die) {
        if die == Die::One {
            self.pass(seat);
        } else {
            self.total += die.points();
            self.state = State::Choosing(seat);
        }
    }
}

impl Game for Pig {
    type Position = Position;
    type Move = Move;
    type Chance = Die;

    /// The usual target is not named.
    fn name(&self) -> String {
        match self.target {
            USUAL_TARGET => "pig".to_owned(),
            target => format!("pig:{target}"),
        }
    }

    fn seats(&self) -> Vec<&str> {
        NAMES.into()
    }

    fn start(&self) -> Position {
        Position { scores: [0; 2], total: 0, state: State::Choosing(Seat::FIRST) }
    }

    fn turn(&self, position: &Position) -> Turn {
        match position.state {
            State::Choosing(seat) => Turn::One(seat),
            State::Rolling(_) => Turn::Chance,
            State::WonBy(seat) => Turn::Over(Outcome::won_by(seat)),
        }
    }

    fn legal_moves<'a>(
        &'a self,
        position: &'a Position,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = Move> + 'a {
        let moves: &[Move] = match (position.state == State::Choosing(seat), position.total) {
            (false, _) => &[],
            (true, 0) => &[Move::Roll],
            (true, _) => &[Move::Roll, Move::Hold],
        };
        moves.iter().copied()
    }

    // Two seats that hold nothing for ever would never let chance decide.
    fn objections(&self, position: &Position, _: Seat, chosen: &Move) -> Vec<Reason> {
        if *chosen == Move::Hold && position.total == 0 {
            let message = "You have nothing to hold: roll first";
            vec![Reason::new(Self::NOTHING_TO_HOLD, message)]
        } else {
            Vec::new()
        }
    }

    fn apply(&self, position: &mut Position, seat: Seat, chosen: &Move) {
        match chosen {
            Move::Roll => position.state = State::Rolling(seat),
            Move::Hold => position.hold(seat, self.target.into()),
        }
    }

    fn chances(&self, position: &Position) -> Vec<(Die, Probability)> {
        match position.state {
            State::Rolling(_) => Die::ALL.map(|die| (die, Probability::new(1, 6))).into(),
            State::Choosing(_) | State::WonBy(_) => Vec::new(),
        }
    }

    fn apply_chance(&self, position: &mut Position, drawn: &Die) {
        if let State::Rolling(seat) = position.state {
            position.roll(seat, *drawn);
        }
    }

    fn text(&self, position: &Position) -> String {
        let [a, b] = scores(position);
        format!("{a}, {b}; {}", state(position))
    }

    fn picture(&self, position: &Position, _: Viewer) -> Picture {
        let [a, b] = scores(position);
        let target = format!("{} points win", self.target);
        Picture::in_words([target, a, b, state(position)])
    }
}

fn scores(position: &Position) -> [String; 2] {
    [Seat::FIRST, Seat::SECOND]
        .map(|seat| format!("{} has {}", NAMES[seat.index()], position.score(seat)))
}

fn state(position: &Position) -> String {
    let total = position.total;
    match position.state {
        State::Choosing(seat) => format!("{} has rolled {total} in this turn", NAMES[seat.index()]),
        State::Rolling(seat) => {
            format!("{} has rolled {total} in this turn and rolls", NAMES[seat.index()])
        }
        State::WonBy(seat) => format!("{} has won", NAMES[seat.index()]),
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Roll => "roll",
            Self::Hold => "hold",
        })
    }
}

impl FromStr for Move {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        match text {
            "roll" => Ok(Self::Roll),
            "hold" => Ok(Self::Hold),
            _ => Err(Unreadable::new(text, "a move: write roll or hold")),
        }
    }
}

impl Die {
    /// All sides, the lowest first.
    pub const ALL: [Self; 6] =
        [Self::One, Self::Two, Self::Three, Self::Four, Self::Five, Self::Six];

    /// How many points it shows.
    #[must_use]
    pub const fn points(self) -> u32 {
        self as u32 + 1
    }
}

impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.points().fmt(f)
    }
}

impl FromStr for Die {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let named = Self::ALL.into_iter().find(|die| die.to_string() == text);
        named.ok_or_else(|| Unreadable::new(text, "a side of the die: write 1 to 6"))
    }
}

impl fmt::Display for NoSuchTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, most) = (Pig::TARGETS.start(), Pig::TARGETS.end());
        write!(f, "{} points cannot be the target: choose {least} to {most}", self.target)
    }
}

impl std::error::Error for NoSuchTarget {}

#[cfg(test)]
mod tests {
    use game::{Generator, Refusal, perft, playout};

    use super::*;

    /// The position after moves and what the die shows, as text: `roll 5 hold`.
    fn after(game: Pig, words: &str) -> Position {
        let mut position = game.start();
        for word in words.split_whitespace() {
            match game.turn(&position) {
                Turn::One(seat) => {
                    let chosen = game.read_move(word).unwrap();
                    game.advance(&mut position, seat, chosen).unwrap();
                }
                Turn::Chance => {
                    let drawn = game.read_chance(word).unwrap();
                    game.advance_chance(&mut position, &drawn).unwrap();
                }
                turn => panic!("{word} comes after {turn:?}"),
            }
        }
        position
    }

    fn check(words: &str, seat: Seat, chosen: Move) -> Result<(), Refusal> {
        Pig::default().check(&after(Pig::default(), words), seat, &chosen)
    }

    fn text(words: &str) -> String {
        Pig::default().text(&after(Pig::default(), words))
    }

    #[test]
    fn the_games_of_a_few_steps_are_as_many_as_counted_by_hand() {
        // roll; six sides; roll after a one, roll or hold after the five others; then six sides
        // after every roll and a roll after every hold.
        let counted = [1, 1, 6, 1 + 5 * 2, 6 + 5 * (6 + 1)];
        for (depth, count) in (0..).zip(counted) {
            let game = Pig::default();
            assert_eq!(perft(&game, &game.start(), depth), count, "{depth}");
        }
        let short = Pig::new(2).unwrap();
        let counted = [0, 1, 2, 3, 4].map(|depth| perft(&short, &short.start(), depth));
        assert_eq!(counted, [1, 1, 6, 1 + 5 * 2, 6 + 5 * 6]);
    }

    #[test]
    fn what_is_rolled_adds_up_and_holding_keeps_it() {
        assert_eq!(text(""), "A has 0, B has 0; A has rolled 0 in this turn");
        assert_eq!(text("roll"), "A has 0, B has 0; A has rolled 0 in this turn and rolls");
        assert_eq!(text("roll 5 roll 6"), "A has 0, B has 0; A has rolled 11 in this turn");
        assert_eq!(text("roll 5 roll 6 hold"), "A has 11, B has 0; B has rolled 0 in this turn");
    }

    #[test]
    fn a_one_loses_what_was_rolled_but_not_what_was_held() {
        assert_eq!(text("roll 5 roll 1"), "A has 0, B has 0; B has rolled 0 in this turn");
        assert_eq!(
            text("roll 5 hold roll 1 roll 4 roll 1"),
            "A has 5, B has 0; B has rolled 0 in this turn"
        );
    }

    #[test]
    fn each_side_of_the_die_is_equally_likely_when_it_rolls_and_impossible_before() {
        let game = Pig::default();
        let chances = game.chances(&after(game, "roll"));
        let sides: Vec<String> = chances.iter().map(|(die, _)| die.to_string()).collect();
        assert_eq!(sides.concat(), "123456");
        assert!(chances.iter().all(|(_, probability)| *probability == Probability::new(1, 6)));
        assert_eq!(game.chances(&game.start()), []);
        let refusal = game.advance_chance(&mut game.start(), &Die::Six).unwrap_err();
        assert_eq!(refusal.to_string(), "6 cannot be drawn now");
    }

    #[test]
    fn holding_nothing_is_refused() {
        for words in ["", "roll 1", "roll 2 hold"] {
            let game = Pig::default();
            let Turn::One(seat) = game.turn(&after(game, words)) else { panic!("{words}") };
            let refusal = check(words, seat, Move::Hold).unwrap_err();
            assert_eq!(refusal.code(), &Pig::NOTHING_TO_HOLD);
            assert_eq!(refusal.to_string(), "You have nothing to hold: roll first");
            assert_eq!(check(words, seat, Move::Roll), Ok(()));
            assert!(game.legal_moves(&after(game, words), seat).eq([Move::Roll]));
        }
        assert_eq!(check("roll 2", Seat::FIRST, Move::Hold), Ok(()));
    }

    #[test]
    fn nobody_chooses_while_the_die_rolls_or_when_the_other_is_in_turn() {
        for (words, seat) in [
            ("", Seat::SECOND),
            ("roll", Seat::FIRST),
            ("roll", Seat::SECOND),
            ("roll 2", Seat::SECOND),
            ("roll 2 hold", Seat::FIRST),
        ] {
            let refusal = check(words, seat, Move::Roll).unwrap_err();
            assert_eq!(refusal.to_string(), "It is not your turn", "{words}");
            assert_eq!(Pig::default().legal_moves(&after(Pig::default(), words), seat).len(), 0);
        }
        assert_eq!(
            check("", Seat::SECOND, Move::Hold).unwrap_err().to_string(),
            "It is not your turn; You have nothing to hold: roll first"
        );
    }

    #[test]
    fn who_holds_enough_wins_and_who_only_rolled_it_does_not() {
        let game = Pig::new(10).unwrap();
        let enough = "roll 6 hold roll 1 roll 4";
        assert_eq!(game.turn(&after(game, enough)), Turn::One(Seat::FIRST));
        let won = after(game, &format!("{enough} hold"));
        assert_eq!(game.turn(&won).outcome().unwrap().scores(), [1, -1]);
        assert_eq!(game.text(&won), "A has 10, B has 0; A has won");
        for seat in [Seat::FIRST, Seat::SECOND] {
            assert_eq!(game.legal_moves(&won, seat).len(), 0);
            let refusal = game.check(&won, seat, &Move::Roll).unwrap_err();
            assert_eq!(refusal.to_string(), "The game is lost, you need to forfeit");
        }
        let second = after(game, "roll 1 roll 6 roll 5 hold");
        assert_eq!(game.turn(&second).outcome().unwrap().scores(), [-1, 1]);
        let missed = after(game, "roll 6 roll 3 hold");
        assert_eq!(game.turn(&missed), Turn::One(Seat::SECOND));
    }

    #[test]
    fn a_random_game_ends_with_who_reached_the_target() {
        let mut generator = Generator::seeded(11);
        for target in [1, 20, 100] {
            let game = Pig::new(target).unwrap();
            let mut position = game.start();
            let winner = playout(&game, &mut position, &mut generator).unwrap().winner().unwrap();
            assert!(position.score(winner) >= target);
            assert!(position.score(winner.opponent()) < target);
        }
    }

    #[test]
    fn the_picture_tells_the_scores_and_the_turn() {
        let game = Pig::new(6).unwrap();
        let notes = |words| game.picture(&after(game, words), Viewer::Spectator).notes.join("; ");
        assert_eq!(notes("roll 4"), "6 points win; A has 0; B has 0; A has rolled 4 in this turn");
        assert_eq!(notes("roll 6 hold"), "6 points win; A has 6; B has 0; A has won");
    }

    #[test]
    fn a_target_is_1_to_1000_and_the_usual_one_is_not_named() {
        for (target, name) in [(1, "pig:1"), (100, "pig"), (1000, "pig:1000")] {
            assert_eq!(Pig::new(target).map(|game| game.name()), Ok(name.to_owned()));
        }
        for target in [0, 1001, 65_636] {
            assert_eq!(
                Pig::new(target).unwrap_err().to_string(),
                format!("{target} points cannot be the target: choose 1 to 1000")
            );
        }
        assert_eq!(Pig::new(100), Ok(Pig::default()));
    }

    #[test]
    fn moves_and_dice_are_read_as_they_are_printed_and_nothing_else_is() {
        for chosen in [Move::Roll, Move::Hold] {
            assert_eq!(chosen.to_string().parse(), Ok(chosen));
        }
        for die in Die::ALL {
            assert_eq!(die.to_string().parse(), Ok(die));
        }
        for text in ["", "Roll", "7", "0", "06", "hold "] {
            let chosen = text.parse::<Move>().unwrap_err().to_string();
            assert_eq!(chosen, format!("{text:?} is not a move: write roll or hold"));
            let drawn = text.parse::<Die>().unwrap_err().to_string();
            assert_eq!(drawn, format!("{text:?} is not a side of the die: write 1 to 6"));
        }
    }
}
