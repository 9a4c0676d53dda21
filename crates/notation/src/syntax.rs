//! The syntax tree: what a text says, with the place of every part.

use crate::span::Span;

/// A whole text.
#[derive(Clone, Debug, Default)]
pub(crate) struct SyntaxTree {
    pub(crate) form: TextForm,
    pub(crate) header: Option<Header>,
    pub(crate) items: Vec<Declaration>,
    /// The names of declarations with mistakes, which are not among the items.
    pub(crate) broken: Vec<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct Header {
    pub(crate) name: Identifier,
    pub(crate) summary: Option<Sentence>,
}

/// Whether a text is a game or a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TextForm {
    /// A game: it has seats, moves and results.
    Game,
    /// A program without seats.
    #[default]
    Program,
}

/// A name, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identifier {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// A sentence without its quotes.
#[derive(Clone, Debug)]
pub(crate) struct Sentence {
    pub(crate) text: String,
}

#[derive(Clone, Debug)]
pub(crate) enum Declaration {
    Parameter { name: Identifier, value: Expression },
    Seats { names: Vec<Identifier>, span: Span },
    Set(SetDeclaration),
    Rows { name: Identifier, columns: Vec<FormalParameter>, rows: Vec<Vec<Expression>> },
    Event(EventDeclaration),
    Place { what: Expression, on: Expression },
    Thread(ThreadDeclaration),
    Property { name: Identifier, claim: ClaimSyntax },
}

#[derive(Clone, Debug)]
pub(crate) struct SetDeclaration {
    pub(crate) name: Identifier,
    pub(crate) form: SetForm,
}

#[derive(Clone, Debug)]
pub(crate) enum SetForm {
    Listed(Vec<Expression>),
    Ring(Vec<Expression>),
    Grid { columns: Expression, rows: Expression },
}

/// A parameter of an event or of a b-thread, or a column of rows.
#[derive(Clone, Debug)]
pub(crate) struct FormalParameter {
    pub(crate) name: Identifier,
    /// Its set, if it is not called like it.
    pub(crate) set: Option<Identifier>,
    /// Whether its values are sets of members of that set.
    pub(crate) is_set_of: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct EventDeclaration {
    pub(crate) name: Identifier,
    pub(crate) parameters: Vec<FormalParameter>,
    pub(crate) condition: Option<Expression>,
    pub(crate) meanings: Vec<(Meaning, Span)>,
    /// Where the meanings begin, for the formatter.
    pub(crate) meanings_start: Option<u32>,
}

/// What an event means in a game, or how it is drawn.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    MoveOf(Expression),
    WinOf(Expression),
    LossOf(Expression),
    Draw,
    MostWins,
    Scores { points: Expression, seat: Expression },
    Puts { what: Expression, on: Expression, board: Option<Expression> },
    Clears(Expression),
    Moves { what: Expression, from: Expression, to: Expression },
    Shows { variable: Identifier, of: Option<Expression> },
}

#[derive(Clone, Debug)]
pub(crate) struct ThreadDeclaration {
    pub(crate) role: ThreadRoleWord,
    pub(crate) name: Identifier,
    pub(crate) parameters: Vec<FormalParameter>,
    pub(crate) condition: Option<Expression>,
    pub(crate) seat: Option<Identifier>,
    pub(crate) sentence: Option<Sentence>,
    pub(crate) code: Option<Identifier>,
    pub(crate) body: Vec<Statement>,
    pub(crate) span: Span,
}

/// What a b-thread is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ThreadRoleWord {
    /// What is legal and what follows, in a game.
    Rule,
    /// A b-thread of a program.
    Thread,
    /// What chance draws.
    Chance,
    /// What the outside does, by free choice.
    World,
    /// How the computer plays a seat.
    Strategy,
    /// What must be true.
    Require,
}

#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) kind: StatementKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum StatementKind {
    Sync(SyncSyntax),
    Forever(Vec<Statement>),
    Times(Expression, Vec<Statement>),
    While(Expression, Vec<Statement>),
    If { condition: Expression, then: Vec<Statement>, otherwise: Vec<Statement> },
    Either(Vec<Vec<Statement>>),
    Keep { name: Identifier, set: Option<Expression>, value: Expression },
    Assign { name: Identifier, value: Expression },
    Fail(Sentence),
}

/// A sync point.
#[derive(Clone, Debug, Default)]
pub(crate) struct SyncSyntax {
    pub(crate) is_hot: bool,
    pub(crate) requests: Vec<RequestSyntax>,
    pub(crate) waits: Option<Expression>,
    pub(crate) blocks: Option<Expression>,
    pub(crate) interrupts: Option<Expression>,
    pub(crate) otherwise: Option<Expression>,
}

#[derive(Clone, Debug)]
pub(crate) struct RequestSyntax {
    pub(crate) set: Expression,
    pub(crate) weight: Option<Expression>,
}

/// What a property claims.
#[derive(Clone, Debug)]
pub(crate) enum ClaimSyntax {
    Never(Expression),
    Can(Expression),
    NeverStuck,
    EndsWith(Expression),
    NeverStaysAtMust,
    Probability {
        set: Expression,
        comparison: ComparisonSign,
        value: (Expression, Option<Expression>),
    },
    Expected {
        counted: Expression,
        until: Expression,
        comparison: ComparisonSign,
        value: (Expression, Option<Expression>),
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub(crate) kind: ExpressionKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ExpressionKind {
    Number(i64),
    Name(String),
    /// `_`
    Anything,
    /// `any`
    AnyEvent,
    /// `?name`
    Capture(Identifier),
    /// `a.b`
    Part(Box<Expression>, Identifier),
    /// `mark(X, b2)`
    Call(Identifier, Vec<Expression>),
    /// `{a b c}`
    Braces(Vec<Expression>),
    Negative(Box<Expression>),
    Not(Box<Expression>),
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// `lines of 3 in square`
    Lines {
        is_straight: bool,
        length: Box<Expression>,
        set: Identifier,
    },
    /// `lines through A and B`
    LinesThrough(Box<Expression>, Box<Expression>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOperator {
    Or,
    Except,
    And,
    Compare(ComparisonSign),
    In,
    NotIn,
    Range,
    Plus,
    Minus,
    Times,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ComparisonSign {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl ComparisonSign {
    pub(crate) fn of(text: &str) -> Option<Self> {
        Some(match text {
            "==" => Self::Equal,
            "!=" => Self::NotEqual,
            "<" => Self::Less,
            "<=" => Self::LessOrEqual,
            ">" => Self::Greater,
            ">=" => Self::GreaterOrEqual,
            _ => return None,
        })
    }

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }

    /// Whether the comparison holds for this order of its sides.
    pub(crate) fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
        }
    }
}
