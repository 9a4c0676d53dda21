//! The words of the notation.

/// The words with which a line without indentation begins: first the two of the first line.
pub const DECLARATION_WORDS: [&str; 16] = [
    "game",
    "program",
    "parameter",
    "seats",
    "set",
    "ring",
    "grid",
    "rows",
    "event",
    "place",
    "rule",
    "strategy",
    "chance",
    "thread",
    "world",
    "require",
];

/// The words of sync points and flow.
pub const STATEMENT_WORDS: [&str; 22] = [
    "request",
    "wait",
    "for",
    "block",
    "interrupt",
    "otherwise",
    "must",
    "forever",
    "times",
    "while",
    "if",
    "else",
    "either",
    "or",
    "and",
    "except",
    "not",
    "in",
    "where",
    "any",
    "keep",
    "fail",
];

/// The words that say what an event means, and what a property claims.
pub const MEANING_WORDS: [&str; 26] = [
    "move",
    "win",
    "loss",
    "draw",
    "most",
    "wins",
    "scores",
    "puts",
    "clears",
    "moves",
    "shows",
    "of",
    "on",
    "from",
    "to",
    "never",
    "can",
    "stuck",
    "ends",
    "with",
    "stays",
    "at",
    "probability",
    "expected",
    "number",
    "until",
];

/// The words of values.
pub const VALUE_WORDS: [&str; 4] = ["lines", "through", "straight", "nobody"];

/// The parts of squares of a grid, and those of members of a ring and of seats.
pub(crate) const SQUARE_PARTS: [&str; 8] =
    ["up", "down", "left", "right", "row", "column", "neighbours", "diagonals"];
pub(crate) const RING_PARTS: [&str; 2] = ["next", "previous"];

/// Whether a word stands in sync points and flow, so that no name can be it.
pub(crate) fn is_reserved(word: &str) -> bool {
    word == "_" || STATEMENT_WORDS.contains(&word)
}
