//! Fills the disk of a server for a while.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::ledger::SoakViolation;
use super::report::SoakReport;
use super::soak_command::launch;
use super::testbed::Testbed;

/// The number of tables.
const TABLES: usize = 20;

/// A small disk in memory, mounted as long as this value lives.
struct SmallDisk<'a>(&'a Path);

impl<'a> SmallDisk<'a> {
    fn mount(folder: &'a Path) -> Result<Self, String> {
        std::fs::create_dir(folder).map_err(|error| error.to_string())?;
        let mut mount = Command::new("mount");
        let mounted = mount.args(["-t", "tmpfs", "-o", "size=64m", "tmpfs"]).arg(folder).output();
        match mounted {
            Ok(output) if output.status.success() => Ok(Self(folder)),
            Ok(output) => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        // A busy disk is unmounted as soon as it is not used any more.
        drop(Command::new("umount").arg("--lazy").arg(self.0).output());
    }
}

/// Fills the disk of a server under load, frees it, and checks the logs.
pub(crate) async fn fill(
    server: &Path,
    folder: &Path,
    seed: u64,
    report: &mut SoakReport,
) -> anyhow::Result<()> {
    let place = folder.join("small");
    let disk = match SmallDisk::mount(&place) {
        Ok(disk) => disk,
        Err(why) => {
            report.not_filled = Some(why);
            return Ok(());
        }
    };
    let mut testbed = Testbed::open(launch(server, folder, "small/journal"), TABLES, seed).await?;
    testbed.play(Duration::from_millis(700)).await;
    testbed.shared.count_fault("disk full for a second");
    let ballast = place.join("ballast");
    fill_up(&ballast)?;
    testbed.play(Duration::from_secs(1)).await;
    let undecided = testbed.shared.counters.borrow().undecided;
    if undecided == 0 {
        let what = "no action was postponed although the disk was full".to_owned();
        testbed.report("", SoakViolation::Other { what });
    }
    std::fs::remove_file(&ballast)?;
    testbed.shared.begin_recovery(tokio::time::Instant::now());
    testbed.await_recovery().await;
    testbed.play(Duration::from_millis(300)).await;
    testbed.check().await?;
    testbed.kill().await?;
    testbed.await_recovery().await;
    testbed.check().await?;
    report.add(testbed.close().await?);
    launch_without_space(server, folder, &ballast, report).await?;
    drop(disk);
    Ok(())
}

/// Launches servers on a full disk: each must fail with a message that says so, and start when there is
/// space again.
async fn launch_without_space(
    server: &Path,
    folder: &Path,
    ballast: &Path,
    report: &mut SoakReport,
) -> anyhow::Result<()> {
    // A journal that was killed, the same after a clean stop, and a new one.
    for name in ["small/journal", "small/journal", "small/new"] {
        report.count("launch on a full disk");
        fill_up(ballast)?;
        let launch = launch(server, folder, name);
        let what = match launch.launch_expecting_failure().await {
            Ok((true, printed)) if printed.contains("is full") && !printed.contains("panicked") => {
                None
            }
            Ok((_, printed)) => Some(format!("on a full disk the server printed: {printed}")),
            Err(error) => Some(format!("on a full disk: {error:#}")),
        };
        std::fs::remove_file(ballast)?;
        if let Some(what) = what {
            report.add_violation("", SoakViolation::Other { what });
        }
        launch.launch().await?.terminate().await?;
    }
    Ok(())
}

/// Writes a file until the disk is full.
fn fill_up(path: &Path) -> anyhow::Result<()> {
    let mut file = File::create(path)?;
    for size in [65_536, 4_096, 1] {
        while file.write_all(&vec![1; size]).is_ok() {}
    }
    Ok(())
}
