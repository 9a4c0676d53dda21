//! A small Pig, compared with a second implementation.

use crate::pig::pig;

/// The probability that the player in turn wins, by value iteration over the formula of Neller and
/// Presser, without bounds.
fn by_formula(target: usize) -> f64 {
    let size = target;
    let place = |own: usize, other: usize, total: usize| (own * size + other) * size + total;
    let mut values = vec![0.0; size * size * size];
    loop {
        let mut change: f64 = 0.0;
        for own in (0..size).rev() {
            for other in (0..size).rev() {
                for total in (0..size - own).rev() {
                    let win = |own: usize, other: usize, total: usize| {
                        if own + total >= target { 1.0 } else { values[place(own, other, total)] }
                    };
                    let lost_turn = 1.0 - win(other, own, 0);
                    let rolled: f64 = (2..=6).map(|face| win(own, other, total + face)).sum();
                    let roll = (lost_turn + rolled) / 6.0;
                    let hold = if total > 0 { 1.0 - win(other, own + total, 0) } else { 0.0 };
                    let best = roll.max(hold);
                    let value = &mut values[place(own, other, total)];
                    change = change.max((best - *value).abs());
                    *value = best;
                }
            }
        }
        if change < 1e-14 {
            return values[0];
        }
    }
}

#[test]
fn the_first_player_of_a_small_pig_wins_as_often_as_the_formula_says() {
    for target in [5_u16, 12, 20] {
        let value = pig(target).process().game_value().value(0);
        let known = by_formula(target.into());
        assert!(value.width() <= 1e-9, "{value:?}");
        assert!(value.lower <= known + 1e-12 && known - 1e-12 <= value.upper, "{value} {known}");
    }
}
