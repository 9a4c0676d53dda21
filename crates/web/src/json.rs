//! JSON as the lab and the first program read and write it: messages to workers, what the browser keeps, what
//! the server says.
//!
//! The library that the rest of the page uses compiles code for every type. Here all types share one small
//! reader, which makes each of these programs a tenth smaller.

use std::fmt::Write as _;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum JsonValue {
    /// Nothing, or a number that is not whole.
    Null,
    /// True or false.
    Flag(bool),
    /// A whole number.
    Number(u64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Self>),
    /// Names with values.
    Object(Vec<(String, Self)>),
}

/// What is written as JSON, and read again.
pub(crate) trait AsJson: Sized {
    /// The value.
    fn to_json(&self) -> JsonValue;

    /// Reads a value; `None` if it is none of this type.
    fn of_json(json: &JsonValue) -> Option<Self>;
}

/// A list. What is unreadable in it is left out.
impl<T: AsJson> AsJson for Vec<T> {
    fn to_json(&self) -> JsonValue {
        JsonValue::List(self.iter().map(T::to_json).collect())
    }

    fn of_json(json: &JsonValue) -> Option<Self> {
        let JsonValue::List(items) = json else { return None };
        Some(items.iter().filter_map(T::of_json).collect())
    }
}

/// The deepest value that is read.
const DEEPEST: usize = 32;

