//! A table does not grow without bound.

use table::{Body, Clock, Forfeit, Options, Secret, own_entries};

use crate::sitting::{ONE, Sitting, TWO, entry, message};

/// A table in its last round.
fn last_round(options: Options) -> Sitting {
    let mut sitting = Sitting::full("tic-tac-toe", options);
    while sitting.state.round() < 1_000 {
        let (seat, round, why) = (ONE, sitting.state.round(), Forfeit::Resigned);
        let body = Body::Forfeited { seat, round, why };
        let next = entry(sitting.state.version() + 1, table::Who::Seat(ONE), None, body);
        sitting.state.fold(&next).expect("it follows");
    }
    sitting
}

#[test]
fn the_last_round_is_played_and_none_follows() {
    let mut sitting = last_round(Options::default());
    let worn_out = "A table has at most 1000 rounds: open a new one";
    assert_eq!(message(sitting.forfeit(ONE)), worn_out);
    sitting.play_all("a1 a2 b1 b2 c1");
    assert_eq!(message(sitting.next_round(ONE)), worn_out);
    assert_eq!(message(sitting.forfeit(TWO)), worn_out);
    assert_eq!(sitting.state.wins(TWO), 999);
    assert_eq!(sitting.state.view(game::Viewer::Spectator).last_losers.len(), 20);
}

#[test]
fn a_draw_of_the_last_round_is_not_tied() {
    let mut sitting = last_round(Options::default());
    sitting.play_all("a1 b2 c3 a2 c2 c1 a3 b3 b1");
    assert_eq!(message(sitting.tie(TWO)), "A table has at most 1000 rounds: open a new one");
}

#[test]
fn the_clock_of_the_last_round_does_not_begin_another() {
    let mut sitting = last_round(Options { clock: Some(Clock::PerMove(1)), ..Options::default() });
    sitting.play_all("a1");
    assert_eq!(own_entries(&sitting.state, &Secret::new([1; 32]), u64::MAX), Ok(Vec::new()));
}

#[test]
fn a_round_that_does_not_end_can_only_be_forfeited() {
    let mut sitting = Sitting::full("pig:1000", Options::default());
    let secret = Secret::new([1; 32]);
    // Who only rolls gets nothing, for ever.
    while sitting.state.ply() < 4_096 {
        let own = own_entries(&sitting.state, &secret, 0).expect("it goes on");
        for entry in &own {
            sitting.state.fold(entry).expect("it follows");
        }
        let is_open = sitting.state.ply() < 4_096;
        if let Some(seat) = sitting.state.turn().iter().next().filter(|_| is_open) {
            sitting.play(seat, "roll").expect("rolling is always legal");
        }
    }
    sitting.state.turn().iter().next().map_or_else(
        || {
            let own = own_entries(&sitting.state, &secret, 0);
            assert_eq!(own, Ok(Vec::new()), "nor does the table go on by itself");
        },
        |seat| {
            let refused = message(sitting.clone().play(seat, "roll"));
            assert_eq!(refused, "A round has at most 4096 moves: you can only forfeit");
            sitting.clone().forfeit(seat).expect("that ends it");
        },
    );
}
