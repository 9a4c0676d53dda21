//! Seats that choose at once.

use table::{Decision, EntryBody, Options};

use crate::sitting::{ONE, Sitting, TWO, message};

#[test]
fn choices_are_sealed_until_all_are_in() {
    let mut sitting = Sitting::full("odds-and-evens", Options::default());
    let first = sitting.play(TWO, "2").expect("both choose");
    let Decision::Append(bodies) = first else { panic!("it is new") };
    assert!(matches!(&bodies[..], [EntryBody::Sealed { .. }]), "{bodies:?}");
    assert_eq!(
        (sitting.state.ply(), sitting.text()),
        (0, "Odds and Evens have shown nothing".into())
    );
    assert_eq!(message(sitting.play(TWO, "1")), "You have already chosen");
    let second = sitting.play(ONE, "1").expect("both choose");
    let Decision::Append(bodies) = second else { panic!("it is new") };
    assert!(
        matches!(&bodies[..], [EntryBody::Sealed { .. }, EntryBody::Revealed { .. }]),
        "{bodies:?}"
    );
    assert_eq!((sitting.state.ply(), sitting.text()), (1, "Odds shows 1, Evens shows 2".into()));
    sitting.next_round(TWO).expect("it is decided");
    assert_eq!(sitting.state.losers(), [Some(TWO)]);
}
