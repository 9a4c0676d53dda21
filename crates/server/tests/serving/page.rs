//! The page for players, in all encodings.

use std::collections::BTreeMap;

use server::{Content, Page};

use crate::http::{TestRequest, TestResponse};
use crate::test_server::{Setup, TestServer};

const STYLE: &str = "/assets/style-1.css";
const CODE: &str = "/assets/web-2.wasm";
const HTML: &str = "text/html; charset=utf-8";

/// A made-up page. The server does not check compressed contents.
fn page() -> Page {
    let home =
        Content::new(HTML, b"home").with_gzip(b"home in gzip").with_brotli(b"home in brotli");
    let style = Content::new("text/css; charset=utf-8", b"style").with_brotli(b"style in brotli");
    let code = Content::new("application/wasm", b"code");
    let assets = BTreeMap::from([(STYLE, style), (CODE, code)]);
    let [local, table, lab] =
        [&b"local"[..], b"table", b"lab"].map(|text| Content::new(HTML, text));
    let service_worker = Content::new("text/javascript; charset=utf-8", b"keep");
    Page { home, local, table, lab, service_worker, assets }
}

async fn start() -> TestServer {
    Setup::new().page(page()).start().await
}

async fn head(server: &TestServer, path: &str) -> TestResponse {
    TestRequest::new(server.address, "HEAD", path).send().await
}

#[tokio::test]
async fn the_home_page_and_all_paths_of_tables_are_documents() {
    let server = start().await;
    let paths = ["/play", "/play/", "/play/friend", "/play/watch", "/play/anything/else", "/t/x"];
    let deeper = ["/play/computer/wild", "/play/tic-tac-toe/b2/a1", "/t/AAAAAAAAAAAAAAAAAAAAAA"];
    let local = ["/play/computer", "/play/one-screen", "/play/one-screen/"];
    for path in [&["/"][..], &paths, &deeper, &local].concat() {
        let answer = server.get(path).send().await;
        let expected = match path {
            "/" => "home",
            path if local.contains(&path) => "local",
            _ => "table",
        };
        assert_eq!((answer.status, answer.text.as_str()), (200, expected), "{path}");
        assert_eq!(answer.header("content-type"), HTML, "{path}");
        assert_eq!(answer.header("cache-control"), "no-cache", "{path}");
    }
    for path in ["/lab", "/lab/"] {
        let answer = server.get(path).send().await;
        assert_eq!((answer.status, answer.text.as_str()), (200, "lab"), "{path}");
    }
    let keeper = server.get("/service-worker.js").send().await;
    assert_eq!((keeper.status, keeper.text.as_str()), (200, "keep"));
    assert_eq!(keeper.header("cache-control"), "no-cache", "a new version is found");
    for path in ["/lab/rat", "/newer", "/plays/computer", "/home.html", "/T/x", "/tables"] {
        let answer = server.get(path).send().await;
        assert_eq!((answer.status, answer.text.as_str()), (404, "table"), "{path}");
        assert_eq!(answer.header("content-type"), HTML, "{path}");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
    }
    let missing = server.get("/assets/moon").send().await;
    assert_eq!(missing.status, 404);
    assert_ne!(missing.text, "table", "a missing asset is not answered with a page");
}

#[tokio::test]
async fn without_a_page_the_server_says_so() {
    let server = TestServer::usual().await;
    for path in ["/", "/play/friend", "/t/AAAAAAAAAAAAAAAAAAAAAA", "/play/computer"] {
        let answer = server.get(path).send().await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(answer.text.contains("not part of this build"), "{path}");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
    }
    assert_eq!(server.get(STYLE).send().await.status, 404);
}

#[tokio::test]
async fn each_client_gets_the_encoding_that_it_accepts() {
    let server = start().await;
    let check = async |path: &str, accepted: &str, coding: &str, text: &str| {
        let answer = server.get(path).header("accept-encoding", accepted).send().await;
        assert_eq!((answer.status, answer.text.as_str()), (200, text), "{path} {accepted}");
        assert_eq!(answer.header("content-encoding"), coding, "{path} {accepted}");
        assert_eq!(answer.header("content-length"), text.len().to_string());
        assert_eq!(answer.header("vary"), "accept-encoding");
    };
    check("/", "gzip, deflate, br, zstd", "br", "home in brotli").await;
    check("/", "gzip, deflate", "gzip", "home in gzip").await;
    check("/", "br;q=0, gzip;q=0.1", "gzip", "home in gzip").await;
    check("/", "br;q=0, gzip;q=0", "", "home").await;
    check("/", "identity", "", "home").await;
    check("/", "", "", "home").await;
    check(STYLE, "gzip, br", "br", "style in brotli").await;
    check(STYLE, "gzip", "", "style").await;
    check(CODE, "gzip, br", "", "code").await;
}

#[tokio::test]
async fn assets_are_cached_for_ever() {
    let server = start().await;
    for (path, kind) in [(STYLE, "text/css; charset=utf-8"), (CODE, "application/wasm")] {
        let answer = server.get(path).send().await;
        assert_eq!((answer.status, answer.header("content-type")), (200, kind));
        assert_eq!(answer.header("cache-control"), "public, max-age=31536000, immutable");
    }
}

