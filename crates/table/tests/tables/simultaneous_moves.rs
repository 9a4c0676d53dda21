//! Simultaneous moves.

use table::{Decision, EntryBody, Options};

use crate::test_table::{ONE, TWO, TestTable, message};

#[test]
fn moves_are_sealed_until_every_seat_has_chosen() {
    let mut test_table = TestTable::full("odds-and-evens", Options::default());
    let first = test_table.play(TWO, "2").expect("both seats choose");
    let Decision::Append(bodies) = first else { panic!("the action is new") };
    assert!(matches!(&bodies[..], [EntryBody::Sealed { .. }]), "{bodies:?}");
    assert_eq!(
        (test_table.state.ply(), test_table.text()),
        (0, "Odds and Evens have shown nothing".into())
    );
    assert_eq!(message(test_table.play(TWO, "1")), "You have already chosen");
    let second = test_table.play(ONE, "1").expect("both seats choose");
    let Decision::Append(bodies) = second else { panic!("the action is new") };
    assert!(
        matches!(&bodies[..], [EntryBody::Sealed { .. }, EntryBody::Revealed { .. }]),
        "{bodies:?}"
    );
    assert_eq!(
        (test_table.state.ply(), test_table.text()),
        (1, "Odds shows 1, Evens shows 2".into())
    );
    test_table.next_round(TWO).expect("the round is decided");
    assert_eq!(test_table.state.losers(), [Some(TWO)]);
}
