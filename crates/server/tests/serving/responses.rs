//! Properties of all responses.

use serde_json::json;

use crate::socket::{Socket, request};
use crate::test_server::{ADMIN_TOKEN, Setup, TestServer};

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
async fn a_page_says_what_is_stored_and_the_home_page_links_to_it() {
    let server = TestServer::usual().await;
    let page = server.get("/privacy").send().await;
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    assert!(page.text.contains("<h1>What is stored about players</h1>"), "{}", page.text);
    assert!(server.get("/").send().await.text.contains("href=\"/privacy\""));
    let document = include_str!("../../../web/page/index.html");
    assert!(document.contains("href=\"/privacy\""), "the page for players links to it, too");
}

#[test]
fn every_alarm_of_the_docs_is_about_a_metric_that_exists() {
    let alarms = include_str!("../../../../docs/operations.md");
    let metrics = include_str!("../../../../docs/server.md");
    let names = alarms.split('`').filter(|word| word.starts_with("cradle_"));
    let names: Vec<&str> = names.collect();
    assert!(names.len() > 10, "{names:?}");
    for name in names {
        let is_listed = ["`", "{"].iter().any(|end| metrics.contains(&format!("| `{name}{end}")));
        assert!(is_listed, "{name} is not in the table of metrics");
    }
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
