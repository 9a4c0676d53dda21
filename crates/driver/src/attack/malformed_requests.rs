//! Requests that a program in front of the server may understand differently than the server does.

use std::io;

use serde_json::{Value, json};

use super::stranger::Stranger;

/// A request that must be refused.
#[derive(Debug)]
struct MalformedRequest {
    /// What is wrong with it.
    what: &'static str,
    request: String,
    /// The status that the docs promise.
    status: u16,
    /// Whether the server may end the connection while the request is on its way, so that the answer is lost.
    is_too_long: bool,
}

/// Sends each request once and looks at the answer, then all of them again and again.
pub(super) async fn malformed(stranger: &Stranger) {
    let requests = requests(&stranger.route.server.to_string());
    for malformed in &requests {
        let answer = stranger.exchange_raw(&malformed.request).await;
        if let Some(finding) = malformed.finding(&answer) {
            stranger.find(finding);
        }
    }
    for finding in unusual(stranger).await {
        stranger.find(finding);
    }
    stranger
        .repeat(16, async |number| {
            let place = usize::try_from(number).unwrap_or(0) % requests.len();
            // Beyond the limits, a connection may end without an answer.
            drop(stranger.exchange_raw(&requests[place].request).await);
        })
        .await;
}

impl MalformedRequest {
    /// What is wrong with an answer.
    fn finding(&self, answer: &anyhow::Result<String>) -> Option<String> {
        let Self { what, status, is_too_long, .. } = self;
        match answer {
            Ok(answer) if status_of(answer) != Some(*status) => {
                let line = answer.lines().next().unwrap_or_default();
                Some(format!("{what} is answered with {line:?} instead of {status}"))
            }
            Ok(answer) if !answer.contains("x-request-id: ") => {
                Some(format!("{what} is refused without a number"))
            }
            Ok(_) => None,
            Err(error) if *is_too_long && error.is::<io::Error>() => None,
            Err(error) => Some(format!("{what} is not answered: {error:#}")),
        }
    }
}

fn status_of(answer: &str) -> Option<u16> {
    answer.strip_prefix("HTTP/1.1 ")?.split(' ').next()?.parse().ok()
}

/// Sends requests that are unusual and valid, or have a simple mistake; returns what is wrong with the answers.
async fn unusual(stranger: &Stranger) -> Vec<String> {
    let wanted = json!({"game": "tic-tac-toe", "name": "Mallory"});
    let Some(table) = stranger.post("/api/tables", None, &wanted).await else {
        return vec!["no table could be opened".to_owned()];
    };
    let field = |name: &str| table.body[name].as_str().unwrap_or_default().to_owned();
    let (path, token) = (format!("/api/tables/{}", field("id")), field("token"));
    let (seats, wanted) = (format!("{path}/seats"), json!({"name": "Trudy", "seat": 7}));
    let seat = stranger.post(&seats, None, &wanted).await;
    let seat = seat.map_or((0, Value::Null), |answer| (answer.status, answer.body));
    let view = format!(
        "GET {path} HTTP/1.1\r\nhost: {}\r\nauthorization: bearer {token}\r\nconnection: close\r\n\r\n",
        stranger.route.server
    );
    let view = stranger.exchange_raw(&view).await;
    [missing_seat_finding(&seat), lower_case_finding(&view)].into_iter().flatten().collect()
}

fn missing_seat_finding((status, body): &(u16, Value)) -> Option<String> {
    let is_right = *status == 400 && body["code"] == "no_such_seat";
    (!is_right).then(|| format!("a seat that does not exist is answered with {status} {body}"))
}

fn lower_case_finding(answer: &anyhow::Result<String>) -> Option<String> {
    let line = answer.as_deref().unwrap_or_default().lines().next().unwrap_or_default();
    (status_of(line) != Some(200))
        .then(|| format!("a token after bearer in lower case is answered with {line:?}"))
}

