//! What the server keeps under faults.

use std::path::PathBuf;

/// Play while faults are injected, and check that nothing is lost or done twice
#[derive(Debug, clap::Args)]
pub(crate) struct Soak {
    #[arg(long)]
    server: PathBuf,
}

impl Soak {
    pub(crate) async fn run(&self) -> anyhow::Result<bool> {
        anyhow::bail!("{} is not soaked yet", self.server.display())
    }
}
