//! Damages the files of a journal while the server is down.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use game::Generator;
use table::{Entry, TableState};
use tokio::time::Instant;

use super::ledger::SoakViolation;
use super::log_reader::{epoch, read_as};
use super::report::SoakReport;
use super::soak_command::launch;
use super::testbed::Testbed;

/// The number of tables in the journal.
const TABLES: usize = 12;

/// The logs that were left after the damage.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DamageCounts {
    pub(crate) tables: u64,
    pub(crate) whole: u64,
    pub(crate) cut: u64,
    pub(crate) entries: u64,
}

/// A table as it was before the damage.
struct TableBefore {
    id: String,
    epoch: String,
    log: Vec<Entry>,
}

/// Damages one copy of a journal after the other until a time, and checks what is left.
pub(crate) async fn damage(
    server: &Path,
    folder: &Path,
    (seed, end): (u64, Instant),
    report: &mut SoakReport,
) -> anyhow::Result<()> {
    let mut testbed = Testbed::open(launch(server, folder, "damaged"), TABLES, seed).await?;
    testbed.play(Duration::from_millis(800)).await;
    // The entries so far are then in the file itself, and later ones in the write-ahead log.
    testbed.terminate().await?;
    testbed.await_recovery().await;
    testbed.play(Duration::from_millis(700)).await;
    testbed.check().await?;
    testbed.shared.enter(super::shared_state::Phase::Paused);
    let before = read_all(&testbed).await?;
    report.add(testbed.close().await?);
    let mut generator = Generator::seeded(seed);
    let (original, copy) = (folder.join("damaged"), folder.join("copy"));
    loop {
        copy_files(&original, &copy)?;
        report.count(damage_file(&copy, &mut generator)?);
        if let Err(error) = check(server, folder, &before, report).await {
            let what = format!("a server on a damaged journal: {error:#}");
            report.add_violation("", SoakViolation::Other { what });
        }
        fs::remove_dir_all(&copy)?;
        if Instant::now() >= end {
            return Ok(());
        }
    }
}

/// All tables of a testbed.
async fn read_all(testbed: &Testbed) -> anyhow::Result<Vec<TableBefore>> {
    let address = testbed.address()?;
    let mut tables = Vec::new();
    for id in testbed.ids() {
        let log = read_as(address, &id, None).await?;
        let epoch = epoch(address, &id).await?.context("the server has lost a table")?;
        tables.push(TableBefore { id, epoch, log });
    }
    Ok(tables)
}

fn copy_files(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir(to)?;
    for file in fs::read_dir(from)? {
        let file = file?;
        fs::copy(file.path(), to.join(file.file_name()))?;
    }
    Ok(())
}

/// Damages one file of a journal; returns a description.
fn damage_file(folder: &Path, generator: &mut Generator) -> anyhow::Result<&'static str> {
    let files: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|file| Ok(file?.path())).collect::<std::io::Result<_>>()?;
    let mut files: Vec<_> = files
        .into_iter()
        .filter(|path| fs::metadata(path).is_ok_and(|about| about.len() > 100))
        .filter(|path| !path.to_string_lossy().ends_with("-shm"))
        .collect();
    files.sort();
    let place = usize::try_from(generator.below(files.len().try_into()?))?;
    let path = files.get(place).context("the journal has no files")?;
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
            "journal file truncated"
        }
    };
    fs::write(path, bytes)?;
    Ok(how)
}

/// Launches a server on what is left. Each log must be a prefix of the original.
async fn check(
    server: &Path,
    folder: &Path,
    tables: &[TableBefore],
    report: &mut SoakReport,
) -> anyhow::Result<()> {
    let process = launch(server, folder, "copy").launch().await?;
    for TableBefore { id, epoch: before, log } in tables {
        let left = read_as(process.address, id, None).await?;
        let damages = &mut report.damages;
        damages.tables += 1;
        damages.whole += u64::from(left.len() == log.len());
        damages.cut += u64::from(left.len() < log.len());
        damages.entries += u64::try_from(log.len().saturating_sub(left.len()))?;
        if !log.starts_with(&left) {
            let why = "the log is not a prefix of the original".to_owned();
            report.add_violation(id, SoakViolation::Illegal { why });
        }
        if left.is_empty() {
            continue;
        }
        if let Err(error) = TableState::after(games::catalog::game("tic-tac-toe")?, &left) {
            report.add_violation(id, SoakViolation::Illegal { why: error.to_string() });
        }
        let now = epoch(process.address, id).await?;
        if left.len() < log.len() && now.as_ref() == Some(before) {
            let what = "entries are lost and the epoch is the same".to_owned();
            report.add_violation(id, SoakViolation::Other { what });
        }
    }
    process.kill().await
}
