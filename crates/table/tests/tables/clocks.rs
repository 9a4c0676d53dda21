//! Clocks: a seat that runs out of time forfeits the round.

use game::{AnyGame, Game, NoChance, Outcome, Picture, Seat, Seats, Turn, Viewer};
use table::{Author, Clock, Entry, EntryBody, Forfeit, Options, TableSecret, automatic_entries};

use crate::test_table::{ONE, TWO, TestTable};

/// A full table with a clock; its last entry was written at 1,003.
fn table(clock: Clock) -> TestTable {
    TestTable::full("tic-tac-toe", Options { clock: Some(clock), ..Options::default() })
}

/// Folds an entry with this time.
fn fold_at(test_table: &mut TestTable, who: Author, at: u64, body: EntryBody) {
    let version = test_table.state.version() + 1;
    test_table.state.fold(&Entry::new(version, at, who, body)).expect("the entry follows the log");
}

/// A seat makes a move at a time.
fn play_at(test_table: &mut TestTable, seat: Seat, chosen: &str, at: u64) {
    let (round, ply) = (test_table.state.round(), test_table.state.ply());
    let chosen = chosen.parse().expect("the move text is valid");
    fold_at(
        test_table,
        Author::Seat(seat),
        at,
        EntryBody::Played { seat, round, ply, chosen, explanation: None },
    );
}

/// The automatic entries at a time.
fn automatic_at(test_table: &TestTable, now: u64) -> Vec<EntryBody> {
    let entries = automatic_entries(&test_table.state, &TableSecret::new([1; 32]), now)
        .expect("the table can continue");
    entries.into_iter().map(|entry| entry.body).collect()
}

fn out_of_time(seat: Seat) -> EntryBody {
    EntryBody::Forfeited { seat, round: 1, why: Forfeit::OutOfTime }
}

#[test]
fn a_move_that_takes_too_long_forfeits_the_round() {
    let mut test_table = table(Clock::PerMove(100));
    play_at(&mut test_table, ONE, "a1", 1_050);
    assert_eq!(test_table.state.deadline(), Some((TWO, 1_150)));
    assert_eq!(automatic_at(&test_table, 1_149), []);
    assert_eq!(automatic_at(&test_table, 1_150), [out_of_time(TWO)]);
    play_at(&mut test_table, TWO, "b2", 1_060);
    assert_eq!(test_table.state.deadline(), Some((ONE, 1_160)));
}

#[test]
fn the_total_time_of_a_seat_is_limited() {
    let mut test_table = table(Clock::PerSide(100));
    play_at(&mut test_table, ONE, "a1", 1_063);
    play_at(&mut test_table, TWO, "b2", 1_073);
    assert_eq!(test_table.state.deadline(), Some((ONE, 1_173)), "the first move is not timed");
    play_at(&mut test_table, ONE, "c3", 1_133);
    assert_eq!(test_table.state.deadline(), Some((TWO, 1_223)), "10 of 100 ms are used");
    play_at(&mut test_table, TWO, "c1", 1_143);
    assert_eq!(test_table.state.deadline(), Some((ONE, 1_183)), "60 of 100 ms are used");
}

#[test]
fn a_new_round_resets_the_clocks() {
    let mut test_table = table(Clock::PerSide(100));
    play_at(&mut test_table, ONE, "a1", 1_063);
    assert_eq!(automatic_at(&test_table, 1_163), [out_of_time(TWO)]);
    fold_at(&mut test_table, Author::Table, 1_163, out_of_time(TWO));
    assert_eq!(test_table.state.losers(), [Some(TWO)]);
    assert_eq!(test_table.state.deadline(), None, "the clocks start with the first move");
    play_at(&mut test_table, ONE, "a1", 5_000);
    assert_eq!(test_table.state.deadline(), Some((TWO, 5_100)));
}

#[test]
fn an_abandoned_table_stops_adding_entries() {
    for name in ["tic-tac-toe", "odds-and-evens", "kuhn-poker", "pig"] {
        let (computers, clock) = (vec![Some("random".to_owned()), None], Some(Clock::PerMove(10)));
        let mut test_table =
            TestTable::empty(name, Options { computers, clock, ..Options::default() });
        test_table.join("two").expect("the second seat is free");
        let mut steps = 0;
        let mut now = 10_000;
        loop {
            let entries = automatic_entries(&test_table.state, &TableSecret::new([1; 32]), now);
            let entries = entries.expect("the table can continue");
            if entries.is_empty() {
                break;
            }
            for entry in &entries {
                test_table.state.fold(entry).expect("the entry follows the log");
            }
            (steps, now) = (steps + entries.len(), now + 1_000);
            assert!(steps < 1_000, "{name} never stops");
        }
        assert_eq!(test_table.state.losers(), [], "{name}");
    }
}

#[test]
fn at_a_prompt_table_the_first_round_is_timed_from_the_last_join() {
    let clock = Some(Clock::PerMove(100));
    let options = Options { clock, prompt: true, ..Options::default() };
    let mut test_table = TestTable::empty("tic-tac-toe", options);
    test_table.join("one").expect("the first seat is free");
    assert_eq!(test_table.state.deadline(), None, "nobody waits yet");
    assert_eq!(test_table.state.earliest_deadline_after_a_move(1_002), Some(1_102));
    test_table.join("two").expect("the second seat is free");
    let full = test_table.state.at();
    assert_eq!(test_table.state.deadline(), Some((ONE, full + 100)));
    test_table.leave(TWO).expect("a player may leave at any time");
    assert_eq!(test_table.state.deadline(), Some((ONE, full + 100)), "leaving changes nothing");
    assert_eq!(automatic_at(&test_table, full + 99), []);
    assert_eq!(automatic_at(&test_table, full + 100), [out_of_time(ONE)]);
    fold_at(&mut test_table, Author::Table, full + 100, out_of_time(ONE));
    assert_eq!(test_table.state.deadline(), None, "an abandoned table adds no more entries");
    assert_eq!(automatic_at(&test_table, full + 10_000), []);
}

