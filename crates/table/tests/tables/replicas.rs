//! The replica of a client while its actions are pending.

use game::{Game, Generator, Seat};
use table::{Action, ActionBody, ActionId, Actor, Entry, NotSent, Replica, TableState, Update};

use crate::counting;
use crate::test_table::{ONE, TWO, TestTable, leave_or_rejoin};

/// The server's table, and a replica of it for a seat.
fn served(seat: Seat) -> (TestTable, Replica) {
    let test_table = TestTable::tic_tac_toe();
    let replica = Replica::new(test_table.state.clone(), Some(seat));
    (test_table, replica)
}

fn play(id: u64, ply: u32, chosen: &str) -> Action {
    let id = ActionId::new("client", id).expect("the id is valid");
    Action {
        id,
        body: ActionBody::Play {
            round: 1,
            ply,
            chosen: chosen.parse().expect("the move text is valid"),
        },
    }
}

fn shown(replica: &Replica) -> String {
    replica.provisional().game().text(replica.provisional().position())
}

fn folded(update: Result<Update, table::FoldError>) -> (Vec<String>, Vec<String>) {
    let Ok(Update::Folded { confirmed, rolled_back }) = update else { unreachable!("{update:?}") };
    let refusal = |each: &table::RolledBack| format!("{}: {}", each.id, each.refusal);
    (confirmed.iter().map(ToString::to_string).collect(), rolled_back.iter().map(refusal).collect())
}

#[test]
fn a_move_is_shown_at_once_and_is_no_longer_pending_when_confirmed() {
    let (mut server, mut replica) = served(ONE);
    let action = play(1, 0, "b2");
    replica.submit(action.clone()).expect("the move is legal");
    assert_eq!((shown(&replica).as_str(), replica.pending().len()), ("    X    ", 1));
    assert_eq!(replica.confirmed().version(), 3);
    server.submit(&action, Actor::Seat(ONE)).expect("the move is legal");
    let update = folded(replica.receive(&server.log[3..]));
    assert_eq!(update, (vec!["client:1".to_owned()], Vec::new()));
    assert_eq!((shown(&replica).as_str(), replica.pending().len()), ("    X    ", 0));
}

#[test]
fn an_action_that_the_replica_refuses_is_not_sent() {
    let (_, mut replica) = served(TWO);
    let refused = replica.submit(play(1, 0, "b2")).expect_err("the other seat is to move");
    assert_eq!(refused.to_string(), "It is not your turn: EnforceTurns");
    assert_eq!(replica.pending().len(), 0);
}

#[test]
fn an_action_is_sent_once() {
    let (mut server, mut replica) = served(ONE);
    let action = play(1, 0, "b2");
    replica.submit(action.clone()).expect("the move is legal");
    assert!(matches!(replica.submit(action.clone()), Err(NotSent::SentBefore(_))));
    server.submit(&action, Actor::Seat(ONE)).expect("the move is legal");
    replica.receive(&server.log[3..]).expect("the entries follow the log");
    assert!(matches!(replica.submit(action), Err(NotSent::SentBefore(_))));
}

#[test]
fn a_refusal_rolls_back_the_action_and_keeps_independent_ones() {
    let (_, mut replica) = served(ONE);
    replica.submit(play(1, 0, "b2")).expect("the move is legal");
    let id = ActionId::new("client", 2).expect("the id is valid");
    replica
        .submit(Action { id, body: ActionBody::Leave { version: 3 } })
        .expect("a player may leave at any time");
    let refusal = game::Refusal::new(game::Reason::not_your_turn());
    let first = ActionId::new("client", 1).expect("the id is valid");
    let rolled_back = replica.refused(&first, &refusal);
    assert_eq!(rolled_back.len(), 1, "leaving does not depend on the move");
    assert_eq!((&rolled_back[0].id, &rolled_back[0].refusal), (&first, &refusal));
    assert_eq!((shown(&replica).as_str(), replica.pending().len()), ("         ", 1));
    assert_eq!(replica.refused(&first, &refusal), [], "a refusal is reported once");
}

#[test]
fn pending_actions_are_rebased_on_entries_of_others() {
    let (mut server, mut replica) = served(ONE);
    replica.submit(play(1, 0, "b2")).expect("the move is legal");
    server.leave(TWO).expect("a player may leave at any time");
    let update = folded(replica.receive(&server.log[3..]));
    assert_eq!(update, (Vec::new(), Vec::new()));
    assert_eq!(replica.provisional().occupant(TWO).map(|occupant| occupant.is_here), Some(false));
    assert_eq!(shown(&replica), "    X    ");
}

