//! The list of packed files, for the server.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

/// The name of the manifest's file.
pub const MANIFEST: &str = "manifest.json";

/// The list of packed files, for the server. Its `Display` is a table of sizes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The document of the home page.
    pub home: ManifestEntry,
    /// The document of tic-tac-toe in the browser.
    pub local: ManifestEntry,
    /// The document of all other pages.
    pub table: ManifestEntry,
    /// The document of the lab.
    pub lab: ManifestEntry,
    /// The script that keeps a copy of the page in the browser.
    pub service_worker: ManifestEntry,
    /// The files that the documents load, by path. The contents at a path never change.
    pub assets: BTreeMap<String, ManifestEntry>,
}

/// A packed file, plain and compressed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestEntry {
    /// The content type.
    pub content_type: String,
    /// The hash of the contents.
    pub hash: String,
    /// The paths of the assets that it names, if it is a document: a browser loads them at once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loads: Vec<String>,
    /// The plain file.
    pub plain: StoredFile,
    /// Compressed with gzip, if that is shorter.
    pub gzip: Option<StoredFile>,
    /// Compressed with brotli, if that is shorter.
    pub brotli: Option<StoredFile>,
}

/// A file beside the manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredFile {
    /// The name.
    pub file: String,
    /// The length.
    pub bytes: u64,
}

impl Manifest {
    /// All entries with their names, the documents first.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &ManifestEntry)> {
        let documents = [
            ("home.html", &self.home),
            ("local.html", &self.local),
            ("table.html", &self.table),
            ("lab.html", &self.lab),
            ("service-worker.js", &self.service_worker),
        ];
        let assets = self.assets.iter().map(|(path, entry)| (path.as_str(), entry));
        documents.into_iter().chain(assets)
    }

    /// The names of all files beside the manifest.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.entries().flat_map(|(_, entry)| {
            let forms = [Some(&entry.plain), entry.gzip.as_ref(), entry.brotli.as_ref()];
            forms.into_iter().flatten().map(|stored| stored.file.as_str())
        })
    }
}

impl Manifest {
    /// The lengths of a document together with what it loads.
    fn visit(&self, document: &ManifestEntry) -> [u64; 3] {
        let loaded = document.loads.iter().filter_map(|path| self.assets.get(path));
        loaded.fold(document.lengths(), |total, asset| {
            let lengths = asset.lengths();
            [0, 1, 2].map(|form| total[form] + lengths[form])
        })
    }
}

impl ManifestEntry {
    /// The plain, gzip and brotli lengths.
    fn lengths(&self) -> [u64; 3] {
        let plain = self.plain.bytes;
        let length = |form: &Option<StoredFile>| form.as_ref().map_or(plain, |form| form.bytes);
        [plain, length(&self.gzip), length(&self.brotli)]
    }
}

impl Display for Manifest {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let width = self.entries().map(|(name, _)| name.len()).max().unwrap_or_default();
        writeln!(formatter, "{:width$}  {:>9} {:>9} {:>9}", "bytes", "plain", "gzip", "brotli")?;
        let mut line = |name: &str, [plain, gzip, brotli]: [u64; 3]| {
            writeln!(formatter, "{name:width$}  {plain:>9} {gzip:>9} {brotli:>9}")
        };
        for (name, entry) in self.entries() {
            line(name, entry.lengths())?;
        }
        line("a first visit", self.visit(&self.local))?;
        line("another page", self.visit(&self.table))?;
        line("the lab", self.visit(&self.lab))
    }
}
