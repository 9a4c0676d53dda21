//! Placeholders such as `{{style.css}}`, which stand for the paths of other files.

use std::collections::BTreeMap;

use crate::PackError;
use crate::hash::{hash, hash_of};

/// A file before its placeholders are filled.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    /// A text, which can contain placeholders.
    Text(String),
    /// Anything else.
    Bytes(Vec<u8>),
}

/// A file and the path that it is served at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asset {
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
}

/// The page with all placeholders filled.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FilledPage {
    pub(crate) home: String,
    pub(crate) local: String,
    pub(crate) table: String,
    pub(crate) lab: String,
    pub(crate) service_worker: String,
    /// The other files, by their original names.
    pub(crate) assets: BTreeMap<String, Asset>,
}

/// The files whose addresses never change.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Documents<'a> {
    /// The template of three documents: the home page, the page of a table in the browser, and all others.
    pub(crate) index: &'a str,
    /// The document of the lab.
    pub(crate) lab: &'a str,
    /// The script that keeps a copy of the page in the browser.
    pub(crate) service_worker: &'a str,
}

/// Fills the placeholders of the documents and of all files. The first document becomes three, which differ
/// in `{{page}}`, what is visible at first, and in `{{program}}`, the program that they load as
/// `{{program.js}}` and `{{program.wasm}}`. The service worker's `{{version}}` changes with any document
/// and any file that a document names.
pub(crate) fn fill(
    documents: Documents<'_>,
    sources: &BTreeMap<String, Source>,
) -> Result<FilledPage, PackError> {
    let Documents { index, lab, service_worker } = documents;
    let mut filler = Filler { sources, assets: BTreeMap::new(), unfinished: Vec::new() };
    for name in sources.keys() {
        filler.path("the page", name)?;
    }
    let mut filled = |page: &str, program: &str| {
        replace(index, |name| match (name, name.strip_prefix("program.")) {
            ("page", _) => Ok(page.to_owned()),
            ("program", _) => Ok(program.to_owned()),
            (_, Some(extension)) => filler.path("index.html", &format!("{program}.{extension}")),
            _ => filler.path("index.html", name),
        })
    };
    let home = filled("home", FIRST_PROGRAM)?;
    let local = filled("table", FIRST_PROGRAM)?;
    let table = filled("table", WHOLE_PROGRAM)?;
    let lab = replace(lab, |name| filler.path("lab.html", name))?;
    let version = hash_of(&[&home, &local, &table, &lab].map(String::as_bytes));
    let service_worker = replace(service_worker, |name| match name {
        "version" => Ok(version.clone()),
        _ => filler.path("service-worker.js", name),
    })?;
    Ok(FilledPage { home, local, table, lab, service_worker, assets: filler.assets })
}

/// The program of the home page and of tic-tac-toe in the browser.
const FIRST_PROGRAM: &str = "web";

/// The program of all other pages.
const WHOLE_PROGRAM: &str = "pages";

struct Filler<'a> {
    sources: &'a BTreeMap<String, Source>,
    assets: BTreeMap<String, Asset>,
    /// The files that wait for the paths of others, outermost first.
    unfinished: Vec<String>,
}

impl Filler<'_> {
    /// The path of the file `name`, which `file` refers to.
    fn path(&mut self, file: &str, name: &str) -> Result<String, PackError> {
        if let Some(asset) = self.assets.get(name) {
            return Ok(asset.path.clone());
        }
        if let Some(first) = self.unfinished.iter().position(|unfinished| unfinished == name) {
            let names = self.unfinished[first..].join(" → ");
            return Err(PackError::Cycle(format!("{names} → {name}")));
        }
        let unknown = || PackError::UnknownPlaceholder { file: file.into(), name: name.into() };
        let source = self.sources.get(name).ok_or_else(unknown)?;
        self.unfinished.push(name.to_owned());
        // A path depends on the contents, which depend on the paths of other files.
        let bytes = match source {
            Source::Bytes(bytes) => bytes.clone(),
            Source::Text(text) => replace(text, |other| self.path(name, other))?.into_bytes(),
        };
        self.unfinished.pop();
        let path = path(name, &bytes);
        self.assets.insert(name.to_owned(), Asset { path: path.clone(), bytes });
        Ok(path)
    }
}

/// The path of a file with these contents.
fn path(name: &str, bytes: &[u8]) -> String {
    let hash = hash(bytes);
    match name.rsplit_once('.') {
        Some((stem, extension)) => format!("/assets/{stem}-{hash}.{extension}"),
        None => format!("/assets/{name}-{hash}"),
    }
}

