//! `pack WASM PAGE OUT` packs the compiled page for browsers.

use std::process::ExitCode;

use pack::{PackJob, pack};

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let Ok([wasm, page, out]) = <[_; 3]>::try_from(arguments) else {
        eprintln!(
            "Usage: pack WASM PAGE OUT\n\
             WASM is the page compiled for wasm32-unknown-unknown, PAGE the folder of its other files, \
             OUT the folder to write to."
        );
        return ExitCode::from(2);
    };
    // Another version of this program may pack the same page differently.
    let packer = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
    let job = PackJob { wasm: wasm.into(), page: page.into(), out: out.into(), packer };
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
