//! `pack PAGE OUT WASM...` packs the compiled page for browsers.

use std::path::PathBuf;
use std::process::ExitCode;

use pack::{PackJob, pack};

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [page, out, programs @ ..] = &*arguments else {
        eprintln!(
            "Usage: pack PAGE OUT WASM...\n\
             PAGE is the folder of the page's documents and other files, OUT the folder to write to, \
             and each WASM a program of the page, compiled for wasm32-unknown-unknown."
        );
        return ExitCode::from(2);
    };
    // Another version of this program may pack the same page differently.
    let packer = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
    let (page, out) = (page.clone(), out.clone());
    let job = PackJob { programs: programs.to_vec(), page, out, packer };
    match pack(&job) {
        Ok(manifest) => {
            print!("{manifest}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("The page could not be packed: {error}.");
            ExitCode::FAILURE
        }
    }
}
