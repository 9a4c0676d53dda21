//! The page's table of crates, and what it says against the drawing and the workspace.

use std::collections::BTreeSet;

use xtask::{DETERMINISTIC, Package};

use crate::drawing::Arrow;

/// What the table says of one crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    name: String,
    planned: bool,
    may_depend_on: Vec<String>,
    deterministic: bool,
}

/// The rows of the table whose first column is `crate`.
///
/// # Panics
/// If a row has not the five columns crate, holds, may depend on, deterministic, never.
pub(crate) fn rows(page: &str) -> Vec<Row> {
    let table = page.lines().skip_while(|line| !line.starts_with("| crate |"));
    table.skip(2).take_while(|line| line.starts_with('|')).map(row).collect()
}

fn row(line: &str) -> Row {
    let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
    let cells: [&str; 5] = cells.try_into().expect("the table has five columns");
    let [name, _, may_depend_on, deterministic, _] = cells;
    Row {
        name: names(name).concat(),
        planned: name.ends_with("(planned)"),
        may_depend_on: names(may_depend_on),
        deterministic: deterministic == "yes",
    }
}

fn names(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn find<'a>(rows: &'a [Row], name: &str) -> Option<&'a Row> {
    rows.iter().find(|row| row.name == name)
}

/// A complaint for each crate that only the table or only the workspace has.
pub(crate) fn membership(rows: &[Row], packages: &[Package]) -> Vec<String> {
    let exists = |name: &str| packages.iter().any(|package| package.name == name);
    let unlisted = packages.iter().filter(|package| find(rows, &package.name).is_none());
    let unlisted = unlisted.map(|package| format!("`{}` is not in the table", package.name));
    let early = rows.iter().filter(|row| row.planned && exists(&row.name));
    let early = early.map(|row| format!("`{}` exists and is still marked as planned", row.name));
    let gone = rows.iter().filter(|row| !row.planned && !exists(&row.name));
    let gone =
        gone.map(|row| format!("`{}` does not exist and is not marked as planned", row.name));
    unlisted.chain(early).chain(gone).collect()
}

/// A complaint for each arrow that only the drawing or only the table has.
pub(crate) fn disagreements(rows: &[Row], drawn: &BTreeSet<Arrow>) -> Vec<String> {
    let arrows = |row: &Row| {
        let arrow = |target: &String| (row.name.clone(), target.clone());
        row.may_depend_on.iter().map(arrow).collect::<Vec<_>>()
    };
    let listed: BTreeSet<Arrow> = rows.iter().flat_map(arrows).collect();
    let undrawn = listed.difference(drawn);
    let undrawn = undrawn.map(|(from, to)| format!("{from} -> {to} is in the table but not drawn"));
    let unlisted = drawn.difference(&listed);
    let unlisted =
        unlisted.map(|(from, to)| format!("{from} -> {to} is drawn but not in the table"));
    undrawn.chain(unlisted).collect()
}

/// A complaint for each dependency between crates of the table to which no arrows lead.
pub(crate) fn forbidden_dependencies(rows: &[Row], packages: &[Package]) -> Vec<String> {
    let forbidden = |package: &Package| {
        let allowed = reachable(rows, &package.name);
        let ours = package.dependencies.iter().filter(|name| find(rows, name).is_some());
        let wrong = ours.filter(|name| !allowed.contains(name.as_str()));
        wrong
            .map(|name| format!("`{}` may not depend on `{name}`", package.name))
            .collect::<Vec<_>>()
    };
    packages.iter().flat_map(forbidden).collect()
}

/// The crates to which arrows lead from `start`, directly or through others.
fn reachable<'a>(rows: &'a [Row], start: &'a str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut frontier = vec![start];
    while let Some(row) = frontier.pop().and_then(|name| find(rows, name)) {
        let new = row.may_depend_on.iter().map(String::as_str);
        frontier.extend(new.filter(|name| reached.insert(*name)));
    }
    reached
}

/// A complaint for each crate on whose determinism table, mark and list of names are not of one mind.
pub(crate) fn wrong_marks(rows: &[Row], packages: &[Package]) -> Vec<String> {
    let listed = |row: &Row| DETERMINISTIC.contains(&row.name.as_str());
    let unlisted = rows.iter().filter(|row| row.deterministic != listed(row));
    let unlisted =
        unlisted.map(|row| format!("`{}`: the table and the list in xtask differ", row.name));
    let says = |package: &Package| find(rows, &package.name).is_some_and(|row| row.deterministic);
    let unmarked = packages.iter().filter(|package| package.deterministic != says(package));
    let unmarked =
        unmarked.map(|package| format!("`{}`: the table and the mark differ", package.name));
    unlisted.chain(unmarked).collect()
}

