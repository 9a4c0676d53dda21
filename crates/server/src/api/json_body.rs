//! The JSON body of a request.

use std::sync::Arc;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::rejection::JsonRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, Request};
use axum::http::StatusCode;
use channels::JsonError;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::connection::frame_limits;
use crate::problem::Problem;

/// The JSON body of a request, with the same limits as a frame, except that it may hold a text.
pub(crate) struct JsonBody<T>(pub(crate) T);

/// What can be the JSON body of a request.
pub(crate) trait RequestBody: DeserializeOwned {
    /// The most bytes of a text in it, beyond those of a frame.
    const TEXT_BYTES: usize = 0;

    /// Whether it holds a text. Without one it is as short as a frame.
    fn has_text(&self) -> bool {
        false
    }
}

impl<T> FromRequest<Arc<App>> for JsonBody<T>
where
    T: RequestBody,
{
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Problem> {
        let frame = app.tables.limits().frame_bytes as usize;
        let most = frame + T::TEXT_BYTES;
        let (head, body) = request.into_parts();
        let mut request = Request::from_parts(head.clone(), body);
        DefaultBodyLimit::max(most).apply(&mut request);
        let bytes = Bytes::from_request(request, app).await;
        let bytes = bytes.map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => too_large(most),
            _ => Problem::from(JsonRejection::from(rejection)),
        })?;
        check_depth(&bytes, most, app)?;
        check_object(&bytes)?;
        let is_long = bytes.len() > frame;
        let mut request = Request::from_parts(head, Body::from(bytes));
        DefaultBodyLimit::max(most).apply(&mut request);
        let Json(body) = Json::<T>::from_request(request, app).await?;
        if is_long && !body.has_text() {
            return Err(too_large(frame));
        }
        Ok(Self(body))
    }
}

/// Checks that the body is not an array: serde would take its items for fields in their order.
fn check_object(bytes: &[u8]) -> Result<(), Problem> {
    if bytes.trim_ascii_start().starts_with(b"[") {
        let why = "The body is an array: send an object with named fields";
        return Err(Problem::bad_request(why).with_status(StatusCode::UNPROCESSABLE_ENTITY));
    }
    Ok(())
}

fn too_large(most: usize) -> Problem {
    let why = format!("A body has at most {most} bytes: send less");
    Problem::bad_request(why).with_status(StatusCode::PAYLOAD_TOO_LARGE)
}

/// Checks the nesting depth alone; other mistakes are found when the body is parsed.
fn check_depth(bytes: &[u8], most: usize, app: &App) -> Result<(), Problem> {
    let most = u32::try_from(most).unwrap_or(u32::MAX);
    let limits = frame_limits(&app.tables.limits()).with_frame_bytes(most);
    let json = str::from_utf8(bytes).map(|text| channels::Json::parse(text, &limits));
    if let Ok(Err(JsonError::TooDeep { limit })) = json {
        app.tables.metrics.limited("json_depth");
        let why = format!("At most {limit} arrays and objects may be nested");
        return Err(Problem::bad_request(why));
    }
    Ok(())
}
