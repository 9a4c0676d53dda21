//! Numbers that are known from elsewhere, or found by a second implementation.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use checker::{Checker, Property};
use game::{BGame, Game, Generator, PlayerView, Ply, Seat, Solution, Turn, Value, Viewer, perft};
use notation::{ModelOptions, TextRulebook};

use crate::texts::built;

fn game(name: &str) -> BGame<TextRulebook> {
    built(name, &[]).game().expect("the text is a game")
}

/// The numbers of states and of transitions of a program.
fn size(name: &str) -> (u64, u64) {
    let text = built(name, &[]);
    let model = text.model(&ModelOptions::default()).expect("the text has a model");
    let report = Checker::new(&model).run().expect("the search ends");
    (report.states, report.edges)
}

/// The numbers of states and of steps of a graph that is written in Rust.
fn reachable<S: Clone + Ord>(start: S, steps: impl Fn(&S) -> Vec<S>) -> (u64, u64) {
    let mut seen = BTreeSet::from([start.clone()]);
    let (mut open, mut edges) = (VecDeque::from([start]), 0);
    while let Some(state) = open.pop_front() {
        for next in steps(&state) {
            edges += 1;
            if seen.insert(next.clone()) {
                open.push_back(next);
            }
        }
    }
    (seen.len() as u64, edges)
}

/// Bouton's theorem: a position of Nim is lost for the seat to move exactly if the exclusive or of
/// its heaps is zero.
#[test]
fn nim_is_won_as_bouton_says() {
    let game = game("nim");
    let solution = Solution::of(&game).unwrap();
    let (mut open, mut seen) = (vec![game.start()], BTreeSet::new());
    while let Some(position) = open.pop() {
        let Turn::One(seat) = game.turn(&position) else { continue };
        if !seen.insert(game.text(&position)) {
            continue;
        }
        let text = game.text(&position);
        let heaps = text.split("left ").skip(1).map(|rest| rest.as_bytes()[0] - b'0');
        let is_lost = heaps.fold(0, std::ops::BitXor::bitxor) == 0;
        let value = solution.value(&position).unwrap();
        assert_eq!(matches!(value, Value::Loss(_)), is_lost, "{text}");
        for chosen in game.legal_moves(&position, seat) {
            open.push(game.play(&position, seat, chosen).unwrap());
        }
    }
    let take = |(heaps, mover): &([u8; 3], bool)| {
        let takes = (0..3).flat_map(|heap| (1..=heaps[heap]).map(move |count| (heap, count)));
        let after = |(heap, count): (usize, u8)| {
            let mut heaps = *heaps;
            heaps[heap] -= count;
            (heaps, !mover)
        };
        takes.map(after).collect()
    };
    // The two positions without a stick are over.
    assert_eq!(seen.len() as u64 + 2, reachable(([3; 3], false), take).0);
}

const SIDES: [&str; 12] = ["b1", "d1", "a2", "c2", "e2", "b3", "d3", "a4", "c4", "e4", "b5", "d5"];

/// For each box of Dots and Boxes, its sides as bits.
fn boxes() -> [u16; 4] {
    [
        ["b1", "a2", "c2", "b3"],
        ["d1", "c2", "e2", "d3"],
        ["b3", "a4", "c4", "b5"],
        ["d3", "c4", "e4", "d5"],
    ]
    .map(|sides| sides.iter().map(|side| 1 << place(side)).sum())
}

fn place(side: &str) -> usize {
    SIDES.iter().position(|known| *known == side).expect("it is a side")
}

/// Dots and Boxes on bits: by how many boxes more the seat to move will close from now on.
fn lead(drawn: u16, known: &mut BTreeMap<u16, i32>) -> i32 {
    if let Some(lead) = known.get(&drawn) {
        return *lead;
    }
    let sides = (0..12).filter(|side| drawn >> side & 1 == 0);
    let after = |side: u16| {
        let next = drawn | 1 << side;
        let is_new = |each: &u16| next & each == *each && drawn & each != *each;
        let closed = i32::try_from(boxes().into_iter().filter(is_new).count())
            .expect("there are four boxes");
        if closed > 0 { closed + lead(next, known) } else { -lead(next, known) }
    };
    let best = sides.map(after).max().unwrap_or(0);
    known.insert(drawn, best);
    best
}

