//! Connecting to a cluster, and what it must promise.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_nats::{ConnectOptions, Event};
use serde_json::{Value, json};
use tokio::sync::watch;

use super::api::{ApiError, JetStreamApi, RequestFailure};
use super::log_stream::Attempts;
use super::monitoring::{self, MonitoredServer};
use super::nats_open_error::NatsOpenError;
use super::nats_settings::NatsSettings;

/// The oldest version of NATS that works: an older one does not expire single messages, or lists no flushing.
const OLDEST: &str = "2.12.0";

/// How often a silent connection is tested: two tests without an answer end it.
const PING: Duration = Duration::from_secs(3);

/// The longest pause between two attempts to connect again.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// How long a stream that cannot be created is tried again.
const CREATION_PATIENCE: Duration = Duration::from_secs(1);

/// Connects to a cluster, with the files that the settings name.
pub(super) async fn connect(settings: &NatsSettings) -> Result<JetStreamApi, NatsOpenError> {
    let address = settings.address.to_string();
    let (gap, gaps) = watch::channel(0);
    let gap = Arc::new(gap);
    let mut options = ConnectOptions::new()
        .name("cats-cradle")
        .event_callback(move |event| {
            let gap = Arc::clone(&gap);
            async move {
                if matches!(event, Event::Connected | Event::SlowConsumer(_)) {
                    gap.send_modify(|gaps| *gaps += 1);
                }
            }
        })
        .ping_interval(PING)
        .max_reconnects(None)
        .reconnect_delay_callback(|attempts| {
            let attempts = u32::try_from(attempts).unwrap_or(u32::MAX);
            LONGEST_PAUSE.min(Duration::from_millis(50).saturating_mul(attempts))
        });
    if let Some(path) = &settings.credentials {
        options = match options.credentials_file(path).await {
            Ok(options) => options,
            Err(error) => return Err(unusable(path, &error.to_string())),
        };
    }
    let identity = settings.identity.iter().flat_map(|(certificate, key)| [certificate, key]);
    for path in settings.authority.iter().chain(identity) {
        // The library would fail at the first connection only, and not name the file.
        std::fs::read(path).map_err(|error| unusable(path, &error.to_string()))?;
    }
    if let Some(path) = &settings.authority {
        options = options.add_root_certificates(path.clone()).require_tls(true);
    }
    if let Some((certificate, key)) = &settings.identity {
        options = options.add_client_certificate(certificate.clone(), key.clone());
    }
    let connected = options.connect(settings.address.servers()).await;
    let client = connected
        .map_err(|error| NatsOpenError::NotConnected { address, why: error.to_string() })?;
    let info = client.server_info();
    let is_encrypted =
        settings.authority.is_some() || settings.address.is_encrypted() || info.tls_required;
    for warning in warnings(settings, is_encrypted) {
        tracing::warn!("{warning}");
    }
    check_version(info.version)?;
    Ok(JetStreamApi::new(client, gaps))
}

fn unusable(path: &Path, why: &str) -> NatsOpenError {
    NatsOpenError::UnusableFile { path: path.display().to_string(), why: why.to_owned() }
}

fn check_version(found: String) -> Result<(), NatsOpenError> {
    if version(&found) < version(OLDEST) {
        return Err(NatsOpenError::TooOld { found, wanted: OLDEST });
    }
    Ok(())
}

/// What the settings allow and operators may not want.
fn warnings(settings: &NatsSettings, is_encrypted: bool) -> Vec<&'static str> {
    let (monitors, replicas) = (settings.monitors.len(), settings.replicas);
    let all = [
        (
            replicas == 1,
            "one NATS server keeps each move, so that moves are lost with its disk: use --nats-replicas 3 \
             unless this is a trial",
        ),
        (
            monitors == 0,
            "it is not known whether the NATS servers flush every move to disk: set `sync_interval: always` \
             there, and name their monitoring addresses to have it checked",
        ),
        (
            monitors > 0 && monitors < replicas,
            "fewer monitoring addresses are named than NATS servers keep each move: the settings and the \
             version of the others are not checked",
        ),
        (
            settings.credentials.is_some() && !is_encrypted,
            "the connection to NATS is not encrypted, although credentials are used: others on the network may \
             read and change it. Write tls:// instead of nats://, or name --nats-authority",
        ),
    ];
    all.into_iter().filter_map(|(is_so, warning)| is_so.then_some(warning)).collect()
}

/// The numbers of a version; those of `2.12.0-preview.1` are those of `2.12.0`.
fn version(text: &str) -> Vec<u32> {
    let text = text.split('-').next().unwrap_or_default();
    text.split('.').map(|part| part.parse().unwrap_or_default()).collect()
}