/// Replaces each `{{name}}` in a text. Braces around anything else stay.
fn replace(
    text: &str,
    mut value: impl FnMut(&str) -> Result<String, PackError>,
) -> Result<String, PackError> {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        filled += before;
        if let Some((name, behind)) = after.split_once("}}").filter(|(name, _)| is_name(name)) {
            filled += &value(name)?;
            rest = behind;
        } else {
            filled += "{{";
            rest = after;
        }
    }
    Ok(filled + rest)
}

fn is_name(text: &str) -> bool {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "._-".contains(character);
    !text.is_empty() && text.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill_all(document: &str, files: &[(&str, &str)]) -> Result<FilledPage, PackError> {
        let source =
            |&(name, text): &(&str, &str)| (name.to_owned(), Source::Text(text.to_owned()));
        let documents = Documents { index: document, lab: "", service_worker: "{{version}}" };
        fill(documents, &files.iter().map(source).collect())
    }

    fn error(document: &str, files: &[(&str, &str)]) -> String {
        fill_all(document, files).unwrap_err().to_string()
    }

    #[test]
    fn a_file_is_served_under_the_hash_of_its_contents() {
        let filled = fill_all("<link href='{{a.css}}'>", &[("a.css", "abc")]).unwrap();
        assert_eq!(filled.home, "<link href='/assets/a-ba7816bf8f01cfea.css'>");
        assert_eq!(filled.assets["a.css"].path, "/assets/a-ba7816bf8f01cfea.css");
    }

    #[test]
    fn the_document_becomes_three() {
        let filled = fill_all("{{page}} {{program}}", &[]).unwrap();
        assert_eq!(filled.home, "home web");
        assert_eq!(filled.local, "table web");
        assert_eq!(filled.table, "table pages");
    }

    #[test]
    fn each_document_loads_its_own_program() {
        let files = [("web.js", "first"), ("pages.js", "whole")];
        let filled = fill_all("{{program.js}}", &files).unwrap();
        let path = |name: &str| &filled.assets[name].path;
        assert_eq!((&filled.home, &filled.local), (path("web.js"), path("web.js")));
        assert_eq!(&filled.table, path("pages.js"));
        let missing = error("{{program.js}}", &files[..1]);
        assert!(missing.contains("pages.js"), "{missing}");
    }

    #[test]
    fn a_change_reaches_the_paths_of_all_files_that_refer_to_it() {
        let files = |wasm| {
            let files = [("boot.js", "import '{{web.js}}'"), ("web.js", "{{web.wasm}}")];
            fill_all(
                "{{boot.js}} {{icon.svg}}",
                &[&files[..], &[("web.wasm", wasm), ("icon.svg", "")]].concat(),
            )
        };
        let (before, same, after) = (files("1").unwrap(), files("1").unwrap(), files("2").unwrap());
        assert_eq!(before, same);
        for name in ["boot.js", "web.js", "web.wasm"] {
            assert_ne!(before.assets[name].path, after.assets[name].path, "{name}");
        }
        assert_eq!(before.assets["icon.svg"], after.assets["icon.svg"]);
        assert_ne!(before.home, after.home);
        assert_eq!(before.service_worker, same.service_worker);
        assert_ne!(before.service_worker, after.service_worker, "browsers fetch the new version");
    }

    #[test]
    fn braces_around_anything_else_stay() {
        for text in ["{{", "a {{ b }} c", "{{}}", "`${{x}.y}`", "}} {{{a}}}"] {
            assert_eq!(fill_all(text, &[]).unwrap().home, text);
        }
    }

    #[test]
    fn binary_files_have_no_placeholders() {
        let sources = [("a.png".to_owned(), Source::Bytes(b"{{moon}}".to_vec()))];
        let documents = Documents { index: "", lab: "", service_worker: "" };
        let filled = fill(documents, &BTreeMap::from(sources)).unwrap();
        assert_eq!(filled.assets["a.png"].bytes, b"{{moon}}");
    }

    #[test]
    fn an_unknown_placeholder_is_refused_with_its_file() {
        let expected = "index.html contains {{moon.css}}, but there is no such file";
        assert_eq!(error("{{moon.css}}", &[]), expected);
        let expected = "a.js contains {{page}}, but there is no such file";
        assert_eq!(error("", &[("a.js", "{{page}}")]), expected);
    }

    #[test]
    fn files_that_contain_each_other_s_names_are_refused() {
        let expected = "these files contain each other's names: ";
        let files = [("a.js", "{{b.js}}"), ("b.js", "{{c.js}}"), ("c.js", "{{b.js}}")];
        assert_eq!(error("", &files), format!("{expected}b.js → c.js → b.js"));
        assert_eq!(error("", &[("a.js", "{{a.js}}")]), format!("{expected}a.js → a.js"));
    }
}
