//! Games and programs that are written as text, in files that end in `.cradle`.

use std::fmt;
use std::iter::repeat;
use std::path::Path;

use anyhow::{Result, bail};
use notation::{BuildLimits, BuiltText, Diagnostic, Document, GivenParameter, Severity};

use crate::built_in_texts;
use crate::console::visible;
use crate::input_file::{text_of_file, text_of_standard_input};
use crate::quantity::counted;

/// A file that was read.
pub(crate) struct TextFile {
    /// Its name, for messages.
    pub(crate) name: String,
    pub(crate) document: Document,
    /// Whether a byte order mark stands before the text.
    pub(crate) is_marked: bool,
}

/// A text with mistakes.
#[derive(Debug)]
pub(crate) struct MistakenText(String);

/// Whether a path stands for standard input.
pub(crate) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether words on the command line name a text: a path that ends in `.cradle`.
pub(crate) fn is_text(words: &str) -> bool {
    let path = words.split_once(".cradle:").map_or(words, |_| ".cradle");
    path.ends_with(".cradle")
}

/// Whether words name a text that is built in: `mnk`, `dining:n=3`.
pub(crate) fn is_built_in(words: &str) -> bool {
    built_in_texts::has(words.split_once(':').map_or(words, |(name, _)| name))
}

/// The words that name a game with its parameters: after a colon, or as further words.
///
/// # Errors
/// If a further word is no parameter, or the game has no parameters with names.
pub(crate) fn with_parameters(words: &str, more: &[String]) -> Result<String> {
    let Some(first) = more.first() else { return Ok(words.to_owned()) };
    if !is_text(words) {
        bail!("{words} has no parameters such as {first:?}: they follow a colon, as in mnk:6,5,4");
    }
    parameters(more)?;
    let between = if words.contains(".cradle:") { "," } else { ":" };
    Ok(format!("{words}{between}{}", more.join(",")))
}

/// The path and the parameters of words such as `nim.cradle:most=4`.
fn path_and_parameters(words: &str) -> Result<(&str, Vec<GivenParameter>)> {
    let Some((path, given)) = words.split_once(".cradle:") else { return Ok((words, Vec::new())) };
    let path = words.get(..path.len() + ".cradle".len()).unwrap_or(words);
    Ok((path, parameters(given.split(','))?))
}

/// Parameters such as `n=9`.
///
/// # Errors
/// If one of them is no parameter.
pub(crate) fn parameters<T: AsRef<str>>(
    given: impl IntoIterator<Item = T>,
) -> Result<Vec<GivenParameter>> {
    let given = given.into_iter().map(|given| Ok(given.as_ref().parse()?));
    given.collect()
}

impl TextFile {
    /// Reads a file, or standard input where the path is `-`.
    ///
    /// # Errors
    /// If the file cannot be read, or is not text. A file that is too long is cut, which its
    /// mistakes tell.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        // One byte more than a text may have tells that it is too long.
        let most = BuildLimits::default().bytes + 1;
        let (name, text) = if is_standard_input(path) {
            ("standard input".to_owned(), text_of_standard_input(most)?)
        } else {
            (path.display().to_string(), text_of_file(path, most)?)
        };
        let is_marked = text.starts_with('\u{feff}');
        Ok(Self { name, document: Document::read(text), is_marked })
    }

    /// Reads and builds the text that words name: `nim.cradle`, `nim.cradle:most=4`.
    ///
    /// # Errors
    /// If the file cannot be read, or has mistakes.
    pub(crate) fn build(words: &str, more: &[GivenParameter]) -> Result<BuiltText> {
        Ok(Self::read_and_build(words, more)?.1)
    }

    /// As [`TextFile::build`], with the file.
    ///
    /// # Errors
    /// As [`TextFile::build`].
    pub(crate) fn read_and_build(
        words: &str,
        more: &[GivenParameter],
    ) -> Result<(Self, BuiltText)> {
        let (path, mut given) = path_and_parameters(words)?;
        given.extend_from_slice(more);
        let file = Self::read(Path::new(path))?;
        let built = file.document.build(&given);
        let built = built.map_err(|mistakes| file.refusal(&mistakes))?;
        Ok((file, built))
    }

    /// Reads and builds the text that words name, or one that is built in: `mnk`, `mnk:6,5,4`,
    /// `mnk:columns=6`.
    ///
    /// # Errors
    /// As [`TextFile::build`], or if there is no such text.
    pub(crate) fn build_any(words: &str, more: &[GivenParameter]) -> Result<BuiltText> {
        if is_text(words) {
            return Self::build(words, more);
        }
        let (name, given) = words.split_once(':').unwrap_or((words, ""));
        let document = Document::read(built_in_texts::text(name)?);
        let file = Self { name: name.to_owned(), document, is_marked: false };
        let usual = file.document.build(&[]).map_err(|mistakes| file.refusal(&mistakes))?;
        // As the catalog has them: in order, without names.
        let names = usual.parameters().iter().map(|(name, _)| name.as_str()).chain(repeat("?"));
        let given = given.split(',').filter(|given| !given.is_empty()).zip(names);
        let named = |(given, name): (&str, &str)| {
            if given.contains('=') { given.to_owned() } else { format!("{name}={given}") }
        };
        let given = given.map(named);
        let mut given = parameters(given)?;
        given.extend_from_slice(more);
        Ok(file.document.build(&given).map_err(|mistakes| file.refusal(&mistakes))?)
    }

    /// The mistakes and warnings, for people.
    pub(crate) fn render(&self, diagnostics: &[Diagnostic]) -> String {
        let shown = diagnostics.iter().map(|each| each.render(&self.name, self.document.text()));
        visible(&shown.collect::<Vec<_>>().join("\n"))
    }

    /// The error for a text with mistakes.
    pub(crate) fn refusal(&self, mistakes: &[Diagnostic]) -> MistakenText {
        let count = count_of(mistakes, Severity::Mistake);
        let mistaken = counted(count, "mistake", "mistakes");
        MistakenText(format!("{} has {mistaken}\n{}", self.name, self.render(mistakes)))
    }
}

/// The number of mistakes, or of warnings.
pub(crate) fn count_of(diagnostics: &[Diagnostic], severity: Severity) -> u64 {
    diagnostics.iter().filter(|each| each.severity() == severity).count() as u64
}

impl fmt::Display for MistakenText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for MistakenText {}
