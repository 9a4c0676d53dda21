//! Files that were damaged while the server was down.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use game::Generator;
use table::{Entry, TableState};
use tokio::time::Instant;

use super::ledger::Finding;
use super::reading::{epoch, read_as};
use super::report::Report;
use super::scene::Scene;
use super::start;

/// How many tables there are in a journal that is damaged.
const TABLES: usize = 12;

/// What was left of tables after damage.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Damages {
    pub(crate) tables: u64,
    pub(crate) whole: u64,
    pub(crate) cut: u64,
    pub(crate) entries: u64,
}

/// A table as it was before the damage.
struct Known {
    id: String,
    epoch: String,
    log: Vec<Entry>,
}

/// Damages copies of a journal, one after the other until a time, and looks at what is left.
pub(crate) async fn damage(
    server: &Path,
    folder: &Path,
    (seed, end): (u64, Instant),
    report: &mut Report,
) -> anyhow::Result<()> {
    let mut scene = Scene::open(start(server, folder, "damaged"), TABLES, seed).await?;
    scene.play(Duration::from_millis(800)).await;
    // What was written so far is in the file itself then, and the rest in the write-ahead log.
    scene.terminate().await?;
    scene.await_recovery().await;
    scene.play(Duration::from_millis(700)).await;
    scene.check().await?;
    scene.world.enter(super::world::Stage::Paused);
    let known = know(&scene).await?;
    report.add(scene.close().await?);
    let mut generator = Generator::seeded(seed);
    let (original, copy) = (folder.join("damaged"), folder.join("copy"));
    loop {
        copy_files(&original, &copy)?;
        report.count(hurt(&copy, &mut generator)?);
        if let Err(error) = look(server, folder, &known, report).await {
            let what = format!("a server on a damaged journal: {error:#}");
            report.find("", Finding::Other { what });
        }
        fs::remove_dir_all(&copy)?;
        if Instant::now() >= end {
            return Ok(());
        }
    }
}

async fn know(scene: &Scene) -> anyhow::Result<Vec<Known>> {
    let address = scene.address()?;
    let mut known = Vec::new();
    for id in scene.ids() {
        let log = read_as(address, &id, None).await?;
        let epoch = epoch(address, &id).await?.context("the table is there")?;
        known.push(Known { id, epoch, log });
    }
    Ok(known)
}

fn copy_files(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir(to)?;
    for file in fs::read_dir(from)? {
        let file = file?;
        fs::copy(file.path(), to.join(file.file_name()))?;
    }
    Ok(())
}

/// Damages one file of a journal; gives how.
fn hurt(folder: &Path, generator: &mut Generator) -> anyhow::Result<&'static str> {
    let files: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|file| Ok(file?.path())).collect::<std::io::Result<_>>()?;
    let mut files: Vec<_> = files
        .into_iter()
        .filter(|path| fs::metadata(path).is_ok_and(|about| about.len() > 100))
        .filter(|path| !path.to_string_lossy().ends_with("-shm"))
        .collect();
    files.sort();
    let place = usize::try_from(generator.below(files.len().try_into()?))?;
    let path = files.get(place).context("the journal has files")?;
    let mut bytes = fs::read(path)?;
    let place = usize::try_from(generator.below(bytes.len().try_into()?))?;
    let how = match generator.below(3) {
        0 => {
            bytes[place] ^= 1 << generator.below(8);
            "one bit of the journal flipped"
        }
        1 => {
            let end = (place + 4_096).min(bytes.len());
            bytes[place..end].fill(0);
            "4 KiB of the journal zeroed"
        }
        _ => {
            bytes.truncate(place);
            "journal file cut"
        }
    };
    fs::write(path, bytes)?;
    Ok(how)
}

/// Starts a server on what is left: each log must be the beginning of what it was.
async fn look(
    server: &Path,
    folder: &Path,
    known: &[Known],
    report: &mut Report,
) -> anyhow::Result<()> {
    let process = start(server, folder, "copy").start().await?;
    for Known { id, epoch: before, log } in known {
        let left = read_as(process.address, id, None).await?;
        let damages = &mut report.damages;
        damages.tables += 1;
        damages.whole += u64::from(left.len() == log.len());
        damages.cut += u64::from(left.len() < log.len());
        damages.entries += u64::try_from(log.len().saturating_sub(left.len()))?;
        if !log.starts_with(&left) {
            let why = "what is left is not the beginning of what was there".to_owned();
            report.find(id, Finding::Illegal { why });
        }
        if left.is_empty() {
            continue;
        }
        if let Err(error) = TableState::after(games::catalog::game("tic-tac-toe")?, &left) {
            report.find(id, Finding::Illegal { why: error.to_string() });
        }
        let now = epoch(process.address, id).await?;
        if left.len() < log.len() && now.as_ref() == Some(before) {
            let what = "entries are gone and the epoch is the same".to_owned();
            report.find(id, Finding::Other { what });
        }
    }
    process.kill().await
}