fn requests(host: &str) -> Vec<MalformedRequest> {
    let table = r#"{"game":"tic-tac-toe"}"#;
    let end = "connection: close\r\n\r\n";
    let get = |fields: &str| format!("GET / HTTP/1.1\r\nhost: {host}\r\n{fields}{end}");
    let post = |fields: &str, body: &str| {
        let length = body.len();
        format!(
            "POST /api/tables HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n{fields}{end}{body}"
        )
    };
    let (long, spaces, codings) = ("x".repeat(40_000), " ".repeat(300), "gzip, ".repeat(60));
    let chunks = format!("16\r\n{table}\r\n0\r\n\r\n");
    let bad = |what, request| MalformedRequest { what, request, status: 400, is_too_long: false };
    let too_long =
        |what, request, status| MalformedRequest { what, request, status, is_too_long: true };
    vec![
        bad("a request with two hosts", get(&format!("host: {host}\r\n"))),
        bad("a request without a host", format!("GET / HTTP/1.1\r\n{end}")),
        bad(
            "a line that ends with a bare line feed",
            format!("GET / HTTP/1.1\nhost: {host}\r\n{end}"),
        ),
        bad("a header that is folded", get("x: y\r\n z\r\n")),
        bad("a body with two lengths", post("content-length: 5\r\n", table)),
        bad("a body with a length and chunks", post("transfer-encoding: chunked\r\n", &chunks)),
        bad(
            "a body with a length, and chunks after many spaces",
            post(&format!("transfer-encoding:{spaces}chunked\r\n"), &chunks),
        ),
        bad(
            "a body with a length, and chunks after many codings",
            post(&format!("transfer-encoding: {codings}chunked\r\n"), &chunks),
        ),
        bad("a length after many spaces", get(&format!("content-length:{spaces}0\r\n"))),
        MalformedRequest { status: 422, ..bad("a body that is an array", post("", "[1]")) },
        too_long("a body that is too long", post("", &format!(r#"{{"game":"{long}"}}"#)), 413),
        too_long("a header that is too long", get(&format!("x: {long}\r\n")), 431),
        too_long(
            "an address that is too long",
            format!("GET /{long}{long} HTTP/1.1\r\nhost: {host}\r\n{end}"),
            431,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    const NUMBERED: &str =
        "HTTP/1.1 431 Request Header Fields Too Large\r\nx-request-id: 7\r\n\r\n";

    fn finding(is_too_long: bool, answer: anyhow::Result<&str>) -> Option<String> {
        let (what, request) = ("it", String::new());
        let malformed = MalformedRequest { what, request, status: 431, is_too_long };
        malformed.finding(&answer.map(str::to_owned))
    }

    #[test]
    fn only_the_promised_status_with_a_number_is_right() {
        for is_too_long in [false, true] {
            let found = |answer: &str| finding(is_too_long, Ok(answer)).unwrap_or_default();
            assert_eq!(found(NUMBERED), "");
            let other = found(&NUMBERED.replace("431", "400"));
            assert!(other.starts_with("it is answered with \"HTTP/1.1 400"), "{other}");
            assert_eq!(found("HTTP/1.1 431 \r\n\r\n"), "it is refused without a number");
            assert!(found("HTTP/1.1 200 OK\r\nx-request-id: 7\r\n\r\n").contains("200 OK"));
            assert_eq!(found(""), "it is answered with \"\" instead of 431");
        }
    }

    #[test]
    fn silence_is_no_answer_and_only_a_long_request_may_end_a_connection() {
        let cut = || Err(io::Error::from(io::ErrorKind::ConnectionReset).into());
        let silence = || Err(anyhow!("there was no answer"));
        assert_eq!(finding(true, cut()), None);
        for (is_too_long, answer) in [(false, cut()), (true, silence()), (false, silence())] {
            let found = finding(is_too_long, answer).unwrap();
            assert!(found.starts_with("it is not answered: "), "{found}");
        }
    }

    #[test]
    fn a_missing_seat_is_not_taken_and_the_name_of_the_scheme_has_any_case() {
        assert_eq!(missing_seat_finding(&(400, json!({"code": "no_such_seat"}))), None);
        assert!(missing_seat_finding(&(409, json!({"code": "seat_taken"}))).is_some());
        assert_eq!(lower_case_finding(&Ok("HTTP/1.1 200 OK\r\n\r\n".to_owned())), None);
        assert!(lower_case_finding(&Ok("HTTP/1.1 401 Unauthorized\r\n".to_owned())).is_some());
        assert!(lower_case_finding(&Err(anyhow!("there was no answer"))).is_some());
    }
}
