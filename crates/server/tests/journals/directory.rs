//! What every directory does.

use server::{Directory, Listing, OpenTable, PutOutcome, TableStatus};

use crate::fixtures::table;

pub(crate) fn open(number: u8, code: &str) -> OpenTable {
    OpenTable {
        id: table(number),
        code: code.to_owned(),
        game: "tic-tac-toe".to_owned(),
        is_listed: true,
        created_at: u64::from(number / 2),
        free_seats: 1,
        status: TableStatus::Waiting,
    }
}

pub(crate) async fn tables_are_found_by_their_codes(directory: &dyn Directory) {
    assert_eq!(directory.by_code("red fox").await, Ok(None));
    assert_eq!(directory.put(open(1, "red fox")).await, Ok(PutOutcome::Done));
    assert_eq!(directory.by_code("red fox").await, Ok(Some(open(1, "red fox"))));
    let changed = OpenTable { free_seats: 0, status: TableStatus::Playing, ..open(1, "red fox") };
    assert_eq!(directory.put(changed.clone()).await, Ok(PutOutcome::Done));
    assert_eq!(directory.by_code("red fox").await, Ok(Some(changed)));
    assert_eq!(directory.seats(table(1), 2, TableStatus::Idle).await, Ok(()));
    let idle = OpenTable { free_seats: 2, status: TableStatus::Idle, ..open(1, "red fox") };
    assert_eq!(directory.by_code("red fox").await, Ok(Some(idle)));
    assert_eq!(
        directory.seats(table(2), 2, TableStatus::Idle).await,
        Ok(()),
        "an unknown table is ignored"
    );
}

pub(crate) async fn codes_are_unique(directory: &dyn Directory) {
    assert_eq!(directory.put(open(1, "red fox")).await, Ok(PutOutcome::Done));
    assert_eq!(directory.put(open(2, "red fox")).await, Ok(PutOutcome::CodeTaken));
    assert_eq!(directory.by_code("red fox").await, Ok(Some(open(1, "red fox"))));
    assert_eq!(directory.put(open(1, "blue cat")).await, Ok(PutOutcome::Done));
    assert_eq!(directory.put(open(2, "red fox")).await, Ok(PutOutcome::Done));
    assert_eq!(directory.by_code("red fox").await, Ok(Some(open(2, "red fox"))));
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
