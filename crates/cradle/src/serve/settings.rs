//! The settings of a server: from flags, the environment and a file.

use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use serde::Deserialize;
use server::{AdminToken, Config, Limits, NatsSettings};

use super::log::LogFormat;
use super::nats_options::{NATS_VARIABLES, NatsOptions};
use crate::nearest::nearest;
use crate::time_span;

/// The flags of `cradle serve`.
#[expect(clippy::doc_markdown, reason = "these comments are what --help prints")]
#[derive(Debug, Default, Args)]
pub(crate) struct ServeOptions {
    /// Where to listen [default: 127.0.0.1:4000] [env: CRADLE_LISTEN]
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<String>,

    /// The folder of the journal [default: cats-cradle in your data folder]
    /// [env: CRADLE_DATA]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,

    /// Where moves are written: sqlite (a file in the folder), memory (lost when the server stops), or
    /// the servers of NATS that several servers share, as in `nats://10.0.0.1:4222,10.0.0.2:4222`
    /// [default: sqlite] [env: CRADLE_JOURNAL]
    #[arg(long, value_name = "KIND")]
    journal: Option<String>,

    #[command(flatten)]
    nats: NatsOptions,

    /// A folder of games that are written as text, which the server offers as well
    /// [default: none] [env: CRADLE_GAMES]
    #[arg(long, value_name = "FOLDER")]
    games: Option<PathBuf>,

    /// Delete tables that nobody has touched for this long, as in 90d, 36h or 90m: at least an hour
    /// [default: keep all] [env: CRADLE_KEEP]
    #[arg(long, value_name = "TIME")]
    keep: Option<String>,

    /// Where operators connect: metrics and maintenance, for those who show the admin token
    /// [default: nowhere] [env: CRADLE_ADMIN]
    #[arg(long, value_name = "ADDRESS:PORT")]
    admin: Option<String>,

    /// The file with the admin token; it is created with a random token if it does not exist
    /// [default: admin-token in the folder of the journal] [env: CRADLE_ADMIN_TOKEN_FILE]
    #[arg(long, value_name = "FILE")]
    admin_token_file: Option<PathBuf>,

    /// A TOML file with settings named like the flags: listen, data, journal, games, keep,
    /// admin, admin_token_file, tls_certificate, tls_key, names, origins, behind_proxy, log, log_format,
    /// a table nats (credentials, authority and so on), and a table of limits
    /// [env: CRADLE_CONFIG]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// The certificate for encrypted connections, in PEM form [env: CRADLE_TLS_CERTIFICATE]
    #[arg(long, value_name = "FILE")]
    tls_certificate: Option<PathBuf>,

    /// The key of the certificate in PEM form [env: CRADLE_TLS_KEY]
    #[arg(long, value_name = "FILE")]
    tls_key: Option<PathBuf>,

    /// A name by which browsers reach the server, as in play.example (repeatable); addresses and
    /// localhost need not be named [env: CRADLE_NAMES, with commas]
    #[arg(long = "name", value_name = "NAME")]
    names: Vec<String>,

    /// Another site whose pages may use the server, as in `https://play.example` (repeatable)
    /// [env: CRADLE_ORIGINS, with commas]
    #[arg(long = "origin", value_name = "ORIGIN")]
    origins: Vec<String>,

    /// A proxy is in front of the server and names each client in X-Forwarded-For
    /// [env: CRADLE_BEHIND_PROXY=true]
    #[arg(long)]
    behind_proxy: bool,

    /// What to log: off, error, warn, info, debug or trace [default: info] [env: CRADLE_LOG]
    #[arg(long, value_name = "LEVEL")]
    log: Option<String>,

    /// The form of log lines: text or json [default: text] [env: CRADLE_LOG_FORMAT]
    #[arg(long, value_name = "FORMAT")]
    log_format: Option<String>,

    /// A limit, as in frame_bytes=8192 (repeatable); see below
    /// [env: CRADLE_LIMIT_FRAME_BYTES and so on]
    #[arg(long = "limit", value_name = "NAME=NUMBER")]
    limits: Vec<String>,
}

/// The settings in a file.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SettingsFile {
    listen: Option<String>,
    data: Option<PathBuf>,
    journal: Option<String>,
    games: Option<PathBuf>,
    keep: Option<String>,
    admin: Option<String>,
    admin_token_file: Option<PathBuf>,
    tls_certificate: Option<PathBuf>,
    tls_key: Option<PathBuf>,
    names: Vec<String>,
    origins: Vec<String>,
    behind_proxy: Option<bool>,
    log: Option<String>,
    log_format: Option<String>,
    nats: NatsOptions,
    limits: Limits,
}

