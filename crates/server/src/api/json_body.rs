//! The JSON body of a request.

use std::sync::Arc;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use channels::JsonError;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::connection::frame_limits;
use crate::problem::Problem;

/// The JSON body of a request, with the same limits as a frame.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Problem> {
        let (head, body) = request.into_parts();
        let bytes = Bytes::from_request(Request::from_parts(head.clone(), body), app).await;
        let bytes = bytes.map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => too_large(app),
            _ => Problem::from(JsonRejection::from(rejection)),
        })?;
        check_depth(&bytes, app)?;
        check_object(&bytes)?;
        let request = Request::from_parts(head, Body::from(bytes));
        let Json(body) = Json::from_request(request, app).await?;
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

fn too_large(app: &App) -> Problem {
    let why = format!("A body has at most {} bytes: send less", app.tables.limits().frame_bytes);
    Problem::bad_request(why).with_status(StatusCode::PAYLOAD_TOO_LARGE)
}

/// Checks the nesting depth alone; other mistakes are found when the body is parsed.
fn check_depth(bytes: &[u8], app: &App) -> Result<(), Problem> {
    let limits = app.tables.limits();
    let json =
        str::from_utf8(bytes).map(|text| channels::Json::parse(text, &frame_limits(&limits)));
    if let Ok(Err(JsonError::TooDeep { limit })) = json {
        app.tables.metrics.limited("json_depth");
        let why = format!("At most {limit} arrays and objects may be nested");
        return Err(Problem::bad_request(why));
    }
    Ok(())
}
