//! What the query of a request asks for.

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::problem::{Problem, beneath};

/// What the query of a request asks for.
pub(crate) struct Asked<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<Arc<App>> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<App>) -> Result<Self, Problem> {
        Query::try_from_uri(&parts.uri).map(|Query(asked)| Self(asked)).map_err(not_understood)
    }
}

fn not_understood(rejection: QueryRejection) -> Problem {
    let QueryRejection::FailedToDeserializeQueryString(rejection) = rejection else {
        return Problem::bad_request("The query is not understood");
    };
    Problem::bad_request(format!("The query is not understood: {}", beneath(&rejection)))
}
