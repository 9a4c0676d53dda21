//! A NATS server that asks for credentials.

use std::fs;
use std::path::Path;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use nkeys::KeyPair;
use serde_json::{Value, json};
use server::{DeleteOutcome, Journal as _, NatsJournal, NatsOpenError};

use crate::fixtures::{fill, log, table};
use crate::nats_server::{Flushing, NatsServer};

/// Accounts of a NATS server, as an operator makes them with `nsc`.
struct NatsAccounts {
    operator: KeyPair,
    /// The account that may use streams.
    account: KeyPair,
    /// The account of the server itself.
    system: KeyPair,
}

impl NatsAccounts {
    fn new() -> Self {
        Self {
            operator: KeyPair::new_operator(),
            account: KeyPair::new_account(),
            system: KeyPair::new_account(),
        }
    }

    /// The part of the configuration of a server that trusts these accounts.
    fn settings(&self) -> String {
        let operator = token(&self.operator, &self.operator, &json!({"type": "operator"}));
        let [account, system] = [(&self.account, -1), (&self.system, 0)].map(|(account, storage)| {
            let limits = json!({
                "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true,
                "conn": -1, "leaf": -1, "mem_storage": storage, "disk_storage": storage,
                "streams": storage, "consumer": storage,
            });
            let claims = json!({"type": "account", "limits": limits});
            format!("{}: {}", account.public_key(), token(account, &self.operator, &claims))
        });
        let system_key = self.system.public_key();
        format!(
            "operator: {operator}\nsystem_account: {system_key}\nresolver: MEMORY\n\
             resolver_preload: {{ {account}, {system} }}"
        )
    }

    /// Writes credentials of a new user into a file, as `nsc` does.
    fn write_credentials(&self, file: &Path) {
        let user = KeyPair::new_user();
        // What `docs/cluster.md` asks for.
        let [publish, subscribe] =
            [&["$JS.API.>", "_INBOX.>", "ours.>"][..], &["_INBOX.>", "ours.>"][..]]
                .map(|subjects| json!({"allow": subjects}));
        let claims = json!({
            "type": "user", "pub": publish, "sub": subscribe, "subs": -1, "data": -1, "payload": -1,
        });
        let (token, seed) =
            (token(&user, &self.account, &claims), user.seed().expect("a new key has a seed"));
        let text = format!(
            "-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n\
             -----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
        );
        fs::write(file, text).expect("the file can be written");
    }
}

/// What an issuer says about a key, signed.
fn token(about: &KeyPair, issuer: &KeyPair, claims: &Value) -> String {
    let mut claims = claims.clone();
    claims["version"] = json!(2);
    let claims = json!({
        "jti": "test", "iat": 1, "iss": issuer.public_key(), "sub": about.public_key(), "name": "test",
        "nats": claims,
    });
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let said = format!("{}.{}", part(&json!({"typ": "JWT", "alg": "ed25519-nkey"})), part(&claims));
    let signature = issuer.sign(said.as_bytes()).expect("a new key can sign");
    format!("{said}.{}", URL_SAFE_NO_PAD.encode(signature))
}

#[tokio::test]
async fn credentials_come_from_a_file_and_others_are_refused() {
    let accounts = NatsAccounts::new();
    let started = NatsServer::start_with(Flushing::Always, &accounts.settings());
    let Some(server) = started else { return };
    let mut settings = server.settings("ours");
    let refused = NatsJournal::open(&settings).await;
    assert!(matches!(refused, Err(NatsOpenError::NotConnected { .. })), "there are none");
    let folder = tempfile::tempdir().unwrap();
    let [ours, foreign] = ["ours.creds", "foreign.creds"].map(|name| folder.path().join(name));
    NatsAccounts::new().write_credentials(&foreign);
    settings.credentials = Some(foreign);
    let refused = NatsJournal::open(&settings).await;
    assert!(
        matches!(refused, Err(NatsOpenError::NotConnected { .. })),
        "another operator made them"
    );
    accounts.write_credentials(&ours);
    settings.credentials = Some(ours);
    let opened = tokio::join!(NatsJournal::open(&settings), NatsJournal::open(&settings));
    let [first, second] = [opened.0, opened.1].map(|opened| opened.expect("the journal opens"));
    fill(&first, table(1), 3).await;
    assert_eq!(log(&second, table(1)).await.len(), 3);
    assert_eq!(second.delete(table(1), 3).await, Ok(DeleteOutcome::Deleted));
    // Servers may ask each other.
    let mut questions = first.answer_questions("poll").await.expect("others can ask");
    let asking = second.ask("poll", "what is new?".to_owned(), Duration::from_secs(10));
    let answering = async {
        let asked = questions.recv().await.expect("another server asks");
        asked.answer.send("a move".to_owned()).expect("the other server waits");
    };
    assert_eq!(tokio::join!(asking, answering).0.as_deref(), Some("a move"));
}
