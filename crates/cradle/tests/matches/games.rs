//! What `cradle games` prints.

use expect_test::expect;
use serde_json::Value;

use crate::command::printed;

#[test]
fn the_games_are_listed_with_their_summaries() {
    let out = printed(&["games"]);
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    expect![[r#"
        tic-tac-toe     Three in a row on three by three.
        misere          Tic-tac-toe in which three in a row lose. Parameters:
                        misere:columns,rows,length.
        wild            Tic-tac-toe in which both players write X or O as they like.
                        Parameters: wild:columns,rows,length.
        notakto         Tic-tac-toe in which both players write X, and three in a row
                        lose. Parameters: notakto:columns,rows,length.
        mnk             Several in a row on a board of any size; mnk:15,15,5 is Gomoku.
                        Parameters: mnk:columns,rows,length.
        connect-four    Four in a row; pieces fall to the bottom of their column.
        ultimate        Nine boards of tic-tac-toe; your square says where the other one
                        plays next.
        pig             Roll a die as often as you dare; a 1 loses what the turn has
                        brought. Parameters: pig:target,options. Options: hold-at-0 (a
                        seat may hold before it has rolled), hold-at-target (a seat that
                        has rolled enough to win must hold), difference (the result is
                        the difference of the scores), ludorum (hold-at-target and
                        difference, as in Ludorum).
        odds-and-evens  Both show one finger or two at once; the sum decides.
        kuhn-poker      Poker with three cards: one for each, and one nobody sees.
    "#]]
    .assert_eq(&out);
}

#[test]
fn json_has_more_details() {
    let games: Value = serde_json::from_str(&printed(&["games", "--json"])).unwrap();
    let games = games.as_array().unwrap();
    assert_eq!(games.len(), 10);
    assert_eq!(games[0]["name"], "tic-tac-toe");
    assert_eq!(games[0]["seats"], serde_json::json!(["X", "O"]));
    assert_eq!(games[0]["strategies"], serde_json::json!(["X", "O"]));
    assert_eq!(games[1]["strategies"], serde_json::json!([]));
    assert_eq!(games[9]["hides"], true);
}