/// The boxes that a seat has closed.
fn closed(text: &str, seat: &str) -> i32 {
    let after = text.split(&format!("{seat}: ")).nth(1).expect("the text has the score");
    i32::from(after.as_bytes()[0] - b'0')
}

/// The same number, found by playing the text.
fn lead_of_text(
    game: &BGame<TextRulebook>,
    position: &<BGame<TextRulebook> as Game>::Position,
    drawn: u16,
    known: &mut BTreeMap<u16, i32>,
) -> i32 {
    let Turn::One(seat) = game.turn(position) else { return 0 };
    if let Some(lead) = known.get(&drawn) {
        return *lead;
    }
    let name = game.seats()[seat.index()].to_owned();
    let before = closed(&game.text(position), &name);
    let moves = game.legal_moves(position, seat);
    let after = |chosen: notation::TextMove| {
        let side = place(&chosen.to_string());
        let next = game.play(position, seat, chosen).expect("the move is legal");
        let won = closed(&game.text(&next), &name) - before;
        let rest = lead_of_text(game, &next, drawn | 1 << side, known);
        let is_same_seat = won > 0;
        assert!(
            matches!(game.turn(&next), Turn::Over(_))
                || is_same_seat == (game.turn(&next) == Turn::One(seat))
        );
        if is_same_seat { won + rest } else { -rest }
    };
    let best = moves.map(after).max().unwrap_or(0);
    known.insert(drawn, best);
    best
}

#[test]
fn dots_and_boxes_is_won_by_two_boxes() {
    let game = game("dots-and-boxes");
    for (depth, count) in [(1, 12), (2, 132), (3, 1320)] {
        assert_eq!(perft(&game, &game.start(), depth), count);
    }
    let (mut found, mut expected) = (BTreeMap::new(), BTreeMap::new());
    let value = lead_of_text(&game, &game.start(), 0, &mut found);
    assert_eq!((value, lead(0, &mut expected)), (2, 2));
    // All sets of sides can be drawn; without the last one the game is over.
    expected.remove(&0xfff);
    assert_eq!(found, expected);
}

/// The fox, the hounds and who moves: columns and rows from 0, with the hounds in order.
type Hunt = ((i8, i8), [(i8, i8); 2], bool);

/// The successors of a hunt, which has none when it is over.
fn hunt((fox, hounds, is_fox): Hunt) -> Vec<Hunt> {
    let is_free = |square: (i8, i8)| {
        (0..4).contains(&square.0)
            && (0..4).contains(&square.1)
            && square != fox
            && !hounds.contains(&square)
    };
    let steps = |from: (i8, i8), rows: &[i8]| {
        let all = rows.iter().flat_map(|row| [-1, 1].map(|column| (from.0 + column, from.1 + row)));
        all.filter(|to| is_free(*to)).collect::<Vec<_>>()
    };
    // The squares from which the hounds began are the fox's home.
    if [(1, 0), (3, 0)].contains(&fox) {
        return Vec::new();
    }
    if is_fox {
        return steps(fox, &[-1, 1]).into_iter().map(|to| (to, hounds, false)).collect();
    }
    let moved = (0..2).flat_map(|hound| {
        steps(hounds[hound], &[1]).into_iter().map(move |to| {
            let mut hounds = hounds;
            hounds[hound] = to;
            (fox, hounds, true)
        })
    });
    moved.collect()
}

#[test]
fn the_hunts_of_fox_and_hounds_are_counted() {
    let game = game("fox-and-hounds");
    let mut open: Vec<Hunt> = vec![((0, 3), [(1, 0), (3, 0)], true)];
    for depth in 1..=8 {
        open = open.into_iter().flat_map(hunt).collect();
        assert_eq!(perft(&game, &game.start(), depth), open.len() as u64, "{depth}");
    }
    assert_eq!(open.len(), 111);
}

/// Pig with numbers: the totals, what the turn has brought, who moves, and whether the die rolls.
type PigState = ([u32; 2], u32, usize, bool);

