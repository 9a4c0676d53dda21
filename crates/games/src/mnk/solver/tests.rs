//! Tests of the solver.

use game::{Generator, Solution, StopFlag, Turn};
use rustc_hash::FxHashMap;

use super::*;

fn opening(size: &str) -> i32 {
    let stop = StopFlag::default();
    opening_value(size.parse().unwrap(), &mut SearchBudget::new(u64::MAX, &stop)).unwrap()
}

#[test]
fn boards_have_their_published_values() {
    assert_eq!(opening("3,3,3"), 0);
    assert_eq!(opening("4,4,3"), 1);
    assert_eq!(opening("4,4,4"), 0);
    assert_eq!(opening("4,3,3"), 1);
    assert_eq!(opening("5,5,4"), 0);
    assert_eq!(opening("6,5,4"), 1);
}

fn solved(size: Size, position: &<BGame<Mnk> as Game>::Position) -> PositionAnalysis {
    let stop = StopFlag::default();
    MnkSolver(size).solve(position, &mut SearchBudget::new(u64::MAX, &stop)).unwrap()
}

#[test]
fn every_position_has_the_value_and_the_distance_that_visiting_all_of_them_finds() {
    for size in ["3,3,3", "4,3,4", "4,3,3", "5,2,3"] {
        let size: Size = size.parse().unwrap();
        let game = Mnk::new(size, Variant::Usual).game();
        let solution = Solution::within(&game, 200_000).unwrap();
        let mut generator = Generator::seeded(3);
        for _ in 0..100 {
            let mut position = game.start();
            for _ in 0..generator.below(6) {
                game.play_at_random(&mut position, &mut generator).unwrap();
            }
            let Turn::One(seat) = game.turn(&position) else { continue };
            let found = solved(size, &position);
            let known = solution.value(&position).map(PositionValue::from);
            assert_eq!(Some(found.value), known, "{}", game.text(&position));
            assert_eq!(found.moves.len(), game.legal_moves(&position, seat).len());
            for (each, chosen) in found.moves.iter().zip(game.legal_moves(&position, seat)) {
                let known = solution.value_of_move(&position, seat, &chosen).unwrap();
                assert_eq!(each.value, known.into(), "{} {chosen}", game.text(&position));
            }
            // The line plays what it promises.
            assert_eq!(u32::try_from(found.line.len()).ok(), found.value.plies);
        }
    }
}

/// The values of positions by the rules alone, for the player to move: 1, 0 or -1, and the plies to the end.
struct PlainSearch {
    lines: Vec<u64>,
    area: u32,
    known: FxHashMap<(u64, u64), (i8, u32)>,
}

impl PlainSearch {
    fn of(size: Size) -> Self {
        let bit = |cell| 1_u64 << size.place(cell).unwrap();
        let lines = Line::all(size).map(|line| line.cells().map(bit).sum()).collect();
        Self { lines, area: size.area().into(), known: FxHashMap::default() }
    }

    fn value(&mut self, own: u64, other: u64) -> (i8, u32) {
        if self.lines.iter().any(|line| line & !other == 0) {
            return (-1, 0);
        }
        if (own | other).count_ones() == self.area {
            return (0, 0);
        }
        if let Some(known) = self.known.get(&(own, other)) {
            return *known;
        }
        // A win is better the sooner it comes, and a loss the later.
        let rank = |(value, plies): (i8, u32)| (value, -i64::from(value) * i64::from(plies));
        let free = (0..self.area).map(|place| 1 << place).filter(|bit| (own | other) & bit == 0);
        let after = free.map(|bit| {
            let (value, plies) = self.value(other, own | bit);
            (-value, plies + 1)
        });
        let best = after.max_by_key(|each| rank(*each)).unwrap();
        self.known.insert((own, other), best);
        best
    }
}

#[test]
fn a_board_of_sixteen_cells_has_the_distances_that_visiting_all_positions_finds() {
    let size: Size = "4,4,3".parse().unwrap();
    let game = Mnk::new(size, Variant::Usual).game();
    let mut plain = PlainSearch::of(size);
    let mut generator = Generator::seeded(4);
    let mut lost = 0;
    for plies in [0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6] {
        let mut position = game.start();
        for _ in 0..plies {
            game.play_at_random(&mut position, &mut generator).unwrap();
        }
        let Turn::One(_) = game.turn(&position) else { continue };
        let (own, other) = marks(size, position.board());
        let found = solved(size, &position);
        let free = (0..16).map(|place| 1 << place).filter(|bit| (own | other) & bit == 0);
        for (each, bit) in found.moves.iter().zip(free) {
            let (value, plies) = plain.value(other, own | bit);
            let known = PositionValue {
                plies: Some(plies + 1),
                ..PositionValue::certain(0.0 - f64::from(value))
            };
            assert_eq!(each.value, known, "{} {}", game.text(&position), each.chosen);
            lost += usize::from(value > 0);
        }
    }
    assert!(lost > 20, "{lost} moves lose");
}

#[test]
fn a_distance_beyond_the_budget_is_not_known_and_the_value_is() {
    let size: Size = "4,4,3".parse().unwrap();
    let stop = StopFlag::default();
    let start = Mnk::new(size, Variant::Usual).game().start();
    let needed = {
        let mut budget = SearchBudget::new(u64::MAX, &stop);
        let mut search = MnkSearch::new(size).unwrap();
        for place in 0..16 {
            search.value_after(0, 0, 1 << place, &mut budget).unwrap();
        }
        budget.steps()
    };
    let solve = |most| MnkSolver(size).solve(&start, &mut SearchBudget::new(most, &stop));
    let short = solve(needed).unwrap();
    assert!((short.value.expected - 1.0).abs() < 1e-9 && short.value.exact, "{short:?}");
    assert!(short.value.lacks_distance(), "{short:?}");
    assert!(!solve(u64::MAX).unwrap().value.lacks_distance());
    assert_eq!(solve(needed - 1), Err(CutShort::OutOfBudget));
}

#[test]
fn only_boards_of_a_fitting_size_are_solved() {
    let solver = |size: &str, variant| MnkSolver::of(Mnk::new(size.parse().unwrap(), variant));
    assert!(solver("4,4,4", Variant::Usual).is_some());
    assert!(solver("3,3,3", Variant::Usual).is_none());
    assert!(solver("7,6,4", Variant::Usual).is_none());
    assert!(solver("4,4,4", Variant::Wild).is_none());
}

#[test]
fn an_open_line_is_good_and_bad_in_misere() {
    let size: Size = "4,4,3".parse().unwrap();
    let estimate = |variant, seat| {
        let game = Mnk::new(size, variant).game();
        let mut position = game.start();
        for (index, text) in ["b2", "a1", "b3"].into_iter().enumerate() {
            let seat = if index % 2 == 0 { Seat::FIRST } else { Seat::SECOND };
            game.advance(&mut position, seat, game.read_move(text).unwrap()).unwrap();
        }
        game.estimate(&position, seat)
    };
    let usual = estimate(Variant::Usual, Seat::FIRST).unwrap();
    assert!(usual > 64, "{usual}");
    assert_eq!(estimate(Variant::Usual, Seat::SECOND), Some(-usual));
    assert_eq!(estimate(Variant::Misere, Seat::FIRST), Some(-usual));
    assert_eq!(estimate(Variant::Notakto, Seat::FIRST), None);
}
