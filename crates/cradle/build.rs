//! Embeds the page in the command: `CRADLE_PAGE` names the folder that `pack` wrote. Without it the
//! command has no page.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

const FOLDER: &str = "CRADLE_PAGE";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={FOLDER}");
    let page = match std::env::var_os(FOLDER).filter(|folder| !folder.is_empty()) {
        None => "None".to_owned(),
        Some(folder) => {
            let folder = PathBuf::from(folder);
            if folder.is_relative() {
                return Err(format!("{FOLDER} needs an absolute path: write $PWD before it").into());
            }
            let manifest = folder.join("manifest.json");
            println!("cargo::rerun-if-changed={}", manifest.display());
            let page = page(&folder, &manifest);
            page.map_err(|why| {
                format!("{FOLDER} names no packed page ({why}); `cargo xtask serve` packs one")
            })?
        }
    };
    let out = std::env::var_os("OUT_DIR").ok_or("Cargo has not set OUT_DIR")?;
    std::fs::write(Path::new(&out).join("page.rs"), page)?;
    Ok(())
}

/// A Rust expression for the page.
fn page(folder: &Path, manifest: &Path) -> Result<String, Box<dyn Error>> {
    let manifest: Value = serde_json::from_slice(&std::fs::read(manifest)?)?;
    let mut assets = String::new();
    for (path, entry) in manifest["assets"].as_object().ok_or("it has no assets")? {
        writeln!(assets, "({path:?}, {}),", content(folder, entry)?)?;
    }
    let document = |name: &str| content(folder, &manifest[name]);
    let (home, local) = (document("home")?, document("local")?);
    let (table, lab) = (document("table")?, document("lab")?);
    let service_worker = document("service_worker")?;
    let assets = format!("[{assets}].into()");
    Ok(format!(
        "Some(server::Page {{ home: {home}, local: {local}, table: {table}, lab: {lab}, \
         service_worker: {service_worker}, assets: {assets} }})"
    ))
}

/// A Rust expression for one file of the page.
fn content(folder: &Path, entry: &Value) -> Result<String, Box<dyn Error>> {
    let bytes = |form: &str| {
        let file = folder.join(entry[form]["file"].as_str()?);
        Some(format!("include_bytes!({:?})", file.to_str()?))
    };
    let kind = entry["content_type"].as_str().ok_or("an entry has no content type")?;
    let plain = bytes("plain").ok_or("an entry has no file")?;
    let mut content = format!("server::Content::new({kind:?}, {plain})");
    for form in ["gzip", "brotli"] {
        if let Some(bytes) = bytes(form) {
            write!(content, ".with_{form}({bytes})")?;
        }
    }
    Ok(content)
}
