//! Reading the settings again while the server runs.

use std::sync::Arc;

use anyhow::bail;
use server::{LiveConfig, Tls};

use super::settings::{Environment, ServeOptions, ServeSettings};

/// Reads the settings again: those that can change while the server runs.
pub(super) struct Reload<'a> {
    pub(super) options: &'a ServeOptions,
    pub(super) environment: &'a Environment,
    pub(super) config: Arc<LiveConfig>,
    pub(super) tls: Option<Arc<Tls>>,
    /// The settings at the start.
    pub(super) settings: ServeSettings,
}

impl Reload<'_> {
    /// Reads the settings and uses them. If there is a mistake in them, the old ones stay in use.
    pub(super) fn run(&self) {
        match self.try_run() {
            Ok(()) => tracing::info!("the settings were read again"),
            Err(error) => {
                let error = format!("{error:#}");
                tracing::error!(
                    error,
                    "the settings were not read again: the old ones stay in use"
                );
            }
        }
    }

    fn try_run(&self) -> anyhow::Result<()> {
        let mut new = self.options.combine(self.environment)?;
        new.load_token()?;
        match (&self.tls, &new.tls) {
            (Some(tls), Some(files)) => tls.reload(&files.certificate, &files.key)?,
            (None, None) => {}
            _ => bail!("encryption begins or ends only when the server is started again"),
        }
        for name in self.settings.fixed_changes(&new) {
            tracing::warn!(setting = name, "this setting changes when the server is started again");
        }
        self.config.replace(new.config);
        Ok(())
    }
}