#[tokio::test]
async fn an_unchanged_document_is_not_sent_again() {
    let server = start().await;
    let ask = |known: &str, accepted: &str| {
        let ask = server.get("/").header("accept-encoding", accepted);
        ask.header("if-none-match", known).send()
    };
    let [plain, brotli] = ["identity", "br"].map(|accepted| ask("\"moon\"", accepted));
    let [plain, brotli] = [plain.await, brotli.await];
    assert_eq!((plain.status, brotli.status), (200, 200));
    let [plain, brotli] = [plain.header("etag"), brotli.header("etag")];
    assert_ne!(plain, brotli);
    let lists =
        [brotli.to_owned(), format!("W/{brotli}"), format!("\"moon\", {brotli}"), "*".into()];
    for known in lists {
        let answer = ask(&known, "br").await;
        assert_eq!((answer.status, answer.text.as_str()), (304, ""), "{known}");
        assert_eq!(answer.header("etag"), brotli);
        assert_eq!(answer.header("cache-control"), "no-cache");
        assert_eq!(answer.header("vary"), "accept-encoding");
        assert_eq!(answer.header("content-encoding"), "");
    }
    for known in [plain, "moon", ""] {
        assert_eq!(ask(known, "br").await.status, 200, "{known}");
    }
}

#[tokio::test]
async fn only_assets_of_the_page_are_served() {
    let server = start().await;
    let others = [
        "/assets/",
        "/assets",
        "/assets/style-2.css",
        "/assets/style-1.css/",
        "/assets//style-1.css",
    ];
    let ways_up = [
        "/assets/../Cargo.toml",
        "/assets/%2e%2e/Cargo.toml",
        "/assets/..%2fCargo.toml",
        "/assets/./style-1.css",
        "/assets/x/../style-1.css",
        "/assets/%73tyle-1.css",
        "/assets/\\..\\Cargo.toml",
    ];
    for path in [&others[..], &ways_up].concat() {
        let answer = server.get(path).send().await;
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
    }
    assert_eq!(server.post(STYLE, &serde_json::json!({})).send().await.status, 405);
    assert_eq!(server.post("/play/friend", &serde_json::json!({})).send().await.status, 405);
}

#[tokio::test]
async fn addresses_that_the_page_does_not_have_are_not_found() {
    let server = start().await;
    for path in ["/t/x", "/t/x/", "/play/computer", "/play/computer/"] {
        assert_eq!(server.get(path).send().await.status, 200, "{path}");
    }
    for path in ["/t", "/t/", "/t/a/b", "/moon"] {
        let answer = server.get(path).send().await;
        assert_eq!((answer.status, answer.header("content-type")), (404, HTML), "{path}");
    }
    for path in ["/api", "/api/", "/api/moon", "/api/tables/x/y/z"] {
        assert_eq!(server.get(path).send().await.problem(404), "not_found", "{path}");
    }
}

#[tokio::test]
async fn head_requests_return_the_headers_alone() {
    let server = start().await;
    for (path, length) in [("/", "4"), ("/t/x", "5"), (STYLE, "5")] {
        let answer = head(&server, path).await;
        assert_eq!((answer.status, answer.text.as_str()), (200, ""), "{path}");
        assert_eq!(answer.header("content-length"), length, "{path}");
        assert!(!answer.header("etag").is_empty(), "{path}");
    }
    assert_eq!(head(&server, "/assets/moon").await.status, 404);
}

