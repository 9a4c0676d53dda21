//! `pack WASM PAGE OUT`: makes of the page what a browser loads.

use std::process::ExitCode;

use pack::{Job, pack};

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let Ok([wasm, page, out]) = <[_; 3]>::try_from(arguments) else {
        eprintln!(
            "Usage: pack WASM PAGE OUT\n\
             WASM is the page as compiled for wasm32-unknown-unknown, PAGE the folder of the files \
             that belong to it, OUT the folder to write to."
        );
        return ExitCode::from(2);
    };
    // What a changed program makes of the same page may be something else.
    let maker = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
    let job = Job { wasm: wasm.into(), page: page.into(), out: out.into(), maker };
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
