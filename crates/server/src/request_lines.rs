//! The lines of HTTP/1 requests.
//!
//! hyper accepts a line that ends with a bare line feed, and a body with two lengths. Some proxies do not, or
//! choose the other length, so that the two would see different requests. This follows the bytes of a
//! connection from request to request and notices both.

/// Follows the requests of one HTTP/1 connection.
#[derive(Debug, Default)]
pub(crate) struct RequestLines {
    place: Place,
    /// The current line, without bytes beyond [`MAX_LINE`].
    line: Vec<u8>,
    /// Whether the current line has bytes beyond [`MAX_LINE`].
    is_cut: bool,
    body: BodyLength,
    last_byte: u8,
    ambiguity: Option<AmbiguousForm>,
}

/// What two programs may understand differently in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AmbiguousForm {
    /// A line ends with a bare line feed.
    BareLineFeed,
    /// The length of the body is told twice, or beside chunks.
    TwoLengths,
    /// The length of the body or of a chunk is told in a line that is longer than [`MAX_LINE`].
    LongLength,
}

/// What the next byte belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    /// Empty lines before a request.
    #[default]
    Start,
    Head,
    /// This many bytes of a body.
    Body(u64),
    ChunkSize,
    /// This many bytes of a chunk with its end of line.
    Chunk(u64),
    Trailer,
    /// The connection is no longer HTTP/1, or hyper will refuse it.
    Elsewhere,
}

/// The length of a body, as far as the head says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum BodyLength {
    #[default]
    Empty,
    Bytes(u64),
    Chunked,
}

/// The bytes of a line that are looked at. Nobody needs more to tell the length of a body, so a longer
/// line that tells one is ambiguous.
const MAX_LINE: usize = 256;

/// The headers that tell the length of a body.
const LENGTH_NAMES: [&str; 2] = ["content-length", "transfer-encoding"];

/// How a connection of HTTP/2 begins.
const HTTP2_PREFACE: &[u8] = b"PRI * HTTP/2.0";

impl RequestLines {
    /// What was ambiguous in a request of this connection, if anything was.
    pub(crate) const fn ambiguity(&self) -> Option<AmbiguousForm> {
        self.ambiguity
    }

    /// Stops following, because the connection is no longer HTTP/1.
    pub(crate) fn stop(&mut self) {
        self.place = Place::Elsewhere;
        self.line = Vec::new();
    }

    /// Follows the next bytes.
    pub(crate) fn follow(&mut self, mut bytes: &[u8]) {
        while let Some((first, rest)) = bytes.split_first() {
            bytes = match self.place {
                Place::Elsewhere => return,
                Place::Body(left) | Place::Chunk(left) => self.skip(bytes, left),
                Place::Start | Place::Head | Place::ChunkSize | Place::Trailer => {
                    self.byte(*first);
                    rest
                }
            };
        }
    }

    /// Skips bytes of a body; returns those after it.
    fn skip<'a>(&mut self, bytes: &'a [u8], left: u64) -> &'a [u8] {
        let length = usize::try_from(left).map_or(bytes.len(), |left| left.min(bytes.len()));
        let left = left - length as u64;
        self.place = match self.place {
            Place::Chunk(_) if left == 0 => Place::ChunkSize,
            Place::Chunk(_) => Place::Chunk(left),
            _ if left == 0 => Place::Start,
            _ => Place::Body(left),
        };
        &bytes[length..]
    }

    fn byte(&mut self, byte: u8) {
        let before = std::mem::replace(&mut self.last_byte, byte);
        if byte != b'\n' {
            if self.line.len() < MAX_LINE {
                self.line.push(byte);
            } else {
                self.is_cut = true;
            }
            return;
        }
        if before != b'\r' {
            self.ambiguity = Some(AmbiguousForm::BareLineFeed);
        }
        let line = std::mem::take(&mut self.line);
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        if std::mem::take(&mut self.is_cut) && self.tells_length(line) {
            self.ambiguity = Some(AmbiguousForm::LongLength);
        }
        self.end_line(line);
    }

    /// Whether a line that begins like this, and goes on, tells the length of a body or of a chunk.
    fn tells_length(&self, line: &[u8]) -> bool {
        match self.place {
            Place::Head => {
                let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
                LENGTH_NAMES.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
            }
            // What comes after the semicolon is no part of the size.
            Place::ChunkSize => !line.contains(&b';'),
            _ => false,
        }
    }

    fn end_line(&mut self, line: &[u8]) {
        self.place = match self.place {
            Place::Start | Place::Trailer if line.is_empty() => Place::Start,
            Place::Start if line == HTTP2_PREFACE => Place::Elsewhere,
            Place::Start => Place::Head,
            Place::Head if line.is_empty() => self.end_head(),
            Place::ChunkSize => match chunk_size(line) {
                Some(0) => Place::Trailer,
                Some(size) => Place::Chunk(size.saturating_add(2)),
                None => Place::Elsewhere,
            },
            Place::Head => {
                self.header(line);
                Place::Head
            }
            place => place,
        };
    }

    fn header(&mut self, line: &[u8]) {
        let Some((name, value)) = str::from_utf8(line).ok().and_then(|line| line.split_once(':'))
        else {
            return;
        };
        let value = value.trim();
        let [content_length, transfer_encoding] = LENGTH_NAMES;
        let length = match name.to_ascii_lowercase().as_str() {
            name if name == content_length => {
                value.parse().map_or(BodyLength::Empty, BodyLength::Bytes)
            }
            name if name == transfer_encoding
                && value.to_ascii_lowercase().ends_with("chunked") =>
            {
                BodyLength::Chunked
            }
            _ => return,
        };
        if self.body != BodyLength::Empty {
            self.ambiguity = Some(AmbiguousForm::TwoLengths);
        }
        // As hyper does.
        if self.body != BodyLength::Chunked {
            self.body = length;
        }
    }

    fn end_head(&mut self) -> Place {
        match std::mem::take(&mut self.body) {
            BodyLength::Empty | BodyLength::Bytes(0) => Place::Start,
            BodyLength::Bytes(length) => Place::Body(length),
            BodyLength::Chunked => Place::ChunkSize,
        }
    }
}

