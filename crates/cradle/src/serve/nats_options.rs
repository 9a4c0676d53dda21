//! How the cluster of NATS servers is reached: from flags, the environment and a file.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use serde::Deserialize;
use server::NatsSettings;
use table::Entry;

use super::settings::Environment;

/// The flags of `cradle serve` about NATS, which are also the fields of the table `nats` in the file.
#[expect(clippy::doc_markdown, reason = "these comments are what --help prints")]
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NatsOptions {
    /// The file with the credentials for NATS, as nsc writes it [env: CRADLE_NATS_CREDENTIALS]
    #[arg(long = "nats-credentials", value_name = "FILE")]
    credentials: Option<PathBuf>,

    /// The certificates of NATS to trust, in PEM form; connections to it are encrypted then
    /// [env: CRADLE_NATS_AUTHORITY]
    #[arg(long = "nats-authority", value_name = "FILE")]
    authority: Option<PathBuf>,

    /// The certificate that NATS asks for, in PEM form [env: CRADLE_NATS_CERTIFICATE]
    #[arg(long = "nats-certificate", value_name = "FILE")]
    certificate: Option<PathBuf>,

    /// The key of that certificate in PEM form [env: CRADLE_NATS_KEY]
    #[arg(long = "nats-key", value_name = "FILE")]
    key: Option<PathBuf>,

    /// How many NATS servers keep each move [default: 3] [env: CRADLE_NATS_REPLICAS]
    #[arg(long = "nats-replicas", value_name = "NUMBER")]
    replicas: Option<usize>,

    /// The first word of all names in NATS [default: cradle] [env: CRADLE_NATS_PREFIX]
    #[arg(long = "nats-prefix", value_name = "WORD")]
    prefix: Option<String>,

    /// The monitoring addresses of the NATS servers, with commas, as in 10.0.0.1:8222: they tell
    /// whether every move is flushed to disk [env: CRADLE_NATS_MONITORS]
    #[arg(long = "nats-monitors", value_name = "ADDRESSES")]
    monitors: Option<String>,

    /// The kinds of entries that this server does not write yet, with commas: while servers that do
    /// not know them are being replaced [env: CRADLE_NATS_HOLD]
    #[arg(long = "nats-hold", value_name = "KINDS")]
    hold: Option<String>,
}

/// The variables that say the same as the flags.
pub(super) const NATS_VARIABLES: [&str; 8] = [
    "CRADLE_NATS_CREDENTIALS",
    "CRADLE_NATS_AUTHORITY",
    "CRADLE_NATS_CERTIFICATE",
    "CRADLE_NATS_KEY",
    "CRADLE_NATS_REPLICAS",
    "CRADLE_NATS_PREFIX",
    "CRADLE_NATS_MONITORS",
    "CRADLE_NATS_HOLD",
];

impl NatsOptions {
    /// The settings for a cluster at an address, from flags and the environment.
    pub(crate) fn of_command(&self, address: &str) -> anyhow::Result<NatsSettings> {
        self.combine(address, &Environment::of_process(), Self::default())
    }

    /// The settings for a cluster at an address.
    pub(super) fn combine(
        &self,
        address: &str,
        environment: &Environment,
        file: Self,
    ) -> anyhow::Result<NatsSettings> {
        let path = |given: &Option<PathBuf>, name: &str, file: Option<PathBuf>| {
            given.clone().or_else(|| environment.get(name).map(PathBuf::from)).or(file)
        };
        let text = |given: &Option<String>, name: &str, file: Option<String>| {
            given.clone().or_else(|| environment.get(name)).or(file)
        };
        let mut settings = NatsSettings::new(address.parse()?);
        settings.credentials = path(&self.credentials, "CRADLE_NATS_CREDENTIALS", file.credentials);
        settings.authority = path(&self.authority, "CRADLE_NATS_AUTHORITY", file.authority);
        let certificate = path(&self.certificate, "CRADLE_NATS_CERTIFICATE", file.certificate);
        settings.identity = match (certificate, path(&self.key, "CRADLE_NATS_KEY", file.key)) {
            (None, None) => None,
            (Some(certificate), Some(key)) => Some((certificate, key)),
            _ => bail!(
                "a certificate for NATS needs its key and a key its certificate: give both or neither"
            ),
        };
        if let Some(prefix) = text(&self.prefix, "CRADLE_NATS_PREFIX", file.prefix) {
            settings.prefix = checked_prefix(prefix)?;
        }
        settings.replicas = self.replicas(environment, file.replicas)?;
        let monitors = text(&self.monitors, "CRADLE_NATS_MONITORS", file.monitors);
        settings.monitors = listed(monitors, monitor_address)?;
        settings.held_kinds = listed(text(&self.hold, "CRADLE_NATS_HOLD", file.hold), held_kind)?;
        Ok(settings)
    }

    fn replicas(&self, environment: &Environment, file: Option<usize>) -> anyhow::Result<usize> {
        let number = |text: String| {
            text.parse().with_context(|| format!("CRADLE_NATS_REPLICAS is not a number: {text}"))
        };
        let variable = environment.get("CRADLE_NATS_REPLICAS").map(number).transpose()?;
        match self.replicas.or(variable).or(file).unwrap_or(3) {
            replicas @ (1 | 3 | 5) => Ok(replicas),
            other => bail!(
                "{other} replicas make no majority that is worth their cost: write 3 or 5, or 1 to try it out"
            ),
        }
    }
}

/// The first word of subjects and of streams.
fn checked_prefix(prefix: String) -> anyhow::Result<String> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if prefix.is_empty() || prefix.len() > 20 || !prefix.bytes().all(is_plain) {
        bail!("{prefix:?} is not a word for NATS: write up to 20 letters, digits and hyphens");
    }
    Ok(prefix)
}

/// The parts of a list with commas.
fn listed(
    list: Option<String>,
    read: impl Fn(&str) -> anyhow::Result<String>,
) -> anyhow::Result<Vec<String>> {
    let list = list.unwrap_or_default();
    list.split(',').map(str::trim).filter(|part| !part.is_empty()).map(read).collect()
}

/// A kind of entries that this version could write.
fn held_kind(kind: &str) -> anyhow::Result<String> {
    if !Entry::KINDS.contains(&kind) {
        bail!(
            "this version writes no entries of the kind {kind:?}, but {}",
            Entry::KINDS.join(", ")
        );
    }
    Ok(kind.to_owned())
}

fn monitor_address(text: &str) -> anyhow::Result<String> {
    let address = text.trim_start_matches("http://").trim_end_matches('/');
    let port = address.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok());
    if port.is_none() || address.contains('/') {
        bail!("{text:?} is not a monitoring address of NATS, as in 10.0.0.1:8222");
    }
    Ok(address.to_owned())
}