/// The settings of a server.
#[derive(Debug)]
pub(crate) struct ServeSettings {
    pub(crate) listen: SocketAddr,
    pub(crate) journal: JournalKind,
    pub(crate) games: Option<PathBuf>,
    pub(crate) admin: Option<AdminSettings>,
    pub(crate) tls: Option<TlsFiles>,
    pub(crate) log: String,
    pub(crate) log_format: LogFormat,
    pub(crate) config: Config,
}

impl ServeSettings {
    /// Reads the admin token, or creates it. The folder of the journal must exist.
    pub(crate) fn load_token(&mut self) -> anyhow::Result<()> {
        let token = self.admin.as_ref().map(|admin| AdminToken::read_or_create(&admin.token_file));
        self.config.admin_token = token.transpose()?;
        Ok(())
    }

    /// The names of the settings that differ but cannot change while a server runs.
    pub(crate) fn fixed_changes(&self, other: &Self) -> Vec<&'static str> {
        let listens = |settings: &Self| settings.admin.as_ref().map(|admin| admin.listen);
        let settings = [
            ("listen", self.listen != other.listen),
            ("journal", self.journal != other.journal),
            ("games", self.games != other.games),
            ("keep", self.config.keep != other.config.keep),
            ("admin", listens(self) != listens(other)),
            ("log", self.log != other.log),
            ("log_format", self.log_format != other.log_format),
            ("behind_proxy", self.config.is_behind_proxy != other.config.is_behind_proxy),
        ];
        settings.into_iter().filter_map(|(name, differs)| differs.then_some(name)).collect()
    }
}

impl fmt::Display for JournalKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(folder) => write!(f, "{}", folder.display()),
            Self::Nats(settings) => write!(f, "{}", settings.address),
            Self::Memory => f.write_str("memory"),
        }
    }
}

/// Where moves are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum JournalKind {
    Sqlite(PathBuf),
    Memory,
    Nats(Box<NatsSettings>),
}

/// The listener for operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AdminSettings {
    pub(crate) listen: SocketAddr,
    pub(crate) token_file: PathBuf,
}

/// The files for encrypted connections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TlsFiles {
    pub(crate) certificate: PathBuf,
    pub(crate) key: PathBuf,
}

/// The environment variables by name.
#[derive(Debug)]
pub(crate) struct Environment(BTreeMap<String, String>);

/// The variables besides limits. `CRADLE_PAGE` belongs to the build, but a shell that builds and
/// serves has it, too.
const VARIABLES: [&str; 16] = [
    "CRADLE_LISTEN",
    "CRADLE_DATA",
    "CRADLE_JOURNAL",
    "CRADLE_GAMES",
    "CRADLE_KEEP",
    "CRADLE_ADMIN",
    "CRADLE_ADMIN_TOKEN_FILE",
    "CRADLE_CONFIG",
    "CRADLE_TLS_CERTIFICATE",
    "CRADLE_TLS_KEY",
    "CRADLE_NAMES",
    "CRADLE_ORIGINS",
    "CRADLE_BEHIND_PROXY",
    "CRADLE_LOG",
    "CRADLE_LOG_FORMAT",
    "CRADLE_PAGE",
];

impl Environment {
    /// The environment of this process.
    pub(crate) fn of_process() -> Self {
        let texts = std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        Self(texts.collect())
    }

    pub(super) fn get(&self, name: &str) -> Option<String> {
        self.0.get(name).cloned()
    }

    /// Refuses misspelled variables: without a refusal they would be ignored silently.
    fn check_names(&self) -> anyhow::Result<()> {
        let limits = Limits::ALL.iter().map(|(limit, ..)| limit_variable(limit));
        let variables = VARIABLES.into_iter().chain(NATS_VARIABLES).map(str::to_owned);
        let known: Vec<String> = variables.chain(limits).collect();
        for name in self.0.keys().filter(|name| name.starts_with("CRADLE_")) {
            if !known.contains(name) {
                let near = nearest(name, &known).unwrap_or_default();
                bail!(
                    "the environment variable {name} is not a setting (did you mean {near}?): \
                     `cradle serve --help` lists them"
                );
            }
        }
        Ok(())
    }
}

fn limit_variable(limit: &str) -> String {
    format!("CRADLE_LIMIT_{}", limit.to_uppercase())
}

