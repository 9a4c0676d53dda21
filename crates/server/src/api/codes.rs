//! Codes that people say to each other.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::problem::Problem;
use crate::request::{codes, refusal};

/// The table with a code.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Found {
    /// What it is called.
    id: String,
    /// Its game, with its parameters.
    game: String,
    /// How many may still join.
    free_seats: u8,
}

/// Finds the table with a code.
#[utoipa::path(get, path = "/api/codes/{code}", tag = "tables",
    params(("code" = String, Path, description = "What somebody said, as in bodaki")),
    responses((status = 200, description = "It is so", body = Found), (status = 404, description = "There is none", body = crate::problem::Document, content_type = "application/problem+json")))]
pub(crate) async fn find(
    State(app): State<Arc<App>>,
    code: Result<Path<String>, PathRejection>,
) -> Result<Json<Found>, Problem> {
    // What is no text is no code.
    let code = code.map(|Path(code)| code.trim().to_lowercase()).unwrap_or_default();
    let is_code =
        (6..=10).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_lowercase());
    let found = if is_code { app.house.directory.by_code(&code).await? } else { None };
    let Some(table) = found else {
        let why = "No table has this code: ask for it again, it is three syllables such as bodaki";
        return Err(refusal(codes::NOT_FOUND, why).into());
    };
    let (id, game, free_seats) = (table.id.to_string(), table.game, table.free_seats);
    Ok(Json(Found { id, game, free_seats }))
}

const CONSONANTS: &[u8; 16] = b"bdfghjklmnprstvz";
const VOWELS: &[u8; 4] = b"aiou";

/// What nobody wants to say on the phone.
const UNKIND: [&str; 10] =
    ["faga", "fuka", "fuku", "kaka", "nazi", "niga", "nigu", "puta", "sodo", "tita"];

/// A code of so many syllables, which can be said on the phone.
pub(crate) fn invent(syllables: usize) -> Result<String, getrandom::Error> {
    loop {
        let code = draw(syllables)?;
        if !UNKIND.iter().any(|unkind| code.contains(unkind)) {
            return Ok(code);
        }
    }
}

fn draw(syllables: usize) -> Result<String, getrandom::Error> {
    let mut bytes = vec![0; syllables];
    getrandom::fill(&mut bytes)?;
    let letters = bytes.iter().flat_map(|byte| {
        let (consonant, vowel) = (usize::from(byte >> 4), usize::from(byte & 3));
        [CONSONANTS[consonant], VOWELS[vowel]].map(char::from)
    });
    Ok(letters.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_code_is_unkind() {
        // Of two syllables there are few enough that all of them come up.
        let drawn: Vec<String> = (0..20_000).map(|_| draw(2).unwrap()).collect();
        assert!(drawn.iter().any(|code| code == "puta"), "it could be drawn");
        for _ in 0..20_000 {
            let code = invent(2).unwrap();
            assert!(!UNKIND.contains(&code.as_str()), "{code}");
        }
    }

    #[test]
    fn a_code_is_syllables_that_can_be_told_apart() {
        for _ in 0..100 {
            let code = invent(3).unwrap();
            assert_eq!(code.len(), 6);
            for (place, letter) in code.bytes().enumerate() {
                let letters: &[u8] = if place % 2 == 0 { CONSONANTS } else { VOWELS };
                assert!(letters.contains(&letter), "{code}");
            }
        }
    }
}
