//! A file of the page, in all its encodings.

use std::fmt::{self, Debug, Formatter};

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use sha2::{Digest as _, Sha256};

use super::encoding::Encoding;

/// A file of the page, in all its encodings.
#[derive(Clone)]
pub struct Content {
    /// The media type.
    kind: &'static str,
    plain: &'static [u8],
    gzip: Option<&'static [u8]>,
    brotli: Option<&'static [u8]>,
    /// A hash of the plain content.
    hash: String,
}

/// How long a client may cache a content.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CachePolicy {
    /// The client must ask each time whether it has changed.
    Revalidate,
    /// It never changes.
    Immutable,
}

impl CachePolicy {
    pub(crate) const fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Revalidate => "no-cache",
            Self::Immutable => "public, max-age=31536000, immutable",
        })
    }
}

impl Content {
    /// A content of a media type such as `text/css`.
    pub fn new(kind: &'static str, plain: &'static [u8]) -> Self {
        let digest = Sha256::digest(plain);
        let beginning = digest.first_chunk().expect("a digest has 32 bytes");
        let hash = format!("{:016x}", u64::from_be_bytes(*beginning));
        Self { kind, plain, gzip: None, brotli: None, hash }
    }

    /// The same content with its gzip encoding.
    #[must_use]
    pub fn with_gzip(self, gzip: &'static [u8]) -> Self {
        Self { gzip: Some(gzip), ..self }
    }

    /// The same content with its brotli encoding.
    #[must_use]
    pub fn with_brotli(self, brotli: &'static [u8]) -> Self {
        Self { brotli: Some(brotli), ..self }
    }

    /// The content as text, if it is one.
    pub(crate) fn text(&self) -> Option<&'static str> {
        str::from_utf8(self.plain).ok()
    }

    /// The response to a request with these headers.
    pub(crate) fn respond(&self, headers: &HeaderMap, policy: CachePolicy) -> Response {
        let (encoding, bytes) = self.preferred(headers);
        let tag = self.tag(encoding);
        let mut response = if is_known(&tag, headers) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            self.encoded(encoding, bytes)
        };
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, policy.header());
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        headers.insert(header::ETAG, tag.parse().expect("a hash has no special characters"));
        response
    }

    /// The response to a request for something that does not exist. No client stores it.
    pub(crate) fn respond_not_found(&self, headers: &HeaderMap) -> Response {
        let (encoding, bytes) = self.preferred(headers);
        let mut response = self.encoded(encoding, bytes);
        *response.status_mut() = StatusCode::NOT_FOUND;
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        response
    }

    fn encoded(&self, encoding: Encoding, bytes: &'static [u8]) -> Response {
        let mut response = bytes.into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
        if encoding != Encoding::Plain {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
        }
        response
    }

    /// The encoding that the client prefers.
    fn preferred(&self, headers: &HeaderMap) -> (Encoding, &'static [u8]) {
        let encoded = [(Encoding::Brotli, self.brotli), (Encoding::Gzip, self.gzip)];
        let available: Vec<_> =
            encoded.into_iter().filter_map(|(encoding, bytes)| Some((encoding, bytes?))).collect();
        let encodings: Vec<_> = available.iter().map(|(encoding, _)| *encoding).collect();
        let chosen = Encoding::choose(&encodings, headers);
        let found = available.into_iter().find(|(encoding, _)| *encoding == chosen);
        found.unwrap_or((Encoding::Plain, self.plain))
    }

    /// The entity tag. Each encoding has its own, because equal tags mean equal bytes.
    fn tag(&self, encoding: Encoding) -> String {
        match encoding {
            Encoding::Plain => format!("\"{}\"", self.hash),
            Encoding::Brotli | Encoding::Gzip => format!("\"{}-{}\"", self.hash, encoding.name()),
        }
    }
}

/// Whether the client has this already.
fn is_known(tag: &str, headers: &HeaderMap) -> bool {
    let lines = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|line| line.to_str().ok());
    let mut known = lines.flat_map(|line| line.split(',')).map(str::trim);
    // A proxy that compresses a response may turn the tag into a weak one.
    known.any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}

impl Debug for Content {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Content")
            .field("kind", &self.kind)
            .field("hash", &self.hash)
            .finish_non_exhaustive()
    }
}
