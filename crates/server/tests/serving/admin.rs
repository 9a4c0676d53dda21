//! The listener for operators.

use crate::http::TestRequest;
use crate::test_server::{ADMIN_TOKEN, Setup, TestServer};

async fn check(ask: TestRequest, status: u16) {
    assert_eq!(ask.send().await.status, status);
}

#[tokio::test]
async fn operators_show_a_token_except_for_probes() {
    let server = TestServer::usual().await;
    let refused = server.admin_get("/metrics").send().await;
    assert_eq!(refused.header("www-authenticate"), "Bearer");
    assert_eq!(refused.problem(401), "bad_token");
    for wrong in ["", "moon", ADMIN_TOKEN.get(1..).unwrap(), &ADMIN_TOKEN.to_uppercase()] {
        check(server.admin_get("/metrics").bearer(wrong), 401).await;
        check(server.admin_get("/nothing").bearer(wrong), 401).await;
    }
    let metrics = server.admin_get("/metrics").bearer(ADMIN_TOKEN).send().await;
    assert!(metrics.text.contains("cradle_live_tables 0"), "{}", metrics.text);
    check(server.admin_get("/nothing").bearer(ADMIN_TOKEN), 404).await;
    for probe in ["/healthz", "/readyz"] {
        check(server.admin_get(probe), 200).await;
        check(server.get(probe), 200).await;
    }
    check(server.admin_get("/api/tables").bearer(ADMIN_TOKEN), 404).await;
}

#[tokio::test]
async fn the_scheme_of_the_token_may_be_in_any_case() {
    let server = TestServer::usual().await;
    for scheme in ["bearer", "BEARER"] {
        let value = format!("{scheme} {ADMIN_TOKEN}");
        check(server.admin_get("/metrics").header("authorization", &value), 200).await;
    }
    let basic = format!("Basic {ADMIN_TOKEN}");
    check(server.admin_get("/metrics").header("authorization", &basic), 401).await;
}

#[tokio::test]
async fn with_an_admin_listener_the_public_one_has_no_metrics() {
    let server = TestServer::usual().await;
    let refused = server.get("/metrics").send().await;
    assert_eq!(refused.problem(404), "not_found");
    assert!(refused.text.contains("its address is the one in"), "{}", refused.text);
    check(server.get("/metrics").bearer(ADMIN_TOKEN), 404).await;
}

#[tokio::test]
async fn without_an_admin_listener_metrics_are_for_this_machine_alone() {
    let server = Setup::new().without_admin().start().await;
    check(server.get("/metrics"), 200).await;
    // A proxy on this machine has a loopback address, too.
    for header in ["x-forwarded-for", "forwarded", "via"] {
        check(server.get("/metrics").header(header, "127.0.0.1"), 404).await;
    }
    let behind = Setup::new().without_admin().behind_proxy().start().await;
    check(behind.get("/metrics"), 404).await;
}

#[tokio::test]
async fn probes_are_never_refused_for_their_rate() {
    let setup = Setup::new().limit("requests_per_second", 1).limit("requests_at_once", 1);
    let server = setup.start().await;
    check(server.get("/api/tables"), 200).await;
    check(server.get("/api/tables"), 429).await;
    for _ in 0..20 {
        check(server.get("/healthz"), 200).await;
        check(server.get("/readyz"), 200).await;
        check(server.admin_get("/metrics").bearer(ADMIN_TOKEN), 200).await;
    }
}
