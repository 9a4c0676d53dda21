//! Properties of all responses, and the description of the API.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::http::TestRequest;
use crate::socket::{Socket, request};
use crate::test_server::{ADMIN_TOKEN, Setup, TestServer};

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
    let described = document["paths"].as_object().unwrap().keys().map(String::as_str);
    let described: BTreeSet<&str> = described.collect();
    // Pages for people, the description itself, and sockets, which OpenAPI cannot describe.
    let others = ["/", "/assets/{*name}", "/style.css", "/api/docs", "/api/openapi.json"];
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
    let operations = document["paths"].as_object().unwrap().values();
    let operations = operations.flat_map(|methods| methods.as_object().unwrap().values());
    let answers = operations.flat_map(|operation| operation["responses"].as_object().unwrap());
    for (status, answer) in answers.filter(|(status, _)| status.starts_with('4')) {
        let kinds: Vec<_> = answer["content"].as_object().unwrap().keys().collect();
        assert_eq!(kinds, ["application/problem+json"], "{status}");
    }
}

#[tokio::test]
async fn the_openapi_document_describes_every_action() {
    let server = TestServer::usual().await;
    let document = server.get("/api/openapi.json").send().await.of(200);
    let kinds = document["components"]["schemas"]["Action"]["oneOf"].as_array().unwrap();
    let page = include_str!("../../../../docs/protocol.md");
    let sent = page.lines().filter(|line| line.starts_with(r#"{"id":"#));
    let sent: Vec<Value> = sent.map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: BTreeSet<&str> = sent.iter().map(|sent| sent["action"].as_str().unwrap()).collect();
    assert_eq!(names.len(), kinds.len());
    for kind in kinds {
        let is_it = |sent: &&Value| kind["properties"]["action"]["enum"][0] == sent["action"];
        for sent in sent.iter().filter(is_it).chain([&kind["example"]]) {
            serde_json::from_value::<table::Action>(sent.clone()).expect("the text is valid");
            for field in sent.as_object().unwrap().keys() {
                assert!(kind["properties"][field].is_object(), "{field} of {sent}");
            }
            for field in kind["required"].as_array().unwrap() {
                assert!(sent.get(field.as_str().unwrap()).is_some(), "{field} of {sent}");
            }
        }
    }
}

#[tokio::test]
async fn the_api_has_a_page_for_people() {
    let server = TestServer::usual().await;
    let page = server.get("/api/docs").send().await;
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    for words in ["POST /api/tables/{id}/actions", "GET /api/tables/{id}/stream", "openapi.json"] {
        assert!(page.text.contains(words), "{words}");
    }
    for words in ["<code>next_round</code>", "Authorization: Bearer", "href=\"/\""] {
        assert!(page.text.contains(words), "{words}");
    }
    for words in ["`", "docs/"] {
        assert!(!page.text.contains(words), "the page contains {words}");
    }
    let home = server.get("/").send().await;
    assert!(home.status == 200 && home.text.contains("/api/docs"));
    assert_eq!(
        server.get("/style.css").send().await.header("content-type"),
        "text/css; charset=utf-8"
    );
}

#[tokio::test]
async fn unknown_paths_are_not_found() {
    let server = TestServer::usual().await;
    let answer = server.get("/api/moon").send().await;
    assert_eq!(answer.problem(404), "not_found");
    let page = server.get("/moon").send().await;
    assert_eq!((page.status, page.header("content-type")), (404, "text/html; charset=utf-8"));
    assert_eq!(server.post("/api/games", &json!({})).send().await.status, 405);
}

#[tokio::test]
async fn every_response_has_the_security_headers() {
    let server = TestServer::usual().await;
    for path in ["/", "/moon", "/api/games", "/api/moon", "/api/docs", "/healthz", "/metrics"] {
        let answer = server.get(path).send().await;
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("x-frame-options", "DENY"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cache-control", "no-store"),
        ] {
            assert_eq!(answer.header(name), value, "{name} of {path}");
            assert_eq!(answer.header("strict-transport-security"), "", "it is not encrypted");
        }
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'"), "{path}: {policy}");
        assert!(!policy.contains("unsafe-inline"));
        assert!(!answer.header("x-request-id").is_empty(), "{path}");
        assert!(!answer.text.contains("<script>") && !answer.text.contains("style="), "{path}");
    }
}

#[tokio::test]
async fn only_allowed_origins_may_change_anything() {
    let server = Setup::new().origin("https://play.example").start().await;
    let own = format!("http://{}", server.address);
    let table = server.table("tic-tac-toe").await;
    let asks = || {
        let actions = format!("/api/tables/{}/actions", table.id);
        let seats = format!("/api/tables/{}/seats", table.id);
        [
            server.post("/api/tables", &json!({"game": "pig"})),
            server.post("/api/pair", &json!({"game": "pig", "name": "Ada"})),
            server.post(&seats, &json!({"name": "Eve"})),
            server.post(&actions, &server.move_at(0, "a1")).bearer(&table.tokens[0]),
        ]
    };
    for origin in ["https://evil.example", "null", "http://127.0.0.1:1"] {
        for ask in asks() {
            let answer = ask.header("origin", origin).send().await;
            assert_eq!(answer.problem(403), "foreign", "{origin}");
        }
    }
    assert_eq!(server.log(&table.id).await.len(), 3);
    for origin in [own.as_str(), "https://play.example"] {
        for ask in asks() {
            assert_ne!(ask.header("origin", origin).send().await.status, 403, "{origin}");
        }
    }
}

#[tokio::test]
async fn only_allowed_origins_may_open_channels() {
    let server = Setup::new().origin("https://play.example").start().await;
    let own = format!("http://{}", server.address);
    for (origin, is_welcome) in
        [(own.as_str(), true), ("https://play.example", true), ("https://evil.example", false)]
    {
        let mut asked = request(server.address);
        asked.headers_mut().insert("origin", origin.parse().unwrap());
        let opened = Socket::try_open(&server, asked).await.err();
        assert_eq!(opened, if is_welcome { None } else { Some(403) }, "{origin}");
        let poll = server.get("/socket/longpoll?vsn=2.0.0").header("origin", origin);
        let status = if is_welcome { 410 } else { 403 };
        assert_eq!(poll.send().await.of(200)["status"], status, "{origin}");
    }
}

#[tokio::test]
async fn a_healthy_server_reports_that_it_is_ready() {
    let server = TestServer::usual().await;
    for path in ["/healthz", "/readyz"] {
        assert_eq!(server.get(path).send().await.status, 200, "{path}");
    }
    let metrics = server.admin_get("/metrics").bearer(ADMIN_TOKEN).send().await;
    assert!(metrics.header("content-type").starts_with("application/openmetrics-text"));
    assert!(metrics.text.ends_with("# EOF\n"), "{}", metrics.text);
}
