//! The explanation panel.

use web::explanation::ExplanationPanel;
use web::session::{LocalSession, TableSession as _};

use crate::fake_server::{FakeServer, TestClient};
use crate::local::{against, play};

fn panel(session: &LocalSession, step: usize) -> ExplanationPanel {
    ExplanationPanel::new(&session.view().expect("a local table is always known"), step)
}

#[test]
fn a_computer_move_names_the_thread_that_wanted_it_and_those_that_lost() {
    let mut session = against("bthreads", false);
    play(&mut session, &["a1", "c3"]);
    let after_four = panel(&session, 4);
    assert_eq!(after_four.title, "Why O played b1");
    let selected: Vec<_> = after_four.families.iter().filter(|family| family.is_selected).collect();
    assert_eq!(selected.len(), 1);
    assert_eq!(selected[0].name, "PreventAnotherXFork");
    assert_eq!(selected[0].threads[0].requests, ["O b1"]);
    play(&mut session, &["a2"]);
    let after_six = panel(&session, 6);
    assert_eq!(after_six.title, "Why O played b3");
    let mut alternatives = after_six.alternatives.iter();
    let lost = alternatives.find(|(thread, ..)| thread == "PreventThirdX(a1,a2,a3)");
    let (_, wanted, lost_to) = lost.expect("another strategy wanted to stop X");
    assert_eq!((wanted.as_str(), lost_to.as_str()), ("O a3", "AddThirdO(b1,b2,b3)"));
}

#[test]
fn the_panel_follows_the_round_step_by_step() {
    let mut session = against("bthreads", false);
    play(&mut session, &["a1", "c3"]);
    let titles: Vec<String> = (0..5).map(|step| panel(&session, step).title).collect();
    let expected = [
        "Before the first move",
        "After X on a1",
        "Why O played b2",
        "After X on c3",
        "Why O played b1",
    ];
    assert_eq!(titles, expected);
    let blocking = |step: usize| {
        let families = panel(&session, step).families.into_iter();
        let taken = families.filter(|family| family.name == "SquareTaken");
        taken.flat_map(|family| family.threads).filter(|thread| !thread.blocks.is_empty()).count()
    };
    assert_eq!((0..5).map(blocking).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
}

#[test]
fn between_people_only_rules_are_awake() {
    let mut server = FakeServer::new();
    server.play("a1");
    let client = TestClient::connect(&mut server, None);
    let panel = ExplanationPanel::new(&client.view(), 1);
    assert!(panel.families.iter().all(|family| !family.is_strategy && !family.is_selected));
    assert!(panel.families.iter().any(|family| family.name == "EnforceTurns"));
}

#[test]
fn explanations_arrive_from_the_server_with_the_moves() {
    let options = table::Options {
        computers: vec![None, Some("bthreads".to_owned())],
        ..table::Options::default()
    };
    let mut server = FakeServer::with(options);
    let mut ada = TestClient::connect(&mut server, Some(game::Seat::FIRST));
    ada.play("a1").unwrap();
    ada.settle(&mut server);
    server.go_on();
    server.broadcast(&mut ada);
    let expected = "Why O played b2";
    assert_eq!(ExplanationPanel::new(&ada.view(), 2).title, expected);
    let late = TestClient::connect(&mut server, None);
    assert_eq!(ExplanationPanel::new(&late.view(), 2).title, expected);
}
