//! `cradle verify` on files.

use expect_test::expect;

use crate::{CROSSING, DINING, NIM, Texts, check, steady};

#[test]
fn a_table_says_what_goes_wrong_without_each_b_thread() {
    let texts = Texts::with("crossing.cradle", CROSSING);
    check(
        &texts,
        &["verify", "crossing.cradle", "--each"],
        &expect![[r#"
        0
        crossing: A level crossing

        without             states  what goes wrong
        (nothing)                7  nothing
        Train                    2  NoCrash holds only because nothing here can request
                                    enter or leave
        Cars                     5  NoCrash holds only because nothing here can request
                                    car_in or car_out
        Barrier                  4  TrainsPass: Train can stay at its `must` for ever
        NoCarWhileLowered       29  NoCrash: a car meets a train after 4 events
        NoTrainWhileRaised      35  NoCrash: a car meets a train after 3 events
                                    NobodyIsStuck: every requested event is blocked
                                    after 4 events
        Signal                  25  NoCrash: a car meets a train after 8 events
                                    TrainsPass: Train can stay at its `must` for ever
        WaitForCars             18  NoCrash: a train meets a car after 4 events
    "#]],
    );
}

const PIG: &str = "\
game flip \"Whoever throws heads first wins\"
seats a, b
event throw(seat)  move of seat
event heads
event tails
event win(seat)    win of seat

rule EndOfGame \"The game is over\" game_over
  wait for win
  block any

rule Turns \"It is not your turn\" not_your_turn
  forever
    wait for throw(a), block throw(b)
    wait for tails, block throw
    wait for throw(b), block throw(a)
    wait for tails, block throw

chance Coin
  forever
    wait for throw
    request heads, tails

rule Win(seat)
  forever
    wait for throw(seat)
    either
      wait for heads
      request win(seat), block throw
      block any
    or
      wait for tails

require FirstIsBetter: probability of win(a) == 2/3
require Throws: expected number of throw until win == 2
";

#[test]
fn a_game_of_chance_has_a_probability() {
    let texts = Texts::with("flip.cradle", PIG);
    let (code, out, err) = texts.run(&["verify", "flip.cradle"], "");
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("FirstIsBetter: holds: the probability of win(a) is 2/3\n"), "{out}");
    assert!(out.contains("until win(a) or win(b) is 2\n"), "{out}");
    let text = PIG.replace("2/3", "1/2");
    let texts = Texts::with("flip.cradle", &text);
    let (code, out, _) = texts.run(&["verify", "flip.cradle"], "");
    assert_eq!(code, Some(1));
    assert!(out.contains("FirstIsBetter: violated: the probability of win(a) is 2/3\n"), "{out}");
    assert!(out.contains("A run by choices that break FirstIsBetter:\n"), "{out}");
}

#[test]
fn the_seats_of_a_file_play_as_the_command_line_says() {
    let text = include_str!("../../../../games/tic-tac-toe.cradle");
    let texts = Texts::with("ttt.cradle", text);
    let (code, out, _) = texts.run(&["verify", "ttt.cradle", "--seat", "O=any"], "");
    assert!(out.contains("XNeverWins: violated: win(X) happens"), "{out}");
    assert_eq!(code, Some(1));
    let (code, out, _) = texts.run(&["verify", "ttt.cradle", "--without", "DetectWin"], "");
    let expected = "holds, but only because nothing here can request win(X)";
    assert!(out.contains(expected), "{out}");
    assert_eq!(code, Some(0), "{out}");
    let (_, _, err) = texts.run(&["verify", "ttt.cradle", "--seat", "X=bthreads"], "");
    assert_eq!(err, "error: no strategies are written as b-threads for X\n");
}

#[test]
fn the_states_of_a_file_are_drawn() {
    let texts = Texts::with("crossing.cradle", CROSSING);
    let (code, out, err) = texts.run(&["verify", "crossing.cradle", "--dot", "-"], "");
    assert!(out.starts_with("digraph states {\n") && out.contains("label=\"approach\""), "{out}");
    assert!(err.contains("NoCrash: holds\n"), "{err}");
    assert_eq!(code, Some(0));
}

#[test]
fn a_game_that_requires_nothing_is_checked_as_every_game() {
    let nim = include_str!("../../../../games/nim.cradle");
    let (text, _) = nim.split_once("require ").expect("nim requires something");
    let texts = Texts::with("nim.cradle", text);
    let (code, out, err) = texts.run(&["verify", "nim.cradle"], "");
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("Every game ends with exactly one result: holds\n"), "{out}");
    assert!(out.contains("Nobody is stuck without a legal move: holds\n"));
    let (code, out, _) = texts.run(&["verify", "nim.cradle", "--without", "LastOneWins"], "");
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("exactly one result: violated: it ends without a result\n"), "{out}");
    // A game that requires something can be asked for it, too.
    let texts = Texts::with("nim.cradle", nim);
    let (_, out, _) = texts.run(&["verify", "nim.cradle"], "");
    assert!(!out.contains("exactly one result"), "{out}");
    let asked = ["verify", "nim.cradle", "--property", "ExactlyOneResult"];
    let (code, out, _) = texts.run(&asked, "");
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("Every game ends with exactly one result: holds\n"), "{out}");
}