#[test]
fn an_action_that_became_illegal_is_withdrawn_and_reported_once() {
    let (mut server, mut replica) = served(ONE);
    // The same player moves first in another tab.
    replica.submit(play(1, 0, "b2")).expect("the move is legal");
    assert!(replica.to_send().is_some());
    server.play(ONE, "a1").expect("the move is legal");
    let (_, rolled_back) = folded(replica.receive(&server.log[3..]));
    assert_eq!(rolled_back.len(), 1);
    assert!(rolled_back[0].contains("meant for an earlier position"), "{rolled_back:?}");
    assert_eq!((shown(&replica).as_str(), replica.pending().len()), ("X        ", 1));
    let id = ActionId::new("client", 1).expect("the id is valid");
    let refusal = game::Refusal::new(game::Reason::not_your_turn());
    assert_eq!(replica.refused(&id, &refusal), [], "the refusal was reported before");
    assert_eq!(replica.pending().len(), 0);
}

#[test]
fn an_action_that_depends_on_a_refused_one_is_never_sent() {
    let (mut server, mut replica) = served(ONE);
    server.play_all("a1 a2 b1 b2");
    replica.receive(&server.log).expect("the entries follow the log");
    replica.submit(play(1, 4, "c1")).expect("the move wins");
    let id = ActionId::new("client", 2).expect("the id is valid");
    let body = ActionBody::NextRound { round: 1, ply: 5 };
    replica.submit(Action { id, body }).expect("the pending move decides the round");
    assert_eq!(replica.to_send(), Some(play(1, 4, "c1")), "one at a time");
    let refusal = game::Refusal::new(game::Reason::not_your_turn());
    let first = ActionId::new("client", 1).expect("the id is valid");
    let rolled_back = replica.refused(&first, &refusal);
    assert_eq!(
        rolled_back.iter().map(|each| each.id.to_string()).collect::<Vec<_>>(),
        ["client:1", "client:2"]
    );
    assert_eq!((replica.to_send(), replica.pending().len()), (None, 0));
}

#[test]
fn a_gap_asks_for_the_missing_entries_and_changes_nothing() {
    let (mut server, mut replica) = served(ONE);
    server.play_all("a1 b2 c3");
    let update = replica.receive(&server.log[4..]);
    assert_eq!(update, Ok(Update::Gap { from: 3 }));
    assert_eq!((shown(&replica).as_str(), replica.confirmed().version()), ("         ", 3));
    replica.receive(&server.log[3..]).expect("the entries follow the log");
    assert_eq!(shown(&replica), "X   O   X");
    replica.receive(&server.log).expect("known entries are skipped");
    assert_eq!(replica.confirmed().version(), 6);
}

#[test]
fn pending_actions_are_sent_again_after_a_reconnection_and_applied_once() {
    let (mut server, mut replica) = served(ONE);
    replica.submit(play(1, 0, "b2")).expect("the move is legal");
    for _ in 0..2 {
        let action = replica.to_send().expect("the action is pending");
        server.submit(&action, Actor::Seat(ONE)).expect("the move is legal or already applied");
    }
    assert_eq!(server.state.version(), 4);
    assert_eq!(replica.resync(server.state.clone()), []);
    assert_eq!((shown(&replica).as_str(), replica.pending().len()), ("    X    ", 0));
}

#[test]
fn a_move_that_was_confirmed_long_ago_does_not_stay_pending_after_a_reconnection() {
    let (mut server, mut replica) = served(ONE);
    replica.submit(play(1, 0, "b2")).expect("the move is legal");
    let action = replica.to_send().expect("the action is pending");
    server.submit(&action, Actor::Seat(ONE)).expect("the move is legal");
    for number in 0..40 {
        let action = leave_or_rejoin(number, "two", server.state.version());
        server.submit(&action, Actor::Seat(TWO)).expect("a player may come and go at any time");
    }
    // A state remembers only the most recent actions.
    replica.resync(server.state.clone());
    assert_eq!(replica.pending().len(), 1);
    assert_eq!(replica.committed(&action.id, 4), []);
    assert_eq!((shown(&replica).as_str(), replica.pending().len()), ("    X    ", 0));
}

#[test]
fn an_acknowledgement_ahead_of_the_entries_waits_for_them() {
    let (mut server, mut replica) = served(ONE);
    replica.submit(play(1, 0, "b2")).expect("the move is legal");
    let action = replica.to_send().expect("the action is pending");
    server.submit(&action, Actor::Seat(ONE)).expect("the move is legal");
    assert_eq!(replica.committed(&action.id, 4), []);
    assert_eq!((shown(&replica).as_str(), replica.pending().len()), ("    X    ", 1));
    replica.receive(&server.log[3..]).expect("the entries follow the log");
    assert_eq!((shown(&replica).as_str(), replica.pending().len()), ("    X    ", 0));
}