#[tokio::test]
async fn the_content_security_policy_allows_what_the_page_needs() {
    let server = start().await;
    for path in ["/", "/play/computer", STYLE, "/assets/moon"] {
        let answer = server.get(path).send().await;
        let policy = answer.header("content-security-policy");
        for allowed in
            ["script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "connect-src 'self'"]
        {
            assert!(policy.contains(allowed), "{path}: {policy}");
        }
        assert!(!policy.contains("'unsafe-"), "{path}: {policy}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("cross-origin-resource-policy"), "same-origin");
    }
}

#[tokio::test]
async fn many_visits_from_one_address_stay_within_the_usual_limits() {
    let usual = server::Limits::default().requests_at_once;
    let server = Setup::new().page(page()).limit("requests_at_once", usual).start().await;
    for _visit in 0..20 {
        for path in ["/play/computer", STYLE, STYLE, STYLE, CODE, "/api/games"] {
            assert_eq!(server.get(path).send().await.status, 200, "{path}");
        }
    }
}

#[tokio::test]
async fn only_the_embedded_paths_may_be_shown_in_a_frame() {
    let server = start().await;
    let policy = |answer: &TestResponse| answer.header("content-security-policy").to_owned();
    for path in ["/embed/t/x", "/embed/play/replay/pig/roll"] {
        let answer = server.get(path).send().await;
        assert_eq!((answer.status, answer.text.as_str()), (200, "table"));
        assert!(policy(&answer).ends_with("frame-ancestors *"), "{}", policy(&answer));
        assert!(!answer.headers.contains_key("x-frame-options"));
    }
    for path in ["/", "/t/x", "/play/computer", "/lab", "/embed", "/api/games"] {
        let answer = server.get(path).send().await;
        assert!(policy(&answer).ends_with("frame-ancestors 'none'"), "{path}");
        assert_eq!(answer.header("x-frame-options"), "DENY");
    }
}

#[tokio::test]
async fn a_messenger_learns_whose_table_a_link_leads_to_and_a_browser_gets_the_document_as_it_is() {
    const DOCUMENT: &str = "<meta property=\"og:title\" content=\"Play\">";
    let table = Content::new(HTML, DOCUMENT.as_bytes()).with_brotli(b"brotli");
    let server = Setup::new().page(Page { table, ..page() }).start().await;
    let created = server.create(&serde_json::json!({"game": "tic-tac-toe", "name": "A<da"})).await;
    let path = format!("/t/{}", created["id"].as_str().expect("a table has an id"));
    let messenger = server.get(&path).header("accept-encoding", "br").send().await;
    let title = "<meta property=\"og:title\" content=\"A&lt;da invites you to Tic-tac-toe\">";
    assert_eq!(messenger.text, title);
    let browser = server.get(&path).header("accept-encoding", "br");
    let browser = browser.header("sec-fetch-mode", "navigate").send().await;
    assert_eq!(browser.text, "brotli");
    assert_eq!(server.get("/t/nowhere").send().await.text, DOCUMENT, "there is no such table");
}

#[tokio::test]
async fn links_to_games_and_replays_unfold_with_a_title_a_sentence_and_a_picture() {
    const DOCUMENT: &str = "<meta property=\"og:title\" content=\"Play\">\
        <meta property=\"og:image\" content=\"/assets/icon.png\">\
        <meta property=\"og:description\" content=\"Old\">";
    let table = Content::new(HTML, DOCUMENT.as_bytes());
    let server = Setup::new().page(Page { table, ..page() }).start().await;
    let unfolded = async |path: &str| {
        let text = server.get(path).send().await.text;
        let contents = text.split("content=\"").skip(1).map(|rest| rest.split('"').next());
        contents.map(|content| content.unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let address = format!("http://{}", server.address);
    let large = "summary_large_image";
    let summary = "Four in a row; pieces fall to the bottom of their column.";
    let picture = format!("{address}/preview/game/connect-four");
    for place in ["game", "computer", "one-screen", "friend", "anybody"] {
        let found = unfolded(&format!("/play/{place}/connect-four")).await;
        assert_eq!(found, ["Connect Four", picture.as_str(), large, summary]);
    }
    let again = "Look at the game again, ply by ply, with the value of every move.";
    for (path, title) in [
        ("tic-tac-toe/a1.a2.b1.b2.c1", "Tic-tac-toe: X has won"),
        ("tic-tac-toe/a1.a2.b1/2", "Tic-tac-toe, replayed"),
        ("tic-tac-toe/a1.b2.c3.b1.b3.a3.c1.c2.a2", "Tic-tac-toe: a draw"),
    ] {
        let found = unfolded(&format!("/play/replay/{path}")).await;
        let picture = format!("{address}/preview/replay/{path}");
        assert_eq!(found, [title, picture.as_str(), large, again], "{path}");
    }
    let icon = format!("{address}/assets/icon.png");
    let found = unfolded("/play/replay/pig/roll.~4").await;
    assert_eq!(
        found,
        ["Pig, replayed", icon.as_str(), again],
        "a game without a board has the icon"
    );
    for path in ["/play/game/chess", "/play/replay/tic-tac-toe/a1.a1", "/play/watch"] {
        assert_eq!(unfolded(path).await, ["Play", "/assets/icon.png", "Old"], "{path}");
    }
}

#[tokio::test]
async fn the_board_of_a_link_is_a_picture() {
    let server = start().await;
    let created = server.create(&serde_json::json!({"game": "tic-tac-toe", "name": "Ada"})).await;
    let table = format!("/preview/table/{}", created["id"].as_str().expect("a table has an id"));
    let paths = [
        &table,
        "/preview/game/ultimate",
        "/preview/replay/tic-tac-toe/a1.a2.b1.b2.c1",
        "/preview/replay/tic-tac-toe/a1.a2.b1.b2.c1/2",
    ];
    for path in paths {
        let answer = server.get(path).send().await;
        assert_eq!((answer.status, answer.header("content-type")), (200, "image/png"), "{path}");
    }
    let nowhere = server.get("/preview/table/AAAAAAAAAAAAAAAAAAAAAA").send().await;
    assert_eq!(nowhere.problem(404), "no_table");
    for path in [
        "/preview/game/chess",
        "/preview/game/pig",
        "/preview/replay/tic-tac-toe/a1.a1",
        "/preview/replay/tic-tac-toe/a1/x",
    ] {
        assert_eq!(server.get(path).send().await.problem(404), "not_found", "{path}");
    }
}
