//! Short names for what a program and its JavaScript call each other: wasm-bindgen ends these names with
//! hashes, which do not compress.

use std::collections::BTreeMap;

/// Names and the short ones that take their place.
#[derive(Debug, Default)]
pub(crate) struct ShortNames(BTreeMap<String, String>);

/// The length of a hash in a name, in hexadecimal digits.
const HASH: usize = 16;

impl ShortNames {
    /// A short name for each of these that ends with a hash.
    pub(crate) fn of<'a, I: Iterator<Item = &'a str>>(names: I) -> Self {
        let mut short = BTreeMap::new();
        for name in names.filter(|name| has_hash(name)) {
            let number = short.len();
            short.entry(name.to_owned()).or_insert_with(|| format!("${number}"));
        }
        Self(short)
    }

    /// The short name of a name, if it has one.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// JavaScript with the short names in it.
    pub(crate) fn put_into(&self, script: &str) -> String {
        let mut shortened = String::with_capacity(script.len());
        let mut rest = script;
        while let Some(start) = rest.find(is_part_of_name) {
            let (before, from) = rest.split_at(start);
            let end = from.find(|letter| !is_part_of_name(letter)).unwrap_or(from.len());
            let (name, after) = from.split_at(end);
            shortened += before;
            shortened += self.get(name).unwrap_or(name);
            rest = after;
        }
        shortened + rest
    }
}

fn has_hash(name: &str) -> bool {
    let digits = name.bytes().rev().take_while(u8::is_ascii_hexdigit).count();
    digits >= HASH && name.len() > digits
}

fn is_part_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '$'
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALL: &str = "__wbg_call_0123456789abcdef";
    const INVOKE: &str = "wasm_bindgen__invoke__hfedcba9876543210";

    #[test]
    fn names_with_a_hash_become_short_everywhere_in_the_script() {
        let names = ShortNames::of([CALL, "main", INVOKE, CALL].into_iter());
        let script = format!("{{ {CALL}: (a) => wasm.{INVOKE}(a), {CALL}2: main }}");
        assert_eq!(names.put_into(&script), format!("{{ $0: (a) => wasm.$1(a), {CALL}2: main }}"));
        assert_eq!((names.get(INVOKE), names.get("main")), (Some("$1"), None));
    }

    #[test]
    fn a_script_without_such_names_stays_as_it_is() {
        let names = ShortNames::of(["main", "deadbeef"].into_iter());
        let script = "// 0123456789abcdef\nmain('é', deadbeef)";
        assert_eq!(names.put_into(script), script);
    }
}
