//! Replacing all servers of a cluster under load, as `docs/cluster.md` says.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use tokio::process::Command;

use super::server_cluster::{SIZE, ServerCluster};
use crate::soak::{SoakViolation, Testbed, read_as};

/// How an upgrade is done.
#[derive(Debug)]
pub(crate) struct UpgradePlan<'a> {
    /// The program after it.
    pub(crate) server: &'a Path,
    /// The kinds of entries that the servers before it cannot read, with commas. If there are some, it has two
    /// steps.
    pub(crate) held: &'a str,
}

/// How long players play while all servers hold back some kinds of entries.
const HELD_TIME: Duration = Duration::from_millis(800);

impl UpgradePlan<'_> {
    /// Replaces all servers, one after the other: first by servers that do not write the held kinds, and, when
    /// no older server runs any more, by servers that do.
    pub(super) async fn run(
        &self,
        cluster: &mut ServerCluster,
        testbed: &mut Testbed,
    ) -> anyhow::Result<()> {
        self.replace(cluster, self.held).await?;
        testbed.shared.set_older_servers(false);
        if self.held.is_empty() {
            return Ok(());
        }
        let before = self.written(cluster, testbed).await?;
        testbed.play(HELD_TIME).await;
        let after = self.written(cluster, testbed).await?;
        if before != after {
            let held = self.held;
            let what = format!("servers that hold {held} have written {} of them", after - before);
            testbed.report("", SoakViolation::Other { what });
        }
        self.replace(cluster, "").await
    }

    async fn replace(&self, cluster: &mut ServerCluster, held: &str) -> anyhow::Result<()> {
        for number in 0..SIZE {
            cluster.upgrade_node(number, self.server, held).await?;
        }
        Ok(())
    }

    /// The number of entries of the held kinds in the logs of all tables.
    async fn written(&self, cluster: &ServerCluster, testbed: &Testbed) -> anyhow::Result<usize> {
        let (mut count, address) = (0, cluster.addresses()[0]);
        let is_held = |kind: &str| self.held.split(',').any(|held| held == kind);
        for id in testbed.ids() {
            let log = read_as(address, &id, None).await?;
            count += log.iter().filter(|entry| is_held(entry.body.kind())).count();
        }
        Ok(count)
    }
}

/// The kinds of entries that a program writes and an older one does not know, with commas.
///
/// # Errors
/// If one of them does not say which kinds it writes.
pub(crate) async fn new_kinds(program: &Path, older: &Path) -> anyhow::Result<String> {
    let (all, known) = (kinds(program).await?, kinds(older).await?);
    let new: Vec<_> = all.into_iter().filter(|kind| !known.contains(kind)).collect();
    Ok(new.join(","))
}

/// The kinds of entries that a program writes, which it lists when it is told to hold one that there is not.
async fn kinds(program: &Path) -> anyhow::Result<Vec<String>> {
    let mut command = Command::new(program);
    command.args(["serve", "--journal", "nats://127.0.0.1:1", "--nats-hold", "no-such-kind"]);
    let said = command.output().await.with_context(|| program.display().to_string())?.stderr;
    listed_kinds(&String::from_utf8_lossy(&said)).with_context(|| {
        format!("{} does not list its kinds of entries: name them with --hold", program.display())
    })
}

/// The kinds in the refusal of an unknown one.
fn listed_kinds(refusal: &str) -> Option<Vec<String>> {
    let (_, list) = refusal.lines().find_map(|line| line.split_once("\"no-such-kind\", but "))?;
    Some(list.trim().split(", ").map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refusal_of_an_unknown_kind_lists_the_known_ones() {
        let refusal = "error: this version writes no entries of the kind \"no-such-kind\", but created, joined\n";
        assert_eq!(listed_kinds(refusal), Some(vec!["created".to_owned(), "joined".to_owned()]));
        assert_eq!(listed_kinds("error: unexpected argument '--nats-hold' found\n"), None);
    }
}
