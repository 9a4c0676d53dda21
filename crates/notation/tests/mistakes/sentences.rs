//! Sentences of mistakes whose kinds have other sentences as well: each with a text that has this
//! mistake alone.

use notation::DiagnosticCode::{self, *};
use notation::Document;

/// The kind, the text, and the sentence.
const SENTENCES: &[(DiagnosticCode, &str, &str)] = &[
    // The first line, and what stands at the beginning of others.
    (NoBeginning, "# nothing\n", "the text is empty: it begins with `game NAME` or `program NAME`"),
    (
        NoBeginning,
        "program p\nevent a\nthread A: request a\nprogram q\n",
        "`game` and `program` stand only at the beginning",
    ),
    (
        Unexpected,
        "program p-\nevent a\nthread A: request a\n",
        "expected the rest of the name, but found the end of the line",
    ),
    (
        UnknownCharacter,
        "program p\nevent\ta\nthread A: request a\n",
        "a tab cannot stand here: write spaces",
    ),
    (
        Indentation,
        "program p\n  event b\nevent a\nthread A: request a\n",
        "nothing can be indented below the line above",
    ),
    (
        Indentation,
        "program p\nevent a\nthread A\n  request a\n    request a\n",
        "nothing can be indented below the line above",
    ),
    (
        Unexpected,
        "program p\nparameter = 3\nevent a\nthread A: request a\n",
        "expected the name of the parameter, but found `=`",
    ),
    (
        Unexpected,
        "game g\nseats\nevent a\nrule A: request a\n",
        "expected the name of a seat, but found the end of the line",
    ),
    (
        Unexpected,
        "program p\nset = 1..2\nevent a\nthread A: request a\n",
        "expected the name of the set, but found `=`",
    ),
    (
        Unexpected,
        "program p\nset n = 1..2\nrows (n)\n  1\nevent a\nthread A: request a\n",
        "expected the name of the rows, but found `(`",
    ),
    (
        Unexpected,
        "program p\nrows r\n  1\nevent a\nthread A: request a\n",
        "expected the columns in brackets, but found the end of the line",
    ),
    (
        Unexpected,
        "program p\nset n = 1..2\nrows r(x: n, y: n)\n  1\nevent a\nthread A: request a\n",
        "a row of `r` has 2 values",
    ),
    (
        Unexpected,
        "program p\nevent a\nthread : request a\nthread A: request a\n",
        "expected the name of the b-thread, but found `:`",
    ),
    (
        Unexpected,
        "program p\nevent a\nthread A where: request a\nthread B: request a\n",
        "expected a value or a set, but found `:`",
    ),
    (
        Unexpected,
        "program p\nevent a\nthread A slowly: request a\nthread B: request a\n",
        "expected `where`, `for`, a sentence in quotes, or a block, but found `slowly`",
    ),
    (
        Unexpected,
        "program p\nset n = 1..2\nevent b(x:)\nevent a\nthread A: request a\n",
        "expected the set of the parameter, but found `)`",
    ),
    (
        Unexpected,
        "game g\nseats X\nevent a(seat)  jump of seat\nevent b(seat)  move of seat\nrule A \"no\": wait for b\n",
        "expected what the event means: `move of`, `win of`, `loss of`, `draw`, `most wins`, `scores`, `puts`, `clears`, `moves` or `shows`, but found `jump`",
    ),
    (
        Unexpected,
        "game g\nseats X\nevent a(seat)  move of seat, shows\nrule A \"no\": wait for a\n",
        "expected a variable of a rule, but found the end of the line",
    ),
    (
        Unexpected,
        "program p\nevent a\nthread A: request a\nrequire R: probability of a > 1\n",
        "expected `==`, `<=` or `>=`, but found `>`",
    ),
    // Statements and blocks.
    (
        Block,
        "program p\nevent a\nthread A\n  forever\nthread B: request a\n",
        "the block is missing: indent it below, or write it after a colon",
    ),
    (
        Block,
        "program p\nevent a\nthread A\n  forever: request a\n    request a\nthread B: request a\n",
        "the block of the line above stands after its colon already",
    ),
    (
        Block,
        "program p\nevent a\nthread A\n  either\n    request a\nthread B: request a\n",
        "`either` has one branch: write `or` and the others below it",
    ),
    (
        Unexpected,
        "program p\nevent a\nthread A: request a\nrequire R: forever: fail\n",
        "expected a sentence in quotes, but found the end of the line",
    ),
    (
        UnknownWord,
        "program p\nevent a\nthread A: requst a\nthread B: request a\n",
        "`requst` does not begin a statement; did you mean `request`?",
    ),
    (
        Unexpected,
        "program p\nevent a\nthread A: request a, must block a\nthread B: request a\n",
        "expected `must` only at the beginning of the line, but found `must`",
    ),
    (
        Unexpected,
        "program p\nevent a\nthread A: wait for a, 3\nthread B: request a\n",
        "expected `request`, `wait for`, `block`, `interrupt` or `otherwise`, but found `3`",
    ),
    // Values and sets.
    (
        Unexpected,
        "program p\nring n = 1..2\nevent a(n)\nthread A(n): request a(n.)\nthread B: request a\n",
        "expected a part such as `up` or `next`, but found `)`",
    ),
    (
        Unexpected,
        "program p\ngrid s = 2 x 2\nset l = lines of 2 in 3\nevent a(s)\nthread A: request a\n",
        "expected the set of the lines, but found `3`",
    ),
    (
        WrongKind,
        "program p\nset s = one, two\nset l = lines of 2 in s\nevent a(s)\nthread A: request a\n",
        "`s` is no grid, so it has no lines",
    ),
    (
        WrongKind,
        "program p\ngrid s = 2 x 2\nevent a(s)\nthread A: request a(lines of 2 in s)\nthread B: request a\n",
        "lines are written only in the declaration of a set",
    ),
    (
        UnknownSet,
        "program p\ngrid s = 2 x 2\nevent a(s)\nthread A: request a(lines through a1 and a2)\nthread B: request a\n",
        "`lines through` needs one set of lines: declare `set line = lines of 3 in square`",
    ),
    (
        WrongKind,
        "program p\nset s = not 1\nevent a\nthread A: request a\n",
        "a value is expected here",
    ),
    (
        WrongKind,
        "program p\nset s = 1 < 2\nevent a\nthread A: request a\n",
        "a value is expected here, but this is a condition",
    ),
    (
        WrongKind,
        "program p\nset n = 1..4\nset late = 3..4\nevent a(n)\nthread A(n) where n in {1} or late: request a(n)\nthread B: request a\n",
        "a set is no condition: write `in` before it, as in `x in {1 2}`",
    ),
    (
        WrongKind,
        "program p\nevent a\nthread A: request a\nrequire R: never 1\n",
        "a set of events is expected here, such as `mark(X)` or `any`",
    ),
    (
        MixedKinds,
        "program p\nset s = one, two\nevent a(s)\nthread A: request a({one 1})\nthread B: request a\n",
        "a `s` and a number stand together here: use values of one kind",
    ),
    (
        WrongKind,
        "program p\nset s = one, two\nparameter n = one\nevent a(s)\nthread A: request a\n",
        "a parameter is a number",
    ),
    (
        WrongKind,
        "program p\ngrid s = 0 x 2\nevent a\nthread A: request a\n",
        "a number from 1 on is expected here, and not 0",
    ),
    // Events and their arguments.
    (
        DeclaredTwice,
        "program p\nset n = 1..2\nevent a(n, n)\nevent b\nthread A: request b\n",
        "two parameters are called `n`: name one of them, as in `from: n`",
    ),
    (
        NothingLeft,
        "program p\nset n = 1..2\nevent a(n) where n > 2\nevent b\nthread A: request b\n",
        "`where` leaves no event `a`",
    ),
    (
        AmbiguousArgument,
        "program p\nset n = 1..2\nset s = one, two\nevent a(n, m: n, s)\nthread A: wait for a(one, two)\nthread B: request a\n",
        "two arguments belong to the parameter `s`",
    ),
    (
        UnknownName,
        "program p\nset n = 1..2\nevent a(n)\nthread A: request a\nrequire R: never a(?x)\n",
        "`?` remembers a value only in a sync point of a b-thread",
    ),
    (
        UnknownName,
        "program p\nset count = 1..2\nevent a(count)\nthread A: request a(cuont > 1)\nthread B: request a\n",
        "a condition among arguments begins with a parameter of `a`; did you mean `count`?",
    ),
    (
        AmbiguousArgument,
        "program p\nset n = 1..2\nevent a(from: n, to: n)\nthread A: request a(to > 1, 1)\nthread B: request a\n",
        "this is the place of the parameter `from`",
    ),
    (
        AmbiguousArgument,
        "program p\nset n = 1..2\nevent a(from: n, to: n)\nthread A: request a(_)\nthread B: request a\n",
        "`_` and `?` need their place: write all 2 arguments of `a`",
    ),
    (
        WrongKind,
        "program p\nset n = 1..2\nset s = one, two\nevent a(x: n, y: n)\nthread A: request a(one)\nthread B: request a\n",
        "no parameter of `a` takes a `s`",
    ),
    // B-threads and what they keep.
    (
        DeclaredTwice,
        "program p\nevent a\nthread A: request a\nthread A: request a\n",
        "a b-thread or a property is called `A` already",
    ),
    (
        DeclaredTwice,
        "program p\nset n = 1..2\nevent a(n)\nthread A(n, n): request a\nthread B: request a\n",
        "two parameters are called `n`",
    ),
    (
        DeclaredTwice,
        "program p\nset n = 1..2\nevent a(n)\nthread A(n)\n  wait for a(?n)\nthread B: request a\n",
        "`n` is a parameter, which never changes",
    ),
    (
        WrongKind,
        "program p\nevent a\nthread A\n  keep n: 3 = 1\n  request a\nthread B: request a\n",
        "the range of a variable is a set, such as `0..9`",
    ),
    (
        UnknownName,
        "program p\nevent a\nthread A\n  n = 1\n  request a\nthread B: request a\n",
        "no variable is called `n`; write `keep n = …` where it begins",
    ),
    (
        UnknownName,
        "program p\nevent a\nthread A\n  keep count = 1\n  cuont = 2\n  request a\nthread B: request a\n",
        "no variable is called `cuont`; did you mean `count`?",
    ),
    (
        Weight,
        "program p\nevent a\nchance A: request a 1001\n",
        "a weight is a number from 1 to 1000, and not 1001",
    ),
    // Programs and games.
    (
        OnlyInGames,
        "program p\nseats X\nevent a\nthread A: request a\n",
        "a program has no seats: begin with `game` to have some",
    ),
    (
        OnlyInGames,
        "program p\nevent a  draw\nthread A: request a\n",
        "only events of a game have meanings: begin with `game` to have some",
    ),
    (
        OnlyInGames,
        "program p\ngrid s = 2 x 2\nevent a\nplace a1 on a1\nthread A: request a\n",
        "only a game is drawn: begin with `game`",
    ),
    (
        OnlyInGames,
        "game g\nseats X\nevent a(seat)  move of seat\nthread A: wait for a\n",
        "a game has no threads: write `rule`",
    ),
    (
        OnlyInGames,
        "game g\nseats X\nevent a(seat)  move of seat\nworld A: wait for a\n",
        "in a game the seats are the world: declare moves",
    ),
    (
        DeclaredTwice,
        "game g\nseats X\nseats O\nevent a(seat)  move of seat\nrule A: wait for a\n",
        "the seats are declared already",
    ),
    (
        IncompleteGame,
        "game g\nseats X\nevent a\nrule A: request a\n",
        "no event is a move: write `move of seat` after one",
    ),
    (
        UnknownSeat,
        "game g\nseats X\nevent a(seat)  move of seat\nrule A for X: wait for a\n",
        "only a strategy is `for` a seat",
    ),
    (
        UnknownSeat,
        "game g\nseats X\nevent a(seat)  move of seat\nstrategy A: request a\n",
        "a strategy says whose it is: write `for` and a seat",
    ),
    (
        Meaning,
        "game g\nseats X\nset n = 1..2\nevent a(seat)  move of seat, shows left of n\nrule A: wait for a\n",
        "`shows` names a parameter of the event, as in `shows left of heap`",
    ),
    (
        Meaning,
        "game g\nseats X\nset n = 1..2\nevent a(seat, n)  move of seat, puts seat on n\nrule A: wait for a\n",
        "a square of a grid is expected here",
    ),
    (
        Meaning,
        "game g\nseats X\ngrid s = 2 x 2\nset n = 1..2\nevent a(seat, s)  move of seat, puts seat on s\nplace X on {1 2}\nrule A: wait for a\n",
        "squares of the drawn grid are expected here",
    ),
    // Properties.
    (
        WrongKind,
        "program p\nevent a\nthread A: request a\nrequire R: probability of a == 3/2\n",
        "a probability is from 0 to 1, as in `2/3`",
    ),
    (
        WrongKind,
        "program p\nevent a\nthread A: request a\nrequire R: expected number of a until a == 1/0\n",
        "nothing can be divided by 0",
    ),
];

