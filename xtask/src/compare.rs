//! `cargo xtask compare`: the benchmarks of another commit and of this tree, side by side.

use std::fmt::Write as _;
use std::path::Path;

use crate::benchmark_output::{BenchmarkTime, benchmark_times};
use crate::command_line::CommandLine;
use crate::{TaskFailure, Workspace};

/// The crates whose benchmarks are compared.
const PACKAGES: [&str; 3] = ["bthread", "checker", "games"];

/// How often each program is measured. They take turns, so that a busy minute slows both.
const ROUNDS: u32 = 2;

/// Measures the benchmarks of another commit and of this tree in turn, and prints the fastest times
/// side by side. Only benchmarks whose names contain the filter are measured.
///
/// The other commit is checked out and built in `target/compare`.
///
/// # Errors
/// If there is no such commit, or a benchmark fails.
pub fn compare_benchmarks(
    workspace: &Workspace,
    commit: &str,
    filter: Option<&str>,
) -> Result<(), TaskFailure> {
    let folder = workspace.target.join("compare");
    let tree = folder.join("tree");
    check_out(&workspace.root, commit, &tree)?;
    let built = folder.join("built").display().to_string();
    let mut table = SideBySide::default();
    for package in PACKAGES {
        for _ in 0..ROUNDS {
            let before = bench(&tree, package, filter).with("CARGO_TARGET_DIR", &built);
            table.add(MeasuredProgram::Before, benchmark_times(&before.run_and_read()?));
            let now = bench(&workspace.root, package, filter).run_and_read()?;
            table.add(MeasuredProgram::Now, benchmark_times(&now));
        }
    }
    println!("\n{}", table.text(commit));
    Ok(())
}

/// Makes a tree of the commit, or brings the one that exists there. Names such as `HEAD~1` mean what
/// they mean in the repository, not what they mean in that tree.
fn check_out(repository: &Path, commit: &str, tree: &Path) -> Result<(), TaskFailure> {
    let wanted = format!("{commit}^{{commit}}");
    let resolve = ["rev-parse", "--verify", &wanted];
    let hash = CommandLine::new(repository, "git", &resolve).run_and_read()?;
    let hash = hash.trim();
    if tree.exists() {
        return CommandLine::new(tree, "git", &["checkout", "--detach", "--force", hash]).run();
    }
    let path = tree.display().to_string();
    let add = ["worktree", "add", "--force", "--detach", &path, hash];
    CommandLine::new(repository, "git", &add).run()
}

fn bench(root: &Path, package: &str, filter: Option<&str>) -> CommandLine {
    let arguments = ["bench", "--package", package, "--benches", "--"];
    let arguments: Vec<&str> = arguments.into_iter().chain(filter).collect();
    CommandLine::new(root, "cargo", &arguments)
}

/// Which of the two programs was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MeasuredProgram {
    Before = 0,
    Now = 1,
}

/// The fastest times of both programs. Every benchmark that either of them has is a row.
#[derive(Debug, Default)]
struct SideBySide {
    rows: Vec<(String, [Option<f64>; 2])>,
}

impl SideBySide {
    fn add(&mut self, program: MeasuredProgram, times: Vec<BenchmarkTime>) {
        for BenchmarkTime { path, seconds } in times {
            let name = path.join("/");
            let place = self.rows.iter().position(|(known, _)| *known == name);
            let place = place.unwrap_or_else(|| {
                self.rows.push((name, [None; 2]));
                self.rows.len() - 1
            });
            let fastest = &mut self.rows[place].1[program as usize];
            *fastest = Some(fastest.map_or(seconds, |known| known.min(seconds)));
        }
    }

    /// The rows as a table of Markdown.
    fn text(&self, commit: &str) -> String {
        let mut text =
            format!("| benchmark | {commit} | now | times as fast |\n|---|---|---|---|\n");
        for (name, [before, now]) in &self.rows {
            let time = |seconds: &Option<f64>| seconds.map_or_else(|| "-".to_owned(), duration);
            let ratio = before.zip(*now).map(|(before, now)| format!("{:.2}", before / now));
            let ratio = ratio.unwrap_or_else(|| "-".to_owned());
            let (before, now) = (time(before), time(now));
            writeln!(text, "| {name} | {before} | {now} | {ratio} |").expect(TO_STRING);
        }
        text
    }
}

const TO_STRING: &str = "writing to a string succeeds";

/// A time in the unit in which it is easy to read.
fn duration(seconds: f64) -> String {
    let units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")];
    let unit = units.into_iter().find(|(unit, _)| seconds >= *unit);
    let (unit, name) = unit.unwrap_or((1e-9, "ns"));
    format!("{:.2} {name}", seconds / unit)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{BenchmarkTime, CommandLine, MeasuredProgram, SideBySide, check_out};

    fn times(listed: &[(&str, f64)]) -> Vec<BenchmarkTime> {
        let time = |(name, seconds): &(&str, f64)| BenchmarkTime {
            path: name.split('/').map(str::to_owned).collect(),
            seconds: *seconds,
        };
        listed.iter().map(time).collect()
    }

    fn git(folder: &Path, arguments: &[&str]) -> String {
        let somebody = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
        let arguments = [&somebody[..], arguments].concat();
        let answer = CommandLine::new(folder, "git", &arguments).answer();
        answer.expect("git does this").trim().to_owned()
    }

    #[test]
    fn a_commit_before_the_latest_one_is_the_same_the_second_time() {
        let folder = std::env::temp_dir().join(format!("compare-{}", std::process::id()));
        let (repository, tree) = (folder.join("repository"), folder.join("tree"));
        std::fs::create_dir_all(&repository).expect("the folder is new");
        git(&repository, &["init", "--quiet"]);
        for subject in ["first", "second", "third"] {
            git(&repository, &["commit", "--quiet", "--allow-empty", "--message", subject]);
        }
        for _ in 0..2 {
            check_out(&repository, "HEAD~1", &tree).expect("there is such a commit");
            assert_eq!(git(&tree, &["log", "-1", "--format=%s"]), "second");
        }
        check_out(&repository, "HEAD~9", &tree).expect_err("there is no such commit");
        std::fs::remove_dir_all(&folder).expect("the folder is ours");
    }

    #[test]
    fn the_fastest_times_stand_side_by_side_and_no_row_is_lost() {
        let mut table = SideBySide::default();
        table.add(MeasuredProgram::Before, times(&[("engine/open", 4e-3), ("engine/gone", 2.5)]));
        table.add(MeasuredProgram::Now, times(&[("engine/new", 3e-9), ("engine/open", 2e-3)]));
        table.add(MeasuredProgram::Before, times(&[("engine/open", 3e-3), ("engine/gone", 3.0)]));
        table.add(MeasuredProgram::Now, times(&[("engine/open", 12e-6)]));
        let expected = "\
| benchmark | v1 | now | times as fast |
|---|---|---|---|
| engine/open | 3.00 ms | 12.00 µs | 250.00 |
| engine/gone | 2.50 s | - | - |
| engine/new | - | 3.00 ns | - |
";
        assert_eq!(table.text("v1"), expected);
    }
}
