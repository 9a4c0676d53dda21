//! Requests whose form is ambiguous. Two programs on the way may understand them differently.

use axum::extract::Request;
use axum::http::{HeaderValue, Version, header};

use crate::problem::Problem;
use crate::request_lines::AmbiguousForm;

/// Refuses a request that was marked as ambiguous, with two hosts, or without any. The host in the URI counts
/// like that in the header: HTTP/2 has it there, and HTTP/1 may.
pub(crate) fn check_form(request: &Request) -> Result<(), Problem> {
    if let Some(ambiguity) = request.extensions().get::<AmbiguousForm>() {
        return Err(Problem::bad_request(match ambiguity {
            AmbiguousForm::BareLineFeed => {
                "Every line of a request ends with a carriage return and a line feed"
            }
            AmbiguousForm::TwoLengths => {
                "A request tells the length of its body once: send either Content-Length or \
                 Transfer-Encoding"
            }
        }));
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
