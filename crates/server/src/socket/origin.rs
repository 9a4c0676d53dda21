//! Which names the server has, and which pages may use it.

use std::net::IpAddr;

use axum::http::uri::Authority;
use axum::http::{HeaderMap, Uri, header};
use game::Refusal;
use table::wire::codes;

use crate::config::Config;
use crate::refusals::refusal;

/// The names of the server, and the sites whose pages may use it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site<'a> {
    /// The names that the operator has configured, in lower case and without ports.
    pub(crate) names: &'a [String],
    /// The origins of other sites that the operator allows.
    pub(crate) origins: &'a [String],
}

impl<'a> Site<'a> {
    pub(crate) fn of(config: &'a Config) -> Self {
        Self { names: &config.names, origins: &config.origins }
    }

    /// Checks that a request that changes something is meant for this server, and that it comes from a
    /// page of this server, from an origin that the operator allows, or from no page at all.
    ///
    /// A page of another site can make its own name lead to this server (DNS rebinding). Its requests
    /// then look like those of a page of this server, except that they name a host that this server does
    /// not have. Browsers always send the origin. Other clients need no check of it, because there are
    /// no cookies that they could misuse.
    pub(crate) fn check(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), Refusal> {
        let Some(host) = host(headers, uri) else {
            return Err(refusal(codes::UNKNOWN_HOST, "This request names no host"));
        };
        if !self.is_own(host.host()) {
            return Err(unknown_host(host.host()));
        }
        let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
        let origin = origin.to_str().unwrap_or_default();
        if self.allows(origin) || self.is_own_origin(origin, &host) {
            return Ok(());
        }
        let why = "Pages of other sites may not do this, unless the server is started with --origin \
                   and the origin of the page";
        Err(refusal(codes::FOREIGN, why))
    }

    /// Whether the operator has allowed an origin.
    pub(crate) fn allows(&self, origin: &str) -> bool {
        self.origins.iter().any(|allowed| allowed == origin)
    }

    /// Whether a host is this server. No page can make an address or `localhost` lead elsewhere.
    fn is_own(&self, host: &str) -> bool {
        let host = host.trim_end_matches('.').to_ascii_lowercase();
        let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        address.unwrap_or(&host).parse::<IpAddr>().is_ok()
            || host == "localhost"
            || host.ends_with(".localhost")
            || self.names.contains(&host)
    }

    /// Whether an origin is that of the host, or of a configured name: a proxy may replace the host.
    fn is_own_origin(&self, origin: &str, host: &Authority) -> bool {
        let Some((_, from)) = origin.split_once("://") else { return false };
        from.eq_ignore_ascii_case(host.as_str()) || self.names.contains(&from.to_ascii_lowercase())
    }
}

fn unknown_host(host: &str) -> Refusal {
    let host: String = host.chars().take(253).collect();
    let why = format!(
        "This server does not know that it is called {host}, so it has done nothing. Start it with \
         --name {host}, or use its address"
    );
    refusal(codes::UNKNOWN_HOST, why)
}

/// The host that a request names. HTTP/2 has no host header: there the host is part of the URI.
fn host(headers: &HeaderMap, uri: &Uri) -> Option<Authority> {
    match headers.get(header::HOST) {
        Some(host) => host.to_str().ok()?.parse().ok(),
        None => uri.authority().cloned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(origin: Option<&str>, host: Option<&str>, expected: Result<(), &str>) {
        let mut headers = HeaderMap::new();
        for (name, value) in [(header::ORIGIN, origin), (header::HOST, host)] {
            if let Some(value) = value {
                headers.insert(name, value.parse().unwrap());
            }
        }
        let (names, origins) = (["a.example".to_owned()], ["https://play.example".to_owned()]);
        let site = Site { names: &names, origins: &origins };
        let code = |checked: Result<(), Refusal>| {
            checked.map_err(|refusal| refusal.code().as_str().to_owned())
        };
        let expected = expected.map_err(str::to_owned);
        let path = Uri::from_static("/api/tables");
        assert_eq!(code(site.check(&headers, &path)), expected, "{origin:?} to {host:?}");
        if let Some(whole) = host.and_then(|host| format!("https://{host}/api/tables").parse().ok())
        {
            headers.remove(header::HOST);
            assert_eq!(code(site.check(&headers, &whole)), expected, "{origin:?} to {whole}");
        }
    }

    #[test]
    fn only_pages_of_this_server_and_of_allowed_origins_are_accepted() {
        check(None, Some("a.example"), Ok(()));
        check(Some("https://a.example"), Some("a.example"), Ok(()));
        check(Some("https://A.example"), Some("a.EXAMPLE"), Ok(()));
        check(Some("http://127.0.0.1:4000"), Some("127.0.0.1:4000"), Ok(()));
        check(Some("https://play.example"), Some("a.example"), Ok(()));
        check(Some("https://a.example"), Some("127.0.0.1:4000"), Ok(()));
        for origin in ["https://b.example", "https://a.example:4000", "null", ""] {
            check(Some(origin), Some("a.example"), Err("foreign"));
        }
        check(Some("https://a.example.b.example"), Some("a.example"), Err("foreign"));
        check(Some("http://127.0.0.1:4001"), Some("127.0.0.1:4000"), Err("foreign"));
    }

    #[test]
    fn a_host_that_nobody_configured_is_refused() {
        for host in ["localhost:4000", "x.localhost", "127.0.0.1", "192.168.0.7:4000", "[::1]:4000"]
        {
            check(None, Some(host), Ok(()));
            check(Some(&format!("http://{host}")), Some(host), Ok(()));
        }
        check(None, Some("A.Example.:4000"), Ok(()));
        for host in
            ["evil.example", "play.example", "127.0.0.1.evil.example", "localhost.evil.example"]
        {
            check(None, Some(host), Err("unknown_host"));
            check(Some(&format!("http://{host}")), Some(host), Err("unknown_host"));
            check(Some("https://play.example"), Some(host), Err("unknown_host"));
        }
        check(None, None, Err("unknown_host"));
        check(None, Some("a b"), Err("unknown_host"));
    }
}
