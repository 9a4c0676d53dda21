//! Sentences of the puzzle of the day, of "what if", of frames and of the picture to share.

/// Shown while the puzzle is made.
pub const LOOKING: &str = "Looking for the puzzle of the day …";
/// Shown if there is none.
pub const NONE: &str = "There is no puzzle today.";
/// What to do then.
pub const COME_BACK: &str = "Come back tomorrow, or play a game.";
/// Shown after the right move.
pub const SOLVED: &str = "That is it! Now you win, whatever the computer does.";
/// Shown after any other move.
pub const MISSED: &str = "Not that one: the computer gets away. Take it back and try again.";
/// Tries again.
pub const AGAIN: &str = "Try again";
/// Goes on to a game.
pub const PLAY: &str = "Play the computer";
/// The heading.
pub const HEADING: &str = "Puzzle of the day";
/// Shows what each move would lead to.
pub const WHAT_IF: &str = "What if?";
/// Said when the values are on the board.
pub const WHAT_IF_SHOWN: &str =
    "Each free square says what happens if you go there and both play on without a mistake.";
/// Makes a picture of the board to share.
pub const SHARE_PICTURE: &str = "Share a picture";
/// Opens the table of a frame in a window of its own.
pub const OPEN_TABLE: &str = "Open this table";

/// The question of the puzzle.
#[must_use]
pub fn question(symbol: &str, wins_in: u32) -> String {
    format!("You play {symbol}. One move wins, in {wins_in} plies: find it.")
}
