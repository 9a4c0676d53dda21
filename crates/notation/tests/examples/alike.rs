//! Tic-tac-toe as text and in Rust are the same game.

use std::collections::BTreeSet;

use game::{Game, Refusal, Seat, all_seats};
use games::tic_tac_toe;

use crate::texts::built;

/// Codes and b-threads of a refusal.
fn codes(refusal: &Refusal) -> Vec<(String, Vec<String>)> {
    let reasons = refusal.reasons().map(|reason| {
        let mut threads: Vec<String> =
            reason.because.iter().map(|blocker| family(&blocker.thread)).collect();
        threads.dedup();
        (reason.code.to_string(), threads)
    });
    reasons.collect()
}

/// The family of a b-thread; the text has one family for the wins of both players.
fn family(thread: &str) -> String {
    let family = thread.split('(').next().unwrap_or(thread);
    family.replace("XWin", "Win").replace("OWin", "Win")
}

#[test]
fn every_position_has_the_same_turn_moves_and_refusals() {
    let text = built("tic-tac-toe", &[]).game().unwrap();
    let rust = tic_tac_toe::game();
    let mut open = vec![(text.start(), rust.start())];
    let mut seen = BTreeSet::new();
    let mut refusals = 0;
    while let Some((text_position, rust_position)) = open.pop() {
        if !seen.insert(rust.text(&rust_position)) {
            continue;
        }
        let rows = rust.text(&rust_position).replace(' ', ".");
        assert_eq!(text.text(&text_position).replace(' ', ""), rows);
        assert_eq!(text.turn(&text_position), rust.turn(&rust_position), "{rows}");
        for seat in all_seats(&rust).iter() {
            for square in tic_tac_toe::Square::ALL {
                let chosen = text.read_move(&square.to_string()).unwrap();
                let answers = (
                    text.play(&text_position, seat, chosen),
                    rust.play(&rust_position, seat, square),
                );
                match answers {
                    (Ok(text), Ok(rust)) => open.push((text, rust)),
                    (Err(text), Err(rust)) => {
                        refusals += 1;
                        assert_eq!(codes(&text), codes(&rust), "{rows} {seat} {square}");
                    }
                    (text, rust) => panic!("{rows} {seat} {square}: {text:?} and {rust:?}"),
                }
            }
        }
        let moves = |seat: Seat| {
            let text: Vec<String> =
                text.legal_moves(&text_position, seat).map(|each| each.to_string()).collect();
            let rust: Vec<String> =
                rust.legal_moves(&rust_position, seat).map(|each| each.to_string()).collect();
            assert_eq!(text, rust, "{rows}");
        };
        all_seats(&rust).iter().for_each(moves);
    }
    // All positions of tic-tac-toe, of which 958 are over.
    assert_eq!((seen.len(), refusals), (5478, 5478 * 18 - 16167));
}

#[test]
fn the_strategies_of_o_make_the_same_moves_in_every_game() {
    let text = built("tic-tac-toe", &[]).game().unwrap();
    let rust = tic_tac_toe::game();
    let mut text_player = text.strategies(Seat::SECOND).unwrap();
    let mut rust_player = rust.strategies(Seat::SECOND).unwrap();
    let mut open = vec![(text.start(), rust.start(), Vec::new(), Vec::new())];
    let mut games = 0;
    while let Some((text_position, rust_position, text_history, rust_history)) = open.pop() {
        let mut go_on = |seat, square: tic_tac_toe::Square| {
            let chosen = text.read_move(&square.to_string()).unwrap();
            let text_next = text.play(&text_position, seat, chosen.clone()).unwrap();
            let rust_next = rust.play(&rust_position, seat, square).unwrap();
            let (mut text_history, mut rust_history) = (text_history.clone(), rust_history.clone());
            text_history.push(game::Ply::Moves(vec![(seat, chosen)]));
            rust_history.push(game::Ply::Moves(vec![(seat, square)]));
            open.push((text_next, rust_next, text_history, rust_history));
        };
        match rust.turn(&rust_position) {
            game::Turn::One(Seat::FIRST) => {
                for square in rust.legal_moves(&rust_position, Seat::FIRST) {
                    go_on(Seat::FIRST, square);
                }
            }
            game::Turn::One(seat) => {
                let view = game::PlayerView::new(&text, &text_position, seat, &text_history);
                let text_choice = text_player.choose(&view).unwrap();
                let view = game::PlayerView::new(&rust, &rust_position, seat, &rust_history);
                let rust_choice = rust_player.choose(&view).unwrap();
                assert_eq!(text_choice.chosen.to_string(), rust_choice.chosen.to_string());
                go_on(seat, rust_choice.chosen);
            }
            _ => games += 1,
        }
    }
    assert!(games > 100, "{games}");
}
