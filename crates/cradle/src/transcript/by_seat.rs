//! Values by seat.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value for each of some seats, in the order of seats. In JSON it is an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BySeat<T>(pub(super) Vec<(String, T)>);

impl<T> Default for BySeat<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> BySeat<T> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T: Serialize> Serialize for BySeat<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(seat, value)| (seat, value)))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for BySeat<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(SeatsVisitor(PhantomData))
    }
}

struct SeatsVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for SeatsVisitor<T> {
    type Value = BySeat<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the names of seats")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<BySeat<T>, A::Error> {
        let mut values: Vec<(String, T)> = Vec::new();
        while let Some((seat, value)) = map.next_entry::<String, T>()? {
            if values.len() == usize::from(game::Seat::MOST) {
                return Err(A::Error::custom("there are too many seats"));
            }
            if values.iter().any(|(known, _)| *known == seat) {
                return Err(A::Error::custom(format_args!("{seat:?} is there twice")));
            }
            values.push((seat, value));
        }
        Ok(BySeat(values))
    }
}