#[test]
fn a_client_that_has_just_joined_appears_once_and_is_not_rolled_back() {
    let mut server = TestTable::empty("tic-tac-toe", table::Options::default());
    let mut replica = Replica::new(server.state.clone(), None);
    let action = leave_or_rejoin(1, "Ada", 1);
    replica.submit(action.clone()).expect("a seat is free");
    server.submit(&action, Actor::Stranger).expect("a seat is free");
    assert_eq!(replica.committed(&action.id, 2), []);
    // The client had no seat then, so its entry has no id and no token.
    let seen = TestTable::empty("tic-tac-toe", table::Options::default()).state;
    let seen = seen.visible_entry(&server.log[1], game::Viewer::Spectator);
    assert_eq!(folded(replica.receive(&[seen])), (vec!["door:1".to_owned()], Vec::new()));
    assert_eq!((replica.provisional().occupant(TWO), replica.pending().len()), (None, 0));
    assert_eq!(replica.seated(Some(ONE)), []);
}

#[test]
fn the_number_of_pending_actions_is_limited() {
    let mut replica = counting::alone();
    for ply in 0..128 {
        replica.submit(counting::say_number(ply)).expect("a lone player is always to move");
    }
    assert_eq!(replica.submit(counting::say_number(128)), Err(NotSent::TooMany { most: 128 }));
}

#[test]
fn a_player_who_left_can_come_back() {
    let (mut server, mut replica) = served(ONE);
    let known = server.state.version();
    replica.submit(leave_or_rejoin(0, "one", known)).expect("a player may leave at any time");
    assert_eq!(replica.provisional().occupant(ONE).map(|occupant| occupant.is_here), Some(false));
    let leave = replica.to_send().expect("the action is pending");
    server.submit(&leave, Actor::Seat(ONE)).expect("a player may leave at any time");
    // A client receives no tokens.
    let shown = server.state.snapshot().expect("a round has begun").visible_to(Some(ONE));
    let state = TableState::restore(server.game(), &shown).expect("the snapshot is valid");
    replica.resync(state);
    replica
        .submit(leave_or_rejoin(1, "one", known + 1))
        .expect("a player may come back at any time");
    assert_eq!(replica.provisional().occupant(ONE).map(|occupant| occupant.is_here), Some(true));
    let join = replica.to_send().expect("the action is pending");
    server.submit(&join, Actor::Seat(ONE)).expect("a player may come back at any time");
    assert!(
        server
            .state
            .occupant(ONE)
            .is_some_and(|occupant| occupant.is_here && occupant.token.is_some())
    );
}

#[test]
fn a_move_that_a_restored_log_can_never_decide_is_rolled_back() {
    let (mut server, mut replica) = served(ONE);
    server.play_all("a1 b2");
    folded(replica.receive(&server.log[3..]));
    replica.submit(play(1, 2, "c3")).expect("the move is legal");
    assert!(replica.to_send().is_some());
    replica
        .submit(Action { id: "client:2".parse().expect("the id is valid"), ..leave(5) })
        .expect("the player is present");
    let restored =
        TableState::after(server.game(), &server.log[..4]).expect("the entry follows the log");
    let rolled_back = replica.restart(restored);
    let refusals: Vec<_> =
        rolled_back.iter().map(|each| format!("{}: {}", each.id, each.refusal.message())).collect();
    assert_eq!(
        refusals,
        [
            "client:1: This move is meant for a later position",
            "client:2: This join or leave is meant for a later position"
        ]
    );
    assert_eq!((shown(&replica).as_str(), replica.to_send()), ("X        ", None));
}

#[test]
fn a_move_that_is_still_legal_in_a_restored_log_is_sent_again() {
    let (mut server, mut replica) = served(ONE);
    replica.submit(play(1, 0, "b2")).expect("the move is legal");
    assert!(replica.to_send().is_some());
    server.leave(TWO).expect("the player is present");
    folded(replica.receive(&server.log[3..]));
    let restored =
        TableState::after(server.game(), &server.log[..3]).expect("the entry follows the log");
    assert_eq!(replica.restart(restored), []);
    assert_eq!(
        (shown(&replica).as_str(), replica.to_send()),
        ("    X    ", Some(play(1, 0, "b2")))
    );
}

