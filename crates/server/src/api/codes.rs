//! Codes of tables, for people to share.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use table::wire::{FoundTable, TableCode, codes};

use super::bearer::{Bearer, SameOrigin};
use super::table_path::TablePath;
use super::tables::fetch;
use crate::app::App;
use crate::client_address::ClientAddress;
use crate::journal::{OpenTable, PutOutcome};
use crate::problem::Problem;
use crate::refusals::refusal;
use crate::tables::Tables;
use crate::work_pool::Payer;

/// Finds the table with a code.
///
/// Wrong codes have a budget: after a few of them, an address must wait. Expired codes and codes of full
/// tables are answered like wrong ones.
#[utoipa::path(get, path = "/api/codes/{code}", operation_id = "find_table", tag = "tables",
    params(("code" = String, Path, description = "The code, in any case, with a hyphen or without")),
    responses((status = 200, description = "The table", body = FoundTable),
        (status = 404, description = "No open table has this code")))]
pub(crate) async fn find(
    State(app): State<Arc<App>>,
    ClientAddress(address): ClientAddress,
    code: Result<Path<String>, PathRejection>,
) -> Result<Json<FoundTable>, Problem> {
    // A path that is not text is not a code.
    let code = code.ok().and_then(|Path(code)| spelled(&code));
    let Some(code) = code else { return Err(no_table()) };
    let cost = app.may_guess(address)?;
    let Some(table) = app.tables.directory.by_code(&code, app.tables.unix_time()).await? else {
        return Err(no_table());
    };
    app.code_guesses.refund(&app.tables.limits(), address, cost);
    let (id, game, free_seats) = (table.id.to_string(), table.game, table.free_seats);
    Ok(Json(FoundTable { id, game, free_seats }))
}

fn no_table() -> Problem {
    let why = "No open table has this code: it may be misspelled, it may have expired, or the table \
               is full. A code has two words, such as bodaki-murosi";
    refusal(codes::NOT_FOUND, why).into()
}

/// A code as it is stored, if the text can be one.
fn spelled(text: &str) -> Option<String> {
    let letters: String = text.chars().filter(|letter| !matches!(letter, ' ' | '-')).collect();
    let letters = letters.to_lowercase();
    let is_code =
        letters.len() == 2 * SYLLABLES && letters.bytes().all(|byte| byte.is_ascii_lowercase());
    is_code.then(|| hyphenated(&letters))
}

/// Renews the code of a table, for a seat holder who shows it.
///
/// A code that is still valid stays the same and is valid for longer; an expired one is replaced. A
/// table that is full has no code.
#[utoipa::path(post, path = "/api/tables/{id}/code", operation_id = "renew_code", tag = "tables", security(("token" = [])),
    params(("id" = String, Path, description = "The id of the table")),
    responses((status = 200, description = "The code", body = TableCode)))]
pub(crate) async fn renew(
    State(app): State<Arc<App>>,
    TablePath(id): TablePath,
    ClientAddress(address): ClientAddress,
    _: SameOrigin,
    Bearer(token): Bearer,
) -> Result<Json<TableCode>, Problem> {
    let tables = &app.tables;
    if fetch(tables, Payer::at(address), id, token).await?.seat.is_none() {
        let why = "Only a player of this table can renew its code: send the token of your seat in the \
                   header Authorization: Bearer TOKEN";
        return Err(refusal(codes::NO_SEAT, why).into());
    }
    let Some(table) = tables.directory.by_id(id).await? else { return Err(Problem::no_table()) };
    if table.free_seats == 0 {
        return Err(refusal(codes::TABLE_FULL, "All seats are taken, so there is no code").into());
    }
    let (now, lifetime) = (tables.unix_time(), u64::from(tables.limits().code_lifetime));
    // A code that has just been renewed is not written again.
    if table.code_until > now + lifetime / 2 {
        return Ok(Json(shown(&table, now)));
    }
    let mut renewed = OpenTable { code_until: now + lifetime, ..table.clone() };
    for _ in 0..ATTEMPTS {
        if !table.has_valid_code(now) {
            renewed.code = random()?;
        }
        let put = tables.directory.set_code(id, &renewed.code, renewed.code_until);
        if put.await? == PutOutcome::Done {
            return Ok(Json(shown(&renewed, now)));
        }
    }
    Err(Problem::unavailable())
}

/// How often a code is drawn again because another table has the same.
pub(crate) const ATTEMPTS: usize = 5;

/// The code of a table as a client sees it, who may have another clock.
pub(crate) fn shown(table: &OpenTable, now: u64) -> TableCode {
    TableCode { code: table.code.clone(), valid_for: table.code_until.saturating_sub(now) }
}

/// When a code that is made now expires.
pub(crate) fn expiry(tables: &Tables) -> u64 {
    tables.unix_time() + u64::from(tables.limits().code_lifetime)
}

const CONSONANTS: &[u8; 16] = b"bdfghjklmnprstvz";
const VOWELS: &[u8; 4] = b"aiou";

/// Words that must not occur in a code.
const OFFENSIVE: [&str; 10] =
    ["faga", "fuka", "fuku", "kaka", "nazi", "niga", "nigu", "puta", "sodo", "tita"];

/// The number of syllables of a code: two words of three.
const SYLLABLES: usize = 6;

/// The number of different codes.
#[cfg(test)]
pub(crate) const NUMBER_OF_CODES: f64 = 64.0 * 64.0 * 64.0 * 64.0 * 64.0 * 64.0;

/// A random code, easy to say on the phone.
pub(crate) fn random() -> Result<String, Problem> {
    loop {
        let letters = draw(SYLLABLES).map_err(|_error| Problem::unavailable())?;
        if !is_offensive(&letters) {
            return Ok(hyphenated(&letters));
        }
    }
}

/// The letters of a code as two words.
fn hyphenated(letters: &str) -> String {
    let (first, second) = letters.split_at(SYLLABLES);
    format!("{first}-{second}")
}

fn is_offensive(letters: &str) -> bool {
    OFFENSIVE.iter().any(|word| letters.contains(word))
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
        // There are so few pairs of syllables that all of them are drawn.
        let pairs: Vec<String> = (0..20_000).map(|_| draw(2).unwrap()).collect();
        assert!(pairs.iter().any(|pair| pair == "puta" && is_offensive(pair)), "it can be drawn");
        for _ in 0..20_000 {
            let code = random().unwrap();
            assert!(!is_offensive(&code.replace('-', "")), "{code}");
        }
    }

    #[test]
    fn a_code_is_two_words_of_consonants_and_vowels() {
        for _ in 0..100 {
            let code = random().unwrap();
            let (first, second) = code.split_once('-').unwrap();
            assert_eq!((first.len(), second.len()), (6, 6));
            for (place, letter) in first.bytes().chain(second.bytes()).enumerate() {
                let letters: &[u8] = if place % 2 == 0 { CONSONANTS } else { VOWELS };
                assert!(letters.contains(&letter), "{code}");
            }
            assert_eq!(spelled(&code), Some(code));
        }
    }

    #[test]
    fn a_code_is_found_however_it_is_spelled() {
        for text in ["bodaki-murosi", "bodakimurosi", " Bodaki Murosi", "BODAKI MUROSI "] {
            assert_eq!(spelled(text).as_deref(), Some("bodaki-murosi"), "{text}");
        }
        for text in [
            "",
            "bodaki",
            "bodaki-murosi-b",
            "bodaki_murosi",
            "b\u{f6}daki-murosi",
            "bodaki-muros1",
        ] {
            assert_eq!(spelled(text), None, "{text}");
        }
    }
}
