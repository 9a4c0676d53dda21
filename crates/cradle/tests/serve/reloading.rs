//! Settings that a server reads again when it gets SIGHUP.

use std::fs::{self, File};
use std::io::Write as _;
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;

use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::process::Process;

/// A server with the settings in a file of this folder.
fn start(folder: &Path, more: &[&str]) -> Process {
    let (config, data) = (folder.join("cradle.toml"), folder.join("data"));
    let given = [
        "--config",
        config.to_str().expect("the path is text"),
        "--data",
        data.to_str().expect("the path is text"),
    ];
    Process::start_with(&[&given[..], more].concat())
}

fn write(folder: &Path, settings: &str) {
    fs::write(folder.join("cradle.toml"), settings).expect("the file can be written");
}

/// Whether the server creates a table for a page of another site.
fn status(server: &Process) -> String {
    let created = server.request("POST", "/api/tables", r#"{"game":"tic-tac-toe"}"#);
    created.split(' ').nth(1).unwrap_or_default().to_owned()
}

#[test]
fn new_limits_are_used_after_sighup_and_mistakes_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "");
    let server = start(folder.path(), &[]);
    assert_eq!(status(&server), "201");
    write(folder.path(), "[limits]\ntables_at_once = 0\n");
    assert_eq!(status(&server), "201", "nobody has told the server");
    server.signal("HUP");
    server.wait_until("the limit is used", |server| status(server) == "429");
    for mistake in ["[limits]\ntables_at_onse = 9\n", "origins = [\"play\"]\n", "listen ="] {
        write(folder.path(), mistake);
        server.signal("HUP");
        // A request that follows the signal may overtake it, so the log decides when it was read.
        assert_eq!(status(&server), "429", "{mistake}");
    }
    write(folder.path(), "");
    server.signal("HUP");
    server.wait_until("the limit is used", |server| status(server) == "201");
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn a_mistake_in_the_settings_is_logged() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "");
    let log = folder.path().join("log");
    let data = folder.path().join("data");
    let config = folder.path().join("cradle.toml");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cradle"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--config"]).arg(&config);
    command.arg("--data").arg(data).stderr(File::create(&log).unwrap());
    let server = Process::spawn(command);
    write(folder.path(), "[limits]\nmoon = 1\n");
    server.signal("HUP");
    let has = |words: &str| fs::read_to_string(&log).unwrap().contains(words);
    server.wait_until("the mistake is logged", |_| has("the old ones stay in use"));
    assert!(has("moon"), "{}", fs::read_to_string(&log).unwrap());
    write(folder.path(), "listen = \"127.0.0.1:1\"\n");
    server.signal("HUP");
    server.wait_until("it is read again", |_| has("the settings were read again"));
    assert!(!has("this setting changes when"), "the flag overrides the file");
    assert_eq!(server.stop(), Some(0));
}

/// Writes a new certificate and its key to the folder.
fn new_certificate(folder: &Path) -> CertificateDer<'static> {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()])
        .expect("a certificate can be made");
    fs::write(folder.join("certificate.pem"), made.cert.pem()).expect("the file can be written");
    fs::write(folder.join("key.pem"), made.signing_key.serialize_pem())
        .expect("the file can be written");
    made.cert.der().clone()
}

/// Whether the server shows this certificate.
fn shows(server: &Process, trusted: &CertificateDer<'static>) -> bool {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).expect("the certificate is sound");
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the protocol is known")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = "localhost".try_into().expect("it is a name");
    let connection = ClientConnection::new(Arc::new(config), name).expect("the settings are sound");
    let stream = TcpStream::connect(&server.address).expect("the server listens");
    StreamOwned::new(connection, stream).write_all(b"GET /healthz HTTP/1.0\r\n\r\n").is_ok()
}

#[test]
fn a_new_certificate_is_used_after_sighup() {
    let folder = tempfile::tempdir().unwrap();
    let old = new_certificate(folder.path());
    let files = ["certificate.pem", "key.pem"].map(|name| folder.path().join(name));
    let [certificate, key] = files.each_ref().map(|path| path.to_str().unwrap());
    write(folder.path(), "");
    let server = start(folder.path(), &["--tls-certificate", certificate, "--tls-key", key]);
    assert!(shows(&server, &old));
    // Half of the files: they do not belong together.
    let old_key = fs::read(&files[1]).unwrap();
    let new = new_certificate(folder.path());
    let new_key = fs::read(&files[1]).unwrap();
    fs::write(&files[1], old_key).unwrap();
    server.signal("HUP");
    assert!(shows(&server, &old) && !shows(&server, &new));
    fs::write(&files[1], new_key).unwrap();
    server.signal("HUP");
    server.wait_until("the new certificate is used", |server| shows(server, &new));
    assert!(!shows(&server, &old));
    assert_eq!(server.stop(), Some(0));
}
