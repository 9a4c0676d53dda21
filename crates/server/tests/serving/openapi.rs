//! The `OpenAPI` document, compared with what the server really answers.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::{Value, json};
use server::openapi_document;

use crate::http::{TestRequest, TestResponse};
use crate::own_rules::WalkingTexts;
use crate::schema::{FoundFields, Schemas};
use crate::test_server::{Setup, Table, TestServer, eventually, text};

/// The document, which is the same for all servers.
static SCHEMAS: LazyLock<Schemas> = LazyLock::new(|| Schemas::new(openapi_document()));

/// Checks a response against the document. All tests of this suite call it with all their responses.
#[track_caller]
pub(crate) fn check(method: &str, path: &str, response: &TestResponse) {
    let found = exchange(&SCHEMAS, method, path, "", response);
    assert!(found.is_ok(), "{method} {path}, {}: {found:?}\n{}", response.status, response.text);
}

/// Checks a line of a stream.
#[track_caller]
pub(crate) fn check_line(line: &Value) {
    let schema = &SCHEMAS.document["components"]["schemas"]["StreamLine"];
    SCHEMAS.check(schema, line, &mut FoundFields::new()).expect("the line is described");
}

/// Checks a request that was accepted, unless its body is empty, and its response; returns the described
/// fields that they have.
fn exchange(
    schemas: &Schemas,
    method: &str,
    path: &str,
    body: &str,
    response: &TestResponse,
) -> Result<FoundFields, String> {
    let mut found = FoundFields::new();
    let Some((template, operation)) = operation(schemas, method, path) else { return Ok(found) };
    found.insert(format!("{method} {template}"));
    let status = response.status.to_string();
    let class = format!("{}XX", response.status / 100);
    let responses = &operation["responses"];
    let described =
        responses.get(&status).or_else(|| responses.get(&class)).ok_or("the status is new")?;
    let described = schemas.resolved(described);
    for (name, header) in described["headers"].as_object().into_iter().flatten() {
        let value = serde_json::from_str(response.header(name)).unwrap_or(Value::Null);
        schemas.check(&header["schema"], &value, &mut found)?;
    }
    let kind = response.header("content-type").split(';').next().unwrap_or_default();
    let media = described["content"].get(kind).ok_or_else(|| format!("{kind} is new"))?;
    if kind.ends_with("json") {
        schemas.check(&media["schema"], &response.json(), &mut found)?;
    }
    let media = operation.pointer("/requestBody/content/application~1json");
    if let Some(media) = media.filter(|_| response.status < 300 && !body.is_empty()) {
        let body: Value = serde_json::from_str(body).map_err(|error| error.to_string())?;
        schemas.check(&media["schema"], &body, &mut found)?;
    }
    Ok(found)
}

/// The described operation of a request, and the template of its path.
fn operation<'a>(schemas: &'a Schemas, method: &str, path: &str) -> Option<(&'a str, &'a Value)> {
    let path = path.split('?').next()?;
    let fits = |template: &str| {
        let (parts, wanted) = (path.split('/'), template.split('/'));
        let is_same = |(part, wanted): (&str, &str)| wanted.starts_with('{') || part == wanted;
        parts.clone().count() == wanted.clone().count() && parts.zip(wanted).all(is_same)
    };
    let paths = schemas.document["paths"].as_object()?;
    let (template, methods) = paths.iter().find(|(template, _)| fits(template))?;
    Some((template, methods.get(method.to_lowercase())?))
}

/// A walk through the whole API, and everything that was found on it.
struct Walk {
    server: TestServer,
    exchanges: Vec<(TestRequestText, TestResponse)>,
    lines: Vec<Value>,
}