/// Checks that acknowledged entries are on disk, and the versions of all servers, where monitoring addresses tell it.
pub(super) async fn check_servers(settings: &NatsSettings) -> Result<(), NatsOpenError> {
    for monitor in &settings.monitors {
        match monitoring::ask(monitor).await {
            Ok(MonitoredServer { version, flushes: true }) => check_version(version)?,
            Ok(_) => return Err(NatsOpenError::NotFlushed { monitor: monitor.clone() }),
            // A server that is down must not keep this one from starting.
            Err(why) => {
                tracing::warn!(
                    monitor,
                    why,
                    "a NATS server does not say whether it flushes every move"
                );
            }
        }
    }
    Ok(())
}

/// What the two streams are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StreamKind {
    /// All messages are kept.
    Logs,
    /// The last message of each subject is kept.
    State,
}

impl StreamKind {
    const fn messages_per_subject(self) -> i64 {
        match self {
            Self::Logs => -1,
            Self::State => 1,
        }
    }
}

/// Checks that the streams of a journal exist, so that they are not created.
pub(super) async fn check_existence(
    api: &JetStreamApi,
    settings: &NatsSettings,
    streams: [&String; 2],
) -> Result<(), NatsOpenError> {
    for name in streams {
        match api.call(&format!("STREAM.INFO.{name}"), &json!({})).await {
            Err(RequestFailure::Refused(error)) if error.err_code == ApiError::NO_STREAM => {
                return Err(NatsOpenError::NoJournal { prefix: settings.prefix.clone() });
            }
            found => found?,
        };
    }
    Ok(())
}

/// Creates a stream if it does not exist, and checks its settings.
pub(super) async fn open_stream(
    api: &JetStreamApi,
    settings: &NatsSettings,
    name: &str,
    subjects: &str,
    kind: StreamKind,
) -> Result<(), NatsOpenError> {
    let mut attempts = Attempts::new(CREATION_PATIENCE);
    let found = loop {
        match api.call(&format!("STREAM.INFO.{name}"), &json!({})).await {
            Err(RequestFailure::Refused(error)) if error.err_code == ApiError::NO_STREAM => {}
            found => break found?,
        }
        let config = new_stream(name, subjects, settings.replicas, kind);
        match api.call(&format!("STREAM.CREATE.{name}"), &config).await {
            Ok(created) => break created,
            // Another server may be creating it.
            Err(RequestFailure::Refused(_)) if attempts.again().await => {}
            Err(failure) => return Err(not_created(name, settings.replicas, &failure)),
        }
    };
    check_stream(&found["config"], subjects, settings.replicas, kind)
        .map_err(|why| NatsOpenError::UnsafeStream { stream: name.to_owned(), why })
}

/// The settings of a new stream.
fn new_stream(name: &str, subjects: &str, replicas: usize, kind: StreamKind) -> Value {
    json!({
        "name": name,
        "subjects": [subjects],
        "retention": "limits",
        "storage": "file",
        "discard": "old",
        "max_msgs_per_subject": kind.messages_per_subject(),
        "num_replicas": replicas,
        // Logs are read from any replica; the leader says how far.
        "allow_direct": true,
        "allow_msg_ttl": kind == StreamKind::State,
    })
}

fn not_created(name: &str, replicas: usize, failure: &RequestFailure) -> NatsOpenError {
    let why = format!("the stream {name} with {replicas} replicas cannot be created: {failure}");
    NatsOpenError::NoJetStream { why }
}

