//! Requests to the server.

use game::Refusal;
use serde::Serialize;
use serde::de::DeserializeOwned;
use table::Token;
use table::wire::{ProblemDocument, codes};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, Headers, RequestInit, Response};

use super::{pause, window};

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RequestError {
    /// The server does not answer.
    Unreachable,
    /// The server refuses.
    Refused(Refusal),
    /// This page does not understand the answer.
    Unreadable,
}

impl RequestError {
    /// Whether nothing is decided: the server may have done what was asked, and may be asked again.
    pub(crate) fn is_undecided(&self) -> bool {
        match self {
            Self::Unreachable => true,
            Self::Refused(refusal) => codes::is_undecided(refusal.code()),
            Self::Unreadable => false,
        }
    }
}

/// The milliseconds between a request that decided nothing and the next one.
const PAUSES: [i32; 3] = [250, 1_000, 3_000];

/// Asks again a few times as long as nothing is decided.
pub(crate) async fn persist<T>(
    ask: impl AsyncFn() -> Result<T, RequestError>,
) -> Result<T, RequestError> {
    let mut answer = ask().await;
    for milliseconds in PAUSES {
        if !answer.as_ref().is_err_and(RequestError::is_undecided) {
            break;
        }
        pause(milliseconds).await;
        answer = ask().await;
    }
    answer
}

pub(crate) async fn get<T: DeserializeOwned>(path: &str) -> Result<T, RequestError> {
    let request = RequestInit::new();
    request.set_method("GET");
    send(path, &request).await
}

/// The same for the holder of a seat.
pub(crate) async fn get_as<T: DeserializeOwned>(
    token: &Token,
    path: &str,
) -> Result<T, RequestError> {
    let request = request_with("GET", "authorization", &bearer(token))?;
    send(path, &request).await
}

pub(crate) async fn post<T: DeserializeOwned>(
    path: &str,
    body: &impl Serialize,
) -> Result<T, RequestError> {
    let request = request_with("POST", "content-type", "application/json")?;
    let body = serde_json::to_string(body).map_err(|_error| RequestError::Unreadable)?;
    request.set_body(&JsValue::from_str(&body));
    send(path, &request).await
}

/// A request without a body, for the holder of a seat.
pub(crate) async fn post_as<T: DeserializeOwned>(
    token: &Token,
    path: &str,
) -> Result<T, RequestError> {
    let request = request_with("POST", "authorization", &bearer(token))?;
    send(path, &request).await
}

fn bearer(token: &Token) -> String {
    format!("Bearer {}", token.reveal())
}

fn request_with(method: &str, header: &str, value: &str) -> Result<RequestInit, RequestError> {
    let request = RequestInit::new();
    request.set_method(method);
    let headers = Headers::new().map_err(|_error| RequestError::Unreadable)?;
    headers.set(header, value).map_err(|_error| RequestError::Unreadable)?;
    request.set_headers(&headers);
    Ok(request)
}

/// The milliseconds until a request is given up.
const TIMEOUT: u32 = 10_000;

async fn send<T: DeserializeOwned>(path: &str, request: &RequestInit) -> Result<T, RequestError> {
    let (status, text) = answer(path, request).await.ok_or(RequestError::Unreachable)?;
    if (200..300).contains(&status) {
        return serde_json::from_str(&text).map_err(|_error| RequestError::Unreadable);
    }
    match serde_json::from_str::<ProblemDocument>(&text) {
        Ok(problem) => Err(RequestError::Refused(problem.refusal)),
        // A proxy answers in place of a server that is down.
        Err(_) if status >= 500 => Err(RequestError::Unreachable),
        Err(_) => Err(RequestError::Unreadable),
    }
}

/// The status of an answer, and the answer as it is; `None` if there is none.
async fn answer(path: &str, request: &RequestInit) -> Option<(u16, String)> {
    request.set_signal(Some(&AbortSignal::timeout_with_u32(TIMEOUT)));
    let response = JsFuture::from(window().fetch_with_str_and_init(path, request)).await.ok()?;
    let response: Response = response.unchecked_into();
    let text = JsFuture::from(response.text().ok()?).await.ok()?;
    Some((response.status(), text.as_string().unwrap_or_default()))
}

/// Gets a text, or posts one if there is a body: the status of the answer, and the answer as it is.
pub(crate) async fn exchange(path: &str, body: Option<&str>) -> Option<(u16, String)> {
    let request = match body {
        None => RequestInit::new(),
        Some(body) => {
            let request = request_with("POST", "content-type", "application/json").ok()?;
            request.set_body(&JsValue::from_str(body));
            request
        }
    };
    answer(path, &request).await
}
