//! Fair draws: an ended table reveals its seed, and everybody can check what chance drew.

use table::{
    ActionBody, Actor, Author, Entry, EntryBody, Options, RevealedSeed, TableSecret, UnfairDraws,
    automatic_entries, check_draws,
};

use crate::test_table::{ONE, TWO, TestTable, message};

fn end(test_table: &mut TestTable) -> Result<table::Decision, game::Refusal> {
    let version = test_table.state.version();
    test_table.act(Actor::Seat(TWO), ActionBody::End { version })
}

/// Adds what the table adds on its own.
fn settle(test_table: &mut TestTable) {
    let secret = TableSecret::new([3; 32]);
    loop {
        let entries =
            automatic_entries(&test_table.state, &secret, 0).expect("the table can continue");
        if entries.is_empty() {
            return;
        }
        for entry in entries {
            test_table.state.fold(&entry).expect("the entry follows the log");
            test_table.log.push(entry);
        }
    }
}

/// A round of Pig that a player resigns after three rolls, at a table that has ended.
fn ended() -> TestTable {
    let game = games::catalog::game("pig").expect("the game is in the catalog");
    let mut test_table = TestTable::of(game, Options::default());
    let commitment = TableSecret::new([3; 32]).commitment();
    let committed = match &mut test_table.log[0].body {
        EntryBody::Created { commitment, .. } => Some(commitment),
        _ => None,
    };
    *committed.expect("the first entry creates the table") = commitment;
    test_table.join("one").expect("the first seat is free");
    test_table.join("two").expect("the second seat is free");
    for _ in 0..3 {
        test_table.play_all("roll");
        settle(&mut test_table);
    }
    assert_eq!(
        message(end(&mut test_table)),
        "A table ends between two rounds: finish this one first"
    );
    test_table.forfeit(ONE).expect("the round is open");
    end(&mut test_table).expect("no round is under way");
    settle(&mut test_table);
    test_table
}

#[test]
fn an_ended_table_reveals_the_seed_to_which_it_was_committed() {
    let test_table = ended();
    let kinds: Vec<_> =
        test_table.log.iter().rev().take(2).map(|entry| entry.body.kind()).collect();
    assert_eq!(kinds, ["seed_revealed", "ended"]);
    assert_eq!(check_draws(test_table.game(), &test_table.log), Ok(3));
}

#[test]
fn another_seed_another_draw_and_a_table_that_goes_on_are_found_out() {
    let test_table = ended();
    let game = || test_table.game();
    let open = &test_table.log[..test_table.log.len() - 1];
    assert_eq!(check_draws(game(), open), Err(UnfairDraws::NotRevealed));
    let mut other = test_table.log.clone();
    let last = other.last_mut().expect("the log has entries");
    last.body = EntryBody::SeedRevealed { seed: RevealedSeed::new([9; 32]) };
    assert_eq!(check_draws(game(), &other), Err(UnfairDraws::AnotherSeed));
    let mut loaded = test_table.log.clone();
    let draw = loaded.iter_mut().find_map(|entry| match &mut entry.body {
        EntryBody::Chance { drawn, .. } => Some(drawn),
        _ => None,
    });
    let draw = draw.expect("chance drew");
    let expected = draw.to_string();
    let drawn = if expected == "6" { "5" } else { "6" };
    *draw = drawn.parse().expect("the text is valid");
    let (version, drawn) = (5, drawn.to_owned());
    let found = UnfairDraws::AnotherDraw { version, drawn, expected };
    assert_eq!(check_draws(game(), &loaded), Err(found));
}

#[test]
fn a_table_that_hides_something_keeps_its_seed_and_is_not_accused() {
    let mut test_table = TestTable::full("kuhn-poker", Options::default());
    end(&mut test_table).expect("no round is under way");
    let length = test_table.log.len();
    settle(&mut test_table);
    assert_eq!(test_table.log.len(), length, "nothing is revealed");
    assert_eq!(check_draws(test_table.game(), &test_table.log), Err(UnfairDraws::Hidden));
}

#[test]
fn an_end_that_was_meant_for_an_earlier_state_is_refused() {
    let mut test_table = TestTable::tic_tac_toe();
    let version = test_table.state.version();
    test_table.forfeit(ONE).expect("the round is open");
    let late = message(test_table.act(Actor::Seat(TWO), ActionBody::End { version }));
    assert_eq!(late, "This end was meant for an earlier position");
    end(&mut test_table).expect("no round is under way");
}

#[test]
fn nothing_is_played_at_an_ended_table() {
    let mut test_table = ended();
    let ended = "This table has ended: open a new one";
    assert_eq!(message(test_table.play(ONE, "roll")), ended);
    assert_eq!(message(test_table.forfeit(ONE)), ended);
    assert_eq!(message(end(&mut test_table)), "The table has ended already");
    assert!(test_table.state.has_ended());
    assert_eq!(test_table.state.snapshot(), None, "a snapshot would forget it");
    let body = EntryBody::Forfeited { seat: ONE, round: 2, why: table::Forfeit::Resigned };
    let entry = Entry::new(test_table.state.version() + 1, 3_000, Author::Seat(ONE), body);
    test_table.state.clone().fold(&entry).expect_err("the table has ended");
    test_table.leave(ONE).expect("a player may leave");
}
