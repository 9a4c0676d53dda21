//! What was packed, for those who serve it.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

/// The name of the manifest's file.
pub const MANIFEST: &str = "manifest.json";

/// What was packed, for those who serve it. Its `Display` is a table of sizes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The document of the home page.
    pub home: Entry,
    /// The document of everything else that the page shows.
    pub table: Entry,
    /// What the documents load, by the path that it is served under. It never changes there.
    pub assets: BTreeMap<String, Entry>,
}

/// A file as it is, and as it travels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// What to call it when it is served.
    pub content_type: String,
    /// Changes with the contents.
    pub hash: String,
    /// As it is.
    pub plain: Stored,
    /// In gzip form, if that is shorter.
    pub gzip: Option<Stored>,
    /// In brotli form, if that is shorter.
    pub brotli: Option<Stored>,
}

/// A file beside the manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stored {
    /// Its name.
    pub file: String,
    /// Its length.
    pub bytes: u64,
}

impl Manifest {
    /// All entries with their names, the documents first.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &Entry)> {
        let documents = [("home.html", &self.home), ("table.html", &self.table)];
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

impl Entry {
    /// The lengths as it is, in gzip form and in brotli form.
    fn lengths(&self) -> [u64; 3] {
        let plain = self.plain.bytes;
        let length = |form: &Option<Stored>| form.as_ref().map_or(plain, |form| form.bytes);
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
        let mut total = [0; 3];
        for (name, entry) in self.entries() {
            let lengths = entry.lengths();
            line(name, lengths)?;
            // Of the two documents a visitor loads one.
            if name != "home.html" {
                total = [0, 1, 2].map(|form| total[form] + lengths[form]);
            }
        }
        line("a visit", total)
    }
}
