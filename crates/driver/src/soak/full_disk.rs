//! A disk that is full for a while.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::ledger::Finding;
use super::report::Report;
use super::scene::Scene;
use super::start;

/// How many tables are played at meanwhile.
const TABLES: usize = 20;

/// A small disk in memory, as long as this lives.
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
        // What cannot be unmounted now is unmounted when nobody uses it any more.
        drop(Command::new("umount").arg("--lazy").arg(self.0).output());
    }
}

/// Fills the disk under a server that is played on, frees it, and checks.
pub(crate) async fn fill(
    server: &Path,
    folder: &Path,
    seed: u64,
    report: &mut Report,
) -> anyhow::Result<()> {
    let place = folder.join("small");
    let disk = match SmallDisk::mount(&place) {
        Ok(disk) => disk,
        Err(why) => {
            report.not_filled = Some(why);
            return Ok(());
        }
    };
    let mut scene = Scene::open(start(server, folder, "small/journal"), TABLES, seed).await?;
    scene.play(Duration::from_millis(700)).await;
    scene.world.count("disk full for a second");
    let ballast = place.join("ballast");
    fill_up(&ballast)?;
    scene.play(Duration::from_secs(1)).await;
    let undecided = scene.world.tally.borrow().undecided;
    if undecided == 0 {
        let what = "no action was put off although the disk was full".to_owned();
        scene.find("", Finding::Other { what });
    }
    std::fs::remove_file(&ballast)?;
    scene.world.begin_recovery(tokio::time::Instant::now());
    scene.await_recovery().await;
    scene.play(Duration::from_millis(300)).await;
    scene.check().await?;
    scene.kill().await?;
    scene.await_recovery().await;
    scene.check().await?;
    report.add(scene.close().await?);
    start_without_room(server, folder, &ballast, report).await?;
    drop(disk);
    Ok(())
}

/// Starts servers on a full disk: each must say so and end, and start when there is room.
async fn start_without_room(
    server: &Path,
    folder: &Path,
    ballast: &Path,
    report: &mut Report,
) -> anyhow::Result<()> {
    // One that was killed, the same after a clean stop, and one that is not there yet.
    for name in ["small/journal", "small/journal", "small/new"] {
        report.count("start on a full disk");
        fill_up(ballast)?;
        let start = start(server, folder, name);
        let what = match start.start_in_vain().await {
            Ok((true, says)) if says.contains("is full") && !says.contains("panicked") => None,
            Ok((_, says)) => Some(format!("on a full disk the server ends and says: {says}")),
            Err(error) => Some(format!("on a full disk: {error:#}")),
        };
        std::fs::remove_file(ballast)?;
        if let Some(what) = what {
            report.find("", Finding::Other { what });
        }
        start.start().await?.terminate().await?;
    }
    Ok(())
}

/// Writes a file until nothing more fits.
fn fill_up(path: &Path) -> anyhow::Result<()> {
    let mut file = File::create(path)?;
    for size in [65_536, 4_096, 1] {
        while file.write_all(&vec![1; size]).is_ok() {}
    }
    Ok(())
}
