//! The names of a server, pages of other sites, and requests whose form is ambiguous.

use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::http::{TestRequest, TestResponse};
use crate::socket::{Socket, request};
use crate::test_server::{Setup, TestServer, soon, text};

/// The whole answer to these bytes, which ask the server to close the connection.
async fn answer_to(server: &TestServer, bytes: &str) -> String {
    let mut stream = TcpStream::connect(server.address).await.expect("the server is running");
    soon(stream.write_all(bytes.as_bytes())).await.expect("the server reads");
    let mut answer = Vec::new();
    soon(stream.read_to_end(&mut answer)).await.expect("the server answers");
    String::from_utf8(answer).expect("the answer is UTF-8")
}

#[track_caller]
fn is_refused(answer: &str, status: u16) {
    assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
    assert!(answer.to_lowercase().contains("\r\nx-request-id: "), "{answer}");
}

#[tokio::test]
async fn requests_that_two_programs_may_understand_differently_are_refused() {
    let server = TestServer::usual().await;
    let first = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
    let fine = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    let answer = answer_to(&server, &format!("{first}{fine}")).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let spaces = " ".repeat(300);
    for (bytes, words) in [
        ("GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n", "send the header Host"),
        (
            "GET /healthz HTTP/1.1\r\nConnection: close\r\nHost: a\r\nHost: a\r\n\r\n",
            "send the header Host once",
        ),
        (
            "GET /healthz HTTP/1.1\nConnection: close\r\nHost: a\r\n\r\n",
            "a carriage return and a line feed",
        ),
        (
            "GET /healthz HTTP/1.1\r\nConnection: close\r\nHost: a\n\r\n",
            "a carriage return and a line feed",
        ),
        (
            "GET /healthz HTTP/1.1\r\nConnection: close\r\nHost: a\r\n\n",
            "a carriage return and a line feed",
        ),
        (
            "GET /healthz HTTP/1.1\r\nConnection: close\r\nHost: a\r\nContent-Length: 3\r\n\
             Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "the length of its body once",
        ),
        (
            "GET /healthz HTTP/1.1\r\nConnection: close\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\
             Content-Length: 3\r\n\r\n0\r\n\r\n",
            "the length of its body once",
        ),
        (
            format!(
                "GET /healthz HTTP/1.1\r\nConnection: close\r\nHost: a\r\nContent-Length: 3\r\n\
                 Transfer-Encoding:{spaces}chunked\r\n\r\n0\r\n\r\n"
            )
            .as_str(),
            "in a short line",
        ),
        (
            format!(
                "GET /healthz HTTP/1.1\r\nConnection: close\r\nHost: a\r\nContent-Length:{spaces}0\r\n\r\n"
            )
            .as_str(),
            "in a short line",
        ),
        ("GET http://b/healthz HTTP/1.1\r\nConnection: close\r\nHost: a\r\n\r\n", "differ"),
        ("GET http://a:1/healthz HTTP/1.1\r\nConnection: close\r\nHost: a\r\n\r\n", "differ"),
    ] {
        let answer = answer_to(&server, bytes).await;
        is_refused(&answer, 400);
        assert!(answer.contains(words), "{bytes:?}: {answer}");
        let second = answer_to(&server, &format!("{first}{bytes}")).await;
        assert!(second.contains(words), "{bytes:?} as the second request: {second}");
    }
    let body = "{\n\"game\":\n\"pig\"}";
    let head = "POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    let sent = format!("{head}Content-Length: {}\r\n\r\n{body}{fine}", body.len());
    let answer = answer_to(&server, &sent).await;
    assert!(answer.starts_with("HTTP/1.1 201") && answer.contains("HTTP/1.1 200"), "{answer}");
}

#[tokio::test]
async fn answers_that_hyper_makes_itself_have_a_request_id() {
    let server = TestServer::usual().await;
    let long = "x".repeat(100_000);
    is_refused(&answer_to(&server, &format!("GET / HTTP/1.1\r\nLong: {long}")).await, 431);
    is_refused(&answer_to(&server, "GET / HTTP/1.1\r\nBad Name: x\r\n\r\n").await, 400);
}

/// The answer over HTTP/2 to a request with a header of this many bytes.
async fn answer_over_http_2(server: &TestServer, bytes: usize) -> hyper::Response<Incoming> {
    let stream = TcpStream::connect(server.address).await.expect("the server is running");
    let opened = http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await;
    let (mut sender, connection) = opened.expect("the server speaks HTTP/2");
    tokio::spawn(connection);
    let uri = format!("http://{}/healthz", server.address);
    let request = hyper::Request::get(uri).header("x-long", "x".repeat(bytes));
    let request = request.body(String::new()).expect("the request is valid");
    soon(sender.send_request(request)).await.expect("the server answers")
}

#[tokio::test]
async fn long_headers_over_http_2_are_refused_with_a_request_id() {
    let server = TestServer::usual().await;
    assert_eq!(answer_over_http_2(&server, 10_000).await.status(), 200);
    for bytes in [17_000, 60_000] {
        let refused = answer_over_http_2(&server, bytes).await;
        assert_eq!(refused.status(), 431);
        assert!(refused.headers().contains_key("x-request-id"), "{refused:?}");
        let problem = refused.into_body().collect().await.expect("the answer is whole");
        let problem = String::from_utf8_lossy(&problem.to_bytes()).into_owned();
        assert!(problem.contains("at most 16,384 bytes: send fewer or shorter"), "{problem}");
    }
    // hyper refuses these itself.
    assert_eq!(answer_over_http_2(&server, 70_000).await.status(), 431);
}

