//! Creating, listing and viewing tables.

use serde_json::{Value, json};

use crate::test_server::{TestServer, text};

#[tokio::test]
async fn a_table_is_created_and_its_creator_may_take_a_seat_at_once() {
    let server = TestServer::usual().await;
    let bare = server.create(&json!({"game": "tic-tac-toe"})).await;
    assert_eq!((&bare["seat"], &bare["token"]), (&Value::Null, &Value::Null));
    assert_eq!(text(&bare["path"]), format!("/t/{}", text(&bare["id"])));
    let named = server.create(&json!({"game": "tic-tac-toe", "name": "Ada", "seat": 1})).await;
    assert_eq!(named["seat"], 1);
    let path = format!("/api/tables/{}", text(&named["id"]));
    let seen = server.get(&path).bearer(&text(&named["token"])).send().await.of(200);
    assert_eq!(seen["seat"], 1);
    assert_eq!(server.metric("created_tables_total").await, 2);
}

#[tokio::test]
async fn only_public_tables_with_a_free_seat_are_listed() {
    let server = TestServer::usual().await;
    server.create(&json!({"game": "tic-tac-toe", "name": "Ada"})).await;
    let listed = json!({"game": "connect-four", "name": "Bob", "listed": true});
    let listed = server.create(&listed).await;
    let open = server.get("/api/tables").send().await.of(200);
    let tables = open["tables"].as_array().unwrap();
    assert_eq!(tables.len(), 1, "{open}");
    assert_eq!((&tables[0]["id"], &tables[0]["code"]), (&listed["id"], &Value::Null));
    assert_eq!((&tables[0]["game"], &tables[0]["free_seats"]), (&json!("connect-four"), &json!(1)));
    let playing = async || server.get("/api/tables?status=playing").send().await.of(200);
    assert_eq!(playing().await["tables"], json!([]), "no game is in progress");
    server.join(&text(&listed["id"]), &json!({"name": "Eve"})).await.of(200);
    crate::test_server::eventually("the table is no longer listed", async || {
        server.get("/api/tables").send().await.of(200)["tables"] == json!([])
    })
    .await;
    crate::test_server::eventually("it can be watched", async || {
        playing().await["tables"][0]["id"] == listed["id"]
    })
    .await;
    assert_eq!(playing().await["tables"].as_array().unwrap().len(), 1, "Ada's table is private");
    let answer = server.get("/api/tables?status=lost").send().await;
    assert_eq!(answer.problem(400), "bad_request");
}

#[tokio::test]
async fn an_impossible_table_is_refused_with_a_reason() {
    let server = TestServer::usual().await;
    for (wanted, word) in [
        (json!({"game": "chess"}), "chess"),
        (json!({"game": "mnk"}), "needs parameters"),
        (json!({"game": "tic-tac-toe", "computers": [null, null, "random"]}), "2 seats"),
        (json!({"game": "tic-tac-toe", "computers": ["hal"]}), "hal"),
        (json!({"game": "pig", "computers": [null, "bthreads"]}), "bthreads"),
        (json!({"game": "pig", "clock": {"per_move": 10}}), "a second"),
        (json!({"game": "pig", "clock": {"per_side": 700_000_000}}), "a week"),
    ] {
        let answer = server.post("/api/tables", &wanted).send().await;
        assert_eq!(answer.problem(400), "bad_request", "{wanted}");
        assert!(answer.text.contains(word), "{wanted}: {}", answer.text);
    }
    for (clock, word) in [
        (json!({"per_move": 60_000, "per_side": 60_000}), "either per_move or per_side, not both"),
        (json!({}), "Send per_move or per_side"),
        (json!({"per_round": 60_000}), "The fields are per_move or per_side"),
    ] {
        let answer =
            server.post("/api/tables", &json!({"game": "pig", "clock": clock})).send().await;
        assert_eq!(answer.problem(422), "bad_request", "{clock}");
        assert!(answer.text.contains(word), "{clock}: {}", answer.text);
    }
    let named = json!({"game": "pig", "name": " "});
    let answer = server.post("/api/tables", &named).send().await;
    assert_eq!(answer.problem(422), "bad_request", "a name cannot be empty");
    let answer = server.get("/api/tables").send().await.of(200);
    assert_eq!(answer["tables"], json!([]));
}

#[tokio::test]
async fn a_table_is_not_created_if_its_creator_cannot_take_a_seat() {
    let server = TestServer::usual().await;
    let computers = json!(["random", "random"]);
    for (wanted, status, code) in [
        (json!({"game": "tic-tac-toe", "name": "Ada", "seat": 2}), 400, "no_such_seat"),
        (
            json!({"game": "tic-tac-toe", "name": "Ada", "seat": 0, "computers": ["random"]}),
            409,
            "seat_taken",
        ),
        (json!({"game": "tic-tac-toe", "name": "Ada", "computers": computers}), 409, "table_full"),
    ] {
        let answer = server.post("/api/tables", &wanted).send().await;
        assert_eq!(answer.problem(status), code, "{wanted}");
    }
    assert_eq!(server.metric("created_tables_total").await, 0);
    let wanted = json!({"game": "tic-tac-toe", "name": "Ada", "computers": ["random"]});
    assert_eq!(server.create(&wanted).await["seat"], 1);
}

