//! Turns the compiled page into files that a server sends as they are: named by content, compressed,
//! listed in a manifest.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::thread;

use crate::PackError;
use crate::bindgen::{BrowserCode, bindgen};
use crate::compression::{brotli, gzip};
use crate::content_type::content_type;
use crate::folder::{self, OutputFolder, fingerprint};
use crate::hash::hash;
use crate::manifest::{Manifest, ManifestEntry, StoredFile};
use crate::placeholders::{Asset, Documents, Source, fill};

/// What to pack, and where to write it.
#[derive(Debug, Clone)]
pub struct PackJob {
    /// The programs of the page, compiled for wasm32-unknown-unknown. `lab.wasm` becomes two files
    /// for browsers, whose placeholders are `{{lab.js}}` and `{{lab.wasm}}`.
    pub programs: Vec<PathBuf>,
    /// The folder of the page's other files, `index.html`, `lab.html` and `service-worker.js` among them.
    pub page: PathBuf,
    /// The folder to write to. Packing removes the files of the previous packing that are no longer
    /// needed, and no others.
    pub out: PathBuf,
    /// The packer's own executable, so that a new version of the packer packs the page again.
    pub packer: Vec<u8>,
}

/// Packs a page and returns its manifest. Writes nothing if the output folder was made from the same
/// files.
///
/// # Errors
/// If a file is not readable or writable, a document is missing, a placeholder names no file, or
/// wasm-bindgen refuses a program.
pub fn pack(job: &PackJob) -> Result<Manifest, PackError> {
    let out = OutputFolder::new(&job.out)?;
    let files = folder::files(&job.page)?;
    let programs = job.programs.iter().map(|path| folder::read(path));
    let fingerprint = fingerprint(&job.packer, &programs.collect::<Result<Vec<_>, _>>()?, &files);
    if let Some(manifest) = out.packed_from(&fingerprint) {
        return Ok(manifest);
    }
    let code = job.programs.iter().map(|path| bindgen(path)).collect::<Result<Vec<_>, _>>()?;
    let manifest = write_files(code, files, &out)?;
    out.finish(&manifest, &fingerprint)?;
    Ok(manifest)
}

/// Fills the placeholders, writes all files and returns the manifest, which is not written yet.
fn write_files(
    code: Vec<BrowserCode>,
    mut files: BTreeMap<String, Vec<u8>>,
    out: &OutputFolder,
) -> Result<Manifest, PackError> {
    let mut document = |name: &'static str| {
        let bytes = files.remove(name).ok_or(PackError::NoDocument(name))?;
        folder::text(name, bytes)
    };
    let (index, lab) = (document("index.html")?, document("lab.html")?);
    let service_worker = document("service-worker.js")?;
    let to_source = |(name, bytes): (String, Vec<u8>)| {
        let source = folder::source(&name, bytes)?;
        Ok((name, source))
    };
    let mut sources = files.into_iter().map(to_source).collect::<Result<BTreeMap<_, _>, _>>()?;
    for BrowserCode { name, wasm, js } in code {
        sources.insert(format!("{name}.wasm"), Source::Bytes(wasm));
        // Bytes, not text: what looks like a placeholder in generated JavaScript is none.
        sources.insert(format!("{name}.js"), Source::Bytes(js.into_bytes()));
    }
    let documents = Documents { index: &index, lab: &lab, service_worker: &service_worker };
    let filled = fill(documents, &sources)?;
    // Side by side, because compressing a program takes seconds.
    let assets = thread::scope(|scope| {
        let begin = |asset: &Asset| {
            let (path, bytes) = (asset.path.clone(), asset.bytes.clone());
            let write = move || {
                let name = path.rsplit('/').next().expect("a path ends with a name");
                let entry = write_entry(out, name, &bytes)?;
                Ok((path, entry))
            };
            scope.spawn(write)
        };
        let mut writing = Vec::new();
        writing.extend(filled.assets.values().map(begin));
        let written = writing.into_iter().map(|thread| thread.join().expect("no write panics"));
        written.collect::<Result<BTreeMap<_, _>, PackError>>()
    })?;
    let document = |name: &str, text: &str| {
        let is_loaded = |path: &&String| is_loaded(text, path);
        let loads = assets.keys().filter(is_loaded).cloned().collect();
        Ok(ManifestEntry { loads, ..write_entry(out, name, text.as_bytes())? })
    };
    let home = document("home.html", &filled.home)?;
    let local = document("local.html", &filled.local)?;
    let table = document("table.html", &filled.table)?;
    let lab = document("lab.html", &filled.lab)?;
    let service_worker = document("service-worker.js", &filled.service_worker)?;
    Ok(Manifest { home, local, table, lab, service_worker, assets })
}