impl ServeOptions {
    /// Combines the flags, the environment and the file.
    pub(crate) fn combine(&self, environment: &Environment) -> anyhow::Result<ServeSettings> {
        environment.check_names()?;
        let path = |given: &Option<PathBuf>, name: &str| {
            given.clone().or_else(|| environment.get(name).map(PathBuf::from))
        };
        let text =
            |given: &Option<String>, name: &str| given.clone().or_else(|| environment.get(name));
        let file = read(path(&self.config, "CRADLE_CONFIG"))?;
        let listen = text(&self.listen, "CRADLE_LISTEN").or(file.listen);
        let listen = listen.unwrap_or_else(|| "127.0.0.1:4000".to_owned());
        let data = path(&self.data, "CRADLE_DATA").or(file.data);
        let journal = text(&self.journal, "CRADLE_JOURNAL").or(file.journal);
        let journal = match journal {
            Some(address) if address.contains("://") => {
                let nats = self.nats.combine(&address, environment, file.nats)?;
                JournalKind::Nats(Box::new(nats))
            }
            kind => journal_kind(kind.as_deref(), data, environment)?,
        };
        let games = path(&self.games, "CRADLE_GAMES").or(file.games);
        let admin = text(&self.admin, "CRADLE_ADMIN").or(file.admin);
        let token_file = path(&self.admin_token_file, "CRADLE_ADMIN_TOKEN_FILE");
        let admin = admin_settings(admin, token_file.or(file.admin_token_file), &journal)?;
        let certificate = path(&self.tls_certificate, "CRADLE_TLS_CERTIFICATE");
        let key = path(&self.tls_key, "CRADLE_TLS_KEY");
        let tls = tls(certificate.or(file.tls_certificate), key.or(file.tls_key))?;
        let mut config = Config::new();
        let names = listed(&self.names, environment.get("CRADLE_NAMES"), file.names);
        config.names = names.iter().map(|name| host_name(name)).collect::<Result<_, _>>()?;
        config.origins = listed(&self.origins, environment.get("CRADLE_ORIGINS"), file.origins);
        config.origins.iter().try_for_each(|origin| check_origin(origin))?;
        let behind_proxy = environment.get("CRADLE_BEHIND_PROXY").map(|text| is_true(&text));
        config.is_behind_proxy =
            self.behind_proxy || behind_proxy.or(file.behind_proxy).unwrap_or_default();
        config.limits = self.limits(environment, file.limits)?;
        let keep = text(&self.keep, "CRADLE_KEEP").or(file.keep);
        config.keep = keep.as_deref().map(keep_time).transpose()?;
        Ok(ServeSettings {
            listen: address(&listen)?,
            journal,
            games,
            admin,
            tls,
            log: level(text(&self.log, "CRADLE_LOG").or(file.log))?,
            log_format: log_format(
                text(&self.log_format, "CRADLE_LOG_FORMAT").or(file.log_format),
            )?,
            config,
        })
    }

    fn limits(&self, environment: &Environment, file: Limits) -> anyhow::Result<Limits> {
        let mut limits = file;
        for (name, ..) in Limits::ALL {
            let variable = limit_variable(name);
            if let Some(value) = environment.get(&variable) {
                let number = value.parse();
                let number =
                    number.with_context(|| format!("{variable} is not a number: {value}"))?;
                limits.set(name, number)?;
            }
        }
        for limit in &self.limits {
            let (name, value) = limit
                .split_once('=')
                .with_context(|| format!("{limit:?} is not a limit, as in frame_bytes=8192"))?;
            let number = value.parse().with_context(|| format!("{limit:?} has no number"))?;
            limits.set(name, number).context("`cradle serve --help` lists the limits")?;
        }
        limits.check()?;
        Ok(limits)
    }
}

fn address(text: &str) -> anyhow::Result<SocketAddr> {
    text.parse()
        .with_context(|| format!("{text:?} is not an address with a port, as in 127.0.0.1:4000"))
}

/// The listener for operators, if there is one. Its token is beside the journal unless the operator
/// names another file.
fn admin_settings(
    listen: Option<String>,
    token_file: Option<PathBuf>,
    journal: &JournalKind,
) -> anyhow::Result<Option<AdminSettings>> {
    let Some(listen) = listen else {
        if token_file.is_some() {
            bail!("an admin token is of no use without a listener: name one with --admin");
        }
        return Ok(None);
    };
    let beside = || match journal {
        JournalKind::Sqlite(folder) => Some(folder.join("admin-token")),
        JournalKind::Memory | JournalKind::Nats(_) => None,
    };
    let token_file = token_file.or_else(beside);
    let token_file = token_file.context(
        "the journal has no folder for the admin token: name a file with --admin-token-file",
    )?;
    Ok(Some(AdminSettings { listen: address(&listen)?, token_file }))
}

