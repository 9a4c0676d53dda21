//! Measures the bare disk.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::latencies::{Latencies, Summary};

/// The duration of the measurement.
const TIME: Duration = Duration::from_secs(2);

/// Measures how long it takes to append a page to a file durably.
pub(crate) fn measure(folder: &Path) -> anyhow::Result<Summary> {
    let path = folder.join("pages");
    let mut file = File::create(&path)?;
    let (page, began) = ([7; 4_096], Instant::now());
    let mut latencies = Latencies::default();
    while began.elapsed() < TIME {
        let started = Instant::now();
        file.write_all(&page)?;
        file.sync_data()?;
        latencies.push(started.elapsed());
    }
    std::fs::remove_file(path)?;
    Ok(latencies.summary())
}