/// The method, the path and the body of a request.
type TestRequestText = (&'static str, String, String);

impl Walk {
    async fn send(&mut self, request: TestRequest) -> Value {
        let text = request.text();
        let response = request.send().await;
        let answer = serde_json::from_str(&response.text).unwrap_or(Value::Null);
        self.exchanges.push((text, response));
        answer
    }

    async fn get(&mut self, path: &str, token: &str) -> Value {
        self.send(self.server.get(path).bearer(token)).await
    }

    async fn post(&mut self, path: &str, body: &Value) -> Value {
        self.send(self.server.post(path, body)).await
    }

    /// Sends an action, without its id.
    async fn act(&mut self, table: &Table, seat: usize, mut action: Value) -> Value {
        action["id"] = json!(self.server.action_id());
        let path = format!("/api/tables/{}/actions", table.id);
        self.send(self.server.post(&path, &action).bearer(&table.tokens[seat])).await
    }

    /// A table with two players.
    async fn table(&mut self, mut wanted: Value) -> Table {
        wanted["name"] = json!("Ada");
        let created = self.post("/api/tables", &wanted).await;
        let id = text(&created["id"]);
        let renew = self.server.post(&format!("/api/tables/{id}/code"), &Value::Null);
        self.send(renew.bearer(&text(&created["token"]))).await;
        let bob = json!({"name": "Bob", "seat": 1, "token": "1f".repeat(16)});
        self.post(&format!("/api/tables/{id}/seats"), &bob).await;
        Table { id, tokens: [text(&created["token"]), "1f".repeat(16)] }
    }

    /// Looks at a table in all ways.
    async fn look(&mut self, table: &Table) {
        let path = format!("/api/tables/{}", table.id);
        for rest in ["", "/log"] {
            self.get(&format!("{path}{rest}"), &table.tokens[0]).await;
        }
        for query in ["", "?with=view"] {
            let request = self.server.get(&format!("{path}/stream{query}"));
            let line = request.bearer(&table.tokens[0]).lines().await.next().await;
            self.lines.push(line.expect("a line comes at once"));
        }
    }

    /// Plays moves of two players in turns, in the first round.
    async fn play(&mut self, table: &Table, moves: &[&str]) {
        for (ply, chosen) in moves.iter().enumerate() {
            let play = json!({"action": "play", "round": 1, "ply": ply, "move": chosen});
            self.act(table, ply % 2, play).await;
        }
    }

    /// Everything that the walk found, if all of it is as described.
    fn check(&self, schemas: &Schemas) -> Result<FoundFields, String> {
        let mut found = FoundFields::new();
        for ((method, path, body), response) in &self.exchanges {
            found.extend(exchange(schemas, method, path, body, response)?);
        }
        let stream = json!({"$ref": "#/components/schemas/StreamLine"});
        for line in &self.lines {
            schemas.check(&stream, line, &mut found)?;
        }
        Ok(found)
    }
}

/// Walks through all routes: every kind of entry, every action, games with and without hidden
/// information.
async fn walk() -> Walk {
    let setup = Setup::new().catalog(WalkingTexts).limit("analyses_at_once", 1);
    let server = setup.start().await;
    let mut walk = Walk { server, exchanges: Vec::new(), lines: Vec::new() };
    for path in ["/api/games", "/healthz", "/readyz", "/metrics"] {
        walk.send(walk.server.get(path)).await;
    }
    rounds(&mut walk).await;
    other_games(&mut walk).await;
    computer(&mut walk).await;
    agreements(&mut walk).await;
    analyses(&mut walk).await;
    let own = walk.table(json!({"rules": "game walk"})).await;
    walk.look(&own).await;
    walk.get(&format!("/api/tables/{}/rules", own.id), "").await;
    walk.post("/api/pair", &json!({"game": "pig", "name": "Eve", "token": "2e".repeat(16)})).await;
    walk.send(walk.server.get("/api/tables?status=waiting")).await;
    walk
}

/// Two people play rounds of tic-tac-toe with a clock; all of them end differently.
async fn rounds(walk: &mut Walk) {
    let clock = json!({"per_move": 600_000});
    let wanted = json!({"game": "tic-tac-toe", "listed": true, "alternate": true, "clock": clock});
    let table = walk.table(wanted).await;
    walk.play(&table, &["a1", "a2", "b1", "b2"]).await;
    walk.look(&table).await;
    walk.act(&table, 1, json!({"action": "play", "round": 1, "ply": 4, "move": "a1"})).await;
    walk.act(&table, 0, json!({"action": "play", "round": 1, "ply": 4, "move": "c1"})).await;
    walk.look(&table).await;
    walk.act(&table, 1, json!({"action": "forfeit", "round": 1, "ply": 5})).await;
    for (ply, chosen) in ["b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"].iter().enumerate() {
        let play = json!({"action": "play", "round": 2, "ply": ply, "move": chosen});
        walk.act(&table, (ply + 1) % 2, play).await;
    }
    walk.act(&table, 0, json!({"action": "tie", "round": 2, "ply": 9})).await;
    walk.act(&table, 0, json!({"action": "forfeit", "round": 3, "ply": 0})).await;
    walk.act(&table, 0, json!({"action": "next_round", "round": 4, "ply": 0})).await;
    let version =
        walk.get(&format!("/api/tables/{}", table.id), &table.tokens[0]).await["version"].clone();
    walk.act(&table, 0, json!({"action": "leave", "version": version})).await;
    walk.look(&table).await;
}

/// Chance, choices at the same time, hidden cards, and a board of boards.
async fn other_games(walk: &mut Walk) {
    let pig =
        walk.table(json!({"game": "pig", "clock": {"per_side": 600_000}, "prompt": true})).await;
    walk.play(&pig, &["roll"]).await;
    walk.look(&pig).await;
    let both = walk.table(json!({"game": "odds-and-evens"})).await;
    walk.act(&both, 0, json!({"action": "play", "round": 1, "ply": 0, "move": "1"})).await;
    walk.look(&both).await;
    walk.act(&both, 1, json!({"action": "play", "round": 1, "ply": 0, "move": "2"})).await;
    walk.look(&both).await;
    walk.act(&both, 0, json!({"action": "next_round", "round": 1, "ply": 1})).await;
    walk.look(&both).await;
    let cards = walk.table(json!({"game": "kuhn-poker", "token": "2f".repeat(16)})).await;
    walk.look(&cards).await;
    let boards = walk.table(json!({"game": "ultimate"})).await;
    while !play_any(walk, &boards).await.contains("owner") {}
    walk.look(&boards).await;
}

/// Plays the first legal move of the seat in turn; returns the table before it.
async fn play_any(walk: &mut Walk, table: &Table) -> String {
    let path = format!("/api/tables/{}", table.id);
    let seen = walk.server.get(&path).send().await.of(200);
    let seat = seen["view"]["turn"][0].as_u64().map_or(0, |seat| usize::from(seat == 1));
    let view = walk.server.get(&path).bearer(&table.tokens[seat]).send().await.of(200);
    let view = &view["view"];
    let play =
        json!({"action": "play", "round": 1, "ply": view["ply"], "move": view["legal_moves"][0]});
    walk.act(table, seat, play).await;
    view.to_string()
}

/// A person plays against the computer, after some mistakes.
async fn computer(walk: &mut Walk) {
    let wanted = json!({"game": "tic-tac-toe", "computers": [null, "bthreads"], "seat": 0});
    let created = walk.post("/api/tables", &wanted).await;
    let (id, code) = (text(&created["id"]), text(&created["code"]));
    walk.send(walk.server.get(&format!("/api/codes/{code}"))).await;
    walk.send(walk.server.get("/api/codes/moon")).await;
    let join = json!({"action": "join", "seat": 0, "name": "Ada", "version": 1,
        "token": table::Token::new([7; 16]).digest()});
    let table = Table { id, tokens: ["07".repeat(16), String::new()] };
    walk.act(&table, 0, join).await;
    walk.act(&table, 0, json!({"action": "play", "round": 1, "ply": 0, "move": "moon"})).await;
    for (ply, chosen) in [(0, "a1"), (2, "c3"), (4, "a2")] {
        let play = json!({"action": "play", "round": 1, "ply": ply, "move": chosen});
        walk.act(&table, 0, play).await;
        let path = format!("/api/tables/{}", table.id);
        let ply_now = async || walk.server.get(&path).send().await.of(200)["view"]["ply"].clone();
        eventually("the computer answers", async || ply_now().await == ply + 2).await;
    }
    walk.look(&table).await;
    let analysis = format!("/api/tables/{}/analysis", table.id);
    for query in ["?version=4", "?version=4"] {
        walk.send(walk.server.get(&format!("{analysis}{query}"))).await;
    }
    // Each address may ask only so often.
    crate::test_server::pass(std::time::Duration::from_secs(11)).await;
    let path = format!("/api/tables/{}/b-threads?round=1&ply=2", table.id);
    walk.send(walk.server.get(&path)).await;
}

/// Takebacks, a claim, another device, and the end of a table.
async fn agreements(walk: &mut Walk) {
    let table = walk.table(json!({"game": "tic-tac-toe"})).await;
    walk.play(&table, &["a1", "b2"]).await;
    walk.act(&table, 1, json!({"action": "ask_takeback", "round": 1, "ply": 2})).await;
    walk.look(&table).await;
    walk.act(&table, 0, json!({"action": "decline_takeback", "round": 1, "ply": 2})).await;
    walk.act(&table, 0, json!({"action": "play", "round": 1, "ply": 2, "move": "c3"})).await;
    walk.act(&table, 1, json!({"action": "ask_takeback", "round": 1, "ply": 3})).await;
    walk.act(&table, 0, json!({"action": "grant_takeback", "round": 1, "ply": 3})).await;
    walk.act(&table, 0, json!({"action": "ask_takeback", "round": 1, "ply": 4})).await;
    walk.act(&table, 1, json!({"action": "leave", "version": 11})).await;
    let secret = table::Token::new([8; 16]);
    let offer = json!({"action": "offer_seat", "secret": secret.digest(), "version": 12});
    walk.act(&table, 0, offer).await;
    let token = table::Token::new([9; 16]);
    let id = walk.server.action_id();
    let take_over =
        json!({"id": id, "action": "take_over", "secret": secret, "token": token.digest()});
    walk.post(&format!("/api/tables/{}/actions", table.id), &take_over).await;
    let table = Table { tokens: [token.reveal(), table.tokens[1].clone()], ..table };
    walk.look(&table).await;
    walk.act(&table, 0, json!({"action": "claim", "seat": 1, "round": 1, "ply": 4})).await;
    walk.look(&table).await;
    let before = walk.get(&format!("/api/tables/{}", table.id), &table.tokens[0]).await;
    walk.act(&table, 0, json!({"action": "end", "version": before["version"]})).await;
    let path = format!("/api/tables/{}/log", table.id);
    let is_revealed = async || {
        let log = walk.server.get(&path).send().await.of(200);
        log["entries"].to_string().contains("seed_revealed")
    };
    eventually("the seed is revealed", is_revealed).await;
    walk.look(&table).await;
}

/// Positions that are solved, estimated, and not predictable.
async fn analyses(walk: &mut Walk) {
    let (none, some): (&[&str], &[&str]) = (&[], &["c", "c", "d", "d", "e"]);
    let games = [
        ("tic-tac-toe", none),
        ("connect-four", some),
        ("mnk:7,6,5", none),
        ("odds-and-evens", none),
    ];
    for (game, moves) in games {
        let table = walk.table(json!({"game": game})).await;
        walk.play(&table, moves).await;
        let ply = moves.len();
        walk.act(&table, ply % 2, json!({"action": "forfeit", "round": 1, "ply": ply})).await;
        // Each address may cause only so much work.
        crate::test_server::pass(std::time::Duration::from_secs(11)).await;
        let path = format!("/api/tables/{}/analysis?round=1&ply={ply}", table.id);
        walk.send(walk.server.get(&path)).await;
    }
}

/// The fields that are described, as `Schema.field`, and the operations.
fn described(document: &Value) -> BTreeSet<String> {
    let schemas = document["components"]["schemas"].as_object().expect("there are schemas").iter();
    let fields = schemas.flat_map(|(name, schema)| {
        let fields = schema["properties"].as_object().into_iter().flatten();
        fields.map(move |(field, _)| format!("{name}.{field}"))
    });
    let paths = document["paths"].as_object().expect("there are paths").iter();
    let operations = paths.flat_map(|(path, methods)| {
        let methods = methods.as_object().expect("a path has methods").keys();
        methods.map(move |method| format!("{} {path}", method.to_uppercase()))
    });
    // A stream does not end; the walk checks its lines. Four kinds of entries are never the first of an
    // action.
    let never = [
        "EntryCreated.action",
        "EntryChance.action",
        "EntryRevealed.action",
        "EntrySeedRevealed.action",
    ];
    let occurs = |what: &String| !what.ends_with("/stream") && !never.contains(&what.as_str());
    fields.chain(operations).filter(occurs).collect()
}

#[tokio::test]
async fn every_answer_is_described_and_everything_described_occurs_in_an_answer() {
    let walk = walk().await;
    let found = walk.check(&SCHEMAS).unwrap();
    let described = described(&SCHEMAS.document);
    let missing: Vec<_> = described.difference(&found).collect();
    assert!(missing.is_empty(), "the walk should find these as well: {missing:?}");
}

#[tokio::test]
async fn a_field_that_is_taken_out_of_the_document_or_out_of_an_answer_is_noticed() {
    let walk = walk().await;
    let described = described(&SCHEMAS.document);
    for (name, field) in described.iter().filter_map(|described| described.split_once('.')) {
        let mut document = SCHEMAS.document.clone();
        let schema = &mut document["components"]["schemas"][name];
        schema["properties"].as_object_mut().unwrap().remove(field);
        let error = walk.check(&Schemas::new(document)).unwrap_err();
        assert!(error.contains(field), "{name}.{field}: {error}");
    }
    let mut noticed = 0;
    for ((method, path, body), response) in &walk.exchanges {
        let Ok(Value::Object(answer)) = serde_json::from_str(&response.text) else { continue };
        for field in answer.keys() {
            let mut answer = answer.clone();
            answer.remove(field);
            let text = Value::from(answer).to_string();
            let response = TestResponse { text, headers: response.headers.clone(), ..*response };
            noticed += usize::from(exchange(&SCHEMAS, method, path, body, &response).is_err());
        }
    }
    assert!(noticed > 200, "{noticed}");
}

#[tokio::test]
async fn every_schema_says_what_it_is_and_no_object_is_left_open() {
    fn look(place: &str, part: &Value) {
        for words in ["[`", "::", "`None`"] {
            let said = part["description"].as_str().unwrap_or_default();
            assert!(!said.contains(words), "{place}: {said}");
        }
        if part["type"] == "object" {
            assert!(part["properties"].is_object(), "{place}: {part}");
        }
        for (name, inner) in part.as_object().into_iter().flatten() {
            look(&format!("{place}/{name}"), inner);
        }
        for inner in part.as_array().into_iter().flatten() {
            look(place, inner);
        }
    }
    look("", &SCHEMAS.document);
    let paths = SCHEMAS.document["paths"].as_object().expect("there are paths");
    let operations = paths
        .values()
        .flat_map(|methods| methods.as_object().expect("a path has methods").values());
    let mut ids = BTreeSet::new();
    for operation in operations {
        assert!(ids.insert(operation["operationId"].as_str().unwrap()), "{operation}");
        for (status, response) in operation["responses"].as_object().unwrap() {
            let content = &SCHEMAS.resolved(response)["content"];
            let schemas = content.as_object().unwrap().values().map(|media| &media["schema"]);
            assert!(schemas.clone().count() > 0, "{status} of {operation}");
            schemas.for_each(|schema| assert!(schema.is_object(), "{status} of {operation}"));
        }
    }
}

#[tokio::test]
async fn the_document_names_every_code() {
    let sources = [
        include_str!("../../../table/src/wire/codes.rs"),
        include_str!("../../../game/src/refusal.rs"),
    ];
    let named = &SCHEMAS.document["components"]["schemas"]["Problem"]["properties"]["code"];
    let named = named["description"].as_str().unwrap();
    let codes = sources.iter().flat_map(|source| source.split("::new(\"").skip(1));
    let codes: Vec<_> = codes.filter_map(|rest| rest.split('"').next()).collect();
    assert!(codes.len() > 25, "{codes:?}");
    for code in codes {
        assert!(named.contains(&format!("`{code}`")), "{code} is not in {named}");
    }
}

/// The routes, from the source of the router.
fn routes() -> Vec<&'static str> {
    let source = include_str!("../../src/app.rs");
    source
        .split(".route(\"")
        .skip(1)
        .map(|rest| rest.split('"').next().expect("the path is quoted"))
        .collect()
}

