//! Playing in the lab.

use crate::driver::LabDriver;

#[test]
fn the_strategies_answer_a_click() {
    let mut driver = LabDriver::example("tic-tac-toe");
    driver.act("square", "a1");
    assert_eq!(driver.events(), "mark(X, a1) mark(O, b2)");
    let play = driver.panel("play");
    assert!(play.contains("X to move.") && play.contains("requested by DefaultMoves"), "{play}");
}

#[test]
fn a_taken_square_is_refused_with_the_rule_behind_it() {
    let mut driver = LabDriver::example("tic-tac-toe");
    driver.act("square", "a1");
    driver.act("square", "b2");
    assert_eq!(driver.events(), "mark(X, a1) mark(O, b2)");
    let play = driver.panel("play");
    assert!(play.contains("That square is taken. SquareTaken(b2) blocks mark(b2)."), "{play}");
}

#[test]
fn a_person_plays_both_seats_and_steps_back_and_forth() {
    let mut driver = LabDriver::example("tic-tac-toe");
    driver.act("seat-1", "person");
    for square in ["a1", "b1", "a2", "b2", "a3"] {
        driver.act("square", square);
    }
    assert!(driver.panel("play").contains("The game is over: X wins."), "{}", driver.panel("play"));
    driver.act("back", "");
    driver.act("back", "");
    assert!(driver.panel("play").contains("X to move."));
    driver.act("square", "c3");
    assert_eq!(
        driver.events(),
        "mark(X, a1) mark(O, b1) mark(X, a2) mark(O, b2) mark(X, c3)",
        "another move forgets what came after it"
    );
}

#[test]
fn without_its_rule_a_square_is_taken_twice() {
    let mut driver = LabDriver::example("tic-tac-toe");
    driver.act("switch", "SquareTaken");
    driver.act("seat-1", "person");
    driver.act("square", "a1");
    driver.act("square", "a1");
    assert_eq!(driver.events(), "mark(X, a1) mark(O, a1)");
}

#[test]
fn two_random_players_play_to_the_end_and_the_same_seed_plays_the_same() {
    let play = || {
        let mut driver = LabDriver::example("tic-tac-toe");
        driver.act("seat-0", "random");
        driver.act("seat-1", "random");
        assert!(driver.panel("play").contains("The game is over"), "{}", driver.panel("play"));
        driver.events()
    };
    assert_eq!(play(), play());
}

#[test]
fn a_seed_is_shown_where_luck_matters_and_gives_the_same_game() {
    let mut driver = LabDriver::example("tic-tac-toe");
    assert!(!driver.panel("play").contains("id=\"seed\""), "nothing is left to luck");
    driver.act("seat-0", "random");
    driver.act("seat-1", "random");
    driver.act("seed", "1234");
    assert!(driver.panel("play").contains("value=\"1234\""), "{}", driver.panel("play"));
    let first = driver.events();
    driver.act("restart", "");
    assert!(driver.panel("play").contains("value=\"1235\""), "another game, another seed");
    assert_ne!(driver.events(), first);
    driver.act("seed", "1234");
    assert_eq!(driver.events(), first);
    driver.act("seed", "moon");
    assert!(driver.panel("play").contains("value=\"1235\""), "no number: the next seed");
}

#[test]
fn a_player_that_tries_moves_out_answers_and_plays_to_the_end() {
    let mut driver = LabDriver::example("nim");
    driver.act("seat-1", "search");
    let first = driver.lab.game().unwrap().possible()[0].event.to_string();
    driver.act("play", &first);
    assert_eq!(driver.lab.game().unwrap().steps().len(), 2, "{}", driver.events());
    let play = driver.panel("play");
    assert!(play.contains("games in its head"), "{play}");
    assert!(play.contains("chosen by trying moves out"), "{play}");
    driver.act("seat-0", "search");
    assert!(driver.panel("play").contains("The game is over"), "{}", driver.panel("play"));
}

#[test]
fn a_move_for_another_position_is_forgotten() {
    let (mut lab, _) = web::lab::Lab::open("#game=tic-tac-toe", 3, web::lab::LabStorage::default());
    drop(lab.act("seat-1", "search"));
    let asked = |effects: Vec<web::lab::LabEffect>| {
        effects.into_iter().find_map(|effect| match effect {
            web::lab::LabEffect::Choose(request) => Some(request),
            _ => None,
        })
    };
    let request = asked(lab.act("square", "a1")).expect("O is to move");
    let panel = |lab: &web::lab::Lab| {
        lab.panels().into_iter().find(|(id, _)| *id == "play").map(|(_, html)| html).unwrap()
    };
    assert!(panel(&lab).contains("O is trying moves out"), "{}", panel(&lab));
    drop(lab.act("restart", ""));
    let chosen = web::lab::ChosenMove { event: "mark(O, b2)".to_owned(), games: 9 };
    drop(lab.hear_move(&request, Ok(chosen)));
    assert_eq!(lab.game().unwrap().steps().len(), 0);
}