#[test]
fn a_replica_plays_only_in_the_seat_that_the_server_names() {
    let (_, mut replica) = served(ONE);
    replica.submit(play(1, 0, "b2")).expect("the move is legal");
    let refusals = |rolled_back: Vec<table::RolledBack>| {
        rolled_back.iter().map(|each| each.refusal.message().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(refusals(replica.seated(None)), ["You have no seat at this table"]);
    assert_eq!(refusals(replica.seated(Some(ONE))), [""; 0]);
    replica.submit(play(2, 0, "a1")).expect("the move is legal");
}

fn leave(version: u64) -> Action {
    Action { id: "leave:1".parse().expect("the id is valid"), body: ActionBody::Leave { version } }
}

#[test]
fn illegal_entries_change_nothing() {
    let (mut server, mut replica) = served(ONE);
    server.play_all("a1 b2");
    let mut forged: Vec<Entry> = server.log[3..].to_vec();
    forged[1].body = forged[0].body.clone();
    replica.receive(&forged).expect_err("the same move twice");
    assert_eq!((shown(&replica).as_str(), replica.confirmed().version()), ("         ", 3));
}

#[test]
fn a_log_restores_the_state_at_any_version() {
    let mut server = TestTable::tic_tac_toe();
    server.play_all("a1 b2 c3");
    let texts: Vec<String> = (1..=server.log.len())
        .map(|version| {
            TableState::after(server.game(), &server.log[..version])
                .expect("the entry follows the log")
        })
        .map(|state| state.game().text(state.position()))
        .collect();
    assert_eq!(texts[2..], ["         ", "X        ", "X   O    ", "X   O   X"]);
}

/// A random action in this state.
fn anything(state: &TableState, generator: &mut Generator) -> ActionBody {
    let (round, ply) = (state.round(), state.ply());
    let chosen = generator.below(9).to_string().parse().expect("the move text is valid");
    match generator.below(6) {
        0 => ActionBody::NextRound { round, ply },
        1 => ActionBody::Forfeit { round, ply },
        _ => ActionBody::Play { round, ply, chosen },
    }
}

/// Answers the pending actions of a replica. Returns the number of refusals.
fn answer(server: &mut TestTable, replica: &mut Replica, seat: Seat) -> u32 {
    let Some(action) = replica.to_send() else { return 0 };
    let Err(refusal) = server.submit(&action, Actor::Seat(seat)) else { return 0 };
    replica.refused(&action.id, &refusal);
    1
}

/// Two players, one of them with two tabs, and a server that answers late. Replicas always show the
/// confirmed state with their pending actions on top.
#[test]
fn replicas_agree_with_the_server_despite_delays() {
    let mut refused = 0;
    for seed in 0..500 {
        let mut generator = Generator::seeded(seed);
        let mut server = TestTable::tic_tac_toe();
        let mut clients = [(ONE, "one"), (ONE, "tab"), (TWO, "two")].map(|(seat, name)| {
            let replica = Replica::new(server.state.clone(), Some(seat));
            (seat, replica, (name, 0_u64))
        });
        for _ in 0..60 {
            let client = usize::try_from(generator.below(3)).expect("the number is below 3");
            let (seat, replica, (name, counter)) = &mut clients[client];
            match generator.below(3) {
                0 => {
                    *counter += 1;
                    let id = ActionId::new(name, *counter).expect("the id is valid");
                    let body = anything(replica.provisional(), &mut generator);
                    let action = Action { id, body };
                    // The replica drops an action that it refuses.
                    drop(replica.submit(action));
                }
                1 => refused += answer(&mut server, replica, *seat),
                _ => {
                    let known =
                        usize::try_from(replica.confirmed().version()).expect("the number fits");
                    let some =
                        known + usize::try_from(generator.below(3)).expect("the number fits");
                    let some = some.min(server.log.len());
                    replica.receive(&server.log[..some]).expect("the entries follow the log");
                }
            }
            let mut again = Replica::new(replica.confirmed().clone(), Some(*seat));
            for pending in replica.pending() {
                assert_eq!(
                    again.submit(pending.action.clone()).is_ok(),
                    pending.withdrawn.is_none()
                );
            }
            assert_eq!(again.provisional().position(), replica.provisional().position());
        }
        for (seat, replica, _) in &mut clients {
            while replica.pending().len() > 0 {
                answer(&mut server, replica, *seat);
                replica.receive(&server.log).expect("the entries follow the log");
            }
        }
        for (_, replica, _) in &mut clients {
            replica.receive(&server.log).expect("the entries follow the log");
            assert_eq!(replica.pending().len(), 0, "seed {seed}");
            assert_eq!(replica.provisional().position(), server.state.position(), "seed {seed}");
            assert_eq!(replica.provisional().losers(), server.state.losers(), "seed {seed}");
        }
    }
    assert!(refused > 100, "{refused}");
}