#[test]
fn pig_is_played_as_with_numbers() {
    let (target, sides) = (6, 3);
    let game = game("pig");
    let mut open = vec![(game.start(), ([0; 2], 0, 0, false))];
    let mut seen: BTreeSet<PigState> = BTreeSet::new();
    let mut wins = [0; 2];
    while let Some((position, state)) = open.pop() {
        let (totals, turn, mover, rolls) = state;
        if !seen.insert(state) {
            continue;
        }
        if totals[mover] + turn >= target {
            let winner = game.turn(&position).outcome().and_then(|outcome| outcome.winner());
            assert_eq!(winner.map(Seat::index), Some(mover));
            wins[mover] += 1;
        } else if rolls {
            assert_eq!(game.turn(&position), Turn::Chance);
            assert_eq!(game.chances(&position).len(), sides as usize);
            for face in 1..=sides {
                let mut next = position.clone();
                let drawn = game.read_chance(&format!("comes({face})")).unwrap();
                game.advance_chance(&mut next, &drawn).unwrap();
                let lost = (totals, 0, 1 - mover, false);
                let won = (totals, turn + face, mover, false);
                open.push((next, if face == 1 { lost } else { won }));
            }
        } else {
            let seat = Seat::new(u8::try_from(mover).unwrap()).unwrap();
            assert_eq!(game.turn(&position), Turn::One(seat));
            let mut held = totals;
            held[mover] += turn;
            let play = |text| game.play(&position, seat, game.read_move(text).unwrap()).unwrap();
            open.push((play("roll"), (totals, turn, mover, true)));
            open.push((play("hold"), (held, 0, 1 - mover, false)));
        }
    }
    assert!(wins.iter().all(|count| *count > 0));
}

/// All games of the tutorial against every X, as the b-threads in Rust play them.
#[test]
fn the_tutorial_has_827_games() {
    let game = game("tutorial");
    let mut player = game.strategies(Seat::SECOND).unwrap();
    let mut open = vec![(game.start(), Vec::new())];
    let mut games = BTreeSet::new();
    while let Some((position, history)) = open.pop() {
        let mut go_on = |seat, chosen: notation::TextMove| {
            let next = game.play(&position, seat, chosen.clone()).unwrap();
            let mut history: Vec<_> = history.clone();
            history.push(Ply::Moves(vec![(seat, chosen)]));
            open.push((next, history));
        };
        match game.turn(&position) {
            Turn::One(Seat::FIRST) => {
                game.legal_moves(&position, Seat::FIRST).for_each(|each| go_on(Seat::FIRST, each));
            }
            Turn::One(seat) => {
                let view = PlayerView::new(&game, &position, seat, &history);
                let chosen = player.choose(&view).unwrap().chosen;
                go_on(seat, chosen);
            }
            turn => {
                let winner = turn.outcome().and_then(|outcome| outcome.winner());
                games.insert(recorded(&history, winner));
            }
        }
    }
    // Without the squares of the line that won, which the move decides.
    let line = |game: &str| game.split('[').next().unwrap().to_owned();
    let expected: BTreeSet<String> = ALL_GAMES.lines().map(line).collect();
    assert_eq!(games.len(), 827);
    assert_eq!(games, expected);
}

const ALL_GAMES: &str = include_str!("../../../bthread/tests/data/seed000-all-827-games.txt");

/// A game as the list has it: `X0 O4 X8 OWin`.
fn recorded(history: &[game::PlyOf<BGame<TextRulebook>>], winner: Option<Seat>) -> String {
    let mut words = Vec::new();
    for ply in history {
        let Ply::Moves(moves) = ply else { continue };
        for (seat, chosen) in moves {
            let square = chosen.to_string();
            let [column, row] = *square.as_bytes() else { unreachable!("{square} is a square") };
            let mark = ["X", "O"][seat.index()];
            words.push(format!("{mark}{}", (row - b'1') * 3 + (column - b'a')));
        }
    }
    words.extend(winner.map(|seat| format!("{}Win", ["X", "O"][seat.index()])));
    words.join(" ")
}

/// What is paid, what the machine has promised, and what is left.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Machine {
    paid: u8,
    promise: Option<Promise>,
    stock: [u8; 2],
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Promise {
    Drink(usize),
    Refund,
}