#[tokio::test]
async fn a_body_that_is_not_json_is_refused() {
    let server = TestServer::usual().await;
    let ask = || server.post("/api/tables", &json!({}));
    assert_eq!(ask().send().await.problem(422), "bad_request", "the game is missing");
    assert_eq!(ask().body("{").send().await.problem(400), "bad_request");
    let bare = crate::http::TestRequest::new(server.address, "POST", "/api/tables").body("{}");
    assert_eq!(bare.send().await.problem(415), "bad_request", "the content type is missing");
}

#[tokio::test]
async fn the_options_of_a_table_are_in_its_log() {
    let server = TestServer::usual().await;
    let (clock, computers) = (json!({"per_move": 30_000}), json!([null, "bthreads"]));
    let wanted = json!({
        "game": "tic-tac-toe", "alternate": false, "clock": clock, "computers": computers});
    let created = server.create(&wanted).await;
    let log = server.log(&text(&created["id"])).await;
    assert_eq!((&log[0]["kind"], &log[0]["game"]), (&json!("created"), &json!("tic-tac-toe")));
    assert_eq!(log[0]["options"], json!({"clock": clock, "computers": computers}));
    let alternate = server.create(&json!({"game": "pig", "alternate": true})).await;
    let log = server.log(&text(&alternate["id"])).await;
    assert_eq!(log[0]["options"], json!({"alternate": true}));
}

#[tokio::test]
async fn a_table_is_shown_as_the_viewer_may_see_it() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let path = format!("/api/tables/{}", table.id);
    let spectator = server.get(&path).send().await.of(200);
    assert_eq!((&spectator["seat"], &spectator["version"]), (&Value::Null, &json!(3)));
    assert_eq!(spectator["view"]["legal_moves"], json!([]), "a spectator may not move");
    let player = server.get(&path).bearer(&table.tokens[0]).send().await.of(200);
    assert_eq!(player["seat"], 0);
    assert_eq!(player["view"]["legal_moves"].as_array().unwrap().len(), 9);
    for text in [&spectator, &player].map(Value::to_string) {
        assert!(!text.contains("\"token\""), "no viewer gets a token: {text}");
    }
    let nobodys = "00".repeat(16);
    assert_eq!(server.get(&path).bearer(&nobodys).send().await.problem(401), "bad_token");
    assert_eq!(server.get(&path).bearer("moon").send().await.problem(401), "bad_token");
    for scheme in ["bearer", "BEARER", "Bearer "] {
        let header = format!("{scheme} {}", table.tokens[0]);
        let seen = server.get(&path).header("authorization", &header).send().await.of(200);
        assert_eq!(seen["seat"], 0, "{scheme}");
    }
    let basic = server.get(&path).header("authorization", "Basic QTpC").send().await;
    assert_eq!(basic.problem(401), "bad_token");
}

#[tokio::test]
async fn an_unknown_table_is_not_found() {
    let server = TestServer::usual().await;
    for id in ["AAAAAAAAAAAAAAAAAAAAAA", "moon"] {
        for rest in ["", "/log", "/stream"] {
            let answer = server.get(&format!("/api/tables/{id}{rest}")).send().await;
            assert_eq!(answer.problem(404), "no_table", "{id}{rest}");
        }
        assert_eq!(server.join(id, &json!({"name": "Ada"})).await.problem(404), "no_table");
        let path = format!("/api/tables/{id}/actions");
        let answer = server.post(&path, &server.move_at(0, "a1")).send().await;
        assert_eq!(answer.problem(404), "no_table");
    }
    server.until_metric("live_tables", 0).await;
}

#[tokio::test]
async fn the_games_are_listed_with_the_computers_that_can_play_them() {
    let server = TestServer::usual().await;
    let games = server.get("/api/games").send().await.of(200);
    let games = games["games"].as_array().unwrap();
    assert_eq!(games.len(), games::catalog::CATALOG.len());
    let found = |name: &str| games.iter().find(|game| game["name"] == name).unwrap();
    assert_eq!(found("tic-tac-toe")["seats"], json!(["X", "O"]));
    let all = json!(["random", "bthreads", "perfect", "easy", "fair", "hard"]);
    assert_eq!(found("tic-tac-toe")["computers"][1], all);
    let solved = json!(["random", "perfect", "easy", "fair", "hard"]);
    assert_eq!(found("misere")["computers"][0], solved);
    assert_eq!(found("pig")["computers"][1], solved);
    let hidden = json!(["random", "easy", "hard"]);
    assert_eq!(found("kuhn-poker")["computers"][1], hidden, "nobody sees the other's card");
    for game in games {
        let computers = game["computers"].as_array().unwrap();
        assert_eq!(computers.len(), game["seats"].as_array().unwrap().len());
        for (seat, names) in computers.iter().enumerate() {
            for name in names.as_array().unwrap() {
                let mut computers = vec![Value::Null; seat];
                computers.push(name.clone());
                server.create(&json!({"game": game["name"], "computers": computers})).await;
            }
        }
    }
}
