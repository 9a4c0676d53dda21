//! What a request says.

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

/// The JSON of a request, no deeper than that of a frame may be.
pub(crate) struct Said<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Said<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Problem> {
        let (head, body) = request.into_parts();
        let bytes = Bytes::from_request(Request::from_parts(head.clone(), body), app).await;
        let bytes = bytes.map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => too_large(app),
            _ => Problem::from(JsonRejection::from(rejection)),
        })?;
        check_depth(&bytes, app)?;
        let request = Request::from_parts(head, Body::from(bytes));
        let Json(said) = Json::from_request(request, app).await?;
        Ok(Self(said))
    }
}

fn too_large(app: &App) -> Problem {
    let why = format!("A body may have at most {} bytes: send less", app.house.limits.frame_bytes);
    Problem::bad_request(why).with_status(StatusCode::PAYLOAD_TOO_LARGE)
}

/// Whatever else is wrong with it is found when it is read.
fn check_depth(bytes: &[u8], app: &App) -> Result<(), Problem> {
    let limits = &app.house.limits;
    let json = str::from_utf8(bytes).map(|text| channels::Json::parse(text, &frame_limits(limits)));
    if let Ok(Err(JsonError::TooDeep { limit })) = json {
        app.house.metrics.limited("json_depth");
        let why = format!("At most {limit} arrays and objects may lie within one another");
        return Err(Problem::bad_request(why));
    }
    Ok(())
}