async fn create_at(server: &TestServer, host: &str) -> TestResponse {
    let body = json!({"game": "pig"}).to_string();
    let head = format!(
        "POST /api/tables HTTP/1.1\r\nConnection: close\r\nHost: {host}\r\nOrigin: http://{host}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let answer = answer_to(server, &format!("{head}{body}")).await;
    let (head, text) = answer.split_once("\r\n\r\n").expect("the head is complete");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.expect("there is a status");
    let mut headers = hyper::header::HeaderMap::new();
    headers.insert("content-type", "application/problem+json".parse().expect("it is a number"));
    TestResponse { status, headers, text: text.to_owned() }
}

#[tokio::test]
async fn a_page_whose_name_leads_to_this_server_can_do_nothing() {
    let server = Setup::new().name("play.example").start().await;
    for host in ["127.0.0.1", "localhost:4000", "[::1]:4000", "10.0.0.7:80", "play.example"] {
        assert_eq!(create_at(&server, host).await.status, 201, "{host}");
    }
    let refused = create_at(&server, "evil.example").await;
    assert_eq!(refused.problem(421), "unknown_host");
    assert!(refused.text.contains("--name evil.example"), "{}", refused.text);
    let mut rebound = request(server.address);
    for name in ["host", "origin"] {
        let value = if name == "host" { "evil.example" } else { "http://evil.example" };
        rebound.headers_mut().insert(name, value.parse().unwrap());
    }
    assert_eq!(Socket::try_open(&server, rebound).await.err(), Some(421));
    let tables = server.metric("created_tables_total").await;
    assert_eq!(tables, 5, "nothing else was created");
}

#[tokio::test]
async fn a_page_whose_name_leads_to_this_server_reads_no_metrics() {
    let server = Setup::new().without_admin().name("play.example").start().await;
    for (target, host, status) in [
        ("/metrics", "127.0.0.1:4000", 200),
        ("/metrics", "localhost", 200),
        ("/metrics", "play.example", 200),
        ("http://localhost/metrics", "localhost", 200),
        ("/metrics", "evil.example", 421),
        ("http://evil.example/metrics", "evil.example", 421),
        ("http://evil.example/metrics", "localhost", 400),
    ] {
        let head = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let answer = answer_to(&server, &head).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{head}{answer}");
    }
}

const SITE: &str = "https://games.example";

fn from_site(request: TestRequest, site: &str) -> TestRequest {
    request.header("origin", site)
}

#[tokio::test]
async fn a_named_origin_may_use_the_whole_api() {
    let server = Setup::new().origin(SITE).start().await;
    let preflight = TestRequest::new(server.address, "OPTIONS", "/api/tables");
    let preflight = from_site(preflight, SITE)
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "authorization,content-type");
    let allowed = preflight.send().await;
    assert_eq!(allowed.status, 204);
    assert_eq!(allowed.header("access-control-allow-origin"), SITE);
    assert_eq!(allowed.header("access-control-allow-methods"), "GET, HEAD, POST");
    let headers = allowed.header("access-control-allow-headers");
    for name in ["authorization", "content-type", "x-phoenix-authtoken"] {
        assert!(headers.contains(name), "{headers}");
    }
    assert_eq!(allowed.header("access-control-allow-credentials"), "", "there are no cookies");
    let wanted = json!({"game": "tic-tac-toe", "name": "Ada"});
    let created = from_site(server.post("/api/tables", &wanted), SITE).send().await;
    assert_eq!(created.header("access-control-allow-origin"), SITE);
    assert_eq!(created.header("cross-origin-resource-policy"), "cross-origin");
    assert!(created.header("vary").contains("origin"));
    for name in ["retry-after", "x-request-id"] {
        assert!(created.header("access-control-expose-headers").contains(name));
    }
    let path = format!("/api/tables/{}", text(&created.of(201)["id"]));
    let seen = from_site(server.get(&path), SITE).send().await;
    assert_eq!(seen.header("access-control-allow-origin"), SITE);
    let missing = from_site(server.get("/api/tables/moon"), SITE).send().await;
    assert_eq!(missing.problem(404), "no_table");
    assert_eq!(missing.header("access-control-allow-origin"), SITE, "the page reads refusals");
    let mut opened = request(server.address);
    opened.headers_mut().insert("origin", SITE.parse().unwrap());
    assert!(Socket::try_open(&server, opened).await.is_ok());
    let page = from_site(server.get("/"), SITE).send().await;
    assert_eq!(page.header("access-control-allow-origin"), "", "pages are not part of the API");
}

#[tokio::test]
async fn other_origins_may_not_use_the_api() {
    let server = Setup::new().origin(SITE).start().await;
    for other in
        ["https://evil.example", "http://games.example", "https://games.example:444", "null"]
    {
        let preflight = TestRequest::new(server.address, "OPTIONS", "/api/tables");
        let preflight = from_site(preflight, other).header("access-control-request-method", "POST");
        let refused = preflight.send().await;
        assert_eq!((refused.status, refused.header("access-control-allow-origin")), (405, ""));
        let wanted = json!({"game": "tic-tac-toe"});
        let refused = from_site(server.post("/api/tables", &wanted), other).send().await;
        assert_eq!(refused.problem(403), "foreign", "{other}");
        assert_eq!(refused.header("access-control-allow-origin"), "");
        assert_eq!(refused.header("cross-origin-resource-policy"), "same-origin");
        let read = from_site(server.get("/api/tables"), other).send().await;
        assert_eq!((read.status, read.header("access-control-allow-origin")), (200, ""));
        assert!(read.header("vary").contains("origin"), "caches must not mix them up");
    }
}
