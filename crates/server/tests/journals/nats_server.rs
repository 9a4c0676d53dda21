//! A NATS server for tests.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use server::NatsSettings;
use tempfile::TempDir;

/// A NATS server with streams, which ends with its owner.
pub(crate) struct NatsServer {
    /// A shell that ends the server when its input is closed, also if this process is killed.
    shell: Child,
    folder: TempDir,
    ports: Value,
}

/// How the server flushes.
#[derive(Clone, Copy)]
pub(crate) enum Flushing {
    Always,
    NowAndThen,
}

/// The program that `cargo xtask test` installs into the target folder; none if it was not run.
fn program() -> Option<PathBuf> {
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).parent().map(PathBuf::from)?;
    let installed = target.join("nats").join("bin").join("nats-server");
    installed.exists().then_some(installed)
}

impl NatsServer {
    /// Starts a server. If there is none on this machine, says so aloud and returns none: then the test cannot
    /// be done.
    pub(crate) fn start(flushing: Flushing) -> Option<Self> {
        Self::start_with(flushing, "")
    }

    /// The same with more settings.
    pub(crate) fn start_with(flushing: Flushing, more: &str) -> Option<Self> {
        let Some(program) = program() else {
            let why = "SKIPPED: there is no NATS server; `cargo xtask test` installs one\n";
            std::io::stderr().write_all(why.as_bytes()).expect("the reason can be written");
            return None;
        };
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let flush = match flushing {
            Flushing::Always => "sync_interval: always",
            Flushing::NowAndThen => "sync_interval: 2m",
        };
        let path = folder.path().display();
        let config = format!(
            "listen: \"127.0.0.1:-1\"\nhttp: \"127.0.0.1:-1\"\nports_file_dir: \"{path}\"\n\
             jetstream {{ store_dir: \"{path}\", {flush} }}\n{more}\n"
        );
        let file = folder.path().join("nats.conf");
        std::fs::write(&file, config).expect("the configuration can be written");
        let script = "\"$0\" -c \"$1\" >/dev/null 2>&1 & read _; kill -9 $!";
        let mut shell = Command::new("sh");
        shell.args(["-c", script]).arg(program).arg(file);
        let shell = shell.stdin(Stdio::piped()).spawn().expect("a shell starts");
        let mut server = Self { shell, folder, ports: Value::Null };
        server.ports = server.read_ports();
        Some(server)
    }

    /// The ports that the server writes once it listens.
    fn read_ports(&self) -> Value {
        let end = Instant::now() + Duration::from_secs(20);
        loop {
            let files = self.folder.path().read_dir().expect("the folder can be read").flatten();
            let mut files =
                files.filter(|file| file.file_name().to_string_lossy().ends_with(".ports"));
            let text = files.next().and_then(|file| std::fs::read_to_string(file.path()).ok());
            if let Some(ports) = text.and_then(|text| serde_json::from_str(&text).ok()) {
                return ports;
            }
            assert!(Instant::now() < end, "the NATS server does not start");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Settings for a journal of its own, by its prefix.
    pub(crate) fn settings(&self, prefix: &str) -> NatsSettings {
        let address = self.ports["nats"][0].as_str().expect("the server listens");
        let mut settings = NatsSettings::new(address.parse().expect("the address is valid"));
        (settings.prefix, settings.replicas) = (prefix.to_owned(), 1);
        settings
    }

    /// The monitoring address.
    pub(crate) fn monitor(&self) -> String {
        let address = self.ports["monitoring"][0].as_str().expect("the server listens");
        address.trim_start_matches("http://").to_owned()
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        drop(self.shell.wait());
    }
}