#[test]
fn every_sentence_is_told_alone_in_these_words() {
    let mut wrong = Vec::new();
    for (code, text, sentence) in SENTENCES {
        let found = Document::read(*text).check(&[]);
        let told: Vec<_> = found.iter().map(|each| (each.code, each.message.as_str())).collect();
        if told != [(*code, *sentence)] {
            wrong.push(format!("{text}{sentence}\n{told:?}\n"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_program_has_neither_strategies_nor_seats_to_play() {
    let text = "program p\nevent a\nthread A: request a\nstrategy S for X: request a\n";
    let found = Document::read(text).check(&[]);
    let told: Vec<&str> = found.iter().map(|each| each.message.as_str()).collect();
    assert_eq!(told, ["a program has no strategies: write `thread`", "no seat is called `X`"]);
}

#[test]
fn the_seats_of_a_game_are_missing_where_it_says_whose_move_it_is() {
    let text = "game g\nset n = 1..2\nevent a(n)  move of n\nrule A: wait for a\n";
    let found = Document::read(text).check(&[]);
    assert_eq!(found[0].message, "the game has no seats");
}

/// Bounds that are not in the limits of building: what they stop is no text of a person.
#[test]
fn lines_blocks_seats_and_variables_are_bounded() {
    let check = |text: &str, code: DiagnosticCode, sentence: &str| {
        let found = Document::read(text).check(&[]);
        let told: Vec<_> = found.iter().map(|each| (each.code, each.message.as_str())).collect();
        assert_eq!(told, [(code, sentence)], "{text}");
    };
    let sum = |count: usize| {
        let ones = vec!["1"; count].join(" + ");
        format!("program p\nparameter n = {ones}\nevent a\nthread A: request a\n")
    };
    check(&sum(202), TooDeep, "a line has at most 200 operators");
    assert_eq!(Document::read(sum(201)).check(&[]), [], "200 operators are allowed");

    let parts = |count: usize| {
        let parts = ".next".repeat(count);
        format!("program p\nring n = 1..2\nevent a(n)\nthread A(n): request a(n{parts})\n")
    };
    check(&parts(201), TooDeep, "a line has at most 200 operators");
    assert_eq!(Document::read(parts(200)).check(&[]), []);

    let nested = |depth: usize| {
        let lines = (1..=depth).map(|level| format!("{}1 times\n", " ".repeat(level)));
        let inside = " ".repeat(depth + 1);
        format!("program p\nevent a\nthread A\n{}{inside}request a\n", lines.collect::<String>())
    };
    let told = Document::read(nested(24)).check(&[]);
    let deepest = told.last().expect("it is too deep");
    assert_eq!(
        (deepest.code, deepest.message.as_str()),
        (TooDeep, "blocks are nested at most 24 deep")
    );
    assert_eq!(Document::read(nested(23)).check(&[]), []);

    let inline = |depth: usize| {
        format!("program p\nevent a\nthread A: {}request a\n", "1 times: ".repeat(depth))
    };
    check(&inline(60), TooDeep, "blocks are nested too deeply");
    assert_eq!(Document::read(inline(40)).check(&[]), []);

    let seats = |count: usize| {
        let names: Vec<String> = (0..count).map(|seat| format!("s{seat}")).collect();
        let names = names.join(", ");
        format!("game g\nseats {names}\nset x = y\nevent a  draw\nrule A: request a\n")
    };
    let most = usize::from(game::Seat::MOST);
    let told = Document::read(seats(most + 1)).check(&[]);
    assert_eq!(told[0].message, format!("a game has at most {most} seats"));
    let allowed = Document::read(seats(most)).check(&[]);
    assert_eq!(allowed[0].code, IncompleteGame, "only a move is missing: {allowed:?}");

    let variables = |count: usize| {
        let kept = (0..count).map(|number| format!("  keep v{number} = 0\n"));
        format!("program p\nevent a\nthread A\n{}  request a\n", kept.collect::<String>())
    };
    check(&variables(61), TooManyValues, "a b-thread has at most 60 variables");
    assert_eq!(Document::read(variables(60)).check(&[]), []);
    // Loops that count keep a number, too.
    let counted = format!("{}  2 times: request a\n", variables(60));
    check(&counted, TooManyValues, "a b-thread has at most 60 variables");
}