/// Writes a file and its compressed versions, and returns their entry in the manifest.
fn write_entry(out: &OutputFolder, name: &str, bytes: &[u8]) -> Result<ManifestEntry, PackError> {
    let store = |extension: &str, bytes: &[u8]| {
        let file = format!("{name}{extension}");
        out.write(&file, bytes)?;
        Ok(StoredFile { file, bytes: bytes.len() as u64 })
    };
    Ok(ManifestEntry {
        content_type: content_type(name)?.to_owned(),
        hash: hash(bytes),
        loads: Vec::new(),
        plain: store("", bytes)?,
        gzip: gzip(bytes).map(|bytes| store(".gz", &bytes)).transpose()?,
        brotli: brotli(bytes).map(|bytes| store(".br", &bytes)).transpose()?,
    })
}

/// Whether a browser that shows a document loads this path. What `<meta>` names is for other programs, such
/// as messengers, and a touch icon is loaded by people who put the page on their home screen.
fn is_loaded(document: &str, path: &str) -> bool {
    let is_shown = |element: &&str| {
        !element.starts_with("meta ") && !element.contains("rel=\"apple-touch-icon\"")
    };
    document.split('<').filter(is_shown).any(|element| element.contains(path))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::time::SystemTime;

    use super::*;

    const DOCUMENT: &str = "<script src=\"{{boot.js}}\"></script><body data-page=\"{{page}}\">";

    fn files(style: &str) -> BTreeMap<String, Vec<u8>> {
        let style = style.repeat(100);
        let boot = "import start from \"{{web.js}}\"; start(\"{{web.wasm}}\")";
        let files = [
            ("index.html", DOCUMENT),
            ("lab.html", "<script src=\"{{lab.js}}\">{{boot.js}}"),
            ("service-worker.js", "{{version}} {{web.js}}"),
            ("boot.js", boot),
            ("style.css", &style),
        ];
        files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())).into()
    }

    fn code() -> Vec<BrowserCode> {
        let program = |name: &str| BrowserCode {
            name: name.to_owned(),
            wasm: b"\0asm".repeat(100),
            js: format!("export default 1 // {name} {{{{not a placeholder}}}}"),
        };
        ["web", "lab"].map(program).into()
    }

    /// Packs without wasm-bindgen. The style serves as the fingerprint.
    fn check(folder: &Path, style: &str) -> Manifest {
        let out = OutputFolder::new(folder).unwrap();
        let manifest = write_files(code(), files(style), &out).unwrap();
        out.finish(&manifest, style).unwrap();
        manifest
    }

    fn names(folder: &Path) -> Vec<String> {
        let names = folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn times(folder: &Path) -> Vec<SystemTime> {
        let time = |name: &String| folder.join(name).metadata().unwrap().modified().unwrap();
        names(folder).iter().map(time).collect()
    }

    #[test]
    fn everything_in_the_manifest_is_in_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = check(folder.path(), "body { margin: 0 }\n");
        assert_eq!(manifest.assets.len(), 6);
        for (name, entry) in manifest.entries() {
            for stored in [Some(&entry.plain), entry.gzip.as_ref(), entry.brotli.as_ref()] {
                let Some(stored) = stored else { continue };
                let length = folder.path().join(&stored.file).metadata().unwrap().len();
                assert_eq!(length, stored.bytes, "{name}");
            }
        }
        let boot = fs::read_to_string(folder.path().join(&manifest.home.plain.file)).unwrap();
        let (path, _) = manifest.assets.iter().find(|(path, _)| path.contains("boot")).unwrap();
        assert!(boot.contains(path.as_str()), "{boot}");
        assert_eq!(manifest.assets[path].content_type, "text/javascript; charset=utf-8");
    }

    #[test]
    fn writing_the_same_files_again_touches_none() {
        let folder = tempfile::tempdir().unwrap();
        let first = check(folder.path(), "a");
        let before = times(folder.path());
        assert_eq!(check(folder.path(), "a"), first);
        assert_eq!(times(folder.path()), before);
    }

    #[test]
    fn only_files_of_the_previous_packing_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("letter.txt"), "mine").unwrap();
        let first = check(folder.path(), "a");
        let second = check(folder.path(), "b");
        let left = names(folder.path());
        let mut expected: Vec<_> = second.files().map(str::to_owned).collect();
        expected.extend(["letter.txt", "made-from", "manifest.json"].map(str::to_owned));
        expected.sort();
        assert_eq!(left, expected);
        assert!(first.files().any(|file| !left.iter().any(|name| name == file)));
    }

    #[test]
    fn a_complete_page_is_recognised_by_its_fingerprint() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = check(folder.path(), "a");
        let out = OutputFolder::new(folder.path()).unwrap();
        assert_eq!(out.packed_from("a"), Some(manifest.clone()));
        assert_eq!(out.packed_from("b"), None);
        fs::remove_file(folder.path().join(&manifest.table.plain.file)).unwrap();
        assert_eq!(out.packed_from("a"), None, "a file is missing");
    }

    #[test]
    fn every_input_changes_the_fingerprint() {
        let print = |packer: &str, programs: &[&str], style| {
            let programs: Vec<_> = programs.iter().map(|code| code.as_bytes().to_vec()).collect();
            fingerprint(packer.as_bytes(), &programs, &files(style))
        };
        let usual = print("1", &["web", "lab"], "a");
        assert_eq!(usual, print("1", &["web", "lab"], "a"));
        assert_ne!(usual, print("2", &["web", "lab"], "a"));
        assert_ne!(usual, print("1", &["wed", "lab"], "a"));
        assert_ne!(usual, print("1", &["web", "lad"], "a"));
        assert_ne!(usual, print("1", &["web"], "a"));
        assert_ne!(usual, print("1", &["web", "lab"], "b"));
    }

    #[test]
    fn a_picture_for_messengers_is_not_loaded_with_the_document() {
        let document = "<meta property=\"og:image\" content=\"/a.png\"><link href=\"/b.svg\">\
            <link rel=\"apple-touch-icon\" href=\"/d.png\">";
        assert!(!is_loaded(document, "/a.png") && !is_loaded(document, "/d.png"));
        assert!(is_loaded(document, "/b.svg") && !is_loaded(document, "/c.svg"));
    }

    #[test]
    fn a_document_lists_what_it_loads_and_nothing_of_other_programs() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = check(folder.path(), "a");
        let loads = |document: &ManifestEntry| {
            let names = document.loads.iter().map(|path| path.split(['/', '-']).nth(2).unwrap());
            names.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(loads(&manifest.table), ["boot"]);
        assert_eq!(loads(&manifest.local), ["boot"]);
        assert_eq!(loads(&manifest.lab), ["boot", "lab"]);
        let both = manifest.to_string();
        let visits = ["a first visit", "another page", "the lab"];
        assert!(visits.iter().all(|visit| both.contains(visit)), "{both}");
    }

    #[test]
    fn a_page_without_a_document_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let out = OutputFolder::new(folder.path()).unwrap();
        let error = |files| write_files(code(), files, &out).unwrap_err().to_string();
        assert_eq!(error(BTreeMap::new()), "the page has no index.html");
        let mut files = files("a");
        files.remove("lab.html");
        assert_eq!(error(files), "the page has no lab.html");
    }

    #[test]
    fn a_file_that_is_not_webassembly_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let wasm = folder.path().join("web.wasm");
        fs::write(&wasm, "moon").unwrap();
        fs::write(folder.path().join("index.html"), DOCUMENT).unwrap();
        let out = folder.path().with_extension("out");
        let (programs, page) = (vec![wasm], folder.path().to_owned());
        let job = PackJob { programs, page, out: out.clone(), packer: vec![] };
        let error = pack(&job).unwrap_err().to_string();
        assert!(error.starts_with("wasm-bindgen does not accept"), "{error}");
        fs::remove_dir_all(out).unwrap();
    }
}
