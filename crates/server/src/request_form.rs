//! Requests whose form is refused: two programs on the way may understand them differently, or they are too long.

use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, Version, header};

use crate::problem::Problem;
use crate::request_lines::AmbiguousForm;

/// The headers that a request may have, in bytes, as HTTP/2 counts them: 32 more for each. For HTTP/1, hyper
/// refuses longer ones.
const MOST_HEADERS: usize = 16 * 1_024;

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
            AmbiguousForm::LongLength => {
                "A request tells the length of its body in a short line: send Content-Length or \
                 Transfer-Encoding with at most 200 bytes"
            }
        }));
    }
    let headers = request.headers().iter();
    let bytes: usize = headers.map(|(name, value)| name.as_str().len() + value.len() + 32).sum();
    if request.version() == Version::HTTP_2 && bytes > MOST_HEADERS {
        let why = "The headers of a request have at most 16,384 bytes: send fewer or shorter ones";
        let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
        return Err(Problem::bad_request(why).with_status(status));
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