#[test]
fn the_bound_of_a_search_is_exact() {
    let texts = Texts::with("nim.cradle", include_str!("../../../../games/nim.cradle"));
    for threads in ["1", "2"] {
        let arguments = ["verify", "nim.cradle", "--max-states", "99", "--threads", threads];
        let (code, out, _) = texts.run(&arguments, "");
        assert_eq!(code, Some(3), "{out}");
        assert!(out.contains("\n99 states, "), "{out}");
    }
}

/// Two crashes are possible in the same state, and one requirement counts before, the other after.
#[test]
fn states_are_counted_once_and_it_says_which() {
    let text = "\
program road \"Two roads cross\"
set side = left, right
event drive
event crash(side)
thread Car
  2 times: request drive
  request crash
require NoCrash: never crash
require NobodyCrashes
  wait for crash
  fail \"there is a crash\"
";
    let texts = Texts::with("road.cradle", text);
    let (code, out, _) = texts.run(&["verify", "road.cradle", "--all"], "");
    assert_eq!(code, Some(1));
    let before = "NoCrash: violated: crash(left) happens (possible in 1 state)\n";
    assert!(out.contains(before), "{out}");
    assert!(out.contains("NobodyCrashes: violated: there is a crash (in 1 state)\n"), "{out}");
}

/// What `cradle verify` finds, by property.
fn found(texts: &Texts, arguments: &[&str]) -> (Option<i32>, Vec<(String, String)>) {
    let arguments = [&["verify"], arguments, &["--json"]].concat();
    let (code, out, err) = texts.run(&arguments, "");
    assert_eq!(err, "", "{arguments:?}");
    let report: serde_json::Value = serde_json::from_str(&out).expect("the report is JSON");
    let properties = report["properties"].as_array().expect("it has properties");
    let text = |value: &serde_json::Value| value.as_str().expect("it is text").to_owned();
    let each = properties.iter().map(|each| (text(&each["name"]), text(&each["verdict"])));
    (code, each.collect())
}

/// The files in the folder `games` that have a proof, with what is true of each.
const PROVED: [(&str, &[&str]); 17] = [
    ("crossing", &["NoCrash", "TrainsPass", "NobodyIsStuck"]),
    ("fox-and-hounds", &["EveryGameEnds"]),
    ("hanoi", &["Solvable", "NeverStuck"]),
    ("hot-and-cold", &["Mixed"]),
    ("maze", &["ThereIsAWay"]),
    ("misere", &["EveryGameEnds"]),
    ("monty-hall", &["Switching", "ItEnds"]),
    ("nim", &["SomebodyWins"]),
    ("notakto", &["SomebodyLoses"]),
    ("pig", &["SomebodyCanWin"]),
    ("pig-hold:target=4", &["SomebodyCanWin"]),
    ("ruin", &["GetsRich", "ItEnds"]),
    ("tic-tac-toe", &["XNeverWins", "EveryGameEnds"]),
    ("tutorial", &["XCanWin", "OCanWin"]),
    ("vending", &["NothingForFree", "PromisesAreKept", "NobodyIsStuck"]),
    ("wild", &["EveryGameEnds"]),
    ("connect:columns=4,rows=3,length=3", &["EveryGameEnds"]),
];

/// Those that are too large to be proved in a test.
const CUT_SHORT: [&str; 4] = ["connect", "dots-and-boxes", "mnk:columns=5,rows=5", "ultimate"];

