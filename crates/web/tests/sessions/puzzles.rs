//! The puzzle of the day: one move wins, and everybody gets the same one.

use game::{AnalysisBudget, Game as _};
use web::puzzle::DailyPuzzle;
use web::replay::GameReplay;
use web::session::{Intent, LocalSession, Now, TableSession as _};

const BUDGET: AnalysisBudget = AnalysisBudget { positions: 100_000, simulations: 1 };

fn of_day(day: u64) -> DailyPuzzle {
    let game = games::catalog::game("tic-tac-toe").expect("the game is in the catalog");
    DailyPuzzle::of_day(&game, day, BUDGET).expect("every day has a puzzle")
}

/// The value of each move in the position of a puzzle, from -1 to 1.
fn values(puzzle: &DailyPuzzle) -> Vec<(String, f64)> {
    let game = games::catalog::game("tic-tac-toe").expect("the game is in the catalog");
    let replay = GameReplay::read_as(game, &puzzle.plies).expect("the plies are legal");
    let analysis = replay.analysis(replay.plies().len(), BUDGET).expect("a seat is in turn");
    let moves = analysis.position.moves.into_iter();
    moves.map(|each| (each.chosen, each.value.expected)).collect()
}

#[test]
fn in_every_puzzle_exactly_one_move_wins_and_not_at_once() {
    let mut positions = std::collections::BTreeSet::new();
    for day in 20_000..20_020 {
        let puzzle = of_day(day);
        let winning: Vec<String> = values(&puzzle)
            .into_iter()
            .filter(|(_, value)| *value > 0.0)
            .map(|(chosen, _)| chosen)
            .collect();
        assert_eq!(winning, std::slice::from_ref(&puzzle.solution), "{puzzle:?}");
        assert!(puzzle.wins_in >= 3, "{puzzle:?}");
        positions.insert(puzzle.plies);
    }
    assert!(positions.len() > 12, "{} of 20 differ", positions.len());
}

#[test]
fn a_day_has_one_puzzle_and_the_next_day_another_one() {
    assert_eq!(of_day(20_454), of_day(20_454));
    assert_ne!(of_day(20_454), of_day(20_455));
}

#[test]
fn the_person_plays_the_seat_in_turn_and_the_computer_the_other_one() {
    let puzzle = of_day(20_454);
    let replay = GameReplay::read("tic-tac-toe", &puzzle.plies).expect("the plies are legal");
    let mut session = LocalSession::go_on(&replay, "perfect").expect("a seat is in turn");
    session.act(Intent::play(&puzzle.solution), Now::default()).expect("the move is legal");
    let view = session.view().expect("a local table is always known");
    assert_eq!(
        GameReplay::write(view.shown.history()),
        format!("{}.{}", puzzle.plies, puzzle.solution)
    );
    assert!(session.record().is_none(), "a puzzle is not stored");
    let over = GameReplay::read("tic-tac-toe", "a1.b1.b2.a2.c3").expect("the plies are legal");
    assert!(LocalSession::go_on(&over, "perfect").is_none(), "nobody is in turn");
    assert_eq!(replay.game().name(), "tic-tac-toe");
}