#[test]
fn a_clock_never_ends_before_the_time_that_was_announced() {
    let mut generator = game::Generator::seeded(7);
    let mut below = |limit: u64| generator.below(limit);
    for _ in 0..200 {
        let time = 50 + below(100);
        let clock = if below(2) == 0 { Clock::PerMove(time) } else { Clock::PerSide(time) };
        let (mut test_table, mut now) = (table(clock), 1_003);
        for chosen in ["a1", "b2", "c3", "a2", "c2", "a3"] {
            now += below(time / 4);
            let announced = test_table.state.earliest_deadline_after_a_move(now);
            let seat = test_table.state.turn().iter().next().expect("somebody is to move");
            play_at(&mut test_table, seat, chosen, now);
            let (_, deadline) = test_table.state.deadline().expect("the clock runs");
            assert!(announced.is_some_and(|announced| announced <= deadline), "{clock:?}");
        }
    }
    assert_eq!(TestTable::tic_tac_toe().state.earliest_deadline_after_a_move(0), None);
}

#[test]
fn simultaneous_choices_are_timed_from_the_first_choice_of_a_person() {
    let options = Options { clock: Some(Clock::PerMove(100)), ..Options::default() };
    let mut test_table = TestTable::full("odds-and-evens", options);
    assert_eq!(test_table.state.deadline(), None);
    let chosen = Some("1".parse().expect("the move text is valid"));
    fold_at(
        &mut test_table,
        Author::Seat(ONE),
        9_000,
        EntryBody::Sealed { seat: ONE, round: 1, ply: 0, chosen },
    );
    assert_eq!(test_table.state.deadline(), Some((TWO, 9_100)));
}

#[test]
fn clocks_run_only_while_a_seat_is_to_move() {
    let options = Options { clock: Some(Clock::PerMove(100)), ..Options::default() };
    let mut empty = TestTable::empty("tic-tac-toe", options);
    empty.join("one").expect("the first seat is free");
    assert_eq!(empty.state.deadline(), None, "the second player has not joined");
    assert_eq!(TestTable::tic_tac_toe().state.deadline(), None, "this table has no clock");
    let mut decided = table(Clock::PerMove(100_000));
    decided.play_all("a1 a2 b1 b2 c1");
    assert_eq!(decided.state.deadline(), None, "the round is decided");
}

/// A game of three simultaneous moves; a move is the number of moves before it.
#[derive(Clone, Debug)]
struct InChorus;

impl Game for InChorus {
    type Position = u32;
    type Move = u32;
    type Chance = NoChance;

    fn name(&self) -> String {
        "in-chorus".to_owned()
    }

    fn seats(&self) -> Vec<&str> {
        vec!["A", "B"]
    }

    fn start(&self) -> u32 {
        0
    }

    fn turn(&self, count: &u32) -> Turn {
        if *count < 3 { Turn::Several(Seats::first(2)) } else { Turn::Over(Outcome::draw()) }
    }

    fn legal_moves<'a>(
        &'a self,
        count: &'a u32,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = u32> + 'a {
        self.turn(count).seats().contains(seat).then_some(*count).into_iter()
    }

    fn apply(&self, count: &mut u32, seat: Seat, _: &u32) {
        *count += u32::from(seat == Seat::SECOND);
    }

    fn text(&self, count: &u32) -> String {
        count.to_string()
    }

    fn picture(&self, count: &u32, _: Viewer) -> Picture {
        Picture::in_words([count.to_string()])
    }
}

#[test]
fn a_seat_that_has_chosen_does_not_pay_for_the_time_of_others() {
    let options = Options { clock: Some(Clock::PerSide(1_000)), ..Options::default() };
    let mut test_table = TestTable::of(AnyGame::new(InChorus), options);
    test_table.join("one").expect("the first seat is free");
    test_table.join("two").expect("the second seat is free");
    let mut play_both = |ply: u32, first: u64, second: u64| {
        let chosen: game::MoveText = ply.to_string().parse().expect("the move text is valid");
        for (seat, at) in [(ONE, first), (TWO, second)] {
            let chosen = Some(chosen.clone());
            let sealed = EntryBody::Sealed { seat, round: 1, ply, chosen };
            fold_at(&mut test_table, Author::Seat(seat), at, sealed);
        }
        let moves = vec![(ONE, chosen.clone()), (TWO, chosen)];
        fold_at(
            &mut test_table,
            Author::Seat(TWO),
            second,
            EntryBody::Revealed { round: 1, ply, moves },
        );
        test_table.state.deadline()
    };
    assert_eq!(play_both(0, 10_000, 10_900), Some((TWO, 11_000)), "900 of 1,000 ms are used");
    assert_eq!(
        play_both(1, 10_910, 10_920),
        Some((TWO, 11_000)),
        "the second seat used 20 ms more, the first seat 10 ms"
    );
}
