//! Something for each of some seats.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Something for each of some seats, in the order of seats; a JSON object.
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
        serializer.collect_map(self.0.iter().map(|(seat, thing)| (seat, thing)))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for BySeat<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Seats(PhantomData))
    }
}

struct Seats<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Seats<T> {
    type Value = BySeat<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the names of seats")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<BySeat<T>, A::Error> {
        let mut things: Vec<(String, T)> = Vec::new();
        while let Some((seat, thing)) = map.next_entry::<String, T>()? {
            if things.len() == usize::from(game::Seat::MOST) {
                return Err(A::Error::custom("there are more seats than a game has"));
            }
            if things.iter().any(|(known, _)| *known == seat) {
                return Err(A::Error::custom(format_args!("{seat:?} is there twice")));
            }
            things.push((seat, thing));
        }
        Ok(BySeat(things))
    }
}
