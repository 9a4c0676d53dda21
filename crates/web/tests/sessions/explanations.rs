//! Why.

use web::why::Panel;

use crate::hall::{Guest, Hall};
use crate::local::{against, play};

#[test]
fn a_move_of_the_computer_names_who_wanted_it_and_who_would_have_gone_elsewhere() {
    let mut local = against("bthreads", false);
    play(&mut local, &["a1", "c3"]);
    let panel = Panel::new(&local.seen(), 4);
    assert_eq!(panel.title, "Why O played b1");
    let heard: Vec<_> = panel.families.iter().filter(|family| family.is_heard).collect();
    assert_eq!(heard.len(), 1);
    assert_eq!(heard[0].name, "PreventAnotherXFork");
    assert_eq!(heard[0].threads[0].requests, ["O b1"]);
    play(&mut local, &["a2"]);
    let panel = Panel::new(&local.seen(), 6);
    assert_eq!(panel.title, "Why O played b3");
    let other = panel.alternatives.iter().find(|(thread, ..)| thread == "PreventThirdX(a1,a2,a3)");
    let (_, wanted, lost_to) = other.expect("it would have stopped X");
    assert_eq!((wanted.as_str(), lost_to.as_str()), ("O a3", "AddThirdO(b1,b2,b3)"));
}

#[test]
fn the_panel_follows_the_game_step_by_step() {
    let mut local = against("bthreads", false);
    play(&mut local, &["a1", "c3"]);
    let titles: Vec<String> = (0..5).map(|step| Panel::new(&local.seen(), step).title).collect();
    let expected = [
        "Before the first move",
        "After X on a1",
        "Why O played b2",
        "After X on c3",
        "Why O played b1",
    ];
    assert_eq!(titles, expected);
    let blocks = |step: usize| {
        let panel = Panel::new(&local.seen(), step);
        let taken = panel.families.into_iter().filter(|family| family.name == "SquareTaken");
        taken.flat_map(|family| family.threads).filter(|thread| !thread.blocks.is_empty()).count()
    };
    assert_eq!((0..5).map(blocks).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
}

#[test]
fn between_people_only_the_rules_are_awake() {
    let mut hall = Hall::new();
    hall.play("a1");
    let guest = Guest::arrive(&mut hall, None);
    let panel = Panel::new(&guest.seen(), 1);
    assert!(panel.families.iter().all(|family| !family.is_strategy && !family.is_heard));
    assert!(panel.families.iter().any(|family| family.name == "EnforceTurns"));
}
