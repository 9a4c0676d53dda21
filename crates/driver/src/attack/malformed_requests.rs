//! Requests that a program in front of the server may understand differently than the server does.

use super::stranger::Stranger;

/// A request that must be refused: what is wrong with it, and the request.
type MalformedRequest = (&'static str, String);

/// Sends each request once and looks at the answer, then all of them again and again.
pub(super) async fn malformed(stranger: &Stranger) {
    let requests = requests(&stranger.route.server.to_string());
    for (what, request) in &requests {
        match stranger.exchange_raw(request).await {
            Ok(answer) if !is_refused(&answer) => {
                stranger.find(format!("{what} is answered with {}", first_line(&answer)));
            }
            Ok(answer) if !answer.contains("x-request-id: ") => {
                stranger.find(format!("{what} is refused without a number"));
            }
            Ok(_) => {}
            Err(error) => stranger.find(format!("{what}: {error:#}")),
        }
    }
    stranger
        .repeat(16, async |number| {
            let place = usize::try_from(number).unwrap_or(0) % requests.len();
            // Beyond the limits, a connection may end without an answer.
            drop(stranger.exchange_raw(&requests[place].1).await);
        })
        .await;
}

fn first_line(answer: &str) -> &str {
    answer.lines().next().unwrap_or_default()
}

/// Whether the status says that the client is wrong.
fn is_refused(answer: &str) -> bool {
    first_line(answer).split(' ').nth(1).is_some_and(|status| status.starts_with('4'))
}

fn requests(host: &str) -> Vec<MalformedRequest> {
    let table = r#"{"game":"tic-tac-toe"}"#;
    let end = "connection: close\r\n\r\n";
    let post = |fields: &str, body: &str| {
        let length = body.len();
        format!(
            "POST /api/tables HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n{fields}{end}{body}"
        )
    };
    let long = "x".repeat(40_000);
    vec![
        (
            "a request with two hosts",
            format!("GET / HTTP/1.1\r\nhost: {host}\r\nhost: {host}\r\n{end}"),
        ),
        ("a request without a host", format!("GET / HTTP/1.1\r\n{end}")),
        (
            "a line that ends with a bare line feed",
            format!("GET / HTTP/1.1\nhost: {host}\r\n{end}"),
        ),
        (
            "a header that is folded",
            format!("GET / HTTP/1.1\r\nhost: {host}\r\nx: y\r\n z\r\n{end}"),
        ),
        ("a body with two lengths", post("content-length: 5\r\n", table)),
        (
            "a body with a length and chunks",
            post("transfer-encoding: chunked\r\n", &format!("16\r\n{table}\r\n0\r\n\r\n")),
        ),
        ("a body that is an array", post("", "[1]")),
        ("a body that is too long", post("", &format!(r#"{{"game":"{long}"}}"#))),
        (
            "a header that is too long",
            format!("GET / HTTP/1.1\r\nhost: {host}\r\nx: {long}\r\n{end}"),
        ),
        (
            "an address that is too long",
            format!("GET /{long}{long} HTTP/1.1\r\nhost: {host}\r\n{end}"),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_status_that_blames_the_client_is_a_refusal() {
        assert!(is_refused("HTTP/1.1 431 Request Header Fields Too Large\r\n\r\n"));
        assert!(!is_refused("HTTP/1.1 200 OK\r\n\r\n"));
        assert!(!is_refused("HTTP/1.1 500 Internal Server Error\r\n\r\n"));
        assert!(!is_refused(""));
    }
}
