//! Requests whose form is ambiguous. Two programs on the way may understand them differently.

use axum::extract::Request;
use axum::http::{HeaderValue, Version, header};

use crate::problem::Problem;

/// Marks a request with a line that ends with a bare line feed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BareLineFeed;

/// Refuses a request with a bare line feed, with two hosts, or without any. The host in the URI counts
/// like that in the header: HTTP/2 has it there, and HTTP/1 may.
pub(crate) fn check_form(request: &Request) -> Result<(), Problem> {
    if request.extensions().get::<BareLineFeed>().is_some() {
        let why = "Every line of a request ends with a carriage return and a line feed";
        return Err(Problem::bad_request(why));
    }
    let hosts = request.headers().get_all(header::HOST).iter().count();
    if hosts > 1 {
        return Err(Problem::bad_request("A request names one host: send the header Host once"));
    }
    if hosts == 0 && request.version() == Version::HTTP_11 {
        return Err(Problem::bad_request("A request names its host: send the header Host"));
    }
    let host = request.headers().get(header::HOST).map(HeaderValue::as_bytes);
    if let (Some(host), Some(named)) = (host, request.uri().authority())
        && !host.eq_ignore_ascii_case(named.as_str().as_bytes())
    {
        let why = "A request names one host: the header Host and the host in the URI differ";
        return Err(Problem::bad_request(why));
    }
    Ok(())
}