const TABLE: &str = "\
| crate | holds | may depend on | deterministic | never |
|---|---|---|---|---|
| `bthread` | the engine | nothing | yes | knows games |
| `game` | games | `bthread` | yes | `games` |
| `table` (planned) | logs | `game` | yes | names a game |
| `server` | sockets | `table` | no | holds a rule |

| what | where |
|---|---|
";

fn package(name: &str, dependencies: &[&str]) -> Package {
    Package {
        name: name.to_owned(),
        folder: std::path::PathBuf::new(),
        deterministic: DETERMINISTIC.contains(&name),
        dependencies: dependencies.iter().map(|&name| name.to_owned()).collect(),
    }
}

fn packages() -> Vec<Package> {
    let server = package("server", &["table", "game", "bthread", "axum"]);
    vec![package("bthread", &["rustc-hash"]), package("game", &["bthread"]), server]
}

fn arrow(from: &str, to: &str) -> Arrow {
    (from.to_owned(), to.to_owned())
}

#[test]
fn a_row_has_a_name_a_state_arrows_and_a_mark() {
    let table = Row {
        name: "table".to_owned(),
        planned: true,
        may_depend_on: vec!["game".to_owned()],
        deterministic: true,
    };
    assert_eq!(rows(TABLE).len(), 4);
    assert_eq!(rows(TABLE)[2], table);
}

#[test]
fn a_table_of_all_crates_is_accepted() {
    assert!(membership(&rows(TABLE), &packages()).is_empty());
}

#[test]
fn a_crate_that_the_table_lacks_is_refused() {
    let packages = [packages(), vec![package("web", &[])]].concat();
    assert_eq!(membership(&rows(TABLE), &packages), ["`web` is not in the table"]);
}

#[test]
fn a_crate_that_is_no_longer_planned_is_refused() {
    let packages = [packages(), vec![package("table", &[])]].concat();
    let complaints = membership(&rows(TABLE), &packages);
    assert_eq!(complaints, ["`table` exists and is still marked as planned"]);
}

#[test]
fn a_crate_that_neither_exists_nor_is_planned_is_refused() {
    let complaints = membership(&rows(TABLE), &packages()[..2]);
    let expected = "`server` does not exist and is not marked as planned";
    assert_eq!(complaints, [expected]);
}

#[test]
fn a_drawing_with_the_arrows_of_the_table_is_accepted() {
    let drawn = [arrow("game", "bthread"), arrow("table", "game"), arrow("server", "table")];
    assert!(disagreements(&rows(TABLE), &BTreeSet::from(drawn)).is_empty());
}

#[test]
fn a_drawing_with_other_arrows_than_the_table_is_refused() {
    let drawn = [arrow("bthread", "game"), arrow("game", "bthread"), arrow("server", "table")];
    assert_eq!(
        disagreements(&rows(TABLE), &BTreeSet::from(drawn)),
        [
            "table -> game is in the table but not drawn",
            "bthread -> game is drawn but not in the table"
        ]
    );
}

#[test]
fn a_dependency_along_one_or_several_arrows_is_accepted() {
    assert!(forbidden_dependencies(&rows(TABLE), &packages()).is_empty());
}

#[test]
fn a_dependency_against_the_arrows_is_refused() {
    let packages = [package("bthread", &["game"]), package("game", &["server", "bthread"])];
    assert_eq!(
        forbidden_dependencies(&rows(TABLE), &packages),
        ["`bthread` may not depend on `game`", "`game` may not depend on `server`"]
    );
}

#[test]
fn marks_as_in_the_table_are_accepted() {
    assert!(wrong_marks(&rows(TABLE), &packages()).is_empty());
}

#[test]
fn a_mark_that_is_missing_or_too_much_is_refused() {
    let unmarked = Package { deterministic: false, ..package("game", &[]) };
    let marked = Package { deterministic: true, ..package("server", &[]) };
    assert_eq!(
        wrong_marks(&rows(TABLE), &[unmarked, marked]),
        ["`game`: the table and the mark differ", "`server`: the table and the mark differ"]
    );
}

#[test]
fn a_table_that_differs_from_the_list_in_xtask_is_refused() {
    let table = TABLE.replace("| sockets | `table` | no |", "| sockets | `table` | yes |");
    let complaints = wrong_marks(&rows(&table), &[]);
    assert_eq!(complaints, ["`server`: the table and the list in xtask differ"]);
}