#[tokio::test]
async fn the_openapi_document_has_exactly_the_routes_of_the_router() {
    let server = TestServer::usual().await;
    let document = server.get("/api/openapi.json").send().await.of(200);
    let described =
        document["paths"].as_object().expect("there are paths").keys().map(String::as_str);
    let described: BTreeSet<&str> = described.collect();
    // Pages for people, the description itself, and sockets, which OpenAPI cannot describe.
    let others =
        ["/", "/assets/{*name}", "/style.css", "/privacy", "/api/docs", "/api/openapi.json"];
    let is_described = |route: &&str| !others.contains(route) && !route.starts_with("/socket/");
    let expected: BTreeSet<&str> = routes().into_iter().filter(is_described).collect();
    assert!(expected.len() > 10, "{expected:?}");
    assert_eq!(described, expected);
    assert!(document["openapi"].as_str().unwrap().starts_with("3."));
    for path in described {
        for (method, operation) in document["paths"][path].as_object().unwrap() {
            assert!(operation["responses"].is_object(), "{method} {path}");
            let id = path.replace("{id}", "AAAAAAAAAAAAAAAAAAAAAA").replace("{code}", "bodaki");
            let method = if method == "get" { "GET" } else { "POST" };
            let answer =
                TestRequest::new(server.address, method, &id).json(&json!({})).send().await;
            assert_ne!(answer.status, 405, "{method} {path} exists");
        }
    }
}

