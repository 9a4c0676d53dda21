//! X and O as b-threads that choose freely.

use std::iter;

use expect_test::expect;
use games::tic_tac_toe::{BThreads, Event, Mark};

use crate::designs::in_all_designs;
use crate::model::{Search, histories, search};
use crate::play::{STRATEGIES, games_against_every_x, shortest_broken};

/// O against any X, with all strategies and without each one of them.
fn programs() -> Vec<(String, BThreads)> {
    let all = BThreads::o_against_any_x();
    let without = STRATEGIES.map(|name| (format!("without {name}"), all.clone().without(name)));
    iter::once(("with all".to_owned(), all)).chain(without).collect()
}

fn counts(name: &str, found: &Search) -> String {
    format!("{name}: {} states, {} edges, {} ends\n", found.states, found.edges, found.ends.len())
}

#[test]
fn any_x_plays_exactly_the_games_that_a_person_can_play() {
    for (name, threads) in programs() {
        let games = games_against_every_x(&threads.clone().without("AnyX"));
        assert_eq!(histories(&threads), games, "{name}");
    }
}

#[test]
fn searching_all_states_finds_the_same_shortest_games_as_playing_all_games() {
    for (name, threads) in programs() {
        let games = games_against_every_x(&threads.clone().without("AnyX"));
        assert_eq!(shortest_broken(&search(&threads).ends), shortest_broken(&games), "{name}");
    }
}

#[test]
fn the_states_of_o_against_any_x_are_counted() {
    let lines: String =
        programs().iter().map(|(name, threads)| counts(name, &search(threads))).collect();
    expect![[r#"
        with all: 641 states, 783 edges, 130 ends
        without AddThirdO: 626 states, 871 edges, 79 ends
        without PreventThirdX: 530 states, 669 edges, 125 ends
        without PreventXFork: 641 states, 780 edges, 135 ends
        without PreventAnotherXFork: 623 states, 771 edges, 124 ends
        without PreventYetAnotherXFork: 618 states, 767 edges, 123 ends
        without DefaultMoves: 10 states, 9 edges, 9 ends
    "#]]
    .assert_eq(&lines);
}

#[test]
fn the_states_of_o_against_any_x_in_each_design_are_counted() {
    let designed = in_all_designs(&BThreads::o_against_any_x());
    let lines: String =
        designed.iter().map(|(name, threads)| counts(name, &search(threads))).collect();
    expect![[r#"
        PerOrdering, PerOrdering: 1219 states, 1281 edges, 306 ends
        PerOrdering, PerLine: 1195 states, 1269 edges, 294 ends
        PerOrdering, OwnBoard: 1195 states, 1269 edges, 294 ends
        PerLine, PerOrdering: 695 states, 811 edges, 156 ends
        PerLine, PerLine: 641 states, 783 edges, 130 ends
        PerLine, OwnBoard: 645 states, 787 edges, 130 ends
        OwnBoard, PerOrdering: 702 states, 815 edges, 159 ends
        OwnBoard, PerLine: 648 states, 787 edges, 133 ends
        OwnBoard, OwnBoard: 648 states, 787 edges, 133 ends
    "#]]
    .assert_eq(&lines);
}

/// There are fewer final states than final positions: b-threads see only which squares are taken
/// and how many Xs and Os each line holds. So the 16 drawn positions are 10 states.
#[test]
fn the_states_of_any_x_against_any_o_are_counted() {
    let found = search(&BThreads::any_x_against_any_o());
    let ending = |last| found.ends.iter().filter(|end| end.last() == Some(&last)).count();
    let wins = [Mark::X, Mark::O].map(|mark| ending(Event::Win(mark)));
    assert_eq!((wins, ending(Event::Draw)), ([626, 316], 10));
    assert_eq!((found.states, found.edges, found.ends.len()), (6_404, 17_089, 952));
}
