//! What searches say where seats choose at once, in a game that is too large for an equilibrium.

use crate::little_games::duel::Number;
use crate::little_games::showdown::Showdown;
use game::{
    AnalysisBudget, Equilibrium, Game, NoEquilibrium, PlayerKind, PlayerView, Seat, StopFlag,
    analyze,
};

const GAME: Showdown = Showdown { rounds: 8 };
const SIMULATIONS: u32 = 4_000;

#[test]
fn an_analysis_has_the_visits_the_value_and_the_chance_of_each_move() {
    let stop = StopFlag::default();
    let too_large = Equilibrium::of(&GAME, 1, &stop).unwrap_err();
    assert_eq!(too_large, NoEquilibrium::TooLarge);
    let budget = AnalysisBudget { positions: 1_000, simulations: SIMULATIONS };
    let found = analyze(&GAME, &GAME.start(), budget, &stop).unwrap();
    assert_eq!(found.method, "mcts:4000");
    let visits: u32 = found.moves.iter().map(|each| each.visits.unwrap()).sum();
    assert_eq!(visits, SIMULATIONS);
    let chances: Vec<f64> = found.moves.iter().map(|each| each.probability.unwrap()).collect();
    assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{chances:?}");
    // The 3 never loses a round, and the other numbers do.
    assert!(chances[2] > 0.5, "{chances:?}");
    let values: Vec<f64> = found.moves.iter().map(|each| each.value.expected).collect();
    assert!(values[2] > values[0] && values[2] > values[1], "{values:?}");
    let mean: f64 = values.iter().zip(&chances).map(|(value, chance)| value * chance).sum();
    assert!((found.value.expected - mean).abs() < 1e-9 && mean > 0.2, "{found:?}");
    assert!(!found.value.exact);
}

#[test]
fn a_player_tells_how_often_it_tried_its_move_and_draws_it() {
    let mut player = PlayerKind::Mcts(SIMULATIONS).player(&GAME, Seat::SECOND, 3).unwrap();
    let start = GAME.start();
    let choice = player.choose(&PlayerView::new(&GAME, &start, Seat::SECOND, &[])).unwrap();
    assert_eq!(choice.chosen, Number(3));
    let sentence = choice.explanation.unwrap().sentence;
    let (expected, rest) = sentence.split_once(" for Right after 4000 simulations; ").unwrap();
    let expected: f64 = expected.strip_prefix("mcts expects ").unwrap().parse().unwrap();
    assert!(expected < -0.2, "{sentence}");
    let (tried, rest) = rest.split_once(" times; it is drawn in ").unwrap();
    let tried: u32 = tried.strip_prefix("3 was tried ").unwrap().parse().unwrap();
    assert!((1_000..4_000).contains(&tried), "{sentence}");
    assert!(rest.ends_with(" % of cases"), "{sentence}");
}
