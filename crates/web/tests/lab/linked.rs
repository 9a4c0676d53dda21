//! Links from tables and games to their rules.

use web::lab::{EXAMPLES, LabEffect};
use web::rules_link::{self, RulesLink};

use crate::driver::LabDriver;

#[test]
fn a_link_of_a_game_opens_its_rules_at_a_b_thread() {
    let driver = LabDriver::link("#game=tic-tac-toe&thread=PreventXFork");
    let source = driver.lab.text().source();
    let selected = driver.effects.iter().find_map(|effect| match effect {
        LabEffect::Select(start, end) => source.get(*start as usize..*end as usize),
        _ => None,
    });
    assert_eq!(selected, Some("PreventXFork"));
    assert!(source.starts_with(EXAMPLES[0].text.get(..40).unwrap()));
}

#[test]
fn what_a_link_names_and_the_text_lacks_is_said() {
    let said = |fragment: &str| format!("{:?}", LabDriver::link(fragment).effects);
    let thread = said("#game=tic-tac-toe&thread=Moon");
    assert!(thread.contains("No b-thread of this text is called Moon."), "{thread}");
    let game = said("#game=kuhn-poker");
    assert!(game.contains("The rules of that game are not written as text."), "{game}");
    let plies = said("#game=tic-tac-toe&plies=a1.b2.a1");
    assert!(plies.contains("The text allows 2 of the 3 moves of that game."), "{plies}");
}

#[test]
fn a_link_of_a_game_has_its_parameters() {
    let driver = LabDriver::link("#game=mnk:4,3,3");
    assert!(driver.lab.text().source().contains("parameter columns = 4\nparameter rows = 3"));
    assert_eq!(driver.panel("play").matches("data-do=\"square\"").count(), 12);
}

#[test]
fn a_link_with_moves_shows_the_position_and_the_rest_of_the_game() {
    let driver = LabDriver::link("#game=tic-tac-toe&plies=a1.b2.c3&ply=2");
    assert_eq!(driver.lab.game().unwrap().place(), 2);
    assert_eq!(driver.events(), "mark(X, a1) mark(O, b2) mark(X, c3)");
    let play = driver.panel("play");
    assert!(play.contains("requested by DefaultMoves"), "strategies would do the same: {play}");
}

#[test]
fn moves_of_people_are_shown_although_strategies_would_play_others() {
    let driver = LabDriver::link("#game=tic-tac-toe&plies=a1.c3.b2");
    assert_eq!(driver.events(), "mark(X, a1) mark(O, c3) mark(X, b2)");
    let play = driver.panel("play");
    assert!(play.contains("O to move."), "{play}");
}

#[test]
fn moves_of_built_in_games_are_understood_by_their_texts() {
    for (link, events) in [
        ("#game=connect-four&plies=d.d.c", "drop(red, d6) drop(yellow, d5) drop(red, c6)"),
        ("#game=pig&plies=roll.~4.hold.roll", "roll(A) comes(4) hold(A) roll(B)"),
        ("#game=wild&plies=Xb2.Oa1", "mark(first, X, b2) mark(second, O, a1)"),
    ] {
        let driver = LabDriver::link(link);
        assert_eq!(driver.events().replace("  ", " "), events, "{link}: {:?}", driver.effects);
    }
}

#[test]
fn a_round_of_a_table_is_replayed_by_its_rules_and_its_chance() {
    let pig = EXAMPLES.iter().find(|example| example.name == "pig").unwrap().text;
    let mut driver = LabDriver::link("#table=abc&round=1&ply=3");
    let plies = ["roll", "~comes(3)", "hold", "roll"].map(str::to_owned).to_vec();
    driver.lab.hear_rules(Ok((pig.to_owned(), plies)));
    assert_eq!(driver.events(), "roll(first) comes(3) hold(first) roll(second)");
    assert_eq!(driver.lab.game().unwrap().place(), 3);
    let play = driver.panel("play");
    assert!(play.contains("href=\"/t/abc\"") && play.contains("Back to the table"), "{play}");
    driver.act("example", "nim");
    assert!(!driver.panel("play").contains("/t/abc"), "another text is open");
}

#[test]
fn a_link_of_a_b_thread_leads_to_a_family_of_the_text() {
    for name in ["tic-tac-toe", "misere", "wild", "notakto", "mnk:4,3,3"] {
        let game = games::catalog::game(name).unwrap();
        let families = LabDriver::link(&format!("#game={name}")).lab.text().families();
        let mut linked = 0;
        for thread in game::Game::awake(&game, &[], Some(game::Seat::SECOND)) {
            let Some(link) = rules_link::to_thread(name, &thread.thread) else { continue };
            let link = RulesLink::read(link.strip_prefix("/lab").unwrap());
            let is_known = families.iter().any(|family| Some(&family.name) == link.thread.as_ref());
            assert!(is_known, "{name}: {}", thread.thread);
            linked += 1;
        }
        assert!(linked > 10, "{name}");
    }
}
