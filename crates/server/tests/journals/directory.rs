//! What every directory does.

use server::{Directory, Listing, OpenTable, PutOutcome, TableStatus};

use crate::fixtures::table;

pub(crate) fn open(number: u8, code: &str) -> OpenTable {
    OpenTable {
        id: table(number),
        code: code.to_owned(),
        code_until: 1_000,
        game: "tic-tac-toe".to_owned(),
        is_listed: true,
        created_at: u64::from(number / 2),
        free_seats: 1,
        status: TableStatus::Waiting,
    }
}

/// A time at which the codes of [`open`] are valid.
const NOW: u64 = 999;

pub(crate) async fn tables_are_found_by_their_codes(directory: &dyn Directory) {
    assert_eq!(directory.by_code("red fox", NOW).await, Ok(None));
    assert_eq!(directory.by_id(table(1)).await, Ok(None));
    assert_eq!(directory.put(open(1, "red fox")).await, Ok(PutOutcome::Done));
    assert_eq!(directory.by_code("red fox", NOW).await, Ok(Some(open(1, "red fox"))));
    let changed = OpenTable { free_seats: 3, status: TableStatus::Playing, ..open(1, "red fox") };
    assert_eq!(directory.put(changed.clone()).await, Ok(PutOutcome::Done));
    assert_eq!(directory.by_code("red fox", NOW).await, Ok(Some(changed)));
    assert_eq!(directory.seats(table(1), 2, TableStatus::Idle).await, Ok(()));
    let idle = OpenTable { free_seats: 2, status: TableStatus::Idle, ..open(1, "red fox") };
    assert_eq!(directory.by_code("red fox", NOW).await, Ok(Some(idle.clone())));
    assert_eq!(directory.by_id(table(1)).await, Ok(Some(idle)));
    assert_eq!(
        directory.seats(table(2), 2, TableStatus::Idle).await,
        Ok(()),
        "an unknown table is ignored"
    );
}

pub(crate) async fn codes_end(directory: &dyn Directory) {
    assert_eq!(directory.put(open(1, "red fox")).await, Ok(PutOutcome::Done));
    assert_eq!(directory.by_code("red fox", 1_000).await, Ok(None), "it has expired");
    assert_eq!(directory.set_code(table(1), "red fox", 2_000).await, Ok(PutOutcome::Done));
    let renewed = OpenTable { code_until: 2_000, ..open(1, "red fox") };
    assert_eq!(directory.by_code("red fox", 1_000).await, Ok(Some(renewed)));
    assert_eq!(directory.set_code(table(1), "blue cat", 2_000).await, Ok(PutOutcome::Done));
    assert_eq!(directory.by_code("red fox", 1_000).await, Ok(None), "it was replaced");
    assert!(directory.by_code("blue cat", 1_000).await.expect("the journal answers").is_some());
    assert_eq!(directory.seats(table(1), 0, TableStatus::Playing).await, Ok(()));
    assert_eq!(directory.by_code("blue cat", 1_000).await, Ok(None), "the table is full");
    assert_eq!(
        directory.set_code(table(2), "green owl", 2_000).await,
        Ok(PutOutcome::Done),
        "an unknown table is ignored"
    );
    assert_eq!(directory.by_code("green owl", 1_000).await, Ok(None));
}

pub(crate) async fn codes_are_unique(directory: &dyn Directory) {
    assert_eq!(directory.put(open(1, "red fox")).await, Ok(PutOutcome::Done));
    assert_eq!(directory.put(open(2, "red fox")).await, Ok(PutOutcome::CodeTaken));
    assert_eq!(directory.by_code("red fox", NOW).await, Ok(Some(open(1, "red fox"))));
    assert_eq!(directory.put(open(1, "blue cat")).await, Ok(PutOutcome::Done));
    assert_eq!(directory.put(open(2, "red fox")).await, Ok(PutOutcome::Done));
    assert_eq!(directory.by_code("red fox", NOW).await, Ok(Some(open(2, "red fox"))));
    let stolen = directory.set_code(table(1), "red fox", 9_000).await;
    assert_eq!(stolen, Ok(PutOutcome::CodeTaken));
    assert_eq!(directory.by_code("red fox", 1_000).await, Ok(None), "it was not renewed");
    assert_eq!(directory.by_code("blue cat", NOW).await, Ok(Some(open(1, "blue cat"))));
}

