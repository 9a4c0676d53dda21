//! Requests to the server.

use game::Refusal;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, Headers, RequestInit, Response};

use super::window;

/// Why a request came to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failed {
    /// The server does not answer.
    Away,
    /// The server says no.
    Refused(Refusal),
    /// The server says what this page does not understand.
    Nonsense,
}

/// A problem as the server writes it.
#[derive(Deserialize)]
struct Problem {
    refusal: Refusal,
}

pub(crate) async fn get<T: DeserializeOwned>(path: &str) -> Result<T, Failed> {
    let request = RequestInit::new();
    request.set_method("GET");
    ask(path, &request).await
}

pub(crate) async fn post<T: DeserializeOwned>(
    path: &str,
    body: &impl Serialize,
) -> Result<T, Failed> {
    let request = RequestInit::new();
    request.set_method("POST");
    let headers = Headers::new().map_err(|_error| Failed::Nonsense)?;
    headers.set("content-type", "application/json").map_err(|_error| Failed::Nonsense)?;
    request.set_headers(&headers);
    let body = serde_json::to_string(body).map_err(|_error| Failed::Nonsense)?;
    request.set_body(&JsValue::from_str(&body));
    ask(path, &request).await
}

/// How long an answer is waited for, in milliseconds.
const PATIENCE: u32 = 10_000;

async fn ask<T: DeserializeOwned>(path: &str, request: &RequestInit) -> Result<T, Failed> {
    request.set_signal(Some(&AbortSignal::timeout_with_u32(PATIENCE)));
    let answer = JsFuture::from(window().fetch_with_str_and_init(path, request)).await;
    let answer: Response = answer.map_err(|_error| Failed::Away)?.unchecked_into();
    let text = answer.text().map_err(|_error| Failed::Away)?;
    let text = JsFuture::from(text).await.map_err(|_error| Failed::Away)?;
    let text = text.as_string().unwrap_or_default();
    if answer.ok() {
        return serde_json::from_str(&text).map_err(|_error| Failed::Nonsense);
    }
    match serde_json::from_str::<Problem>(&text) {
        Ok(problem) => Err(Failed::Refused(problem.refusal)),
        // A proxy before a server that is gone speaks for itself.
        Err(_) if answer.status() >= 500 => Err(Failed::Away),
        Err(_) => Err(Failed::Nonsense),
    }
}
