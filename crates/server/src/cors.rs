//! Requests of pages of other sites that the operator allows (CORS).

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::Response;

use crate::socket::origin::Site;

/// The methods of the API.
const METHODS: &str = "GET, HEAD, POST";

/// The headers that clients send. There are no cookies, so pages need no credentials.
const HEADERS: &str = "authorization, content-type, x-phoenix-authtoken";

/// The headers that pages may read beside the usual ones.
const EXPOSED: &str = "allow, retry-after, x-request-id";

/// How long a browser remembers the answer to a preflight, in seconds.
const MAX_AGE: &str = "600";

/// A request for something that pages of other sites may be allowed to use.
#[derive(Clone, Debug)]
pub(crate) struct CorsRequest {
    /// The origin of the page, if the operator allows it.
    allowed: Option<HeaderValue>,
    /// Whether the browser only asks whether it may send another request.
    is_preflight: bool,
    /// Whether it also asks to reach a private network from a public one.
    is_to_private_network: bool,
}

impl CorsRequest {
    /// The request, unless it is for a page or a file.
    pub(crate) fn of(request: &Request, site: Site<'_>) -> Option<Self> {
        let path = request.uri().path();
        if !path.starts_with("/api/") && !path.starts_with("/socket/") {
            return None;
        }
        let headers = request.headers();
        let is_allowed =
            |origin: &&HeaderValue| origin.to_str().is_ok_and(|origin| site.allows(origin));
        Some(Self {
            allowed: headers.get(header::ORIGIN).filter(is_allowed).cloned(),
            is_preflight: request.method() == Method::OPTIONS
                && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD),
            is_to_private_network: headers.contains_key("access-control-request-private-network"),
        })
    }

    /// The answer to a preflight of an allowed origin. Others are answered like any wrong method.
    pub(crate) fn preflight(&self) -> Option<Response> {
        if self.allowed.is_none() || !self.is_preflight {
            return None;
        }
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NO_CONTENT;
        let headers = response.headers_mut();
        let mut insert = |name, value| headers.insert(name, HeaderValue::from_static(value));
        insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
        insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HEADERS);
        insert(header::ACCESS_CONTROL_MAX_AGE, MAX_AGE);
        if self.is_to_private_network {
            headers
                .insert("access-control-allow-private-network", HeaderValue::from_static("true"));
        }
        Some(response)
    }

    /// Lets the page read the response.
    pub(crate) fn set_headers(self, headers: &mut HeaderMap) {
        // The response differs from origin to origin, so caches must not mix them up.
        headers.append(header::VARY, HeaderValue::from_static("origin"));
        let Some(origin) = self.allowed else { return };
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        let exposed = HeaderValue::from_static(EXPOSED);
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
        let policy = HeaderValue::from_static("cross-origin");
        headers.insert("cross-origin-resource-policy", policy);
    }
}
