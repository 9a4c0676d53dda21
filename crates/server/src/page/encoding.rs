//! Content encodings, and which one a client prefers.

use axum::http::HeaderMap;
use axum::http::header::ACCEPT_ENCODING;

/// The encoding of a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Brotli,
    Gzip,
    Plain,
}

impl Encoding {
    /// The name in HTTP.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
            Self::Plain => "identity",
        }
    }

    /// The one of `available`, best first, that the client prefers; plain if it accepts none.
    pub(crate) fn choose(available: &[Self], headers: &HeaderMap) -> Self {
        // Plain is the last resort, unless the client names it.
        let plain = weight_of(headers, Self::Plain.name()).unwrap_or_default();
        let mut chosen = (Self::Plain, plain);
        for encoding in available.iter().rev() {
            let weight = weight_of(headers, encoding.name()).or_else(|| weight_of(headers, "*"));
            let weight = weight.unwrap_or_default();
            if weight > 0 && weight >= chosen.1 {
                chosen = (*encoding, weight);
            }
        }
        chosen.0
    }
}

/// The weight of an encoding that the client names, in thousandths; 0 means that it is refused.
fn weight_of(headers: &HeaderMap, name: &str) -> Option<u16> {
    let lines = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
    let mut named = lines.flat_map(|line| line.split(',')).map(|item| {
        let (encoding, weight) = item.split_once(';').unwrap_or((item, "q=1"));
        (encoding.trim(), weight)
    });
    let (_, weight) = named.find(|(encoding, _)| encoding.eq_ignore_ascii_case(name))?;
    Some(thousandths(weight).unwrap_or_default())
}

/// `q=0.25` in thousandths.
fn thousandths(weight: &str) -> Option<u16> {
    let (name, value) = weight.split_once('=')?;
    if !name.trim().eq_ignore_ascii_case("q") {
        return None;
    }
    let value = value.trim();
    let (whole, fraction) = value.split_once('.').unwrap_or((value, ""));
    let thousandths = format!("{fraction:0<3}").parse().ok();
    let thousandths: u16 = thousandths.filter(|&number| number < 1_000)?;
    Some(whole.parse::<u16>().ok()?.min(1) * 1_000 + thousandths)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Encoding; 2] = [Encoding::Brotli, Encoding::Gzip];

    fn check(lines: &[&str], available: &[Encoding], expected: Encoding) {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(ACCEPT_ENCODING, line.parse().unwrap());
        }
        assert_eq!(Encoding::choose(available, &headers), expected, "{lines:?}");
    }

    #[test]
    fn the_best_accepted_encoding_is_sent() {
        check(&["gzip, deflate, br, zstd"], &ALL, Encoding::Brotli);
        check(&["gzip", "br"], &ALL, Encoding::Brotli);
        check(&["gzip, deflate"], &ALL, Encoding::Gzip);
        check(&["GZIP;q=1.0 , BR; q=1"], &ALL, Encoding::Brotli);
        check(&["*"], &ALL, Encoding::Brotli);
        check(&["br"], &[Encoding::Gzip], Encoding::Plain);
        check(&["br, gzip"], &[Encoding::Gzip], Encoding::Gzip);
    }

    #[test]
    fn a_client_that_accepts_no_encoding_gets_plain_content() {
        check(&[], &ALL, Encoding::Plain);
        check(&[""], &ALL, Encoding::Plain);
        check(&["identity"], &ALL, Encoding::Plain);
        check(&["deflate, zstd;q=0.5"], &ALL, Encoding::Plain);
        check(&["br, gzip"], &[], Encoding::Plain);
    }

    #[test]
    fn weights_decide_and_zero_means_refused() {
        check(&["br;q=0, gzip"], &ALL, Encoding::Gzip);
        check(&["br;q=0.000, *"], &ALL, Encoding::Gzip);
        check(&["br;q=0.5, gzip;q=0.8"], &ALL, Encoding::Gzip);
        check(&["br;q=0.5, gzip;q=0.25"], &ALL, Encoding::Brotli);
        check(&["br;q=0.5, identity"], &ALL, Encoding::Plain);
        check(&["*;q=0"], &ALL, Encoding::Plain);
        check(&["gzip;q=0, br;q=0"], &ALL, Encoding::Plain);
    }

    #[test]
    fn a_malformed_weight_means_refused() {
        for weight in ["q=", "q=x", "q=0.x", "p=1", "q", "q=0.1234", "q=-1"] {
            check(&[&format!("br;{weight}, gzip")], &ALL, Encoding::Gzip);
        }
    }
}
