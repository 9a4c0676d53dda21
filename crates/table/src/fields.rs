//! Reads objects whose kind decides on their fields: the fields are kept until the kind is known.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::{Error, Value};

/// A type that is read from the fields of an object.
pub(crate) trait Fielded: Sized {
    /// The expected type, for errors.
    const EXPECTED: &'static str;
    /// The names of the fields of all kinds.
    const NAMES: &'static [&'static str];

    /// Reads a value from its fields.
    fn of(fields: &mut Fields) -> Result<Self, Error>;
}

/// Implements `Deserialize` for types that are read from fields.
// `derive` reads the same with `#[serde(flatten)]` and `#[serde(tag = …)]`, as fast (a move takes
// 0.60 µs with `derive` and 0.61 µs here), but the page grows by 72 KB, 12.9 KB of them after
// brotli (from 417.7 to 430.6 KB, without names). Writing is derived: it costs 0.20 µs for a move
// instead of 0.10 µs by hand, little beside the rest of a move on the server.
macro_rules! deserialize_fielded {
    ($($what:ty),+) => {$(
        impl<'de> serde::Deserialize<'de> for $what {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                crate::fields::read(from)
            }
        }
    )+};
}
pub(crate) use deserialize_fielded;

/// Reads an object from its fields.
pub(crate) fn read<'de, T: Fielded, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    let mut fields = from.deserialize_map(Object { expected: T::EXPECTED, names: T::NAMES })?;
    T::of(&mut fields).map_err(D::Error::custom)
}

/// The fields of an object, until its kind says which of them it needs.
pub(crate) struct Fields {
    names: &'static [&'static str],
    values: Vec<Option<Value>>,
}

impl Fields {
    /// A required field.
    pub(crate) fn take<T: DeserializeOwned>(&mut self, name: &'static str) -> Result<T, Error> {
        let value = self.value(name).ok_or_else(|| Error::missing_field(name))?;
        serde_json::from_value(value).map_err(|error| of_field(name, &error))
    }

    /// An optional field.
    pub(crate) fn take_any<T: DeserializeOwned>(
        &mut self,
        name: &'static str,
    ) -> Result<Option<T>, Error> {
        match self.value(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => {
                serde_json::from_value(value).map(Some).map_err(|error| of_field(name, &error))
            }
        }
    }

    /// A required field whose value is read from its own fields.
    pub(crate) fn take_fielded<T: Fielded>(&mut self, name: &'static str) -> Result<T, Error> {
        fielded(self.value(name).ok_or_else(|| Error::missing_field(name))?)
    }

    /// A required list, with a function that reads each element.
    pub(crate) fn take_list<T>(
        &mut self,
        name: &'static str,
        read: fn(Value) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        match self.value(name) {
            Some(Value::Array(list)) => list.into_iter().map(read).collect(),
            Some(_) => Err(Error::custom(format_args!("invalid type, expected {name} as a list"))),
            None => Err(Error::missing_field(name)),
        }
    }

    /// A field that has its default value where it is missing.
    pub(crate) fn take_or_default<T: DeserializeOwned + Default>(
        &mut self,
        name: &'static str,
    ) -> Result<T, Error> {
        self.value(name).map_or_else(|| Ok(T::default()), serde_json::from_value)
    }

    fn value(&mut self, name: &str) -> Option<Value> {
        let place = self.names.iter().position(|known| *known == name)?;
        self.values[place].take()
    }
}

/// The error with the name of the field.
fn of_field(name: &str, error: &Error) -> Error {
    Error::custom(format_args!("{name}: {error}"))
}

/// Reads an object or null.
pub(crate) fn fielded_or_none<T: Fielded>(value: Value) -> Result<Option<T>, Error> {
    if value.is_null() { Ok(None) } else { fielded(value).map(Some) }
}

/// Reads an object that was parsed as part of another one.
pub(crate) fn fielded<T: Fielded>(value: Value) -> Result<T, Error> {
    let Value::Object(mut object) = value else {
        return Err(Error::custom(format_args!("invalid type, expected {}", T::EXPECTED)));
    };
    let values = T::NAMES.iter().map(|name| object.remove(*name)).collect();
    T::of(&mut Fields { names: T::NAMES, values })
}

struct Object {
    expected: &'static str,
    names: &'static [&'static str],
}

impl<'de> Visitor<'de> for Object {
    type Value = Fields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
        let names = self.names;
        let mut values = vec![None; names.len()];
        while let Some(place) = map.next_key_seed(FieldName(names))? {
            match place {
                None => drop(map.next_value::<IgnoredAny>()?),
                Some(place) if values[place].is_some() => {
                    return Err(A::Error::duplicate_field(names[place]));
                }
                Some(place) => values[place] = Some(map.next_value()?),
            }
        }
        Ok(Fields { names, values })
    }
}

/// Reads the name of a field: its place among the known names, if it is one.
struct FieldName(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for FieldName {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Option<usize>, D::Error> {
        from.deserialize_identifier(self)
    }
}

impl Visitor<'_> for FieldName {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E>(self, name: &str) -> Result<Option<usize>, E> {
        Ok(self.0.iter().position(|known| *known == name))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Action, Entry, TableSnapshot};

    fn error<T: serde::de::DeserializeOwned>(text: &str) -> String {
        let error = serde_json::from_str::<T>(text).err().map(|error| error.to_string());
        let error = error.expect("the text is refused");
        error.split(" at line").next().expect("a split has a first part").to_owned()
    }

    const LEFT: &str = r#""format":1,"version":2,"at":3,"who":{"seat":0},"kind":"left","seat":0"#;

    #[test]
    fn fields_of_other_kinds_and_unknown_ones_are_ignored() {
        let text = format!(r#"{{{LEFT},"round":"no number","moon":[{{}}],"moon":1}}"#);
        let read: Entry = serde_json::from_str(&text).unwrap();
        assert_eq!(read.write(), format!("{{{LEFT}}}"));
    }

    #[test]
    fn a_duplicate_field_is_refused() {
        let text = format!(r#"{{{LEFT},"at":4}}"#);
        assert_eq!(error::<Entry>(&text), "duplicate field `at`");
    }

    #[test]
    fn an_error_names_the_field_or_the_kind() {
        assert_eq!(error::<Entry>(r#"{"format":1}"#), "missing field `version`");
        assert_eq!(error::<Action>(r#"{"id":"a:1"}"#), "missing field `action`");
        assert_eq!(error::<Action>(r#"{"id":"a:1","action":"tie"}"#), "missing field `round`");
        assert_eq!(
            error::<Action>(r#"{"id":"a:1","action":"dance"}"#),
            "unknown variant `dance`, expected one of `join`, `play`, `forfeit`, `tie`, \
             `next_round`, `leave`, `claim`, `ask_takeback`, `grant_takeback`, `decline_takeback`, \
             `offer_seat`, `take_over`, `end`"
        );
    }

    #[test]
    fn only_an_object_is_read() {
        assert_eq!(error::<Entry>("[]"), "invalid type: sequence, expected an entry");
        let options = r#"{"format":1,"version":1,"at":1,"game":"nim","rules":1,"options":7}"#;
        assert_eq!(
            error::<TableSnapshot>(options),
            "invalid type, expected the options of a table"
        );
    }
}
