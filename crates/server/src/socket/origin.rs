//! Which pages may use this server.

use axum::http::uri::Authority;
use axum::http::{HeaderMap, Uri, header};

/// Whether a request comes from a page of this server, from an origin that the operator allows, or from
/// no page at all. Browsers always send the origin. Other clients need no check, because there are no
/// cookies that they could misuse.
pub(crate) fn is_allowed(headers: &HeaderMap, uri: &Uri, allowed: &[String]) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    if allowed.iter().any(|name| name == origin) {
        return true;
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    // HTTP/2 has no host header: there the host is part of the URI.
    let host = host.or_else(|| uri.authority().map(Authority::as_str));
    let from = origin.split_once("://").map(|(_, host)| host);
    host.is_some() && from == host
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(origin: Option<&str>, host: Option<&str>, expected: bool) {
        let mut headers = HeaderMap::new();
        for (name, value) in [(header::ORIGIN, origin), (header::HOST, host)] {
            if let Some(value) = value {
                headers.insert(name, value.parse().unwrap());
            }
        }
        let allowed = ["https://play.example".to_owned()];
        let path = Uri::from_static("/api/tables");
        assert_eq!(is_allowed(&headers, &path, &allowed), expected, "{origin:?} to {host:?}");
        if let Some(host) = host {
            let whole = format!("https://{host}/api/tables").parse().unwrap();
            headers.remove(header::HOST);
            assert_eq!(is_allowed(&headers, &whole, &allowed), expected, "{origin:?} to {whole}");
        }
    }

    #[test]
    fn only_pages_of_this_server_and_of_allowed_origins_are_accepted() {
        check(None, Some("a.example"), true);
        check(Some("https://a.example"), Some("a.example"), true);
        check(Some("http://127.0.0.1:4000"), Some("127.0.0.1:4000"), true);
        check(Some("https://play.example"), Some("a.example"), true);
        check(Some("https://b.example"), Some("a.example"), false);
        check(Some("https://a.example:4000"), Some("a.example"), false);
        check(Some("https://a.example.b.example"), Some("a.example"), false);
        check(Some("null"), Some("a.example"), false);
        check(Some("https://a.example"), None, false);
        check(Some("null"), None, false);
    }
}
