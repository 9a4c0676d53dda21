//! Encrypted connections.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::json;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::http::{TestRequest, TestResponse, exchange};
use crate::socket::{Socket, request};
use crate::test_server::{Setup, TestServer, pass, soon};

/// The files of a new certificate.
struct Files {
    _folder: tempfile::TempDir,
    certificate: PathBuf,
    key: PathBuf,
}

fn new_certificate() -> (Files, CertificateDer<'static>) {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()])
        .expect("the certificate can be created");
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let (certificate, key) = (folder.path().join("certificate.pem"), folder.path().join("key.pem"));
    std::fs::write(&certificate, made.cert.pem()).expect("the file can be written");
    std::fs::write(&key, made.signing_key.serialize_pem()).expect("the file can be written");
    (Files { _folder: folder, certificate, key }, made.cert.der().clone())
}

/// A server with a new certificate, and that certificate.
async fn encrypted() -> (TestServer, CertificateDer<'static>) {
    let (files, trusted) = new_certificate();
    let (certificate, key) = (&files.certificate, &files.key);
    let tls = server::Tls::load(certificate, key).expect("the key belongs to the certificate");
    assert!(server::Tls::load(key, certificate).is_err(), "the files are swapped");
    (Setup::new().tls(Arc::new(tls)).start().await, trusted)
}

async fn connect(
    server: &TestServer,
    trusted: Option<&CertificateDer<'static>>,
    protocol: &[u8],
) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(trusted.cloned());
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.expect("the default versions are supported").with_root_certificates(roots);
    let mut config = config.with_no_client_auth();
    config.alpn_protocols = vec![protocol.to_vec()];
    let stream = TcpStream::connect(server.address).await?;
    let name = "localhost".try_into().expect("the name is valid");
    soon(TlsConnector::from(Arc::new(config)).connect(name, stream)).await
}

#[tokio::test]
async fn requests_and_sockets_work_over_encrypted_connections() {
    let (server, certificate) = encrypted().await;
    let stream = connect(&server, Some(&certificate), b"http/1.1").await.unwrap();
    let ask = TestRequest::new(server.address, "POST", "/api/tables").json(&json!({"game": "pig"}));
    let created = TestResponse::read(exchange(stream, ask.request()).await).await;
    assert_eq!(created.header("strict-transport-security"), "max-age=15552000");
    let created = created.of(201);
    let stream = connect(&server, Some(&certificate), b"http/1.1").await.unwrap();
    let mut socket = Socket::over(Box::new(stream), request(server.address)).await.unwrap();
    let topic = format!("table:{}", created["id"].as_str().unwrap());
    assert_eq!(socket.join(&topic, json!({})).await.unwrap()["version"], 1);
}

#[tokio::test]
async fn a_client_that_does_not_trust_the_certificate_does_not_connect() {
    let (server, certificate) = encrypted().await;
    assert!(connect(&server, None, b"http/1.1").await.is_err());
    connect(&server, Some(&certificate), b"http/1.1").await.unwrap();
}

/// Sends a request over HTTP/2, as browsers do: the host is in the URI and not in a header.
async fn ask_as_a_page(
    server: &TestServer,
    certificate: &CertificateDer<'static>,
    origin: &str,
) -> TestResponse {
    let stream = connect(server, Some(certificate), b"h2").await.expect("the server speaks HTTP/2");
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
            .await
            .expect("the server speaks HTTP/2");
    tokio::spawn(connection);
    let request = hyper::Request::post(format!("https://{}/api/tables", server.address))
        .header("origin", origin)
        .header("content-type", "application/json")
        .body(Full::<Bytes>::from(json!({"game": "pig"}).to_string()))
        .expect("the request is valid");
    let response = soon(sender.send_request(request)).await.expect("the server answers");
    TestResponse::read(response).await
}

#[tokio::test]
async fn a_browser_that_speaks_http_2_may_create_a_table_from_our_own_page() {
    let (server, certificate) = encrypted().await;
    let own = format!("https://{}", server.address);
    ask_as_a_page(&server, &certificate, &own).await.of(201);
    let foreign = ask_as_a_page(&server, &certificate, "https://evil.example").await;
    assert_eq!(foreign.problem(403), "foreign");
}

#[tokio::test]
async fn an_idle_connection_over_http_2_is_closed() {
    let (server, certificate) = encrypted().await;
    let stream = connect(&server, Some(&certificate), b"h2").await.unwrap();
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
            .await
            .unwrap();
    let connection = tokio::spawn(connection);
    let mut ask = async || {
        let request = hyper::Request::get(format!("https://{}/healthz", server.address));
        let request = request.body(Full::<Bytes>::default()).unwrap();
        soon(sender.send_request(request)).await.unwrap().status().as_u16()
    };
    assert_eq!(ask().await, 200);
    pass(Duration::from_secs(50)).await;
    assert_eq!(ask().await, 200, "the connection is still open");
    pass(Duration::from_secs(200)).await;
    assert!(soon(connection).await.is_ok(), "the connection is closed");
}

#[tokio::test]
async fn a_new_certificate_is_used_for_new_connections() {
    let ((old, old_trusted), (new, new_trusted)) = (new_certificate(), new_certificate());
    let tls = Arc::new(server::Tls::load(&old.certificate, &old.key).unwrap());
    let server = Setup::new().tls(Arc::clone(&tls)).start().await;
    let connects = async |trusted| connect(&server, Some(trusted), b"http/1.1").await.is_ok();
    assert_eq!([connects(&old_trusted).await, connects(&new_trusted).await], [true, false]);
    assert!(tls.reload(&new.certificate, &old.key).is_err(), "they do not belong together");
    assert_eq!([connects(&old_trusted).await, connects(&new_trusted).await], [true, false]);
    tls.reload(&new.certificate, &new.key).unwrap();
    assert_eq!([connects(&old_trusted).await, connects(&new_trusted).await], [false, true]);
}
