//! The folders that a page is read from and written to.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::content_type::{content_type, is_text};
use crate::manifest::{MANIFEST, Manifest};
use crate::placeholders::Source;
use crate::{PackError, hash};

/// The bytes of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, PackError> {
    let unreadable = |source| PackError::Unreadable { path: path.to_owned(), source };
    std::fs::read(path).map_err(unreadable)
}

/// All files of a folder, by name.
pub(crate) fn files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, PackError> {
    let unreadable = |source| PackError::Unreadable { path: folder.to_owned(), source };
    let mut files = BTreeMap::new();
    for entry in folder.read_dir().map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).filter(|_| path.is_file());
        let name = name.ok_or_else(|| PackError::NoFile(path.clone()))?.to_owned();
        // What editors leave behind is no part of the page.
        if !name.starts_with('.') && !name.ends_with('~') {
            files.insert(name, read(&path)?);
        }
    }
    Ok(files)
}

/// A file of the page as placeholders are filled in it.
pub(crate) fn source(name: &str, bytes: Vec<u8>) -> Result<Source, PackError> {
    if !is_text(content_type(name)?) {
        return Ok(Source::Bytes(bytes));
    }
    text(name, bytes).map(Source::Text)
}

/// The text of a file.
pub(crate) fn text(name: &str, bytes: Vec<u8>) -> Result<String, PackError> {
    String::from_utf8(bytes).map_err(|_no_text| PackError::NoText(name.to_owned()))
}

/// The folder that a packed page is in.
pub(crate) struct Out {
    folder: PathBuf,
}

/// The file that says what the page was made of, once all of it is there.
const MADE_FROM: &str = "made-from";

impl Out {
    pub(crate) fn new(folder: &Path) -> Result<Self, PackError> {
        let unwritable = |source| PackError::Unwritable { path: folder.to_owned(), source };
        std::fs::create_dir_all(folder).map_err(unwritable)?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// What is there, if it was made of this.
    pub(crate) fn made_from(&self, sources: &str) -> Option<Manifest> {
        let made_from = std::fs::read_to_string(self.folder.join(MADE_FROM)).ok()?;
        let manifest = self.manifest().filter(|_| made_from == sources)?;
        let is_whole = manifest.files().all(|file| self.folder.join(file).is_file());
        is_whole.then_some(manifest)
    }

    /// What is there, whole or not.
    fn manifest(&self) -> Option<Manifest> {
        serde_json::from_slice(&std::fs::read(self.folder.join(MANIFEST)).ok()?).ok()
    }

    /// Writes a file, unless it is there already: who is built with it is not built again.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), PackError> {
        let path = self.folder.join(name);
        if std::fs::read(&path).is_ok_and(|present| present == bytes) {
            return Ok(());
        }
        std::fs::write(&path, bytes).map_err(|source| PackError::Unwritable { path, source })
    }

    /// Writes the manifest of files that are there by now, removes those of the manifest before, and
    /// nothing else, and notes what all was made of.
    pub(crate) fn finish(&self, manifest: &Manifest, sources: &str) -> Result<(), PackError> {
        let before = self.manifest();
        let text = serde_json::to_string_pretty(manifest).expect("a manifest is plain data");
        self.write(MANIFEST, text.as_bytes())?;
        let kept: BTreeSet<&str> = manifest.files().collect();
        for old in before.iter().flat_map(Manifest::files).filter(|old| !kept.contains(old)) {
            // One that is gone is as good.
            drop(std::fs::remove_file(self.folder.join(old)));
        }
        self.write(MADE_FROM, sources.as_bytes())
    }
}

/// A text that changes with anything that a page is made of.
pub(crate) fn fingerprint(maker: &[u8], wasm: &[u8], files: &BTreeMap<String, Vec<u8>>) -> String {
    let files = files.iter().flat_map(|(name, bytes)| [name.as_bytes(), bytes]);
    let parts: Vec<&[u8]> = [maker, wasm].into_iter().chain(files).collect();
    hash::hash_of(&parts)
}
