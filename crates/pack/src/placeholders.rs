//! Files that name each other by placeholders: `{{style.css}}`.

use std::collections::BTreeMap;

use crate::PackError;
use crate::hash::hash;

/// A file before its placeholders are filled.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    /// A text, which may have placeholders in it.
    Text(String),
    /// Anything else.
    Bytes(Vec<u8>),
}

/// A file under the name that it is served by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asset {
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
}

/// The page with all names filled in.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Filled {
    pub(crate) home: String,
    pub(crate) table: String,
    /// By the names that they had before.
    pub(crate) assets: BTreeMap<String, Asset>,
}

/// Fills the placeholders of a document and of all files. `{{page}}`, which only the document has,
/// makes two documents of it.
pub(crate) fn fill(
    document: &str,
    sources: &BTreeMap<String, Source>,
) -> Result<Filled, PackError> {
    let mut filling = Filling { sources, assets: BTreeMap::new(), begun: Vec::new() };
    for name in sources.keys() {
        filling.path("the page", name)?;
    }
    let mut filled = |page: &str| {
        replaced(document, |name| match name {
            "page" => Ok(page.to_owned()),
            _ => filling.path("index.html", name),
        })
    };
    let (home, table) = (filled("home")?, filled("table")?);
    Ok(Filled { home, table, assets: filling.assets })
}

struct Filling<'a> {
    sources: &'a BTreeMap<String, Source>,
    assets: BTreeMap<String, Asset>,
    /// Files whose names wait for those of others, outermost first.
    begun: Vec<String>,
}

impl Filling<'_> {
    /// The path of the file called `name`, which `file` asks for.
    fn path(&mut self, file: &str, name: &str) -> Result<String, PackError> {
        if let Some(asset) = self.assets.get(name) {
            return Ok(asset.path.clone());
        }
        if let Some(first) = self.begun.iter().position(|begun| begun == name) {
            let names = self.begun[first..].join(" → ");
            return Err(PackError::Cycle(format!("{names} → {name}")));
        }
        let unknown = || PackError::UnknownPlaceholder { file: file.into(), name: name.into() };
        let source = self.sources.get(name).ok_or_else(unknown)?;
        self.begun.push(name.to_owned());
        // A name follows from the contents, and the names of others are part of these.
        let bytes = match source {
            Source::Bytes(bytes) => bytes.clone(),
            Source::Text(text) => replaced(text, |other| self.path(name, other))?.into_bytes(),
        };
        self.begun.pop();
        let path = path(name, &bytes);
        self.assets.insert(name.to_owned(), Asset { path: path.clone(), bytes });
        Ok(path)
    }
}

/// Where a file with these contents is served.
fn path(name: &str, bytes: &[u8]) -> String {
    let hash = hash(bytes);
    match name.rsplit_once('.') {
        Some((stem, ending)) => format!("/assets/{stem}-{hash}.{ending}"),
        None => format!("/assets/{name}-{hash}"),
    }
}

/// A text with each `{{name}}` replaced. Braces around anything else stay.
fn replaced(
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
    let is_usual = |character: char| character.is_ascii_alphanumeric() || "._-".contains(character);
    !text.is_empty() && text.chars().all(is_usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill_all(document: &str, files: &[(&str, &str)]) -> Result<Filled, PackError> {
        let source =
            |&(name, text): &(&str, &str)| (name.to_owned(), Source::Text(text.to_owned()));
        fill(document, &files.iter().map(source).collect())
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
    fn the_document_becomes_two() {
        let filled = fill_all("<body data-page='{{page}}'>", &[]).unwrap();
        assert_eq!(filled.home, "<body data-page='home'>");
        assert_eq!(filled.table, "<body data-page='table'>");
    }

    #[test]
    fn a_change_travels_through_the_names_of_all_who_name_it() {
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
    }

    #[test]
    fn braces_around_anything_else_stay() {
        for text in ["{{", "a {{ b }} c", "{{}}", "`${{x}.y}`", "}} {{{a}}}"] {
            assert_eq!(fill_all(text, &[]).unwrap().home, text);
        }
    }

    #[test]
    fn bytes_have_no_placeholders() {
        let sources = [("a.png".to_owned(), Source::Bytes(b"{{moon}}".to_vec()))];
        let filled = fill("", &BTreeMap::from(sources)).unwrap();
        assert_eq!(filled.assets["a.png"].bytes, b"{{moon}}");
    }

    #[test]
    fn an_unknown_name_is_said_with_the_file_that_has_it() {
        let expected = "index.html names {{moon.css}}, and there is nothing of that name";
        assert_eq!(error("{{moon.css}}", &[]), expected);
        let expected = "a.js names {{page}}, and there is nothing of that name";
        assert_eq!(error("", &[("a.js", "{{page}}")]), expected);
    }

    #[test]
    fn files_that_name_each_other_are_refused() {
        let expected = "no name can be given to files that name each other: ";
        let files = [("a.js", "{{b.js}}"), ("b.js", "{{c.js}}"), ("c.js", "{{b.js}}")];
        assert_eq!(error("", &files), format!("{expected}b.js → c.js → b.js"));
        assert_eq!(error("", &[("a.js", "{{a.js}}")]), format!("{expected}a.js → a.js"));
    }
}