fn chunk_size(line: &[u8]) -> Option<u64> {
    let line = str::from_utf8(line).ok()?;
    let digits = line.split(';').next()?.trim();
    u64::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether these bytes contain a bare line feed outside of bodies, however they are cut.
    #[track_caller]
    fn check(bytes: &str, expected: bool) {
        check_form(bytes, expected.then_some(AmbiguousForm::BareLineFeed));
    }

    #[track_caller]
    fn check_form(bytes: &str, expected: Option<AmbiguousForm>) {
        for size in [1, 2, 3, 7, bytes.len()] {
            let mut lines = RequestLines::default();
            bytes.as_bytes().chunks(size).for_each(|part| lines.follow(part));
            assert_eq!(lines.ambiguity(), expected, "{bytes:?} in parts of {size}");
        }
    }

    #[test]
    fn a_body_with_two_lengths_is_noticed() {
        let post = |fields: &str| format!("POST / HTTP/1.1\r\n{fields}\r\n0\r\n\r\n");
        let (sized, chunked) = ("Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n");
        for fields in [[sized, chunked], [chunked, sized], [sized, sized], [chunked, chunked]] {
            check_form(&post(&fields.concat()), Some(AmbiguousForm::TwoLengths));
        }
        check_form(&post(sized), None);
        check_form(&post(chunked), None);
        check_form(&format!("{}{}", post(sized), post(chunked)), None);
        let trailer = format!("POST / HTTP/1.1\r\n{chunked}\r\n0\r\n{sized}\r\n");
        check_form(&format!("{trailer}{}", post(sized)), None);
    }

    #[test]
    fn a_length_in_a_line_that_is_too_long_is_noticed() {
        let long = Some(AmbiguousForm::LongLength);
        let (spaces, list, zeros) = (" ".repeat(300), "gzip, ".repeat(60), "0".repeat(300));
        let post = |fields: &str| format!("POST / HTTP/1.1\r\n{fields}\r\n0\r\n\r\n");
        for fields in [
            format!("Transfer-Encoding:{spaces}chunked\r\nContent-Length: 5\r\n"),
            format!("transfer-encoding: {list}chunked\r\n"),
            format!("TRANSFER-ENCODING: \u{e4}{list}chunked\r\n"),
            format!("Content-Length:{spaces}5\r\n"),
            format!("content-length: {zeros}5\r\n"),
        ] {
            check_form(&post(&fields), long);
        }
        check_form(&post(&format!("X-Transfer-Encoding:{spaces}chunked\r\n")), None);
        check_form(&post(&format!("X: y\r\nContent-Lengths:{spaces}5\r\n")), None);
        let chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
        let end = "\r\nabc\r\n0\r\n\r\n";
        check_form(&format!("{chunked}{zeros}3{end}"), long);
        check_form(&format!("{chunked}3;{zeros}{end}"), None);
        // The name of the header, a colon, and as many spaces as fit.
        let longest = " ".repeat(MAX_LINE - "Content-Length:0\r".len());
        check_form(&format!("POST / HTTP/1.1\r\nContent-Length:{longest}0\r\n\r\n"), None);
        check_form(&format!("POST / HTTP/1.1\r\nContent-Length:{longest} 0\r\n\r\n"), long);
    }

    const GET: &str = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    #[test]
    fn bare_line_feeds_in_heads_are_noticed() {
        check(GET, false);
        check("GET / HTTP/1.1\nHost: a\r\n\r\n", true);
        check("GET / HTTP/1.1\r\nHost: a\n\r\n", true);
        check("GET / HTTP/1.1\r\nHost: a\r\n\n", true);
        check(&format!("\r\n{GET}"), false);
        check(&format!("\n{GET}"), true);
        let long = "x".repeat(1_000);
        check(&format!("GET / HTTP/1.1\r\nLong: {long}\r\n\r\n{GET}"), false);
        check(&format!("GET / HTTP/1.1\r\nLong: {long}\n\r\n"), true);
    }

    #[test]
    fn bodies_may_contain_line_feeds() {
        let sized = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n{\n\n}\n";
        check(sized, false);
        check(&format!("{sized}{GET}"), false);
        check(&format!("{sized}GET / HTTP/1.1\nHost: a\r\n\r\n"), true);
        let chunked = "POST / HTTP/1.1\r\nTRANSFER-ENCODING: Chunked\r\n\r\n\
                       3;x=y\r\n\n\n\n\r\n10\r\n0123456789\n12345\r\n0\r\nTrailer: x\r\n\r\n";
        check(chunked, false);
        check(&format!("{chunked}{GET}{sized}{chunked}{GET}"), false);
        check(&format!("{chunked}GET / HTTP/1.1\r\nHost: a\n\r\n"), true);
        check(&chunked.replace("0\r\nTrailer", "0\nTrailer"), true);
    }

    #[test]
    fn what_is_no_longer_http_1_is_not_followed() {
        check("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\n\n\n", false);
        let mut lines = RequestLines::default();
        lines.follow(GET.as_bytes());
        lines.stop();
        lines.follow(b"\n\n\n");
        assert_eq!(lines.ambiguity(), None);
    }
}
