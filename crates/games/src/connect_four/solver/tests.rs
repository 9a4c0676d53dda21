//! Tests of the solver.

use game::{Generator, StopFlag};
use rustc_hash::FxHashMap;

use super::*;

/// The position after these columns, counted from 1.
fn after(columns: &str) -> Position {
    try_after(columns).unwrap_or_else(|| panic!("{columns} is over, or a column is full"))
}

/// The position after these columns, if the rules allow them and the game is not over after them.
fn try_after(columns: &str) -> Option<Position> {
    let mut position = ConnectFour.start();
    for column in columns.chars() {
        let Turn::One(seat) = ConnectFour.turn(&position) else { return None };
        let chosen = ConnectFour.read_move(&column.to_string()).ok()?;
        ConnectFour.advance(&mut position, seat, chosen).ok()?;
    }
    ConnectFour.turn(&position).outcome().is_none().then_some(position)
}

fn score(position: &Position) -> i32 {
    let stop = StopFlag::default();
    let mut budget = SearchBudget::new(u64::MAX, &stop);
    ConnectFourSearch { table: ScoreTable::new(16) }.score(position, &mut budget).unwrap()
}

fn analysis(columns: &str) -> PositionAnalysis {
    let stop = StopFlag::default();
    ConnectFourSolver.solve(&after(columns), &mut SearchBudget::new(u64::MAX, &stop)).unwrap()
}

/// A slower solver by the rules of the game alone: the same score, by plain negamax with a table of the least
/// and the greatest score that a position can have. A win scores 22 minus the stones that the winner has played.
struct PlainSolver(FxHashMap<Position, (i32, i32)>);

impl PlainSolver {
    fn score(&mut self, position: &Position, stones: i32, mut alpha: i32, mut beta: i32) -> i32 {
        let seat = match ConnectFour.turn(position) {
            Turn::One(seat) => seat,
            Turn::Over(outcome) if outcome.is_draw() => return 0,
            // The seat that has just moved has won.
            _ => return -(22 - (stones + 1) / 2),
        };
        let (least, most) = self.0.get(position).copied().unwrap_or((-22, 22));
        (alpha, beta) = (alpha.max(least), beta.min(most));
        if alpha >= beta {
            return if least >= beta { least } else { most };
        }
        let (before, mut best) = (alpha, -22);
        let mut columns: Vec<Column> = ConnectFour.legal_moves(position, seat).collect();
        columns.sort_by_key(|column| (i32::from(column.number()) - 3).abs());
        for column in columns {
            let mut next = *position;
            ConnectFour.apply(&mut next, seat, &column);
            best = best.max(-self.score(&next, stones + 1, -beta, -alpha));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        let known = self.0.entry(*position).or_insert((-22, 22));
        if best < beta {
            known.1 = known.1.min(best);
        }
        if best > before {
            known.0 = known.0.max(best);
        }
        best
    }
}

/// A random position with at least this many stones in which somebody is to move.
fn random_position(generator: &mut Generator, least: u64) -> (Position, i32) {
    loop {
        let plies = least + generator.below(10);
        let mut position = ConnectFour.start();
        for _ in 0..plies {
            ConnectFour.play_at_random(&mut position, generator).unwrap();
        }
        if ConnectFour.turn(&position).outcome().is_none() {
            return (position, i32::try_from(plies).unwrap());
        }
    }
}

#[test]
fn a_thousand_positions_have_the_score_that_a_slower_solver_finds() {
    let mut generator = Generator::seeded(24);
    for _ in 0..1_000 {
        let (position, stones) = random_position(&mut generator, 24);
        let expected = PlainSolver(FxHashMap::default()).score(&position, stones, -22, 22);
        assert_eq!(score(&position), expected, "{}", ConnectFour.text(&position));
    }
}

#[test]
fn a_board_and_its_mirror_image_have_the_same_score() {
    let mirrored = |columns: &str| -> String {
        columns.chars().map(|column| char::from(b'8' - (column as u8 - b'0'))).collect()
    };
    let mut generator = Generator::seeded(12);
    let random = || -> String { (0..16).map(|_| (generator.below(7) + 1).to_string()).collect() };
    let playable = std::iter::repeat_with(random).filter_map(|it| Some((try_after(&it)?, it)));
    for (position, columns) in playable.take(15) {
        let mirror = after(&mirrored(&columns));
        assert_eq!(Bitboard::of(&position).mirrored(), Bitboard::of(&mirror), "{columns}");
        assert_eq!(score(&position), score(&mirror), "{columns}");
    }
}

#[test]
fn published_positions_have_their_published_scores() {
    // From the files Test_L3_R1 and Test_L2_R1 of Pascal Pons' tutorial.
    for (columns, expected) in [
        ("2252576253462244111563365343671351441", -1),
        ("7422341735647741166133573473242566", 1),
        ("23163416124767223154467471272416755633", 0),
        ("65214673556155731566316327373221417", -1),
    ] {
        assert_eq!(score(&after(columns)), expected, "{columns}");
    }
}

#[test]
fn every_column_has_a_score_and_a_distance() {
    // X has three on the bottom row with both ends free.
    let found = analysis("334455");
    assert_eq!(found.value.to_string(), "a win in 1 ply");
    let scores: Vec<_> = found.moves.iter().map(|each| each.value.score).collect();
    assert_eq!(scores[1], Some(18));
    assert_eq!(scores[5], Some(18));
    assert_eq!(found.best_moves().map(|each| each.chosen.as_str()).collect::<String>(), "bf");
}

#[test]
fn a_loss_says_how_long_it_takes() {
    // O cannot stop both ends.
    let found = analysis("33445");
    assert_eq!(found.value.to_string(), "a loss in 2 plies");
    assert_eq!(found.value.score, Some(-18));
}

#[test]
fn too_small_a_budget_gives_no_answer() {
    let stop = StopFlag::default();
    let solved = ConnectFourSolver.solve(&after("4"), &mut SearchBudget::new(1_000, &stop));
    assert_eq!(solved, Err(CutShort::OutOfBudget));
}

#[test]
fn an_estimate_is_the_negative_of_that_for_the_opponent() {
    let mut generator = Generator::seeded(5);
    for _ in 0..100 {
        let (position, _) = random_position(&mut generator, 6);
        assert_eq!(estimate(&position, Seat::FIRST), -estimate(&position, Seat::SECOND));
    }
    assert!(estimate(&after("4"), Seat::FIRST) > estimate(&after("1"), Seat::FIRST));
}