#[test]
fn every_file_of_the_repository_is_verified() {
    let texts = Texts::with("nim.cradle", NIM);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games");
    let path = |words: &str| {
        let (name, given) = words.split_once(':').unwrap_or((words, ""));
        let colon = if given.is_empty() { "" } else { ":" };
        format!("{folder}/{name}.cradle{colon}{given}")
    };
    for (words, names) in PROVED {
        let holds = names.iter().map(|name| ((*name).to_owned(), "holds".to_owned()));
        assert_eq!(found(&texts, &[&path(words)]), (Some(0), holds.collect()), "{words}");
    }
    let stuck = vec![("NobodyStarves".to_owned(), "violated".to_owned())];
    assert_eq!(found(&texts, &[&path("dining")]), (Some(1), stuck));
    for words in CUT_SHORT {
        let unknown = vec![("EveryGameEnds".to_owned(), "unknown".to_owned())];
        let arguments = [path(words), "--max-states".to_owned(), "2000".to_owned()];
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        assert_eq!(found(&texts, &arguments), (Some(3), unknown), "{words}");
    }
    let all = PROVED.iter().map(|(words, _)| *words).chain(CUT_SHORT).chain(["dining"]);
    let mut named: Vec<&str> = all.map(|words| words.split(':').next().unwrap()).collect();
    named.sort_unstable();
    named.dedup();
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name());
    let mut files: Vec<String> =
        files.map(|file| file.to_str().unwrap().trim_end_matches(".cradle").to_owned()).collect();
    files.sort_unstable();
    assert_eq!(named, files);
}

#[test]
fn built_in_texts_are_verified_like_files() {
    let texts = Texts::with("dining.cradle", DINING);
    for (file, built_in) in [
        (vec!["dining.cradle", "n=3"], vec!["dining", "n=3"]),
        (vec!["dining.cradle", "n=3"], vec!["dining:3"]),
        (vec!["dining.cradle:n=4"], vec!["dining:n=4"]),
    ] {
        let run = |arguments: &[&str]| {
            let (code, out, err) = texts.run(&[&["verify"], arguments].concat(), "");
            (code, steady(&out), err)
        };
        let expected = run(&file);
        assert_eq!((expected.0, expected.2.as_str()), (Some(1), ""));
        assert_eq!(run(&built_in), expected, "{built_in:?}");
    }
    // A game of the catalog whose parameters have names is verified as text.
    let small = ["mnk", "columns=3", "rows=2", "length=2"];
    let holds = vec![("EveryGameEnds".to_owned(), "holds".to_owned())];
    assert_eq!(found(&texts, &small), (Some(0), holds));
    for (wrong, sentence) in [
        (vec!["dinning"], "no game is called \"dinning\"; known, nearest first: dining, "),
        (vec!["kuhn-poker", "n=3"], "kuhn-poker has no parameters such as \"n=3\""),
        (vec!["dining", "m=3"], "no parameter is called `m`: there are n"),
    ] {
        let (code, out, err) = texts.run(&[&["verify"], &wrong[..]].concat(), "");
        assert!(err.contains(sentence), "{out}{err}");
        assert_eq!(code, Some(2), "{wrong:?}");
    }
}

#[test]
fn files_are_played_and_counted_with_parameters_as_words() {
    let texts = Texts::with("nim.cradle", NIM);
    let count = |arguments: &[&str]| {
        let (code, out, err) = texts.run(&[&["perft", "nim.cradle"], arguments].concat(), "");
        let line = out.lines().last().unwrap_or_default();
        let sequences = line.split_whitespace().nth(1).unwrap_or_default().to_owned();
        (code, sequences, err)
    };
    let (usual, more) = (count(&["1"]), count(&["1", "most=4"]));
    assert_eq!(usual, (Some(0), "9".to_owned(), String::new()));
    assert_eq!(more, (Some(0), "12".to_owned(), String::new()));
    let (code, out, err) = texts.run(&["play", "nim.cradle", "most=4", "--seed", "7"], "c-4\n");
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("cradle play 'nim.cradle:most=4' --seat first"), "{out}");
    for wrong in [["play", "tic-tac-toe", "n=3"], ["play", "nim.cradle", "four"]] {
        let (code, _, err) = texts.run(&wrong, "");
        assert_eq!(code, Some(2), "{err}");
    }
}
