//! Lines of an input that somebody else writes.

use std::io::{self, BufRead, Read};

/// A line that is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("That line is not UTF-8 text of at most {longest} bytes. Nothing changed.")]
pub(crate) struct UnreadableLine {
    longest: u64,
}

/// The next line of the input, of at most this many bytes; `None` at its end.
pub(crate) fn next_line(
    input: &mut impl BufRead,
    longest: u64,
) -> io::Result<Option<Result<String, UnreadableLine>>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(longest).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let unreadable = UnreadableLine { longest };
    if bytes.len() as u64 == longest && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        return Ok(Some(Err(unreadable)));
    }
    Ok(Some(String::from_utf8(bytes).ok().ok_or(unreadable)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_skipped_as_a_whole() {
        let mut input = &b"12345678901\nnext\n\xff\n"[..];
        let mut line = || next_line(&mut input, 8).unwrap();
        assert_eq!(line(), Some(Err(UnreadableLine { longest: 8 })));
        assert_eq!(line(), Some(Ok("next\n".to_owned())));
        assert_eq!(line(), Some(Err(UnreadableLine { longest: 8 })));
        assert_eq!(line(), None);
    }
}
