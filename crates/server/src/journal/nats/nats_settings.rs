//! Where the servers of NATS are, and how to reach them.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// How a journal in JetStream is reached, and what it must promise.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NatsSettings {
    /// The servers.
    pub address: NatsAddress,
    /// The first word of all subjects, and of the names of both streams. Installations with different
    /// words share a cluster without seeing each other.
    pub prefix: String,
    /// The number of servers that must keep each entry.
    pub replicas: usize,
    /// The file with the credentials, as `nsc` writes it.
    pub credentials: Option<PathBuf>,
    /// The certificates that are trusted, in PEM form. Connections are encrypted.
    pub authority: Option<PathBuf>,
    /// The certificate and the key by which the servers know this one, in PEM form.
    pub identity: Option<(PathBuf, PathBuf)>,
    /// The monitoring addresses of the servers, as in `127.0.0.1:8222`, which tell whether entries are
    /// flushed to disk before they are acknowledged.
    pub monitors: Vec<String>,
    /// The kinds of entries that this server does not write yet, because an older one could not read them.
    pub held_kinds: Vec<String>,
}

/// The addresses of the servers of a cluster: `nats://a:4222,b:4222`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NatsAddress(Vec<String>);

/// The text does not name the servers of a cluster.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidNatsAddress {
    /// It names no server, or something else.
    #[error("{0:?} does not name servers of NATS, as in nats://10.0.0.1:4222,10.0.0.2:4222")]
    NoServers(String),
    /// It has a name or a password in it.
    #[error(
        "an address of NATS must not have a name or a password in it, because addresses are logged: put \
         them into a file of credentials"
    )]
    HasSecret,
}

impl NatsSettings {
    /// Three replicas, without encryption and without credentials.
    #[must_use]
    pub fn new(address: NatsAddress) -> Self {
        Self {
            address,
            prefix: "cradle".to_owned(),
            replicas: 3,
            credentials: None,
            authority: None,
            identity: None,
            monitors: Vec::new(),
            held_kinds: Vec::new(),
        }
    }
}

impl NatsAddress {
    /// Each server as a URL.
    pub(super) fn servers(&self) -> &[String] {
        &self.0
    }

    /// Whether connections must be encrypted.
    pub(super) fn is_encrypted(&self) -> bool {
        self.0.iter().all(|server| server.starts_with("tls://"))
    }
}

impl FromStr for NatsAddress {
    type Err = InvalidNatsAddress;

    fn from_str(text: &str) -> Result<Self, InvalidNatsAddress> {
        if text.contains('@') {
            return Err(InvalidNatsAddress::HasSecret);
        }
        let wrong = || InvalidNatsAddress::NoServers(text.to_owned());
        let (scheme, hosts) = text.split_once("://").ok_or_else(wrong)?;
        if !matches!(scheme, "nats" | "tls") {
            return Err(wrong());
        }
        let is_plain = |byte: u8| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b':' | b'[' | b']')
        };
        let server = |host: &str| {
            let host = host.trim();
            let host = host
                .strip_prefix("nats://")
                .or_else(|| host.strip_prefix("tls://"))
                .unwrap_or(host);
            let is_host = !host.is_empty() && host.bytes().all(is_plain);
            if is_host { Ok(format!("{scheme}://{host}")) } else { Err(wrong()) }
        };
        hosts.split(',').map(server).collect::<Result<_, _>>().map(Self)
    }
}

impl fmt::Display for NatsAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_all_servers() {
        let address: NatsAddress =
            "nats://a:4222, nats://b,10.0.0.3:4223,[::1]:4222".parse().unwrap();
        let all = ["nats://a:4222", "nats://b", "nats://10.0.0.3:4223", "nats://[::1]:4222"];
        assert_eq!(address.servers(), all);
        assert_eq!(address.to_string().parse(), Ok(address));
    }

    #[test]
    fn other_texts_and_passwords_are_refused() {
        for text in ["", "nats", "nats://", "nats://a,,b", "http://a:4222", "nats://a/b"] {
            let refused = text.parse::<NatsAddress>();
            assert_eq!(refused, Err(InvalidNatsAddress::NoServers(text.to_owned())), "{text}");
        }
        let secret = "nats://ada:lovelace@a:4222".parse::<NatsAddress>();
        assert_eq!(secret, Err(InvalidNatsAddress::HasSecret));
    }
}
