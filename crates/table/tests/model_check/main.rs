//! An exhaustive search of two nodes, two replicas and their links, with a few actions.

mod client;
mod node;
mod pool;
mod table_model;

use checker::{Checker, Coverage, Model as _, Property, Report, Verdict};
use expect_test::{Expect, expect};
use game::{Game as _, Seat};
use games::catalog;
use rustc_hash::FxHashMap;
use table::{Action, ActionBody, Author, Digest, Entry, EntryBody, Options, PlayerName};
use table_model::{Sabotage, SentVerdict, Step, TableModel, World};

/// A player with two tabs makes the first move and then leaves, in both. `wanted` is the number of
/// these actions in each tab.
fn model(sabotage: Sabotage, wanted: [usize; 2]) -> TableModel {
    let mut first =
        vec![action("a1:1", play(0, "a1")), action("leave:1", ActionBody::Leave { version: 3 })];
    let mut second =
        vec![action("b2:1", play(0, "b2")), action("go:1", ActionBody::Leave { version: 3 })];
    first.truncate(wanted[0]);
    second.truncate(wanted[1]);
    model_after(&[], [first, second], sabotage)
}

/// The opponent has asked to take a move back. The player agrees in one tab, and in the other one plays on
/// and then declines.
fn takeback_model() -> TableModel {
    let (round, ply) = (1, 2);
    let played = |seat: Seat, ply, chosen: &str| EntryBody::Played {
        seat,
        round,
        ply,
        chosen: chosen.parse().expect("the move text is valid"),
        explanation: None,
    };
    let asked = EntryBody::TakebackAsked { seat: Seat::SECOND, round, ply };
    let before = [played(Seat::FIRST, 0, "a1"), played(Seat::SECOND, 1, "b2"), asked];
    let first = vec![action("grant:1", ActionBody::GrantTakeback { round, ply })];
    let second = vec![
        action("c3:1", play(ply, "c3")),
        action("decline:1", ActionBody::DeclineTakeback { round, ply }),
    ];
    model_after(&before, [first, second], Sabotage::Nothing)
}

fn action(id: &str, body: ActionBody) -> Action {
    Action { id: id.parse().expect("the id is valid"), body }
}

fn play(ply: u32, chosen: &str) -> ActionBody {
    ActionBody::Play { round: 1, ply, chosen: chosen.parse().expect("the move text is valid") }
}

/// Two tabs of the first player, with these actions, at a table where this has happened.
fn model_after(happened: &[EntryBody], tabs: [Vec<Action>; 2], sabotage: Sabotage) -> TableModel {
    let game = catalog::game("tic-tac-toe").expect("the game is in the catalog");
    let (options, commitment) = (Options::default(), Digest::of(b"seed"));
    let created = EntryBody::Created { game: game.name(), rules: 1, options, commitment };
    let joined = |seat: Seat| {
        let name = PlayerName::new("somebody").expect("the name is valid");
        EntryBody::Joined { seat, name, token: Some(node::token_of(seat)) }
    };
    let bodies = [created, joined(Seat::FIRST), joined(Seat::SECOND)];
    let bodies = bodies.into_iter().chain(happened.iter().cloned());
    let entry = |(version, body)| Entry::new(version, 0, Author::Table, body);
    let beginning = (1..).zip(bodies).map(entry).collect();
    TableModel::new(game, beginning, tabs, sabotage)
}

fn properties() -> Vec<Property<TableModel>> {
    let place = |model: &TableModel, world: &World, number: usize| {
        let id = model.actions().nth(number).map(|action| action.id.clone());
        let journal = model.journal(world);
        journal.0.iter().find(|entry| entry.action == id).map(|entry| entry.version)
    };
    vec![
        Property::always("no acknowledged action is lost", move |model, world: &World| {
            world.sent_verdicts.iter().all(|(action, sent_verdict)| match sent_verdict {
                SentVerdict::Committed(version) => place(model, world, *action) == Some(*version),
                SentVerdict::Refused => true,
            })
        }),
        Property::always("no refused action is in the log", move |model, world: &World| {
            world.sent_verdicts.iter().all(|(action, sent_verdict)| match sent_verdict {
                SentVerdict::Committed(_) => true,
                SentVerdict::Refused => place(model, world, *action).is_none(),
            })
        }),
        Property::always("no action has two verdicts", |_, world: &World| {
            world.sent_verdicts.windows(2).all(|pair| pair[0].0 != pair[1].0)
        }),
        Property::always("no action is in the log twice", |model: &TableModel, world| {
            let journal = model.journal(world);
            model.actions().all(|action| {
                journal.0.iter().filter(|entry| entry.action.as_ref() == Some(&action.id)).count()
                    <= 1
            })
        }),
        Property::always("every entry is legal", |model: &TableModel, world| model.is_legal(world)),
        Property::always(
            "every node and client knows a prefix of the log",
            |model: &TableModel, world| {
                let journal = model.journal(world);
                (0..2).all(|number| {
                    journal.0.starts_with(&model.client(world, number).log)
                        && journal.0.starts_with(&model.node(world, number).log)
                })
            },
        ),
    ]
}