/// Checks the settings of a stream that exists.
fn check_stream(
    config: &Value,
    subjects: &str,
    replicas: usize,
    kind: StreamKind,
) -> Result<(), String> {
    let stored = config["subjects"].as_array();
    if !stored.is_some_and(|stored| stored.iter().any(|stored| stored == subjects)) {
        return Err(format!("it does not store {subjects}"));
    }
    let number = |name: &str| config[name].as_i64().unwrap_or_default();
    let found = number("num_replicas");
    if u64::try_from(found).unwrap_or_default() < replicas as u64 {
        return Err(format!("it has {found} replicas, and {replicas} are wanted"));
    }
    if config["storage"] != "file" {
        return Err("it is kept in memory".to_owned());
    }
    if config["retention"] != "limits" {
        return Err(format!("its retention is {}, and not limits", config["retention"]));
    }
    for limit in ["max_msgs", "max_bytes", "max_age"] {
        if number(limit) > 0 {
            return Err(format!("it forgets messages, because {limit} is {}", number(limit)));
        }
    }
    for limit in ["max_msg_size", "max_consumers"] {
        if number(limit) > 0 {
            return Err(format!(
                "it refuses what servers need, because {limit} is {}",
                number(limit)
            ));
        }
    }
    let per_subject = number("max_msgs_per_subject").max(-1);
    let is_unlimited = kind == StreamKind::Logs && per_subject <= 0;
    if per_subject != kind.messages_per_subject() && !is_unlimited {
        let wanted = kind.messages_per_subject();
        return Err(format!("max_msgs_per_subject is {per_subject}, and not {wanted}"));
    }
    if config["persist_mode"] == "async" {
        return Err("it acknowledges messages before they are on disk (persist_mode)".to_owned());
    }
    for setting in ["no_ack", "sealed", "deny_purge"] {
        if config[setting] == true {
            return Err(format!("{setting} is set"));
        }
    }
    if config["allow_direct"] != true {
        return Err("allow_direct is not set".to_owned());
    }
    if kind == StreamKind::State && config["allow_msg_ttl"] != true {
        return Err("allow_msg_ttl is not set".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn safe(kind: StreamKind) -> Value {
        json!({
            "subjects": ["cradle.log.>"], "retention": "limits", "storage": "file",
            "max_msgs": -1, "max_bytes": -1, "max_age": 0, "max_msg_size": -1, "max_consumers": -1,
            "max_msgs_per_subject": kind.messages_per_subject(), "num_replicas": 3, "allow_direct": true,
            "allow_msg_ttl": true, "no_ack": false, "sealed": false, "deny_purge": false,
        })
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        for found in ["2.12.0", "2.12.0-preview.1", "2.15.1", "3.0.0"] {
            assert!(version(found) >= version(OLDEST), "{found}");
        }
        for found in ["2.9.10", "2.11.12", "1.99.99", ""] {
            assert!(version(found) < version(OLDEST), "{found}");
            let refused = check_version(found.to_owned());
            assert!(matches!(refused, Err(NatsOpenError::TooOld { found: it, .. }) if it == found));
        }
    }

    #[test]
    fn operators_are_warned_of_what_they_may_not_want() {
        let check = |settings: &NatsSettings, is_encrypted, expected: &[&str]| {
            let found = warnings(settings, is_encrypted);
            let is_expected = |(found, expected): (&&str, &&str)| found.contains(expected);
            let same = found.len() == expected.len() && found.iter().zip(expected).all(is_expected);
            assert!(same, "{found:?}");
        };
        let mut settings = NatsSettings::new("nats://a:4222".parse().unwrap());
        check(&settings, false, &["sync_interval"]);
        settings.monitors = vec!["a:8222".to_owned(); 2];
        check(&settings, false, &["fewer monitoring addresses"]);
        settings.monitors = vec!["a:8222".to_owned(); 3];
        check(&settings, false, &[]);
        settings.credentials = Some("a.creds".into());
        check(&settings, false, &["not encrypted"]);
        check(&settings, true, &[]);
        settings.replicas = 1;
        check(&settings, true, &["one NATS server"]);
    }

    #[test]
    fn a_stream_that_forgets_is_refused() {
        for kind in [StreamKind::Logs, StreamKind::State] {
            assert_eq!(check_stream(&safe(kind), "cradle.log.>", 3, kind), Ok(()));
        }
        let changes = [
            ("subjects", json!(["cradle.log.a.>"]), "it does not store cradle.log.>"),
            ("num_replicas", json!(1), "it has 1 replicas, and 3 are wanted"),
            ("storage", json!("memory"), "it is kept in memory"),
            ("retention", json!("workqueue"), "its retention is \"workqueue\", and not limits"),
            ("max_age", json!(60), "it forgets messages, because max_age is 60"),
            ("max_msgs", json!(9), "it forgets messages, because max_msgs is 9"),
            ("max_bytes", json!(9), "it forgets messages, because max_bytes is 9"),
            ("max_msgs_per_subject", json!(5), "max_msgs_per_subject is 5, and not -1"),
            (
                "persist_mode",
                json!("async"),
                "it acknowledges messages before they are on disk (persist_mode)",
            ),
            ("max_msg_size", json!(9), "it refuses what servers need, because max_msg_size is 9"),
            ("max_consumers", json!(2), "it refuses what servers need, because max_consumers is 2"),
            ("no_ack", json!(true), "no_ack is set"),
            ("allow_direct", json!(false), "allow_direct is not set"),
        ];
        for (name, value, why) in changes {
            let mut config = safe(StreamKind::Logs);
            config[name] = value;
            let checked = check_stream(&config, "cradle.log.>", 3, StreamKind::Logs);
            assert_eq!(checked, Err(why.to_owned()));
        }
    }
}