pub(crate) async fn deadlines_come_in_order(directory: &dyn Directory) {
    let most = Listing::MAX;
    for number in 0..=u8::try_from(most).expect("a page is short") {
        let put = directory.put(open(number, &number.to_string())).await;
        assert_eq!(put, Ok(PutOutcome::Done));
    }
    assert_eq!(directory.deadlines().await, Ok(Vec::new()));
    for (number, deadline) in [(1, 30), (2, 10), (3, 20), (4, 10)] {
        assert_eq!(directory.set_deadline(table(number), Some(deadline)).await, Ok(()));
    }
    let all = vec![(10, table(2)), (10, table(4)), (20, table(3)), (30, table(1))];
    assert_eq!(directory.deadlines().await, Ok(all));
    assert_eq!(directory.set_deadline(table(2), None).await, Ok(()));
    assert_eq!(directory.set_deadline(table(4), Some(40)).await, Ok(()));
    assert_eq!(directory.seats(table(3), 0, TableStatus::Idle).await, Ok(()));
    assert_eq!(directory.put(open(3, "3")).await, Ok(PutOutcome::Done));
    assert_eq!(directory.set_code(table(3), "new", 1).await, Ok(PutOutcome::Done));
    let all = vec![(20, table(3)), (30, table(1)), (40, table(4))];
    assert_eq!(directory.deadlines().await, Ok(all), "other changes keep the deadline");
    assert_eq!(directory.set_deadline(table(200), Some(1)).await, Ok(()));
    assert_eq!(directory.expect_deadline(table(200), 1).await, Ok(()));
    assert_eq!(directory.expect_deadline(table(4), 25).await, Ok(()));
    let all = vec![(20, table(3)), (25, table(4)), (30, table(1))];
    assert_eq!(directory.deadlines().await, Ok(all), "no later one is left");
    for number in 0..=u8::try_from(most).expect("a page is short") {
        let deadline = 1_000 - u64::from(number);
        assert_eq!(directory.set_deadline(table(number), Some(deadline)).await, Ok(()));
    }
    let deadlines = directory.deadlines().await.expect("the journal answers");
    assert_eq!(deadlines.len(), most, "a page is bounded");
    assert_eq!(
        deadlines[0],
        (1_000 - most as u64, table(u8::try_from(most).expect("a page is short")))
    );
}

pub(crate) async fn listed_tables_come_newest_first(directory: &dyn Directory) {
    for number in 0..9 {
        let is_listed = number != 3;
        let status = if number % 2 == 0 { TableStatus::Waiting } else { TableStatus::Idle };
        let table = OpenTable { is_listed, status, ..open(number, &number.to_string()) };
        assert_eq!(directory.put(table).await, Ok(PutOutcome::Done));
    }
    let list = async |listing: Listing| -> Vec<u8> {
        let listed = directory.listed(listing).await.expect("the journal can be read");
        listed.iter().map(|table| table.id.bits()[0]).collect()
    };
    let all = Listing { status: None, after: None, limit: usize::MAX };
    assert_eq!(list(all).await, [8, 7, 6, 5, 4, 2, 1, 0]);
    assert_eq!(list(Listing { limit: 3, ..all }).await, [8, 7, 6]);
    let next = Listing { after: Some((2, table(5))), limit: 2, ..all };
    assert_eq!(list(next).await, [4, 2]);
    let waiting = Listing { status: Some(TableStatus::Waiting), ..all };
    assert_eq!(list(waiting).await, [8, 6, 4, 2, 0]);
}
