//! The folders that the page is read from and written to.

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
        let name = name.ok_or_else(|| PackError::NotAFile(path.clone()))?.to_owned();
        // Skips what editors leave behind.
        if !name.starts_with('.') && !name.ends_with('~') {
            files.insert(name, read(&path)?);
        }
    }
    Ok(files)
}

/// A file of the page, before its placeholders are filled.
pub(crate) fn source(name: &str, bytes: Vec<u8>) -> Result<Source, PackError> {
    if !is_text(content_type(name)?) {
        return Ok(Source::Bytes(bytes));
    }
    text(name, bytes).map(Source::Text)
}

/// The text of a file.
pub(crate) fn text(name: &str, bytes: Vec<u8>) -> Result<String, PackError> {
    String::from_utf8(bytes).map_err(|_error| PackError::NotUtf8(name.to_owned()))
}

/// The folder of a packed page.
pub(crate) struct OutputFolder {
    folder: PathBuf,
}

/// The file with the fingerprint of the sources. It is written last.
const FINGERPRINT: &str = "made-from";

impl OutputFolder {
    pub(crate) fn new(folder: &Path) -> Result<Self, PackError> {
        let unwritable = |source| PackError::Unwritable { path: folder.to_owned(), source };
        std::fs::create_dir_all(folder).map_err(unwritable)?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// The manifest of a complete page that was packed from sources with this fingerprint.
    pub(crate) fn packed_from(&self, fingerprint: &str) -> Option<Manifest> {
        let found = std::fs::read_to_string(self.folder.join(FINGERPRINT)).ok()?;
        let manifest = self.manifest().filter(|_| found == fingerprint)?;
        let is_complete = manifest.files().all(|file| self.folder.join(file).is_file());
        is_complete.then_some(manifest)
    }

    /// The manifest of the folder, complete or not.
    fn manifest(&self) -> Option<Manifest> {
        serde_json::from_slice(&std::fs::read(self.folder.join(MANIFEST)).ok()?).ok()
    }

    /// Writes a file unless its contents are the same, so that nothing is rebuilt in vain.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), PackError> {
        let path = self.folder.join(name);
        if std::fs::read(&path).is_ok_and(|present| present == bytes) {
            return Ok(());
        }
        std::fs::write(&path, bytes).map_err(|source| PackError::Unwritable { path, source })
    }

    /// Writes the manifest and the fingerprint, and removes the files of the manifest before. All other
    /// files stay.
    pub(crate) fn finish(&self, manifest: &Manifest, fingerprint: &str) -> Result<(), PackError> {
        let before = self.manifest();
        let text = serde_json::to_string_pretty(manifest).expect("a manifest is plain data");
        self.write(MANIFEST, text.as_bytes())?;
        let kept: BTreeSet<&str> = manifest.files().collect();
        for old in before.iter().flat_map(Manifest::files).filter(|old| !kept.contains(old)) {
            // The file may be gone already.
            drop(std::fs::remove_file(self.folder.join(old)));
        }
        self.write(FINGERPRINT, fingerprint.as_bytes())
    }
}

/// A text that changes with the packer and every source of the page.
pub(crate) fn fingerprint(
    packer: &[u8],
    programs: &[Vec<u8>],
    files: &BTreeMap<String, Vec<u8>>,
) -> String {
    let files = files.iter().flat_map(|(name, bytes)| [name.as_bytes(), bytes]);
    let programs = programs.iter().map(Vec::as_slice);
    let parts: Vec<&[u8]> = std::iter::once(packer).chain(programs).chain(files).collect();
    hash::hash_of(&parts)
}