fn check(sabotage: Sabotage, wanted: [usize; 2]) -> Report<Step> {
    let model = model(sabotage, wanted);
    let report = Checker::new(&model).properties(properties()).run();
    report.unwrap_or_else(|never| match never {})
}

#[test]
fn no_action_is_lost_or_applied_twice_in_any_run_of_two_nodes() {
    let report = check(Sabotage::Nothing, [2, 2]);
    assert_eq!((report.verdict(), report.coverage), (Verdict::Holds, Coverage::Complete));
    assert_eq!((report.states, report.edges, report.depth), (1_199_169, 9_816_890, 33));
}

#[test]
fn a_takeback_is_granted_or_declined_or_played_over_once_in_any_run_of_two_nodes() {
    let model = takeback_model();
    let mut properties = properties();
    properties
        .push(Property::always("one of the three answers counts", |model: &TableModel, world| {
            model.journal(world).0.iter().skip(6).count() <= 1
        }));
    let report = Checker::new(&model).properties(properties).run();
    let report = report.unwrap_or_else(|never| match never {});
    assert_eq!((report.verdict(), report.coverage), (Verdict::Holds, Coverage::Complete));
    assert_eq!((report.states, report.edges, report.depth), (31_622, 216_814, 26));
}

/// All states, and for each state its predecessors over steps without a fault.
fn explore(model: &TableModel) -> (Vec<World>, Vec<Vec<usize>>) {
    let start = model.start();
    let mut numbers = FxHashMap::from_iter([(start.clone(), 0)]);
    let (mut worlds, mut before) = (vec![start], vec![Vec::new()]);
    let mut next = 0;
    while let Some(world) = worlds.get(next).cloned() {
        let mut show = |step: &Step, to: World| {
            let number = *numbers.entry(to).or_insert_with_key(|to| {
                worlds.push(to.clone());
                before.push(Vec::new());
                worlds.len() - 1
            });
            if !step.is_fault() {
                before[number].push(next);
            }
        };
        model.successors(&world, &mut show).unwrap_or_else(|never| match never {});
        next += 1;
    }
    (worlds, before)
}

/// The number of states, of settled states, and of states from which a settled one can be reached
/// without a fault.
fn settling(sabotage: Sabotage) -> (usize, usize, usize) {
    let model = model(sabotage, [2, 1]);
    let (worlds, before) = explore(&model);
    let mut settles: Vec<bool> = worlds.iter().map(|world| model.is_settled(world)).collect();
    let mut reached: Vec<usize> = (0..worlds.len()).filter(|number| settles[*number]).collect();
    let settled = reached.len();
    let mut next = 0;
    while let Some(number) = reached.get(next).copied() {
        for earlier in &before[number] {
            if !settles[*earlier] {
                settles[*earlier] = true;
                reached.push(*earlier);
            }
        }
        next += 1;
    }
    (worlds.len(), settled, reached.len())
}

#[test]
fn every_state_can_settle_without_further_faults() {
    assert_eq!(settling(Sabotage::Nothing), (165_641, 180, 165_641));
}

#[test]
fn a_client_that_keeps_a_refused_action_never_settles() {
    assert_eq!(settling(Sabotage::KeepRefusedAction), (122_324, 90, 26_342));
}

/// Checks that the shortest counterexamples are the expected ones.
#[track_caller]
fn check_caught(sabotage: Sabotage, expected: &Expect) {
    let report = check(sabotage, [2, 1]);
    assert_eq!(report.verdict(), Verdict::Violated);
    let broken = report.findings.iter().filter(|finding| finding.verdict == Verdict::Violated);
    let traces = broken.map(|finding| finding.to_string().replace(", ", "\n  ") + "\n");
    expected.assert_eq(&traces.collect::<String>());
}

#[test]
fn an_acknowledgement_before_the_append_is_caught() {
    check_caught(
        Sabotage::AcknowledgeBeforeAppending,
        &expect![[r#"
        no acknowledged action is lost: violated: a state violates it
          client 0 submits a1:1
          client 0 sends a1:1
          node 0 receives a1:1
    "#]],
    );
}

#[test]
fn a_forgotten_deduplication_is_caught() {
    check_caught(
        Sabotage::SkipDeduplication,
        &expect![[r#"
            no refused action is in the log: violated: a state violates it
              client 0 submits a1:1
              client 0 sends a1:1
              node 0 receives a1:1
              the journal appends the entries of node 0
              node 0 reads one entry
              node 0 finds it at 4
        "#]],
    );
}

#[test]
fn an_ignored_conflict_is_caught() {
    check_caught(
        Sabotage::IgnoreConflict,
        &expect![[r#"
            no acknowledged action is lost: violated: a state violates it
              client 0 submits a1:1
              client 0 sends a1:1
              client 1 submits b2:1
              client 1 sends b2:1
              node 0 receives a1:1
              the journal appends the entries of node 0
              node 1 receives b2:1
              node 1 reads one entry
            every node and client knows a prefix of the log: violated: a state violates it
              client 0 submits a1:1
              client 0 sends a1:1
              client 1 submits b2:1
              client 1 sends b2:1
              node 0 receives a1:1
              the journal appends the entries of node 0
              node 1 receives b2:1
              node 1 reads one entry
        "#]],
    );
}
