//! Something that the page is made of, in the forms in which it travels.

use std::fmt::{self, Debug, Formatter};

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use sha2::{Digest as _, Sha256};

use super::coding::Coding;

/// Something that the page is made of, in the forms in which it travels.
#[derive(Clone)]
pub struct Content {
    /// As HTTP names its type.
    kind: &'static str,
    plain: &'static [u8],
    gzip: Option<&'static [u8]>,
    brotli: Option<&'static [u8]>,
    /// Changes with what it is.
    hash: String,
}

/// How long a client may keep what it got.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Keeping {
    /// As long as the server says that it is still the same.
    AskEachTime,
    /// It is never anything else.
    ForGood,
}

impl Content {
    /// A content of a type such as `text/css`, which travels as it is.
    pub fn new(kind: &'static str, plain: &'static [u8]) -> Self {
        let digest = Sha256::digest(plain);
        let beginning = digest.first_chunk().expect("a digest has 32 bytes");
        let hash = format!("{:016x}", u64::from_be_bytes(*beginning));
        Self { kind, plain, gzip: None, brotli: None, hash }
    }

    /// The same, which may also travel in gzip form.
    #[must_use]
    pub fn with_gzip(self, gzip: &'static [u8]) -> Self {
        Self { gzip: Some(gzip), ..self }
    }

    /// The same, which may also travel in brotli form.
    #[must_use]
    pub fn with_brotli(self, brotli: &'static [u8]) -> Self {
        Self { brotli: Some(brotli), ..self }
    }

    /// The answer to who asks for it like that.
    pub(crate) fn answer(&self, asked: &HeaderMap, keeping: Keeping) -> Response {
        let (coding, bytes) = self.form(asked);
        let tag = self.tag(coding);
        let mut response = if is_known(&tag, asked) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            let mut response = bytes.into_response();
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
            if coding != Coding::Plain {
                headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding.name()));
            }
            response
        };
        let keeping = match keeping {
            Keeping::AskEachTime => "no-cache",
            Keeping::ForGood => "public, max-age=31536000, immutable",
        };
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(keeping));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        headers.insert(header::ETAG, tag.parse().expect("a hash has no special characters"));
        response
    }

    /// The form that a client likes best.
    fn form(&self, asked: &HeaderMap) -> (Coding, &'static [u8]) {
        let forms = [(Coding::Brotli, self.brotli), (Coding::Gzip, self.gzip)];
        let available: Vec<_> =
            forms.into_iter().filter_map(|(coding, bytes)| Some((coding, bytes?))).collect();
        let codings: Vec<_> = available.iter().map(|(coding, _)| *coding).collect();
        let chosen = Coding::choose(&codings, asked);
        let found = available.into_iter().find(|(coding, _)| *coding == chosen);
        found.unwrap_or((Coding::Plain, self.plain))
    }

    /// Each form has a tag of its own, because caches take equal tags for equal bytes.
    fn tag(&self, coding: Coding) -> String {
        match coding {
            Coding::Plain => format!("\"{}\"", self.hash),
            Coding::Brotli | Coding::Gzip => format!("\"{}-{}\"", self.hash, coding.name()),
        }
    }
}

/// Whether the client has this already.
fn is_known(tag: &str, asked: &HeaderMap) -> bool {
    let lines = asked.get_all(header::IF_NONE_MATCH).iter().filter_map(|line| line.to_str().ok());
    let mut known = lines.flat_map(|line| line.split(',')).map(str::trim);
    // Those in between may say that a tag is weak, when they have compressed something.
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
