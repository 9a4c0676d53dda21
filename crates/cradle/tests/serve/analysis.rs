//! What a position is worth: the page, the server and the command agree.

use game::{AnalysisBudget, PositionAnalysis};
use serde_json::{Value, json};
use web::searching::{
    SearchAnswer, SearchMessage, SearchReply, SearchRequest, SearchedGame, Searcher,
};

use crate::process::{Process, cradle};
use crate::two_players::{get, give_up, play, table};

/// Analyses of these positions are small enough for a test: about the page's own budget.
const BUDGET: AnalysisBudget = AnalysisBudget { positions: 20_000_000, simulations: 10_000 };

/// A position, by the plies that lead to it. What chance draws is one of them, after a `~`.
struct Case<'a> {
    game: &'a str,
    plies: Vec<String>,
    /// How its value is found.
    method: &'a str,
}

fn case<'a>(game: &'a str, plies: &str, method: &'a str) -> Case<'a> {
    Case { game, plies: plies.split_whitespace().map(str::to_owned).collect(), method }
}

impl Case<'_> {
    fn plies_without_marks(&self) -> Vec<&str> {
        self.plies.iter().map(|ply| ply.trim_start_matches('~')).collect()
    }

    /// What the worker of the page answers to the message that the page sends.
    fn by_the_worker(&self) -> PositionAnalysis {
        let AnalysisBudget { positions, simulations } = BUDGET;
        let (name, plies) = (self.game.to_owned(), self.plies.join("."));
        let game = SearchedGame { name, plies, positions, simulations };
        let ply = u32::try_from(self.plies.len()).expect("the game is short");
        let message = SearchMessage { id: 7, request: SearchRequest::Analysis { game, ply } };
        let reply = Searcher::default().answer(&message.write()).expect("the worker reads it");
        let reply = SearchReply::read(&reply).expect("the page reads it");
        assert_eq!(reply.id, 7);
        match reply.answer {
            SearchAnswer::Analysis(Some(found)) => found.position,
            other => unreachable!("{}: {other:?}", self.game),
        }
    }

    /// What the command prints, with these options.
    fn by_the_command(&self, options: &[&str]) -> String {
        let positions = BUDGET.positions.to_string();
        let limits = ["--positions", &positions];
        let plies = self.plies_without_marks();
        cradle(&[&["analyze", self.game], &plies[..], &limits, options].concat())
    }

    /// Checks that the worker says what the command says; returns what it is, as the server puts it.
    fn check(&self) -> Value {
        let found = self.by_the_worker();
        assert_eq!(found.method, self.method, "{}", self.game);
        let printed = self.by_the_command(&["--json"]);
        let mut expected: Value = serde_json::from_str(&printed).expect("it is JSON");
        let fields = expected.as_object_mut().expect("it is an object");
        assert_eq!(fields.remove("game"), Some(json!(self.game)));
        let told = fields.clone();
        let seat = fields.remove("seat").expect("a seat is to move");
        fields.remove("position").expect("it tells the position");
        // Both are read from text, because the last digit of a number may differ otherwise.
        let written = serde_json::to_string(&found).expect("it is JSON");
        let answered: Value = serde_json::from_str(&written).expect("it is JSON");
        assert_eq!(answered, expected, "{}", self.game);
        self.check_words(&found, seat.as_str().expect("it has a name"));
        Value::Object(told)
    }

    /// Checks that the command words the values as the page does.
    fn check_words(&self, found: &PositionAnalysis, seat: &str) {
        let printed = self.by_the_command(&[]);
        let head = format!("{seat} to move: {} (", found.value);
        assert!(printed.contains(&head), "{head}\n{printed}");
        for each in &found.moves {
            let words = format!("{} {}", each.chosen, each.value);
            let is_it = |line: &str| {
                line.split_whitespace().collect::<Vec<_>>().join(" ").starts_with(&words)
            };
            assert!(printed.lines().any(is_it), "{words}\n{printed}");
        }
    }
}

fn server() -> Process {
    let limits = ["--limit", "analyses_at_once=50", "--limit", "work_at_once=600000"];
    Process::start_with(&[&["--journal", "memory"], &limits[..]].concat())
}

/// Two people play these moves. Returns the table.
fn played(server: &Process, case: &Case<'_>) -> String {
    let id = table(server, case.game);
    for (ply, chosen) in case.plies.iter().enumerate() {
        let answer = play(server, &id, ply, chosen);
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    id
}

/// One of them gives up, because only rounds that are over are analyzed.
fn end(server: &Process, case: &Case<'_>, id: &str) {
    let answer = give_up(server, id, case.plies.len());
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

fn check_server(server: &Process, case: &Case<'_>, id: &str) {
    let mut expected = case.check();
    expected["round"] = json!(1);
    expected["ply"] = json!(case.plies.len());
    let path = format!("/api/tables/{id}/analysis?round=1&ply={}", case.plies.len());
    assert_eq!(get(server, &path), expected, "{}", case.game);
}

#[test]
fn the_worker_the_server_and_the_command_say_the_same() {
    let server = server();
    for case in [
        case("tic-tac-toe", "a1 b1", "every position"),
        case("misere", "b2 a1 c3", "every position"),
        case("wild", "Xb2 Oa1", "every position"),
        case("connect-four", "d d c c b", "connect-four solver"),
        case("mnk:6,5,4", "c3 c2", "k in a row solver"),
        case("mnk:7,6,5", "d3 d4", "mcts:10000"),
        case("ultimate", "", "mcts:10000"),
    ] {
        let id = played(&server, &case);
        end(&server, &case, &id);
        check_server(&server, &case, &id);
    }
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn the_worker_the_server_and_the_command_say_the_same_after_a_roll() {
    let server = server();
    let mut case = case("pig:20", "roll", "value iteration");
    let id = played(&server, &case);
    let log = get(&server, &format!("/api/tables/{id}/log"));
    let entries = log["entries"].as_array().expect("it is a list");
    let drawn = entries.iter().find(|entry| entry["kind"] == "chance").expect("the die was rolled");
    case.plies.push(format!("~{}", drawn["drawn"].as_str().expect("it is a text")));
    end(&server, &case, &id);
    check_server(&server, &case, &id);
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn the_worker_and_the_command_say_the_same_of_hidden_cards() {
    let found = case("kuhn-poker", "~KQ", "cfr:2000").check();
    assert!(found["moves"][0]["probability"].is_number(), "{found}");
}
