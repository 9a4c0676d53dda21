//! Tests of the solver.

use game::{Generator, Solution, StopFlag, Turn};

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

#[test]
fn every_position_has_the_value_that_visiting_all_of_them_finds() {
    for size in ["3,3,3", "4,3,4", "5,2,3"] {
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
            let stop = StopFlag::default();
            let mut budget = SearchBudget::new(u64::MAX, &stop);
            let found = MnkSolver(size).solve(&position, &mut budget).unwrap();
            assert_eq!(found.moves.len(), game.legal_moves(&position, seat).len());
            for (each, chosen) in found.moves.iter().zip(game.legal_moves(&position, seat)) {
                let known = solution.value_of_move(&position, seat, &chosen).unwrap();
                let known = PositionValue::from(known).expected;
                assert!(
                    (each.value.expected - known).abs() < 0.5,
                    "{} {chosen}",
                    game.text(&position)
                );
            }
        }
    }
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
