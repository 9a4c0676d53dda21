//! Files as they travel over slow lines.

use std::io::Write as _;

use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;

/// The bytes in gzip form, if that is shorter.
pub(crate) fn gzip(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("a Vec takes everything");
    shorter(bytes, encoder.finish().expect("a Vec takes everything"))
}

/// The bytes in brotli form, as short as it gets, if that is shorter.
pub(crate) fn brotli(bytes: &[u8]) -> Option<Vec<u8>> {
    let parameters = BrotliEncoderParams {
        quality: 11,
        // The largest that every browser takes.
        lgwin: 24,
        size_hint: bytes.len(),
        ..BrotliEncoderParams::default()
    };
    let mut compressed = Vec::new();
    let mut input = bytes;
    brotli::BrotliCompress(&mut input, &mut compressed, &parameters)
        .expect("a Vec takes everything");
    shorter(bytes, compressed)
}

fn shorter(bytes: &[u8], compressed: Vec<u8>) -> Option<Vec<u8>> {
    (compressed.len() < bytes.len()).then_some(compressed)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    /// Bytes that repeat themselves now and then.
    fn sample() -> Vec<u8> {
        (0..60_000_u32).map(|index| (index * index / 7 % 251).to_le_bytes()[0]).collect()
    }

    #[test]
    fn gzip_gives_back_what_it_was_given() {
        let compressed = gzip(&sample()).expect("it repeats itself");
        let mut back = Vec::new();
        flate2::read::GzDecoder::new(&compressed[..]).read_to_end(&mut back).unwrap();
        assert_eq!(back, sample());
    }

    #[test]
    fn brotli_gives_back_what_it_was_given() {
        let compressed = brotli(&sample()).expect("it repeats itself");
        let mut back = Vec::new();
        brotli::Decompressor::new(&compressed[..], 4_096).read_to_end(&mut back).unwrap();
        assert_eq!(back, sample());
    }

    #[test]
    fn what_would_become_longer_stays_as_it_is() {
        for bytes in [&b""[..], b"x", b"cradle"] {
            assert_eq!((gzip(bytes), brotli(bytes)), (None, None));
        }
    }
}
