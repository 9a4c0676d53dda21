//! A text for each kind of mistake and warning, and the sentence that tells it.

use notation::DiagnosticCode::{self, *};

/// The kind, the text, and the sentence.
pub(crate) const CASES: &[(DiagnosticCode, &str, &str)] = &[
    (
        LeavesRange,
        "program p\nevent a\nthread A\n  keep n: 0..3 = 5\n  request a\n",
        "`n` leaves its range: it would be 5",
    ),
    (
        OpenQuote,
        "program p \"open\nevent a\nthread A: request a\n",
        "this sentence has no closing quote",
    ),
    (
        UnknownCharacter,
        "program p\nevent a;\nthread A: request a\n",
        "the character \";\" means nothing here",
    ),
    (
        Unexpected,
        "program p\nevent a\nthread A: request a block a\n",
        "expected a value or a set, but found `block`",
    ),
    (
        UnknownWord,
        "program p\nevent a\nthraed A: request a\nthread B: request a\n",
        "no line begins with `thraed`; did you mean `thread`?",
    ),
    (
        Indentation,
        "program p\nevent a\nthread A\n    request a\n  request a\n",
        "this line is not indented like the lines above it",
    ),
    (
        Block,
        "program p\nevent a\nthread A: request a\nthread B\n",
        "`B` does nothing: its block is missing",
    ),
    (
        TooDeep,
        "program p\nevent a\nthread A: request ((((((((((((((((((((((((((((((((((a))))))))))))))))))))))))))))))))))\nthread B: request a\n",
        "brackets are nested at most 32 deep",
    ),
    (
        LargeNumber,
        "program p\nparameter n = 1000001\nevent a\nthread A: request a\n",
        "numbers go up to 1000000",
    ),
    (
        NoBeginning,
        "event a\nthread A: request a\n",
        "a text begins with `game NAME` or `program NAME`",
    ),
    (
        ReservedWord,
        "program p\nevent block\nevent a\nthread A: request a\n",
        "`block` is a word of sync points: choose another name",
    ),
    (
        ClauseTwice,
        "program p\nevent a\nthread A: request a, block a, block a\n",
        "`block` stands twice: join sets with `or`",
    ),
    (
        EitherWithoutSyncPoint,
        "program p\nevent a\nthread A\n  either\n    keep n = 1\n    request a\n  or\n    request a\n",
        "a branch of `either` begins with a sync point or with another `either`",
    ),
    (
        DeclaredTwice,
        "program p\nevent a\nevent a\nthread A: request a\n",
        "the event `a` is declared already",
    ),
    (
        UnknownEvent,
        "program p\nevent tick\nthread A: request tick\nthread B: wait for tock or tick\n",
        "no event is called `tock`; did you mean `tick`?",
    ),
    (
        UnknownSet,
        "program p\nset place = 1..3\nevent a(place)\nthread A(p: places): request a\nthread B: request a\n",
        "no set is called `places`; did you mean `place`?",
    ),
    (
        UnknownName,
        "program p\nset s = one, two\nevent a(s)\nthread A: request a(tow)\nthread B: request a\n",
        "nothing is called `tow`; did you mean `two`?",
    ),
    (
        UnknownSeat,
        "game g\nseats X, O\nevent a(seat)  move of seat\nstrategy S for Z: request a(X)\n",
        "no seat is called `Z`",
    ),
    (
        UnknownPart,
        "program p\ngrid s = 2 x 2\nevent a(s)\nthread A: request a(a1.dwon)\nthread B: request a\n",
        "a `s` has no part `dwon`; did you mean `down`?",
    ),
    (
        MixedKinds,
        "program p\nset s = one, two\nset t = one, 1\nevent a\nthread A: request a\n",
        "a `s` and a number stand together: a set has one kind",
    ),
    (
        WrongKind,
        "program p\nset n = 1..2\nset colour = red, blue\nevent a(n, colour)\nthread A: wait for a(?x, ?x)\nthread B: request a\n",
        "a number is expected here, but this is a `colour`",
    ),
    (
        WrongKind,
        "program p\nset s = one, two\nset n = 1..2\nevent a(s)\nthread A(n): request a(n)\nthread B: request a\n",
        "a `s` is expected here, but this is a number",
    ),
    (
        AmbiguousArgument,
        "program p\nset n = 1..3\nevent a(from: n, to: n)\nthread A: request a(2)\nthread B: request a\n",
        "this could be `from` or `to`: write all 2 arguments of `a`, with `_` for any",
    ),
    (
        TooManyArguments,
        "program p\nset n = 1..3\nevent a(n)\nthread A: request a(1, 2)\nthread B: request a\n",
        "`a` has 2 arguments here, but only 1 declared",
    ),
    (
        OnlyInGames,
        "program p\nevent a\nrule A: request a\n",
        "a program has no rules: write `thread`",
    ),
    (
        StrategyBlocks,
        "game g\nseats X\nevent a(seat)  move of seat\nstrategy S for X: request a(X), block a\n",
        "a strategy must not block: what is legal belongs in a rule",
    ),
    (
        RequirementActs,
        "program p\nevent a\nthread A: request a\nrequire R: forever: request a\n",
        "a requirement only watches: it must not request or block",
    ),
    (
        FailOutside,
        "program p\nevent a\nthread A\n  request a\n  fail \"never\"\n",
        "`fail` stands only in `require`",
    ),
    (
        Weight,
        "program p\nevent a\nevent b\nthread A: request a 2, b\nchance B: request a, b\n",
        "a weight stands only in `chance`: separate events with commas",
    ),
    (
        Weight,
        "program p\nset n = 1..2\nevent a(n)\nevent b\nchance B: request a 1, a(1) 5, b 2\n",
        "`a(1)` has two weights here, 1 and 5",
    ),
    (
        IncompleteGame,
        "game g\nevent a\nrule A: request a\n",
        "a game has seats: write `seats X, O`",
    ),
    (
        Meaning,
        "game g\nseats X\nevent a(seat)  move of seat, win of seat\nrule A: wait for a\n",
        "an event is one move, or one result",
    ),
    (
        NoValueYet,
        "program p\nset n = 1..3\nevent a(n)\nthread A\n  either\n    request a(1)\n  or\n    wait for a(?x)\n  request a(x)\n",
        "`x` can be read here before it has a value",
    ),
    (
        NoSyncPoint,
        "program p\nevent a\nthread A\n  keep n = 1\n  forever: n = 3 - n\nthread B: request a\n",
        "this b-thread can go round for ever without a sync point",
    ),
    (
        EndlessValues,
        "program p\nevent a\nthread A\n  keep n = 0\n  forever\n    request a\n    n = n + 1\n    if n < 0: request a\n",
        "this b-thread has more than 50000 states, for example after a, a, a, a, a, a, a, a, …: declare the range of what it keeps, as in `keep n: 0..9 = 0`",
    ),
    (
        UnusedEvent,
        "program p\nevent a\nevent b\nthread A: request a\n",
        "no b-thread requests `b`, and no seat offers it",
    ),
    (
        OutsideSet,
        "program p\nset small = 1..2\nevent g(small)\nthread D\n  request g\n  request g(3)\n",
        "3 is not in `small`, so there is no such event `g`",
    ),
    (
        NeverStarts,
        "program p\nevent a\nevent b\nthread A: request a\nthread B: request a and b\nthread C: request b\n",
        "`B` can never take its first step",
    ),
    (
        NeverStarts,
        "program p\nevent a\nevent b\nthread A: request a\nthread B: wait for a and b\nthread C: request b\n",
        "`B` can never take its first step",
    ),
    (
        SilentRule,
        "game g\nseats X\nevent a(seat)  move of seat\nrule A\n  wait for a\n  block a\n",
        "`A` can refuse a move, but has no sentence that says why",
    ),
    (
        NothingLeft,
        "program p\nset n = 1..3\nevent a(n)\nthread A(n) where n > 3: request a(n)\nthread B: request a\n",
        "`where` leaves no b-thread `A`",
    ),
    (
        StopsWatching,
        "program p\nevent a\nthread A: request a\nrequire R: wait for a\n",
        "`R` can stop watching: repeat it with `forever`",
    ),
];
