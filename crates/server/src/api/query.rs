//! The query of a request.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::extract::Query as AxumQuery;
use axum::extract::rejection::QueryRejection;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::problem::{Problem, cause};

/// The query of a request. A query that cannot be parsed is answered with a problem document.
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<Arc<App>> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<App>) -> Result<Self, Problem> {
        let query = AxumQuery::try_from_uri(&parts.uri);
        query.map(|AxumQuery(query)| Self(query)).map_err(problem)
    }
}

fn problem(rejection: QueryRejection) -> Problem {
    let QueryRejection::FailedToDeserializeQueryString(rejection) = rejection else {
        return Problem::bad_request("The query cannot be understood");
    };
    Problem::bad_request(format!("The query cannot be understood: {}", cause(&rejection)))
}
