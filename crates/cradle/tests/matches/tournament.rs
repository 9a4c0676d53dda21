//! What `cradle tournament` answers.

use expect_test::{Expect, expect};

use crate::command::{complaint, printed};

fn check(arguments: &[&str], expected: &Expect) {
    let all = [&["tournament"], arguments].concat();
    expected.assert_eq(&printed(&all));
}

#[test]
fn players_are_ranked_with_intervals_and_ratings() {
    check(
        &["tic-tac-toe", "random", "bthreads", "mcts:20", "--games", "20", "--seed", "7"],
        &expect![[r#"
            tic-tac-toe, round-robin, 20 games for each pairing, seed 7

            player    games  wins  draws  losses   score            95 %   Elo  plies
            bthreads     40    25     15       0  81.2 %  66.6 to 90.4 %  +191    7.2
            mcts:20      40    16     17       7  61.3 %  45.8 to 74.7 %   +68    7.5
            random       40     2      2      36   7.5 %   2.6 to 19.9 %  -296    6.2
        "#]],
    );
}

#[test]
fn the_same_seed_leads_to_the_same_tournament_on_any_number_of_cores() {
    let play = |cores: &str, seed: &str| {
        let players = ["pig:20", "random", "perfect", "mcts:10"];
        let options = ["--games", "12", "--seed", seed, "--cores", cores, "--format", "json"];
        let all = [&["tournament"], &players[..], &options[..]].concat();
        printed(&all)
    };
    assert_eq!(play("1", "7"), play("3", "7"));
    assert_ne!(play("1", "7"), play("1", "8"));
}

#[test]
fn csv_has_a_line_for_each_player() {
    let kind = ["--kind", "measurement", "--games", "4", "--seed", "1", "--format", "csv"];
    let all: Vec<&str> =
        ["tournament", "kuhn-poker", "cfr:50", "random", "easy"].into_iter().chain(kind).collect();
    let out = printed(&all);
    let lines: Vec<Vec<&str>> = out.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 4, "{out}");
    assert!(lines.iter().all(|line| line.len() == 15), "{out}");
    assert!(lines[1..].iter().all(|line| line[14] == "false"), "{out}");
    let games = |name: &str| lines.iter().find(|line| line[0] == name).map(|line| line[1]);
    assert_eq!(
        (games("cfr:50"), games("random"), games("easy")),
        (Some("8"), Some("4"), Some("4"))
    );
}

#[test]
fn where_players_play_for_chips_those_decide() {
    // An equilibrium folds bad cards: it wins fewer games than random moves, and more chips.
    let players = ["tournament", "kuhn-poker", "random", "hard", "--seed", "7"];
    let out = printed(&[&players[..], &["--games", "2000"]].concat());
    let rows: Vec<Vec<&str>> =
        out.lines().skip(2).map(|row| row.split_whitespace().collect()).collect();
    assert_eq!(
        rows[0],
        ["player", "games", "wins", "draws", "losses", "chips", "95", "%", "plies"]
    );
    assert_eq!((rows[1][0], rows[2][0]), ("hard", "random"), "{out}");
    let number = |text: &str| text.replace(',', "").parse::<f64>().expect("a number");
    assert!(number(rows[1][2]) < number(rows[2][2]), "{out}");
    assert!(number(rows[1][6]) > 0.0, "the interval is above nothing: {out}");
    let knockout = printed(&[&players[..], &["--games", "2000", "--kind", "elimination"]].concat());
    assert!(knockout.ends_with("\nwinner: hard\n"), "{knockout}");
}

#[test]
fn each_level_of_a_game_as_text_is_stronger_than_the_one_below() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/");
    for (file, games) in [("nim.cradle", "200"), ("connect.cradle", "10")] {
        let file = format!("{folder}{file}");
        for (level, below) in [("fair", "easy"), ("hard", "fair")] {
            let options = ["--games", games, "--seed", "7", "--format", "csv"];
            let out = printed(&[&["tournament", &file, level, below], &options[..]].concat());
            let row = out.lines().find(|line| line.starts_with(level)).expect("it played");
            let score: f64 = row.split(',').nth(5).expect("a score").parse().expect("a number");
            assert!(score >= 0.6, "{level} against {below}:\n{out}");
        }
    }
}

#[test]
fn a_player_that_is_named_twice_is_drawn_with_both_of_its_results() {
    let players = ["tournament", "tic-tac-toe", "mcts:1", "mcts:50", "mcts:1"];
    let play = |format: &str| {
        printed(&[&players[..], &["--games", "20", "--seed", "7", "--format", format]].concat())
    };
    let svg = play("svg");
    let heights: Vec<&str> =
        svg.split("cy=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(heights.len(), 3, "{svg}");
    assert_ne!(heights[0], heights[2], "{svg}");
    let score = |line: &str| -> f64 {
        line.split(',').nth(5).unwrap_or_default().parse().expect("it is a score")
    };
    let drawn = |score: f64| format!("{:.1}", 40.0 + 240.0 * (1.0 - score));
    let table = play("csv");
    let rows = table.lines().filter(|line| line.starts_with("mcts:1,"));
    let mut expected: Vec<String> = rows.map(score).map(drawn).collect();
    expected.sort_unstable();
    let mut found = vec![heights[0].to_owned(), heights[2].to_owned()];
    found.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn an_elimination_has_a_winner() {
    let kind = ["--kind", "elimination", "--games", "10", "--seed", "3"];
    let all: Vec<&str> = ["tournament", "tic-tac-toe", "random", "random", "perfect"]
        .into_iter()
        .chain(kind)
        .collect();
    let out = printed(&all);
    assert!(out.ends_with("\nwinner: perfect\n"), "{out}");
}

#[test]
fn a_player_whose_script_ends_forfeits_and_the_tournament_goes_on() {
    let all = ["tournament", "tic-tac-toe", "random", "scripted:", "--games", "4", "--seed", "1"];
    let out = printed(&all);
    let words = "scripted: forfeited 4: the script has no more moves after 0\n";
    assert!(out.ends_with(words), "{out}");
}

#[test]
fn what_makes_no_sense_is_refused_in_one_sentence() {
    let refused = |arguments: &[&str]| {
        let all = [&["tournament"], arguments].concat();
        let (code, words) = complaint(&all);
        assert_eq!(code, 2);
        words
    };
    assert_eq!(
        refused(&["tic-tac-toe", "random"]),
        "the game has 2 seats: name at least 2 players"
    );
    assert_eq!(
        refused(&["pig", "random", "alphabeta:3"]),
        "alphabeta:3 cannot play A in pig: chance decides there"
    );
    assert_eq!(
        refused(&["pig", "random", "mcts:0"]),
        "\"mcts:0\" is no player: write mcts: and a number from 1 to 1000000, as in mcts:1000"
    );
    assert_eq!(refused(&["pig", "random", "human"]), "people play with `cradle play pig`");
}