/// The log level. The library would take any other word for the name of a module, and log only that
/// module.
fn level(given: Option<String>) -> anyhow::Result<String> {
    let level = given.unwrap_or_else(|| "info".to_owned());
    if !["off", "error", "warn", "info", "debug", "trace"].contains(&level.as_str()) {
        bail!("{level:?} is not a log level: write off, error, warn, info, debug or trace");
    }
    Ok(level)
}

/// The shortest time for which tables are kept. In less, players would lose a table in a break.
const LEAST_KEEP: Duration = Duration::from_hours(1);

fn keep_time(given: &str) -> anyhow::Result<Duration> {
    let keep = time_span::parse(given).context("--keep makes no sense")?;
    if keep < LEAST_KEEP {
        bail!("tables are kept for at least an hour, not {given}: write 60m or more");
    }
    Ok(keep)
}

/// A list from flags, from a variable with commas, or from the file.
fn listed(given: &[String], variable: Option<String>, file: Vec<String>) -> Vec<String> {
    if !given.is_empty() {
        return given.to_vec();
    }
    match variable {
        Some(list) => list.split(',').map(|item| item.trim().to_owned()).collect(),
        None => file,
    }
}

/// A host name in lower case.
fn host_name(given: &str) -> anyhow::Result<String> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    if given.is_empty() || !given.bytes().all(is_plain) {
        bail!(
            "{given:?} is not a name of this server, as in play.example: leave out scheme and port"
        );
    }
    Ok(given.trim_end_matches('.').to_ascii_lowercase())
}

fn log_format(given: Option<String>) -> anyhow::Result<LogFormat> {
    let Some(given) = given else { return Ok(LogFormat::default()) };
    LogFormat::named(&given)
        .with_context(|| format!("{given:?} is not a format of log lines: write text or json"))
}

/// Checks that a browser would send this origin: without a path or a slash at the end.
fn check_origin(origin: &str) -> anyhow::Result<()> {
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    if host.is_none_or(|host| host.is_empty() || host.contains('/')) {
        bail!("{origin:?} is not an origin, as in https://play.example");
    }
    Ok(())
}

fn is_true(text: &str) -> bool {
    matches!(text, "1" | "true" | "yes")
}

fn read(path: Option<PathBuf>) -> anyhow::Result<SettingsFile> {
    let Some(path) = path else { return Ok(SettingsFile::default()) };
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("the settings in {} cannot be read", path.display()))?;
    toml::from_str(&text)
        .with_context(|| format!("the settings in {} make no sense", path.display()))
}

fn tls(certificate: Option<PathBuf>, key: Option<PathBuf>) -> anyhow::Result<Option<TlsFiles>> {
    match (certificate, key) {
        (Some(certificate), Some(key)) => Ok(Some(TlsFiles { certificate, key })),
        (None, None) => Ok(None),
        _ => bail!("a certificate needs its key and a key its certificate: give both or neither"),
    }
}

fn journal_kind(
    kind: Option<&str>,
    data: Option<PathBuf>,
    environment: &Environment,
) -> anyhow::Result<JournalKind> {
    match kind {
        None | Some("sqlite") => {
            let folder = data.or_else(|| default_folder(environment));
            let folder = folder.context("you have no data folder: name a folder with --data")?;
            Ok(JournalKind::Sqlite(folder))
        }
        Some("memory") => Ok(JournalKind::Memory),
        Some(other) => {
            bail!("no journal is called {other:?}: write sqlite or memory, or nats://ADDRESSES")
        }
    }
}

/// The folder of the journal: the given one, that of the environment, or the default.
pub(crate) fn data_folder(given: Option<PathBuf>) -> anyhow::Result<PathBuf> {
    let environment = Environment::of_process();
    let folder = given.or_else(|| environment.get("CRADLE_DATA").map(PathBuf::from));
    let folder = folder.or_else(|| default_folder(&environment));
    folder.context("you have no data folder: name a folder with --data")
}

/// The folder for the data of Cat's Cradle.
fn default_folder(environment: &Environment) -> Option<PathBuf> {
    let data = environment.get("XDG_DATA_HOME").filter(|folder| !folder.is_empty());
    let data = data.map(PathBuf::from);
    let home = || Some(PathBuf::from(environment.get("HOME")?).join(".local/share"));
    Some(data.or_else(home)?.join("cats-cradle"))
}

#[cfg(test)]
mod tests;
