//! In which form a client takes what it asks for.

use axum::http::HeaderMap;
use axum::http::header::ACCEPT_ENCODING;

/// The form of a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    Brotli,
    Gzip,
    Plain,
}

impl Coding {
    /// As HTTP calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
            Self::Plain => "identity",
        }
    }

    /// The one of `available`, best first, that the client likes most; plain if it takes none.
    pub(crate) fn choose(available: &[Self], asked: &HeaderMap) -> Self {
        // Unless it is named, plain is what remains.
        let plain = wish(asked, Self::Plain.name()).unwrap_or_default();
        let mut chosen = (Self::Plain, plain);
        for coding in available.iter().rev() {
            let wish = wish(asked, coding.name()).or_else(|| wish(asked, "*"));
            let wish = wish.unwrap_or_default();
            if wish > 0 && wish >= chosen.1 {
                chosen = (*coding, wish);
            }
        }
        chosen.0
    }
}

/// How much a client wants a coding that it names, in thousandths; 0 if not at all.
fn wish(asked: &HeaderMap, name: &str) -> Option<u16> {
    let lines = asked.get_all(ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
    let mut wishes = lines.flat_map(|line| line.split(',')).map(|wish| {
        let (coding, weight) = wish.split_once(';').unwrap_or((wish, "q=1"));
        (coding.trim(), weight)
    });
    let (_, weight) = wishes.find(|(coding, _)| coding.eq_ignore_ascii_case(name))?;
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

    const ALL: [Coding; 2] = [Coding::Brotli, Coding::Gzip];

    fn check(lines: &[&str], available: &[Coding], expected: Coding) {
        let mut asked = HeaderMap::new();
        for line in lines {
            asked.append(ACCEPT_ENCODING, line.parse().unwrap());
        }
        assert_eq!(Coding::choose(available, &asked), expected, "{lines:?}");
    }

    #[test]
    fn the_best_is_sent_that_a_client_takes() {
        check(&["gzip, deflate, br, zstd"], &ALL, Coding::Brotli);
        check(&["gzip", "br"], &ALL, Coding::Brotli);
        check(&["gzip, deflate"], &ALL, Coding::Gzip);
        check(&["GZIP;q=1.0 , BR; q=1"], &ALL, Coding::Brotli);
        check(&["*"], &ALL, Coding::Brotli);
        check(&["br"], &[Coding::Gzip], Coding::Plain);
        check(&["br, gzip"], &[Coding::Gzip], Coding::Gzip);
    }

    #[test]
    fn a_client_that_takes_nothing_special_gets_it_plain() {
        check(&[], &ALL, Coding::Plain);
        check(&[""], &ALL, Coding::Plain);
        check(&["identity"], &ALL, Coding::Plain);
        check(&["deflate, zstd;q=0.5"], &ALL, Coding::Plain);
        check(&["br, gzip"], &[], Coding::Plain);
    }

    #[test]
    fn weights_decide_and_zero_refuses() {
        check(&["br;q=0, gzip"], &ALL, Coding::Gzip);
        check(&["br;q=0.000, *"], &ALL, Coding::Gzip);
        check(&["br;q=0.5, gzip;q=0.8"], &ALL, Coding::Gzip);
        check(&["br;q=0.5, gzip;q=0.25"], &ALL, Coding::Brotli);
        check(&["br;q=0.5, identity"], &ALL, Coding::Plain);
        check(&["*;q=0"], &ALL, Coding::Plain);
        check(&["gzip;q=0, br;q=0"], &ALL, Coding::Plain);
    }

    #[test]
    fn a_weight_that_is_none_refuses() {
        for weight in ["q=", "q=x", "q=0.x", "p=1", "q", "q=0.1234", "q=-1"] {
            check(&[&format!("br;{weight}, gzip")], &ALL, Coding::Gzip);
        }
    }
}
