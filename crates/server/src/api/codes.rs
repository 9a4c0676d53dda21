//! Codes of tables, for people to share.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};

use table::wire::{FoundTable, codes};

use crate::app::App;
use crate::problem::Problem;
use crate::refusals::refusal;

/// Finds the table with a code.
#[utoipa::path(get, path = "/api/codes/{code}", tag = "tables",
    params(("code" = String, Path, description = "The code, as in bodaki")),
    responses((status = 200, description = "The table", body = FoundTable), (status = 404, description = "No table has this code", body = crate::problem::ProblemBody, content_type = "application/problem+json")))]
pub(crate) async fn find(
    State(app): State<Arc<App>>,
    code: Result<Path<String>, PathRejection>,
) -> Result<Json<FoundTable>, Problem> {
    // A path that is not text is not a code.
    let code = code.map(|Path(code)| code.trim().to_lowercase()).unwrap_or_default();
    let is_code =
        (6..=10).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_lowercase());
    let found = if is_code {
        app.tables.directory.by_code(&code, app.tables.unix_time()).await?
    } else {
        None
    };
    let Some(table) = found else {
        let why = "No table has this code. Check the spelling: a code has three syllables, such as bodaki";
        return Err(refusal(codes::NOT_FOUND, why).into());
    };
    let (id, game, free_seats) = (table.id.to_string(), table.game, table.free_seats);
    Ok(Json(FoundTable { id, game, free_seats }))
}

const CONSONANTS: &[u8; 16] = b"bdfghjklmnprstvz";
const VOWELS: &[u8; 4] = b"aiou";

/// Words that must not occur in a code.
const OFFENSIVE: [&str; 10] =
    ["faga", "fuka", "fuku", "kaka", "nazi", "niga", "nigu", "puta", "sodo", "tita"];

/// A random code of `syllables` syllables, easy to say on the phone.
pub(crate) fn random(syllables: usize) -> Result<String, getrandom::Error> {
    loop {
        let code = draw(syllables)?;
        if !OFFENSIVE.iter().any(|word| code.contains(word)) {
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
    fn no_code_is_offensive() {
        // There are so few codes of two syllables that all of them are drawn.
        let codes: Vec<String> = (0..20_000).map(|_| draw(2).unwrap()).collect();
        assert!(codes.iter().any(|code| code == "puta"), "it can be drawn");
        for _ in 0..20_000 {
            let code = random(2).unwrap();
            assert!(!OFFENSIVE.contains(&code.as_str()), "{code}");
        }
    }

    #[test]
    fn a_code_alternates_consonants_and_vowels() {
        for _ in 0..100 {
            let code = random(3).unwrap();
            assert_eq!(code.len(), 6);
            for (place, letter) in code.bytes().enumerate() {
                let letters: &[u8] = if place % 2 == 0 { CONSONANTS } else { VOWELS };
                assert!(letters.contains(&letter), "{code}");
            }
        }
    }
}