#[tokio::test]
async fn every_reference_in_the_openapi_document_resolves() {
    let server = TestServer::usual().await;
    let answer = server.get("/api/openapi.json").send().await;
    let document = answer.of(200);
    for part in answer.text.split("\"$ref\":\"#").skip(1) {
        let pointer = part.split('"').next().unwrap();
        assert!(document.pointer(pointer).is_some(), "{pointer}");
    }
}

#[tokio::test]
async fn the_openapi_document_describes_tokens_and_errors() {
    let server = TestServer::usual().await;
    let document = server.get("/api/openapi.json").send().await.of(200);
    let scheme = &document["components"]["securitySchemes"]["token"];
    assert_eq!((&scheme["type"], &scheme["scheme"]), (&json!("http"), &json!("bearer")));
    for (path, method) in [
        ("/api/tables/{id}", "get"),
        ("/api/tables/{id}/actions", "post"),
        ("/api/tables/{id}/log", "get"),
        ("/api/tables/{id}/stream", "get"),
    ] {
        let operation = &document["paths"][path][method];
        assert_eq!(operation["security"], json!([{}, {"token": []}]), "{method} {path}");
    }
    let operations = document["paths"].as_object().expect("there are paths").values();
    let operations =
        operations.flat_map(|methods| methods.as_object().expect("a path has methods").values());
    let answers = operations.flat_map(|operation| operation["responses"].as_object().unwrap());
    for (status, answer) in answers.filter(|(status, _)| status.starts_with('4')) {
        let content = SCHEMAS.resolved(answer)["content"].as_object().unwrap();
        let kinds: Vec<_> = content.keys().collect();
        assert_eq!(kinds, ["application/problem+json"], "{status}");
    }
}

#[tokio::test]
async fn the_examples_of_actions_are_as_described() {
    let schema = json!({"$ref": "#/components/schemas/Action"});
    let page = include_str!("../../../../docs/protocol.md");
    let sent = page.lines().filter(|line| line.starts_with(r#"{"id":"#));
    let sent = sent.map(|line| serde_json::from_str::<Value>(line).unwrap());
    let operation = &SCHEMAS.document["paths"]["/api/tables/{id}/actions"]["post"];
    let examples = &operation["requestBody"]["content"]["application/json"]["examples"];
    let examples: Vec<_> = examples.as_object().unwrap().values().collect();
    let kinds = SCHEMAS.document["components"]["schemas"]["Action"]["oneOf"].as_array().unwrap();
    assert_eq!(examples.len(), kinds.len());
    for action in sent.chain(examples.iter().map(|example| example["value"].clone())) {
        SCHEMAS.check(&schema, &action, &mut FoundFields::new()).unwrap();
        serde_json::from_value::<table::Action>(action).unwrap();
    }
}