#[test]
fn the_b_threads_that_have_a_say_are_listed_with_the_way_to_their_text() {
    let mut driver = LabDriver::example("tic-tac-toe");
    driver.act("square", "a1");
    let play = driver.panel("play");
    assert!(play.contains("id=\"do-thread-SquareTaken(b2)\""), "{play}");
    driver.act("thread", "SquareTaken(b2)");
    assert!(matches!(driver.effects.last(), Some(web::lab::LabEffect::Select(..))));
    let colours = driver.panel("colours");
    assert!(colours.contains("class=\"src here\"") && colours.contains("class=\"src stands\""));
}

#[test]
fn the_counterexample_is_marked_among_the_states() {
    let mut driver = LabDriver::example("dining");
    driver.act("states", "");
    let states = driver.panel("states");
    assert!(states.contains("bad-state") && states.contains("bad-edge"), "{states}");
    assert!(states.contains("Red is the game that breaks"), "{states}");
    let mut sound = LabDriver::example("crossing");
    sound.act("states", "");
    let verdicts = sound.verdicts();
    assert_eq!(sound.panel("states").contains("bad-state"), verdicts.contains("violated"));
}

#[test]
fn a_program_steps_runs_and_starts_again() {
    let mut driver = LabDriver::example("hot-and-cold");
    assert_eq!(driver.events(), "");
    driver.act("step", "");
    assert_eq!(driver.events(), "hot");
    driver.act("run", "");
    assert_eq!(driver.events(), "hot cold hot cold hot cold");
    assert!(driver.panel("play").contains("The end"), "{}", driver.panel("play"));
    driver.act("restart", "");
    assert_eq!(driver.events(), "");
}

#[test]
fn the_weave_has_a_knot_for_each_event_and_explains_it() {
    let mut driver = LabDriver::example("tic-tac-toe");
    assert!(driver.panel("weave").contains("becomes a knot"));
    driver.act("square", "a1");
    assert_eq!(driver.panel("weave").matches("class=\"knots\"").count(), 2);
    driver.act("knot", "1");
    let weave = driver.panel("weave");
    assert!(weave.contains("mark(O, b2): DefaultMoves requested it"), "{weave}");
    driver.act("svg", "");
    let saved = format!("{:?}", driver.effects.last());
    assert!(saved.contains("tic-tac-toe-weave.svg") && saved.contains("<svg"), "{saved}");
}

#[test]
fn every_example_can_be_opened_and_played() {
    for example in web::lab::EXAMPLES {
        let (mut lab, _) = web::lab::Lab::open("", 3, web::lab::LabStorage::default());
        drop(lab.act("example", example.name));
        let game = lab.game().unwrap_or_else(|| panic!("{} runs", example.name));
        let possible = game.possible();
        let before = game.steps().len();
        // Where chance alone acts, everything has happened already.
        let Some(event) = possible.first().map(|possible| possible.event.to_string()) else {
            assert!(before > 0, "{}", example.name);
            continue;
        };
        drop(lab.act("play", &event));
        assert!(lab.game().unwrap().steps().len() > before, "{}", example.name);
        drop(lab.panels());
    }
}

#[test]
fn a_small_text_shows_all_its_states_and_a_click_goes_there() {
    let mut driver = LabDriver::example("crossing");
    assert!(!driver.panel("states").contains("<circle"));
    driver.act("states", "");
    let states = driver.panel("states");
    assert_eq!(states.matches("<circle").count(), 7, "as many as the checker finds: {states}");
    assert_eq!(states.matches(" current\"").count(), 1, "{states}");
    driver.act("state", "3");
    assert!(!driver.events().is_empty());
    let states = driver.panel("states");
    let current = states.split("<g class=").find(|node| node.contains(" current\"")).unwrap();
    assert!(current.contains("state-3"), "{current}");
}

#[test]
fn a_large_text_shows_the_states_around_the_current_one() {
    let mut driver = LabDriver::example("tic-tac-toe");
    driver.act("states", "");
    assert!(driver.panel("states").contains("near the current one"), "{}", driver.panel("states"));
    driver.act("state", "1");
    assert_eq!(driver.events(), "mark(X, a1)");
}