#[test]
fn the_vending_machine_has_as_many_states_as_a_machine_with_numbers() {
    let start = Machine { paid: 0, promise: None, stock: [2, 2] };
    let steps = |machine: &Machine| {
        let Machine { paid, promise, stock } = machine.clone();
        let mut next = Vec::new();
        match promise {
            Some(Promise::Refund) => next.push(Machine { paid: 0, promise: None, stock }),
            Some(Promise::Drink(drink)) => {
                let mut stock = stock;
                stock[drink] -= 1;
                next.push(Machine { paid: 0, promise: None, stock });
            }
            None => {
                if paid < 2 {
                    next.push(Machine { paid: paid + 1, promise, stock });
                }
                if paid > 0 {
                    next.push(Machine { paid, promise: Some(Promise::Refund), stock });
                }
                let drinks = (0..2).filter(|drink| paid == 2 && stock[*drink] > 0);
                next.extend(drinks.map(|drink| Machine {
                    paid,
                    promise: Some(Promise::Drink(drink)),
                    stock,
                }));
            }
        }
        next
    };
    assert_eq!(size("vending"), reachable(start, steps));
}

const WALLS: [&str; 9] = ["b1", "b2", "d2", "f2", "d3", "b4", "c4", "d4", "f4"];

/// The cells of the maze: the way into it, a cell, or the end.
#[test]
fn the_maze_has_one_state_for_each_open_cell() {
    let name = |(column, row): (u8, u8)| format!("{}{row}", char::from(column));
    let steps = |at: &Option<(u8, u8)>| match *at {
        None => vec![Some((b'a', 1))],
        // At the exit the program says that it is found, and ends.
        Some((b'f', 5)) => vec![Some((b'z', 0))],
        Some((b'z', _)) => Vec::new(),
        Some((column, row)) => {
            let cells =
                [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)];
            let is_open = |cell: &(u8, u8)| {
                (b'a'..=b'f').contains(&cell.0)
                    && (1..=5).contains(&cell.1)
                    && !WALLS.contains(&name(*cell).as_str())
            };
            cells.into_iter().filter(is_open).map(Some).collect()
        }
    };
    let expected = reachable(None, steps);
    assert_eq!(expected.0, 21 + 2);
    assert_eq!(size("maze"), expected);
}

/// The shortest trace to an event.
fn shortest(name: &str, given: &[&str], event: &str) -> usize {
    let text = built(name, given);
    let model = text.model(&ModelOptions::default()).expect("the text has a model");
    let found = event.to_owned();
    let property =
        Property::never("it", move |happened: &notation::TextEvent| happened.as_str() == found);
    let report = Checker::new(&model).property(property).run().expect("the search ends");
    report.findings[0].trace.as_ref().expect("it can happen").actions.len()
}

/// A tower of n discs takes 2ⁿ - 1 moves, and its pegs 3ⁿ ways to hold them.
#[test]
fn shortest_ways_are_as_short_as_known() {
    assert_eq!(shortest("hanoi", &[], "solved"), 7 + 1);
    assert_eq!(shortest("hanoi", &["discs=4"], "solved"), 15 + 1);
    // Nine steps from a1 by a5 to f5, after the one that enters.
    assert_eq!(shortest("maze", &[], "found"), 1 + 9 + 1);
}

#[test]
fn nine_boards_are_drawn_as_one_grid() {
    let game = game("ultimate");
    let mut position = game.start();
    for (seat, chosen) in [(Seat::FIRST, "b2-a1"), (Seat::SECOND, "a1-c3")] {
        game.advance(&mut position, seat, game.read_move(chosen).unwrap()).unwrap();
    }
    expect_test::expect![[r#"
          a b c  d e f  g h i
        1 . . .  . . .  . . .
        2 . . .  . . .  . . .
        3 . . O  . . .  . . .

        4 . . .  X . .  . . .
        5 . . .  . . .  . . .
        6 . . .  . . .  . . .

        7 . . .  . . .  . . .
        8 . . .  . . .  . . .
        9 . . .  . . .  . . .
        NextBoard: next c3"#]]
    .assert_eq(&game.picture(&position, Viewer::Spectator).to_string());
    let refused = game.read_move("b2-b2").unwrap();
    let refusal = game.check(&position, Seat::FIRST, &refused).unwrap_err();
    assert_eq!(refusal.to_string(), "Play on the board that the last move named: SentTo(c3)");
}

#[test]
fn random_games_of_all_texts_end() {
    let mut generator = Generator::seeded(7);
    for name in ["dots-and-boxes", "misere", "mnk", "notakto", "tutorial", "ultimate", "wild"] {
        let game = game(name);
        for _ in 0..5 {
            let mut position = game.start();
            game::playout(&game, &mut position, &mut generator).unwrap();
        }
    }
}
