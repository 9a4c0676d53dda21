//! Three designs, one behaviour.

use bthread::ClosedRun;
use games::tic_tac_toe::{BThreads, Event};

use crate::design::Design;
use crate::play::{after, games_against_every_x, is_allowed, moves_of_both, start};

/// The b-threads with `DetectXWin` and `AddThirdO` in every pair of designs, by the names of the
/// designs.
pub(crate) fn in_all_designs(threads: &BThreads) -> Vec<(String, BThreads)> {
    let pairs = Design::ALL.into_iter().flat_map(|one| Design::ALL.map(|other| (one, other)));
    let designed = pairs.map(|(detect_x_win, add_third_o)| {
        let threads = detect_x_win.for_detect_x_win(threads.clone());
        let threads = add_third_o.for_add_third_o(threads);
        (format!("{detect_x_win:?}, {add_third_o:?}"), threads)
    });
    designed.collect()
}

#[test]
fn all_designs_play_the_same_games_against_every_x() {
    // Without PreventThirdX, X can win, so DetectXWin has something to detect.
    for threads in
        [BThreads::for_a_person_as_x(), BThreads::for_a_person_as_x().without("PreventThirdX")]
    {
        let usual = games_against_every_x(&threads);
        for (design, threads) in in_all_designs(&threads) {
            assert_eq!(games_against_every_x(&threads), usual, "{design}");
        }
    }
}

/// Plays all games of both programs; returns the events before their first difference.
fn first_difference(one: &BThreads, other: &BThreads) -> Option<Vec<Event>> {
    difference_after(&start(one), &start(other), &mut Vec::new())
}

fn difference_after(
    one: &ClosedRun<Event>,
    other: &ClosedRun<Event>,
    events: &mut Vec<Event>,
) -> Option<Vec<Event>> {
    for made in moves_of_both() {
        match (is_allowed(one, made), is_allowed(other, made)) {
            (false, false) => continue,
            (true, true) => {}
            (true, false) | (false, true) => return Some(events.clone()),
        }
        let ((one, happened), (other, same)) = (after(one, made), after(other, made));
        if happened != same {
            return Some(events.clone());
        }
        let before = events.len();
        events.extend(happened);
        if let Some(difference) = difference_after(&one, &other, events) {
            return Some(difference);
        }
        events.truncate(before);
    }
    None
}

#[test]
fn all_designs_of_detect_x_win_allow_the_same_games_of_both_players() {
    let usual = BThreads::for_people();
    for design in Design::ALL {
        let threads = design.for_detect_x_win(BThreads::for_people());
        assert_eq!(first_difference(&usual, &threads), None, "{design:?}");
    }
}

#[test]
fn a_design_that_misses_one_ordering_allows_other_games() {
    let usual = BThreads::for_people();
    let missing = Design::PerOrdering
        .for_detect_x_win(BThreads::for_people())
        .without("DetectXWin(c3,b3,a3)");
    let difference = first_difference(&usual, &missing).expect("the design misses a win");
    assert_eq!(format!("{difference:?}"), "[X a1, O b1, X c2, O c1, X c3, O a2, X b3, O b2]");
}

#[test]
fn a_design_has_one_b_thread_per_ordering_per_line_or_in_all() {
    let counts = Design::ALL.map(|design| {
        assert!(design.detect_x_win().iter().all(|thread| thread.name().family() == "DetectXWin"));
        assert!(design.add_third_o().iter().all(|thread| thread.name().family() == "AddThirdO"));
        (design.detect_x_win().len(), design.add_third_o().len())
    });
    assert_eq!(counts, [(48, 48), (8, 8), (1, 1)]);
}