impl JsonValue {
    /// Reads a value; `None` if the text is none.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut reader = Reader { rest: text };
        let value = reader.value(DEEPEST)?;
        reader.skip();
        reader.rest.is_empty().then_some(value)
    }

    /// An object.
    pub(crate) fn object<const N: usize>(fields: [(&str, Self); N]) -> Self {
        Self::Object(fields.map(|(name, value)| (name.to_owned(), value)).into())
    }

    /// A text.
    pub(crate) fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    /// A list of texts.
    pub(crate) fn texts(texts: &[String]) -> Self {
        Self::List(texts.iter().map(|text| Self::text(text)).collect())
    }

    /// A value, or nothing.
    pub(crate) fn maybe<T>(value: Option<T>, write: impl FnOnce(T) -> Self) -> Self {
        value.map_or(Self::Null, write)
    }

    /// The value of a name; [`JsonValue::Null`] if there is none.
    pub(crate) fn get(&self, name: &str) -> &Self {
        let Self::Object(fields) = self else { return &Self::Null };
        fields.iter().find(|(own, _)| own == name).map_or(&Self::Null, |(_, value)| value)
    }

    /// The text, if it is one.
    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text of a name.
    pub(crate) fn text_of(&self, name: &str) -> Option<String> {
        self.get(name).as_text().map(str::to_owned)
    }

    /// The number of a name.
    pub(crate) fn number_of(&self, name: &str) -> Option<u64> {
        match self.get(name) {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The number of a name, if it is not too large for its type.
    pub(crate) fn small_number_of<N: TryFrom<u64>>(&self, name: &str) -> Option<N> {
        N::try_from(self.number_of(name)?).ok()
    }

    /// The flag of a name; `false` if there is none.
    pub(crate) fn flag_of(&self, name: &str) -> bool {
        *self.get(name) == Self::Flag(true)
    }

    /// The values of a list; none if it is no list.
    pub(crate) fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// The texts of the list of a name.
    pub(crate) fn texts_of(&self, name: &str) -> Vec<String> {
        let texts = self.get(name).items().iter().filter_map(Self::as_text);
        texts.map(str::to_owned).collect()
    }

    /// The value as text.
    pub(crate) fn write(&self) -> String {
        let mut out = String::new();
        self.write_to(&mut out);
        out
    }

    fn write_to(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Flag(flag) => out.push_str(if *flag { "true" } else { "false" }),
            Self::Number(number) => out.push_str(&number.to_string()),
            Self::Text(text) => write_text(text, out),
            Self::List(items) => {
                out.push('[');
                for (number, item) in items.iter().enumerate() {
                    out.push_str(if number == 0 { "" } else { "," });
                    item.write_to(out);
                }
                out.push(']');
            }
            Self::Object(fields) => {
                out.push('{');
                for (number, (name, value)) in fields.iter().enumerate() {
                    out.push_str(if number == 0 { "" } else { "," });
                    write_text(name, out);
                    out.push(':');
                    value.write_to(out);
                }
                out.push('}');
            }
        }
    }
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            letter if letter < ' ' => {
                write!(out, "\\u{:04x}", u32::from(letter)).expect("a string takes everything");
            }
            letter => out.push(letter),
        }
    }
    out.push('"');
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\n', '\r', '\t']);
    }

    /// Takes this text, if it comes next.
    fn takes(&mut self, text: &str) -> bool {
        self.skip();
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn value(&mut self, depth: usize) -> Option<JsonValue> {
        let depth = depth.checked_sub(1)?;
        self.skip();
        match self.rest.chars().next()? {
            '"' => self.text().map(JsonValue::Text),
            '[' => {
                let mut items = Vec::new();
                self.listed('[', ']', |reader| {
                    items.push(reader.value(depth)?);
                    Some(())
                })?;
                Some(JsonValue::List(items))
            }
            '{' => {
                let mut fields = Vec::new();
                self.listed('{', '}', |reader| {
                    let name = reader.text()?;
                    reader.takes(":").then_some(())?;
                    fields.push((name, reader.value(depth)?));
                    Some(())
                })?;
                Some(JsonValue::Object(fields))
            }
            _ => self.word(),
        }
    }

    /// What stands between two brackets, with commas between.
    fn listed(
        &mut self,
        open: char,
        close: char,
        mut item: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.rest = self.rest.strip_prefix(open)?;
        self.skip();
        if let Some(rest) = self.rest.strip_prefix(close) {
            self.rest = rest;
            return Some(());
        }
        loop {
            item(self)?;
            if !self.takes(",") {
                self.rest = self.rest.strip_prefix(close)?;
                return Some(());
            }
        }
    }

    /// A number, or one of the three words.
    fn word(&mut self) -> Option<JsonValue> {
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || "+-.".contains(letter);
        let end = self.rest.find(|letter| !is_part(letter)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        match word {
            "null" => Some(JsonValue::Null),
            "true" => Some(JsonValue::Flag(true)),
            "false" => Some(JsonValue::Flag(false)),
            // No other numbers are needed, but they are skipped.
            number => match number.parse() {
                Ok(number) => Some(JsonValue::Number(number)),
                Err(_) => number
                    .starts_with(|letter: char| letter == '-' || letter.is_ascii_digit())
                    .then_some(JsonValue::Null),
            },
        }
    }

    fn text(&mut self) -> Option<String> {
        if !self.takes("\"") {
            return None;
        }
        let (mut text, mut units) = (String::new(), Vec::new());
        let mut letters = self.rest.char_indices();
        loop {
            let (at, letter) = letters.next()?;
            let mut plain = match letter {
                '"' => {
                    self.rest = self.rest.get(at + 1..)?;
                    text.push_str(&String::from_utf16_lossy(&units));
                    return Some(text);
                }
                '\\' => None,
                letter => Some(letter),
            };
            if plain.is_none() {
                plain = match letters.next()?.1 {
                    'u' => {
                        let mut unit = 0;
                        for _ in 0..4 {
                            unit = unit * 16 + letters.next()?.1.to_digit(16)?;
                        }
                        units.push(u16::try_from(unit).ok()?);
                        continue;
                    }
                    'n' => Some('\n'),
                    't' => Some('\t'),
                    'r' => Some('\r'),
                    'b' => Some('\u{8}'),
                    'f' => Some('\u{c}'),
                    letter => Some(letter),
                };
            }
            text.push_str(&String::from_utf16_lossy(&units));
            units.clear();
            text.extend(plain);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_read_as_it_was_written() {
        let value = JsonValue::object([
            ("text", JsonValue::text("a \"b\" \\ \n\t ä 🧶 \u{1}")),
            (
                "list",
                JsonValue::List(vec![
                    JsonValue::Number(u64::MAX),
                    JsonValue::Flag(true),
                    JsonValue::Null,
                ]),
            ),
            ("empty", JsonValue::List(Vec::new())),
            ("object", JsonValue::object([])),
        ]);
        assert_eq!(JsonValue::read(&value.write()), Some(value.clone()));
        let other: serde_json::Value = serde_json::from_str(&value.write()).expect("it is JSON");
        assert_eq!(JsonValue::read(&other.to_string()), JsonValue::read(&other.to_string()));
        assert_eq!(other["text"], value.text_of("text").unwrap().as_str());
    }

    #[test]
    fn what_others_write_is_read() {
        let read =
            JsonValue::read(r#" {"a" : [ 1 , -2.5e3 ] , "b":"\u00e4\ud83e\uddf6\/" } "#).unwrap();
        assert_eq!(read.get("a").items(), [JsonValue::Number(1), JsonValue::Null]);
        assert_eq!(read.text_of("b").as_deref(), Some("ä🧶/"));
        assert_eq!((read.number_of("c"), read.flag_of("c")), (None, false));
    }

    #[test]
    fn what_is_no_value_is_refused_however_deep() {
        let deep = "[".repeat(100_000);
        for wrong in ["", "{", "[1,]", "[1 2]", "{\"a\"}", "\"a", "\"\\u12\"", "moon", "1 2", &deep]
        {
            assert_eq!(JsonValue::read(wrong), None, "{}", wrong.get(..9).unwrap_or(wrong));
        }
    }
}
